package systems

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"time"

	"quatuor/rating"
	"quatuor/rating/ledger"
)

// Explanation holds the reasons for a change of a player's rating.
type Explanation struct {
	ledger.Row
	Game ledger.Finished
	Own  Side
	Vs   []Opposition // by side
	// Cents is the change in hundredths: of the rating after the game less that before, each rounded. So the changes of
	// games that follow each other add up to the hundredth.
	Cents int64
}

// Limits of a [History].
const (
	maxExplained = 50
	maxUncounted = 20 // games read for those that did not count
)

// History is the origin of a player's rating in a list: the explanations of its latest changes, the newest first.
type History struct {
	Changes   []Explanation
	Older     int64                // Seq before which there are more changes, 0 if there are none
	Unrated   bool                 // the list has no change of the player's rating at all
	Uncounted []ledger.OmittedGame // the latest games that did not count; only where all changes were requested
}

// History explains a player's rating by its changes before a Seq, or by all with 0.
func (c *Config) History(ctx context.Context, r ledger.Reader, list, playerID string, before int64) (out History, err error) {
	rows, err := r.History(ctx, list, playerID)
	if err != nil {
		return out, err
	}
	out.Unrated = len(rows) == 0
	if before > 0 {
		rows = slices.DeleteFunc(rows, func(row ledger.Row) bool { return row.Seq >= before })
	} else if out.Uncounted, err = ledger.OmittedOf(ctx, r, c, list, playerID, maxUncounted); err != nil {
		return out, err
	}
	if older := len(rows) - maxExplained; older > 0 {
		out.Older, rows = rows[older].Seq, rows[older:]
	}
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.GameID
	}
	games, err := r.Games(ctx, ids)
	for _, id := range slices.Backward(ids) {
		if e, ok := c.Explain(games[id], playerID); ok { // it may have been corrected in the meantime
			out.Changes = append(out.Changes, e)
		}
	}
	return out, err
}

// Side is a group of seats that share the result.
type Side struct {
	Players   []string // by seat
	Strength  float64  // mean of the ratings before the game
	Deviation float64  // of the ratings, 0 in systems without deviations
}

// Opposition is a comparison with another side.
type Opposition struct {
	Side
	Score    float64 // made against it: 1, ½ or 0
	Expected float64 // expected against it, 0 to 1
	Points   float64 // the effect of this comparison on the rating, where Additive; they add up to the change
	Cents    int64   // likewise in hundredths
	Additive bool    // the system adds up comparisons
	Unrated  bool    // the opponent has no rating: the game counts for the opponent alone
}

// Explain returns why a rated game changed a player's rating; false if it has no row of the player.
func (c *Config) Explain(g ledger.RatedGame, playerID string) (Explanation, bool) {
	i := slices.IndexFunc(g.Rows, func(r ledger.Row) bool { return r.PlayerID == playerID })
	if i < 0 {
		return Explanation{}, false
	}
	e := Explanation{Row: g.Rows[i], Game: g.Finished}
	e.Cents = cents(e.After) - cents(e.Before)
	own := g.Sides[e.Seat-1]
	sides := sidesOf(g)
	numbers := slices.Sorted(maps.Keys(sides))
	members := make([][]rating.Rating, len(numbers))
	for k, n := range numbers {
		members[k] = sides[n].before
	}
	var system any = c.Rules(e.List).System
	if live, ok := system.(rating.Live); ok {
		system = live.By
	}
	var foretold [][]float64 // nil where the system cannot
	if f, ok := system.(rating.Forecaster); ok {
		foretold = f.Forecast(members)
	}
	at := slices.Index(numbers, own)
	e.Own = sides[own].side()
	for k, n := range numbers {
		if n == own {
			continue
		}
		o := Opposition{Side: sides[n].side(), Score: rating.Score(sides[own].rank, sides[n].rank), Expected: e.Expected}
		if len(numbers) > 2 && foretold != nil {
			o.Expected = foretold[at][k]
		}
		e.Vs = append(e.Vs, o)
	}
	e.divide()
	return e, true
}

