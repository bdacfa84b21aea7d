package rest_test

import (
	"fmt"
	"net/http"
	"testing"

	"quatuor/api/apitest"
	"quatuor/rating/elo"
	"quatuor/rating/ledger"
	"quatuor/store"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// TestMergePlayers merges two records of the same person: games, ratings and the account go to the remaining player,
// the stored data is consistent afterwards, and two persons, or two accounts, are not merged by mistake.
func TestMergePlayers(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	s.WithRole("root", account.RoleAdmin)
	s.WithRole("olga", account.RoleOrganiser)
	ada, bob, double := s.Register("ada"), s.Register("bob"), s.Register("double")
	root := s.LoggedIn("root")
	won := func(loser, winner apitest.Person) string {
		t.Helper()
		game := loser.Post("/games", map[string]any{
			"variant": "quixo/duel", "time_control": "300+3", "rated": true, "start": "now",
			"seats": []map[string]string{{"player_id": loser.Player}, {"player_id": winner.Player}},
		}).Want(t, http.StatusCreated)
		id := game.Text("id")
		for turn := range 8 { // a game that is resigned earlier does not count
			i := turn % 2
			p := []apitest.Person{loser, winner}[i]
			at := p.Get("/games/"+id).Want(t, http.StatusOK)
			move := at.Text("legal", fmt.Sprint(i+1), 0)
			p.Post("/games/"+id+"/moves", map[string]any{"seat": i + 1, "turn": at.Number("turn"), "move": move}).
				Want(t, http.StatusOK)
		}
		loser.Post("/games/"+id+"/resign", `{}`).Want(t, http.StatusOK)
		return id
	}
	won(bob, ada)
	theirs := won(bob, double)
	merge := func(v *apitest.Visitor, keep, gone string, more ...string) *apitest.Answer {
		return v.Post("/admin/merge", append([]string{"keep", keep, "gone", gone, "name", "Player"}, more...)...)
	}
	merge(s.LoggedIn("olga"), ada.Player, double.Player).Want(t, http.StatusForbidden)
	merge(s.Visitor(), ada.Player, double.Player).RedirectsTo(t, "/login")
	root.Get("/admin/merge?name=player").Want(t, http.StatusOK).Has(t, double.Player, ada.Player)
	merge(root, ada.Player, ada.Player).Alert(t, http.StatusUnprocessableEntity, "two different")
	merge(root, ada.Player, "").Alert(t, http.StatusUnprocessableEntity, "two different")
	merge(root, ada.Player, "unknown").Want(t, http.StatusNotFound)
	merge(root, ada.Player, bob.Player).Alert(t, http.StatusConflict, "two people")
	merge(root, ada.Player, double.Player).Alert(t, http.StatusConflict, "Both have accounts")
	if n, err := s.Store.People().Player(t.Context(), double.Player); err != nil || n.ID != double.Player {
		t.Fatalf("a refused merge has changed something: %+v, %v", n, err)
	}
	merge(root, ada.Player, double.Player, "both", "yes").RedirectsTo(t, "/players/"+ada.Player+"?said=players_merged")

	kept, err := s.Store.People().Player(t.Context(), double.Player)
	if err != nil || kept.ID != ada.Player || kept.AccountID != ada.Account {
		t.Errorf("the id that went leads to %+v, %v", kept, err)
	}
	if games := ada.Get("/players/"+ada.Player+"/games").Want(t, http.StatusOK).List("items"); len(games) != 2 {
		t.Errorf("%d games, want 2", len(games))
	}
	if a, err := s.Store.People().Account(t.Context(), double.Account); err != nil || a.PlayerID != "" {
		t.Errorf("the second account: %+v, %v", a, err)
	}
	report, err := ledger.New(s.Store.Ratings(), elo.Club{}).Verify(t.Context())
	if err != nil || !report.OK() || report.Rated != 2 {
		t.Errorf("ratings: %+v, %v", report, err)
	}
	history, err := s.Store.Ratings().History(t.Context(), "quixo-blitz", ada.Player)
	if err != nil || len(history) != 2 || history[1].GamesAfter != 2 || history[1].GameID != theirs {
		t.Errorf("the history is %+v, %v", history, err)
	}
	faults := 0
	err = s.Store.EachGame(t.Context(), func(g store.StoredGame) error { faults += len(g.Faults); return nil })
	if err != nil || faults > 0 {
		t.Errorf("%d faults, %v", faults, err)
	}
}

// TestMergeEntries moves the entries of a record in the list, and refuses two entries of the same tournament.
func TestMergeEntries(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	s.WithRole("root", account.RoleAdmin)
	olga := s.WithRole("olga", account.RoleOrganiser)
	root := s.LoggedIn("root")
	for _, p := range []club.Player{
		{ID: "one", Name: "Ada", Version: 1},
		{ID: "two", Name: "Ada L.", Club: "Byron", Version: 1},
	} {
		if err := s.Store.People().CreatePlayer(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	cup := func(name string) string {
		return olga.Post("/tournaments", map[string]any{
			"name": name, "variant": "quixo/duel", "format": "round_robin",
			"time_control": "300+3",
		}).
			Want(t, http.StatusCreated).Text("id")
	}
	enter := func(cup, player string) string {
		return olga.Post("/tournaments/"+cup+"/entries", map[string]any{"player_id": player}).Want(t, http.StatusCreated).
			Text("id")
	}
	first, second := cup("First"), cup("Second")
	enter(first, "one")
	entry := enter(second, "two")
	before, err := s.Store.Tournaments().Load(t.Context(), second)
	if err != nil {
		t.Fatal(err)
	}
	third := cup("Third")
	enter(third, "one")
	extra := enter(third, "two")
	form := []string{"keep", "one", "gone", "two", "name", "Ada"}
	root.Post("/admin/merge", form...).Alert(t, http.StatusConflict, "two people")
	olga.Send(http.MethodDelete, "/tournaments/"+third+"/entries/"+extra, nil, olga.Get("/tournaments/"+third).IfMatch())
	if again, err := s.Store.Tournaments().Load(t.Context(), third); err != nil || len(again.Entries) != 1 {
		t.Fatalf("the entry is not taken back: %v", err)
	}
	root.Post("/admin/merge", form...).RedirectsTo(t, "/players/one?said=players_merged")
	after, err := s.Store.Tournaments().Load(t.Context(), second)
	if err != nil || after.Version != before.Version+1 || after.Entries[0].ID != entry ||
		after.Entries[0].Members[0] != "one" {
		t.Errorf("%+v, %v", after, err)
	}
	if kept, err := s.Store.People().Player(t.Context(), "one"); err != nil || kept.Club != "Byron" {
		t.Errorf("%+v, %v", kept, err)
	}
}
