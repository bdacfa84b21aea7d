package api

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/labstack/echo/v4"
)

// binder puts the bodies of operations into their types. The contract's check has read them before.
type binder struct{}

// Bind puts a request's body into what target points at. Without a body it does nothing.
func (binder) Bind(target any, c echo.Context) error {
	v := visitOf(c)
	if v == nil || len(v.body.text) == 0 {
		return nil
	}
	if err := json.Unmarshal(v.body.text, target); err != nil {
		return fmt.Errorf("%w: the body cannot be read", ErrMalformed)
	}
	return nil
}
