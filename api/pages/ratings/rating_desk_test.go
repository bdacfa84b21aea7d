package ratings_test

import (
	"math"
	"net/http"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestWhyARatingChanged: the explanation names each opponent, and what it adds up to is the change.
func TestWhyARatingChanged(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	ada, bob := s.Register("ada"), s.Register("bob")
	read := s.Anonymous()
	path := "/players/" + ada.Player + "/ratings/quixo-blitz"
	would := read.Get(path+"/prospect?against="+bob.Player).Want(t, http.StatusOK)
	game, list := apitest.RatedGame(t, s, ada, bob)
	if list != "quixo-blitz" {
		t.Fatal(list)
	}
	told := read.Get(path+"/explanation").Want(t, http.StatusOK)
	change := told.At("items", 0, "change", "change").(float64)
	points := told.At("items", 0, "against", 0, "points").(float64)
	expected := told.At("items", 0, "against", 0, "expected").(float64)
	score := told.At("items", 0, "against", 0, "score").(float64)
	if k := told.At("items", 0, "change", "k").(float64); k != 40 || math.Abs(points-change) > 1e-12 ||
		math.Abs(points-k*(score-expected)) > 1e-12 {
		t.Errorf("%s", told.Raw)
	}
	if told.Text("items", 0, "change", "game_id") != game ||
		told.Text("items", 0, "against", 0, "players", 0) != bob.Player || told.Text("rules") != "elo-club" {
		t.Errorf("%s", told.Raw)
	}
	if name := map[float64]string{1: "win", 0.5: "draw", 0: "loss"}[score]; would.At(name).(float64) != change {
		t.Errorf("the prospect was %s, and the change %v", would.Raw, change)
	}
	if none := read.Get(path+"/prospect?against="+ada.Player).Want(t, http.StatusOK); none.At("rated") != false ||
		none.At("win") != nil {
		t.Errorf("against oneself: %s", none.Raw)
	}
	read.Get(path+"/prospect?against=nobody").Want(t, http.StatusNotFound)
	read.Get("/players/nobody/ratings/quixo-blitz/explanation").Want(t, http.StatusNotFound)
	s.Visitor().Get("/players/"+ada.Player+"/ratings/quixo-blitz").Want(t, http.StatusOK).Has(t, game, "elo-club")
}

// TestMarksAndFirstRatings: the right to make them, what they refuse, and what they do.
func TestMarksAndFirstRatings(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	root := s.WithRole("root", account.RoleAdmin)
	olga := s.WithRole("olga", account.RoleOrganiser)
	ada, bob, eve := s.Register("ada"), s.Register("bob"), s.Register("eve")
	csv := "player,list,rating\n" + eve.Player + ",quixo-blitz,1777\n"
	olga.Post("/rating-imports", csv, apitest.AsCSV).Refused(t, http.StatusForbidden, "insufficient-scope")
	if tried := root.Post("/rating-imports?try=true", csv, apitest.AsCSV).
		Want(t, http.StatusOK); tried.At("stored") != false {
		t.Errorf("%s", tried.Raw)
	}
	if p, err := s.Store.People().Player(t.Context(), eve.Player); err != nil || len(p.Rating) != 0 {
		t.Errorf("a trial was stored: %+v, %v", p, err)
	}
	root.Post("/rating-imports", "player,list,rating\nx,quixo-blitz,NaN\n", apitest.AsCSV).
		Want(t, http.StatusUnprocessableEntity)
	if done := root.Post("/rating-imports", csv, apitest.AsCSV).Want(t, http.StatusOK); done.At("stored") != true {
		t.Errorf("%s", done.Raw)
	}
	if p, err := s.Store.People().Player(t.Context(), eve.Player); err != nil || p.Rating["quixo-blitz"] != 1777 {
		t.Errorf("%+v, %v", p, err)
	}
	game, _ := apitest.RatedGame(t, s, ada, bob)
	late := "player,list,rating\n" + ada.Player + ",quixo-blitz,2000\n" + eve.Player +
		",quixo-rapid,1500\nnobody,quixo-blitz,1500\n"
	refused := root.Post("/rating-imports", late, apitest.AsCSV).Want(t, http.StatusOK)
	if refused.At("stored") != false || refused.Text("items", 0, "refusal") != "played" ||
		refused.Text("items", 2, "refusal") != "unknown" {
		t.Errorf("%s", refused.Raw)
	}

	before := s.Anonymous().Get("/games/"+game+"/rating-changes").Want(t, http.StatusOK)
	winner := before.Text("items", 0, "player_id")
	if before.At("items", 0, "score").(float64) != 1 {
		winner = before.Text("items", 1, "player_id")
	}
	mark := map[string]any{
		"player_id": winner, "from": "2000-01-01T00:00:00Z", "until": "2100-01-01T00:00:00Z", "reason": "engine",
	}
	ada.Post("/rating-marks", mark).Refused(t, http.StatusForbidden, "insufficient-scope")
	olga.Post("/rating-marks", mark).Refused(t, http.StatusForbidden, "insufficient-scope")
	olga.Get("/rating-marks").Refused(t, http.StatusForbidden, "insufficient-scope")
	root.Post("/rating-marks", map[string]any{"player_id": winner, "reason": "x"}).Want(t, http.StatusUnprocessableEntity)
	root.Post("/rating-marks", map[string]any{"player_id": "nobody", "reason": "x"}).Want(t, http.StatusNotFound)
	root.Post("/rating-marks", map[string]any{"player_id": winner, "tournament_id": "none", "reason": "x"}).
		Want(t, http.StatusNotFound)
	made := root.Post("/rating-marks", mark).Want(t, http.StatusCreated)
	root.Post("/rating-marks", mark).Refused(t, http.StatusConflict, "marked")
	after := s.Anonymous().Get("/games/"+game+"/rating-changes").Want(t, http.StatusOK)
	for i := range 2 {
		if after.At("items", i, "change").(float64) != 0 || after.At("items", i, "after").(float64) != 1500 {
			t.Errorf("%s", after.Raw)
		}
	}
	if told := s.Anonymous().Get("/players/"+winner+"/ratings/quixo-blitz/explanation").
		Want(t, http.StatusOK); told.At("items", 0, "refunded") != true {
		t.Errorf("%s", told.Raw)
	}
	desk := s.LoggedIn("root")
	desk.Get("/admin/ratings").Want(t, http.StatusOK).Has(t, "engine", "/lift")
	s.LoggedIn("olga").Get("/admin/ratings").Want(t, http.StatusForbidden)
	s.Visitor().Post("/admin/ratings/marks", "player", winner, "reason", "x").RedirectsTo(t, "/login")
	desk.Post("/admin/ratings/marks", "player", winner, "reason", "x").
		Alert(t, http.StatusUnprocessableEntity, "first and a last day")
	desk.Post("/admin/ratings/marks", "player", "https://club.example/players/"+winner+"/", "from", "2020-01-01", "until",
		"2020-01-02", "reason", "by address").
		RedirectsTo(t, "/admin/ratings?said=player_marked")
	desk.Post("/admin/ratings/import", "csv", late, "do", "import").Want(t, http.StatusUnprocessableEntity).
		Has(t, "Nothing was stored")
	desk.Post("/admin/ratings/import", "csv", csv, "do", "try").Want(t, http.StatusOK).Has(t, "1777")
	desk.Post("/admin/ratings/marks/"+made.Text("id")+"/lift").RedirectsTo(t, "/admin/ratings?said=mark_lifted")
	root.Post("/rating-marks/"+made.Text("id")+"/lift", nil).Want(t, http.StatusNotFound)
	if lifted := s.Anonymous().Get("/games/" + game + "/rating-changes"); string(lifted.Raw) != string(before.Raw) {
		t.Errorf("%s\nwant %s", lifted.Raw, before.Raw)
	}
}