// divide splits the change by comparison: two sides have a single comparison, and Elo adds comparisons up.
func (e *Explanation) divide() {
	additive := len(e.Vs) == 1 || e.System == club.System.Name()
	done, before := 0.0, cents(e.Before)
	for i := range e.Vs {
		o := &e.Vs[i]
		o.Additive = additive
		if !additive {
			continue
		}
		o.Points = e.K / float64(len(e.Vs)) * (o.Score - o.Expected)
		if i == len(e.Vs)-1 && !e.Refunded { // the rest, so that the sum is exact despite floor or rounding
			o.Points = e.Change - done
		}
		done += o.Points
		after := cents(e.Before + done)
		if i == len(e.Vs)-1 && !e.Refunded {
			after = cents(e.After)
		}
		o.Cents, before = after-before, after
	}
}

// members is a side of a rated game.
type members struct {
	players []string
	before  []rating.Rating
	rank    int
}

func (m *members) side() Side {
	s := Side{Players: m.players}
	variance := 0.0
	for _, r := range m.before {
		s.Strength += r.Value / float64(len(m.before))
		variance += r.Deviation * r.Deviation
	}
	s.Deviation = math.Sqrt(variance)
	if len(m.before) > 1 {
		s.Deviation /= float64(len(m.before))
	}
	return s
}

// sidesOf returns the rated sides of a game by number.
func sidesOf(g ledger.RatedGame) map[int]*members {
	sides := map[int]*members{}
	rows := slices.SortedFunc(slices.Values(g.Rows), func(a, b ledger.Row) int { return cmp.Compare(a.Seat, b.Seat) })
	for _, r := range rows {
		n := g.Sides[r.Seat-1]
		if sides[n] == nil {
			sides[n] = &members{rank: g.Ranks[r.Seat-1]}
		}
		sides[n].players = append(sides[n].players, r.PlayerID)
		sides[n].before = append(sides[n].before, rating.Rating{Value: r.Before, Deviation: r.DeviationBefore})
	}
	return sides
}

// cents returns a rating in hundredths, rounded.
func cents(value float64) int64 { return int64(math.Round(value * 100)) }

// Prospect is the forecast change of a player's rating by a game: won by the player's side before all others, drawn by
// all, and lost behind all others, which share the first place.
type Prospect struct {
	Before          float64
	Unrated         bool // no rating yet
	Win, Draw, Loss float64
}

// Prospect returns the effect of a game between sides on a player's rating if it finished at a moment, computed as the
// ledger does; false if it would not be rated. The player is in any of the sides.
func (c *Config) Prospect(
	ctx context.Context, r ledger.Reader, list string, sides [][]string, playerID string, at time.Time,
) (Prospect, bool, error) {
	var p Prospect
	for _, o := range []struct {
		change     *float64
		own, other int
	}{{&p.Win, 1, 2}, {&p.Draw, 1, 1}, {&p.Loss, 2, 1}} {
		f := ledger.Finished{List: list, Rated: true, FinishedAt: at.UnixMilli()}
		for i, side := range sides {
			rank := o.other
			if slices.Contains(side, playerID) {
				rank = o.own
			}
			for _, player := range side {
				f.Players, f.Sides = append(f.Players, player), append(f.Sides, i+1)
				f.Ranks, f.Moved = append(f.Ranks, rank), append(f.Moved, true)
			}
		}
		rows, err := ledger.Preview(ctx, r, c, f)
		if err != nil {
			return p, false, err
		}
		i := slices.IndexFunc(rows, func(r ledger.Row) bool { return r.PlayerID == playerID })
		if i < 0 {
			return p, false, nil
		}
		p.Before, *o.change = rows[i].Before, rows[i].Change
		p.Unrated = p.Unrated || rows[i].Unrated
	}
	return p, true, nil
}
