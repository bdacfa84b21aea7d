package tournament

import (
	"slices"
	"strconv"
	"strings"
)

// Verdict is the outcome of a pairing, without points.
type Verdict struct {
	// by seat, 1 is best, in standard competition ranking (1, 1, 3), 0 for a seat that did not come to a table; nil for a
	// double forfeit. In a game of two that an arbiter decided so that neither won, neither has rank 1: (2, 2) if both
	// lost, (2, 3) if the first has a draw against a loss.
	Ranks       []int
	Forfeit     bool // decided without a game
	Adjudicated bool // a game that was not played to its end, decided by the arbiter
	// seats, from 1, of absent entries, as [TableVerdict] takes them; resolved when the result is set
	Missing []int
	Rated   *bool // of a game in the hall: whether it is rated; nil for the default, see [scoring.SetResult]
	// a correction for the ratings and the report file alone, see [scoring.SetResult]
	RatingOnly bool
}

// The results of a duel as the API and the records spell them, White first.
var duelResults = map[string]Verdict{
	"1-0":     {Ranks: []int{1, 2}},
	"1/2-1/2": {Ranks: []int{1, 1}},
	"0-1":     {Ranks: []int{2, 1}},
	"1/2-0":   {Ranks: []int{2, 3}},
	"0-1/2":   {Ranks: []int{3, 2}},
	"0-0":     {Ranks: []int{2, 2}},
	"+--":     {Ranks: []int{1, 2}, Forfeit: true},
	"--+":     {Ranks: []int{2, 1}, Forfeit: true},
	"---":     {Forfeit: true},
}

// ParseVerdict returns the verdict of a duel's result: "1-0", "1/2-1/2", "0-1", "1/2-0", "0-1/2" and "0-0" (played, and
// decided by an arbiter so that neither won), "+--" (the second did not play), "--+" (the first did not), "---" (neither
// did). Errors wrap ErrInvalid.
func ParseVerdict(text string) (Verdict, error) {
	v, ok := duelResults[text]
	if !ok {
		return Verdict{}, NotValid("%q is not a result; write 1-0, 1/2-1/2, 0-1, 1/2-0, 0-1/2, 0-0, +--, --+ or ---", text)
	}
	v.Ranks = slices.Clone(v.Ranks)
	return v, nil
}

// RankVerdict returns a verdict by ranks by seat. Ranks may be dense (1, 1, 2) or leave gaps (1, 1, 3). Errors wrap
// ErrInvalid.
func RankVerdict(ranks []int) (Verdict, error) {
	if len(ranks) < 2 || slices.Min(ranks) != 1 || slices.Max(ranks) > len(ranks) {
		return Verdict{}, NotValid(
			"%v is not a list of ranks; write one rank for each seat, from 1 for the best to at most the number of seats", ranks)
	}
	return Verdict{Ranks: PlacesOf(ranks)}, nil
}

// PlacesOf returns the ranks in standard competition ranking: 1 plus the number of better seats.
func PlacesOf(ranks []int) []int {
	out := make([]int, len(ranks))
	for i, rank := range ranks {
		out[i] = 1
		for _, other := range ranks {
			if other < rank {
				out[i]++
			}
		}
	}
	return out
}

// Unwon reports whether a game of two was played, but neither won nor drawn: both sides lost, or the sides have a draw
// and a loss.
func Unwon(ranks []int) bool { return len(ranks) == 2 && min(ranks[0], ranks[1]) == 2 }

// String returns a verdict as [ParseVerdict] reads it, or for tables of more than two as ranks: "2,1,3,3", with "-" for
// an absent seat; at a table that was not played the seats that came have "+".
func (v Verdict) String() string {
	for text, known := range duelResults {
		if known.Forfeit == v.Forfeit && slices.Equal(known.Ranks, v.Ranks) {
			return text
		}
	}
	parts := make([]string, len(v.Ranks))
	for i, rank := range v.Ranks {
		switch {
		case rank == 0:
			parts[i] = "-"
		case v.Forfeit:
			parts[i] = "+"
		default:
			parts[i] = strconv.Itoa(rank)
		}
	}
	return strings.Join(parts, ",")
}

// Check returns an error if a verdict is not possible for this number of seats.
func (v Verdict) Check(seats int) error {
	switch {
	case v.Forfeit && v.Adjudicated:
		return NotValid("a result cannot be both a forfeit and adjudicated, because a forfeit is decided without a game; " +
			"write one of them")
	case v.Ranks == nil && !v.Forfeit:
		return NotValid("a result needs ranks unless it is a double forfeit")
	case v.Ranks != nil && len(v.Ranks) != seats:
		return NotValid("there are %d ranks for %d seats; write one rank for each seat", len(v.Ranks), seats)
	case v.Forfeit && seats != 2 && !v.unplayedBySome(seats):
		return NotValid("only a game of two is forfeited; at a table of %d enter the ranks, or who did not come", seats)
	case seats == 2 && slices.Contains(v.Ranks, 0):
		return NotValid("ranks are from 1; if one of two did not come, enter a forfeit")
	case v.Ranks != nil && v.Forfeit && seats == 2 && v.Ranks[0] == v.Ranks[1]:
		return NotValid("a forfeit must have a winner, or be a double forfeit (---)")
	}
	return nil
}

// unplayedBySome reports whether the verdict is the forfeit of a table of more than two with absent seats.
func (v Verdict) unplayedBySome(seats int) bool {
	return v.Ranks == nil || len(v.Ranks) == seats && slices.Contains(v.Ranks, 0) && slices.Max(v.Ranks) <= 1
}

