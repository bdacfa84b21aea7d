package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	"quatuor/api/client"
	"quatuor/cmd/quatuor/harness"
	"quatuor/engine"
	"quatuor/engine/catalog"
)

// recorder notes the durations of a client's requests.
type recorder struct {
	took   []time.Duration
	errors int
}

// time carries out and records a request. A request in flight when the measurement ends is completed.
func (r *recorder) time(ctx context.Context, request func(context.Context) error) error {
	began := time.Now()
	err := request(context.WithoutCancel(ctx))
	r.took = append(r.took, time.Since(began))
	if err != nil {
		r.errors++
	}
	return err
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// load holds the clients of a measurement: a club of players, and games between them. Players are spread over several
// instances in turn.
type load struct {
	*client.Client                  // of the first
	instances      []*client.Client // all of them
	players        []harness.Player
	variants       []engine.Rules
	scripts        [][]moveScript // by variant; none where something is hidden
	ahead          [][]openGame   // by client: games that are open already
}

const (
	// password is every player's.
	password = "club-evening"
	// clubSize is the number of players that share the games of a measurement, rounded up to the same number at each
	// instance.
	clubSize = 16
	// scriptsEach is the number of different games of each variant.
	scriptsEach = 32
)

// newLoad registers the players. Their connections are shared: each request in flight has its own.
func newLoad(ctx context.Context, urls []string, connections int) (*load, error) {
	l := &load{Client: newBenchClient(urls[0], connections, len(urls)), ahead: make([][]openGame, connections)}
	for _, url := range urls {
		at := l.Share()
		at.Base = url
		l.instances = append(l.instances, at)
	}
	evening := strconv.FormatInt(time.Now().UnixNano(), 36)
	for i := 0; i < clubSize || i%len(urls) > 0; i++ {
		login := fmt.Sprintf("bench-%s-%d", evening, i)
		p, err := harness.Register(ctx, l.instances[i%len(urls)].Share(), login, password, "Player "+strconv.Itoa(i+1))
		if err != nil {
			return nil, fmt.Errorf("registering the players (the server must be set up and have open registration): %w", err)
		}
		l.players = append(l.players, p)
	}
	if err := l.knownEverywhere(ctx, l.players[0]); err != nil {
		return nil, err
	}
	return l, l.writeScripts()
}

func (l *load) writeScripts() error {
	chance := rand.New(rand.NewPCG(1, 2))
	l.variants = catalog.All()
	l.scripts = make([][]moveScript, len(l.variants))
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

// health requests the smallest answer as a logged-in player, which takes the same path through the server as a move up
// to its handler.
func (l *load) health(ctx context.Context, worker int, r *recorder) error {
	return l.repeat(l.players[worker%len(l.players)], "/healthz")(ctx, worker, r)
}

// repeat reads an address over and over.
func (*load) repeat(by harness.Player, path string) work {
	return func(ctx context.Context, _ int, r *recorder) error {
		address, err := url.Parse(by.Base + path)
		for err == nil && ctx.Err() == nil {
			err = r.time(ctx, func(ctx context.Context) error { return by.Request(ctx, http.MethodGet, address, "", nil) })
		}
		if err != nil {
			return fmt.Errorf("GET %s: %w", path, err)
		}
		return nil
	}
}

// gamesAhead is the number of open games per client when its moves are measured. A client that has played them opens
// more under way.
const gamesAhead = 36

// invitationsTo is the number of an account's games that may wait for the same player.
const invitationsTo = 3

// openAhead opens the games for every client, so that the measurement covers moves alone.
func (l *load) openAhead(ctx context.Context) error {
	var group errgroup.Group
	group.SetLimit(invitationsTo)
	for worker := range l.ahead {
		group.Go(func() error {
			for n := len(l.ahead[worker]); n < gamesAhead; n++ {
				g := l.game(worker, worker+n)
				if err := g.open(ctx); err != nil {
					return err
				}
				l.ahead[worker] = append(l.ahead[worker], g)
			}
			return nil
		})
	}
	return group.Wait()
}

// moves plays games of all variants in turn, for all their seats.
func (l *load) moves(ctx context.Context, worker int, r *recorder) error {
	for n := worker; ctx.Err() == nil; n++ {
		g, err := l.next(ctx, worker, n)
		if err != nil {
			return ifStill(ctx, err)
		}
		over, err := g.play(ctx, r)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", g.info.ID, err)
		case !over:
			l.ahead[worker] = slices.Insert(l.ahead[worker], 0, g)
		}
	}
	return nil
}

// next returns an open game for a client: a game that waits or, without any, the nth, which it opens.
func (l *load) next(ctx context.Context, worker, n int) (openGame, error) {
	if waiting := l.ahead[worker]; len(waiting) > 0 {
		l.ahead[worker] = waiting[1:]
		return waiting[0], nil
	}
	g := l.game(worker, n)
	return g, g.open(ctx)
}

// ifStill returns err, unless the measurement has ended: then it comes from that.
func ifStill(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// gameOf is the nth game of a client, of a variant.
func (l *load) gameOf(id string, worker, n int) openGame {
	variant := slices.IndexFunc(l.variants, func(r engine.Rules) bool { return r.Info().ID == id })
	return l.game(worker, variant+n*len(l.variants))
}

// game returns the nth game of a client, with the variants in turn.
func (l *load) game(worker, n int) openGame {
	variant := n % len(l.variants)
	chance := rand.New(rand.NewPCG(uint64(worker), uint64(n)))
	g := openGame{info: l.variants[variant].Info(), chance: chance}
	for seat := range g.info.Seats[0] {
		g.seats = append(g.seats, l.players[(worker+seat)%len(l.players)])
	}
	if all := l.scripts[variant]; len(all) > 0 {
		g.script = all[chance.IntN(len(all))]
	}
	return g
}

func newBenchClient(url string, connections, instances int) *client.Client {
	return client.New(url, &http.Transport{
		MaxIdleConns: connections * instances, MaxIdleConnsPerHost: connections, DisableCompression: true,
		ReadBufferSize: 32 << 10, // most answers are read at once
	})
}

// pacer issues the requests of all clients at a steady rate, whether or not earlier ones are answered; a late request
// goes immediately.
type pacer struct {
	began time.Time
	every time.Duration
	next  atomic.Int64
}

// wait returns when the next request is due; false if ctx ends before.
func (p *pacer) wait(ctx context.Context) bool {
	return pause(ctx, time.Until(p.began.Add(time.Duration(p.next.Add(1)-1)*p.every)))
}

// pause lets some time go by; false if ctx ends before.
func pause(ctx context.Context, d time.Duration) bool {
	if d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	return ctx.Err() == nil
}

// pacedMoves plays games without secrets in turn, at the pacer's rate.
func (l *load) pacedMoves(ctx context.Context, worker int, r *recorder, pace *pacer) error {
	for n := worker; ctx.Err() == nil; n++ {
		g := l.game(worker, n)
		if g.info.Secret {
			continue
		}
		if err := g.pacedPlay(ctx, r, pace); err != nil {
			return ifStill(ctx, fmt.Errorf("%s: %w", g.info.ID, err))
		}
	}
	return nil
}

// pacedPlay opens and plays a game at the pacer's rate.
func (g *openGame) pacedPlay(ctx context.Context, r *recorder, pace *pacer) error {
	if err := g.open(ctx); err != nil {
		return err
	}
	for _, m := range g.script {
		if !pace.wait(ctx) {
			return nil
		}
		if err := g.move(ctx, r, m, nil); err != nil {
			return err
		}
	}
	return nil
}
