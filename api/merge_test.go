package api_test

import (
	"fmt"
	"net/http"
	"testing"

	"quatuor/rating/elo"
	"quatuor/rating/ledger"
	"quatuor/store"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// TestMergePlayers merges two records of one person: games, ratings and the account become one, what was stored fits
// together afterwards, and two persons, or two accounts, are not made one by mistake.
func TestMergePlayers(t *testing.T) {
	s := newService(t, withRealPages)
	s.withRole("root", account.RoleAdmin)
	s.withRole("olga", account.RoleOrganiser)
	ada, bob, double := s.register("ada"), s.register("bob"), s.register("double")
	root := s.visits("root")
	won := func(loser, winner person) string {
		t.Helper()
		game := loser.post("/games", map[string]any{
			"variant": "quixo/duel", "time_control": "300+3", "rated": true, "start": "now",
			"seats": []map[string]string{{"player_id": loser.player}, {"player_id": winner.player}},
		}).want(t, http.StatusCreated)
		id := game.text("id")
		for turn := range 8 { // a game that is resigned earlier does not count
			i := turn % 2
			p := []person{loser, winner}[i]
			at := p.get("/games/"+id).want(t, http.StatusOK)
			move := at.text("legal", fmt.Sprint(i+1), 0)
			p.post("/games/"+id+"/moves", map[string]any{"seat": i + 1, "turn": at.number("turn"), "move": move}).
				want(t, http.StatusOK)
		}
		loser.post("/games/"+id+"/resign", `{}`).want(t, http.StatusOK)
		return id
	}
	won(bob, ada)
	theirs := won(bob, double)
	merge := func(v *visitor, keep, gone string, more ...string) *answer {
		return v.post("/admin/merge", append([]string{"keep", keep, "gone", gone, "name", "Player"}, more...)...)
	}
	merge(s.visits("olga"), ada.player, double.player).want(t, http.StatusForbidden)
	merge(s.visitor(), ada.player, double.player).to(t, "/login")
	root.get("/admin/merge?name=player").want(t, http.StatusOK).has(t, double.player, ada.player)
	merge(root, ada.player, ada.player).alert(t, http.StatusUnprocessableEntity, "two different")
	merge(root, ada.player, "").alert(t, http.StatusUnprocessableEntity, "two different")
	merge(root, ada.player, "unknown").want(t, http.StatusNotFound)
	merge(root, ada.player, bob.player).alert(t, http.StatusConflict, "two people")
	merge(root, ada.player, double.player).alert(t, http.StatusConflict, "Both have accounts")
	if n, err := s.db.People().Player(t.Context(), double.player); err != nil || n.ID != double.player {
		t.Fatalf("a refused merge has changed something: %+v, %v", n, err)
	}
	merge(root, ada.player, double.player, "both", "yes").to(t, "/players/"+ada.player+"?said=players_merged")

	kept, err := s.db.People().Player(t.Context(), double.player)
	if err != nil || kept.ID != ada.player || kept.AccountID != ada.account {
		t.Errorf("the id that went leads to %+v, %v", kept, err)
	}
	if games := ada.get("/players/"+ada.player+"/games").want(t, http.StatusOK).list("items"); len(games) != 2 {
		t.Errorf("%d games, want 2", len(games))
	}
	if a, err := s.db.People().Account(t.Context(), double.account); err != nil || a.PlayerID != "" {
		t.Errorf("the second account: %+v, %v", a, err)
	}
	report, err := ledger.New(s.db.Ratings(), elo.Club{}).Verify(t.Context())
	if err != nil || !report.OK() || report.Rated != 2 {
		t.Errorf("ratings: %+v, %v", report, err)
	}
	history, err := s.db.Ratings().History(t.Context(), "quixo-blitz", ada.player)
	if err != nil || len(history) != 2 || history[1].GamesAfter != 2 || history[1].GameID != theirs {
		t.Errorf("the history is %+v, %v", history, err)
	}
	faults := 0
	err = s.db.EachGame(t.Context(), func(g store.StoredGame) error { faults += len(g.Faults); return nil })
	if err != nil || faults > 0 {
		t.Errorf("%d faults, %v", faults, err)
	}
}

// TestMergeEntries moves the entries of a record in the list, and refuses two entries of one tournament.
func TestMergeEntries(t *testing.T) {
	s := newService(t, withRealPages)
	s.withRole("root", account.RoleAdmin)
	olga := s.withRole("olga", account.RoleOrganiser)
	root := s.visits("root")
	for _, p := range []club.Player{
		{ID: "one", Name: "Ada", Version: 1},
		{ID: "two", Name: "Ada L.", Club: "Byron", Version: 1},
	} {
		if err := s.db.People().CreatePlayer(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	cup := func(name string) string {
		return olga.post("/tournaments", map[string]any{
			"name": name, "variant": "quixo/duel", "format": "round_robin",
			"time_control": "300+3",
		}).
			want(t, http.StatusCreated).text("id")
	}
	enter := func(cup, player string) string {
		return olga.post("/tournaments/"+cup+"/entries", map[string]any{"player_id": player}).want(t, http.StatusCreated).
			text("id")
	}
	first, second := cup("First"), cup("Second")
	enter(first, "one")
	entry := enter(second, "two")
	before, err := s.db.Tournaments().Load(t.Context(), second)
	if err != nil {
		t.Fatal(err)
	}
	third := cup("Third")
	enter(third, "one")
	extra := enter(third, "two")
	form := []string{"keep", "one", "gone", "two", "name", "Ada"}
	root.post("/admin/merge", form...).alert(t, http.StatusConflict, "two people")
	olga.send(http.MethodDelete, "/tournaments/"+third+"/entries/"+extra, nil, olga.get("/tournaments/"+third).etag())
	if again, err := s.db.Tournaments().Load(t.Context(), third); err != nil || len(again.Entries) != 1 {
		t.Fatalf("the entry is not taken back: %v", err)
	}
	root.post("/admin/merge", form...).to(t, "/players/one?said=players_merged")
	after, err := s.db.Tournaments().Load(t.Context(), second)
	if err != nil || after.Version != before.Version+1 || after.Entries[0].ID != entry ||
		after.Entries[0].Members[0] != "one" {
		t.Errorf("%+v, %v", after, err)
	}
	if kept, err := s.db.People().Player(t.Context(), "one"); err != nil || kept.Club != "Byron" {
		t.Errorf("%+v, %v", kept, err)
	}
}
