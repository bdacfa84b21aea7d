package account

import "errors"

// ErrMailFull means that as many e-mails wait to be sent as may wait.
var ErrMailFull = errors.New("too many e-mails wait to be sent; try again later")

// MailKind is the subject of an e-mail.
type MailKind string

// The kinds of e-mail.
const (
	MailConfirm   MailKind = "confirm"   // a link that confirms an address
	MailTest      MailKind = "test"      // sent by an admin to themselves
	MailForgotten MailKind = "forgotten" // not sent: a login or an address; its accounts are sent a MailReset
	MailReset     MailKind = "reset"     // a link for a new password
	MailInvited   MailKind = "invited"   // another player invites the player to a game
	MailRound     MailKind = "round"     // a round was published
	MailDate      MailKind = "date"      // another captain proposes a date for a match
	MailMatch     MailKind = "match"     // the line-up of a match with a date is due within a day
	MailHook      MailKind = "hook"      // a webhook was disabled
	MailTurn      MailKind = "turn"      // it is the player's turn in a game with days for each move
)

// MailChoices returns the kinds that the owner of an account can turn off.
func MailChoices() []MailKind {
	return []MailKind{MailReset, MailInvited, MailRound, MailTurn, MailDate, MailMatch}
}

// MailAddress is the destination of e-mails to an account.
type MailAddress struct {
	AccountID string
	Address   string     // confirmed; "" before
	Pending   string     // typed, and not confirmed yet; "" for none
	Off       []MailKind // kinds that the owner does not want
}

// Mail is an e-mail in the queue.
type Mail struct {
	ID        string // the Message-ID follows from it
	Kind      MailKind
	AccountID string // receiver; "" for MailForgotten
	Data      MailData
	CreatedAt int64 // ms UTC
	NextAt    int64 // of the next attempt, ms UTC
	Attempts  int
}

// MailData are the facts of an e-mail; each kind has its own fields.
type MailData struct {
	Typed      string   `json:",omitempty"` // MailForgotten: a login or an address
	Tournament string   `json:",omitempty"` // MailRound, MailDate, MailMatch; and so are the next two
	Entry      string   `json:",omitempty"` // the account's
	Round      int      `json:",omitempty"`
	Game       string   `json:",omitempty"` // MailTurn, MailInvited
	Variant    string   `json:",omitempty"` // MailTurn, MailInvited
	Turn       int      `json:",omitempty"` // MailTurn
	Others     []string `json:",omitempty"` // MailTurn: player ids of the opponents; MailInvited: of players that accepted
	Opponents  []string `json:",omitempty"` // MailRound: ids of the other entries at the board, sorted
	Hook       string   `json:",omitempty"` // MailHook: its name
	Deadline   int64    `json:",omitempty"` // ms UTC. MailTurn: when the move must be made; MailDate, MailMatch: when the match is
}

// MailState is the state of the queue.
type MailState struct {
	Waiting int64
	Error   string // of the last failure since an e-mail was sent; "" for none
	ErrorAt int64  // ms UTC
}

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
