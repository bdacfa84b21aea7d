package api

import (
	"quatuor/api/command"
	"quatuor/api/contract"
)

// Routes lists what is served, as "METHOD /path/:parameter".
func (s *Server) Routes() []string {
	var out []string
	for _, r := range s.echo.Routes() {
		out = append(out, r.Method+" "+r.Path)
	}
	return out
}

// TargetOf returns on what the form of a route acts.
func (s *Server) TargetOf(route string) command.Kind { return s.pages.Target(route).On }

// SetContract puts another contract in the place of the program's.
func (s *Server) SetContract(k *contract.Contract) { s.contract = k }
