package forward

import (
	"crypto/rand"
	"math"
	"net/http"
	"strings"

	"quatuor/api/auth"
	"quatuor/tournament/account"
)

// The headers of a request between instances, and of its answer. Their names are canonical.
const (
	headerAct       = "Quatuor-Forwarded"
	headerSignature = "Quatuor-Forwarded-Signature"
	headerAnswer    = "Quatuor-Forwarded-Answer" // the signature of an answer
	headerPrefix    = "Quatuor-Forwarded"        // what the names of all of them begin with, and what no client may send
)

// requestHeaders are the headers of a client's request that operations and pages look at. Credentials are none of them.
var requestHeaders = []string{
	"Accept", "Accept-Language", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match", "Prefer", "X-Forwarded-Proto",
}

// answerHeaders are the headers of an answer that go on to the client. All others the instance that was asked sets itself.
var answerHeaders = []string{
	"Allow", "Cache-Control", "Content-Disposition", "Content-Security-Policy", "Content-Type", "Etag", "Idempotent-Replayed", "Link",
	"Location", "Referrer-Policy", "Retry-After", "Vary", "Www-Authenticate", "X-Robots-Tag",
}

// maxSealed is the maximum length of what is sent beside the request itself, in bytes; longer headers are not forwarded.
const maxSealed = 24 << 10

// Act is a client's request that acts on a game or a tournament.
type Act struct {
	Method, URI string // path and query
	Header      http.Header
	Body        []byte

	Host      string // by which the client asked
	Address   string // of the client
	RequestID string
	Identity  auth.Identity // that was checked
	At        int64         // when it arrived, ms UTC
	Expires   int64         // when the sender no longer waits, ms UTC; nothing of the act is stored afterwards. 0 for never

	// The sender's own, which do not travel.

	OnGame     bool // else on a tournament
	Repeatable bool // to do it twice is to do it once
}

// sealed is what is sent beside the request itself.
type sealed struct {
	to, from      string // instances
	epoch, moment int64  // of the receiver; of the sending, ms UTC
	nonce         string
	act           *Act
}

func newNonce() string { return rand.Text() }

// seal spells it.
func (s sealed) seal() []byte {
	a, who := s.act, &s.act.Identity
	b := make([]byte, 0, 1024)
	b = appendText(b, s.to)
	b = appendText(b, s.from)
	b = appendText(b, s.nonce)
	b = appendNumber(b, s.epoch)
	b = appendNumber(b, s.moment)
	b = appendNumber(b, a.At)
	b = appendNumber(b, a.Expires)
	b = appendText(b, a.Host)
	b = appendText(b, a.Address)
	b = appendText(b, a.RequestID)
	b = appendText(b, who.AccountID)
	b = appendText(b, who.PlayerID)
	b = appendText(b, who.Login)
	b = appendText(b, string(who.Role))
	b = appendText(b, who.Language)
	b = appendText(b, who.Session)
	b = appendNumber(b, int64(who.Method))
	b = appendNumber(b, who.Until)
	b = appendNumber(b, int64(len(who.Scopes)))
	for _, scope := range who.Scopes {
		b = appendText(b, string(scope))
	}
	return appendHeader(b, a.Header, requestHeaders)
}

// unseal reads what seal has spelled.
func unseal(b []byte) (s sealed, ok bool) {
	r := &reader{rest: b}
	a := &Act{}
	s.act = a
	s.to, s.from, s.nonce = r.text(), r.text(), r.text()
	s.epoch, s.moment, a.At, a.Expires = r.number(), r.number(), r.number(), r.number()
	a.Host, a.Address, a.RequestID = r.text(), r.text(), r.text()
	who := &a.Identity
	who.AccountID, who.PlayerID, who.Login, who.Role = r.text(), r.text(), r.text(), account.Role(r.text())
	who.Language, who.Session = r.text(), r.text()
	method, until, scopes := r.number(), r.number(), r.number()
	if method < 0 || method > math.MaxUint8 || scopes < 0 || scopes > int64(len(r.rest)) {
		return s, false
	}
	who.Method, who.Until = auth.Method(method), until
	for range scopes {
		who.Scopes = append(who.Scopes, auth.Scope(r.text()))
	}
	a.Header = r.header(requestHeaders)
	return s, !r.bad && len(r.rest) == 0
}

// Marked reports whether a request claims to come from another instance.
func Marked(header http.Header) bool {
	for name := range header {
		if strings.HasPrefix(name, headerPrefix) {
			return true
		}
	}
	return false
}
