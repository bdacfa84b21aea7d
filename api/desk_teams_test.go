package api_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

// teamDraft creates a Swiss for teams of two and returns its paths.
func teamDraft(t *testing.T, olga person, variant string) (path, desk string) {
	t.Helper()
	path = "/tournaments/" + olga.post("/tournaments", map[string]any{
		"name": "Pairs", "variant": variant, "format": "swiss", "rounds": 2, "time_control": "none", "venue": "hall",
	}).want(t, http.StatusCreated).text("id")
	return path, path + "/desk"
}

// TestDeskEntersTeams pastes teams, chooses their players, checks them in, and pairs them.
func TestDeskEntersTeams(t *testing.T) {
	for _, variant := range []string{"quixo/teams", "quivive/teams"} {
		t.Run(variant, func(t *testing.T) {
			s := newService(t, withRealPages)
			olga := s.withRole("olga", account.RoleOrganiser)
			path, desk := teamDraft(t, olga, variant)
			known := olga.post("/players", map[string]any{"name": "Anna Berg", "club": "Tuesday Club"}).
				want(t, http.StatusCreated).text("id")
			olga.get("/"+desk).want(t, http.StatusOK).says(t, "Teams, one a line", "its 2 players", "Add players")
			fields := url.Values{"version": {"1"}, "names": {"Blue: Anna Berg 1600, Bert Carl 1500\nRed: Cleo, Dora\n"}}
			olga.form(desk+"/add", fields).want(t, http.StatusOK).
				says(t, "Who do you mean?", "Blue: Anna Berg", "The other 3 become new players.")
			fields.Set("chosen", "1")
			fields.Set("p0", known)
			olga.form(desk+"/add", fields).want(t, http.StatusSeeOther)
			entries := olga.get(path + "/entries")
			if len(entries.list("items")) != 2 || entries.text("items", 0, "members", 0, "id") != known ||
				entries.text("items", 0, "members", 1, "name") != "Bert Carl" ||
				entries.number("items", 0, "rating") != 1550 || entries.text("items", 1, "name") != "Red" ||
				entries.number("items", 1, "rating") != 0 {
				t.Fatalf("%s", entries.raw)
			}
			olga.form(desk+"/add", fields).want(t, http.StatusUnprocessableEntity).
				says(t, "is in the tournament already", "Red: Cleo, Dora")
			if n := len(olga.get("/players?limit=200").list("items")); n != 4 {
				t.Errorf("%d players", n)
			}
			for _, bad := range []string{"Anna", "Blue: Anna", "Blue: A, B, C", ": A, B"} {
				olga.form(desk+"/add", url.Values{"version": {"1"}, "names": {bad}}).want(t, http.StatusUnprocessableEntity).
					says(t, `role="alert"`, ">"+bad)
			}
			table := "team,name\nGreen,Emil\nGreen,Fred\nGrey,Gina\nGrey,Hugo\nGold,Ivo\n"
			preview := olga.upload(desk+"/add", "file", table, url.Values{"version": {"2"}}).want(t, http.StatusOK).
				says(t, "names 1 players of", "4 new players:", `<option value="team" selected>`)
			olga.form(desk+"/add", url.Values{
				"version": {"2"}, "table": {preview.hidden(t, "table")}, "head": {"1"}, "chosen": {"1"},
				"column-0": {"team"}, "column-1": {"name"},
			}).want(t, http.StatusSeeOther)
			olga.get("/"+desk+"?tab=entries&q=hugo").want(t, http.StatusOK).says(t, "Gina, Hugo").lacks(t, "Emil, Fred")

			olga.form(desk+"/check-in", url.Values{"do": {"open"}}).want(t, http.StatusSeeOther)
			for i := range 3 {
				olga.form(desk+"/presence", url.Values{"in": {olga.get(path+"/entries").text("items", i, "id")}}).
					want(t, http.StatusSeeOther)
			}
			olga.form(desk+"/check-in", url.Values{"do": {"close"}}).want(t, http.StatusSeeOther)
			olga.form(desk+"/entries/"+entries.text("items", 1, "id"),
				url.Values{"do": {"withdraw"}, "seen": {deskSeen(t, olga, desk, entries.text("items", 1, "id"))}}).
				want(t, http.StatusSeeOther)
			olga.form(desk+"/stage", url.Values{"do": {"start"}}).want(t, http.StatusSeeOther)
			if round := olga.post(path+"/rounds", nil).want(t, http.StatusCreated); len(round.list("pairings")) != 2 ||
				len(round.list("pairings", 0, "seats")) != 2 || round.text("pairings", 1, "bye") != "ZPB" {
				t.Errorf("%s", round.raw)
			}
		})
	}
}

// deskSeen returns the digest in the form of an entry.
func deskSeen(t *testing.T, by person, desk, entry string) string {
	t.Helper()
	_, rest, _ := strings.Cut(by.get("/"+desk+"?tab=entries&entry="+entry).want(t, http.StatusOK).page(),
		`name="seen" value="`)
	digest, _, _ := strings.Cut(rest, `"`)
	return digest
}

