package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"quatuor/api/gen"
	"quatuor/api/problem"
)

// health is the answer to the probes.
type health struct {
	Status  string `json:"status"`
	Version string `json:"version,omitempty"`
}

func (s *Server) health(c echo.Context) error {
	return c.JSON(http.StatusOK, health{Status: "ok", Version: s.version})
}

func (s *Server) readiness(c echo.Context) error {
	if s.ready != nil {
		if err := s.ready(c.Request().Context()); err != nil {
			s.logger.WarnContext(c.Request().Context(), "not ready", "error", err)
			return problem.ErrNotReady
		}
	}
	return s.health(c)
}

func (s *Server) showContract(c echo.Context) error {
	return c.Blob(http.StatusOK, "application/yaml", gen.Contract)
}
