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

// keySet is a JSON Web Key Set (RFC 7517) of Ed25519 keys (RFC 8037).
type keySet struct {
	Keys []publicKey `json:"keys"`
}

type publicKey struct {
	Kty string `json:"kty"`
	Crv string `json:"crv"`
	Alg string `json:"alg"`
	Use string `json:"use"`
	Kid string `json:"kid"`
	X   string `json:"x"`
}

func (s *Server) keys(c echo.Context) error {
	keys, err := s.guard.PublicKeys(c.Request().Context())
	if err != nil {
		return err
	}
	set := keySet{Keys: make([]publicKey, len(keys))}
	for i, k := range keys {
		set.Keys[i] = publicKey{Kty: "OKP", Crv: "Ed25519", Alg: "EdDSA", Use: "sig", Kid: k.ID, X: k.X}
	}
	return c.JSON(http.StatusOK, set)
}
