// Package slip handles results that players report themselves: the codes on their slips and board cards, what each side
// of a board has reported, and calls for the arbiter.
//
// A code identifies a seat of a board in a published round, or, on a board card, the board. Codes are derived:
// HMAC-SHA-256 of the pairing's [Key] and the seat, under a random secret of the board, cut to 80 bits ([Code]). The
// secret of a board is stored with the tournament's data and never shown; of a code only its hash is stored, to find
// the board. A new secret revokes all codes of the board. A board that is paired again has other codes with the same
// secret, and so has a round that was taken back and published again.
//
// A result is recorded when all sides have reported the same:
//
//	what is sent                               what happens
//	nothing                                    refused, nothing changes
//	what this side has reported already        nothing changes
//	something else, on an old form             refused, nothing changes
//	something else, on a form of the present   replaces this side's report
//	anything once the board has a result       refused, nothing changes
//	anything with a code that is over          refused, nothing changes
//
// A form carries what it showed ([Board.Saw]), so a form that is sent again never counts after anything has changed. A
// code of a seat reports for that seat alone: a single slip cannot confirm for both. A board card is like the single
// paper slip that both sign: its holder chooses the seat.
package slip

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/arena"
	"quatuor/tournament/wording"
)

// Errors of this package.
var (
	ErrUnknown = sentence.Errorf("this code is not valid: it was mistyped, its round is over, or it was replaced by a " +
		"new one")
	ErrEmpty  = sentence.Errorf("say how the game ended")
	ErrStale  = sentence.Errorf("something has changed since this form was shown; look at it again")
	ErrCalled = sentence.Errorf("the arbiter has been called just now")
)

// CalledError is ErrCalled with the time after which the arbiter can be called again.
type CalledError struct{ RetryIn time.Duration }

// Error returns the message for people.
func (e *CalledError) Error() string { return ErrCalled.Error() }

// Unwrap returns ErrCalled.
func (e *CalledError) Unwrap() error { return ErrCalled }

// Place is a seat of a board in a round.
type Place struct {
	Tournament   string // id
	Round, Board int
	Seat         int // from 1; 0 is the whole board
}

// Secret is the secret of a board that its codes are derived from; no bytes if they were revoked.
type Secret struct {
	Board int
	Bytes []byte
}

// SecretSize is the length of a secret in bytes.
const SecretSize = 32

// alphabet is Crockford's: without I, L, O and U, which are taken for other letters.
var alphabet = base32.NewEncoding("0123456789ABCDEFGHJKMNPQRSTVWXYZ").WithPadding(base32.NoPadding)

const (
	codeBytes  = 10 // 80 bits
	codeLength = 16
	codeGroup  = 4
)

// Code returns the code of a seat, or with seat 0 that of a board card, without hyphens. key is [Key] of the pairing.
func Code(secret []byte, key string, seat int) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("quatuor slip\x00" + key + "\x00" + strconv.Itoa(seat)))
	return alphabet.EncodeToString(mac.Sum(nil)[:codeBytes])
}

// Spaced returns a code in groups, as people read it out: "K7QD-9XVM-3T2P-HB4W".
func Spaced(code string) string {
	var groups []string
	for i := 0; i < len(code); i += codeGroup {
		groups = append(groups, code[i:min(i+codeGroup, len(code))])
	}
	return strings.Join(groups, "-")
}

// typed corrects what people type for the letters of a code.
var typed = strings.NewReplacer("-", "", " ", "", "I", "1", "L", "1", "O", "0")

// Read returns a code in canonical form however it was typed; false for text that cannot be a code.
func Read(text string) (string, bool) {
	if len(text) > 4*codeLength {
		return "", false
	}
	code := typed.Replace(strings.ToUpper(text))
	raw, err := alphabet.DecodeString(code)
	return code, err == nil && len(raw) == codeBytes && len(code) == codeLength
}

// Hash returns the hash that a code is stored by.
func Hash(code string) string {
	sum := sha256.Sum256([]byte("quatuor slip\x00" + code))
	return hex.EncodeToString(sum[:])
}

// Same compares two codes in constant time.
func Same(a, b string) bool { return hmac.Equal([]byte(a), []byte(b)) }

// Key identifies a pairing as it was published: the board, its entries, and the time of publication. A board that is
// paired again, or a round that was taken back and published again, has another key.
func Key(t *tournament.Tournament, round int, p tournament.Pairing) string {
	text, err := json.Marshal([]any{t.ID, round, t.Rounds[round-1].PublishedAt, p.Board, p.Seats})
	if err != nil {
		panic("slip: " + err.Error()) // plain values always encode
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// Basis identifies the state that reports build on: the pairing, and the number of changes of its result. Reports from
// before an arbiter entered, corrected or took back a result no longer count.
func Basis(t *tournament.Tournament, round int, p tournament.Pairing, changes []tournament.Change) string {
	n := 0
	for _, c := range changes {
		if c.Round == round && c.Board == p.Board {
			n++
		}
	}
	return Key(t, round, p) + "." + strconv.Itoa(n)
}

// Open reports whether the codes of a round are valid: from its publication until the next round is published or the
// tournament ends. Once its own board has a result, a code only shows it.
func Open(t *tournament.Tournament, round int) bool {
	return t.Status == tournament.Running && round >= 1 && round == t.PublishedRounds()
}

// In an arena in the hall, games follow each other at a table. The code of its card is good for all of them, and opens
// the latest; the codes of seats are for a single game, as in other formats.

// firstTable is more than any number of a board.
const firstTable = 1_000_000

// Table returns the table of an arena by the board number of its card; 0 for a board.
func Table(number int) int { return max(0, number-firstTable) }

// Cards returns the tables of an arena in the hall as boards without players.
func Cards(t *tournament.Tournament) (list []tournament.Pairing) {
	for n := range arena.HallTables(t) {
		list = append(list, tournament.Pairing{Board: firstTable + n + 1})
	}
	return list
}

// CodeKey returns the key that the codes at a place are derived from; p is its present pairing. A table keeps its key.
func CodeKey(t *tournament.Tournament, at Place, p tournament.Pairing) string {
	if Table(at.Board) > 0 {
		p = tournament.Pairing{Board: at.Board}
	}
	return Key(t, at.Round, p)
}

// Coded returns the pairings of a round that have codes now: in an arena, those that are open.
func Coded(t *tournament.Tournament, round int) (list []tournament.Pairing) {
	for _, p := range Pairings(t, round) {
		if !t.Format.Continuous() || p.Result == nil {
			list = append(list, p)
		}
	}
	return list
}

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
		return tournament.NotValid("%q is no answer to a call; write seen or settled", s)
	}
	return nil
}
