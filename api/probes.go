package api

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"quatuor/api/gen"
	"quatuor/api/problem"
	"quatuor/engine/table"
)

// The routes of the probes.
const (
	healthPath = "/healthz"
	readyPath  = "/readyz"
)

// healthText returns the answer to the probes.
func healthText(version string) ([]byte, error) {
	text, err := json.Marshal(struct {
		Status  string `json:"status"`
		Version string `json:"version,omitempty"`
	}{"ok", version})
	return append(text, '\n'), err
}

func (s *Server) health(c echo.Context) error {
	return c.Blob(http.StatusOK, echo.MIMEApplicationJSON, s.healthy)
}

// readiness answers whether requests can be served and, if the reason is public, why not.
func (s *Server) readiness(c echo.Context) error {
	if s.ready == nil {
		return s.health(c)
	}
	ctx := c.Request().Context()
	err := s.ready(ctx)
	if ctx.Err() == nil { // the reason is not that the probe has hung up
		s.unready.note(ctx, s.logger, err)
	}
	if err != nil {
		return reasonOf(err)
	}
	return s.health(c)
}

// isProbe reports whether a route is for health checks.
func isProbe(route string) bool { return route == healthPath || route == readyPath }

// readyLog is the answer to the last probe: the reason why requests cannot be served, nil if they can.
type readyLog struct {
	mu  sync.Mutex
	now error
}

// note logs when the service becomes ready, is ready no more, or is not for another reason.
func (r *readyLog) note(ctx context.Context, logger *slog.Logger, err error) {
	var reason error
	if err != nil {
		reason = reasonOf(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case errors.Is(reason, r.now):
		return
	case reason == nil:
		logger.WarnContext(ctx, "ready again")
	default:
		logger.WarnContext(ctx, "not ready", "error", err)
	}
	r.now = reason
}

// reasonOf returns the public reason of an error, for a probe: ErrNotReady for an error that has no text of its own.
func reasonOf(err error) error {
	for _, known := range []error{
		problem.ErrStarting, problem.ErrMigrating, problem.ErrSchema, problem.ErrStandstill, table.ErrOffset,
		table.ErrUnavailable,
	} {
		if errors.Is(err, known) {
			return known
		}
	}
	return problem.ErrNotReady
}

func (s *Server) showContract(c echo.Context) error {
	return c.Blob(http.StatusOK, "application/yaml", gen.Contract())
}

// contractJSON is the contract in JSON.
var contractJSON = sync.OnceValues(func() ([]byte, error) {
	doc, err := openapi3.NewLoader().LoadFromData(gen.Contract())
	if err != nil {
		return nil, err
	}
	return doc.MarshalJSON()
})

func (s *Server) showContractJSON(c echo.Context) error {
	text, err := contractJSON()
	if err != nil {
		return err
	}
	return c.JSONBlob(http.StatusOK, text)
}
