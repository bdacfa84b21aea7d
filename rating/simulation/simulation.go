// Package simulation lets players of known strength play seasons, rates these with several systems, and measures how
// well each system foretold the games: by the logarithmic loss (I. J. Good, "Rational decisions", 1952), which is least
// for true probabilities.
//
// A player's strength is a number of Elo points that drifts by a normal step with every game. In a game each side
// performs as the mean of its members' strengths plus a normal deviation; the better performance is ranked first. That
// is Thurstone's model (1927, case V), which none of the systems assumes exactly.
package simulation

import (
	"fmt"
	"math"
	"math/rand/v2"

	"quatuor/rating"
	"quatuor/rating/sequence"
)

// Shape is the form of a game: a number of sides with a number of players each.
type Shape struct {
	Name    string
	Sides   int
	Members int
}

// Shapes are the forms that are played here.
var Shapes = []Shape{{"two", 2, 1}, {"three", 3, 1}, {"four", 4, 1}, {"five", 5, 1}, {"pairs", 2, 2}}

// Contestant is a rating system with the name that a table shows.
type Contestant struct {
	Name     string
	System   rating.Forecaster
	Sequence func() *sequence.Sequence // makes an empty sequence
	Duels    bool                      // it rates games of two players only
	Period   int                       // games of each player after which a period is closed, 0 for none
}

// Setup configures a simulation.
type Setup struct {
	Players int     // a multiple of the players of a game
	Rounds  int     // games of each player
	Spread  float64 // standard deviation of the players' strengths at the start, Elo points
	Drift   float64 // standard deviation of the step that a player's strength takes with each game
	Noise   float64 // standard deviation of a performance
	Repeats int     // seasons over which the loss is averaged
	Seed    uint64
}

// Default is a club: 60 players from beginners to masters, improving or declining, and a game an evening for two years.
var Default = Setup{Players: 60, Rounds: 100, Spread: 250, Drift: 10, Noise: 200, Repeats: 40, Seed: 1}

// Stages are the numbers of games played before that begin the columns of a table.
var Stages = []int{0, 5, 10, 20, 40, 70}

// Row is the performance of a system in games of a shape.
type Row struct {
	Shape  Shape
	System string
	Rounds []float64 // by round: the mean loss of a comparison of two sides, natural logarithm
	Stages []float64 // the same by stage
}

// Run plays seasons of a shape and returns a row for each contestant that can rate it. The first row is the loss of the
// true probabilities, which no system can beat in the long run. progress is called after each season.
func Run(s Setup, shape Shape, contestants []Contestant, progress func()) ([]Row, error) {
	if per := shape.Sides * shape.Members; s.Players < per || s.Players%per != 0 {
		return nil, fmt.Errorf("%d players cannot play games of %d all at once", s.Players, per)
	}
	var playing []Contestant
	for _, c := range contestants {
		if !c.Duels || shape.Sides*shape.Members == 2 {
			playing = append(playing, c)
		}
	}
	loss := make([][]float64, len(playing)+1)
	for i := range loss {
		loss[i] = make([]float64, s.Rounds)
	}
	for repeat := range s.Repeats {
		w := newWorld(s, shape, playing, rand.New(rand.NewPCG(s.Seed, uint64(repeat))))
		for round := range s.Rounds {
			if err := w.play(round, loss); err != nil {
				return nil, err
			}
		}
		progress()
	}
	rows := []Row{{Shape: shape, System: "the truth", Rounds: loss[0]}}
	for i, c := range playing {
		rows = append(rows, Row{Shape: shape, System: c.Name, Rounds: loss[i+1]})
	}
	for i := range rows {
		rows[i].finish(float64(s.Repeats))
	}
	return rows, nil
}

// finish turns sums over seasons into means, and joins rounds to stages.
func (r *Row) finish(seasons float64) {
	for i := range r.Rounds {
		r.Rounds[i] /= seasons
	}
	for i, from := range Stages {
		to := len(r.Rounds)
		if i+1 < len(Stages) {
			to = min(to, Stages[i+1])
		}
		if from >= to {
			break
		}
		var sum float64
		for _, loss := range r.Rounds[from:to] {
			sum += loss
		}
		r.Stages = append(r.Stages, sum/float64(to-from))
	}
}

