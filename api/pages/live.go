package pages

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/stream"
)

// maxFollowed is how many streams one browser may follow at once.
const maxFollowed = 32

// live is the one stream of a browser, whose pages follow many things: its parameters 0, 1, 2 … are addresses of
// streams, routes that end in "/live".
func (p *Pages) live(c echo.Context) error {
	var parts []stream.Part
	for len(parts) < maxFollowed {
		address := c.QueryParam(strconv.Itoa(len(parts)))
		if address == "" {
			break
		}
		target, err := url.Parse(address)
		if err != nil || target.IsAbs() || target.Host != "" || !strings.HasPrefix(target.Path, "/") {
			return errUnreadable
		}
		parts = append(parts, func(ctx context.Context, w http.ResponseWriter) error { return follow(ctx, c, w, target) })
	}
	if len(parts) == 0 {
		return errMissing
	}
	p.Hub.ServeMany(c.Request().Context(), c.Response(), parts)
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

// seenVersion is the version from which on the reader of a stream is to be told, "" for none.
func seenVersion(c echo.Context) string {
	if last := c.Request().Header.Get("Last-Event-ID"); last != "" {
		return last
	}
	return c.QueryParam("version")
}
