package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/app/apptest"
	"quatuor/engine/table"
	"quatuor/tournament"
	"quatuor/tournament/club"
	"quatuor/tournament/director"
)

var (
	fieldEntries = flag.Int("field.entries", 24,
		"how many enter the tournament of TestLargeField; 2000 is what it is made for")
	fieldRounds = flag.Int("field.rounds", 5, "how many rounds TestLargeField plays")
)

// atOnce is the number of people that act at the same moment in TestLargeField.
const atOnce = 32

// field is a large tournament on a whole installation, with the times that each kind of step took.
type field struct {
	*app.App
	t      *testing.T
	id     string
	chance *rand.Rand
	kinds  []string
	times  map[string][]time.Duration
}

// TestLargeField runs a Swiss tournament from the registration to the last standings, through the director, the tables,
// the outbox and the ratings on a real database, and logs how long each step took (-v):
//
//	go test -run TestLargeField -v ./cmd/quatuor -field.entries 2000 -field.rounds 11
func TestLargeField(t *testing.T) {
	f := newField(t)
	f.register(*fieldEntries)
	f.step("start", func(ctx context.Context) error {
		_, err := f.Director.Do(ctx, f.id, director.Start, director.Order{})
		return err
	})
	for round := 1; round <= *fieldRounds; round++ {
		f.playRound(round)
	}
	f.step("finish", func(ctx context.Context) error {
		_, err := f.Director.Do(ctx, f.id, director.Finish, director.Order{})
		return err
	})
	f.step("check everything", func(ctx context.Context) error {
		return app.Check(ctx, app.Storage{}, f.Store, streams{Out: t.Output(), Err: t.Output()})
	})
	f.log()
}

// newField runs an installation on a database of its own.
func newField(t *testing.T) *field {
	t.Helper()
	a := apptest.Run(t, app.Config{
		Site: "quatuor", Logger: slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelError})),
	})
	return &field{App: a, t: t, chance: rand.New(rand.NewPCG(1, 2)), times: map[string][]time.Duration{}}
}

// step measures a step.
func (f *field) step(kind string, do func(ctx context.Context) error) {
	f.t.Helper()
	began := time.Now()
	if err := do(f.t.Context()); err != nil {
		f.t.Fatalf("%s: %v", kind, err)
	}
	f.note(kind, time.Since(began))
}

func (f *field) note(kind string, took ...time.Duration) {
	if _, known := f.times[kind]; !known {
		f.kinds = append(f.kinds, kind)
	}
	f.times[kind] = append(f.times[kind], took...)
}

// log prints a line for each kind of step: number, median, maximum, and sum.
func (f *field) log() {
	f.t.Logf("%-20s %6s %12s %12s %12s", "step", "times", "median", "longest", "together")
	for _, kind := range f.kinds {
		took := slices.Sorted(slices.Values(f.times[kind]))
		var all time.Duration
		for _, d := range took {
			all += d
		}
		f.t.Logf("%-20s %6d %12s %12s %12s", kind, len(took), took[len(took)/2].Round(10*time.Microsecond),
			took[len(took)-1].Round(10*time.Microsecond), all.Round(time.Millisecond))
	}
}

// register creates the tournament and enters all players in turn.
func (f *field) register(entries int) {
	f.t.Helper()
	settings := tournament.Settings{
		Name: "Open", Variant: "quixo/duel", Format: tournament.Swiss, RoundCount: *fieldRounds, TimeControl: "300+3",
		Rated: true,
	}
	(&filler{f.App, f.t}).openAccounts("olga", "p")
	f.step("create", func(ctx context.Context) error {
		t, err := f.Director.Create(ctx, "", settings, "olga")
		if err == nil {
			f.id = t.ID
			_, err = f.Director.Do(ctx, f.id, director.Open, director.Order{})
		}
		return err
	})
	for i := range entries {
		player := club.Player{ID: fmt.Sprintf("player-%04d", i), Name: fmt.Sprintf("Player %04d", i), Version: 1}
		if err := f.Store.People().CreatePlayer(f.t.Context(), player); err != nil {
			f.t.Fatal(err)
		}
		f.step("enter", func(ctx context.Context) error {
			_, _, err := f.Director.AddEntry(ctx, f.id, tournament.Entry{
				Name: player.Name, Members: []string{player.ID}, Rating: float64(1000 + f.chance.IntN(1500)),
				Club: fmt.Sprint("Club ", i%40),
			}, director.Order{By: "olga"})
			return err
		})
	}
}

