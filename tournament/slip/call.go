package slip

import (
	"quatuor/tournament"
	"quatuor/tournament/wording"
)

// Call is a call for the arbiter from a board. Each seat of a board, and the board itself, has at most a single open
// call.
type Call struct {
	ID string
	Place
	Kind   CallKind
	Word   string // text of the player, "" for none
	Basis  string // the board as it was: its [Key], for a dispute its [Basis]
	At     int64  // ms UTC
	Status CallStatus
	By     string // account id of the arbiter with the last answer, "" before
	SeenAt int64  // when that was
}

// CallKind is the reason of a call.
type CallKind string

// The kinds of call.
const (
	CallHelp    CallKind = "help"    // a player needs the arbiter
	CallDispute CallKind = "dispute" // the players reported different results
)

// CallStatus is the state of a call.
type CallStatus string

// The states of a call, in order.
const (
	CallOpen    CallStatus = "open"
	CallSeen    CallStatus = "seen"    // an arbiter is on the way
	CallSettled CallStatus = "settled" // done with
)

// MaxWord is the maximum length of the word with a call, in characters.
const MaxWord = 120

// CheckWord returns the word with a call as it is stored. Faults are tournament.FieldErrors.
func CheckWord(word string) (string, error) {
	word, err := wording.Line.Optional(word, MaxWord)
	if err != nil {
		return "", tournament.Fault("word", "%v", err)
	}
	return word, nil
}

// CheckAnswer returns an error for a status that a call cannot be given.
func CheckAnswer(s CallStatus) error {
	if s != CallSeen && s != CallSettled {
		return tournament.Refuse(tournament.ErrInvalid, "%q is no answer to a call; write seen or settled", s)
	}
	return nil
}
