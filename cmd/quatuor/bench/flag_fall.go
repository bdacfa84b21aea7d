package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/client"
	"quatuor/cmd/quatuor/terminal"

	"github.com/schollz/progressbar/v3"
)

// Bars for flags: nearly all of them stored soon after their deadline, and every one of them before a player would
// notice.
const (
	flagSoon  = 10 * time.Millisecond
	flagLate  = 100 * time.Millisecond
	flagShare = 0.99
)

const (
	// watchedFlags is the number of flags that a client observes, to compare with the server's own metrics.
	watchedFlags = 100
	// flagPatience is how long after the last deadline the last flag may fall.
	flagPatience = 20 * time.Second
	// runningControl is the time control of the clocks that only run.
	runningControl = "7200"
)

// flagBench lets flags fall at a steady rate among many running clocks, while moves are made.
type flagBench struct {
	Config
	server target
	load   *load
	falls  int // how many flags
	bar    *progressbar.ProgressBar

	following sync.WaitGroup
	seen      [watchedFlags]time.Duration // from a watched flag's deadline until a client knew; 0 if none came
	lost      atomic.Int64
}

// benchFlags measures the delay from a deadline to the stored flag. The server measures it from the deadline in the
// game's row to the return of the commit, in a histogram of its metrics; clients that follow some of the games measure
// when they were notified.
func (c Config) benchFlags(ctx context.Context, s terminal.Streams, server target, load *load) error {
	full, err := c.measure(ctx, server, "moves at full rate", load.moves)
	if err != nil {
		return err
	}
	f := &flagBench{Config: c, server: server, load: load, falls: int(float64(c.FlagRate) * c.Duration.Seconds())}
	f.bar = terminal.Progress(s.Err, c.Clocks+f.falls, "starting clocks", "games")
	begin, err := f.open(ctx)
	if err != nil {
		return err
	}
	before, err := server.histogram(ctx, app.FlagDelays)
	if err != nil {
		return err
	}
	meanwhile, err := f.moveUntil(ctx, begin, full.Rate/2)
	if err != nil {
		return err
	}
	flags, err := f.fallen(ctx, before)
	if err != nil {
		return err
	}
	f.following.Wait()
	all := []Measurement{full, meanwhile, flags, f.watched()}
	for _, m := range all {
		if err := c.printJSON(s, m); err != nil {
			return err
		}
	}
	if !c.JSON {
		c.printRows(s, all)
		printFlags(s, flags)
	}
	return nil
}

// open starts the clocks that only run, then those that fall, from the moment that it returns.
func (f *flagBench) open(ctx context.Context) (begin time.Time, err error) {
	began := time.Now()
	if err := f.each(ctx, f.Clocks, func(int) error {
		_, err := f.start(ctx, runningControl)
		return err
	}); err != nil {
		return begin, err
	}
	// As much time again for each game as that took, twice over, and what it takes to begin.
	lead := 2*time.Second + 2*time.Since(began)*time.Duration(f.falls)/time.Duration(max(1, f.Clocks))
	begin = time.Now().Add(lead)
	every := max(1, f.falls/watchedFlags)
	err = f.each(ctx, f.falls, func(n int) error {
		due := begin.Add(time.Duration(n) * time.Second / time.Duration(f.FlagRate))
		left := time.Until(due)
		if left < time.Second {
			return errors.New("the clocks cannot be started as fast as they should fall; set a lower --flag-rate")
		}
		id, err := f.start(ctx, strconv.FormatFloat(math.Round(left.Seconds()*1000)/1000, 'f', -1, 64))
		if watched := n / every; err == nil && n%every == 0 && watched < watchedFlags {
			f.following.Go(func() { f.follow(ctx, id, watched) })
		}
		return err
	})
	_ = f.bar.Finish()
	return begin, err
}

// each carries out work for the numbers below n, on all connections.
func (f *flagBench) each(ctx context.Context, n int, work func(int) error) error {
	var next atomic.Int64
	failed := make(chan error, f.Connections)
	for range f.Connections {
		go func() {
			for i := next.Add(1) - 1; i < int64(n) && ctx.Err() == nil; i = next.Add(1) - 1 {
				if err := work(int(i)); err != nil {
					failed <- err
					return
				}
				_ = f.bar.Add(1)
			}
			failed <- ctx.Err()
		}()
	}
	var err error
	for range f.Connections {
		err = errors.Join(err, <-failed)
	}
	return err
}

