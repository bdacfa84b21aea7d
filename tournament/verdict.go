package tournament

import (
	"slices"
	"strconv"
	"strings"
)

// Verdict is how a pairing ended, before it is turned into points.
type Verdict struct {
	Ranks       []int // by seat, 1 is best, shared ranks take up their places (1, 1, 3); nil for a double forfeit
	Forfeit     bool  // decided without a game
	Adjudicated bool  // a game that was not played to its end, decided by the arbiter
}

// The results of a duel as the API and the records spell them, White's part first.
var duelResults = map[string]Verdict{
	"1-0":     {Ranks: []int{1, 2}},
	"1/2-1/2": {Ranks: []int{1, 1}},
	"0-1":     {Ranks: []int{2, 1}},
	"+--":     {Ranks: []int{1, 2}, Forfeit: true},
	"--+":     {Ranks: []int{2, 1}, Forfeit: true},
	"---":     {Forfeit: true},
}

// lostByBoth are the ranks of a game that nobody won and that was no draw either. It cannot be entered here; tournaments
// that were started elsewhere may have such games.
var lostByBoth = []int{2, 2}

// ParseVerdict reads a duel's result: "1-0", "1/2-1/2", "0-1", "+--" (the second did not play), "--+" (the first did
// not), "---" (neither did). Errors wrap ErrInvalid.
func ParseVerdict(text string) (Verdict, error) {
	v, ok := duelResults[text]
	if !ok {
		return Verdict{}, Refuse(ErrInvalid, "%q is no result; write 1-0, 1/2-1/2, 0-1, +--, --+ or ---", text)
	}
	v.Ranks = slices.Clone(v.Ranks)
	return v, nil
}

// RankVerdict makes a verdict of ranks by seat. Shared ranks may be counted either way (1, 1, 2 or 1, 1, 3).
// Errors wrap ErrInvalid.
func RankVerdict(ranks []int) (Verdict, error) {
	if len(ranks) < 2 || slices.Min(ranks) != 1 || slices.Max(ranks) > len(ranks) {
		return Verdict{}, Refuse(ErrInvalid, "%v are no ranks; give one for each seat, the best being 1 and none above the number of seats", ranks)
	}
	return Verdict{Ranks: places(ranks)}, nil
}

// places gives each seat one more than the number of seats before it.
func places(ranks []int) []int {
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

// String prints a verdict as [ParseVerdict] reads it, or for tables of more than two as ranks: "2,1,3,3".
func (v Verdict) String() string {
	for text, known := range duelResults {
		if known.Forfeit == v.Forfeit && slices.Equal(known.Ranks, v.Ranks) {
			return text
		}
	}
	if slices.Equal(v.Ranks, lostByBoth) {
		return "0-0"
	}
	parts := make([]string, len(v.Ranks))
	for i, rank := range v.Ranks {
		parts[i] = strconv.Itoa(rank)
	}
	return strings.Join(parts, ",")
}

// fits says what is wrong with a verdict for this many seats.
func (v Verdict) fits(seats int) error {
	switch {
	case v.Forfeit && v.Adjudicated:
		return Refuse(ErrInvalid, "a forfeit is decided without a game, an adjudicated result by looking at one; it cannot be both")
	case v.Ranks == nil && !v.Forfeit:
		return Refuse(ErrInvalid, "a result needs ranks, unless it is a double forfeit")
	case v.Ranks != nil && len(v.Ranks) != seats:
		return Refuse(ErrInvalid, "%d ranks were given for %d seats; every seat needs one", len(v.Ranks), seats)
	case v.Ranks != nil && v.Forfeit && seats != 2:
		return Refuse(ErrInvalid, "a forfeit is between two; at a table of %d give the ranks", seats)
	case v.Ranks != nil && v.Forfeit && v.Ranks[0] == v.Ranks[1]:
		return Refuse(ErrInvalid, "a forfeit has a winner, or is a double forfeit (---)")
	}
	return nil
}

// Verdict gives the result back as it was said.
func (r Result) Verdict() Verdict {
	return Verdict{Ranks: r.Ranks, Forfeit: r.Forfeit, Adjudicated: r.Adjudicated}
}

// Text prints the pairing's result as [ParseVerdict] reads it, or as ranks; "" while it is open and for byes.
func (p Pairing) Text() string {
	if p.Result == nil || p.Bye != NoBye {
		return ""
	}
	return p.Result.Verdict().String()
}

// score turns a verdict into a result.
func (s PointSystem) score(seats int, v Verdict, source Source, reason string) *Result {
	r := &Result{Ranks: slices.Clone(v.Ranks), Forfeit: v.Forfeit, Adjudicated: v.Adjudicated, Source: source, Reason: reason}
	if v.Forfeit {
		r.Points = s.ForForfeit(seats, v.Ranks)
	} else {
		r.Points = s.ForRanks(v.Ranks)
	}
	return r
}
