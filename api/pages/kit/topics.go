package kit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"html/template"
	"net/url"
	"regexp"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/stream"
)

// ticking are the parts of a rendering that change with every moment.
var ticking = regexp.MustCompile(`<span data-clock[^>]*>[^<]*`)

// stamp names a rendering; two that differ in nothing but running clocks have the same.
func stamp(html template.HTML) string {
	sum := sha256.Sum256(ticking.ReplaceAll([]byte(html), nil))
	return hex.EncodeToString(sum[:9])
}

// LivePart is a part of a page that a stream updates, and the address of the stream from the page's version.
type LivePart struct {
	HTML    template.HTML
	Address string
}

// NewLivePart returns a part of a page with the stream that keeps it fresh.
func NewLivePart(path string, html template.HTML, query url.Values) LivePart {
	if query == nil {
		query = url.Values{}
	}
	query.Set("version", stamp(html))
	return LivePart{html, path + "?" + query.Encode()}
}

// ServeTopics streams what render returns after each change of the topics, starting from the page's rendering.
func (k *Kit) ServeTopics(
	c echo.Context, topics []string, render func(context.Context) (template.HTML, error),
) error {
	has := c.QueryParam("version")
	return k.Hub.ServeTopics(c.Request().Context(), c.Response(), topics, func(ctx context.Context) ([]byte, error) {
		html, err := render(ctx)
		if err != nil {
			return nil, err
		}
		now := stamp(html)
		if now == has {
			return nil, nil
		}
		has = now
		return []byte(html), nil
	})
}

// TopicsOf are the topics of a visitor's own things, and others.
func TopicsOf(who auth.Identity, others ...string) []string {
	if who.PlayerID != "" {
		others = append(others, stream.OfPlayer(who.PlayerID))
	}
	return others
}