// start opens a game with a running clock.
func (f *flagBench) start(ctx context.Context, control string) (id string, err error) {
	var view client.Game
	player := f.load.players[0] // in both seats: two players would limit how many clocks can be started at once
	err = player.Post(ctx, "/games", map[string]any{
		"variant": "quixo/duel", "time_control": control, "start": "now",
		"seats": []map[string]string{{"player_id": player.ID}, {"player_id": player.ID}},
	}, &view)
	return view.ID, err
}

// follow waits for a game's end and notes how long after the deadline it came.
func (f *flagBench) follow(ctx context.Context, game string, n int) {
	err := f.load.Follow(ctx, "/games/"+game+"/events", func(data []byte) (bool, error) {
		at := time.Now()
		var view struct {
			client.Game
			FinishedAt time.Time `json:"finished_at"`
		}
		if err := json.Unmarshal(data, &view); err != nil {
			return true, err
		}
		if view.Over() {
			f.seen[n] = at.Sub(view.FinishedAt)
		}
		return view.Over(), nil
	})
	if err != nil || f.seen[n] == 0 {
		f.lost.Add(1)
	}
}

// moveUntil makes moves at a steady rate from before the first flag until the last is due.
func (f *flagBench) moveUntil(ctx context.Context, begin time.Time, rate float64) (Measurement, error) {
	const before = 500 * time.Millisecond
	select {
	case <-time.After(time.Until(begin) - before):
	case <-ctx.Done():
		return Measurement{}, ctx.Err()
	}
	c := f.Config
	c.Duration += before
	pace := &pacer{began: time.Now(), every: time.Duration(float64(time.Second) / rate)}
	return c.measure(ctx, f.server, "moves at half of that", func(ctx context.Context, worker int, r *recorder) error {
		return f.load.pacedMoves(ctx, worker, r, pace)
	})
}

// fallen waits for the last flag and reads from the server how late they all were stored.
func (f *flagBench) fallen(ctx context.Context, before []Bucket) (Measurement, error) {
	m := f.signed(Measurement{What: "flags, until stored", Seconds: f.Duration.Seconds()})
	pace := time.NewTicker(100 * time.Millisecond)
	defer pace.Stop()
	for deadline := time.Now().Add(flagPatience); ; <-pace.C {
		after, err := f.server.histogram(ctx, app.FlagDelays)
		if err != nil {
			return m, err
		}
		m.Histogram, m.Requests = since(after, before), 0
		for _, b := range m.Histogram {
			m.Requests += b.Count
		}
		if m.Requests >= f.falls || time.Now().After(deadline) {
			break
		}
	}
	m.Rate, m.Errors = float64(m.Requests)/m.Seconds, f.falls-m.Requests
	m.Millis = map[string]float64{}
	for name, share := range percentiles {
		m.Millis[name] = percentile(m.Histogram, share)
	}
	return m, nil
}

// watched sums up what the clients that followed games saw.
func (f *flagBench) watched() Measurement {
	r := &recorder{errors: int(f.lost.Load())}
	for _, took := range f.seen {
		if took > 0 {
			r.took = append(r.took, took)
		}
	}
	m := summarize([]*recorder{r}, f.Duration)
	m.What = "some of them, until a client knew"
	return f.signed(m)
}

// printFlags draws the histogram and reports whether the bars hold.
func printFlags(s terminal.Streams, m Measurement) {
	const widest = 60
	most, soon, inTime := 1, 0, 0
	for _, b := range m.Histogram {
		most = max(most, b.Count)
		if b.Millis <= float64(flagSoon.Milliseconds()) {
			soon += b.Count
		}
		if b.Millis <= float64(flagLate.Milliseconds()) {
			inTime += b.Count
		}
	}
	fmt.Fprintln(s.Out, "\nFrom the deadline until stored, the millisecond after which a flag falls included:")
	for _, b := range m.Histogram {
		if b.Count > 0 {
			fmt.Fprintf(s.Out, "%9s ms %7d %s\n", "≤ "+b.name(), b.Count, strings.Repeat("#", (b.Count*widest+most-1)/most))
		}
	}
	all := m.Requests + m.Errors
	fmt.Fprintf(s.Out, "within %s: %.2f %% (bar: %.0f %%); within %s: %.2f %% (bar: all); not fallen: %d\n",
		flagSoon, 100*float64(soon)/float64(all), 100*flagShare, flagLate, 100*float64(inTime)/float64(all), m.Errors)
}
