// Package bench measures a server through real HTTP, with as many clients as connections.
package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/terminal"
)

// Config configures a benchmark.
type Config struct {
	What string // moves, flags, spectators, accounts, growth, readers, deadlines, ends or hall
	// address of a server that all may register on, or of its several instances; empty to start a server
	Server      []string
	Connections int           // clients at once, each with a connection of its own
	Duration    time.Duration // of each measurement
	Runs        int           // number of repetitions of everything
	NoGroup     bool          // give every write a transaction of its own; only without Server
	Clocks      int           // for flags: the number of running clocks that do not fall
	FlagRate    int           // for flags: their number per second
	Spectators  int           // for spectators: their number at a game
	Games       int           // for growth: the games of the smallest database
	HallGames   int           // for hall: running games,
	HallReaders int           // streams of events,
	HallPlayers int           // and entries of the tournament
	Profile     string        // for moves: file for a CPU profile of the server; "" writes none
	JSON        bool          // print a line of JSON for each measurement instead of a table
}

// Measurement is the result for a kind of request.
type Measurement struct {
	What        string             `json:"what"`
	Run         int                `json:"run"`
	Connections int                `json:"connections"`
	Seconds     float64            `json:"seconds"`
	Requests    int                `json:"requests"`
	Rate        float64            `json:"per_second"`
	Errors      int                `json:"errors"`
	Millis      map[string]float64 `json:"ms"`               // by percentile: p50, p99, p99.9, max
	CPU         map[string]float64 `json:"cpu_us,omitempty"` // of a request, by server and client
	Histogram   []Bucket           `json:"histogram,omitempty"`
	Figures     map[string]float64 `json:"figures,omitempty"` // further figures, by name with their unit
	Version     string             `json:"version"`
	Go          string             `json:"go"`
	Cores       int                `json:"cores"`
	Settings    string             `json:"settings"`
}

// bench is a benchmark under way: the server that it measures, and the clients.
type bench struct {
	Config
	terminal.Streams
	server target
	load   *load

	outOfOrder int // lines that readers got in another order
}

// kind is a kind of measurement.
type kind struct {
	local   bool                                // needs a server of its own
	once    bool                                // is not repeated by --runs
	prepare func(*bench, context.Context) error // before the first run; may be nil
	run     func(*bench, context.Context) ([]Measurement, error)
	print   func(*bench, []Measurement) // all runs, as a table and whether the bars hold
}

var kinds = map[string]kind{
	"moves":      {prepare: (*bench).warmUp, run: (*bench).runMoves, print: (*bench).printMoves},
	"readers":    {prepare: (*bench).allowReaders, run: (*bench).runReaders, print: (*bench).printReaders},
	"deadlines":  {prepare: (*bench).warmUp, run: (*bench).runDeadlines, print: (*bench).printDeadlines},
	"ends":       {prepare: (*bench).warmUpEnds, run: (*bench).runEnds, print: (*bench).printRows},
	"flags":      {local: true, once: true, run: (*bench).runFlags, print: (*bench).printFlags},
	"accounts":   {local: true, prepare: (*bench).allowSpectators, run: (*bench).runAccounts, print: (*bench).printAccounts},
	"spectators": {local: true, prepare: (*bench).allowSpectators, run: (*bench).runSpectators, print: (*bench).printSpectators},
	"hall":       {local: true, prepare: (*bench).allowHall, run: (*bench).runHall, print: (*bench).printHall},
	"growth":     {local: true, once: true, run: (*bench).runGrowth, print: (*bench).printGrowth},
}

// Run measures and prints.
func Run(ctx context.Context, c Config, s terminal.Streams) error {
	kind := kinds[c.What]
	if len(c.Server) > 0 && (c.NoGroup || c.Profile != "" || kind.local) {
		return app.UsageErrorf("--no-group, --profile, and --what flags, spectators, accounts, growth or hall need a server of their own; " +
			"leave --server out")
	}
	if err := c.checkServers(); err != nil {
		return err
	}
	app.RelaxGC()
	b := &bench{Config: c, Streams: s}
	if c.What != "growth" { // which starts a server for each of its databases
		if err := b.connect(ctx, ""); err != nil {
			return err
		}
		defer b.server.stop()
	}
	if kind.prepare != nil {
		if err := kind.prepare(b, ctx); err != nil {
			return err
		}
	}
	if kind.once {
		b.Runs = 1
	}
	return b.measureAll(ctx, kind)
}

