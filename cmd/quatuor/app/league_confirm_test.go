package app

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/cmd/quatuor/terminal"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/director"
	"quatuor/tournament/league"
)

// stopsAt are triggers that count the writes of a confirmation, and refuse those after a number.
const stopsAt = `CREATE TABLE stop (n INTEGER, at INTEGER);
INSERT INTO stop VALUES (0, %d);
CREATE TRIGGER stop_plans BEFORE UPDATE ON league_seasons BEGIN
	UPDATE stop SET n = n + 1; SELECT RAISE(ABORT, 'stopped') FROM stop WHERE n > at; END;
CREATE TRIGGER stop_creations BEFORE INSERT ON tournaments BEGIN
	UPDATE stop SET n = n + 1; SELECT RAISE(ABORT, 'stopped') FROM stop WHERE n > at; END;
CREATE TRIGGER stop_changes BEFORE UPDATE ON tournaments BEGIN
	UPDATE stop SET n = n + 1; SELECT RAISE(ABORT, 'stopped') FROM stop WHERE n > at; END;
CREATE TRIGGER stop_entries BEFORE INSERT ON entries BEGIN
	UPDATE stop SET n = n + 1; SELECT RAISE(ABORT, 'stopped') FROM stop WHERE n > at; END;
CREATE TRIGGER stop_acts BEFORE INSERT ON tournament_acts BEGIN
	UPDATE stop SET n = n + 1; SELECT RAISE(ABORT, 'stopped') FROM stop WHERE n > at; END;`

// resumes removes the triggers of stopsAt.
const resumes = `DROP TRIGGER stop_plans; DROP TRIGGER stop_creations; DROP TRIGGER stop_changes;
DROP TRIGGER stop_entries; DROP TRIGGER stop_acts; DROP TABLE stop;`

// TestConfirmationStopped stops the confirmation of a league's season at every write: after a restart the season is a
// draft, or it is confirmed and each division has a closed tournament with its members. Confirming it again completes it.
func TestConfirmationStopped(t *testing.T) {
	writes := 0
	for stopped := true; stopped; writes++ {
		stopped = stopConfirmation(t, writes)
	}
	if writes < 10 {
		t.Errorf("the confirmation was stopped at %d writes", writes)
	}
}

// stopConfirmation lets a confirmation make a number of writes, and reports whether it was stopped.
func stopConfirmation(t *testing.T, writes int) (stopped bool) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	a := startedOn(t, dir)
	ctx, id := draftLeague(t, a)
	execute(t, dir, fmt.Sprintf(stopsAt, writes))
	stopped = confirm(ctx, a, id) != nil
	a.Close()
	execute(t, dir, resumes)

	a = startedOn(t, dir)
	defer a.Close()
	if confirmed := complete(ctx, t, a, id, fmt.Sprintf("stopped after %d writes", writes)); confirmed == stopped {
		t.Errorf("stopped after %d writes: %v, and confirmed: %v", writes, stopped, confirmed)
	}
	if err := confirm(ctx, a, id); err != nil {
		t.Fatal(err)
	}
	if !complete(ctx, t, a, id, "confirmed again") {
		t.Errorf("after %d writes and another confirmation it is still a draft", writes)
	}
	return stopped
}

