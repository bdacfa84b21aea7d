package forward

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"quatuor/api/internal/limit"
)

// A TLS handshake costs some hundred times as much as a request that is refused. So a request for a connection carries a proof
// of the secret, which costs microseconds to check, and gets its handshake at once. One without is what an instance of an earlier
// version sends, and anybody else: these are few for each address, and have few of the places for handshakes. Thus a flood
// from any address, another instance's or a proxy's among them, neither burns the processor nor keeps instances away.

// proofHeader is the header with the proof: the moment in ms, a nonce, and an HMAC of both with the instance it is meant for.
const proofHeader = "Quatuor-Proof"

// prover makes and checks proofs. It is safe for concurrent use.
type prover struct {
	key []byte
	now func() time.Time

	mu   sync.Mutex
	used map[string]int64 // proofs that were taken, with their moments
}

func (p *prover) sum(to Member, moment int64, nonce string) string {
	mac := hmac.New(sha256.New, p.key)
	fmt.Fprintf(mac, "%q %d %d %q", to.Instance, to.Epoch, moment, nonce)
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// prove returns a proof for one request to an instance.
func (p *prover) prove(to Member) string {
	moment, nonce := p.now().UnixMilli(), rand.Text()
	return strconv.FormatInt(moment, 10) + "." + nonce + "." + p.sum(to, moment, nonce)
}

// holds reports whether a proof was made for an instance, just now and for this request: it counts once.
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
	for old, at := range p.used { // there are as many as instances have connected of late
		if at < now-window.Milliseconds() {
			delete(p.used, old)
		}
	}
	p.used[proof] = moment
	return true
}

// unprovenRate is how many handshakes an address gets without a proof: an instance makes two connections to each other one.
var unprovenRate = limit.Rate{PerMinute: 12, Burst: 8}

// place takes a place for the handshake of a request from an address, and returns what gives it back. ErrBusy.
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
