package api

import (
	"maps"
	"slices"
)

// Routes lists what is served, as "METHOD /path/:parameter".
func (s *Server) Routes() []string {
	var out []string
	for _, r := range s.echo.Routes() {
		out = append(out, r.Method+" "+r.Path)
	}
	return out
}

// PageActs lists the routes of forms that act on games.
func PageActs() []string { return slices.Collect(maps.Keys(pageActs)) }