// complete holds a league's season to what it must be, and reports whether it is confirmed.
func complete(ctx context.Context, t *testing.T, a *App, id, when string) bool {
	t.Helper()
	_, plans, err := a.Store.Seasons().League(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	all, _, err := a.Store.Tournaments().List(ctx, director.Filter{}, 100, "")
	if err != nil {
		t.Fatal(err)
	}
	want := 0
	for i, d := range plans[0].State.Divisions {
		if !plans[0].Confirmed {
			break
		}
		want++
		cup, err := a.Store.Tournaments().Load(ctx, d.Tournament)
		if err != nil || cup.Status != tournament.Closed || len(cup.Entries) != len(d.Members) || cup.Version != 4 {
			t.Errorf("%s: division %d: %+v, %v", when, i+1, cup, err)
		}
	}
	if len(all) != want {
		t.Errorf("%s: there are %d tournaments, and there should be %d", when, len(all), want)
	}
	var out bytes.Buffer
	if err := Check(ctx, Storage{}, a.Store, terminal.Streams{Out: &out, Err: &out}); err != nil {
		t.Errorf("%s: %v\n%s", when, err, &out)
	}
	return plans[0].Confirmed
}

// TestHalfMadeLeague mends the leavings of older versions: a division without a tournament, and a division with a
// tournament that is open to all. Until then a check reports it. A tournament that was deleted is not made again.
func TestHalfMadeLeague(t *testing.T) {
	for name, tt := range map[string]struct {
		half  string // SQL
		fault bool
	}{
		"no tournament":   {"DELETE FROM tournaments WHERE id = {first}", true},
		"open":            {"UPDATE tournaments SET status = 'open' WHERE id = {first}; DELETE FROM tournament_acts WHERE kind = 'close'", true},
		"no members":      {"UPDATE tournaments SET status = 'draft', entry_count = 0 WHERE id = {first}; DELETE FROM entries WHERE tournament_id = {first}; DELETE FROM tournament_acts", true},
		"opened again":    {"UPDATE tournaments SET status = 'open' WHERE id = {first}", false},
		"as it should be": {"SELECT 1", false},
	} {
		t.Run(name, func(t *testing.T) { halfMade(t, tt.half, tt.fault) })
	}
}

func halfMade(t *testing.T, half string, fault bool) {
	dir := filepath.Join(t.TempDir(), "data")
	a := startedOn(t, dir)
	ctx, id := draftLeague(t, a)
	if err := confirm(ctx, a, id); err != nil {
		t.Fatal(err)
	}
	_, plans, err := a.Store.Seasons().League(ctx, id)
	a.Close()
	if err != nil {
		t.Fatal(err)
	}
	first := plans[0].State.Divisions[0].Tournament
	execute(t, dir, strings.ReplaceAll(half, "{first}", "'"+first+"'"))

	db, err := Storage{Data: dir}.OpenStore(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err = Check(ctx, Storage{}, db, terminal.Streams{Out: &out, Err: &out})
	if said := strings.Contains(out.String(), first); said != fault || (err != nil) != fault {
		t.Errorf("%v\n%s", err, &out)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	a = startedOn(t, dir)
	defer a.Close()
	cup, err := a.Store.Tournaments().Load(ctx, first)
	if err != nil || len(cup.Entries) != 2 || (cup.Status == tournament.Closed) != (fault || !strings.Contains(half, "open")) {
		t.Errorf("after a start: %+v, %v", cup, err)
	}
	if err := Check(ctx, Storage{}, a.Store, terminal.Streams{Out: &out, Err: &out}); err != nil {
		t.Errorf("after a start: %v\n%s", err, &out)
	}
	if err := a.Director.Delete(ctx, first, director.Order{}); err != nil {
		t.Fatal(err)
	}
	if err := a.resume(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Store.Tournaments().Load(ctx, first); !errors.Is(err, tournament.ErrNotFound) {
		t.Errorf("a tournament that was deleted is back: %v", err)
	}
}

// draftLeague makes a league of two divisions in the hall, and returns its id and an organiser's context.
func draftLeague(t *testing.T, a *App) (context.Context, string) {
	t.Helper()
	ctx := auth.With(t.Context(), auth.Identity{AccountID: "olga", Role: account.RoleOrganiser, Method: auth.ByCookie, Scopes: []auth.Scope{auth.ScopeRead, auth.ScopePlay, auth.ScopeOrganise}})
	first := league.State{Rules: league.Rules{Up: 1, Down: 1}}
	first.Tournament.Variant, first.Tournament.Format = "quixo/duel", tournament.RoundRobin
	first.Tournament.Venue, first.Tournament.TimeControl = tournament.InHall, "none"
	for _, names := range []string{"~a ~b", "~c ~d ~e"} {
		var d league.Division
		for _, name := range strings.Fields(names) {
			d.Members = append(d.Members, league.Member{Name: name, Because: league.Joins})
		}
		first.Divisions = append(first.Divisions, d)
	}
	olga := account.Account{ID: "olga", Login: "olga", Role: account.RoleOrganiser, PasswordHash: "x"}
	if err := a.Store.People().CreateAccount(ctx, olga, nil); err != nil {
		t.Fatal(err)
	}
	l := league.Stored{Settings: league.Settings{Name: "Club"}, Plans: []league.Plan{{State: first}}}
	l, err := command.Leagues.Create(ctx, a.commands, "", l)
	if err != nil {
		t.Fatal(err)
	}
	return ctx, l.ID
}

// confirm confirms the first season of a league.
func confirm(ctx context.Context, a *App, id string) error {
	_, err := command.ConfirmSeason.Run(ctx, a.commands, command.On{ID: id, Number: 1, Seen: new("*")})
	return err
}

// startedOn returns the program on a folder, after what it does at its start.
func startedOn(t *testing.T, dir string) *App {
	t.Helper()
	a, err := New(t.Context(), Config{Storage: Storage{Data: dir}, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	return a
}

// execute runs SQL on the database of a folder, beside the program.
func execute(t *testing.T, dir, statements string) {
	t.Helper()
	db, err := sql.Open("sqlite3", filepath.Join(dir, "quatuor.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), "PRAGMA foreign_keys = ON; "+statements); err != nil {
		t.Fatal(err)
	}
}
