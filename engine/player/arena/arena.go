// Package arena lets bots play series of games against each other, and counts.
//
// A game of a series follows from the series and the game's number alone, so that any number of processors play the
// same series, in any order.
package arena

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"quatuor/engine"
	"quatuor/engine/player"
)

// ErrSeries means that the description of a series cannot be played.
var ErrSeries = errors.New("no such series")

// Series describes games between two levels, or of a level with itself. A level can be a program in place of a bot of
// ours.
type Series struct {
	Rules  engine.Rules
	Seats  int
	Levels [2]int
	Seed   uint64
	Nodes  int // of each choice of level 3
}

// The levels of programs; which they are is for [Series.PlayWith].
const (
	FirstProgram  = -1
	SecondProgram = -2
)

// ProgramOf returns the number of a level's program, from 0; false for a bot of ours.
func ProgramOf(level int) (n int, ok bool) { return FirstProgram - level, level <= FirstProgram }

// Chooser is a program that chooses moves.
type Chooser interface {
	// Choose returns a move of a seat that is on turn. An error is the program's own fault: the seat forfeits the game.
	Choose(m *engine.Match, seat engine.Seat) (engine.Move, error)
	// Over reports the end of a game.
	Over(*engine.Outcome)
}

// maxReplays is the number of times that a void game is played again before it counts as a draw.
const maxReplays = 2

// Game is a finished game of a series.
type Game struct {
	Levels  []int // by seat
	Ranks   []int // by seat, 1 is best
	Reason  engine.Reason
	Plies   int
	Replays int     // void games before it
	Moves   uint64  // hash of its moves, so that equal games can be counted
	Nodes   int     // of all choices of the greatest level
	Choices int     // of that level
	Faults  []error // of programs that forfeited
}

// New returns a series. Errors wrap ErrSeries.
func New(rules engine.Rules, seats int, levels [2]int, seed uint64, nodes int) (Series, error) {
	info := rules.Info()
	if seats == 0 {
		seats = info.Seats[0]
	}
	if !slices.Contains(info.Seats, seats) {
		return Series{}, fmt.Errorf("%w: %s is played with %v seats, not %d", ErrSeries, info.ID, info.Seats, seats)
	}
	for _, level := range levels {
		if level != FirstProgram && level != SecondProgram && (level < player.MinLevel || level > player.MaxLevel) {
			return Series{}, fmt.Errorf("%w: levels are %d to %d, not %d", ErrSeries, player.MinLevel, player.MaxLevel, level)
		}
	}
	if nodes < 1 {
		return Series{}, fmt.Errorf("%w: level 3 needs 1 node or more, not %d", ErrSeries, nodes)
	}
	return Series{Rules: rules, Seats: seats, Levels: levels, Seed: seed, Nodes: nodes}, nil
}

// Play plays game number n, from 0, of a series without programs.
func (s Series) Play(bot *player.Bot, n int) (Game, error) { return s.PlayWith(bot, nil, n) }

// PlayWith plays game number n, from 0, with the programs of FirstProgram and SecondProgram.
func (s Series) PlayWith(bot *player.Bot, programs []Chooser, n int) (Game, error) {
	game := Game{Levels: s.LevelsOf(n)}
	chance := rand.New(rand.NewPCG(s.Seed, uint64(n)))
	for {
		m, err := s.playOnce(bot, programs, &game, chance)
		if err != nil {
			return Game{}, fmt.Errorf("game %d: %w", n, err)
		}
		outcome := m.Pending().Outcome
		for _, p := range programs {
			p.Over(outcome)
		}
		game.Plies = m.Plies()
		game.Ranks = outcome.Ranks
		game.Reason = outcome.Reason
		if !outcome.Void() {
			return game, nil
		}
		if game.Replays == maxReplays {
			game.Ranks = slices.Repeat([]int{1}, s.Seats)
			return game, nil
		}
		game.Replays++
	}
}

func (s Series) playOnce(
	bot *player.Bot, programs []Chooser, game *Game, chance *rand.Rand,
) (*engine.Match, error) {
	m, err := s.start(chance)
	if err != nil {
		return nil, err
	}
	seed := chance.Uint64()
	for !m.Pending().Over() {
		seat := m.Pending().Awaited[0]
		level := game.Levels[seat-1]
		if n, ok := ProgramOf(level); ok {
			if m, err = s.playProgram(programs[n], m, seat, game); err != nil {
				return nil, err
			}
			continue
		}
		choice, err := bot.Choose(player.See(m, seat), level, player.SeedFor(seed, m.Turn()), player.Budget{Nodes: s.Nodes})
		if err != nil {
			return nil, err
		}
		if level == player.MaxLevel {
			game.Nodes, game.Choices = game.Nodes+choice.Nodes, game.Choices+1
		}
		if m, err = m.After(engine.Event{Kind: engine.Moved, Seat: seat, Text: string(choice.Move)}); err != nil {
			return nil, err
		}
		game.hash(choice.Move)
	}
	return m, nil
}

// playProgram plays a turn of a program: its move, or forfeit where it has none that is legal.
func (s Series) playProgram(p Chooser, m *engine.Match, seat engine.Seat, game *Game) (*engine.Match, error) {
	move, err := p.Choose(m, seat)
	if err == nil {
		next, illegal := m.After(engine.Event{Kind: engine.Moved, Seat: seat, Text: string(move)})
		if illegal == nil {
			game.hash(move)
			return next, nil
		}
		err = illegal
	}
	game.Faults = append(game.Faults, fmt.Errorf("seat %d, turn %d: %w", seat, m.Turn(), err))
	return m.After(engine.Event{Kind: engine.Left, Seat: seat, Text: "forfeit"})
}

// hash adds a move to the hash of a game's moves.
func (g *Game) hash(move engine.Move) {
	for _, b := range []byte(move) {
		g.Moves = (g.Moves ^ uint64(b)) * 1099511628211 // FNV-1a
	}
}

func (s Series) start(chance *rand.Rand) (*engine.Match, error) {
	info, seed := s.Rules.Info(), ""
	if info.Secret {
		raw := make([]byte, 0, 32)
		for range 4 {
			raw = binary.LittleEndian.AppendUint64(raw, chance.Uint64())
		}
		seed = hex.EncodeToString(raw)
	}
	setup, err := engine.NewSetup(info, s.Seats, seed, nil)
	if err != nil {
		return nil, err
	}
	return engine.NewMatch(s.Rules, setup)
}

// LevelsOf returns the level of each seat in game n. Of two sides, the first level has the first side in every other
// game. Of more, all ways to share the seats come in turn, each followed by its opposite; where the seats are odd in
// number, either level has an additional seat in half of the games.
func (s Series) LevelsOf(n int) []int {
	levels := make([]int, s.Seats)
	info := s.Rules.Info()
	sides := info.SidesAt(s.Seats)
	ways := shares(sides)
	way := ways[n/2%len(ways)]
	if n%2 == 1 {
		way = ^way
	}
	for i := range levels {
		side := info.SideOf(engine.Seat(i + 1))
		levels[i] = s.Levels[1-way>>(side-1)&1]
	}
	return levels
}

// shares returns the sets of half of the sides, rounded down, that hold no opposite of another: bit 0 is side 1.
func shares(sides int) []uint {
	var ways []uint
	for set := range uint(1) << sides {
		if bits.OnesCount(set) == sides/2 && (sides%2 == 1 || set&1 != 0) {
			ways = append(ways, set)
		}
	}
	return ways
}

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
