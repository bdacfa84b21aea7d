package kit

import (
	"context"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"quatuor/api/pages/delta"

	"github.com/labstack/echo/v4"

	"quatuor/api/stream"
)

// maxFollowed is how many streams one browser may follow at once.
const maxFollowed = 32

// live is the one stream of a browser, whose pages follow many things: its parameters 0, 1, 2 … are addresses of
// streams, routes that end in "/live".
func (k *Kit) live(c echo.Context) error {
	var parts []stream.Part
	for len(parts) < maxFollowed {
		address := c.QueryParam(strconv.Itoa(len(parts)))
		if address == "" {
			break
		}
		target, err := url.Parse(address)
		if err != nil || target.IsAbs() || target.Host != "" || !strings.HasPrefix(target.Path, "/") {
			return ErrUnreadable
		}
		parts = append(parts, func(ctx context.Context, w http.ResponseWriter) error { return follow(ctx, c, w, target) })
	}
	if len(parts) == 0 {
		return ErrMissing
	}
	k.Hub.ServeMany(c.Request().Context(), c.Response(), parts)
	return nil
}

// follow answers with one of the streams that a request follows, as if it had been asked for by itself.
func follow(ctx context.Context, c echo.Context, w http.ResponseWriter, target *url.URL) error {
	r := c.Request().Clone(ctx)
	r.URL, r.RequestURI = target, target.RequestURI()
	r.Header.Del("Last-Event-ID")
	one := c.Echo().NewContext(r, w)
	c.Echo().Router().Find(http.MethodGet, echo.GetPath(r), one)
	if route := one.Path(); route == "/live" || !strings.HasSuffix(route, "/live") {
		w.WriteHeader(http.StatusNotFound)
		return nil
	}
	return one.Handler()(one)
}

// SeenVersion is the version from which on the reader of a stream is to be told, "" for none.
func SeenVersion(c echo.Context) string {
	if last := c.Request().Header.Get("Last-Event-ID"); last != "" {
		return last
	}
	return c.QueryParam("version")
}

// Difference returns what a reader is sent who has one rendering of a page's parts and is to have another: the steps
// from one to the other, or the whole where that is shorter or the first is not known any more ("").
func Difference(before, after template.HTML) []byte {
	if before == "" {
		return []byte(after)
	}
	steps, err := delta.Steps(string(before), string(after))
	if err != nil || len(steps) > len(after) {
		return []byte(after)
	}
	return steps
}
