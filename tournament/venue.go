package tournament

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
)

// Venue is the place where games are played.
type Venue string

// The venues.
const (
	OnServer Venue = "server" // the server opens the games, and their clocks run there
	InHall   Venue = "hall"   // on boards in the hall: no game is opened, results are entered by hand
)

// VenueOf returns the venue of a pairing. Until its round is published that is the tournament's venue, unless an
// arbiter chose another; a pairing with entries that have no players on the server is always played in the hall.
func (t *Tournament) VenueOf(round int, p Pairing) Venue {
	switch {
	case !t.Hosted(p):
		return InHall
	case t.Teams != nil && p.Venue == "":
		return t.venueOfMatch(p)
	case p.Venue != "" || round <= t.PublishedRounds():
		return cmp.Or(p.Venue, OnServer)
	}
	return cmp.Or(t.Venue, OnServer)
}

// venueOfMatch returns the venue of a match of teams if no arbiter chose it: the venue of its opened boards or, before
// that, of the tournament.
func (t *Tournament) venueOfMatch(p Pairing) Venue {
	for _, b := range p.Boards {
		switch {
		case b.HallGame != "":
			return InHall
		case b.GameID != "":
			return OnServer
		}
	}
	return cmp.Or(t.Venue, OnServer)
}

// SetVenue moves the game of a pairing to the server or to the hall, while it is open and has not begun. In a published
// round the server's game gets a new id, or is dropped. If the pairing has that venue already, it returns t itself.
func (t *Tournament) SetVenue(round, board int, to Venue, how Editing) (*Revision, error) {
	p, err := t.Pairing(round, board)
	switch {
	case err != nil:
		return nil, err
	case to != OnServer && to != InHall:
		return nil, Fault("venue", "write %s or %s", OnServer, InHall)
	case t.Status != Running:
		return nil, NotNow("the tournament is %s; its boards can no longer be moved", t.Status)
	case t.Format.Continuous():
		return nil, RefuseNextGame()
	case p.Bye != NoBye:
		return nil, NotNow("board %d of round %d is a bye and has no game", board, round)
	case to == OnServer && !t.Hosted(p):
		return nil, NotNow("board %d cannot be played on the server, because an entry has no player there", board)
	case t.VenueOf(round, p) == to:
		return t.Unchanged()
	}
	moved := p
	moved.Venue = to
	if err := t.checkBotVenue(moved); err != nil {
		return nil, err
	}
	published := t.Rounds[round-1].Status != Paired
	if published {
		if err := p.movable(round, how); err != nil {
			return nil, err
		}
	}
	return t.WithPairing(round, board, nil, func(p *Pairing) {
		p.Venue = to
		if published {
			p.GameID = ""
			p.Games = 0
			p.HallGame = ""
			t.openGame(p, how.NewGame)
		}
	})
}

// movable returns an error for a pairing of a published round if its game has begun, or is over.
func (p Pairing) movable(round int, how Editing) error {
	switch {
	case p.Boards != nil:
		return NotNow("the line-ups of match %d of round %d are revealed; it cannot be moved", p.Board, round)
	case p.Result != nil:
		return NotNow("board %d of round %d has a result; its game cannot be moved", p.Board, round)
	case p.Adjourned != "":
		return NotNow("the game at board %d of round %d is adjourned, so it has begun and cannot be moved", p.Board, round)
	case p.HasDraw():
		return NotNow("a game has been played at board %d of round %d; the others cannot be moved", p.Board, round)
	case p.GameID != "":
		if err := how.Begun(p.GameID); err != nil {
			return Refuse(err, "board %d", p.Board)
		}
	}
	return nil
}

// openGame assigns the id of a pairing's game, on the server or in the hall.
func (t *Tournament) openGame(p *Pairing, newGame func() string) {
	switch {
	case !t.Hosted(*p), t.Teams != nil: // boards of a match are opened when the line-ups are revealed
	case cmp.Or(p.Venue, t.Venue) == InHall:
		p.Venue, p.HallGame = InHall, newGame()
	default:
		p.GameID, p.Games = newGame(), 1
	}
}

