package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	"quatuor/api/client"
	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/harness"
	"quatuor/cmd/quatuor/terminal"
)

// Bars for flags: nearly all of them stored soon after their deadline, and all of them before a player would notice.
const (
	flagSoon  = 10 * time.Millisecond
	flagLate  = 100 * time.Millisecond
	flagShare = 0.99
)

const (
	// watchedFlags is the number of flags that a client observes, to compare with the server's own metrics.
	watchedFlags = 100
	// flagPatience is the longest wait for the last flag after the last deadline.
	flagPatience = 20 * time.Second
	// runningControl is the time control of the clocks that only run.
	runningControl = "7200"
)

// flagBench lets flags fall at a steady rate among many running clocks, while moves are made.
type flagBench struct {
	*bench
	falls int // number of flags
	bar   *terminal.Bar

	following sync.WaitGroup
	seen      [watchedFlags]time.Duration // from a watched flag's deadline until a client knew; 0 if none came
	lost      atomic.Int64
}

// runFlags measures the delay from a deadline to the stored flag. The server measures it from the deadline in the
// game's row to the return of the commit, in a histogram of its metrics; clients that follow some of the games measure
// when they were notified.
func (b *bench) runFlags(ctx context.Context) ([]Measurement, error) {
	full, err := b.measure(ctx, "moves at full rate", b.Duration, b.load.moves)
	if err != nil {
		return nil, err
	}
	f := &flagBench{bench: b, falls: int(float64(b.FlagRate) * b.Duration.Seconds())}
	f.bar = terminal.Progress(b.Err, b.Clocks+f.falls, "starting clocks", "games")
	begin, err := f.open(ctx)
	if err != nil {
		return nil, err
	}
	before, err := b.server.histogram(ctx, app.FlagDelays)
	if err != nil {
		return nil, err
	}
	meanwhile, err := f.moveUntil(ctx, begin, full.Rate/2)
	if err != nil {
		return nil, err
	}
	flags, err := f.fallen(ctx, before)
	if err != nil {
		return nil, err
	}
	f.following.Wait()
	return []Measurement{full, meanwhile, flags, f.watched()}, nil
}

// open starts the clocks that only run, then those that fall, from the moment that it returns.
func (f *flagBench) open(ctx context.Context) (begin time.Time, err error) {
	began := time.Now()
	if err := f.each(ctx, f.Clocks, func(ctx context.Context, _ int) error {
		_, err := f.start(ctx, runningControl)
		return err
	}); err != nil {
		return begin, err
	}
	// As much time again for each game as that took, twice over, and the time to begin.
	lead := 2*time.Second + 2*time.Since(began)*time.Duration(f.falls)/time.Duration(max(1, f.Clocks))
	begin = time.Now().Add(lead)
	every := max(1, f.falls/watchedFlags)
	err = f.each(ctx, f.falls, func(opening context.Context, n int) error {
		due := begin.Add(time.Duration(n) * time.Second / time.Duration(f.FlagRate))
		left := time.Until(due)
		if left < time.Second {
			return errors.New("the clocks cannot be started as fast as they should fall; set a lower --flag-rate")
		}
		id, err := f.start(opening, strconv.FormatFloat(math.Round(left.Seconds()*1000)/1000, 'f', -1, 64))
		if watched := n / every; err == nil && n%every == 0 && watched < watchedFlags {
			f.following.Go(func() { f.follow(ctx, id, watched) })
		}
		return err
	})
	f.bar.Finish()
	return begin, err
}

