package tournament

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"quatuor/engine/sentence"
)

// Venue is the place where games are played.
type Venue string

// The venues.
const (
	OnServer Venue = "server" // the server opens the games, and their clocks run there
	InHall   Venue = "hall"   // on boards in the hall: no game is opened, results are entered by hand
)

// VenueOf returns the venue of a pairing. Until its round is published that is the tournament's, unless an arbiter has
// chosen another; a pairing for which the server lacks players is always played in the hall.
func (t *Tournament) VenueOf(round int, p Pairing) Venue {
	switch {
	case !t.hosted(p):
		return InHall
	case t.Teams != nil && p.Venue == "":
		return t.venueOfMatch(p)
	case p.Venue != "" || round <= t.PublishedRounds():
		return cmp.Or(p.Venue, OnServer)
	}
	return cmp.Or(t.Venue, OnServer)
}

// venueOfMatch returns the venue of a match of teams for which no arbiter chose another: where its boards were opened
// or, before that, where the tournament's are.
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
func (t *Tournament) SetVenue(round, board int, to Venue, how Editing) (*Tournament, Delta, error) {
	p, err := t.Pairing(round, board)
	switch {
	case err != nil:
		return nil, Delta{}, err
	case to != OnServer && to != InHall:
		return nil, Delta{}, Fault("venue", "write %s or %s", OnServer, InHall)
	case t.Status != Running:
		return nil, Delta{}, Refuse(ErrState, "the tournament is %s; its boards can no longer be moved", t.Status)
	case t.Format.Continuous():
		return nil, Delta{}, ErrNextGame
	case p.Bye != NoBye:
		return nil, Delta{}, Refuse(ErrState, "board %d of round %d is a bye and has no game", board, round)
	case to == OnServer && !t.hosted(p):
		return nil, Delta{}, Refuse(ErrState, "board %d cannot be played on the server, because an entry has no player there",
			board)
	case t.VenueOf(round, p) == to:
		return t, Delta{}, nil
	}
	moved := p
	moved.Venue = to
	if err := t.checkBotVenue(moved); err != nil {
		return nil, Delta{}, err
	}
	published := t.Rounds[round-1].Status != Paired
	if published {
		if err := p.movable(round, how); err != nil {
			return nil, Delta{}, err
		}
	}
	return t.WithPairing(round, board, nil, func(p *Pairing) {
		p.Venue = to
		if published {
			p.GameID, p.Games, p.HallGame = "", 0, ""
			t.openGame(p, how.NewGame)
		}
	})
}

// movable returns an error for a pairing of a published round if its game has begun, or is over.
func (p Pairing) movable(round int, how Editing) error {
	switch {
	case p.Boards != nil:
		return Refuse(ErrState, "the line-ups of match %d of round %d are revealed; it cannot be moved", p.Board, round)
	case p.Result != nil:
		return Refuse(ErrState, "board %d of round %d has a result; its game cannot be moved", p.Board, round)
	case p.Adjourned != "":
		return Refuse(ErrState, "the game at board %d of round %d is adjourned, so it has begun and cannot be moved", p.Board,
			round)
	case p.drawn():
		return Refuse(ErrState, "a game has been played at board %d of round %d; the others cannot be moved", p.Board, round)
	case p.GameID != "":
		if err := how.Begun(p.GameID); err != nil {
			return Refuse(err, "board %d", p.Board)
		}
	}
	return nil
}

// openGame names the game of a pairing: one that the server opens, or one in the hall.
func (t *Tournament) openGame(p *Pairing, newGame func() string) {
	switch {
	case !t.hosted(*p), t.Teams != nil: // boards of a match are opened when the line-ups are revealed
	case cmp.Or(p.Venue, t.Venue) == InHall:
		p.Venue, p.HallGame = InHall, newGame()
	default:
		p.GameID, p.Games = newGame(), 1
	}
}

// ShownGame returns the id of the game that a pairing can be shown with: the server's, or one in the hall that was
// played; else "".
func (p Pairing) ShownGame() string {
	if p.GameID == "" && p.Result.Rateable() {
		return p.HallGame
	}
	return p.GameID
}

// Rateable reports whether a result is that of a game as the server's games end, which the ratings know. One that
// neither won is not: B.02 compares each player's own score with the expected one, here the two results of a game are
// one.
func (r *Result) Rateable() bool {
	return r != nil && !r.Forfeit && r.Ranks != nil && !unwon(r.ratedRanks())
}

// byHand reports whether the pairing's result is entered by hand, because no server's game brings it.
func (p Pairing) byHand() bool { return p.GameID == "" && p.Bye == NoBye }

// ClearResult removes the result of a pairing of the latest round that was entered by hand, so that it is open again.
// Without one it returns t itself.
func (t *Tournament) ClearResult(round, board int, by, why string, at int64) (*Tournament, Delta, error) {
	p, err := t.playable(round, board)
	switch {
	case err != nil:
		return nil, Delta{}, err
	case !p.byHand():
		return nil, Delta{}, Refuse(ErrState, "board %d is played on the server; correct its result, or have it played again",
			board)
	case p.Result == nil:
		return t, Delta{}, nil
	}
	if err := t.removable(round); err != nil {
		return nil, Delta{}, err
	}
	change := Change{Round: round, Board: board, Before: p.Result, By: by, At: at, Why: strings.TrimSpace(why)}
	next, delta, err := t.WithPairing(round, board, &change, func(p *Pairing) {
		if p.Result, p.Record = nil, ""; p.Arena != nil {
			game := *p.Arena
			game.EndedAt, p.Arena = 0, &game
		}
	})
	if err == nil {
		err = next.Rounds[round-1].OneGameEach()
	}
	return next, delta, err
}

