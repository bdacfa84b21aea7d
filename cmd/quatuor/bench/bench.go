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
	"strconv"
	"time"

	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/terminal"
)

// Config configures a benchmark.
type Config struct {
	What string // moves, flags, spectators, growth, readers, deadlines or ends
	// address of a server on which all may register, or of several instances of one; none starts one
	Server      []string
	Connections int           // clients at once, each with a connection of its own
	Duration    time.Duration // of each measurement
	Runs        int           // how often everything is measured
	NoGroup     bool          // give every write a transaction of its own; only without Server
	Clocks      int           // for flags: the number of running clocks that do not fall
	FlagRate    int           // for flags: how many fall in a second
	Spectators  int           // for spectators: how many watch one game
	Games       int           // for growth: how many games the smallest database holds
	Profile     string        // for moves: file for a CPU profile of the server; "" writes none
	JSON        bool          // print a line of JSON for each measurement instead of a table
}

// Measurement is what one kind of request came to.
type Measurement struct {
	What        string             `json:"what"`
	Run         int                `json:"run"`
	Connections int                `json:"connections"`
	Seconds     float64            `json:"seconds"`
	Requests    int                `json:"requests"`
	Rate        float64            `json:"per_second"`
	Errors      int                `json:"errors"`
	Millis      map[string]float64 `json:"ms"`               // by percentile: p50, p99, p99.9, max
	CPU         map[string]float64 `json:"cpu_us,omitempty"` // of a request: what server and client spent on it
	Histogram   []Bucket           `json:"histogram,omitempty"`
	Figures     map[string]float64 `json:"figures,omitempty"` // what else was measured, by name with its unit
	Version     string             `json:"version"`
	Go          string             `json:"go"`
	Cores       int                `json:"cores"`
	Settings    string             `json:"settings"`
}

// Run measures and prints.
func Run(ctx context.Context, c Config, s terminal.Streams) error {
	if len(c.Server) > 0 && (c.NoGroup || c.Profile != "" || c.What == "flags" || c.What == "spectators" ||
		c.What == "growth") {
		return app.UsageErrorf("--no-group, --profile, and --what flags, spectators or growth need a server of their own; " +
			"leave --server out")
	}
	if err := c.checkServers(); err != nil {
		return err
	}
	app.RelaxGC()
	switch c.What {
	case "readers":
		return c.withServer(ctx, s, c.benchReaders)
	case "deadlines":
		return c.withServer(ctx, s, c.benchDeadlines)
	case "ends":
		return c.withServer(ctx, s, c.benchEnds)
	case "flags":
		return c.withServer(ctx, s, c.benchFlags)
	case "spectators":
		return c.withServer(ctx, s, c.benchSpectators)
	case "growth":
		return c.benchGrowth(ctx, s)
	}
	return c.withServer(ctx, s, c.measureAll)
}

// withServer lets work measure the server that was named, or one that is started for it.
func (c Config) withServer(
	ctx context.Context, s terminal.Streams, work func(context.Context, terminal.Streams, target, *load) error,
) error {
	server, urls := target{}, c.Server
	if len(urls) == 0 {
		var err error
		if server, err = c.startServer(ctx, ""); err != nil {
			return err
		}
		defer server.stop()
		urls = []string{server.url}
	} else if err := c.checkReady(ctx); err != nil {
		return err
	}
	load, err := newLoad(ctx, urls, c.Connections)
	if err != nil {
		return err
	}
	return work(ctx, s, server, load)
}

// warmUp lets moves be played until a new server's memory and files are as they stay.
func (c Config) warmUp(ctx context.Context, server target, load *load) error {
	if err := load.openAhead(ctx); err != nil {
		return err
	}
	c.Duration = min(c.Duration, 3*time.Second)
	_, err := c.measure(ctx, server, "moves", load.moves)
	return err
}

// measureAll carries out every run and prints it.
func (c Config) measureAll(ctx context.Context, s terminal.Streams, server target, load *load) error {
	if err := c.warmUp(ctx, server, load); err != nil {
		return fmt.Errorf("warming up: %w", err)
	}
	var all []Measurement
	for run := 1; run <= c.Runs; run++ {
		if err := load.openAhead(ctx); err != nil {
			return err
		}
		both, err := c.measureInTurns(ctx, server, load)
		if err != nil {
			return err
		}
		for _, m := range both {
			m.Run = run
			all = append(all, m)
			if err := c.printJSON(s, m); err != nil {
				return err
			}
		}
	}
	if !c.JSON {
		c.print(s, all)
	}
	if c.Profile == "" {
		return nil
	}
	return c.writeProfile(ctx, server, load)
}

// measureInTurns measures a request that does nothing and moves, a little of each at a time: a machine's speed may
// change within seconds, and both should see the same of it.
func (c Config) measureInTurns(ctx context.Context, server target, load *load) ([]Measurement, error) {
	const turns = 5
	health, moves := c.newTimed("GET /healthz", load.health), c.newTimed("moves", load.moves)
	for range turns {
		for _, t := range []*timed{health, moves} {
			if err := t.goOn(ctx, server, c.Duration/turns); err != nil {
				return nil, err
			}
		}
	}
	return []Measurement{c.result(health), c.result(moves)}, nil
}

