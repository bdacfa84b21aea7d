package arena

import (
	"math"
	"slices"

	"quatuor/engine"
)

// Tally counts the games of a series. The zero Tally has none.
type Tally struct {
	Games    int
	Won      int // by the first level; by neither if both levels are the same
	Lost     int
	Drawn    int
	Replays  int
	Plies    []int     // of every game
	Points   []float64 // by seat: a point for each game, shared by those of rank 1
	ByReason map[engine.Reason]int
	Nodes    int // of the greatest level
	Choices  int
	Faults   []error // of programs
	distinct map[uint64]bool
}

// Add counts a game. Its winner is the level that has rank 1; where both have, it is drawn. Order does not matter but
// for [Tally.Plies].
func (t *Tally) Add(levels [2]int, g Game) {
	if t.distinct == nil {
		t.distinct = map[uint64]bool{}
		t.ByReason = map[engine.Reason]int{}
		t.Points = make([]float64, len(g.Ranks))
	}
	t.Games++
	t.Replays += g.Replays
	t.Faults = append(t.Faults, g.Faults...)
	t.Nodes, t.Choices = t.Nodes+g.Nodes, t.Choices+g.Choices
	t.Plies = append(t.Plies, g.Plies)
	t.ByReason[g.Reason]++
	t.distinct[g.Moves] = true
	var best [2]bool
	first := 0
	for seat, rank := range g.Ranks {
		if rank != 1 {
			continue
		}
		first++
		for i, level := range levels {
			best[i] = best[i] || g.Levels[seat] == level
		}
	}
	for seat, rank := range g.Ranks {
		if rank == 1 {
			t.Points[seat] += 1 / float64(first)
		}
	}
	switch {
	case levels[0] == levels[1] && first < len(g.Ranks):
	case best[0] && best[1]:
		t.Drawn++
	case best[0]:
		t.Won++
	default:
		t.Lost++
	}
}

// Distinct returns the number of games with different moves.
func (t *Tally) Distinct() int { return len(t.distinct) }

// Score returns the first level's share of the points, a draw counting half.
func (t *Tally) Score() float64 { return (float64(t.Won) + float64(t.Drawn)/2) / float64(t.Games) }

// Share returns the part of all points that a seat has, partners of a side together.
func (t *Tally) Share(info engine.Info, side engine.Side) float64 {
	sum := 0.0
	for i, points := range t.Points {
		if info.SideOf(engine.Seat(i+1)) == side {
			sum += points
		}
	}
	return sum / float64(t.Games)
}

// Length returns the least, median and greatest number of plies of a game.
func (t *Tally) Length() (least, median, greatest int) {
	sorted := slices.Sorted(slices.Values(t.Plies))
	return sorted[0], sorted[len(sorted)/2], sorted[len(sorted)-1]
}

// Elo returns the difference of ratings that makes a share of the points the expected score (Elo, "The Rating of
// Chessplayers, Past and Present", 1978), with the logistic curve; infinite where a side has none.
func Elo(share float64) float64 { return 400 * math.Log10(share/(1-share)) }

// Wilson returns the 95 % confidence interval of a share seen in n games (Wilson, "Probable Inference, the Law of
// Succession, and Statistical Inference", 1927). Where draws count half the share varies less than wins and losses
// alone would, so that the interval is rather too wide.
func Wilson(share float64, n int) (low, high float64) {
	const z = 1.959963984540054
	m := float64(n)
	centre := (share + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(share*(1-share)/m+z*z/(4*m*m))
	return max(centre-half, 0), min(centre+half, 1)
}