// connect registers players at the servers that were named, or at a server that is started for them on a folder; ""
// takes a temporary folder.
func (b *bench) connect(ctx context.Context, data string) (err error) {
	urls := b.Server
	if len(urls) > 0 {
		b.server = target{stop: func() {}}
		err = b.checkReady(ctx)
	} else if b.server, err = b.startServer(ctx, data); err == nil {
		urls = []string{b.server.url}
	}
	if err != nil {
		return err
	}
	if b.load, err = newLoad(ctx, urls, b.Connections); err != nil {
		b.server.stop()
	}
	return err
}

// measureAll carries out every run and prints it.
func (b *bench) measureAll(ctx context.Context, kind kind) error {
	var all []Measurement
	for run := 1; run <= b.Runs; run++ {
		some, err := kind.run(b, ctx)
		if err != nil {
			return err
		}
		for _, m := range some {
			m.Run = run
			all = append(all, m)
			if !b.JSON {
				continue
			}
			if err := json.NewEncoder(b.Out).Encode(m); err != nil {
				return err
			}
		}
	}
	if !b.JSON {
		kind.print(b, all)
	}
	if b.What != "moves" || b.Profile == "" {
		return nil
	}
	return b.writeProfile(ctx)
}

// warmUp lets moves be played until a new server's memory and files are as they stay.
func (b *bench) warmUp(ctx context.Context) error {
	err := b.load.openAhead(ctx)
	if err == nil {
		_, err = b.measure(ctx, "warming up", min(b.Duration, 3*time.Second), b.load.moves)
	}
	return err
}

// runMoves measures a request that does nothing and moves, a little of each at a time: a machine's speed may change
// within seconds, and both should see the same of it.
func (b *bench) runMoves(ctx context.Context) ([]Measurement, error) {
	if err := b.load.openAhead(ctx); err != nil {
		return nil, err
	}
	const turns = 5
	health, moves := newTimed("GET /healthz", b.Connections, b.load.health), newTimed("moves", b.Connections, b.load.moves)
	for range turns {
		for _, t := range []*timed{health, moves} {
			if err := t.goOn(ctx, b.server, b.Duration/turns); err != nil {
				return nil, err
			}
		}
	}
	return []Measurement{b.result(health), b.result(moves)}, nil
}

// writeProfile keeps playing for the length of a measurement and writes the server's profile of that time.
func (b *bench) writeProfile(ctx context.Context) error {
	var profile []byte
	var group errgroup.Group
	group.Go(func() (err error) {
		profile, err = b.server.read(ctx, fmt.Sprintf("/debug/pprof/profile?seconds=%.0f", math.Ceil(b.Duration.Seconds())))
		return err
	})
	_, err := b.measure(ctx, "moves", b.Duration, b.load.moves)
	if err = errors.Join(err, group.Wait()); err != nil {
		return fmt.Errorf("the profile: %w", err)
	}
	return os.WriteFile(b.Profile, profile, 0o644)
}

// work is a client's task, repeated until ctx ends.
type work func(ctx context.Context, client int, r *recorder) error

// measure lets every client do its work for so long.
func (b *bench) measure(ctx context.Context, what string, long time.Duration, work work) (Measurement, error) {
	t := newTimed(what, b.Connections, work)
	err := t.goOn(ctx, b.server, long)
	return b.result(t), err
}

// timed is work that is measured, all at once or a little at a time.
type timed struct {
	what      string
	work      work
	recorders []*recorder // by client
	took      time.Duration
	spent     cpuTime
}

func newTimed(what string, clients int, work work) *timed {
	t := &timed{what: what, work: work, recorders: make([]*recorder, clients)}
	for i := range t.recorders {
		t.recorders[i] = &recorder{}
	}
	return t
}

