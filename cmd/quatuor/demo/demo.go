// Package demo plays a club evening against a server of its own, as separate clients would.
package demo

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"time"

	"quatuor/api/client"
	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/harness"
	"quatuor/cmd/quatuor/terminal"

	"golang.org/x/sync/errgroup"
)

// Config configures the evening.
type Config struct {
	Data   string // empty folder to keep the evening in; "" for a temporary folder
	Listen string // address to serve on; port 0 takes a free port
	Exit   bool   // end after the evening instead of staying up
	Seed   uint64 // chance of the players; the same number plays much the same evening
}

// password is every demo account's password; it is shown at the end so that the pages can be tried logged in.
const password = "club-evening"

// organiser is the demo's organiser.
const organiser = "olga"

// contest is the plan of a tournament of the evening.
type contest struct {
	variant, name, control string
	format                 string
	tieBreaks              []string
	rounds                 int            // 0 where the format knows
	tables                 map[string]any // rules of tables, of formats that have them
	hall                   bool           // played on boards in the hall: results are entered by hand
}

// games returns the number of games that the players play on the server.
func (c contest) games() int {
	if c.hall {
		return 0
	}
	if c.tables != nil {
		return c.rounds * len(names) / 4
	}
	return len(names) * (len(names) - 1) / 2
}

// tournaments are the evening's tournaments. The blitz has a short time control: a game of it is lost on time, and
// people are watching. The melee is a Swiss at tables of four, and in the partners' evening all have a new partner in
// each round. The tournament on boards in the hall comes before the others.
var tournaments = []contest{
	{
		variant: "quits/duel", name: "Quits in the Hall", control: "900+10", format: "swiss", tieBreaks: []string{"BH", "SB"},
		rounds: 3, hall: true,
	},
	duels("quixo/duel", "Quixo Autumn Cup", "300+3"),
	duels("quits/duel", "Quits Evening", "180+2"),
	duels("quivive/duel", "Quivive Open", "300+3"),
	duels("quiwin/duel", "Qui'win Blitz", "6+2"),
	{
		variant: "quivive/melee", name: "Quivive Melee", control: "300+3", format: "table_swiss",
		tieBreaks: []string{"WIN", "2ND", "BH"}, rounds: 3,
		tables: map[string]any{"sizes": []int{4}, "meetings": "second"},
	},
	{
		variant: "quixo/teams", name: "Quixo Partners", control: "300+3", format: "table_swiss",
		tieBreaks: []string{"WIN", "BH"}, rounds: 3,
		tables: map[string]any{"partners": "rotate", "meetings": "second"},
	},
}

// duels returns a round-robin.
func duels(variant, name, control string) contest {
	return contest{
		variant: variant, name: name, control: control, format: "round_robin",
		tieBreaks: []string{"DE", "SB", "WIN"},
	}
}

// names are the evening's players.
var names = []string{
	"Ada Lindqvist", "Bruno Keller", "Chiara Conti", "Dmitri Orlov", "Emma Laurent", "Farid Haddad", "Greta Novak",
	"Hugo Martins",
}

// Run plays the evening, prints its outcome, and serves until ctx ends, unless it is to exit.
func Run(ctx context.Context, d Config, s terminal.Streams) error {
	data, cleanup, err := d.folder()
	if err != nil {
		return err
	}
	defer cleanup()
	logger := slog.New(slog.NewTextHandler(s.Err, &slog.HandlerOptions{Level: slog.LevelWarn}))
	a, err := app.New(ctx, app.Config{
		Storage: app.Storage{Data: data}, Listen: d.Listen, Registration: "open", RateLimit: rateLimit, Logger: logger,
	})
	if err != nil {
		return err
	}
	defer a.Close()
	if err := a.Listen(ctx); err != nil {
		return err
	}
	if err := d.checkEmpty(ctx, a); err != nil {
		return err
	}
	running, stop := context.WithCancel(ctx)
	defer stop()
	group, running := errgroup.WithContext(running)
	group.Go(func() error { return a.Run(running) })
	group.Go(func() error {
		fmt.Fprintf(s.Out, "quatuor demo: serving on %s\ndata in %s\n\n", a.URL(), data)
		evening := evening{Client: newClient(a.URL()), Streams: s, seed: d.Seed}
		if err := evening.play(running, a); err != nil {
			return err
		}
		if d.Exit {
			stop()
			return nil
		}
		fmt.Fprintf(s.Out, "\nThe pages are at %s – log in as %s with the password %s. Press Ctrl-C to end.\n", a.URL(),
			organiser, password)
		return nil
	})
	return group.Wait()
}

// rateLimit is the demo's limit of requests a second for an address, which all its clients share.
const rateLimit = 100_000

// folder returns the data folder, and a function that removes it if it is temporary.
func (d Config) folder() (data string, cleanup func(), err error) {
	if d.Data != "" {
		return d.Data, func() {}, nil
	}
	data, err = os.MkdirTemp("", "quatuor-demo-")
	return data, func() { _ = os.RemoveAll(data) }, err
}

