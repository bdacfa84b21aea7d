package api

import (
	"net/http"

	"quatuor/api/forward"
	"quatuor/api/problem"
)

// checkHost refuses requests under a name that is not the service's. Probes are sent by whatever address a load
// balancer has, and other instances prove themselves.
func (s *Server) checkHost(r *http.Request) error {
	switch r.URL.Path {
	case healthPath, readyPath, forward.Path:
		return nil
	}
	if !s.hosts.Allow(r.Host) {
		return problem.ErrWrongHost
	}
	return nil
}

// AllowsHost reports whether the service answers requests with a Host header.
func (s *Server) AllowsHost(host string) bool { return s.hosts.Allow(host) }
