package desk_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestDeskEntersTeams pastes teams, chooses their players, checks them in, and pairs them.
func TestDeskEntersTeams(t *testing.T) {
	for _, variant := range []string{"quixo/teams", "quivive/teams"} {
		t.Run(variant, func(t *testing.T) {
			s := apitest.New(t, apitest.WithPages)
			olga := s.WithRole("olga", account.RoleOrganiser)
			path, desk := apitest.TeamDraft(t, olga, variant)
			known := olga.Post("/players", map[string]any{"name": "Anna Berg", "club": "Tuesday Club"}).
				Want(t, http.StatusCreated).Text("id")
			olga.Get("/"+desk).Want(t, http.StatusOK).Says(t, "Teams, one a line", "its 2 players", "Add players")
			fields := url.Values{"version": {"1"}, "names": {"Blue: Anna Berg 1600, Bert Carl 1500\nRed: Cleo, Dora\n"}}
			olga.PostForm(desk+"/add", fields).Want(t, http.StatusOK).
				Says(t, "Who do you mean?", "Blue: Anna Berg", "The other 3 become new players.")
			fields.Set("chosen", "1")
			fields.Set("p0", known)
			olga.PostForm(desk+"/add", fields).Want(t, http.StatusSeeOther)
			entries := olga.Get(path + "/entries")
			if len(entries.List("items")) != 2 || entries.Text("items", 0, "members", 0, "id") != known ||
				entries.Text("items", 0, "members", 1, "name") != "Bert Carl" ||
				entries.Number("items", 0, "rating") != 1550 || entries.Text("items", 1, "name") != "Red" ||
				entries.Number("items", 1, "rating") != 0 {
				t.Fatalf("%s", entries.Raw)
			}
			olga.PostForm(desk+"/add", fields).Want(t, http.StatusUnprocessableEntity).
				Says(t, "is in the tournament already", "Red: Cleo, Dora")
			if n := len(olga.Get("/players?limit=200").List("items")); n != 4 {
				t.Errorf("%d players", n)
			}
			for _, bad := range []string{"Anna", "Blue: Anna", "Blue: A, B, C", ": A, B"} {
				olga.PostForm(desk+"/add", url.Values{"version": {"1"}, "names": {bad}}).Want(t, http.StatusUnprocessableEntity).
					Says(t, `role="alert"`, ">"+bad)
			}
			table := "team,name\nGreen,Emil\nGreen,Fred\nGrey,Gina\nGrey,Hugo\nGold,Ivo\n"
			preview := olga.Upload(desk+"/add", "file", table, url.Values{"version": {"2"}}).Want(t, http.StatusOK).
				Says(t, "names 1 players of", "4 new players:", `<option value="team" selected>`)
			olga.PostForm(desk+"/add", url.Values{
				"version": {"2"}, "table": {preview.HiddenField(t, "table")}, "head": {"1"}, "chosen": {"1"},
				"column-0": {"team"}, "column-1": {"name"},
			}).Want(t, http.StatusSeeOther)
			olga.Get("/"+desk+"?tab=entries&q=hugo").Want(t, http.StatusOK).Says(t, "Gina, Hugo").Lacks(t, "Emil, Fred")

			olga.PostForm(desk+"/check-in", url.Values{"do": {"open"}}).Want(t, http.StatusSeeOther)
			for i := range 3 {
				olga.PostForm(desk+"/presence", url.Values{"in": {olga.Get(path+"/entries").Text("items", i, "id")}}).
					Want(t, http.StatusSeeOther)
			}
			olga.PostForm(desk+"/check-in", url.Values{"do": {"close"}}).Want(t, http.StatusSeeOther)
			olga.PostForm(desk+"/entries/"+entries.Text("items", 1, "id"),
				url.Values{"do": {"withdraw"}, "seen": {deskSeen(t, olga, desk, entries.Text("items", 1, "id"))}}).
				Want(t, http.StatusSeeOther)
			olga.PostForm(desk+"/stage", url.Values{"do": {"start"}}).Want(t, http.StatusSeeOther)
			if round := olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated); len(round.List("pairings")) != 2 ||
				len(round.List("pairings", 0, "seats")) != 2 || round.Text("pairings", 1, "bye") != "ZPB" {
				t.Errorf("%s", round.Raw)
			}
		})
	}
}

// deskSeen returns the digest in the form of an entry.
func deskSeen(t *testing.T, by apitest.Person, desk, entry string) string {
	t.Helper()
	_, rest, _ := strings.Cut(by.Get("/"+desk+"?tab=entries&entry="+entry).Want(t, http.StatusOK).Page(),
		`name="seen" value="`)
	digest, _, _ := strings.Cut(rest, `"`)
	return digest
}