// checkEmpty refuses a folder with an existing installation.
func (d Config) checkEmpty(ctx context.Context, a *app.App) error {
	accounts, err := a.Store.People().CountAccounts(ctx)
	if err == nil && accounts > 0 {
		return app.UsageErrorf("%s holds an installation already; give the demo an empty folder", d.Data)
	}
	return err
}

func newClient(url string) *client.Client {
	return client.New(url, &http.Transport{MaxIdleConnsPerHost: 64})
}

// evening is the demo in progress.
type evening struct {
	*client.Client
	terminal.Streams
	seed    uint64
	counts  tally
	players []*player
	cups    []cup
}

// cup is a tournament of the evening.
type cup struct {
	id, name, variant, format string
}

// play is the evening from the first login to the last standings.
func (e *evening) play(ctx context.Context, a *app.App) error {
	e.counts.reasons = map[string]int{}
	if err := app.CreateAdmin(ctx, a.Store, organiser, password); err != nil {
		return err
	}
	if err := e.Login(ctx, organiser, password); err != nil {
		return err
	}
	if err := e.welcome(ctx); err != nil {
		return err
	}
	if err := e.announce(ctx); err != nil {
		return err
	}
	began := time.Now()
	if err := e.playGames(ctx); err != nil {
		return err
	}
	took := time.Since(began)
	if err := e.season(ctx); err != nil {
		return err
	}
	return e.report(ctx, took)
}

// welcome opens an account for every player, over the API, and logs each in with a client of its own.
func (e *evening) welcome(ctx context.Context) error {
	for i, name := range names {
		registered, err := harness.Register(ctx, newClient(e.Base), fmt.Sprintf("player%d", i+1), password, name)
		if err != nil {
			return fmt.Errorf("account of %s: %w", name, err)
		}
		p := &player{Player: registered, name: name, counts: &e.counts, seed: e.seed + uint64(i)<<32}
		e.players = append(e.players, p)
	}
	e.players[7].temper.sleepsIn = "quiwin/duel"
	e.players[2].temper.gaveUpIn = "quixo/duel"
	return nil
}

// announce sets the tournaments up as an organiser does: create, open, enter all players, start, pair the first round.
func (e *evening) announce(ctx context.Context) error {
	for _, v := range tournaments {
		cup := cup{name: v.name, variant: v.variant, format: v.format}
		var made struct {
			ID string `json:"id"`
		}
		settings := map[string]any{
			"name": v.name, "variant": v.variant, "format": v.format, "time_control": v.control,
			"tie_breaks": v.tieBreaks, "rated": true, "auto_rounds": !v.hall,
		}
		if v.rounds > 0 {
			settings["rounds"] = v.rounds
		}
		if v.tables != nil {
			settings["pairing"] = map[string]any{"tables": v.tables}
		}
		if v.hall {
			settings["venue"] = "hall"
		}
		err := e.Post(ctx, "/tournaments", settings, &made)
		if err != nil {
			return fmt.Errorf("%s: %w", v.name, err)
		}
		cup.id = made.ID
		e.cups = append(e.cups, cup)
		path := "/tournaments/" + cup.id
		steps := []error{e.Post(ctx, path+"/open", nil, nil)}
		for _, p := range e.players {
			steps = append(steps, e.Post(ctx, path+"/entries", map[string]string{"player_id": p.ID}, nil))
		}
		steps = append(steps, e.Post(ctx, path+"/start", nil, nil), e.Post(ctx, path+"/rounds", nil, nil))
		if err := errors.Join(steps...); err != nil {
			return fmt.Errorf("%s: %w", v.name, err)
		}
		if v.hall {
			if err := e.playInHall(ctx, path, v.rounds); err != nil {
				return fmt.Errorf("%s: %w", v.name, err)
			}
		}
	}
	return nil
}

// playGames lets all players play until every game of every tournament is over.
func (e *evening) playGames(ctx context.Context) error {
	total := 0
	for _, v := range tournaments {
		total += v.games()
	}
	bar := terminal.Progress(e.Err, total, "playing the evening", "games")
	playing, stop := context.WithCancel(ctx)
	defer stop()
	group, playing := errgroup.WithContext(playing)
	for _, p := range e.players {
		group.Go(func() error { return p.play(playing) })
	}
	group.Go(func() error {
		defer stop()
		ticker := time.NewTicker(lookInterval)
		defer ticker.Stop()
		for {
			done := int(e.counts.finished.Load())
			bar.Set(done, total)
			if done >= total {
				return e.waitComplete(playing)
			}
			select {
			case <-ticker.C:
			case <-playing.Done():
				return nil
			}
		}
	})
	err := group.Wait()
	bar.Finish()
	fmt.Fprintln(e.Err)
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// waitComplete returns when every tournament has all its results, then has them declared final.
func (e *evening) waitComplete(ctx context.Context) error {
	for _, cup := range e.cups {
		for {
			err := e.Post(ctx, "/tournaments/"+cup.id+"/finish", nil, nil)
			var refusal *client.Problem
			if err == nil {
				break
			}
			if !errors.As(err, &refusal) || refusal.Status != http.StatusConflict {
				return fmt.Errorf("%s: %w", cup.name, err)
			}
			select {
			case <-time.After(lookInterval):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	return nil
}