// world is a season: the players, their true strength, and their ratings by each system.
type world struct {
	Setup
	shape     Shape
	playing   []Contestant
	sequences []*sequence.Sequence
	names     []string
	strength  []float64
	chance    *rand.Rand
}

func newWorld(s Setup, shape Shape, playing []Contestant, chance *rand.Rand) *world {
	w := &world{Setup: s, shape: shape, playing: playing, chance: chance}
	for i := range s.Players {
		w.names = append(w.names, fmt.Sprintf("p%03d", i))
		w.strength = append(w.strength, s.Spread*chance.NormFloat64())
	}
	for _, c := range playing {
		w.sequences = append(w.sequences, c.Sequence())
	}
	return w
}

// play plays a round of random meetings of all players, and adds the round's mean loss of each system.
func (w *world) play(round int, loss [][]float64) error {
	order := w.chance.Perm(w.Players)
	per := w.shape.Sides * w.shape.Members
	games := w.Players / per
	for g := range games {
		sides := make([][]int, w.shape.Sides)
		for i := range sides {
			from := g*per + i*w.shape.Members
			sides[i] = order[from : from+w.shape.Members]
		}
		ranks := w.perform(sides)
		for i, forecast := range w.forecasts(sides) {
			loss[i][round] += lossOf(forecast, ranks) / float64(games)
		}
		game := sequence.Game{ID: fmt.Sprint(round, "-", g), Ranks: ranks, Sides: make([][]string, len(sides))}
		for i, side := range sides {
			for _, p := range side {
				game.Sides[i] = append(game.Sides[i], w.names[p])
			}
		}
		for i, s := range w.sequences {
			if _, err := s.Play(game); err != nil {
				return fmt.Errorf("%s: %w", w.playing[i].Name, err)
			}
		}
	}
	for p := range w.strength {
		w.strength[p] += w.Drift * w.chance.NormFloat64()
	}
	return w.closePeriods(round)
}

// closePeriods ends the periods of systems that rate by periods. A period's number is its month.
func (w *world) closePeriods(round int) error {
	for i, c := range w.playing {
		if c.Period == 0 || (round+1)%c.Period != 0 {
			continue
		}
		if _, err := w.sequences[i].Close("2026"); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	return nil
}

// mean returns the strength of a side.
func (w *world) mean(side []int) (strength float64) {
	for _, p := range side {
		strength += w.strength[p] / float64(len(side))
	}
	return strength
}

// perform draws how a game ends: ranks by side.
func (w *world) perform(sides [][]int) []int {
	performance := make([]float64, len(sides))
	for i, side := range sides {
		performance[i] = w.mean(side) + w.Noise*w.chance.NormFloat64()
	}
	ranks := make([]int, len(sides))
	for i := range sides {
		ranks[i] = 1
		for j := range sides {
			if performance[j] > performance[i] {
				ranks[i]++
			}
		}
	}
	return ranks
}

// forecasts returns the true probabilities and those of each system.
func (w *world) forecasts(sides [][]int) [][][]float64 {
	truth := make([][]float64, len(sides))
	for i := range sides {
		truth[i] = make([]float64, len(sides))
		for j := range sides {
			// the difference of two performances has √2 times the deviation of a performance
			truth[i][j] = 0.5 * math.Erfc((w.mean(sides[j])-w.mean(sides[i]))/(2*w.Noise))
		}
	}
	all := [][][]float64{truth}
	for i, c := range w.playing {
		rated := make([][]rating.Rating, len(sides))
		for k, side := range sides {
			for _, p := range side {
				rated[k] = append(rated[k], w.sequences[i].Rating(w.names[p]))
			}
		}
		all = append(all, c.System.Forecast(rated))
	}
	return all
}

// certain is the most that a forecast is taken to be sure of: the logarithm of nothing has no bounds.
const certain = 1e-4

// lossOf returns the mean logarithmic loss of the comparisons between all sides of a game.
func lossOf(forecast [][]float64, ranks []int) float64 {
	var sum float64
	comparisons := 0
	for i := range ranks {
		for j := range ranks {
			if ranks[i] < ranks[j] {
				sum -= math.Log(max(certain, forecast[i][j]))
				comparisons++
			}
		}
	}
	return sum / float64(comparisons)
}
