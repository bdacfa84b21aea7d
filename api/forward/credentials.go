package forward

import (
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"time"
)

// MinSecret is the minimum length of the shared secret, in bytes.
const MinSecret = 32

// protocol names the protocol between instances. Instances with different protocols do not forward to each other.
const protocol = "quatuor-acts-2"

// credentials returns the configuration of mutual TLS 1.3 with a single certificate that both sides trust. Its key is
// derived from the secret (RFC 5869).
func credentials(secret string) (*tls.Config, error) {
	if len(secret) < MinSecret {
		return nil, fmt.Errorf("the secret that instances share must have at least %d characters", MinSecret)
	}
	seed, err := hkdf.Key(sha256.New, []byte(secret), nil, protocol, ed25519.SeedSize)
	if err != nil {
		return nil, err
	}
	key := ed25519.NewKeyFromSeed(seed)
	one := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: protocol}, DNSNames: []string{protocol},
		// it is revoked by changing the secret
		NotBefore: time.Unix(0, 0), NotAfter: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC),
		IsCA: true, BasicConstraintsValid: true, // another version of Go may encode it differently; then it is its own issuer
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	text, err := x509.CreateCertificate(rand.Reader, one, one, key.Public(), key)
	if err != nil {
		return nil, err
	}
	certificate, err := x509.ParseCertificate(text)
	if err != nil {
		return nil, err
	}
	believed := x509.NewCertPool()
	believed.AddCert(certificate)
	return &tls.Config{
		MinVersion: tls.VersionTLS13, NextProtos: []string{protocol}, ServerName: protocol, SessionTicketsDisabled: true,
		Certificates: []tls.Certificate{{Certificate: [][]byte{text}, PrivateKey: key, Leaf: certificate}},
		RootCAs:      believed, ClientCAs: believed, ClientAuth: tls.RequireAndVerifyClientCert,
	}, nil
}
