package kit

import (
	"context"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/pages/delta"
	"quatuor/api/stream"
)

// maxFollowed is the maximum number of streams multiplexed on a connection.
const maxFollowed = 32

// live multiplexes the streams of a browser on a single connection. Its parameters 0, 1, 2 … are addresses of streams
// (routes that end in "/live") and of live pages.
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
		parts = append(parts, func(ctx context.Context, w http.ResponseWriter) error {
			return k.follow(ctx, c, w, target)
		})
	}
	if len(parts) == 0 {
		return ErrMissing
	}
	k.Hub.ServeMany(c.Request().Context(), c.Response(), parts)
	return nil
}

// follow serves a multiplexed stream as if it had been requested by itself. Its parameter "in" is the language of the
// page that follows.
func (k *Kit) follow(ctx context.Context, c echo.Context, w http.ResponseWriter, target *url.URL) error {
	r := c.Request().Clone(ctx)
	r.URL, r.RequestURI = target, target.RequestURI()
	r.Header.Del("Last-Event-ID")
	if in := target.Query().Get("in"); in != "" {
		r.Header.Set("Accept-Language", in)
	}
	one := c.Echo().NewContext(r, w)
	c.Echo().Router().Find(http.MethodGet, echo.GetPath(r), one)
	if _, live := k.pages[one.Path()]; live {
		return k.followPage(one)
	}
	if route := one.Path(); route == "/live" || !strings.HasSuffix(route, "/live") {
		w.WriteHeader(http.StatusNotFound)
		return nil
	}
	return one.Handler()(one)
}

// SeenVersion returns the version that the client of a stream has, "" for none: Last-Event-ID after a reconnection,
// else the parameter of the first request.
func SeenVersion(c echo.Context) string {
	if last := c.Request().Header.Get("Last-Event-ID"); last != "" {
		return last
	}
	return c.QueryParam("version")
}

// Difference returns the update between two renderings of a page's parts: a delta, or the whole of after if that is
// shorter or before is unknown ("").
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
