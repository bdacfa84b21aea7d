package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"time"

	"quatuor/cmd/quatuor/harness"
	"quatuor/cmd/quatuor/terminal"
	"quatuor/rating/elo"
	"quatuor/rating/ledger"
)

// growth is the ratio of the sizes of successive databases.
const growth = 10

// growthSizes is the number of databases.
const growthSizes = 3

// readersAtOnce is the number of clients that read pages: few, because a request in flight at the end is counted as
// cost but not as a request.
const readersAtOnce = 2

// ratedAtOnce is the number of games that end to measure the cost of rating a game.
const ratedAtOnce = 512

// runGrowth measures the cost of a move, of the pages and of a rating in databases of different sizes: the CPU time
// that the server spends on each, which other programs on the machine hardly touch.
func (b *bench) runGrowth(ctx context.Context) (all []Measurement, err error) {
	b.Connections = readersAtOnce
	for i, games := 0, b.Games; i < growthSizes; i, games = i+1, games*growth {
		some, err := b.growTo(ctx, games)
		if err != nil {
			return nil, err
		}
		for _, m := range some {
			m.Figures = map[string]float64{"games": float64(games)}
			all = append(all, m)
		}
	}
	return all, nil
}

// growTo measures a database with a number of games.
func (b *bench) growTo(ctx context.Context, games int) ([]Measurement, error) {
	dir, err := os.MkdirTemp("", "quatuor-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	bar := terminal.Progress(b.Err, games, "filling a database", "games")
	data, err := fillData(ctx, dir, games, bar.Add)
	bar.Finish()
	if err != nil {
		return nil, err
	}
	rated, err := b.rate(ctx, data)
	if err = errors.Join(err, data.store.Close()); err != nil {
		return nil, err
	}
	if err := b.connect(ctx, dir); err != nil {
		return nil, err
	}
	defer b.server.stop()
	return b.growthSteps(ctx, data, rated)
}

// growthSteps measures everything but the rating, which is known. The first requests are slow because the caches are
// empty, which is not growth: everything is done for a moment before it is measured.
func (b *bench) growthSteps(ctx context.Context, data *filledData, rated Measurement) ([]Measurement, error) {
	all := []Measurement{rated}
	for _, page := range append([]growthPage{{"a move", ""}}, data.pages()...) {
		work := b.load.moves
		if page.path != "" {
			work = b.load.reads(page.path)
		}
		if _, err := b.measure(ctx, page.what, b.Duration/5, work); err != nil {
			return nil, err
		}
		m, err := b.measure(ctx, page.what, b.Duration, work)
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

// reads requests an address over and over.
func (l *load) reads(path string) work {
	return l.repeat(harness.Player{Client: l.Client, Header: http.Header{}}, path)
}

// rate lets more games end and measures the cost of rating them.
func (b *bench) rate(ctx context.Context, d *filledData) (Measurement, error) {
	if err := d.addGames(ctx, ratedAtOnce, func(int) {}); err != nil {
		return Measurement{}, err
	}
	began, spent := time.Now(), ownCPU()
	taken, err := ledger.New(d.store.Ratings(), elo.Club{}).CatchUp(ctx)
	took := time.Since(began)
	if err == nil && taken != ratedAtOnce {
		err = fmt.Errorf("%d games were rated instead of %d", taken, ratedAtOnce)
	}
	m := b.sum("a game's rating", took, &recorder{took: []time.Duration{took / ratedAtOnce}})
	m.Requests, m.Rate = taken, float64(taken)/took.Seconds()
	m.CPU = map[string]float64{"server": float64((ownCPU() - spent).Microseconds()) / ratedAtOnce, "client": 0}
	return m, err
}

// printGrowth shows the costs side by side, and the growth of each when the data double.
func (b *bench) printGrowth(all []Measurement) {
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
	for i, games := 0, b.Games; i < growthSizes; i, games = i+1, games*growth {
		header = append(header, fmt.Sprintf("%d games", games))
	}
	terminal.PrintTable(b.Out, append(header, "Times, when data double"), rows)
	fmt.Fprintf(b.Out, "%d connections, %s each, a tenth as many players as games, a twentieth as many tournaments; "+
		"the busiest player has played every %dth game\nworst: %.2f times for twice the data (bar: 2)\n", b.Connections, b.Duration, busyShare,
		worst)
}
