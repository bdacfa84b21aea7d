package api

import (
	"fmt"
	"net/http"
	"net/mail"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
)

// securityPath is the well-known path of the contact for reports of vulnerabilities (RFC 9116).
const securityPath = "/.well-known/security.txt"

// securityLife is the time until a copy of security.txt expires. A running service renews it daily; RFC 9116 recommends
// less than a year.
const securityLife = 180 * 24 * time.Hour

// SecurityContact is the contact for reports of an installation's vulnerabilities.
type SecurityContact struct {
	Contacts []string // as URIs, the preferred first; none: there is no security.txt
	Policy   string   // URL of the page about reports; "" for none
}

// NewSecurityContact reads an operator's contacts, e-mail addresses or URIs (mailto, tel, https), and the address of a
// policy.
func NewSecurityContact(contacts []string, policy string) (s SecurityContact, err error) {
	for _, text := range contacts {
		if at, err := mail.ParseAddress(text); err == nil && at.Address == text {
			text = "mailto:" + text
		}
		if !isURI(text, "mailto", "tel", "https") {
			return s, fmt.Errorf("a security contact is an e-mail address, or begins with https:, mailto: or tel:, not %q", text)
		}
		s.Contacts = append(s.Contacts, text)
	}
	if policy != "" && !isURI(policy, "https") {
		return s, fmt.Errorf("the security policy is an address that begins with https:, not %q", policy)
	}
	s.Policy = policy
	return s, nil
}

// isURI reports whether a text is a URI with any of the schemes, of printable ASCII alone: it becomes a line of its
// own.
func isURI(text string, schemes ...string) bool {
	if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return false
	}
	u, err := url.Parse(text)
	if err != nil || u.Opaque == "" && u.Host == "" {
		return false
	}
	for _, scheme := range schemes {
		if u.Scheme == scheme && (scheme == "https") == (u.Host != "") {
			return true
		}
	}
	return false
}

// securityContact answers the contact for reports of vulnerabilities (RFC 9116); 404 where the operator has none.
func (s *Server) securityContact(c echo.Context) error {
	if len(s.security.Contacts) == 0 {
		return echo.ErrNotFound
	}
	var text strings.Builder
	for _, contact := range s.security.Contacts {
		fmt.Fprintf(&text, "Contact: %s\n", contact)
	}
	expires := s.now().UTC().Truncate(24 * time.Hour).Add(securityLife)
	fmt.Fprintf(&text, "Expires: %s\nPreferred-Languages: en, de, fr\n", expires.Format(time.RFC3339))
	if strings.HasPrefix(s.address, "https://") { // only over TLS is an address canonical: it cannot be changed on the way
		fmt.Fprintf(&text, "Canonical: %s\n", s.address+securityPath)
	}
	if s.security.Policy != "" {
		fmt.Fprintf(&text, "Policy: %s\n", s.security.Policy)
	}
	return c.String(http.StatusOK, text.String())
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
