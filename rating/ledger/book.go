package ledger

import (
	"fmt"
	"slices"
	"time"

	"quatuor/rating"
)

// place is the key of a rating: a player in a list.
type place struct{ list, player string }

// book holds current ratings while games are being rated.
type book struct {
	regulation Regulation
	rules      map[string]Rules // by list, loaded on demand
	ratings    map[place]rating.Rating
	meetings   meetings
}

func newBook(regulation Regulation) *book {
	return &book{
		regulation: regulation, rules: map[string]Rules{}, ratings: map[place]rating.Rating{},
		meetings: meetings{},
	}
}

// rulesOf returns the rules of a list.
func (b *book) rulesOf(list string) Rules {
	r, known := b.rules[list]
	if !known {
		r = b.regulation.Rules(list)
		b.rules[list] = r
	}
	return r
}

// current returns a player's rating in a list, or the system's start. Parts that the system needs and the rating lacks
// are those of its start.
func (b *book) current(p place, system rating.System) rating.Rating {
	start := system.Start()
	r, found := b.ratings[p]
	if !found {
		return start
	}
	if r.Deviation == 0 {
		r.Deviation = start.Deviation
	}
	if r.Volatility == 0 {
		r.Volatility = start.Volatility
	}
	return r
}

// rate rates a game and returns its rows by seat; none if it is not rated, or the rules of its list do not let it
// count.
func (b *book) rate(f Finished) ([]Row, error) {
	rules, rated := b.rulesOf(f.List), f.rated()
	if rated == nil || rules.Duels && len(rated) != 2 {
		return nil, nil
	}
	if why, err := b.meetings.admit(f, rated, rules); err != nil || why != (Omission{}) {
		return nil, err
	}
	system := rules.System
	if dated, ok := system.(rating.Dated); ok {
		system = dated.On(time.UnixMilli(f.FinishedAt))
	}
	seats, err := f.seats(rated, func(player string) rating.Rating { return b.current(place{f.List, player}, system) })
	if err != nil {
		return nil, fmt.Errorf("game %s: %w", f.GameID, err)
	}
	changes, err := system.Update(seats)
	if err != nil {
		return nil, fmt.Errorf("game %s: %w", f.GameID, err)
	}
	refunded := f.refund(rated, changes)
	rows := make([]Row, len(changes))
	for k, c := range changes {
		i := rated[k]
		rows[k] = f.row(i, system.Name(), c)
		rows[k].Refunded = refunded[k]
		rows[k].FromTournaments = seats[k].Rating.FromTournaments
		if f.Tournament && !refunded[k] {
			rows[k].FromTournaments++
		}
		b.ratings[place{f.List, f.Players[i]}] = rows[k].Rating()
	}
	return rows, nil
}

// ListID returns the id of the rating list of a variant family ("quixo") and a speed class ("blitz").
func ListID(family, class string) string { return family + "-" + class }

// rated returns the indices of the seats that a game is rated for; nil if it is not rated. The tables are in the
// package comment.
func (f Finished) rated() []int {
	if !f.Rated || f.List == "" || f.Ranks == nil || f.Moved == nil && (f.Plies == 0 || f.noShow()) {
		return nil
	}
	for i, player := range f.Players {
		if player == "" || slices.Contains(f.Players[:i], player) {
			return nil
		}
	}
	seats := make([]int, 0, len(f.Players))
	several := false
	for i := range f.Players {
		if f.Moved == nil || i < len(f.Moved) && f.Moved[i] {
			seats = append(seats, i)
			several = several || f.sideOf(i) != f.sideOf(seats[0])
		}
	}
	if len(seats) == 0 || f.Moved != nil && !several {
		return nil // no side to compare with
	}
	return seats
}

// sideOf returns the side of the seat at an index, 0 if Sides is too short.
func (f Finished) sideOf(i int) int {
	if i < len(f.Sides) {
		return f.Sides[i]
	}
	return 0
}

// noShow reports whether a game was lost on time or by forfeit before every seat had moved, by the number of plies:
// seats move in turn, so all have moved once plies ≥ seats. It is for games without Moved.
func (f Finished) noShow() bool {
	return (f.Reason == "time" || f.Reason == "forfeit") && f.Plies < len(f.Players)
}

// seats returns the rated seats of the game as a rating system takes them.
func (f Finished) seats(rated []int, current func(playerID string) rating.Rating) ([]rating.Seat, error) {
	n := len(f.Players)
	if len(f.Sides) != n || len(f.Ranks) != n {
		return nil, fmt.Errorf("%w: %d players, %d sides and %d ranks; there must be one of each per seat",
			rating.ErrSeats, n, len(f.Sides), len(f.Ranks))
	}
	seats := make([]rating.Seat, len(rated))
	for k, i := range rated {
		seats[k] = rating.Seat{Rating: current(f.Players[i]), Side: f.Sides[i], Rank: f.Ranks[i]}
	}
	return seats, nil
}

// row returns the rating row of the player at index i.
func (f Finished) row(i int, system string, c rating.Change) Row {
	return Row{
		GameID: f.GameID, List: f.List, PlayerID: f.Players[i], Seat: i + 1, Seq: f.Seq, System: system,
		Before: c.Before.Value, After: c.After.Value, Change: c.Delta, Expected: c.Expected, Score: c.Score,
		GamesAfter: c.After.Games, K: c.K, Reached: c.After.Reached2400, At: f.FinishedAt,
		DeviationBefore: c.Before.Deviation, Deviation: c.After.Deviation, Volatility: c.After.Volatility,
		Unrated: c.After.Unrated, Period: c.After.Period,
	}
}

// refund takes back the effects of a game with a marked player: neither does the side of a marked player win points,
// nor does any other side lose any. The sign of the exact change decides, since a change that is rounded away still
// counts in the sums of its period. It reports which changes it took back.
func (f Finished) refund(rated []int, changes []rating.Change) []bool {
	back := make([]bool, len(changes))
	if !slices.Contains(f.Marked, true) {
		return back
	}
	marked := map[int]bool{} // sides
	for i, m := range f.Marked {
		if m {
			marked[f.sideOf(i)] = true
		}
	}
	for k, i := range rated {
		c := &changes[k]
		if won := c.Exact > 0; c.Exact != 0 && won == marked[f.sideOf(i)] {
			c.After, c.Delta, back[k] = c.Before, 0, true
		}
	}
	return back
}
