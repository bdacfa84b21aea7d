package ledger

import (
	"fmt"
	"slices"

	"quatuor/rating"
)

// ListID names the rating list of a variant family, such as "quixo", and a speed class, such as "blitz".
func ListID(family, class string) string { return family + "-" + class }

// counts says whether a game is rated; the table stands in the package comment.
func (f Finished) counts() bool {
	if !f.Rated || f.List == "" || f.Ranks == nil || f.Plies == 0 || f.noShow() {
		return false
	}
	players := slices.Sorted(slices.Values(f.Players))
	return len(players) > 0 && players[0] != "" && len(slices.Compact(players)) == len(f.Players)
}

// noShow reports whether somebody lost on time or by forfeit without having made a move. Seats move in turn, so that
// they all have moved once there are as many plies as seats.
func (f Finished) noShow() bool {
	return (f.Reason == "time" || f.Reason == "forfeit") && f.Plies < len(f.Players)
}

// seats puts the game before a rating system.
func (f Finished) seats(current func(playerID string) rating.Rating) ([]rating.Seat, error) {
	n := len(f.Players)
	if len(f.Sides) != n || len(f.Ranks) != n {
		return nil, fmt.Errorf("%w: %d players, %d sides and %d ranks; there must be one of each per seat",
			rating.ErrSeats, n, len(f.Sides), len(f.Ranks))
	}
	seats := make([]rating.Seat, n)
	for i, player := range f.Players {
		seats[i] = rating.Seat{Rating: current(player), Side: f.Sides[i], Rank: f.Ranks[i]}
	}
	return seats, nil
}

// row writes down what the game did to the player at index i.
func (f Finished) row(i int, system string, c rating.Change) Row {
	return Row{
		GameID: f.GameID, List: f.List, PlayerID: f.Players[i], Seat: i + 1, Seq: f.Seq, System: system,
		Before: c.Before.Value, After: c.After.Value, Change: c.Delta, Expected: c.Expected, Score: c.Score,
		GamesAfter: c.After.Games, K: c.K, Reached: c.After.Reached2400, At: f.FinishedAt,
	}
}