// TestDeskPicksATeam puts a team together from the club's list: ticks stay while others are looked for.
func TestDeskPicksATeam(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	path, desk := apitest.TeamDraft(t, olga, "quixo/teams")
	var ids []string
	for _, name := range []string{"Anna Berg", "Bert Carl", "Cleo Dorn"} {
		ids = append(ids, olga.Post("/players", map[string]any{"name": name}).Want(t, http.StatusCreated).Text("id"))
	}
	ticked := func(i int) string { return `value="` + ids[i] + `" checked` }
	olga.Get("/"+desk+"?tab=entries&player=berg").Want(t, http.StatusOK).Says(t, `value="`+ids[0]+`"`, "Name of the team").
		Lacks(t, ticked(0))
	olga.Get("/"+desk+"?tab=entries&player=carl&pick="+ids[0]+"&team=Blue").Want(t, http.StatusOK).
		Says(t, ticked(0), `value="`+ids[1]+`"`, `value="Blue"`)
	olga.PostForm(desk+"/add", url.Values{"team": {""}, "pick": {ids[0], ids[1]}}).Want(t, http.StatusUnprocessableEntity).
		Says(t, ticked(0), ticked(1))
	for _, bad := range [][]string{nil, {ids[0]}, {ids[0], ids[0]}, ids} {
		olga.PostForm(desk+"/add", url.Values{"team": {"Blue"}, "pick": bad}).Want(t, http.StatusUnprocessableEntity).
			Says(t, `value="Blue"`)
	}
	olga.PostForm(desk+"/add", url.Values{"team": {"Blue"}, "pick": {ids[0], "nobody"}}).Want(t, http.StatusNotFound)
	olga.PostForm(desk+"/add", url.Values{"team": {"Blue"}, "pick": {ids[0], ids[1]}, "player": {"carl"}}).
		Want(t, http.StatusSeeOther)
	if e := olga.Get(path + "/entries"); len(e.List("items")) != 1 || e.Text("items", 0, "members", 1, "id") != ids[1] ||
		e.Text("items", 0, "name") != "Blue" {
		t.Errorf("%s", e.Raw)
	}
	olga.Get("/"+desk+"?tab=entries&player=berg").Want(t, http.StatusOK).Says(t, `value="`+ids[0]+`" disabled`)
}

// TestDeskReplacesAPlayer replaces an entry's player before the start, by the form and by the API, and not after it.
func TestDeskReplacesAPlayer(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	path, desk := apitest.TeamDraft(t, olga, "quixo/teams")
	olga.PostForm(desk+"/add", url.Values{
		"version": {"1"},
		"names":   {"Blue: Anna, Bert\nRed: Cleo, Dora\nGrey: Emil, Fred"},
	}).
		Want(t, http.StatusSeeOther)
	blue := olga.Get(path+"/entries").Text("items", 0, "id")
	bert := olga.Get(path+"/entries").Text("items", 0, "members", 1, "id")
	save := func(first, second string) *apitest.Answer {
		return olga.PostForm(desk+"/entries/"+blue, url.Values{
			"do": {"save"}, "seen": {deskSeen(t, olga, desk, blue)}, "name": {"Blue"}, "member-0": {first}, "member-1": {second},
		})
	}
	olga.Get("/"+desk+"?tab=entries&entry="+blue).Want(t, http.StatusOK).Says(t, "Player 2", `value="Bert"`)
	save("Anna", "Gina").Want(t, http.StatusSeeOther)
	if e := olga.Get(path + "/entries/" + blue); e.Text("members", 0, "name") != "Anna" ||
		e.Text("members", 1, "name") != "Gina" {
		t.Errorf("%s", e.Raw)
	}
	if n := len(olga.Get("/players?limit=200").List("items")); n != 7 {
		t.Errorf("%d players", n)
	}
	save("Anna", "Cleo").Want(t, http.StatusUnprocessableEntity).Says(t, "is in the tournament already", `value="Cleo"`)
	save("Anna", "").Want(t, http.StatusUnprocessableEntity).Says(t, "1 players were named")
	save("Anna", "\u202e").Want(t, http.StatusUnprocessableEntity)
	save("Anna", "bert").Want(t, http.StatusSeeOther) // of the club's list
	if e := olga.Get(path + "/entries/" + blue); e.Text("members", 1, "id") != bert {
		t.Errorf("%s", e.Raw)
	}
	save("Hans", "Cleo").Want(t, http.StatusUnprocessableEntity)
	if n := len(olga.Get("/players?limit=200").List("items")); n != 7 {
		t.Errorf("%d players after a refusal", n)
	}
	gina := olga.Get("/players?name=Gina").Text("items", 0, "id")
	olga.Post("/players", map[string]any{"name": "Gina"}).Want(t, http.StatusCreated)
	save("Gina", "Bert").Want(t, http.StatusUnprocessableEntity).Says(t, "2 players are called")
	patch := func(body any) *apitest.Answer {
		return olga.Send(http.MethodPatch, path+"/entries/"+blue, body, apitest.AnyVersion)
	}
	patch(map[string]any{"members": []string{gina, "nobody"}}).Refused(t, http.StatusUnprocessableEntity, "invalid").
		Has(t, "/members/1")
	patch(map[string]any{"members": []string{gina}}).Refused(t, http.StatusUnprocessableEntity, "invalid")
	if e := patch(map[string]any{"members": []string{gina, bert}}).
		Want(t, http.StatusOK); e.Text("members", 0, "name") != "Gina" {
		t.Errorf("%s", e.Raw)
	}
	olga.PostForm(desk+"/stage", url.Values{"do": {"start"}}).Want(t, http.StatusSeeOther)
	olga.Get("/"+desk+"?tab=entries&entry="+blue).Want(t, http.StatusOK).Lacks(t, "member-0")
	patch(map[string]any{"members": []string{bert, gina}}).Refused(t, http.StatusConflict, "wrong-state")
	save("Anna", "Bert").Want(t, http.StatusConflict)
}
