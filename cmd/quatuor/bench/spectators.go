package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"time"

	"quatuor/cmd/quatuor/client"
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
	// watchedEvery is how often the watched game sees a move while nothing else happens, and watchedAmong while other
	// games are played.
	watchedEvery = 200 * time.Millisecond
	watchedAmong = time.Second
	// watchedVariant is a game that can be played on without an end.
	watchedVariant = "quixo/duel"
)

// watchedGame is the game that all spectators watch.
type watchedGame struct {
	openGame
	match *engine.Match
	moves []watchedMove
}

// watchedMove is a move of the watched game: when it was sent, when the mover had its answer, and what came of it.
type watchedMove struct {
	version        int64
	seat           int
	sent, answered time.Time
}

// benchSpectators measures what the spectators of one game cost: how long after a move the last of them knows, what
// memory each takes in the server, and by how much they slow the moves of other games.
func (c Config) benchSpectators(ctx context.Context, s terminal.Streams, server target, load *load) error {
	if err := allowFiles(c.Spectators + 2*c.Connections + 200); err != nil {
		return err
	}
	var all []Measurement
	for run := 1; run <= c.Runs; run++ {
		some, err := c.spectate(ctx, s, server, load)
		if err != nil {
			return err
		}
		for _, m := range some {
			m.Run = run
			all = append(all, m)
			if err := c.printJSON(s, m); err != nil {
				return err
			}
		}
	}
	if !c.JSON {
		c.printRows(s, all)
		printSpectators(s, all)
	}
	return nil
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

// spectate is one run.
func (c Config) spectate(ctx context.Context, s terminal.Streams, server target, load *load) ([]Measurement, error) {
	without, err := c.measure(ctx, server, movesWithout, load.moves)
	if err != nil {
		return nil, err
	}
	game, err := openWatched(ctx, load.players[:2], rand.New(rand.NewPCG(3, 4)))
	if err != nil {
		return nil, err
	}
	before, err := server.memory(ctx)
	if err != nil {
		return nil, err
	}
	bar := terminal.Progress(s.Err, c.Spectators, "connecting", "spectators")
	crowd, err := gather(ctx, server.url, game.id, c.Spectators, c.Connections, func() { _ = bar.Add(1) })
	_ = bar.Finish()
	if err != nil {
		return nil, err
	}
	defer crowd.leave()
	spent := server.cpu()
	if err := game.moveFor(ctx, c.Duration, watchedEvery); err != nil {
		return nil, err
	}
	quiet := game.moves
	crowd.waitFor(quiet)
	telling := server.cpu().minus(spent).each(c.Spectators * len(quiet))
	after, err := server.memory(ctx)
	if err != nil {
		return nil, err
	}
	game.moves = nil
	moving := make(chan error, 1)
	go func() { moving <- game.moveFor(ctx, c.Duration, watchedAmong) }()
	with, err := c.measure(ctx, server, movesWith, load.moves)
	if err = errors.Join(err, <-moving); err != nil {
		return nil, err
	}
	crowd.waitFor(game.moves)
	crowd.leave()
	each, last, answered := crowd.delays(quiet)
	_, among, _ := crowd.delays(game.moves)
	all := []Measurement{without, with}
	for _, told := range []struct {
		what string
		*recorder
	}{{toEach, each}, {toLast, last}, {toLastAnswered, answered}, {toLastAmong, among}} {
		m := c.signed(summarize([]*recorder{told.recorder}, c.Duration))
		m.What = told.what
		if told.what == toEach {
			m.CPU = telling
			n := float64(c.Spectators)
			m.Figures = map[string]float64{
				figureMemory: (after.live - before.live) / n / 1024, figureResident: (after.resident - before.resident) / n / 1024,
				figureFrameSize: float64(crowd.bytes()) / n / float64(len(quiet)+len(game.moves)),
				figureShare: 100 * n * (telling["server"] +
					telling["client"]) / watchedAmong.Seconds() / 1e6 / float64(runtime.NumCPU()),
			}
		}
		all = append(all, m)
	}
	return all, nil
}

// openWatched starts a game that is going to be watched.
func openWatched(ctx context.Context, seats []client.Player, chance *rand.Rand) (*watchedGame, error) {
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

// goOn makes a move after which the game goes on.
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

// memoryUse is what the server takes, in bytes.
type memoryUse struct {
	live     float64 // heap and stacks in use after a collection
	resident float64 // of the whole process
}

// memory lets the server collect its garbage and reads what is left.
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
func printSpectators(s terminal.Streams, all []Measurement) {
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
	fmt.Fprintf(s.Out, "p99 to the last spectator, from the move's sending %.1f ms, from its answer %.1f ms (bar: %d "+
		"ms)\n",
		median(values[toLast]), median(values[toLastAnswered]), lastToldWithin.Milliseconds())
	fmt.Fprintf(s.Out, "memory for each spectator: %.1f KiB of heap and stacks, %.1f KiB resident (bar: %d KiB); %.0f "+
		"bytes for each move\n",
		median(values[figureMemory]), median(values[figureResident]), spectatorKiB, median(values[figureFrameSize]))
	fmt.Fprintf(s.Out, "moves of other games with spectators : without = %s (medians; bar: %.1f)\n",
		strconv.FormatFloat(median(values[movesWith])/median(values[movesWithout]), 'f', 2, 64), 1-slowedBySpectators)
	fmt.Fprintf(s.Out, "telling them of a move every %s takes server and spectators together %.1f %% of the processor\n",
		watchedAmong, median(values[figureShare]))
}
