// Package tournament defines club tournaments: entries, rounds, pairings and results as immutable values, and the state
// machine of the operations on them. It knows points and ranks, not games; it reads no clock and has no storage.
// Pairing systems, standings and the director are packages below it.
package tournament

import (
	"strconv"

	"quatuor/engine/sentence"
)

// Status is the stage of a tournament's life cycle.
type Status string

// The stages of a tournament, in order.
const (
	Draft    Status = "draft"    // being prepared; only organisers see it
	Open     Status = "open"     // players may register
	Closed   Status = "closed"   // entries are complete, not yet started
	Running  Status = "running"  // numbers are fixed, rounds are played
	Finished Status = "finished" // all results are in and confirmed
	Archived Status = "archived"
)

// Over reports whether a tournament in this stage is finished.
func (s Status) Over() bool { return s == Finished || s == Archived }

// Points are tenths of a point, so that sums are exact.
type Points int

// String returns points as standings show them: "5.5", "3".
func (p Points) String() string {
	sign := ""
	if p < 0 {
		sign, p = "-", -p
	}
	if p%10 == 0 {
		return sign + strconv.Itoa(int(p/10))
	}
	return sign + strconv.Itoa(int(p/10)) + "." + strconv.Itoa(int(p%10))
}

// Tournament is a tournament with everything that has happened in it.
type Tournament struct {
	ID          string
	Name        string
	Variant     string // "quixo/duel"
	Format      Format
	RoundCount  int               // planned rounds; round-robins compute it at the start
	TimeControl string            // as engine/clock spells it
	Options     map[string]string // the games' regulations
	TieBreaks   []string          // codes in order of importance, for example "DE", "SB", "WIN"
	Points      PointSystem
	Rules       PairingRules
	Teams       *TeamRules `json:",omitempty"` // formats with teams only
	Play        PlayRules
	Rated       bool
	Venue       Venue `json:",omitempty"` // of the games of rounds to come; "" is the server
	AutoRounds  bool  // a round starts by itself when the round before is complete; the first is started by hand
	// MaxEntries limits the entries by players' own registration, see [Tournament.Full]; 0 for no limit.
	MaxEntries  int    `json:",omitempty"`
	LotSeed     string // 64 hex digits; every drawing of lots can be repeated from it
	FirstColour Colour // initial colour of a Swiss or a knock-out, fixed at the start

	// EarlierSeats is set for a Scheveningen that began by the earlier formula; it keeps that formula's pairings and
	// seats.
	EarlierSeats bool `json:",omitempty"`

	LastOfA   string // id of the last entry of group A of an accelerated Swiss, fixed at the start
	Forbidden []Ban
	Bonuses   []Bonus `json:",omitempty"` // of teams
	Prizes    Prizes
	CheckIn   CheckIn `json:",omitempty"`
	Status    Status
	Version   int64 // incremented by every change

	// PublicVersion is incremented by every change that the public can see; see [Tournament.Public]. It cannot be undone,
	// and the texts of [UndoOf] leave it out.
	PublicVersion int64 `json:",omitempty"`

	Organiser  string // account id
	Arbiters   []string
	CreatedAt  int64 // ms UTC, like all times here
	StartsAt   int64 // announced start, 0 if none
	StartedAt  int64
	FinishedAt int64

	ArenaState

	Entries []Entry // by number once the tournament runs, by registration before
	Rounds  []Round // round n at index n-1
}

// PointSystem is the number of points for each result, in tenths.
type PointSystem struct {
	Win         Points `json:"win"`
	Draw        Points `json:"draw"`
	Loss        Points `json:"loss"`
	ForfeitWin  Points `json:"forfeit_win"`
	ForfeitLoss Points `json:"forfeit_loss"`
	Bye         Points `json:"bye"` // pairing-allocated bye

	Places PlacePoints `json:"places,omitzero"` // at tables of three to five
}

// StandardPoints is the usual system: 1, ½, 0, and a full point for a pairing-allocated bye.
var StandardPoints = PointSystem{Win: 10, Draw: 5, Loss: 0, ForfeitWin: 10, ForfeitLoss: 0, Bye: 10}

// EntryStatus is the state of an entry.
type EntryStatus string

// The states of an entry.
const (
	Registered EntryStatus = "registered"
	Confirmed  EntryStatus = "confirmed"
	Withdrawn  EntryStatus = "withdrawn"
)

// Entry is a player or a fixed team in a tournament.
type Entry struct {
	ID            string
	Number        int // pairing number from 1; 0 before the start
	Name          string
	Members       []string // player ids, in the order of their seats within the side
	Rating        float64  // strength for seeding, 0 if unknown
	Club          string
	Status        EntryStatus
	WithdrawnFrom int            // first round without this entry, 0 if it stays
	Byes          []RequestedBye // by round

	// Present is set if the entry is checked in; see [CheckIn].
	Present bool `json:",omitempty"`

	KeizerPresence
	ArenaPresence

	// Captain and Deputies are the ids of the players that file line-ups, members or not; formats with teams only.
	Captain  string   `json:",omitempty"`
	Deputies []string `json:",omitempty"`

	// Awaiting are the members yet to agree to be in this team; see [Entry.Waits].
	Awaiting []string `json:",omitempty"`
}

// Colour is the side of an entry in a duel.
type Colour int8

// The colours. White has seat 1 and the first move.
const (
	White Colour = 1
	Black Colour = 2
)

// RoundStatus is the stage of a round.
type RoundStatus string

// The stages of a round.
const (
	Paired    RoundStatus = "paired"    // a draft that may still be changed
	Published RoundStatus = "published" // games are open
	Complete  RoundStatus = "complete"  // every pairing has its result
)

