package main

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quatuor/cmd/quatuor/app"
	"quatuor/engine/sentence"
	"quatuor/engine/table"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
	"quatuor/tournament/director"
)

// filledFolder is a data folder with the same content at every run, but for ids and times: a round-robin of four that
// is over, with every kind of result, and three casual games: running, drawn and aborted.
func filledFolder(t *testing.T) string {
	t.Helper()
	return filledBy(t, func(f *filler) {
		f.openAccounts("olga", "p")
		f.enterPlayers("ada", "bob", "cyd", "dan")
		f.holdCup()
		f.playCasually()
	})
}

// filledBy is a data folder that a service has filled.
func filledBy(t *testing.T, fill func(*filler)) string {
	t.Helper()
	data := t.TempDir()
	a, err := app.New(t.Context(), app.Config{
		Storage: app.Storage{Data: data}, Listen: "127.0.0.1:0", Registration: "closed",
		Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if err := a.Listen(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	f := &filler{a, t}
	fill(f)
	stop()
	f.must(<-ended)
	return data
}

// filler fills a database through the domain, as the service does.
type filler struct {
	*app.App
	t *testing.T
}

func (f *filler) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// openAccounts opens accounts with their logins as ids.
func (f *filler) openAccounts(logins ...string) {
	for _, login := range logins {
		f.must(f.Store.People().CreateAccount(f.t.Context(),
			account.Account{ID: login, Login: login, Role: account.RoleOrganiser}, nil))
	}
}

func (f *filler) enterPlayers(names ...string) {
	for _, name := range names {
		f.must(f.Store.People().CreatePlayer(f.t.Context(), club.Player{ID: name, Name: strings.ToUpper(name), Version: 1}))
	}
}

// holdCup holds a round-robin of three rounds: in each the first board is won, the second drawn or decided by hand.
func (f *filler) holdCup() {
	f.t.Helper()
	ctx := f.t.Context()
	cup, err := f.Director.Create(ctx, "", tournament.Settings{
		Name: "Cup", Variant: "quixo/duel", Format: tournament.RoundRobin, TimeControl: "300+3", Rated: true,
	}, "")
	f.must(err)
	order := director.Order{By: "olga"}
	_, err = f.Director.Do(ctx, cup.ID, director.Open, order)
	f.must(err)
	for _, name := range []string{"ada", "bob", "cyd", "dan"} {
		_, _, err := f.Director.AddEntry(ctx, cup.ID, tournament.Entry{Name: strings.ToUpper(name), Members: []string{name}},
			order)
		f.must(err)
	}
	_, err = f.Director.Do(ctx, cup.ID, director.Start, order)
	f.must(err)
	for round := 1; round <= 3; round++ {
		_, err = f.Director.Do(ctx, cup.ID, director.DrawRound, order)
		f.must(err)
		held, err := f.Director.Do(ctx, cup.ID, director.PublishStarting(0, false), order)
		f.must(err)
		for _, p := range held.Rounds[round-1].Pairings {
			switch {
			case p.Board == 1:
				f.play(p.GameID, 2*round)
				f.resign(p.GameID)
			case round == 3:
				verdict, err := tournament.ParseVerdict("0-1")
				f.must(err)
				_, err = f.Director.Do(ctx, cup.ID, director.SetResult(round, p.Board, verdict, "over the board"), order)
				f.must(err)
			default:
				f.play(p.GameID, 4)
				f.draw(p.GameID)
			}
		}
		f.Follow(f.t.Context())
	}
	_, err = f.Director.Do(ctx, cup.ID, director.Finish, order)
	f.must(err)
}

// playCasually leaves a running, a drawn, and an aborted game.
func (f *filler) playCasually() {
	f.t.Helper()
	var ids []string
	for i := range 3 {
		opened, err := f.Tables.Open(f.t.Context(), table.NewGame{
			Variant: []string{"quixo/duel", "quits/duel", "quixo/duel"}[i], Players: []string{"ada", "cyd"},
			Controls: []string{"600"}, Rated: true, Start: true,
		})
		f.must(err)
		ids = append(ids, opened[0].Game.ID)
	}
	f.play(ids[0], 6)
	f.play(ids[2], 2)
	f.draw(ids[2])
	_, err := f.Tables.Abort(f.t.Context(), ids[1], "olga", sentence.Typed("opened by mistake"))
	f.must(err)
	f.Follow(f.t.Context())
}

// play makes the first legal move a number of times.
func (f *filler) play(game string, times int) {
	f.t.Helper()
	for range times {
		s, err := f.Tables.Snapshot(f.t.Context(), game)
		f.must(err)
		seat := s.Match.Pending().Awaited[0]
		token := string(s.Match.State().Legal(seat)[0])
		act := table.Act{Game: game, Seat: int8(seat), By: "p"}
		_, err = f.Tables.Play(f.t.Context(), f.Tables.Arrive(game), table.Move{Act: act, Turn: s.Match.Turn(), Token: token})
		f.must(err)
	}
}

func (f *filler) resign(game string) {
	f.t.Helper()
	_, err := f.Tables.Resign(f.t.Context(), f.Tables.Arrive(game), table.Act{Game: game, Seat: 2, By: "p"})
	f.must(err)
}

func (f *filler) draw(game string) {
	f.t.Helper()
	_, err := f.Tables.Offer(f.t.Context(), f.Tables.Arrive(game), table.Act{Game: game, Seat: 1, By: "p"})
	f.must(err)
	_, err = f.Tables.Accept(f.t.Context(), f.Tables.Arrive(game), table.Act{Game: game, Seat: 2, By: "p"})
	f.must(err)
}

// Ids differ between runs, and the last digits of ratings between processors.
var (
	anyID      = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
	longNumber = regexp.MustCompile(`(\.\d{4})\d+`)
)

// stable leaves out of an output what is not the same at every run.
func stable(text string) string {
	return longNumber.ReplaceAllString(anyID.ReplaceAllString(text, "ID"), "$1")
}

// TestCheckPrints compares the output of `quatuor check` for a sound installation, and for an installation with many
// kinds of faults, with its goldens. The lines are sorted: games are replayed side by side.
func TestCheckPrints(t *testing.T) {
	data := filledFolder(t)
	checked := func(data string) string {
		var out, errs strings.Builder
		status := run([]string{"check", "--data", data}, strings.NewReader(""), &out, &errs)
		lines := slices.Sorted(strings.Lines(stable(out.String())))
		return fmt.Sprintf("%s%sexit status %d\n", strings.Join(lines, ""), stable(errs.String()), status)
	}
	golden(t, "check/sound.txt", checked(data))
	for name, statement := range map[string]string{
		"games.txt": `UPDATE games SET position = position || '.' WHERE tournament_id IS NOT NULL;
			UPDATE live_games SET turn = turn + 1 WHERE status = 'running'`,
		"lines.txt":       `UPDATE lines SET text = 'z9' WHERE kind = 'move' AND n = 2`,
		"tournaments.txt": `UPDATE pairings SET result = NULL WHERE board = 1; UPDATE pairings SET game_id = game_id || '-' WHERE board = 2`,
		"ratings.txt":     `UPDATE rating_rows SET value_after = value_after + 100; UPDATE current_ratings SET value = value + 1`,
		"outbox.txt":      `DELETE FROM outbox WHERE seq = 2`,
	} {
		golden(t, filepath.Join("check", name), checked(spoilt(t, data, statement)))
	}
}
