package forward

import (
	"net/http"

	"quatuor/api/auth"
)

// Act is the forwarded form of a client's request to change a game or a tournament.
type Act struct {
	Method, URI string // path and query
	Header      http.Header
	Body        []byte

	Host      string // of the client's request
	Address   string // of the client
	RequestID string
	Identity  auth.Identity // as authenticated
	At        int64         // when it arrived, ms UTC
	Expires   int64         // deadline, ms UTC, after which nothing of the act is stored; 0 for none
}

// Kind decides the timeout of an act and whether it may be retried.
type Kind struct {
	OnGame     bool // else on a tournament
	Repeatable bool // it is idempotent
}

// Answer is the owner's response.
type Answer struct {
	Status int
	Header http.Header // to be passed on to the client
	Body   []byte
}

// requestHeaders are the headers of a client's request that operations and pages read, without credentials.
var requestHeaders = []string{
	"Accept", "Accept-Language", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match", "Prefer",
	"X-Forwarded-Proto",
}

// answerHeaders are the headers of an answer that are passed on to the client. The sender sets all others itself.
var answerHeaders = []string{
	"Allow", "Cache-Control", "Content-Disposition", "Content-Security-Policy", "Content-Type", "Etag",
	"Idempotent-Replayed", "Link",
	"Location", "Referrer-Policy", "Retry-After", "Vary", "Www-Authenticate", "X-Robots-Tag",
}

// maxHeader is the maximum length of the headers of a forwarded act, in bytes.
const maxHeader = 16 << 10

// only returns the named fields of a header.
func only(header http.Header, names []string) http.Header {
	some := make(http.Header, 4)
	for _, name := range names {
		if values := header[name]; len(values) > 0 {
			some[name] = values
		}
	}
	return some
}

// length returns the length of a header in bytes.
func length(header http.Header) (n int) {
	for name, values := range header {
		for _, value := range values {
			n += len(name) + len(value)
		}
	}
	return n
}

// Message is an act on its way to its owner. Package net/rpc carries Message and Reply.
type Message struct {
	To, From      string // instances
	Epoch, Moment int64  // of the receiver; of the sending, ms UTC
	Act           Act
}

// Reply is the response to a message.
type Reply struct {
	Refused bool // the act was certainly not carried out
	Answer  Answer
}
