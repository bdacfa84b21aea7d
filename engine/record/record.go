// Package record reads, writes and judges the records of games.
//
// A [Game] is the part of a record that the rules need: a variant, its setup and a list of move tokens. [Judge] returns
// the position after them, or the first token that is refused.
//
// A [Record] is a game as it is published and kept: its players, date and place, rules and clocks, every move with its
// times, and what else happened. Its text is the same for all variants and close to the portable game notation (PGN) of
// chess; docs/records.md describes it. [Append] writes it and a [Reader] reads it, without loss. [Check] replays a
// record and reports what is wrong in it, clocks included; [Verify] also recomputes its chance.
package record

import (
	"regexp"
	"strings"

	"quatuor/engine"
)

// Record is a game as its text describes it. It holds only what may be published. Fields that are zero are not in the
// text; times are milliseconds since 1970, UTC.
type Record struct {
	Event, Site  string
	Date         string   // of the game where it was played, as 2026-11-21
	Round, Board int      // from 1
	Game         string   // id of the game where it was played
	Seats        []string // names by seat; "" for an unknown name
	Variant      string
	Options      map[string]string // as [engine.NewSetup] takes them; words of letters, digits, _ and -
	Controls     []string          // time controls by seat, as the clock package spells them; nil if not known
	Lag          bool              // lag was credited
	Rated        bool
	Chance       Chance
	Start, End   int64    // when the clocks began to run, and when the game ended
	Outcome      *Outcome // nil: unfinished, or aborted
	Aborted      bool     // broken off, without result
	Position     string   // after the last move
	Extra        []Tag    // tags that this package does not know, in their order
	Comment      string   // on the game as a whole
	Entries      []Entry
}

// Chance is the part of a game's seed that a record contains: hexadecimal texts of 64 lower-case digits. Package chance
// explains them.
type Chance struct {
	Commitment       string   // SHA-256 of the game's seed
	Seed             string   // known once the game is over
	ServerCommitment string   // SHA-256 of the server's seed; "" where that is the game's own
	ServerSeed       string   // known once the game is over
	Nonces           []string // by seat; nil where the seats added none
}

// Tag is a name and a value.
type Tag struct {
	Name  string // a letter, then letters and digits
	Value string
}

// Kind is the kind of event that an entry records. The words are those of a live game's log.
type Kind string

// The kinds of entry. Moves, leavings and agreements are the engine's events; the others concern clocks and offers.
const (
	Move      Kind = "move"
	Left      Kind = "left"
	Agreement Kind = "agreement"
	Offer     Kind = "offer"
	Decline   Kind = "decline"
	Pause     Kind = "pause"
	Resume    Kind = "resume"
	Outage    Kind = "outage" // the service was away, and the clocks were stopped
	Abort     Kind = "abort"

	// Arbiters' acts, and moves that are taken back.
	Set             Kind = "set"          // a seat's clock was set
	Add             Kind = "add"          // something was added to a seat's clock, or taken from it
	Berserk         Kind = "berserk"      // a seat took half of its time
	Adjudication    Kind = "adjudication" // the game was decided
	Takeback        Kind = "takeback"     // moves were taken back
	TakebackOffer   Kind = "takeback-offer"
	TakebackDecline Kind = "takeback-decline"
)

// kinds are all kinds but moves, as words of the text.
var kinds = []Kind{
	Left, Agreement, Offer, Decline, Pause, Resume, Outage, Abort, Set, Add, Berserk, Adjudication, Takeback, TakebackOffer,
	TakebackDecline,
}

// Entry is a line of a game: a move, or something else that happened. Durations are milliseconds.
type Entry struct {
	Kind Kind
	// Seat is the seat that moved, left, offered, declined or accepted, or that had its clock changed; 0 for no seat,
	// and for a move of the seat on turn.
	Seat engine.Seat
	// Text is the token of a move, the reason of a leaving, the text after = where a kind has it (see [argument]), and
	// empty otherwise. For a move that the reader may not know yet, it is the part that may be known: [Untold], or the
	// colour of a tile, for example "r?".
	Text      string
	At        int64  // when it arrived; 0 if not known
	Elapsed   *int64 // duration of the seat's turn
	Claimed   *int64 // thinking time that the client claims
	Remaining *int64 // on the seat's clock afterwards
	Length    int64  // of an outage that ended at At
	Position  string // after it
	Comment   string
}

