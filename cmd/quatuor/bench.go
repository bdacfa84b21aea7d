package main

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strconv"
	"time"
)

// benchCmd measures a server through real HTTP, with as many clients as connections.
type benchCmd struct {
	Server      string        `help:"Address of a server that lets anybody register, such as http://127.0.0.1:8080; without it one is started." placeholder:"URL"`
	Connections int           `help:"Clients at once, each with a connection of its own." default:"64"`
	Duration    time.Duration `help:"How long each measurement lasts." default:"5s"`
	Runs        int           `help:"How often everything is measured." default:"1"`
	NoGroup     bool          `help:"Give every write a transaction of its own, to see what sharing them is worth. Only without --server."`
	JSON        bool          `name:"json" help:"Print one line of JSON for each measurement instead of a table."`
}

// measurement is what one kind of request came to.
type measurement struct {
	What        string             `json:"what"`
	Run         int                `json:"run"`
	Connections int                `json:"connections"`
	Seconds     float64            `json:"seconds"`
	Requests    int                `json:"requests"`
	Rate        float64            `json:"per_second"`
	Errors      int                `json:"errors"`
	Millis      map[string]float64 `json:"ms"`               // by percentile: p50, p99, p99.9, max
	CPU         map[string]float64 `json:"cpu_us,omitempty"` // of a request: what server and client spent on it
	Go          string             `json:"go"`
	Cores       int                `json:"cores"`
	Settings    string             `json:"settings"`
}

// Run measures and prints.
func (c benchCmd) Run(ctx context.Context, s streams) error {
	if c.Server != "" && c.NoGroup {
		return usageErrorf("--no-group needs a server of its own; leave --server out")
	}
	relaxGC()
	server := benchServer{url: c.Server}
	if c.Server == "" {
		var err error
		if server, err = c.startServer(ctx, s); err != nil {
			return err
		}
		defer server.stop()
	}
	load, err := newLoad(ctx, server.url, c.Connections)
	if err != nil {
		return err
	}
	return c.measureAll(ctx, s, server, load)
}

// measureAll carries out every run and prints it.
func (c benchCmd) measureAll(ctx context.Context, s streams, server benchServer, load *load) error {
	var all []measurement
	for run := 1; run <= c.Runs; run++ {
		for _, step := range []struct {
			what string
			work func(context.Context, int, *recorder) error
		}{
			{"GET /healthz", load.health},
			{"moves", load.moves},
		} {
			m, err := c.measure(ctx, server, step.what, step.work)
			if err != nil {
				return fmt.Errorf("%s: %w", step.what, err)
			}
			m.Run = run
			all = append(all, m)
			if c.JSON {
				if err := json.NewEncoder(s.Out).Encode(m); err != nil {
					return err
				}
			}
		}
	}
	if !c.JSON {
		c.print(s, all)
	}
	return nil
}

// measure lets every client do its work over and over for the duration.
func (c benchCmd) measure(ctx context.Context, server benchServer, what string, work func(context.Context, int, *recorder) error) (measurement, error) {
	ctx, cancel := context.WithTimeout(ctx, c.Duration)
	defer cancel()
	recorders := make([]*recorder, c.Connections)
	failed := make(chan error, c.Connections)
	began, spent := time.Now(), server.cpu()
	for i := range recorders {
		recorders[i] = &recorder{}
		go func() { failed <- work(ctx, i, recorders[i]) }()
	}
	var err error
	for range recorders {
		if e := <-failed; e != nil && err == nil {
			err = e
			cancel()
		}
	}
	took := time.Since(began)
	m := summarize(recorders, took)
	m.CPU = server.cpu().since(spent, m.Requests)
	m.What, m.Connections, m.Go, m.Cores = what, c.Connections, runtime.Version(), runtime.NumCPU()
	m.Settings = "synchronous=FULL, group commit"
	if c.NoGroup {
		m.Settings = "synchronous=FULL, one transaction a move"
	}
	if c.Server != "" {
		m.Settings = "as the server was started"
	}
	return m, err
}

// print shows the measurements, and what a move costs beside a request that does nothing.
func (c benchCmd) print(s streams, all []measurement) {
	var rows [][]string
	best, spent := map[string][]float64{}, map[string][]float64{}
	for _, m := range all {
		rows = append(rows, []string{
			m.What, strconv.Itoa(m.Requests), fmt.Sprintf("%.0f", m.Rate), fmt.Sprintf("%.2f", m.Millis["p50"]),
			fmt.Sprintf("%.2f", m.Millis["p99"]), fmt.Sprintf("%.2f", m.Millis["p99.9"]), fmt.Sprintf("%.2f", m.Millis["max"]),
			strconv.Itoa(m.Errors), m.micros("server"), m.micros("client"),
		})
		best[m.What] = append(best[m.What], m.Rate)
		spent[m.What] = append(spent[m.What], m.CPU["server"]+m.CPU["client"])
	}
	printTable(s.Out, []string{
		"What", "Requests", "A second", "p50 ms", "p99 ms", "p99.9 ms", "Max ms", "Errors", "Server CPU µs", "Client CPU µs",
	}, rows)
	fmt.Fprintf(s.Out, "%d connections, %s each, %s, %d cores, %s\n",
		c.Connections, c.Duration, runtime.Version(), runtime.NumCPU(), all[0].Settings)
	fmt.Fprintf(s.Out, "moves : healthz = %.2f (medians)\n", median(best["moves"])/median(best["GET /healthz"]))
	if c.Server == "" {
		fmt.Fprintf(s.Out, "the same by CPU time, which other programs on the machine do not touch: %.2f\n",
			median(spent["GET /healthz"])/median(spent["moves"]))
	}
}

// micros is the CPU time of a request as the table shows it.
func (m measurement) micros(of string) string {
	if spent, ok := m.CPU[of]; ok {
		return fmt.Sprintf("%.1f", spent)
	}
	return "-"
}
