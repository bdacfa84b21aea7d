package api_test

import (
	"math"
	"net/http"
	"testing"

	"quatuor/tournament/account"
)

// TestWhyARatingChanged: the explanation names each opponent, and what it adds up to is the change.
func TestWhyARatingChanged(t *testing.T) {
	s := newService(t, withRealPages)
	ada, bob := s.register("ada"), s.register("bob")
	read := s.anonymous()
	path := "/players/" + ada.player + "/ratings/quixo-blitz"
	would := read.get(path+"/prospect?against="+bob.player).want(t, http.StatusOK)
	game, list := ratedGame(t, s, ada, bob)
	if list != "quixo-blitz" {
		t.Fatal(list)
	}
	told := read.get(path+"/explanation").want(t, http.StatusOK)
	change := told.at("items", 0, "change", "change").(float64)
	points := told.at("items", 0, "against", 0, "points").(float64)
	expected := told.at("items", 0, "against", 0, "expected").(float64)
	score := told.at("items", 0, "against", 0, "score").(float64)
	if k := told.at("items", 0, "change", "k").(float64); k != 40 || math.Abs(points-change) > 1e-12 ||
		math.Abs(points-k*(score-expected)) > 1e-12 {
		t.Errorf("%s", told.raw)
	}
	if told.text("items", 0, "change", "game_id") != game ||
		told.text("items", 0, "against", 0, "players", 0) != bob.player || told.text("rules") != "elo-club" {
		t.Errorf("%s", told.raw)
	}
	if name := map[float64]string{1: "win", 0.5: "draw", 0: "loss"}[score]; would.at(name).(float64) != change {
		t.Errorf("the prospect was %s, and the change %v", would.raw, change)
	}
	if none := read.get(path+"/prospect?against="+ada.player).want(t, http.StatusOK); none.at("rated") != false ||
		none.at("win") != nil {
		t.Errorf("against oneself: %s", none.raw)
	}
	read.get(path+"/prospect?against=nobody").want(t, http.StatusNotFound)
	read.get("/players/nobody/ratings/quixo-blitz/explanation").want(t, http.StatusNotFound)
	s.visitor().get("/players/"+ada.player+"/ratings/quixo-blitz").want(t, http.StatusOK).has(t, game, "elo-club")
}

// TestMarksAndFirstRatings: the right to make them, what they refuse, and what they do.
func TestMarksAndFirstRatings(t *testing.T) {
	s := newService(t, withRealPages)
	root := s.withRole("root", account.RoleAdmin)
	olga := s.withRole("olga", account.RoleOrganiser)
	ada, bob, eve := s.register("ada"), s.register("bob"), s.register("eve")
	csv := "player,list,rating\n" + eve.player + ",quixo-blitz,1777\n"
	olga.post("/rating-imports", csv, asTable).refused(t, http.StatusForbidden, "insufficient-scope")
	if tried := root.post("/rating-imports?try=true", csv, asTable).want(t, http.StatusOK); tried.at("stored") != false {
		t.Errorf("%s", tried.raw)
	}
	if p, err := s.db.People().Player(t.Context(), eve.player); err != nil || len(p.Rating) != 0 {
		t.Errorf("a trial was stored: %+v, %v", p, err)
	}
	root.post("/rating-imports", "player,list,rating\nx,quixo-blitz,NaN\n", asTable).
		want(t, http.StatusUnprocessableEntity)
	if done := root.post("/rating-imports", csv, asTable).want(t, http.StatusOK); done.at("stored") != true {
		t.Errorf("%s", done.raw)
	}
	if p, err := s.db.People().Player(t.Context(), eve.player); err != nil || p.Rating["quixo-blitz"] != 1777 {
		t.Errorf("%+v, %v", p, err)
	}
	game, _ := ratedGame(t, s, ada, bob)
	late := "player,list,rating\n" + ada.player + ",quixo-blitz,2000\n" + eve.player +
		",quixo-rapid,1500\nnobody,quixo-blitz,1500\n"
	refused := root.post("/rating-imports", late, asTable).want(t, http.StatusOK)
	if refused.at("stored") != false || refused.text("items", 0, "refusal") != "played" ||
		refused.text("items", 2, "refusal") != "unknown" {
		t.Errorf("%s", refused.raw)
	}

	before := s.anonymous().get("/games/"+game+"/rating-changes").want(t, http.StatusOK)
	winner := before.text("items", 0, "player_id")
	if before.at("items", 0, "score").(float64) != 1 {
		winner = before.text("items", 1, "player_id")
	}
	mark := map[string]any{
		"player_id": winner, "from": "2000-01-01T00:00:00Z", "until": "2100-01-01T00:00:00Z", "reason": "engine",
	}
	ada.post("/rating-marks", mark).refused(t, http.StatusForbidden, "insufficient-scope")
	olga.post("/rating-marks", mark).refused(t, http.StatusForbidden, "insufficient-scope")
	olga.get("/rating-marks").refused(t, http.StatusForbidden, "insufficient-scope")
	root.post("/rating-marks", map[string]any{"player_id": winner, "reason": "x"}).want(t, http.StatusUnprocessableEntity)
	root.post("/rating-marks", map[string]any{"player_id": "nobody", "reason": "x"}).want(t, http.StatusNotFound)
	root.post("/rating-marks", map[string]any{"player_id": winner, "tournament_id": "none", "reason": "x"}).
		want(t, http.StatusNotFound)
	made := root.post("/rating-marks", mark).want(t, http.StatusCreated)
	root.post("/rating-marks", mark).refused(t, http.StatusConflict, "marked")
	after := s.anonymous().get("/games/"+game+"/rating-changes").want(t, http.StatusOK)
	for i := range 2 {
		if after.at("items", i, "change").(float64) != 0 || after.at("items", i, "after").(float64) != 1500 {
			t.Errorf("%s", after.raw)
		}
	}
	if told := s.anonymous().get("/players/"+winner+"/ratings/quixo-blitz/explanation").
		want(t, http.StatusOK); told.at("items", 0, "refunded") != true {
		t.Errorf("%s", told.raw)
	}
	desk := s.visits("root")
	desk.get("/admin/ratings").want(t, http.StatusOK).has(t, "engine", "/lift")
	s.visits("olga").get("/admin/ratings").want(t, http.StatusForbidden)
	s.visitor().post("/admin/ratings/marks", "player", winner, "reason", "x").to(t, "/login")
	desk.post("/admin/ratings/marks", "player", winner, "reason", "x").
		alert(t, http.StatusUnprocessableEntity, "first and a last day")
	desk.post("/admin/ratings/marks", "player", "https://club.example/players/"+winner+"/", "from", "2020-01-01", "until",
		"2020-01-02", "reason", "by address").
		to(t, "/admin/ratings?said=player_marked")
	desk.post("/admin/ratings/import", "csv", late, "do", "import").want(t, http.StatusUnprocessableEntity).
		has(t, "Nothing was stored")
	desk.post("/admin/ratings/import", "csv", csv, "do", "try").want(t, http.StatusOK).has(t, "1777")
	desk.post("/admin/ratings/marks/"+made.text("id")+"/lift").to(t, "/admin/ratings?said=mark_lifted")
	root.post("/rating-marks/"+made.text("id")+"/lift", nil).want(t, http.StatusNotFound)
	if lifted := s.anonymous().get("/games/" + game + "/rating-changes"); string(lifted.raw) != string(before.raw) {
		t.Errorf("%s\nwant %s", lifted.raw, before.raw)
	}
}
