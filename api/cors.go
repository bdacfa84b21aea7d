package api

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
)

// shareReads lets pages of other sites read what everyone may read: GETs of the API without credentials. With "*"
// browsers keep answers from pages that send cookies along.
func (s *Server) shareReads(c echo.Context, q *request) {
	r := c.Request()
	if q.identity.Anonymous() && (r.Method == http.MethodGet || r.Method == http.MethodHead) && ofAPI(r) &&
		withoutCredentials(r) {
		h := c.Response().Header()
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	}
}

// withoutCredentials reports whether a request has nothing to authenticate it by.
func withoutCredentials(r *http.Request) bool {
	return r.Header.Get("Authorization") == "" && r.Header.Get("Cookie") == ""
}

// byTokenAlone reports whether a request of the API has a token and no cookie.
func byTokenAlone(r *http.Request) bool {
	return ofAPI(r) && r.Header.Get("Authorization") != "" && r.Header.Get("Cookie") == ""
}

// exposedHeaders are the headers of answers that pages of other sites may read.
const exposedHeaders = "Deprecation, ETag, Idempotent-Replayed, Link, Location, RateLimit-Limit, RateLimit-Remaining, " +
	"RateLimit-Reset, Retry-After, Sunset, X-Request-Id"

// shareWithTokens lets pages of other sites read the answers to requests with a token, refusals too. It never allows
// credentials that a browser adds by itself: with "*", browsers keep answers from pages that send cookies along.
func shareWithTokens(c echo.Context) {
	if !byTokenAlone(c.Request()) {
		return
	}
	h := c.Response().Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", exposedHeaders)
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
}

// isPreflight reports whether a request is a browser's CORS preflight for a page's request to the API.
func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && ofAPI(r) && r.Header.Get("Access-Control-Request-Method") != ""
}

// preflight answers the requests that browsers send ahead of a page's request to another site.
func preflight(c echo.Context) error {
	h := c.Response().Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE")
	h.Set("Access-Control-Allow-Headers",
		"Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer")
	h.Set("Access-Control-Max-Age", "7200")
	return c.NoContent(http.StatusNoContent)
}

// confine refuses a tournament's token outside that tournament: in another, at a game that is not of it, and on the
// pages.
func (s *Server) confine(c echo.Context, q *request) error {
	one := q.identity.Tournament
	if one == "" || q.forwarded || q.operation != nil && q.operation.Open() {
		return nil
	}
	in := c.Param("tournament_id")
	if id := c.Param("game_id"); id != "" && q.operation != nil {
		game, err := s.tables.Snapshot(c.Request().Context(), id)
		if err != nil {
			return err
		}
		if place := game.Game.Tournament; place != nil {
			in = place.ID
		}
	}
	if q.operation == nil || in != one {
		return auth.ErrConfined
	}
	return nil
}
