// Package arena counts and pairs an arena: an evening of fixed length in which free players are paired again at once.
//
//	win 2, draw 1, loss 0
//	streak    after two wins in a row each further game counts double, until one is not won; that one too, if drawn
//	berserk   a win with half of the time brings 1 more, not doubled, after at least Rules.BerserkMoves moves
//	forfeit   a game whose loser made no move: 2 for the winner, whose streak it leaves alone; the loser is away
//	table     of n players: points by place (n − place, shared places averaged) × 2 ÷ (n − 1), rounded down to tenths;
//	          a first place alone is a win; who did not come has nothing
package arena

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
)

// Points are tenths of a point. Their JSON is a number: 2, or 1.3.
type Points int

// MarshalJSON writes the points as a number.
func (p Points) MarshalJSON() ([]byte, error) { return []byte(p.String()), nil }

// String returns the points with a decimal if there is one.
func (p Points) String() string {
	if p%10 == 0 {
		return strconv.Itoa(int(p / 10))
	}
	return fmt.Sprintf("%d.%d", p/10, p%10)
}

const (
	winPoints  Points = 20
	drawPoints Points = 10
	bonus      Points = 10 // of a berserk win
)

// Game is a finished game of two, or with Table of three to five.
type Game struct {
	At      int64    `json:"at"` // when it ended, in seconds
	First   string   `json:"w"`
	Second  string   `json:"b"`
	Result  int      `json:"r"`                 // half points of First: 2, 1 or 0
	Berserk []string `json:"berserk,omitempty"` // with half of their time
	Moves   *int     `json:"moves,omitempty"`   // of each player; 0: the loser forfeited; nil: enough for all
	Table   []Seat   `json:"table,omitempty"`   // instead of First, Second and Result
	Board   int      `json:"-"`                 // of a tournament
}

// Seat is a player at a table, and the place at its end, from 1. A table lists its seats in the order of play.
type Seat struct {
	Player string `json:"player"`
	Place  int    `json:"place"`
	Absent bool   `json:"absent,omitempty"` // did not come, and shares the last place
}

// Rules are the numbers of an arena's regulations; times are seconds.
type Rules struct {
	BerserkMoves int   `json:"berserk_moves"`
	Tick         int64 `json:"tick"`     // between two pairings
	Patience     int64 `json:"patience"` // after which waiting players are paired, however many they are

	Sizes     []int `json:"sizes,omitempty"`     // of tables of three to five, ascending; none for games of two
	Preferred int   `json:"preferred,omitempty"` // one of Sizes: as many tables of it as can be
	Boards    *int  `json:"boards,omitempty"`    // that are free for those that wait; nil for enough
}

// DefaultRules returns the rules of an arena for which nothing is set.
func DefaultRules() Rules { return Rules{BerserkMoves: 5, Tick: 5, Patience: 15} }

// Arena is everything that its ranking follows from.
type Arena struct {
	Players []string `json:"players"`
	Games   []Game   `json:"games"` // in the order of their ends
	Rules
}

// Standing is a player's place and how the points came about.
type Standing struct {
	Rank     int      `json:"rank"`
	Player   string   `json:"player"`
	Points   Points   `json:"points"`
	Sheet    []Points `json:"sheet"`     // of each game
	Scores   []Score  `json:"scores"`    // the same with its reasons
	LastGain int64    `json:"last_gain"` // when points were last gained, in seconds; 0 before that
	Streak   int      `json:"streak"`    // wins in a row now

	balance int      // games as first less games as second; at tables, who moved how early
	first   bool     // in the last game, or in the first half of the last table's seats
	last    []string // those of the last game, the player included
}

// Score is what one game brought a player.
type Score struct {
	Game    int    `json:"game"` // index in Arena.Games
	Board   int    `json:"-"`    // of that game, in a tournament
	Points  Points `json:"points"`
	Doubled bool   `json:"doubled,omitempty"`
	Berserk bool   `json:"berserk,omitempty"` // the bonus is in the points
	Forfeit bool   `json:"forfeit,omitempty"`
}

// Rank checks an arena and returns its standings.
func (a Arena) Rank() ([]Standing, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	players := make(map[string]*Standing, len(a.Players))
	for _, id := range a.Players {
		players[id] = &Standing{Player: id, Sheet: []Points{}}
	}
	for k, g := range a.Games {
		a.count(k, g, players)
	}
	out := make([]Standing, 0, len(players))
	for _, id := range a.Players {
		out = append(out, *players[id])
	}
	slices.SortFunc(out, func(x, y Standing) int {
		return cmp.Or(cmp.Compare(y.Points, x.Points), cmp.Compare(len(x.Sheet), len(y.Sheet)),
			cmp.Compare(x.LastGain, y.LastGain), cmp.Compare(x.Player, y.Player))
	})
	for k := range out {
		out[k].Rank = k + 1
	}
	return out, nil
}

// count enters one game.
func (a Arena) count(index int, g Game, players map[string]*Standing) {
	if len(g.Table) > 0 {
		for _, seat := range g.Table {
			worth, won := atTable(g.Table, seat)
			a.score(index, g, players[seat.Player], worth, won)
		}
	} else {
		a.score(index, g, players[g.First], Points(g.Result)*drawPoints, g.Result == 2)
		a.score(index, g, players[g.Second], Points(2-g.Result)*drawPoints, g.Result == 0)
	}
	last := g.Players()
	for k, id := range last {
		p, early := players[id], len(last)-1-2*k
		p.last, p.first = last, early > 0
		p.balance += early
	}
}

// Players returns who played a game, in the order of the seats.
func (g Game) Players() []string {
	if len(g.Table) == 0 {
		return []string{g.First, g.Second}
	}
	players := make([]string, len(g.Table))
	for k, seat := range g.Table {
		players[k] = seat.Player
	}
	return players
}

// score enters what a game was worth to one of its players.
func (a Arena) score(index int, g Game, p *Standing, worth Points, won bool) {
	s := Score{Game: index, Board: g.Board, Points: worth}
	s.Forfeit = g.Moves != nil && *g.Moves == 0 && len(g.Table) == 0 && g.Result != 1
	if p.Streak >= 2 && worth > 0 && !s.Forfeit {
		s.Points, s.Doubled = 2*worth, true
	}
	if won && slices.Contains(g.Berserk, p.Player) && (g.Moves == nil || *g.Moves >= a.BerserkMoves) && !s.Forfeit {
		s.Points, s.Berserk = s.Points+bonus, true
	}
	switch {
	case won && s.Forfeit:
	case won:
		p.Streak++
	default:
		p.Streak = 0
	}
	if s.Points > 0 {
		p.LastGain = g.At
	}
	p.Points += s.Points
	p.Sheet = append(p.Sheet, s.Points)
	p.Scores = append(p.Scores, s)
}

// atTable returns what a place at a table is worth, and whether it is a win.
func atTable(table []Seat, seat Seat) (Points, bool) {
	if seat.Absent {
		return 0, false
	}
	above, shared := 0, 0
	for _, other := range table {
		if other.Place < seat.Place {
			above++
		} else if other.Place == seat.Place {
			shared++
		}
	}
	n := len(table)
	twice := 2*(n-above) - shared - 1 // points: the mean of n−1−above and the places after it, doubled
	return Points(twice * 10 / (n - 1)), above == 0 && shared == 1
}
