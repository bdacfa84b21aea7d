// Package player holds the bots: programs that play every variant at three levels, for practice and for a missing player.
//
//	level   Quixo, Quits, Quivive                               Qui'win
//	1       a random move, but it wins at once where it can,    its shortest tile, since short rows win two tiers of
//	        and does not lose at once (in a melee of Quivive    three; its action as soon as it may
//	        for half of its moves only)
//	2       a search of a few dozen positions                   a search of a few playouts
//	3       a search of as many positions as its budget allows  a search of as many playouts
//
// Games of two sides are searched by alpha-beta, those of more by max^n, mostly with a model of the opponents, and Qui'win, with
// its hidden hands and sealed choices, by information set Monte Carlo tree search: see the packages alphabeta, maxn and
// montecarlo. What is worth what in each game is here. The podiums of Quivive are placed at random by all levels: no pawn
// stands yet, and no place has been found to be better than another.
//
// A bot knows a game only as [See] shows it: what its seat may see. Its choice follows from that, its level, a seed and a
// number of nodes, and is the same in every run; a budget of time makes it depend on the machine.
package player

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"quatuor/engine"
	"quatuor/engine/player/alphabeta"
	"quatuor/engine/player/maxn"
	"quatuor/engine/player/montecarlo"
	"quatuor/engine/quits"
	"quatuor/engine/quivive"
	"quatuor/engine/quixo"
)

// The levels of bots.
const (
	MinLevel = 1
	MaxLevel = 3
)

// ErrNoMove means that a bot was asked for a move in a game that does not wait for its seat, or that it cannot play.
var ErrNoMove = errors.New("no move for a bot")

// Seen is what one seat may know of a game.
type Seen struct {
	Variant string
	Seat    engine.Seat
	Legal   []engine.Move
	View    engine.View
	State   engine.Walkable // nil in a game with secrets
	Past    map[uint64]bool // keys of the positions that have stood; nil where none can come again
}

// See returns what a seat may know of a match. Nothing that is hidden from the seat is in it.
func See(m *engine.Match, seat engine.Seat) Seen {
	info := m.Info()
	p := m.Outline(engine.ViewerOf(seat))
	seen := Seen{Variant: info.ID, Seat: seat, Legal: p.Legal[seat], View: m.State().View(engine.ViewerOf(seat))}
	if info.Secret {
		return seen
	}
	if w, ok := m.State().(engine.Walkable); ok {
		seen.State = w
		seen.Past = past(m)
	}
	return seen
}

// past returns the keys of the positions before the present one; nil where positions cannot repeat.
func past(m *engine.Match) map[uint64]bool {
	if m.Info().Family() == "quivive" || m.Setup().Regulations.Repetition == 0 {
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

// Budget is what a choice may cost.
type Budget struct {
	Nodes int         // maximum number of nodes of level 3; 0 for no limit
	Stop  func() bool // level 3 stops when it returns true; nil for never
}

// Choice is a bot's move, with what it took.
type Choice struct {
	Move  engine.Move
	Nodes int // positions or playouts looked at
	Depth int // of an alpha-beta search, in plies
}

// Bot plays any game at any level. It is used by one goroutine at a time; what it keeps between choices is memory only.
type Bot struct {
	two     *alphabeta.Search
	several *maxn.Search
	secret  *montecarlo.Search
}

// tableBits is the size of the transposition tables: 2^16 entries are 1.5 MiB for two sides, 2.5 MiB for more.
const tableBits = 16

// New returns a bot.
func New() *Bot {
	return &Bot{two: alphabeta.New(tableBits), several: maxn.New(tableBits), secret: montecarlo.New()}
}

// Choose returns a level's move for the seat that sees. The seed decides between moves that are equally good to it. Errors
// wrap ErrNoMove.
func (b *Bot) Choose(seen Seen, level int, seed uint64, budget Budget) (Choice, error) {
	if level < MinLevel || level > MaxLevel {
		return Choice{}, fmt.Errorf("%w: there is no level %d; levels are %d to %d", ErrNoMove, level, MinLevel, MaxLevel)
	}
	if len(seen.Legal) == 0 {
		return Choice{}, fmt.Errorf("%w: seat %d is not awaited", ErrNoMove, seen.Seat)
	}
	chance := rand.New(rand.NewPCG(seed, uint64(seen.Seat)))
	if seen.State == nil {
		return b.hidden(seen, level, chance, budget)
	}
	return b.open(seen, level, chance, budget)
}

// open chooses a move in a game without secrets.
func (b *Bot) open(seen Seen, level int, chance *rand.Rand, budget Budget) (Choice, error) {
	game, err := gameOf(seen)
	if err != nil {
		return Choice{}, err
	}
	steps := game.Steps(nil)
	slices.SortFunc(steps, func(a, b engine.Step) int { return int(a) - int(b) })
	chance.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
	if level == 1 && seen.Variant == "quivive/melee" && chance.IntN(2) == 0 {
		steps = steps[:1] // in a melee it has a plan for half of its moves only
	}
	if level == 1 || aimless(game) {
		return Choice{Move: game.Move(plan(game, steps)), Nodes: len(steps)}, nil
	}
	limits := alphabeta.Limits{Nodes: budget.Nodes, Stop: budget.Stop}
	if level == 2 {
		limits = alphabeta.Limits{Nodes: smallBudget[seen.Variant]}
	}
	if g, ok := several(game, level); ok {
		r := b.several.Best(g, steps, maxn.Limits{Nodes: limits.Nodes, Stop: limits.Stop})
		return Choice{Move: game.Move(r.Step), Nodes: r.Nodes, Depth: r.Depth}, nil
	}
	r := b.two.Best(game, steps, seen.Past, limits)
	return Choice{Move: game.Move(r.Step), Nodes: r.Nodes, Depth: r.Depth}, nil
}

// several returns the game as it is searched where it has more than two sides. In a melee of Quivive level 3 models its
// opponents; level 2 has plain max^n.
func several(game alphabeta.Game, level int) (maxn.Game, bool) {
	g, ok := game.(maxn.Game)
	if q, is := game.(quiviveGame); is && level == 3 {
		g = quiviveModel{q}
	}
	return g, ok && g.Sides() > 2
}

// smallBudget is the number of nodes of level 2, by variant.
var smallBudget = map[string]int{
	"quixo/duel": 60, "quixo/teams": 60,
	"quits/duel": 60, "quits/short": 60, "quits/four": 5,
	"quivive/duel": 30, "quivive/melee": 25, "quivive/teams": 30,
}

// gameOf returns the game to be searched for the side of the seat that sees.
func gameOf(seen Seen) (alphabeta.Game, error) {
	switch c := seen.State.Cursor().(type) {
	case *quixo.Cursor:
		return quixoGame{c, engine.Side(seen.Seat-1)&1 + 1}, nil
	case *quits.Cursor:
		return quitsGame{c, seen.Seat}, nil
	case *quivive.Cursor:
		return quiviveGame{c, c.SideOf(seen.Seat)}, nil
	}
	return nil, fmt.Errorf("%w: no bot plays %s", ErrNoMove, seen.Variant)
}

// aimless reports whether no move can be told from another: the podiums of Quivive are placed before any pawn stands.
func aimless(game alphabeta.Game) bool {
	g, ok := game.(quiviveGame)
	return ok && !g.Playing() && !g.PlacingPawns()
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