// goOn lets every client do its work over and over for so long.
func (t *timed) goOn(ctx context.Context, server target, long time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, long)
	defer cancel()
	clients, ctx := errgroup.WithContext(ctx)
	began, spent := time.Now(), server.cpu()
	for i, r := range t.recorders {
		clients.Go(func() error { return t.work(ctx, i, r) })
	}
	err := clients.Wait()
	t.took += time.Since(began)
	t.spent = t.spent.plus(server.cpu().minus(spent))
	if err != nil {
		return fmt.Errorf("%s: %w", t.what, err)
	}
	return nil
}

// result sums up the measurement so far.
func (b *bench) result(t *timed) Measurement {
	m := b.sum(t.what, t.took, t.recorders...)
	m.CPU, m.Connections = t.spent.each(m.Requests), len(t.recorders)
	return m
}

// sum sums up the recorded requests of a kind over a duration.
func (b *bench) sum(what string, took time.Duration, recorders ...*recorder) Measurement {
	m := b.signed(Measurement{What: what, Seconds: took.Seconds(), Millis: map[string]float64{}})
	var all []time.Duration
	for _, r := range recorders {
		all = append(all, r.took...)
		m.Errors += r.errors
	}
	slices.Sort(all)
	m.Requests, m.Rate = len(all), float64(len(all))/took.Seconds()
	for name, share := range percentiles {
		if len(all) > 0 {
			m.Millis[name] = float64(all[min(len(all)-1, int(share*float64(len(all))))].Microseconds()) / 1000
		}
	}
	return m
}

// signed adds to a measurement its subject and its configuration.
func (c Config) signed(m Measurement) Measurement {
	m.Connections = c.Connections
	m.Version = app.Version()
	m.Go = runtime.Version()
	m.Cores = runtime.NumCPU()
	m.Settings = "synchronous=FULL, group commit"
	if c.NoGroup {
		m.Settings = "synchronous=FULL, one transaction a move"
	}
	switch len(c.Server) {
	case 0:
	case 1:
		m.Settings = "as the server was started"
	default:
		m.Settings = fmt.Sprintf("as the %d instances were started", len(c.Server))
	}
	return m
}

// printMoves shows the cost of a move beside a request that does nothing, too: compared within each run, for a
// machine's speed may change between runs.
func (b *bench) printMoves(all []Measurement) {
	b.printRows(all)
	var rates, spent []float64
	for i := 0; i+1 < len(all); i += 2 {
		health, moves := all[i], all[i+1]
		rates = append(rates, moves.Rate/health.Rate)
		spent = append(spent, (health.CPU["server"]+health.CPU["client"])/(moves.CPU["server"]+moves.CPU["client"]))
	}
	fmt.Fprintf(b.Out, "moves : healthz = %.2f (median of the runs)\n", median(rates))
	if len(b.Server) == 0 {
		fmt.Fprintf(b.Out, "the same by CPU time, which other programs on the machine do not touch: %.2f\n", median(spent))
	}
}

// printRows shows the measurements as a table, and how they were made.
func (b *bench) printRows(all []Measurement) {
	var rows [][]string
	for _, m := range all {
		row := []string{m.What, strconv.Itoa(m.Requests), fmt.Sprintf("%.0f", m.Rate)}
		for _, name := range []string{"p50", "p99", "p99.9", "max"} {
			row = append(row, fmt.Sprintf("%.2f", m.Millis[name]))
		}
		rows = append(rows, append(row, strconv.Itoa(m.Errors), m.micros("server"), m.micros("client")))
	}
	terminal.PrintTable(b.Out, []string{
		"What", "Requests", "A second", "p50 ms", "p99 ms", "p99.9 ms", "Max ms", "Errors", "Server CPU µs", "Client CPU µs",
	}, rows)
	fmt.Fprintf(b.Out, "%d connections, %s each, %s, %s, %d cores, %s\n",
		b.Connections, b.Duration, all[0].Version, all[0].Go, all[0].Cores, all[0].Settings)
}

// micros is the CPU time of a request as the table shows it.
func (m Measurement) micros(of string) string {
	if spent, ok := m.CPU[of]; ok {
		return fmt.Sprintf("%.1f", spent)
	}
	return "-"
}
