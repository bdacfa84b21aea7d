package api

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"quatuor/api/gen"
	"quatuor/api/problem"
	"quatuor/engine/table"
)

// health is the answer to the probes.
type health struct {
	Status  string `json:"status"`
	Version string `json:"version,omitempty"`
}

func (s *Server) health(c echo.Context) error {
	return c.JSON(http.StatusOK, health{Status: "ok", Version: s.version})
}

// readiness answers whether requests can be served and, where it may be told, why not.
func (s *Server) readiness(c echo.Context) error {
	if s.ready != nil {
		if err := s.ready(c.Request().Context()); err != nil {
			s.logger.WarnContext(c.Request().Context(), "not ready", "error", err)
			return reasonOf(err)
		}
	}
	return s.health(c)
}

// reasonOf returns what a probe is told of an error: those that have words for it, and nothing of any other.
func reasonOf(err error) error {
	for _, known := range []error{
		problem.ErrStarting, problem.ErrMigrating, problem.ErrSchema, problem.ErrStandstill, table.ErrOffset, table.ErrUnavailable,
	} {
		if errors.Is(err, known) {
			return known
		}
	}
	return problem.ErrNotReady
}

func (s *Server) showContract(c echo.Context) error {
	return c.Blob(http.StatusOK, "application/yaml", gen.Contract)
}
