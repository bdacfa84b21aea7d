package forward

import (
	"net/http"

	"quatuor/api/auth"
)

// Act is a client's request that acts on a game or a tournament, as it travels.
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
}

// Kind says what an act is, which decides how long its answer is waited for and what is safe without one.
type Kind struct {
	OnGame     bool // else on a tournament
	Repeatable bool // to do it twice is to do it once
}

// Answer is what the owner has answered.
type Answer struct {
	Status int
	Header http.Header // those that go on to the client
	Body   []byte
}

// requestHeaders are the headers of a client's request that operations and pages look at. Credentials are none of them.
var requestHeaders = []string{
	"Accept", "Accept-Language", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match", "Prefer", "X-Forwarded-Proto",
}

// answerHeaders are the headers of an answer that go on to the client. All others the instance that was asked sets itself.
var answerHeaders = []string{
	"Allow", "Cache-Control", "Content-Disposition", "Content-Security-Policy", "Content-Type", "Etag", "Idempotent-Replayed", "Link",
	"Location", "Referrer-Policy", "Retry-After", "Vary", "Www-Authenticate", "X-Robots-Tag",
}

// maxHeader is the maximum length of the headers that travel with an act, in bytes. Acts with longer ones are not sent.
const maxHeader = 16 << 10

// only returns those fields of a header that are named.
func only(header http.Header, names []string) http.Header {
	some := make(http.Header, 4)
	for _, name := range names {
		if values := header[name]; len(values) > 0 {
			some[name] = values
		}
	}
	return some
}

// length returns how long a header is, in bytes.
func length(header http.Header) (n int) {
	for name, values := range header {
		for _, value := range values {
			n += len(name) + len(value)
		}
	}
	return n
}

// Message is an act on its way to its owner. Message and Reply are what package net/rpc carries.
type Message struct {
	To, From      string // instances
	Epoch, Moment int64  // of the receiver; of the sending, ms UTC
	Act           Act
}

// Reply is what the owner says of a message.
type Reply struct {
	Refused bool // it certainly has not acted
	Answer  Answer
}