// removable returns an error for a round with results that can be corrected, but not removed.
func (t *Tournament) removable(round int) error {
	switch {
	case t.Status != Running:
		return Refuse(ErrState, "the tournament is %s; a result can be corrected, but not removed", t.Status)
	case round < len(t.Rounds):
		return Refuse(ErrState, "round %d has been paired from this result; it can be corrected, but not removed",
			len(t.Rounds))
	}
	return nil
}

// countsForRatings reports whether a result by hand is rated: as the verdict has it or, by default, if the game can be
// rated and was played to its end.
func (t *Tournament) countsForRatings(p Pairing, v Verdict) (bool, error) {
	why := t.unratedBecause(p, v)
	switch {
	case v.Rated == nil:
		return why.IsZero() && !v.Adjudicated, nil
	case *v.Rated && !why.IsZero():
		return false, Fault("rated", "%v", why)
	}
	return *v.Rated, nil
}

// unratedBecause returns why a result by hand cannot be rated; nothing if it can.
func (t *Tournament) unratedBecause(p Pairing, v Verdict) sentence.Sentence {
	players := slices.Sorted(slices.Values(t.Players(p)))
	switch {
	case v.Forfeit:
		return sentence.New("a game that was not played is never rated")
	case unwon(v.Ranks):
		return sentence.New("a game that neither won and that was not drawn is not rated here; the report file has it")
	case slices.Contains(v.Ranks, 0):
		return sentence.New("a table to which not all came is not rated")
	case !t.Rated:
		return sentence.New("the tournament is not rated")
	case p.HallGame == "" && !t.hosted(p):
		return sentence.New("only games of players are rated, and an entry at this board has none")
	case p.HallGame == "" && p.Venue == InHall:
		return sentence.New("an entry at this board got its player after the round was published; its games count from " +
			"the next round on")
	case p.HallGame == "":
		return sentence.New("this board is not played in the hall; on the server the game itself is rated, when it is played")
	case len(slices.Compact(players)) < len(players):
		return sentence.New("a player sits at this board twice")
	}
	return sentence.Sentence{}
}

// MaxRecord is the maximum length of a record of a game in the hall, in bytes.
const MaxRecord = 64 << 10

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

// SetRecord attaches a record to a game in the hall that has a result, or replaces the one that it has; "" removes it.
// Whether the moves are legal and lead to the result must have been judged before; see [Tournament.Recordable]. If the
// pairing has the same record already, it returns t itself.
func (t *Tournament) SetRecord(round, board int, text string) (*Tournament, Delta, error) {
	if text != "" {
		if _, err := t.Recordable(round, board); err != nil {
			return nil, Delta{}, err
		}
	}
	p, err := t.playable(round, board)
	if err != nil {
		return nil, Delta{}, err
	}
	r := RecordText{}
	if text != "" {
		r = NewRecordText(text)
	}
	if p.Record == r.Digest {
		return t, Delta{}, nil
	}
	next, delta, err := t.WithPairing(round, board, nil, func(p *Pairing) { p.Record = r.Digest })
	if text != "" {
		delta.Records = []RecordText{r}
	}
	return next, delta, err
}

// Recordable returns the ranks by seat of the game that a record of a pairing must lead to, or an error if the pairing
// takes no record: it is not played in the hall, has no players, or has no result of a game that was played.
func (t *Tournament) Recordable(round, board int) (ranks []int, err error) {
	p, err := t.playable(round, board)
	switch {
	case err != nil:
		return nil, err
	case p.GameID != "":
		return nil, Refuse(ErrState, "board %d is played on the server, which records the game itself", board)
	case p.HallGame == "":
		return nil, Refuse(ErrState, "an entry at board %d has no player; a record needs one for every seat", board)
	case p.Result == nil:
		return nil, Refuse(ErrState, "board %d has no result yet; enter it first, then add the record", board)
	case p.Result.Forfeit:
		return nil, Refuse(ErrState, "the game at board %d was not played", board)
	case unwon(p.Result.ratedRanks()):
		return nil, Refuse(ErrState, "the arbiter decided the game at board %d against what a record can show", board)
	}
	return t.GameRanks(p), nil
}

// GameRanks returns the ranks of a pairing's result, as it counts for the ratings, by seat of its game: partners share
// theirs. It is nil without a result.
func (t *Tournament) GameRanks(p Pairing) []int {
	if p.Result == nil || p.Result.Ranks == nil {
		return nil
	}
	seats := len(t.Players(p))
	ranks := make([]int, 0, seats)
	for places := (Verdict{Ranks: p.Result.ratedRanks()}).Places(); len(ranks) < seats; {
		ranks = append(ranks, places...)
	}
	return ranks[:seats]
}
