// Package player holds the bots: programs that play every variant at three levels, for practice and for a missing
// player.
//
//	level   Quixo, Quits, Quivive                               Qui'win
//	1       a random move, but it wins at once where it can,    its shortest tile, since short rows win two tiers of
//	        and does not lose at once (in a melee of Quivive    three; its action as soon as it may
//	        for half of its moves only)
//	2       a search of a few dozen positions                   a search of a few playouts
//	3       a search of as many positions as its budget allows  a search of as many playouts
//
// Games of two sides are searched by alpha-beta, those of more by max^n: see the packages alphabeta and maxn.
// Evaluation, and play in games with secrets, belong to the game's face.
//
// A bot knows a game only as [See] shows it: what its seat may see. Its choice follows from that, its level, a seed and
// a number of nodes, and is the same in every run; a budget of time makes it depend on the machine.
package player

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/face"
	"quatuor/engine/player/alphabeta"
	"quatuor/engine/player/maxn"
)

// The levels of bots.
const (
	MinLevel = 1
	MaxLevel = 3
)

// ErrNoMove means that the game does not await the bot's seat, or that no bot plays it.
var ErrNoMove = errors.New("no move for a bot")

// Seen is a seat's knowledge of a game.
type Seen = face.Seen

// See returns a seat's view of a match. Nothing that is hidden from the seat is in it.
func See(m *engine.Match, seat engine.Seat) Seen {
	info := m.Info()
	p := m.Outline(engine.ViewerOf(seat))
	seen := Seen{Variant: info.ID, Seat: seat, Legal: p.Legal[seat], View: m.State().View(engine.ViewerOf(seat))}
	if info.Secret {
		return seen
	}
	if w, ok := m.State().(engine.Walkable); ok {
		seen.State = w
		seen.Past = func() map[uint64]bool { return past(m) }
	}
	return seen
}

// past returns the keys of the positions before the present position; nil where repetition does not count.
func past(m *engine.Match) map[uint64]bool {
	if m.Setup().Regulations.Repetition == 0 {
		return nil
	}
	state, err := m.Rules().Start(m.Setup())
	if err != nil {
		return nil
	}
	keys := map[uint64]bool{}
	for _, e := range m.Events() {
		w, ok := state.(engine.Walkable)
		if !ok {
			return nil
		}
		keys[w.Cursor().Key()] = true
		if state, err = state.Apply(e); err != nil {
			return nil
		}
	}
	return keys
}

// Budget is the maximum cost of a choice.
type Budget struct {
	Nodes int         // maximum number of nodes of level 3; 0 for no limit
	Stop  func() bool // level 3 stops when it returns true; nil for never
}

// Choice is a bot's move, with its cost.
type Choice struct {
	Move  engine.Move
	Nodes int // positions or playouts looked at
	Depth int // of an alpha-beta search, in plies
}

// Bot plays any game at any level. It is used by a single goroutine at a time; it keeps nothing but memory between
// choices.
type Bot struct {
	two     *alphabeta.Search
	several *maxn.Search
	blind   map[string]face.Blind // by variant
}

// tableBits is the size of the transposition tables: 2^16 entries are 1.5 MiB for two sides, 2.5 MiB for more.
const tableBits = 16

// New returns a bot.
func New() *Bot {
	return &Bot{two: alphabeta.New(tableBits), several: maxn.New(tableBits), blind: map[string]face.Blind{}}
}

// Choose returns a level's move for the seat that sees. The seed decides between moves that are equally good to it.
// Errors wrap ErrNoMove.
func (b *Bot) Choose(seen Seen, level int, seed uint64, budget Budget) (Choice, error) {
	if level < MinLevel || level > MaxLevel {
		return Choice{}, fmt.Errorf("%w: there is no level %d; levels are %d to %d", ErrNoMove, level, MinLevel, MaxLevel)
	}
	if len(seen.Legal) == 0 {
		return Choice{}, fmt.Errorf("%w: seat %d is not awaited", ErrNoMove, seen.Seat)
	}
	chance := rand.New(rand.NewPCG(seed, uint64(seen.Seat)))
	game := catalog.FaceOf(seen.Variant)
	if seen.State == nil {
		if b.blind[seen.Variant] == nil {
			b.blind[seen.Variant] = game.Blind()
		}
		if blind := b.blind[seen.Variant]; blind != nil {
			move, nodes := blind.Choose(seen, level, budget.Nodes, budget.Stop, chance)
			return Choice{Move: move, Nodes: nodes}, nil
		}
	} else if search := game.Search(seen, level); search != nil {
		return b.open(search, seen, level, chance, budget), nil
	}
	return Choice{}, fmt.Errorf("%w: no bot plays %s", ErrNoMove, seen.Variant)
}

// open chooses a move in a game without secrets.
func (b *Bot) open(search *face.Search, seen Seen, level int, chance *rand.Rand, budget Budget) Choice {
	game := search.Game
	steps := game.Steps(nil)
	slices.SortFunc(steps, func(a, b engine.Step) int { return int(a) - int(b) })
	chance.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
	if level == 1 && search.Careless && chance.IntN(2) == 0 {
		steps = steps[:1]
	}
	if level == 1 || search.Undirected {
		return Choice{Move: game.Move(plan(game, steps)), Nodes: len(steps)}
	}
	limits := alphabeta.Limits{Nodes: budget.Nodes, Stop: budget.Stop}
	if level == 2 {
		limits = alphabeta.Limits{Nodes: search.Nodes}
	}
	if g, ok := game.(maxn.Game); ok && g.Sides() > 2 {
		r := b.several.Best(g, steps, maxn.Limits{Nodes: limits.Nodes, Stop: limits.Stop})
		return Choice{Move: game.Move(r.Step), Nodes: r.Nodes, Depth: r.Depth}
	}
	var past map[uint64]bool
	if seen.Past != nil && !search.Progresses {
		past = seen.Past()
	}
	r := b.two.Best(game, steps, past, limits)
	return Choice{Move: game.Move(r.Step), Nodes: r.Nodes, Depth: r.Depth}
}

// plan returns the first move that wins at once, or else the first that does not lose at once.
func plan(game alphabeta.Game, steps []engine.Step) engine.Step {
	best, value := steps[0], alphabeta.Loss-1
	for _, step := range steps {
		game.Make(step)
		v := 0
		if game.Over() {
			v = game.Value()
		}
		game.Unmake()
		if v > value {
			best, value = step, v
		}
	}
	return best
}

// SeedFor returns the seed of a choice in a game with a seed, so that a choice made again is the same.
func SeedFor(game uint64, turn int) uint64 { return rand.NewPCG(game, uint64(turn)).Uint64() }
