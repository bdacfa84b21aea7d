package tournament

import (
	"cmp"
	"slices"
)

// MatchBoard is a board of a match of two teams, once its line-ups are revealed.
type MatchBoard struct {
	Players  [2]string `json:"players"` // ids by side: the team with White first; "" for an empty seat
	GameID   string    `json:"game_id,omitempty"`
	Games    int       `json:"games,omitempty"` // opened on this board; above 1 after void games
	HallGame string    `json:"hall_game,omitempty"`
	Result   *Result   `json:"result,omitempty"` // by side, with its game points
	Turned   bool      `json:"turned,omitempty"` // the seats are not those of the colours; in a Scheveningen
}

// LineUp is a version of a sealed line-up as a captain filed it. It is no part of the tournament: until the match is
// revealed only its own team may read it.
type LineUp struct {
	Round    int
	Entry    string // id
	Opponent string // id of the opposing entry when it was filed
	N        int    // from 1; the last version counts
	Players  []string
	Final    bool   // the captain waits no longer
	By       string // account id
	At       int64
}

// Duel is a game that belongs to a pairing: its own, or that of a board of a match.
type Duel struct {
	Board       int // of the pairing
	ID, HallID  string
	Players     []string // by seat
	Variant     string
	TimeControl string
	Options     map[string]string
	Rated       bool
	Result      *Result // nil while it is open; ranks are by entry
	Ranks       []int   // of the result by seat; nil without any
	Record      string
}

// Duels returns the present games of a pairing: its own, or those of the boards of a match.
func (t *Tournament) Duels(p Pairing) []Duel {
	if t.Teams == nil {
		return []Duel{{
			Board: p.Board, ID: p.GameID, HallID: p.HallGame, Players: t.Players(p), Variant: t.Variant, TimeControl: t.ControlOf(p.Games),
			Options: t.Options, Rated: t.Rated && !t.WithBot(p), Result: p.Result, Ranks: t.GameRanks(p), Record: p.Record,
		}}
	}
	var out []Duel
	for i := range p.Boards {
		out = append(out, t.gameOn(p.Board, i+1, p.Boards[i]))
	}
	return out
}

// gameOn returns the game of a board of a match.
func (t *Tournament) gameOn(match, board int, b MatchBoard) Duel {
	on, repeats := t.Teams.Place(board)
	rules := t.Teams.Boards[on-1]
	g := Duel{
		Board: match, ID: b.GameID, HallID: b.HallGame, Players: b.Players[:], TimeControl: t.TimeControl,
		Rated: t.Rated && !rules.Unrated, Result: b.Result,
	}
	g.Variant, g.Options = Settings{Variant: t.Variant, Options: t.Options}.gameOf(rules)
	if rules.TimeControl != "" {
		g.TimeControl = rules.TimeControl
	}
	if repeats > 0 {
		g.TimeControl = cmp.Or(t.Teams.TiebreakClock, g.TimeControl)
	}
	if b.Result != nil {
		g.Ranks = slices.Clone(b.Result.Ranks)
	}
	if t.Teams.SeatOne(board, b) == 1 {
		g.Players = []string{b.Players[1], b.Players[0]}
		slices.Reverse(g.Ranks)
	}
	return g
}

// GameResults returns the results of a pairing's current games on the server, by game id; nil for an open game.
func (p Pairing) GameResults() map[string]*Result {
	out := make(map[string]*Result)
	if p.GameID != "" {
		out[p.GameID] = p.Result
	}
	for _, b := range p.Boards {
		if b.GameID != "" {
			out[b.GameID] = b.Result
		}
	}
	return out
}

// Sealed reports whether a pairing of a published round is a match with line-ups that are not revealed yet.
func (t *Tournament) Sealed(p Pairing) bool {
	return t.Teams != nil && p.Bye == NoBye && p.Boards == nil && p.Result == nil
}

// Waits reports whether members of the team have yet to agree to be in it. A waiting entry does not take part: it gets
// no number at the start, and counts as withdrawn from then on.
func (e Entry) Waits() bool { return len(e.Awaiting) > 0 }

// takesPart reports whether an entry is in the field if the tournament starts now.
func (e Entry) takesPart() bool { return e.Status != Withdrawn && !e.Waits() }

// Plays reports whether a player plays for the entry. A member yet to agree does not, and may play for another entry.
func (e Entry) Plays(player string) bool {
	return e.Status != Withdrawn && e.agreed(player)
}

// agreed reports whether a player is a member and has agreed to it.
func (e Entry) agreed(player string) bool {
	return slices.Contains(e.Members, player) && !slices.Contains(e.Awaiting, player)
}

// Bonus adds points to the totals of a team, or takes them off as a penalty; an arbiter decides on it. It counts in the
// table after a round, in the pairing of the next round, and from then on.
type Bonus struct {
	Entry string `json:"entry"` // id
	MP    Points `json:"mp,omitempty"`
	GP    Points `json:"gp,omitempty"`
	After int    `json:"after,omitempty"` // round; 0 from the start
	Why   string `json:"why"`
}

// Totals returns both scores.
func (b Bonus) Totals() TeamTotals { return TeamTotals{b.MP, b.GP} }

// BonusOf returns what penalties and bonuses add to the totals of an entry in the table after a round.
func (t *Tournament) BonusOf(entry string, round int) (sum TeamTotals) {
	for _, b := range t.Bonuses {
		if b.Entry == entry && b.After <= round {
			sum = sum.Plus(b.Totals())
		}
	}
	return sum
}

// DayMs is a day in milliseconds.
const DayMs = 24 * 3600 * 1000

// MatchDate is the date of a match of teams, in a round that has several days for its matches; times are ms UTC.
type MatchDate struct {
	At       int64    `json:"at,omitempty"`    // as agreed, or as an arbiter set it; 0 for not yet
	Until    int64    `json:"until,omitempty"` // the match's own last day; 0 for that of the round
	Proposed [2]int64 `json:"proposed"`        // by each side and not agreed; 0 for none
}

// Dated reports whether the matches of a tournament have dates of their own.
func (t *Tournament) Dated() bool { return t.Teams != nil && t.Teams.Days > 0 }

// settled returns the date without proposals; nil if there is nothing else.
func (d *MatchDate) settled() *MatchDate {
	if d == nil || d.At == 0 && d.Until == 0 {
		return nil
	}
	return &MatchDate{At: d.At, Until: d.Until}
}
