package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
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
	players  []seated
	variants []engine.Rules
	scripts  [][]benchScript // by variant; none where something is hidden
}

// seated is a player's client that is logged in.
type seated struct {
	*client
	player string
	header http.Header // of its moves
}

const (
	// clubSize is how many players share the games of a measurement.
	clubSize = 16
	// scriptsEach is how many different games of each variant are played.
	scriptsEach = 32
)

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
	return l, l.writeScripts()
}

func (l *load) writeScripts() error {
	chance := rand.New(rand.NewPCG(1, 2))
	l.variants = catalog.All()
	l.scripts = make([][]benchScript, len(l.variants))
	for i, rules := range l.variants {
		for n := 0; n < scriptsEach && !rules.Info().Secret; n++ {
			script, err := writeScript(rules, chance)
			if err != nil {
				return fmt.Errorf("making up a game of %s: %w", rules.Info().ID, err)
			}
			l.scripts[i] = append(l.scripts[i], script)
		}
	}
	return nil
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
	if err := c.login(ctx, login, demoPassword); err != nil {
		return seated{}, err
	}
	return seated{c, made.PlayerID, http.Header{
		"Content-Type": {"application/json"}, "Authorization": {"Bearer " + c.token},
	}}, nil
}

// health asks for the smallest answer there is.
func (l *load) health(ctx context.Context, _ int, r *recorder) error {
	address, err := url.Parse(l.base + "/healthz")
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		err := r.time(ctx, func() error {
			return l.ask(ctx, &http.Request{Method: http.MethodGet, URL: address, Host: address.Host, Header: http.Header{}}, nil)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// ask sends a request as it is and reads the answer to its end, into out unless that is nil.
func (c *client) ask(ctx context.Context, request *http.Request, out any) error {
	answer, err := c.http.Transport.RoundTrip(request.WithContext(ctx))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	switch {
	case answer.StatusCode >= http.StatusBadRequest:
		return refusalOf(answer)
	case out != nil:
		return json.NewDecoder(answer.Body).Decode(out)
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return err
}

// moves plays games of all variants, one after the other, for all their seats.
func (l *load) moves(ctx context.Context, worker int, r *recorder) error {
	chance := rand.New(rand.NewPCG(uint64(worker), 1))
	for n := worker; ctx.Err() == nil; n++ {
		variant := n % len(l.variants)
		info := l.variants[variant].Info()
		g := benchGame{info: info, recorder: r, chance: chance}
		for seat := range info.Seats[0] {
			g.seats = append(g.seats, l.players[(worker+seat)%len(l.players)])
		}
		var script benchScript
		if all := l.scripts[variant]; len(all) > 0 {
			script = all[chance.IntN(len(all))]
		}
		if err := g.play(ctx, script); err != nil && ctx.Err() == nil {
			return fmt.Errorf("%s: %w", info.ID, err)
		}
	}
	return nil
}

func newBenchClient(url string, connections int) client {
	return client{base: url, http: &http.Client{Transport: &http.Transport{
		MaxIdleConns: connections, MaxIdleConnsPerHost: connections, DisableCompression: true,
		ReadBufferSize: 32 << 10, // most answers are read at once
	}}}
}
