package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"time"

	"quatuor/engine"
	"quatuor/engine/catalog"
)

// recorder notes how long requests of one client took.
type recorder struct {
	took   []time.Duration
	errors int
}

// time carries out one request and notes it, unless the measurement ended under way.
func (r *recorder) time(ctx context.Context, request func() error) error {
	began := time.Now()
	err := request()
	if ctx.Err() != nil {
		return nil
	}
	r.took = append(r.took, time.Since(began))
	if err != nil {
		r.errors++
	}
	return err
}

func summarize(recorders []*recorder, took time.Duration) measurement {
	m := measurement{Seconds: took.Seconds(), Millis: map[string]float64{}}
	var all []time.Duration
	for _, r := range recorders {
		all = append(all, r.took...)
		m.Errors += r.errors
	}
	slices.Sort(all)
	m.Requests = len(all)
	m.Rate = float64(len(all)) / took.Seconds()
	for name, share := range map[string]float64{"p50": .5, "p99": .99, "p99.9": .999, "max": 1} {
		if len(all) > 0 {
			m.Millis[name] = float64(all[min(len(all)-1, int(share*float64(len(all))))].Microseconds()) / 1000
		}
	}
	return m
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// load is the clients of a measurement: a club of players, and games between them.
type load struct {
	client
	players []seated
}

// seated is a player's client that is logged in.
type seated struct {
	*client
	player string
}

// clubSize is how many players share the games of a measurement.
const clubSize = 16

// newLoad registers the players. Their connections are shared: each request in flight has one of its own.
func newLoad(ctx context.Context, url string, connections int) (*load, error) {
	l := &load{client: newBenchClient(url, connections)}
	evening := strconv.FormatInt(time.Now().UnixNano(), 36)
	for i := range clubSize {
		c := l.client
		login := fmt.Sprintf("bench-%s-%d", evening, i)
		p, err := register(ctx, &c, login, "Player "+strconv.Itoa(i+1))
		if err != nil {
			return nil, fmt.Errorf("registering the players (the server must let anybody register): %w", err)
		}
		l.players = append(l.players, p)
	}
	return l, nil
}

// register opens an account and logs it in.
func register(ctx context.Context, c *client, login, name string) (seated, error) {
	var made struct {
		PlayerID string `json:"player_id"`
	}
	account := map[string]string{"login": login, "password": demoPassword, "player_name": name}
	if err := c.post(ctx, "/accounts", account, &made); err != nil {
		return seated{}, err
	}
	return seated{client: c, player: made.PlayerID}, c.login(ctx, login, demoPassword)
}

// health asks for the smallest answer there is.
func (l *load) health(ctx context.Context, _ int, r *recorder) error {
	for ctx.Err() == nil {
		err := r.time(ctx, func() error {
			request, err := http.NewRequestWithContext(ctx, http.MethodGet, l.base+"/healthz", nil)
			if err != nil {
				return err
			}
			answer, err := l.http.Do(request)
			if err != nil {
				return err
			}
			defer answer.Body.Close()
			_, err = io.Copy(io.Discard, answer.Body)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// moves plays games of all variants, one after the other, for all their seats.
func (l *load) moves(ctx context.Context, worker int, r *recorder) error {
	chance := rand.New(rand.NewPCG(uint64(worker), 1))
	variants := catalog.All()
	for n := worker; ctx.Err() == nil; n++ {
		info := variants[n%len(variants)].Info()
		g := benchGame{info: info, recorder: r, chance: chance}
		for seat := range info.Seats[0] {
			g.seats = append(g.seats, l.players[(worker+seat)%len(l.players)])
		}
		if err := g.play(ctx); err != nil && ctx.Err() == nil {
			return fmt.Errorf("%s: %w", info.ID, err)
		}
	}
	return nil
}

// benchGame is one game that a client plays for all its seats. Where nothing is hidden the moves are chosen by the
// rules that this program knows, so that every request is a move; else the server is asked what is legal.
type benchGame struct {
	info     engine.Info
	seats    []seated
	recorder *recorder
	chance   *rand.Rand
}

func (g benchGame) play(ctx context.Context) error {
	ids := make([]map[string]string, len(g.seats))
	for i, s := range g.seats {
		ids[i] = map[string]string{"player_id": s.player}
	}
	var view gameView
	err := g.seats[0].post(ctx, "/games", map[string]any{
		"variant": g.info.ID, "time_control": "3600+60", "rated": true, "start": "now", "seats": ids,
	}, &view)
	if err != nil {
		return err
	}
	if g.info.Secret {
		return g.askAndMove(ctx, view)
	}
	return g.moveAlone(ctx, view.ID)
}

// moveAlone plays by a match of its own.
func (g benchGame) moveAlone(ctx context.Context, id string) error {
	rules, err := catalog.Find(g.info.ID)
	if err != nil {
		return err
	}
	setup, err := engine.NewSetup(g.info, len(g.seats), "", nil)
	if err != nil {
		return err
	}
	match, err := engine.NewMatch(rules, setup)
	for err == nil && ctx.Err() == nil && !match.Pending().Over() {
		seat := match.Pending().Awaited[0]
		legal := match.State().Legal(seat)
		move := string(legal[g.chance.IntN(len(legal))])
		if err = g.move(ctx, id, int(seat), match.Turn(), move); err != nil {
			break
		}
		match, err = match.After(engine.Event{Kind: engine.Moved, Seat: seat, Text: move})
	}
	return err
}

// askAndMove plays by what the server says is legal for each seat.
func (g benchGame) askAndMove(ctx context.Context, view gameView) error {
	for ctx.Err() == nil && !view.over() {
		seat := view.Awaited[0]
		var mine gameView
		if err := g.seats[seat-1].get(ctx, "/games/"+view.ID, &mine); err != nil {
			return err
		}
		legal := mine.Legal[strconv.Itoa(seat)]
		if len(legal) == 0 {
			return errors.New("a seat is awaited that has no legal move")
		}
		if err := g.move(ctx, view.ID, seat, mine.Turn, legal[g.chance.IntN(len(legal))]); err != nil {
			return err
		}
		if err := g.seats[0].get(ctx, "/games/"+view.ID, &view); err != nil {
			return err
		}
	}
	return nil
}

// move sends one move; the time it takes is what is measured.
func (g benchGame) move(ctx context.Context, id string, seat, turn int, token string) error {
	return g.recorder.time(ctx, func() error {
		move := map[string]any{"seat": seat, "turn": turn, "move": token}
		return g.seats[seat-1].post(ctx, "/games/"+id+"/moves", move, nil)
	})
}
