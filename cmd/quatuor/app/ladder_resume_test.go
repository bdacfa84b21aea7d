package app

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"quatuor/api/auth"
	"quatuor/engine/table"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
	"quatuor/tournament/ladder"
)

// TestLadderGameIsOpenedAtStart: a challenge was accepted, and the program died before its game was opened. The next
// start opens it, once, and opens none for a challenge that has ended since.
func TestLadderGameIsOpenedAtStart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	a := startedOn(t, dir)
	ctx := auth.With(t.Context(), auth.Identity{
		AccountID: "olga", Role: account.RoleOrganiser, Method: auth.ByCookie,
		Scopes: []auth.Scope{auth.ScopeRead, auth.ScopePlay, auth.ScopeOrganise},
	})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(a.Store.People().CreateAccount(ctx, account.Account{ID: "olga", Login: "olga", Role: account.RoleOrganiser, PasswordHash: "x"}, nil))
	now := time.Now().UnixMilli()
	acts := []ladder.Act{}
	for _, id := range []string{"ada", "bob", "cid", "dan"} {
		must(a.Store.People().CreatePlayer(ctx, club.Player{ID: id, Name: id, Version: 1}))
		acts = append(acts, ladder.Act{Kind: ladder.ActJoin, Player: id})
	}
	acts = append(acts,
		ladder.Act{Kind: ladder.ActChallenge, Challenge: "ended", Player: "dan", Other: "cid"},
		ladder.Act{Kind: ladder.ActAccept, Challenge: "ended", Player: "cid"},
		ladder.Act{Kind: ladder.ActGame, Challenge: "ended", Game: "never"},
		ladder.Act{Kind: ladder.ActLeave, Player: "dan"},
		ladder.Act{Kind: ladder.ActChallenge, Challenge: "open", Player: "bob", Other: "ada"},
		ladder.Act{Kind: ladder.ActAccept, Challenge: "open", Player: "ada"},
		ladder.Act{Kind: ladder.ActGame, Challenge: "open", Game: "unopened"})
	for i := range acts {
		acts[i].N, acts[i].At = i+1, now
	}
	settings := ladder.Settings{ID: "l", Name: "Club", Variant: "quixo/duel", TimeControl: "300+3", Organiser: "olga"}
	settings.Rules = ladder.DefaultRules()
	must(a.Store.Seasons().CreateLadder(ctx, settings))
	must(a.Store.Seasons().AddActs(ctx, "l", acts))
	a.Close()

	for start := range 2 {
		a = startedOn(t, dir)
		s, err := a.Tables.Snapshot(ctx, "unopened")
		if err != nil || s.Game.Status != table.Waiting || s.Game.Players[0] != "ada" || s.Game.Players[1] != "bob" ||
			!s.Game.Invites("ada") || !s.Game.Invites("bob") {
			t.Errorf("start %d: %v, %v; want the game, waiting for both", start+1, s, err)
		}
		if _, err := a.Tables.Snapshot(ctx, "never"); !errors.Is(err, table.ErrNotFound) {
			t.Errorf("start %d: a challenge that has ended has a game: %v", start+1, err)
		}
		games, _, err := a.Store.Games().List(ctx, table.Filter{}, 10, "")
		if err != nil || len(games) != 1 {
			t.Errorf("start %d: %d games, %v", start+1, len(games), err)
		}
		a.Close()
	}
}