// each carries out work for the numbers below n, on all connections.
func (f *flagBench) each(ctx context.Context, n int, work func(context.Context, int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(f.Connections)
	for i := range n {
		group.Go(func() error {
			defer f.bar.Add(1)
			return work(ctx, i)
		})
	}
	return group.Wait()
}

// start opens a game with a running clock.
func (f *flagBench) start(ctx context.Context, control string) (id string, err error) {
	var view harness.Game
	player := f.load.players[0] // in both seats: two players would limit how many clocks can be started at once
	err = player.Post(ctx, "/games", map[string]any{
		"variant": "quixo/duel", "time_control": control, "start": "now",
		"seats": []map[string]string{{"player_id": player.ID}, {"player_id": player.ID}},
	}, &view)
	return view.ID, err
}

// follow waits for a game's end and notes its delay after the deadline.
func (f *flagBench) follow(ctx context.Context, game string, n int) {
	err := f.load.Follow(ctx, "/games/"+game+"/events", func(data []byte) (bool, error) {
		at := time.Now()
		var view struct {
			harness.Game
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
	if !pause(ctx, time.Until(begin)-before) {
		return Measurement{}, ctx.Err()
	}
	pace := &pacer{began: time.Now(), every: time.Duration(float64(time.Second) / rate)}
	paced := func(ctx context.Context, worker int, r *recorder) error {
		return f.load.pacedMoves(ctx, worker, r, pace)
	}
	return f.measure(ctx, "moves at half of that", f.Duration+before, paced)
}

// fallen waits for the last flag and reads the delays of all of them from the server.
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

// watched sums up the observations of the clients that followed games.
func (f *flagBench) watched() Measurement {
	r := &recorder{errors: int(f.lost.Load())}
	for _, took := range f.seen {
		if took > 0 {
			r.took = append(r.took, took)
		}
	}
	return f.sum("some of them, until a client knew", f.Duration, r)
}

// printFlags draws the histogram and reports whether the bars hold.
func (b *bench) printFlags(rows []Measurement) {
	const widest = 60
	b.printRows(rows)
	m := rows[2]
	highest, early, inTime := 1, 0, 0
	for _, step := range m.Histogram {
		highest = max(highest, step.Count)
		if step.Millis <= float64(flagSoon.Milliseconds()) {
			early += step.Count
		}
		if step.Millis <= float64(flagLate.Milliseconds()) {
			inTime += step.Count
		}
	}
	fmt.Fprintln(b.Out, "\nFrom the deadline until stored, the millisecond after which a flag falls included:")
	for _, step := range m.Histogram {
		if step.Count > 0 {
			fmt.Fprintf(b.Out, "%9s ms %7d %s\n", "≤ "+step.name(), step.Count, strings.Repeat("#", (step.Count*widest+highest-1)/highest))
		}
	}
	all := m.Requests + m.Errors
	fmt.Fprintf(b.Out, "within %s: %.2f %% (bar: %.0f %%); within %s: %.2f %% (bar: all); not fallen: %d\n",
		flagSoon, 100*float64(early)/float64(all), 100*flagShare, flagLate, 100*float64(inTime)/float64(all), m.Errors)
}

const (
	// shortControl is the time control of games with a first move just in time.
	shortControl = "1"
	shortTime    = time.Second
	// minLead and maxLead are the limits of the time between sending it and its deadline.
	minLead = 5 * time.Millisecond
	maxLead = 50 * time.Millisecond
	// triesAtOnce is the number of these games per client that wait for their deadline at once.
	triesAtOnce = 2
)

// The measurements of deadlines.
const (
	justInTime    = "moves sent just in time"
	movesTogether = "moves meanwhile"
)

// runDeadlines measures the share of moves that are sent just before a deadline and lose to the flag, while the other
// half of the clients plays as fast as it can. A lost move is an error.
func (b *bench) runDeadlines(ctx context.Context) ([]Measurement, error) {
	all := []*timed{
		newTimed(justInTime, triesAtOnce*b.Connections, b.load.justInTime),
		newTimed(movesTogether, max(1, b.Connections/2), b.load.moves),
	}
	var both errgroup.Group
	for _, t := range all {
		both.Go(func() error { return t.goOn(ctx, b.server, b.Duration) })
	}
	if err := both.Wait(); err != nil {
		return nil, err
	}
	var results []Measurement
	for _, t := range all {
		m := b.result(t)
		m.CPU = nil // both ran at once
		results = append(results, m)
	}
	return results, nil
}

// justInTime opens games with a running clock and makes the first move shortly before the flag falls. The other player
// opens the game, at another instance if possible.
func (l *load) justInTime(ctx context.Context, worker int, r *recorder) error {
	pause(ctx, rand.N(shortTime)) // to spread them
	for n := worker; ctx.Err() == nil; n++ {
		g := l.gameOf(watchedVariant, worker, n)
		lead := minLead + time.Duration(g.chance.Int64N(int64(maxLead-minLead)))
		began := time.Now() // the clock starts no earlier
		if err := g.openBy(ctx, g.seats[1], shortControl, false); err != nil {
			return ifStill(ctx, err)
		}
		if !pause(ctx, time.Until(began.Add(shortTime-lead))) {
			return nil
		}
		if time.Since(began) > shortTime-minLead {
			continue // it could not be sent in time
		}
		err := g.move(ctx, r, g.script[0], nil)
		if refused := (*client.Problem)(nil); errors.As(err, &refused) && refused.Status == http.StatusConflict &&
			(strings.HasSuffix(refused.Type, "/flag-fallen") || strings.HasSuffix(refused.Type, "/game-over")) {
			continue // counted as an error
		}
		if err != nil {
			return ifStill(ctx, err)
		}
	}
	return nil
}

// printDeadlines prints the number of lost games.
func (b *bench) printDeadlines(all []Measurement) {
	b.printRows(all)
	tried, lost := 0, 0
	for _, m := range all {
		if m.What == justInTime {
			tried, lost = tried+m.Requests, lost+m.Errors
		}
	}
	fmt.Fprintf(b.Out, "of %d moves sent %d to %d ms before their deadline %d lost to the flag: %.1f %% (bar for "+
		"several instances: 2 more than with one)\n",
		tried, minLead.Milliseconds(), maxLead.Milliseconds(), lost, 100*float64(lost)/float64(max(1, tried)))
}