// writeProfile keeps playing for the length of a measurement and writes the server's profile of that time.
func (c Config) writeProfile(ctx context.Context, server target, load *load) error {
	var profile []byte
	read := make(chan error, 1)
	go func() {
		var err error
		profile, err = server.read(ctx, fmt.Sprintf("/debug/pprof/profile?seconds=%d", int(math.Ceil(c.Duration.Seconds()))))
		read <- err
	}()
	_, err := c.measure(ctx, server, "moves", load.moves)
	if err = errors.Join(err, <-read); err != nil {
		return fmt.Errorf("the profile: %w", err)
	}
	return os.WriteFile(c.Profile, profile, 0o644)
}

// measure lets every client do its work over and over for the duration.
func (c Config) measure(
	ctx context.Context, server target, what string, work func(context.Context, int, *recorder) error,
) (Measurement, error) {
	t := c.newTimed(what, work)
	err := t.goOn(ctx, server, c.Duration)
	return c.result(t), err
}

// timed is work that is measured, all at once or a little at a time.
type timed struct {
	what      string
	work      func(ctx context.Context, client int, r *recorder) error
	recorders []*recorder // by client
	took      time.Duration
	spent     cpuTime
}

func (c Config) newTimed(what string, work func(context.Context, int, *recorder) error) *timed {
	t := &timed{what: what, work: work, recorders: make([]*recorder, c.Connections)}
	for i := range t.recorders {
		t.recorders[i] = &recorder{}
	}
	return t
}

// goOn lets every client do its work over and over for so long.
func (t *timed) goOn(ctx context.Context, server target, long time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, long)
	defer cancel()
	failed := make(chan error, len(t.recorders))
	began, spent := time.Now(), server.cpu()
	for i, r := range t.recorders {
		go func() { failed <- t.work(ctx, i, r) }()
	}
	var err error
	for range t.recorders {
		if e := <-failed; e != nil && err == nil {
			err = fmt.Errorf("%s: %w", t.what, e)
			cancel()
		}
	}
	t.took += time.Since(began)
	t.spent = t.spent.plus(server.cpu().minus(spent))
	return err
}

// result sums up what was measured so far.
func (c Config) result(t *timed) Measurement {
	m := summarize(t.recorders, t.took)
	m.What, m.CPU = t.what, t.spent.each(m.Requests)
	return c.signed(m)
}

// signed adds to a measurement what it measured and its configuration.
func (c Config) signed(m Measurement) Measurement {
	m.Connections, m.Version, m.Go, m.Cores = c.Connections, app.Version(), runtime.Version(), runtime.NumCPU()
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

// printJSON writes a measurement as a line of JSON, with --json.
func (c Config) printJSON(s terminal.Streams, m Measurement) error {
	if !c.JSON {
		return nil
	}
	return json.NewEncoder(s.Out).Encode(m)
}

// print shows the measurements, and what a move costs beside a request that does nothing: compared within each run, for
// a machine's speed may change from one to the next.
func (c Config) print(s terminal.Streams, all []Measurement) {
	c.printRows(s, all)
	var rates, spent []float64
	for i := 0; i+1 < len(all); i += 2 {
		health, moves := all[i], all[i+1]
		rates = append(rates, moves.Rate/health.Rate)
		spent = append(spent, (health.CPU["server"]+health.CPU["client"])/(moves.CPU["server"]+moves.CPU["client"]))
	}
	fmt.Fprintf(s.Out, "moves : healthz = %.2f (median of the runs)\n", median(rates))
	if len(c.Server) == 0 {
		fmt.Fprintf(s.Out, "the same by CPU time, which other programs on the machine do not touch: %.2f\n", median(spent))
	}
}

// printRows shows the measurements as a table, and how they were made.
func (c Config) printRows(s terminal.Streams, all []Measurement) {
	var rows [][]string
	for _, m := range all {
		rows = append(rows, []string{
			m.What, strconv.Itoa(m.Requests), fmt.Sprintf("%.0f", m.Rate), fmt.Sprintf("%.2f", m.Millis["p50"]),
			fmt.Sprintf("%.2f", m.Millis["p99"]), fmt.Sprintf("%.2f", m.Millis["p99.9"]), fmt.Sprintf("%.2f", m.Millis["max"]),
			strconv.Itoa(m.Errors), m.micros("server"), m.micros("client"),
		})
	}
	terminal.PrintTable(s.Out, []string{
		"What", "Requests", "A second", "p50 ms", "p99 ms", "p99.9 ms", "Max ms", "Errors", "Server CPU µs", "Client CPU µs",
	}, rows)
	fmt.Fprintf(s.Out, "%d connections, %s each, %s, %s, %d cores, %s\n",
		c.Connections, c.Duration, all[0].Version, all[0].Go, all[0].Cores, all[0].Settings)
}

// micros is the CPU time of a request as the table shows it.
func (m Measurement) micros(of string) string {
	if spent, ok := m.CPU[of]; ok {
		return fmt.Sprintf("%.1f", spent)
	}
	return "-"
}