// Verdict returns the result without its points.
func (r Result) Verdict() Verdict {
	return Verdict{Ranks: r.Ranks, Forfeit: r.Forfeit, Adjudicated: r.Adjudicated}
}

// Text returns the pairing's result as [ParseVerdict] reads it, or as ranks; "" while it is open and for byes.
func (p Pairing) Text() string {
	if p.Result == nil || p.Bye != NoBye {
		return ""
	}
	return p.Result.Verdict().String()
}

// score returns the result of a verdict, with its points.
func (s PointSystem) score(seats int, v Verdict, source Source, reason string) *Result {
	r := &Result{
		Ranks: slices.Clone(v.Ranks), Forfeit: v.Forfeit, Adjudicated: v.Adjudicated, Source: source, Reason: reason,
		Points: s.ForRanks(v.Ranks),
	}
	if v.Forfeit {
		r.Points = s.ForForfeit(seats, v.Ranks)
	}
	return r
}

// ForRanks returns the points by seat of a game with these ranks. For two seats these are the points of a win, a draw
// and a loss; at a table of n they are n − rank, or those of [PlacePoints], with shared ranks averaged and rounded down
// to tenths (3, 2, 1, 0 at a table of four; two that share the first place get 2.5 each). Absent seats (rank 0) have
// the points of a forfeit. Ranks must be as [RankVerdict] or [TableVerdict] returns them.
func (s PointSystem) ForRanks(ranks []int) []Points {
	points := make([]Points, len(ranks))
	for i, rank := range ranks {
		switch {
		case len(ranks) == 2:
			points[i] = s.duel(rank, ranks[1-i])
		case rank == 0:
			points[i] = s.ForfeitLoss
		default:
			points[i] = s.place(rank, ranks)
		}
	}
	return points
}

// place returns the points of a rank at a table with these ranks: the mean of the places that all of this rank take up.
func (s PointSystem) place(rank int, ranks []int) Points {
	worth := s.Places.Of(len(ranks))
	shared := 0
	for _, other := range ranks {
		if other == rank {
			shared++
		}
	}
	return sum(worth[rank-1:rank-1+shared]) / Points(shared)
}

func (s PointSystem) duel(rank, other int) Points {
	return []Points{s.Loss, s.Draw, s.Win}[HalfPoints(rank, other)]
}

// HalfPoints returns the half points of a seat in a game of two with these ranks: 2 for a win, 1 for a draw, 0 for a
// loss. If neither has rank 1, the better rank is a draw, and equal ranks are two losses.
func HalfPoints(rank, other int) int {
	switch {
	case rank > other, rank == other && rank > 1:
		return 0
	case rank == 1 && other > 1:
		return 2
	}
	return 1
}

// ForForfeit returns the points by seat if a seat of two did not play; nil ranks are a double forfeit.
func (s PointSystem) ForForfeit(seats int, ranks []int) []Points {
	points := make([]Points, seats)
	for i := range points {
		points[i] = s.ForfeitLoss
		if ranks != nil && ranks[i] == 1 {
			points[i] = s.ForfeitWin
		}
	}
	return points
}

// GivenPoints are values that an organiser set; nil values are unset.
type GivenPoints struct{ Win, Draw, Loss, ForfeitWin, ForfeitLoss, Bye *Points }

// With returns the system with these values. An unset forfeit win or bye stays worth a win if it was, and a forfeit
// loss a loss.
func (s PointSystem) With(g GivenPoints) PointSystem {
	next := s
	set := func(target, value *Points) {
		if value != nil {
			*target = *value
		}
	}
	set(&next.Win, g.Win)
	set(&next.Draw, g.Draw)
	set(&next.Loss, g.Loss)
	if s.ForfeitWin == s.Win {
		next.ForfeitWin = next.Win
	}
	if s.Bye == s.Win {
		next.Bye = next.Win
	}
	if s.ForfeitLoss == s.Loss {
		next.ForfeitLoss = next.Loss
	}
	set(&next.ForfeitWin, g.ForfeitWin)
	set(&next.ForfeitLoss, g.ForfeitLoss)
	set(&next.Bye, g.Bye)
	return next
}

// ForBye returns the points of a bye.
func (s PointSystem) ForBye(b Bye) Points {
	switch b {
	case PairingAllocated:
		return s.Bye
	case FullPoint:
		return s.Win
	case HalfPoint:
		return s.Draw
	}
	return 0
}

// check reports values that would let a loser overtake a winner.
func (s PointSystem) check(f Format, faults *FieldErrors) {
	if !f.MayHaveTables() && s.Places != (PlacePoints{}) {
		faults.Add("points/places", "only a %s or %s has places at tables, and this is a %s", TableSwiss, TableRoundRobin, f)
	}
	s.Places.check(faults)
	if s.Win <= s.Draw || s.Draw < s.Loss || s.Loss < 0 {
		faults.Add("points", "a win (%s) must be worth more than a draw (%s), a draw no less than a loss (%s), and none "+
			"of them less than 0", s.Win, s.Draw, s.Loss)
	}
	if s.ForfeitWin < 0 || s.ForfeitWin > s.Win || s.ForfeitLoss < 0 || s.ForfeitLoss > s.Loss || s.Bye < 0 ||
		s.Bye > s.Win {
		faults.Add("points", "a forfeit or a bye must be worth no less than 0 and no more than the game itself (at most %s)",
			s.Win)
	}
}