// TestDeskPicksATeam puts a team together from the club's list: ticks stay while others are looked for.
func TestDeskPicksATeam(t *testing.T) {
	s := newService(t, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	path, desk := teamDraft(t, olga, "quixo/teams")
	var ids []string
	for _, name := range []string{"Anna Berg", "Bert Carl", "Cleo Dorn"} {
		ids = append(ids, olga.post("/players", map[string]any{"name": name}).want(t, http.StatusCreated).text("id"))
	}
	ticked := func(i int) string { return `value="` + ids[i] + `" checked` }
	olga.get("/"+desk+"?tab=entries&player=berg").want(t, http.StatusOK).says(t, `value="`+ids[0]+`"`, "Name of the team").
		lacks(t, ticked(0))
	olga.get("/"+desk+"?tab=entries&player=carl&pick="+ids[0]+"&team=Blue").want(t, http.StatusOK).
		says(t, ticked(0), `value="`+ids[1]+`"`, `value="Blue"`)
	olga.form(desk+"/add", url.Values{"team": {""}, "pick": {ids[0], ids[1]}}).want(t, http.StatusUnprocessableEntity).
		says(t, ticked(0), ticked(1))
	for _, bad := range [][]string{nil, {ids[0]}, {ids[0], ids[0]}, ids} {
		olga.form(desk+"/add", url.Values{"team": {"Blue"}, "pick": bad}).want(t, http.StatusUnprocessableEntity).
			says(t, `value="Blue"`)
	}
	olga.form(desk+"/add", url.Values{"team": {"Blue"}, "pick": {ids[0], "nobody"}}).want(t, http.StatusNotFound)
	olga.form(desk+"/add", url.Values{"team": {"Blue"}, "pick": {ids[0], ids[1]}, "player": {"carl"}}).
		want(t, http.StatusSeeOther)
	if e := olga.get(path + "/entries"); len(e.list("items")) != 1 || e.text("items", 0, "members", 1, "id") != ids[1] ||
		e.text("items", 0, "name") != "Blue" {
		t.Errorf("%s", e.raw)
	}
	olga.get("/"+desk+"?tab=entries&player=berg").want(t, http.StatusOK).says(t, `value="`+ids[0]+`" disabled`)
}

// TestDeskReplacesAPlayer replaces an entry's player before the start, by the form and by the API, and not after it.
func TestDeskReplacesAPlayer(t *testing.T) {
	s := newService(t, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	path, desk := teamDraft(t, olga, "quixo/teams")
	olga.form(desk+"/add", url.Values{"version": {"1"}, "names": {"Blue: Anna, Bert\nRed: Cleo, Dora\nGrey: Emil, Fred"}}).
		want(t, http.StatusSeeOther)
	blue := olga.get(path+"/entries").text("items", 0, "id")
	bert := olga.get(path+"/entries").text("items", 0, "members", 1, "id")
	save := func(first, second string) *answer {
		return olga.form(desk+"/entries/"+blue, url.Values{
			"do": {"save"}, "seen": {deskSeen(t, olga, desk, blue)}, "name": {"Blue"}, "member-0": {first}, "member-1": {second},
		})
	}
	olga.get("/"+desk+"?tab=entries&entry="+blue).want(t, http.StatusOK).says(t, "Player 2", `value="Bert"`)
	save("Anna", "Gina").want(t, http.StatusSeeOther)
	if e := olga.get(path + "/entries/" + blue); e.text("members", 0, "name") != "Anna" ||
		e.text("members", 1, "name") != "Gina" {
		t.Errorf("%s", e.raw)
	}
	if n := len(olga.get("/players?limit=200").list("items")); n != 7 {
		t.Errorf("%d players", n)
	}
	save("Anna", "Cleo").want(t, http.StatusUnprocessableEntity).says(t, "is in the tournament already", `value="Cleo"`)
	save("Anna", "").want(t, http.StatusUnprocessableEntity).says(t, "1 players were named")
	save("Anna", "\u202e").want(t, http.StatusUnprocessableEntity)
	save("Anna", "bert").want(t, http.StatusSeeOther) // of the club's list
	if e := olga.get(path + "/entries/" + blue); e.text("members", 1, "id") != bert {
		t.Errorf("%s", e.raw)
	}
	save("Hans", "Cleo").want(t, http.StatusUnprocessableEntity)
	if n := len(olga.get("/players?limit=200").list("items")); n != 7 {
		t.Errorf("%d players after a refusal", n)
	}
	gina := olga.get("/players?name=Gina").text("items", 0, "id")
	olga.post("/players", map[string]any{"name": "Gina"}).want(t, http.StatusCreated)
	save("Gina", "Bert").want(t, http.StatusUnprocessableEntity).says(t, "2 players are called")
	patch := func(body any) *answer { return olga.send(http.MethodPatch, path+"/entries/"+blue, body, anyVersion) }
	patch(map[string]any{"members": []string{gina, "nobody"}}).refused(t, http.StatusUnprocessableEntity, "invalid").
		has(t, "/members/1")
	patch(map[string]any{"members": []string{gina}}).refused(t, http.StatusUnprocessableEntity, "invalid")
	if e := patch(map[string]any{"members": []string{gina, bert}}).
		want(t, http.StatusOK); e.text("members", 0, "name") != "Gina" {
		t.Errorf("%s", e.raw)
	}
	olga.form(desk+"/stage", url.Values{"do": {"start"}}).want(t, http.StatusSeeOther)
	olga.get("/"+desk+"?tab=entries&entry="+blue).want(t, http.StatusOK).lacks(t, "member-0")
	patch(map[string]any{"members": []string{bert, gina}}).refused(t, http.StatusConflict, "wrong-state")
	save("Anna", "Bert").want(t, http.StatusConflict)
}
