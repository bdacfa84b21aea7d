package api

import (
	"net/http"

	"github.com/labstack/echo/v4"
)

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
