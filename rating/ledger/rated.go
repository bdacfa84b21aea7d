package ledger

import (
	"fmt"
	"slices"

	"quatuor/rating"
)

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
