package forward

import (
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// window is how far the moment of a request may be from now, before or after. Clocks of instances are a few ms apart.
const window = 5 * time.Second

// Verdict is what was found of a request that claims to come from another instance.
type Verdict int8

// The verdicts.
const (
	Forged  Verdict = iota // it may come from anywhere
	Refused                // it comes from an instance, but is not acted on; it says so to none but that instance
	Genuine                // it comes from an instance
)

// Received is an act that another instance has sent, or refused to be acted on.
type Received struct {
	Act   *Act // of a genuine request
	nonce string
}

// Receive verifies a request that claims to come from another instance, whose body has been read. An act is received once.
func (p *Peers) Receive(r *http.Request, body []byte) (Received, Verdict) {
	if p == nil || len(r.Header[headerAct]) != 1 || len(r.Header[headerSignature]) != 1 {
		return Received{}, Forged
	}
	text, err := encoding.DecodeString(r.Header[headerAct][0])
	if err != nil || len(text) > maxSealed ||
		!signed(p.keys.request, requestText(r.Method, r.RequestURI, text, body), r.Header[headerSignature][0]) {
		return Received{}, Forged
	}
	box, ok := unseal(text)
	if !ok {
		return Received{}, Forged
	}
	received := Received{Act: box.act, nonce: box.nonce}
	now := p.config.Now().UnixMilli()
	self, known := p.config.Members.Self()
	switch {
	case !known, box.to != self.Instance, box.epoch != self.Epoch, box.from == self.Instance:
		return received, Refused
	}
	switch p.seen.note(box.nonce, box.moment, now) {
	case tooLate, full:
		return received, Refused
	case seenBefore: // the first one may have been acted on
		return Received{}, Forged
	}
	act := box.act
	act.Method, act.URI, act.Body = r.Method, r.RequestURI, body
	act.At = min(max(act.At, now-window.Milliseconds()), now)
	if _, err := netip.ParseAddr(act.Address); err != nil {
		act.Address = ""
	}
	p.config.Received()
	return received, Genuine
}

// SignAnswer adds to the header of an answer what proves it.
func (p *Peers) SignAnswer(to Received, status int, header http.Header, body []byte) {
	header[headerAnswer] = []string{sign(p.keys.answer, answerText(kindAnswer, to.nonce, status, header, body))}
}

// SignRefusal adds to the header of a refusal what proves that nothing was done.
func (p *Peers) SignRefusal(to Received, status int, header http.Header, body []byte) {
	header[headerAnswer] = []string{sign(p.keys.answer, answerText(kindRefusal, to.nonce, status, header, body))}
}

// novelty is how a nonce was found.
type novelty int8

const (
	isNew novelty = iota
	seenBefore
	tooLate // or too early
	full    // there is no room to remember it
)

// maxNonces is how many nonces are remembered. Only instances that have the secret fill it.
const maxNonces = 200_000

// nonces remembers the nonces of requests for as long as their moments are within the window, and for longer than a refusal is
// believed: what was acted on is never said not to have been. What is older than the window has ever been is not taken again,
// even if the clock were set back.
type nonces struct {
	mu     sync.Mutex
	of     map[string]int64 // moments by nonce
	floor  int64            // moments before this are too old
	pruned int64            // the floor at which old ones were last forgotten
}

func (n *nonces) note(nonce string, moment, now int64) novelty {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.of == nil {
		n.of = map[string]int64{}
	}
	half := window.Milliseconds()
	n.floor = max(n.floor, now-half)
	if n.floor-n.pruned >= half { // now and then
		n.pruned = n.floor
		for old, at := range n.of {
			if at < n.floor-2*half {
				delete(n.of, old)
			}
		}
	}
	if _, seen := n.of[nonce]; seen {
		return seenBefore
	}
	if moment < n.floor || moment > now+half {
		return tooLate
	}
	if len(n.of) >= maxNonces {
		return full
	}
	n.of[nonce] = moment
	return isNew
}
