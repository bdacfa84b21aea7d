package api

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/gen"
)

// slugs of echo's own refusals, and of statuses that have no error of ours.
var statusSlugs = map[int]string{
	http.StatusBadRequest:            "malformed",
	http.StatusUnauthorized:          "unauthorized",
	http.StatusForbidden:             "forbidden",
	http.StatusNotFound:              "not-found",
	http.StatusMethodNotAllowed:      "method-not-allowed",
	http.StatusRequestEntityTooLarge: "too-large",
	http.StatusUnsupportedMediaType:  "unsupported-media-type",
	http.StatusServiceUnavailable:    "unavailable",
}

var statusDetails = map[int]string{
	http.StatusNotFound:         "there is nothing at this address; the addresses are in /openapi.yaml",
	http.StatusMethodNotAllowed: "this address does not take this method; the header Allow says which it takes",
}

// handleError answers an error as a problem document, or as a page where the pages have been asked.
func (s *Server) handleError(err error, c echo.Context) {
	response := c.Response()
	if response.Committed {
		return
	}
	p := s.problem(c, err)
	if p.Status == http.StatusInternalServerError {
		s.logger.LogAttrs(c.Request().Context(), slog.LevelError, "request failed",
			slog.String("request_id", requestID(c)), slog.String("method", c.Request().Method),
			slog.String("route", c.Path()), slog.Any("error", err))
	}
	if v := visitOf(c); v != nil {
		v.tellRoom(response.Header()) // it may have been refused before it was told
	}
	problemHeaders(response.Header(), err, p.Status)
	if allow := response.Header().Get(echo.HeaderAllow); strings.Contains(allow, http.MethodGet) && !strings.Contains(allow, http.MethodHead) {
		response.Header().Set(echo.HeaderAllow, allow+", "+http.MethodHead)
	}
	if s.wantsPage(c) {
		if failed := s.pages.Error(c, p.Status); failed == nil {
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

// problem makes the document for an error, echo's own included.
func (s *Server) problem(c echo.Context, err error) gen.Problem {
	var known *echo.HTTPError
	p := problemOf(err)
	if p.Status == http.StatusInternalServerError && errors.As(err, &known) && known.Code != http.StatusInternalServerError {
		p = statusProblem(known.Code)
	}
	if path := c.Request().URL.Path; path != "" && len(path) <= maxDetail { // a part of a path would be another path
		p.Instance = &path
	}
	if id := requestID(c); id != "" {
		p.RequestID = &id
	}
	return p
}

// statusProblem is for refusals of the framework: their own texts are not meant for clients.
func statusProblem(status int) gen.Problem {
	slug, known := statusSlugs[status]
	if !known {
		slug = strings.ReplaceAll(strings.ToLower(http.StatusText(status)), " ", "-")
	}
	p := gen.Problem{Type: "/problems/" + slug, Title: http.StatusText(status), Status: status}
	if detail, ok := statusDetails[status]; ok {
		p.Detail = &detail
	}
	return p
}

// wantsPage reports whether a browser asked for something outside the API, so that a page should answer.
func (s *Server) wantsPage(c echo.Context) bool {
	path := c.Request().URL.Path
	return s.pages != nil && !strings.HasPrefix(path, basePath+"/") && c.Request().Method == http.MethodGet &&
		strings.Contains(c.Request().Header.Get("Accept"), "text/html")
}
