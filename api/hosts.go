package api

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/forward"
	"quatuor/api/problem"
)

// checkHost refuses requests under a name that is not the service's. Probes are sent by whatever address a load
// balancer has, and other instances prove themselves.
func (s *Server) checkHost(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		switch r.URL.Path {
		case "/healthz", "/readyz", forward.Path:
			return next(c)
		}
		if _, checked := r.Context().Value(actKey{}).(*forward.Act); !checked && !s.hosts.Allow(r.Host) {
			return problem.ErrWrongHost
		}
		return next(c)
	}
}