// playRound pairs and publishes a round, ends its games, and demands that the standings count all of them.
func (f *field) playRound(round int) {
	f.t.Helper()
	var t *tournament.Tournament
	f.step("pair", func(ctx context.Context) (err error) {
		_, err = f.Director.Do(ctx, f.id, director.DrawRound, director.Order{By: "olga"})
		return err
	})
	f.step("publish", func(ctx context.Context) (err error) {
		t, err = f.Director.Do(ctx, f.id, director.PublishStarting(0, false), director.Order{By: "olga"})
		return err
	})
	pairings := t.Rounds[round-1].Pairings
	if want := (len(t.Entries) + 1) / 2; len(pairings) != want {
		f.t.Fatalf("round %d has %d pairings, want %d", round, len(pairings), want)
	}
	f.step("games of a round", func(context.Context) error { return f.endGames(round, pairings) })
	f.step("standings", func(ctx context.Context) error {
		played, err := f.Director.Store.Load(ctx, f.id)
		if err != nil {
			return err
		}
		table, err := f.Director.Standings(played, round)
		if err != nil {
			return err
		}
		var points tournament.Points
		for _, row := range table.Rows {
			points += row.Points
		}
		if want := tournament.Points(round*len(pairings)) * tournament.StandardPoints.Win; points != want {
			return fmt.Errorf("%d points were scored in %d rounds, want %d", points, round, want)
		}
		return nil
	})
}

// endGames ends every game of a round with a random result: most by the players themselves at the tables, every tenth
// by the arbiter.
func (f *field) endGames(round int, pairings []tournament.Pairing) error {
	var group errgroup.Group
	group.SetLimit(atOnce)
	times := make([]time.Duration, len(pairings))
	for i, p := range pairings {
		if p.GameID == "" {
			continue
		}
		result := f.chance.IntN(3)
		group.Go(func() error {
			began := time.Now()
			defer func() { times[i] = time.Since(began) }()
			if i%10 == 9 {
				return f.decide(round, p.Board, []string{"1-0", "1/2-1/2", "0-1"}[result])
			}
			return f.end(p.GameID, result)
		})
	}
	err := group.Wait()
	f.Follow(f.t.Context()) // the end of a game waits for what follows from it, but not for ever
	for i, p := range pairings {
		switch {
		case p.GameID == "":
		case i%10 == 9:
			f.note("result by hand", times[i])
		default:
			f.note("end of a game", times[i])
		}
	}
	return err
}

func (f *field) decide(round, board int, text string) error {
	verdict, err := tournament.ParseVerdict(text)
	if err != nil {
		return err
	}
	_, err = f.Director.Do(f.t.Context(), f.id, director.SetResult(round, board, verdict, "over the board"), director.Order{By: "olga"})
	return err
}

// end lets a game be won by seat 1, drawn, or won by seat 2, after a move of each.
func (f *field) end(game string, result int) error {
	ctx := f.t.Context()
	act := func(seat int8) table.Act { return table.Act{Game: game, Seat: seat, By: "p"} }
	for i, token := range []string{"c1-c5", "a1-e1"} {
		move := table.Move{Act: act(int8(i + 1)), Turn: i + 1, Token: token}
		if _, err := f.Tables.Play(ctx, f.Tables.Arrive(game), move); err != nil {
			return err
		}
	}
	if result == 1 {
		if _, err := f.Tables.Offer(ctx, f.Tables.Arrive(game), act(1)); err != nil {
			return err
		}
		_, err := f.Tables.Accept(ctx, f.Tables.Arrive(game), act(2))
		return err
	}
	_, err := f.Tables.Resign(ctx, f.Tables.Arrive(game), act(int8(2-result/2)))
	return err
}