// Round is a round with its pairings in board order, byes last.
type Round struct {
	Number      int
	Status      RoundStatus
	PublishedAt int64
	Pairings    []Pairing
	Start       Start `json:",omitzero"`
	LineUpsDue  int64 `json:",omitempty"` // latest time of the reveal of line-ups of teams; 0 in other formats
}

// Start is the time when the clocks of a round's games start. The zero value starts them when the round is published.
type Start struct {
	At       int64 // ms UTC, at the latest; 0 = at once
	Together bool  // or before, as soon as all players of a game are at the board
}

// MaxStartDelay is the maximum time between the publication of a round and the start of its clocks, ms.
const MaxStartDelay = 24 * 3600 * 1000

// check returns an error for a start that cannot be kept by a round published at a time.
func (s Start) check(at int64) error {
	switch {
	case s.At == 0 && s.Together:
		return Fault("start_in_ms", "say after which time the clocks start at the latest, for players who do not come")
	case s.At != 0 && (s.At < at || s.At-at > MaxStartDelay):
		return Fault("start_in_ms", "clocks can start at once, or within 24 hours")
	}
	return nil
}

// Bye is the kind of a bye: the reason why an entry has no opponent.
type Bye string

// The byes, by their usual names.
const (
	NoBye            Bye = ""
	PairingAllocated Bye = "PAB"
	HalfPoint        Bye = "HPB"
	FullPoint        Bye = "FPB"
	ZeroPoint        Bye = "ZPB"    // in a Keizer season: absent, as announced
	ClubDuty         Bye = "CLUB"   // plays for the club on that evening; Keizer only
	NoShow           Bye = "NOSHOW" // absent without notice; Keizer only
)

// Pairing is a board of a round: entries in seat order (the first has White), or a single entry with a bye. The seats
// are those of the current game: they are exchanged when a void game is replaced. In a round-robin of an odd field the
// free entry has a bye worth nothing (ZPB), on the last board. In a knock-out a pairing is a match, with as many games
// as it takes to find a winner; see [KnockoutRules]. In formats with tables a pairing is a table: three to five entries
// in the order of play.
type Pairing struct {
	Board  int      // from 1
	Seats  []string // entry ids
	GameID string   // the current game of this pairing, if the server hosts it
	Games  int      // games opened since the pairing was published or replayed; above 1 after void or drawn games
	Bye    Bye
	Scores []Points // by seat: the points before the round, at the time of pairing
	Result *Result  // nil while it is open

	Earlier   []EarlierGame // games before the current game, oldest first
	Adjourned string        // when and how an open game goes on; "" if it was not adjourned

	// an arbiter's choice or, once published, [InHall] or the server; see [Tournament.VenueOf]
	Venue    Venue  `json:",omitempty"`
	HallGame string `json:",omitempty"` // id of the game in the hall, under which it is rated; "" on the server
	Record   string `json:",omitempty"` // digest of the record of a game in the hall, see [RecordText]; "" for none

	Boards []MatchBoard `json:",omitempty"` // of a match of teams; nil until its line-ups are revealed
	// latest time of the reveal of its line-ups, if it has a date or more time of its own; 0 for that of the round
	LineUpsDue int64      `json:",omitempty"`
	Date       *MatchDate `json:",omitempty"` // own date of a match of teams, or proposals of a date; else nil
	Arena      *ArenaGame `json:",omitempty"` // in an arena; nil in other formats
}

// Source is the origin of a result.
type Source string

// The sources of a result.
const (
	ByServer  Source = "server"
	ByArbiter Source = "arbiter"
)

// Result is the result of a pairing.
type Result struct {
	// by seat as in [Verdict]; nil for a double forfeit and byes
	Ranks  []int    `json:"ranks"`
	Points []Points `json:"points"`           // by seat; of a match the primary score
	Second []Points `json:"second,omitempty"` // of a match: the other score
	// no game in the sense of the regulations: no meeting, no colour; ranks at a table are 1 for the seats that came
	Forfeit bool   `json:"forfeit"`
	Source  Source `json:"source"`
	Reason  string `json:"reason"` // the game's reason, or the arbiter's words

	Adjudicated bool `json:"adjudicated,omitempty"` // decided by the arbiter, with a reason
	// a game in the hall that is rated; the server's games record this themselves
	Rated bool `json:"rated,omitempty"`
	// ranks that count for the ratings and the report file instead, after a correction for these alone; else nil
	RatedAs []int `json:"rated_as,omitempty"`
	// of a level match in a knock-out of teams: the side that goes on, from 1, and what decided that; 0 and "" otherwise
	GoesOn    int         `json:"goes_on,omitempty"`
	DecidedBy TeamDecider `json:"decided_by,omitempty"`
}

// Change is a change of a pairing's result, as its history lists it.
type Change struct {
	Round, Board int
	Before       *Result
	After        *Result
	By           string // account id, or "server"
	At           int64
	Why          string
	Said         sentence.Stored // Why as a translatable text, if the server wrote it
}

// Because returns the change with a reason in the server's words.
func (c Change) Because(said sentence.Sentence) Change {
	c.Why, c.Said = said.String(), said.Stored()
	return c
}

// PairingInput is the history that a round was paired from. It is stored, so that the pairings can be explained and
// reproduced whatever is corrected later.
type PairingInput struct {
	Round int
	Text  string // as pairing.History.Text returns it
}

// RoundPairing is a pairing with the number of its round.
type RoundPairing struct {
	Round   int
	Pairing Pairing
}
