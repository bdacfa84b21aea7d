package kit

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/command"
)

// Get adds a page at a route.
func (k *Kit) Get(e *echo.Echo, route string, handler echo.HandlerFunc) {
	e.Match([]string{http.MethodGet, http.MethodHead}, route, k.Guarded(handler))
}

// Routes adds pages, and redirects to them from addresses with a trailing slash.
func (k *Kit) Routes(e *echo.Echo, handlers map[string]echo.HandlerFunc) {
	for route, handler := range handlers {
		k.Get(e, route, handler)
		if route != "/" {
			e.Match([]string{http.MethodGet, http.MethodHead}, route+"/", withoutSlash)
		}
	}
}

// Post adds a form at a route, with the target of its command.
func (k *Kit) Post(e *echo.Echo, route string, on command.Target, handler echo.HandlerFunc) {
	k.targets[route] = on
	e.POST(route, k.Guarded(handler))
}

// Target returns the target of the form at a route.
func (k *Kit) Target(route string) command.Target { return k.targets[route] }

func withoutSlash(c echo.Context) error {
	target := *c.Request().URL
	target.Path = strings.TrimRight(target.Path, "/")
	target.RawPath = ""
	return c.Redirect(http.StatusMovedPermanently, target.RequestURI())
}

// Mount adds the multiplexed stream, the static files and the logo.
func (k *Kit) Mount(e *echo.Echo) {
	k.Routes(e, map[string]echo.HandlerFunc{"/live": k.live})
	e.Match([]string{http.MethodGet, http.MethodHead}, "/static/:file", k.static)
	k.Get(e, logoAddress, k.logo)
}
