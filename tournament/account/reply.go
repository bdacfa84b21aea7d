package account

// Request is a request that was sent with an Idempotency-Key.
type Request struct {
	Owner, Key, Fingerprint string
	At                      int64 // when it came in, ms UTC
	Repeatable              bool  // to carry it out twice is to carry it out once
}

// Reply is the stored answer to a request with an Idempotency-Key.
type Reply struct {
	Status int
	Header string // lines of "Name: value"
	Body   []byte
}

// ReplyState is the state of an Idempotency-Key when a request with it comes in.
type ReplyState int8

// The states.
const (
	ReplyFresh    ReplyState = iota // the key was not used; it is pending from now on
	ReplyAnswered                   // the request was answered: the [Reply] comes with it
	ReplyOther                      // the key was used for a request with another fingerprint
	ReplyPending                    // the request is being answered
	ReplyErased                     // the answer named a person deleted since; it is not repeated
)

// String returns the state's name, for error messages.
func (s ReplyState) String() string {
	switch s {
	case ReplyFresh:
		return "fresh"
	case ReplyAnswered:
		return "answered"
	case ReplyOther:
		return "used for another request"
	case ReplyPending:
		return "pending"
	case ReplyErased:
		return "erased"
	}
	return "unknown"
}
