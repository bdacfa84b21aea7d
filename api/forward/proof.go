package forward

import (
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"fmt"
	"math/big"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"quatuor/api/internal/limit"
)

// A TLS handshake costs some hundred times as much as a refused request. So a request for a connection carries a proof
// of the secret, which costs microseconds to check. Requests without a proof (of strangers, and of instances of an
// earlier version) are rate-limited by address and share a small semaphore. So a flood from any address, even that of
// another instance or a proxy, neither uses up the processor nor keeps instances out.

// proofHeader is the header with the proof: the time in ms, a nonce, and an HMAC of both with the instance it is meant
// for.
const proofHeader = "Quatuor-Proof"

// prover makes and checks proofs. It is safe for concurrent use.
type prover struct {
	key []byte
	now func() time.Time

	mu   sync.Mutex
	used map[string]int64 // accepted proofs, with their times
}

func (p *prover) sum(to Member, moment int64, nonce string) string {
	mac := hmac.New(sha256.New, p.key)
	fmt.Fprintf(mac, "%q %d %d %q", to.Instance, to.Epoch, moment, nonce)
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// prove returns a proof for a request to an instance.
func (p *prover) prove(to Member) string {
	moment, nonce := p.now().UnixMilli(), rand.Text()
	return strconv.FormatInt(moment, 10) + "." + nonce + "." + p.sum(to, moment, nonce)
}

// holds reports whether a proof is valid: made for this instance within the window, and not used before.
func (p *prover) holds(self Member, proof string) bool {
	parts := strings.Split(proof, ".")
	if len(parts) != 3 || len(proof) > 128 {
		return false
	}
	moment, err := strconv.ParseInt(parts[0], 10, 64)
	now := p.now().UnixMilli()
	if err != nil || moment < now-window.Milliseconds() || moment > now+window.Milliseconds() ||
		!hmac.Equal([]byte(parts[2]), []byte(p.sum(self, moment, parts[1]))) {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, again := p.used[proof]; again {
		return false
	}
	for old, at := range p.used { // as many as instances have connected within the window
		if at < now-window.Milliseconds() {
			delete(p.used, old)
		}
	}
	p.used[proof] = moment
	return true
}

// unprovenRate is the rate of handshakes of an address without a proof: an instance makes two connections to each other
// instance.
var unprovenRate = limit.Rate{Interval: 5 * time.Second, Burst: 8}

// place acquires a slot for a handshake, and returns the function that releases it, or ErrBusy.
func (p *Peers) place(r *http.Request, from string) (free func(), err error) {
	places := p.handshakes
	self, known := p.config.Members.Self()
	if !known || !p.prover.holds(self, r.Header.Get(proofHeader)) {
		places = p.unproven
		if !p.addresses.Take(from).OK {
			return nil, fmt.Errorf("%w: this address has tried too often", ErrBusy)
		}
	}
	select {
	case places <- struct{}{}:
		return func() { <-places }, nil
	default:
		return nil, fmt.Errorf("%w: too many connect at once", ErrBusy)
	}
}

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
