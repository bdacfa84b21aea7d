package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"quatuor/cmd/quatuor/harness"
	"quatuor/cmd/quatuor/terminal"
	"quatuor/engine"
	"quatuor/engine/catalog"
)

// Bars for spectators.
const (
	lastToldWithin     = 100 * time.Millisecond
	spectatorKiB       = 40
	slowedBySpectators = 0.1 // at most, of the rate of moves in other games
)

const (
	// watchedEvery is the time between moves of the watched game while nothing else happens, and watchedAmong while
	// other games are played.
	watchedEvery = 200 * time.Millisecond
	watchedAmong = time.Second
	// watchedVariant is a game that can be played on without an end.
	watchedVariant = "quixo/duel"
)

// lastOf returns the version of the last of some moves, 0 of none.
func lastOf(moves []watchedMove) int64 {
	if len(moves) == 0 {
		return 0
	}
	return moves[len(moves)-1].version
}

// watchedGame is the game that all spectators watch.
type watchedGame struct {
	openGame
	match *engine.Match
	moves []watchedMove
}

// watchedMove is a move of the watched game: the time it was sent, the time of the mover's answer, and the outcome.
type watchedMove struct {
	version        int64
	seat           int
	sent, answered time.Time
}

func (b *bench) allowSpectators(context.Context) error {
	return allowFiles(b.Spectators + 2*b.Connections + 200)
}

// The measurements of spectators.
const (
	movesWithout    = "moves without spectators"
	movesWith       = "moves with spectators of another game"
	toEach          = "from a move sent to each spectator"
	toLast          = "from a move sent to the last spectator"
	toLastAnswered  = "from the answer to the last spectator"
	toLastAmong     = "to the last spectator among other moves"
	figureMemory    = "kib_of_memory_each"
	figureResident  = "kib_resident_each"
	figureFrameSize = "bytes_each_move"
	figureShare     = "percent_of_the_processor"
)

// runSpectators measures the cost of a game's spectators: the delay of a move to the last of them, the server's memory
// for each, and the slowdown of the moves of other games.
func (b *bench) runSpectators(ctx context.Context) ([]Measurement, error) {
	without, err := b.measure(ctx, movesWithout, b.Duration, b.load.moves)
	if err != nil {
		return nil, err
	}
	game, err := openWatched(ctx, b.load.players[:2], rand.New(rand.NewPCG(3, 4)))
	if err != nil {
		return nil, err
	}
	before, err := b.server.memory(ctx)
	if err != nil {
		return nil, err
	}
	bar := terminal.Progress(b.Err, b.Spectators, "connecting", "spectators")
	crowd, err := gather(ctx, b.server.url, game.id, b.Spectators, b.Connections, func() { bar.Add(1) })
	bar.Finish()
	if err != nil {
		return nil, err
	}
	defer crowd.leave()
	spent := b.server.cpu()
	if err := game.moveFor(ctx, b.Duration, watchedEvery); err != nil {
		return nil, err
	}
	quiet := game.moves
	crowd.waitFor(quiet)
	telling := b.server.cpu().minus(spent).each(b.Spectators * len(quiet))
	after, err := b.server.memory(ctx)
	if err != nil {
		return nil, err
	}
	game.moves = nil
	var moving errgroup.Group
	moving.Go(func() error { return game.moveFor(ctx, b.Duration, watchedAmong) })
	with, err := b.measure(ctx, movesWith, b.Duration, b.load.moves)
	if err = errors.Join(err, moving.Wait()); err != nil {
		return nil, err
	}
	crowd.waitFor(game.moves)
	crowd.leave()
	each, last, answered := crowd.delays(quiet)
	_, among, _ := crowd.delays(game.moves)
	delays, n := b.sum(toEach, b.Duration, each), float64(b.Spectators)
	delays.CPU = telling
	delays.Figures = map[string]float64{
		figureMemory: (after.live - before.live) / n / 1024, figureResident: (after.resident - before.resident) / n / 1024,
		figureFrameSize: float64(crowd.bytes()) / n / float64(len(quiet)+len(game.moves)),
		figureShare: 100 * n * (telling["server"] + telling["client"]) / watchedAmong.Seconds() / 1e6 /
			float64(runtime.NumCPU()),
	}
	return []Measurement{
		without, with, delays, b.sum(toLast, b.Duration, last), b.sum(toLastAnswered, b.Duration, answered),
		b.sum(toLastAmong, b.Duration, among),
	}, nil
}

