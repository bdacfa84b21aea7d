package kit

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/command"
)

// Get adds a page.
func (k *Kit) Get(e *echo.Echo, route string, handler echo.HandlerFunc) {
	e.Match([]string{http.MethodGet, http.MethodHead}, route, k.Guarded(handler))
}

// Routes adds pages, to which their addresses with a slash at the end lead, too.
func (k *Kit) Routes(e *echo.Echo, handlers map[string]echo.HandlerFunc) {
	for route, handler := range handlers {
		k.Get(e, route, handler)
		if route != "/" {
			e.Match([]string{http.MethodGet, http.MethodHead}, route+"/", withoutSlash)
		}
	}
}

// Post adds a form, and says what it acts on.
func (k *Kit) Post(e *echo.Echo, route string, on command.Target, handler echo.HandlerFunc) {
	k.targets[route] = on
	e.POST(route, k.Guarded(handler))
}

// Target returns what the form of a route acts on.
func (k *Kit) Target(route string) command.Target { return k.targets[route] }

// withoutSlash leads from an address that ends with a slash to the page that is meant.
func withoutSlash(c echo.Context) error {
	target := *c.Request().URL
	target.Path = strings.TrimRight(target.Path, "/")
	target.RawPath = ""
	return c.Redirect(http.StatusMovedPermanently, target.RequestURI())
}

// Mount adds what no room has: the one stream of a browser, and the static files.
func (k *Kit) Mount(e *echo.Echo) {
	k.Routes(e, map[string]echo.HandlerFunc{"/live": k.live})
	e.Match([]string{http.MethodGet, http.MethodHead}, "/static/:file", k.static)
}