// ofTheGame reports whether an entry is an event of the game itself, which its rules judge.
func (e Entry) ofTheGame() bool {
	return e.Kind == Move || e.Kind == Left || e.Kind == Agreement || e.Kind == Adjudication
}

// Untold replaces a move that the reader may not know yet.
const Untold = "?"

// hidden reports whether an entry is a move that is hidden in the record.
func (e Entry) hidden() bool {
	return e.Kind == Move && strings.HasSuffix(e.Text, Untold)
}

// The values of the tag Termination where a game has no outcome.
const (
	unfinished = "unfinished"
	aborted    = "aborted"
)

// Result returns the outcome as the tag Result and the end of the moves spell it: the ranks by seat (for example
// "1,2"), "replay" for a void game, "*" for none.
func (r Record) Result() string {
	switch {
	case r.Outcome == nil:
		return "*"
	case r.Outcome.Ranks == nil:
		return string(engine.ReasonReplay)
	}
	return engine.Numbers(r.Outcome.Ranks, ",")
}

// Termination returns the reason for the end as the tag spells it: the reason, "aborted", or "unfinished".
func (r Record) Termination() string {
	switch {
	case r.Outcome != nil:
		return string(r.Outcome.Reason)
	case r.Aborted:
		return aborted
	}
	return unfinished
}

var (
	// named are the tags that hold names of people: those of the seats, and whatever else other programs write there.
	named = regexp.MustCompile(`(?m)^([ \t]*\[?([A-Za-z0-9]+)[ \t]+")((?:[^"\\\r\n]|\\.)*)"`)
	// remark is a comment in braces.
	remark = regexp.MustCompile(`\{(?:[^}\\]|\\.)*\}`)
	// kept is the part of a comment that is not free text: its commands.
	kept = regexp.MustCompile(`\[%[^\]\r\n]*\]`)
	// fixed are the tags that programs read, and those that name the event.
	fixed = regexp.MustCompile(`^(Event|Site|Date|Round|Board|Game|Result|Variant|Options|TimeControl|Lag|Rated|` +
		`Commitment|Seed|Server\w*|Nonce\w*|Start|End|Termination|Position)$`)
	escape   = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	unescape = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\}`, `}`, `\[`, `[`)
	inRemark = strings.NewReplacer(`\`, `\\`, `}`, `\}`, `[`, `\[`)
)

// Rewrite replaces people's words in the text of a record: the names of players, and comments. Tags that programs read,
// moves and commands are unchanged.
func Rewrite(text string, replace func(string) string) string {
	text = named.ReplaceAllStringFunc(text, func(tag string) string {
		part := named.FindStringSubmatch(tag)
		if fixed.MatchString(part[2]) {
			return tag
		}
		value := unescape.Replace(part[3])
		if next := replace(value); next != value {
			return part[1] + escape.Replace(next) + `"`
		}
		return tag
	})
	lines := strings.SplitAfter(text, "\n")
	head := 0
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "[") {
			head = i + 1
		}
	}
	moves := strings.Join(lines[head:], "")
	return strings.Join(lines[:head], "") + remark.ReplaceAllStringFunc(moves, func(comment string) string {
		inner := comment[1 : len(comment)-1]
		var b strings.Builder
		from := 0
		for _, at := range append(kept.FindAllStringIndex(inner, -1), []int{len(inner), len(inner)}) {
			b.WriteString(rewritten(inner[from:at[0]], replace))
			b.WriteString(inner[at[0]:at[1]])
			from = at[1]
		}
		return "{" + b.String() + "}"
	})
}

// rewritten replaces a part of a comment.
func rewritten(part string, replace func(string) string) string {
	words := strings.Join(strings.Fields(unescape.Replace(part)), " ")
	next := replace(words)
	if next == words {
		return part
	}
	return " " + inRemark.Replace(next) + " "
}
