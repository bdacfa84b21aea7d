package api

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/contract"
	"quatuor/api/problem"
)

// handleError answers an error with a problem document, or with a page if the request was for a page.
func (s *Server) handleError(err error, c echo.Context) {
	response := c.Response()
	if response.Committed {
		return
	}
	p := problem.Of(err, c.Request().URL.Path, requestID(c))
	if p.Status == http.StatusInternalServerError {
		s.logger.LogAttrs(c.Request().Context(), slog.LevelError, "request failed",
			slog.String("request_id", requestID(c)), slog.String("method", c.Request().Method),
			slog.String("route", c.Path()), slog.Any("error", err))
	}
	if q := requestOf(c); q != nil {
		q.setRateHeaders(response.Header()) // it may have been refused before they were set
	}
	problem.SetHeaders(response.Header(), err, p.Status)
	if allow := response.Header().Get(echo.HeaderAllow); strings.Contains(allow, http.MethodGet) &&
		!strings.Contains(allow, http.MethodHead) {
		response.Header().Set(echo.HeaderAllow, allow+", "+http.MethodHead)
	}
	if s.wantsPage(c) {
		answer := s.pages.Error
		switch {
		case errors.Is(err, problem.ErrCrossOrigin):
			answer = s.pages.CrossOrigin
		case errors.Is(err, problem.ErrWrongHost):
			answer = s.pages.WrongHost
		}
		if failed := answer(c, p.Status); failed == nil {
			return
		}
	}
	text, encodeErr := json.Marshal(p)
	if encodeErr != nil {
		text = []byte(`{"type":"/problems/internal","title":"Internal error","status":500}`)
	}
	response.Header().Set("Cache-Control", "no-store")
	_ = c.Blob(p.Status, "application/problem+json", text)
}

// wantsPage reports whether a browser requested something outside the API, or sent a form there, so that a page should
// answer.
func (s *Server) wantsPage(c echo.Context) bool {
	path, method := c.Request().URL.Path, c.Request().Method
	return s.pages != nil && !strings.HasPrefix(path, contract.BasePath+"/") &&
		(method == http.MethodGet || method == http.MethodPost) &&
		strings.Contains(c.Request().Header.Get("Accept"), "text/html")
}
