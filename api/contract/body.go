package contract

import (
	"bytes"
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/labstack/echo/v4"
)

// Body is a request's body that has been read to its end. It serves as the Body of an [http.Request].
type Body struct {
	bytes.Reader
	text []byte
}

// Reset puts another text in the place of a body.
func (b *Body) Reset(text []byte) {
	b.text = text
	b.Reader.Reset(text)
}

// Bytes returns the whole body. It must not be changed.
func (b *Body) Bytes() []byte { return b.text }

// Close does nothing.
func (*Body) Close() error { return nil }

// BodyOf returns the body of a request that has been read before ([Body]), and nil for a request without a body.
func BodyOf(r *http.Request) []byte {
	if b, ok := r.Body.(*Body); ok {
		return b.text
	}
	return nil
}

// replaceBody puts another text in the place of a request's body.
func replaceBody(r *http.Request, text []byte) {
	if b, ok := r.Body.(*Body); ok {
		b.Reset(text)
		r.ContentLength = int64(len(text))
	}
}

// Binder decodes the bodies of requests, which [Operation.Validate] has checked before.
type Binder struct{}

// Bind decodes a request's body into target. Without a body it does nothing.
func (Binder) Bind(target any, c echo.Context) error {
	text := BodyOf(c.Request())
	if len(text) == 0 {
		return nil
	}
	if err := json.Unmarshal(text, target); err != nil {
		return fmt.Errorf("%w: the body cannot be read", ErrMalformed)
	}
	return nil
}
