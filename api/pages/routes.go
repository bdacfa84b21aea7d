package pages

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/command"
)

// get adds a page.
func (p *Pages) get(e *echo.Echo, route string, handler echo.HandlerFunc) {
	e.Match([]string{http.MethodGet, http.MethodHead}, route, p.guard(handler))
}

// pages adds pages, to which their addresses with a slash at the end lead, too.
func (p *Pages) pages(e *echo.Echo, handlers map[string]echo.HandlerFunc) {
	for route, handler := range handlers {
		p.get(e, route, handler)
		if route != "/" {
			e.Match([]string{http.MethodGet, http.MethodHead}, route+"/", withoutSlash)
		}
	}
}

// post adds a form, and says what it acts on.
func (p *Pages) post(e *echo.Echo, route string, on command.Target, handler echo.HandlerFunc) {
	p.targets[route] = on
	e.POST(route, p.guard(handler))
}

// Target returns what the form of a route acts on.
func (p *Pages) Target(route string) command.Target { return p.targets[route] }

// withoutSlash leads from an address that ends with a slash to the page that is meant.
func withoutSlash(c echo.Context) error {
	target := *c.Request().URL
	target.Path = strings.TrimRight(target.Path, "/")
	target.RawPath = ""
	return c.Redirect(http.StatusMovedPermanently, target.RequestURI())
}
