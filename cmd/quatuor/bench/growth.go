package bench

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"os"
	"time"

	"quatuor/cmd/quatuor/terminal"
	"quatuor/rating/elo"
	"quatuor/rating/ledger"
)

// growth is by how much each database is larger than the one before.
const growth = 10

// growthSizes is the number of databases.
const growthSizes = 3

// readersAtOnce is the number of clients that read pages: few, because a request in flight at the end is counted as
// cost but not as a request.
const readersAtOnce = 2

// ratedAtOnce is how many games end for the measurement of what rating one costs.
const ratedAtOnce = 512

// benchGrowth measures what a move, the pages and a rating cost in databases of different sizes: the CPU time that the
// server spends on each, which other programs on the machine hardly touch.
func (c Config) benchGrowth(ctx context.Context, s terminal.Streams) error {
	c.Connections = readersAtOnce
	var all []Measurement
	for i, games := 0, c.Games; i < growthSizes; i, games = i+1, games*growth {
		some, err := c.growTo(ctx, s, games)
		if err != nil {
			return err
		}
		for _, m := range some {
			m.Run, m.Figures = 1, map[string]float64{"games": float64(games)}
			if err := c.printJSON(s, c.signed(m)); err != nil {
				return err
			}
			all = append(all, m)
		}
	}
	if !c.JSON {
		c.printGrowth(s, all)
	}
	return nil
}

// growTo measures a database with so many games.
func (c Config) growTo(ctx context.Context, s terminal.Streams, games int) ([]Measurement, error) {
	dir, err := os.MkdirTemp("", "quatuor-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	bar := terminal.Progress(s.Err, games, "filling a database", "games")
	data, err := fillData(ctx, dir, games, func(n int) { _ = bar.Add(n) })
	_ = bar.Finish()
	if err != nil {
		return nil, err
	}
	rated, err := data.rate(ctx)
	if err != nil {
		return nil, err
	}
	if err := data.store.Close(); err != nil {
		return nil, err
	}
	server, err := c.startServer(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer server.stop()
	load, err := newLoad(ctx, []string{server.url}, c.Connections)
	if err != nil {
		return nil, err
	}
	return c.growthSteps(ctx, server, load, data, rated)
}

// growthSteps measures everything but the rating, which is known. What is slow at first, because nothing is remembered
// yet, is not what grows: everything is done for a moment before it is measured.
func (c Config) growthSteps(
	ctx context.Context, server target, load *load, data *filledData, rated Measurement,
) ([]Measurement, error) {
	steps := []struct {
		what string
		work func(context.Context, int, *recorder) error
	}{{"a move", load.moves}}
	for _, page := range data.pages() {
		steps = append(steps, struct {
			what string
			work func(context.Context, int, *recorder) error
		}{page.what, load.reads(page.path)})
	}
	all := []Measurement{rated}
	for _, step := range steps {
		warm := c
		warm.Duration /= 5
		if _, err := warm.measure(ctx, server, step.what, step.work); err != nil {
			return nil, err
		}
		m, err := c.measure(ctx, server, step.what, step.work)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// growthPage is a page under measurement.
type growthPage struct{ what, path string }

// pages are those that people look at most, and the lists of the API.
func (d *filledData) pages() []growthPage {
	ordinary, busy := d.players[len(d.players)/2], d.players[0]
	return []growthPage{
		{"home", "/"},
		{"games", "/games"},
		{"tournaments", "/tournaments"},
		{"a tournament", "/tournaments/" + d.cup},
		{"players", "/players"},
		{"an ordinary player", "/players/" + ordinary},
		{"the busiest player", "/players/" + busy},
		{"rating lists", "/ratings"},
		{"a rating list", "/ratings/" + d.list},
		{"API: games of the busiest player", "/api/v1/games?limit=50&player=" + busy},
		{"API: games that run", "/api/v1/games?limit=50&status=running"},
		{"API: tournaments", "/api/v1/tournaments?limit=50"},
		{"API: players by name", "/api/v1/players?limit=50&name=member%201"},
		{"API: a rating list", "/api/v1/ratings/" + d.list},
	}
}

// reads requests one address over and over.
func (l *load) reads(path string) func(context.Context, int, *recorder) error {
	return func(ctx context.Context, _ int, r *recorder) error {
		address, err := url.Parse(l.Base + path)
		if err != nil {
			return err
		}
		for ctx.Err() == nil {
			err := r.time(ctx, func(ctx context.Context) error {
				return l.Do(ctx, &http.Request{Method: http.MethodGet, URL: address, Host: address.Host, Header: http.Header{}},
					nil)
			})
			if err != nil {
				return fmt.Errorf("GET %s: %w", path, err)
			}
		}
		return nil
	}
}

// rate lets more games end and measures what rating them costs.
func (d *filledData) rate(ctx context.Context) (Measurement, error) {
	if err := d.addGames(ctx, ratedAtOnce, func(int) {}); err != nil {
		return Measurement{}, err
	}
	began, spent := time.Now(), ownCPU()
	taken, err := ledger.New(d.store.Ratings(), elo.Club{}).CatchUp(ctx)
	took := time.Since(began)
	if err == nil && taken != ratedAtOnce {
		err = fmt.Errorf("%d games were rated instead of %d", taken, ratedAtOnce)
	}
	each := took / ratedAtOnce
	m := summarize([]*recorder{{took: []time.Duration{each}}}, took)
	m.What, m.Requests, m.Rate = "a game's rating", taken, float64(taken)/took.Seconds()
	m.CPU = map[string]float64{"server": float64((ownCPU() - spent).Microseconds()) / ratedAtOnce, "client": 0}
	return m, err
}

// printGrowth shows the costs side by side, and by how much each grows when the data double.
func (c Config) printGrowth(s terminal.Streams, all []Measurement) {
	costs, order := map[string][]float64{}, []string{}
	for _, m := range all {
		if costs[m.What] == nil {
			order = append(order, m.What)
		}
		costs[m.What] = append(costs[m.What], m.CPU["server"])
	}
	var rows [][]string
	worst := 0.0
	for _, what := range order {
		row, times := []string{what}, 0.0
		for i, cost := range costs[what] {
			row = append(row, fmt.Sprintf("%.0f", cost))
			if i > 0 {
				times = max(times, math.Pow(cost/costs[what][i-1], 1/math.Log2(growth)))
			}
		}
		worst = max(worst, times)
		rows = append(rows, append(row, fmt.Sprintf("%.2f", times)))
	}
	header := []string{"Server CPU µs for"}
	for i, games := 0, c.Games; i < growthSizes; i, games = i+1, games*growth {
		header = append(header, fmt.Sprintf("%d games", games))
	}
	terminal.PrintTable(s.Out, append(header, "Times, when data double"), rows)
	fmt.Fprintf(s.Out, "%d connections, %s each, a tenth as many players as games, a twentieth as many tournaments; "+
		"the busiest player "+
		"has played every %dth game\nworst: %.2f times for twice the data (bar: 2)\n", c.Connections, c.Duration, busyShare,
		worst)
}