// openWatched starts a game that is going to be watched.
func openWatched(ctx context.Context, seats []harness.Player, chance *rand.Rand) (*watchedGame, error) {
	rules, err := catalog.Find(watchedVariant)
	if err != nil {
		return nil, err
	}
	g := &watchedGame{openGame: openGame{info: rules.Info(), seats: seats, chance: chance}}
	if err := g.open(ctx); err != nil {
		return nil, err
	}
	setup, err := engine.NewSetup(g.info, len(g.seats), "", nil)
	if err != nil {
		return nil, err
	}
	g.match, err = engine.NewMatch(rules, setup)
	return g, err
}

// moveFor makes a move every so often, for a while.
func (g *watchedGame) moveFor(ctx context.Context, long, every time.Duration) error {
	pace := time.NewTicker(every)
	defer pace.Stop()
	for end := time.Now().Add(long); time.Now().Before(end); {
		select {
		case <-pace.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := g.goOn(ctx); err != nil {
			return err
		}
	}
	return nil
}

// goOn makes a move that does not end the game.
func (g *watchedGame) goOn(ctx context.Context) error {
	seat := g.match.Pending().Awaited[0]
	legal := g.match.State().Legal(seat)
	g.chance.Shuffle(len(legal), func(i, j int) { legal[i], legal[j] = legal[j], legal[i] })
	for _, token := range legal {
		next, err := g.match.After(engine.Event{Kind: engine.Moved, Seat: seat, Text: string(token)})
		if err != nil {
			return err
		}
		if next.Pending().Over() {
			continue
		}
		// the first line is the start
		move := watchedMove{version: int64(next.Plies()) + 1, seat: int(seat), sent: time.Now()}
		body := moveBody(int(seat), g.match.Turn(), string(token), move.version-1)
		if err := g.move(ctx, &recorder{}, scriptedMove{int(seat), body}, nil); err != nil {
			return err
		}
		move.answered = time.Now()
		g.match, g.moves = next, append(g.moves, move)
		return nil
	}
	return errors.New("every move ends the watched game")
}

// memoryUse is the server's memory, in bytes.
type memoryUse struct {
	live     float64 // heap and stacks in use after a collection
	resident float64 // of the whole process
}

// memory lets the server collect its garbage and reads the memory left in use.
func (b target) memory(ctx context.Context) (m memoryUse, err error) {
	if _, err := b.read(ctx, "/debug/pprof/heap?gc=1"); err != nil {
		return m, err
	}
	for name, into := range map[string]*float64{
		"go_memstats_heap_inuse_bytes": &m.live, "go_memstats_stack_inuse_bytes": &m.live,
		"process_resident_memory_bytes": &m.resident,
	} {
		n, e := b.metric(ctx, name)
		*into, err = *into+n, errors.Join(err, e)
	}
	return m, err
}

// printSpectators reports whether the bars hold.
func (b *bench) printSpectators(all []Measurement) {
	b.printRows(all)
	values := map[string][]float64{}
	for _, m := range all {
		switch m.What {
		case movesWith, movesWithout:
			values[m.What] = append(values[m.What], m.Rate)
		case toLast, toLastAnswered:
			values[m.What] = append(values[m.What], m.Millis["p99"])
		case toEach:
			for name, figure := range m.Figures {
				values[name] = append(values[name], figure)
			}
		}
	}
	fmt.Fprintf(b.Out, "p99 to the last spectator, from the move's sending %.1f ms, from its answer %.1f ms (bar: %d ms)\n",
		median(values[toLast]), median(values[toLastAnswered]), lastToldWithin.Milliseconds())
	fmt.Fprintf(b.Out, "memory for each spectator: %.1f KiB of heap and stacks, %.1f KiB resident (bar: %d KiB); %.0f "+
		"bytes for each move\n",
		median(values[figureMemory]), median(values[figureResident]), spectatorKiB, median(values[figureFrameSize]))
	fmt.Fprintf(b.Out, "moves of other games with spectators : without = %s (medians; bar: %.1f)\n",
		strconv.FormatFloat(median(values[movesWith])/median(values[movesWithout]), 'f', 2, 64), 1-slowedBySpectators)
	fmt.Fprintf(b.Out, "telling them of a move every %s takes server and spectators together %.1f %% of the processor\n",
		watchedAmong, median(values[figureShare]))
}