// ShownGame returns the id of the game to show with a pairing: the server's game, or a game in the hall that was
// played; else "".
func (p Pairing) ShownGame() string {
	if p.GameID == "" && p.Result.Rateable() {
		return p.HallGame
	}
	return p.GameID
}

// Rateable reports whether a result is possible for a server's game; the ratings know only these. A result that neither
// side won is not: B.02 compares each player's own score with the expected score, and here both results belong to a
// single game.
func (r *Result) Rateable() bool {
	return r != nil && !r.Forfeit && r.Ranks != nil && !Unwon(r.RatedRanks())
}

// ByHand reports whether the pairing's result is entered by hand, because no server's game brings it.
func (p Pairing) ByHand() bool { return p.GameID == "" && p.Bye == NoBye }

// RecordText is the record of a game in the hall, as text. It is stored under its digest and never changes, so that a
// pairing need only name it, and an undo brings it back.
type RecordText struct {
	Digest string // as [NewRecordText] computes it
	Text   string
}

// NewRecordText returns a record with its digest: the SHA-256 of the text, as 64 hex digits.
func NewRecordText(text string) RecordText {
	sum := sha256.Sum256([]byte(text))
	return RecordText{Digest: hex.EncodeToString(sum[:]), Text: text}
}

// GameRanks returns the ranks of a pairing's result, as it counts for the ratings, by seat of its game: partners share
// theirs. It is nil without a result.
func (t *Tournament) GameRanks(p Pairing) []int {
	if p.Result == nil || p.Result.Ranks == nil {
		return nil
	}
	seats := len(t.Players(p))
	ranks := make([]int, 0, seats)
	for places := (Verdict{Ranks: p.Result.RatedRanks()}).Places(); len(ranks) < seats; {
		ranks = append(ranks, places...)
	}
	return ranks[:seats]
}

// PlayRules are the regulations of games on the server. The zero value has no limits beyond the clocks.
type PlayRules struct {
	// longest first turn of a player before losing by forfeit; ms, 0 for no limit
	NoShowMs int64 `json:"no_show_ms,omitempty"`
	// an entry is withdrawn after this number of games lost without playing; 0 for never
	NoShows    int   `json:"no_shows,omitempty"`
	DelayMoves int   `json:"delay_moves,omitempty"` // number of last moves that spectators do not see yet
	DelayMs    int64 `json:"delay_ms,omitempty"`    // age of the state that spectators see, ms
	Takebacks  bool  `json:"takebacks,omitempty"`   // players may agree to take a move back
	Bots       bool  `json:"bots,omitempty"`        // the organiser may enter bots
}

// Limits of the regulations.
const (
	maxNoShowMs   = 30 * 24 * 3600 * 1000
	maxNoShows    = 100
	maxDelayMoves = 100
	maxDelayMs    = 24 * 3600 * 1000
)

func (r PlayRules) check(faults *FieldErrors) {
	for _, rule := range []struct {
		field string
		value int64
		limit int64
	}{
		{"no_show_ms", r.NoShowMs, maxNoShowMs},
		{"no_shows", int64(r.NoShows), maxNoShows},
		{"delay_moves", int64(r.DelayMoves), maxDelayMoves},
		{"delay_ms", r.DelayMs, maxDelayMs},
	} {
		if rule.value < 0 || rule.value > rule.limit {
			faults.Add("play/"+rule.field, "%d is not possible; write a number from 0 (off) to %d", rule.value, rule.limit)
		}
	}
}

// NoShow reports whether a seat lost because it did not play.
func (r Result) NoShow(seat int) bool {
	if len(r.Ranks) > 2 && seat < len(r.Ranks) && r.Ranks[seat] == 0 {
		return true
	}
	return r.Forfeit && (r.Reason == ReasonTime || r.Reason == ReasonForfeit) && seat < len(r.Ranks) && r.Ranks[seat] > 1
}
