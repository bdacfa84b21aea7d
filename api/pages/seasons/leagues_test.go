package seasons_test

import (
	"fmt"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
	leagues "quatuor/tournament/league"
)

// playDivision plays a division with wins in the order of a text; the member after a minus withdraws after the first
// round. It returns the entries' ids by name.
func playDivision(t *testing.T, olga apitest.Person, tournament, order string) map[string]string {
	t.Helper()
	event := "/tournaments/" + tournament
	ids, place, leaves := map[string]string{}, map[string]int{}, ""
	for i, name := range strings.Fields(order) {
		if strings.HasPrefix(name, "-") {
			name = name[1:]
			leaves = name
		}
		ids[name] = ""
		place[name] = i
	}
	entries := olga.Get(event+"/entries").Want(t, http.StatusOK)
	for i := range entries.List("items") {
		name, id := entries.Text("items", i, "name"), entries.Text("items", i, "id")
		if _, known := ids[name]; !known {
			t.Fatalf("%s plays in a division of %s", name, order)
		}
		ids[name], place[id] = id, place[name]
	}
	olga.Post(event+"/start", nil).Want(t, http.StatusOK)
	for round := 1; ; round++ {
		paired := olga.Post(event+"/rounds", nil)
		if paired.Status != http.StatusCreated {
			break
		}
		for i := range paired.List("pairings") {
			if bye, _ := paired.At("pairings", i, "bye").(string); bye != "" || paired.At("pairings", i, "result") != nil {
				continue
			}
			result := "1-0"
			if place[paired.Text("pairings", i, "seats", 0)] > place[paired.Text("pairings", i, "seats", 1)] {
				result = "0-1"
			}
			board := fmt.Sprintf("%s/rounds/%d/pairings/%v/result", event, round, paired.At("pairings", i, "board"))
			olga.Send(http.MethodPut, board, map[string]any{"result": result}, apitest.AnyVersion).Want(t, http.StatusOK)
		}
		if round == 1 && leaves != "" {
			olga.Post(event+"/entries/"+ids[leaves]+"/withdraw", nil).Want(t, http.StatusOK)
		}
	}
	olga.Post(event+"/finish", nil).Want(t, http.StatusOK)
	return ids
}

// divisionsOf returns the divisions of a season with the reason of each member, and the ids of their tournaments.
func divisionsOf(season *apitest.Answer) (divisions, tournaments []string) {
	for i := range season.List("divisions") {
		var members []string
		for k := range season.List("divisions", i, "members") {
			members = append(members, season.Text("divisions", i, "members", k, "name")+" "+
				season.Text("divisions", i, "members", k, "because"))
		}
		divisions = append(divisions, strings.Join(members, ", "))
		id, _ := season.At("divisions", i, "tournament_id").(string)
		tournaments = append(tournaments, id)
	}
	return divisions, tournaments
}

// wantNext compares a draft with what package league makes of the season before.
func wantNext(t *testing.T, draft *apitest.Answer, s leagues.Season) []string {
	t.Helper()
	next, err := s.Next()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, members := range next {
		var names []string
		for _, m := range members {
			names = append(names, m.Name+" "+string(m.Because))
		}
		want = append(want, strings.Join(names, ", "))
	}
	got, _ := divisionsOf(draft)
	if !slices.Equal(got, want) {
		t.Errorf("the draft is\n%q, want\n%q", got, want)
	}
	return got
}

func fieldsOf(divisions ...string) (out [][]string) {
	for _, names := range divisions {
		out = append(out, strings.Fields(names))
	}
	return out
}

// TestLeague plays two seasons with members that are promoted and relegated, withdraw, leave and join; the drafts are
// those of package league.
func TestLeague(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga, otto := s.WithRole("olga", account.RoleOrganiser), s.WithRole("otto", account.RoleOrganiser)
	path := apitest.LeagueOf(t, olga, "round_robin", "a b c d", "e f g h", "i j k")
	first := path + "/seasons/1"
	for _, who := range []apitest.Person{s.Anonymous(), otto} {
		who.Get(first).Want(t, http.StatusNotFound)
		who.Get(path).Want(t, http.StatusNotFound)
		if n := len(who.Get("/leagues").List("items")); n != 0 {
			t.Error("a draft is listed for all")
		}
	}
	otto.Send(http.MethodPatch, first, `{"up":2}`, apitest.AnyVersion).Want(t, http.StatusNotFound)
	olga.Post(path+"/seasons", nil).Want(t, http.StatusCreated) // the draft that is there
	seen := apitest.Header{"If-Match", olga.Get(first).Want(t, http.StatusOK).Header.Get("ETag")}
	olga.Post(first+"/confirm", nil, seen).Want(t, http.StatusOK)
	olga.Post(first+"/confirm", nil, seen).Want(t, http.StatusPreconditionFailed)
	again := olga.Post(first+"/confirm", nil, apitest.AnyVersion).Want(t, http.StatusOK)
	_, tournaments := divisionsOf(again)
	for i, id := range tournaments {
		if n := len(olga.Get("/tournaments/"+id+"/entries").Want(t, http.StatusOK).List("items")); n != []int{4, 4, 3}[i] {
			t.Fatalf("division %d has %d entries", i+1, n)
		}
	}
	otto.Send(http.MethodPatch, first, `{"up":2}`, apitest.AnyVersion).Want(t, http.StatusForbidden)
	olga.Send(http.MethodPatch, first, `{"joining":[{"name":"z"}]}`, apitest.AnyVersion).
		Refused(t, http.StatusConflict, "wrong-state")
	olga.Post(path+"/seasons", nil).Refused(t, http.StatusConflict, "wrong-state")

	olga.Send(http.MethodDelete, "/tournaments/"+tournaments[2], nil, apitest.AnyVersion).Want(t, http.StatusNoContent)
	if s.Anonymous().Get(first).Want(t, http.StatusOK).At("divisions", 2, "deleted") != true {
		t.Error("the deleted tournament is not marked")
	}
	olga.Post(first+"/confirm", nil, apitest.AnyVersion).Want(t, http.StatusOK)

	for i, order := range []string{"a -b c d", "e f g h", "i j k"} {
		playDivision(t, olga, tournaments[i], order)
	}
	shown := s.Anonymous().Get(first).Want(t, http.StatusOK)
	if shown.At("over") != true || shown.Text("divisions", 1, "members", 0, "then") != "promoted" ||
		shown.Text("divisions", 0, "members", 3, "then") != "leaves" {
		t.Errorf("the season is shown as %s", shown.Raw)
	}
	olga.Post(path+"/seasons", nil).Want(t, http.StatusCreated)
	second := path + "/seasons/2"
	s.Anonymous().Get(second).Want(t, http.StatusNotFound)
	ended := leagues.Season{
		Divisions: fieldsOf("a c d b", "e f g h", "i j k"), Leaving: []string{"b"}, Rules: leagues.Rules{Up: 1, Down: 1},
	}
	wantNext(t, olga.Get(second), ended)
	refusesDrafts(t, olga, second)
	olga.Send(http.MethodPatch, second, map[string]any{"leaving": named("j"), "joining": named("y", "z"), "name": "2027"}, apitest.AnyVersion).
		Want(t, http.StatusOK)
	ended.Leaving, ended.Joining = append(ended.Leaving, "j"), []string{"y", "z"}
	confirmed := wantNext(t, olga.Get(second), ended)
	olga.Post(second+"/confirm", nil, apitest.AnyVersion).Want(t, http.StatusOK)
	olga.Send(http.MethodPatch, first, `{"up":0,"down":0}`, apitest.AnyVersion).Want(t, http.StatusOK)

	next := s.Anonymous().Get(second).Want(t, http.StatusOK)
	if got, _ := divisionsOf(next); !sameMembers(got, confirmed) {
		t.Errorf("the divisions are %q, and %q were confirmed", got, confirmed)
	}
	_, tournaments = divisionsOf(next)
	var orders []string
	for _, division := range confirmed {
		var names []string
		for _, member := range strings.Split(division, ", ") {
			name, _, _ := strings.Cut(member, " ")
			names = append(names, name)
		}
		slices.Reverse(names)
		orders = append(orders, strings.Join(names, " "))
	}
	for i, order := range orders {
		playDivision(t, olga, tournaments[i], order)
	}
	olga.Send(http.MethodPatch, second, `{"playoff":true}`, apitest.AnyVersion).Want(t, http.StatusOK)
	olga.Post(path+"/seasons", nil).Want(t, http.StatusCreated)
	third := path + "/seasons/3"
	ended = leagues.Season{Divisions: fieldsOf(orders...), Rules: leagues.Rules{Up: 1, Down: 1, Playoff: true}}
	wantNext(t, olga.Get(third), ended)
	matches, err := ended.PlayOffs()
	if err != nil || len(matches) == 0 {
		t.Fatal(matches, err)
	}
	olga.Send(http.MethodPatch, third, map[string]any{"playoffs": []any{
		map[string]any{"border": 1, "winner": named(matches[0].Lower)[0]},
	}}, apitest.AnyVersion).Want(t, http.StatusOK)
	ended.Winners = []string{matches[0].Lower, ""}
	wantNext(t, olga.Get(third), ended)

	showsSeason(t, s, second)
	olga.Send(http.MethodDelete, second, nil, apitest.AnyVersion).Refused(t, http.StatusConflict, "wrong-state")
	olga.Send(http.MethodDelete, third, nil, apitest.AnyVersion).Want(t, http.StatusNoContent)
	olga.Send(http.MethodPatch, path, `{"name":"League"}`, apitest.AnyVersion).Want(t, http.StatusOK)
	otto.Send(http.MethodDelete, path, nil, apitest.AnyVersion).Want(t, http.StatusForbidden)
	olga.Send(http.MethodDelete, path, nil, apitest.AnyVersion).Want(t, http.StatusNoContent)
	s.Anonymous().Get("/tournaments/"+tournaments[0]).Want(t, http.StatusOK)
}

// showsSeason looks at the file and the page of a confirmed season.
func showsSeason(t *testing.T, s *apitest.Service, season string) {
	t.Helper()
	csv := string(s.Anonymous().Get(season+"/export?format=csv").Want(t, http.StatusOK).Raw)
	if !strings.Contains(csv, "division,rank,name,points,because,then\r\n1,1,") {
		t.Errorf("the file is\n%s", csv)
	}
	page := s.Visitor().Get(season).Want(t, http.StatusOK)
	for _, word := range []string{"promotion", "relegation", "Play-off", "2027"} {
		if !strings.Contains(string(page.Raw), word) {
			t.Errorf("the page does not have %q", word)
		}
	}
}

// named returns members of a league without a record, as the API takes them.
func named(names ...string) (out []any) {
	for _, name := range names {
		out = append(out, map[string]any{"name": name})
	}
	return out
}

// refusesDrafts sends changes of a draft that are refused, each with the place.
func refusesDrafts(t *testing.T, olga apitest.Person, season string) {
	t.Helper()
	for field, body := range map[string]any{
		"/leaving/0":         map[string]any{"leaving": named("nobody")},
		"/joining/0":         map[string]any{"joining": named("a")},
		"/joining/1":         map[string]any{"joining": named("y", "y")},
		"/playoffs":          map[string]any{"playoffs": []any{map[string]any{"border": 1, "winner": named("a")[0]}}},
		"/divisions":         map[string]any{"divisions": []any{map[string]any{"members": named("a")}}},
		"/tournament/format": map[string]any{"tournament": map[string]any{"format": "swiss", "rounds": 3}},
	} {
		answer := olga.Send(http.MethodPatch, season, body, apitest.AnyVersion).Want(t, http.StatusUnprocessableEntity)
		if got := answer.Text("errors", 0, "pointer"); got != field {
			t.Errorf("%v names %s, not %s: %s", body, got, field, answer.Raw)
		}
	}
}

// sameMembers reports whether divisions have the same members, in any order.
func sameMembers(a, b []string) bool {
	return slices.EqualFunc(a, b, func(x, y string) bool {
		one, other := strings.Split(x, ", "), strings.Split(y, ", ")
		slices.Sort(one)
		slices.Sort(other)
		return slices.Equal(one, other)
	})
}

// TestLeagueMembers looks at what makes no league, and at players that are merged and deleted.
func TestLeagueMembers(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga, root := s.WithRole("olga", account.RoleOrganiser), s.WithRole("root", account.RoleAdmin)
	var ids []string
	for _, name := range []string{"Ada", "Bob", "Cleo", "Dora", "Emil"} {
		ids = append(ids, root.Post("/players", map[string]any{"name": name}).Want(t, http.StatusCreated).Text("id"))
	}
	season := func(venue, divisions string) string {
		return `{"name":"L","season":{"tournament":{"variant":"quixo/duel","format":"round_robin","time_control":"600","venue":"` +
			venue + `"},"divisions":` + divisions + `}}`
	}
	id := func(i int) string { return `{"player_id":"` + ids[i] + `"}` }
	for field, body := range map[string]string{
		"/divisions/1/members/0":           season("server", `[{"members":[`+id(0)+`]},{"members":[`+id(0)+`]}]`),
		"/divisions/0/members/0/player_id": season("server", `[{"members":[{"player_id":"none"}]}]`),
		"/divisions/0/members/0/name":      season("server", `[{"members":[{"name":"Stranger"}]}]`),
		"/divisions/0/members/0":           season("hall", `[{"members":[{}]}]`),
		"/tournament/format":               `{"name":"L","season":{"tournament":{"variant":"quixo/duel","format":"swiss","rounds":3,"time_control":"600"}}}`,
	} {
		answer := olga.Post("/leagues", body).Want(t, http.StatusUnprocessableEntity)
		if got := answer.Text("errors", 0, "pointer"); !strings.HasSuffix(got, field) {
			t.Errorf("%s names %s, not %s: %s", body, got, field, answer.Raw)
		}
	}
	s.Register("ada").Post("/leagues", season("hall", `[]`)).Want(t, http.StatusForbidden)
	path := "/leagues/" + olga.Post("/leagues",
		season("hall", `[{"members":[`+id(0)+`,`+id(1)+`]},{"members":[`+id(2)+`]}]`)).
		Want(t, http.StatusCreated).Text("id")
	first := path + "/seasons/1"
	root.Post("/players/"+ids[0]+"/merge", map[string]any{"player_id": ids[1]}).Want(t, http.StatusConflict)
	root.Post("/players/"+ids[3]+"/merge", map[string]any{"player_id": ids[2]}).Want(t, http.StatusOK)
	confirmed := olga.Post(first+"/confirm", nil, apitest.AnyVersion).Want(t, http.StatusOK)
	divisions, tournaments := divisionsOf(confirmed)
	if divisions[1] != "Dora joins" || tournaments[1] != "" {
		t.Errorf("the lower division is %q with the tournament %q", divisions[1], tournaments[1])
	}
	playDivision(t, olga, tournaments[0], "Ada Bob")
	root.Send(http.MethodDelete, "/players/"+ids[0], nil).Want(t, http.StatusNoContent)
	olga.Post(path+"/seasons", nil).Want(t, http.StatusCreated)
	if got, _ := divisionsOf(olga.Get(path + "/seasons/2")); !slices.Equal(got, []string{"Bob stays, Dora moved_up"}) {
		t.Errorf("after a deletion the draft is %q", got)
	}
	s.Anonymous().Get(path+"/seasons/0").Want(t, http.StatusBadRequest)
	s.Anonymous().Get(path+"/seasons/99").Want(t, http.StatusNotFound)
	s.Visitor().Get(path+"/seasons/x").Want(t, http.StatusNotFound)
}

// TestLeagueOfTeams takes squads along into the next season.
func TestLeagueOfTeams(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga, root := s.WithRole("olga", account.RoleOrganiser), s.WithRole("root", account.RoleAdmin)
	path := apitest.LeagueOf(t, olga, "team_round_robin", "Owls Foxes")
	olga.Post(path+"/seasons/1/confirm", nil, apitest.AnyVersion).Want(t, http.StatusUnprocessableEntity)
	var teams []any
	var squads [][]string
	captains := []apitest.Person{s.Register("ada"), s.Register("bob")}
	for i, name := range []string{"Owls", "Foxes"} {
		squad := []string{captains[i].Player, root.Post("/players", map[string]any{"name": "Of " + name}).Want(t, http.StatusCreated).Text("id")}
		squads = append(squads, squad)
		teams = append(teams, map[string]any{"name": name, "squad": squad})
	}
	olga.Send(http.MethodPatch, path+"/seasons/1", map[string]any{"divisions": []any{map[string]any{"members": teams}}},
		apitest.AnyVersion).
		Want(t, http.StatusOK)
	_, tournaments := divisionsOf(olga.Post(path+"/seasons/1/confirm", nil, apitest.AnyVersion).Want(t, http.StatusOK))
	event := "/tournaments/" + tournaments[0]
	olga.Post(event+"/start", nil).Want(t, http.StatusOK)
	olga.Post(event+"/rounds", nil).Want(t, http.StatusCreated)
	for i, captain := range captains {
		lineUp := event + "/rounds/1/matches/1/lineup"
		captain.Send(http.MethodPut, lineUp, map[string]any{"players": squads[i]}, apitest.AnyVersion).Want(t, http.StatusOK)
		captain.Post(lineUp+"/final", nil).Want(t, http.StatusOK)
	}
	for board := 1; board <= 2; board++ {
		olga.Send(http.MethodPut, fmt.Sprint(event, "/rounds/1/matches/1/boards/", board), `{"result":"1-0"}`,
			apitest.AnyVersion).
			Want(t, http.StatusOK)
	}
	olga.Post(event+"/finish", nil).Want(t, http.StatusOK)
	olga.Post(path+"/seasons", nil).Want(t, http.StatusCreated)
	_, tournaments = divisionsOf(olga.Post(path+"/seasons/2/confirm", nil, apitest.AnyVersion).Want(t, http.StatusOK))
	entries := olga.Get("/tournaments/"+tournaments[0]+"/entries").Want(t, http.StatusOK)
	for i := range entries.List("items") {
		if n := len(entries.List("items", i, "members")); n != 2 {
			t.Errorf("%s came with %d players", entries.Text("items", i, "name"), n)
		}
	}
}

// TestLeagueForms makes a league by the form, with players that are found by their names.
func TestLeagueForms(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	_, root := s.WithRole("olga", account.RoleOrganiser), s.WithRole("root", account.RoleAdmin)
	for _, club := range []string{"Ada", "Bob", "Twin", "Twin B"} {
		name, _, _ := strings.Cut(club, " ")
		root.Post("/players", map[string]any{"name": name, "club": club}).Want(t, http.StatusCreated)
	}
	p := s.LoggedIn("olga")
	form := func(key, first string) []string {
		return []string{
			"key", key, "name", "Winter", "variant", "quixo/duel", "format", "round_robin", "control", "none", "venue", "hall",
			"up", "1", "down", "1", "division", first, "division", "Stranger\nGuest", "division", "",
		}
	}
	const key = "0197f3d2-6c1e-7a54-9b0d-3f6f0a6f2b11"
	at := p.Post("/leagues/new", form(key, "Ada\nbob\n")...).Want(t, http.StatusSeeOther).Header.Get("Location")
	p.Post("/leagues/new", form(key, "Ada\nbob\n")...).RedirectsTo(t, at) // once, however often it is sent
	p.Post("/leagues/new", form("0197f3d2-6c1e-7a54-9b0d-3f6f0a6f2b12", "Twin")...).
		Want(t, http.StatusUnprocessableEntity).Has(t, "2 players are called")
	path, _, _ := strings.Cut(at, "?")
	page := p.Get(path).Want(t, http.StatusOK).Has(t, "Ada\nBob\n", "Stranger\nGuest\n")
	seen := html.UnescapeString(regexp.MustCompile(`name="seen" value="([^"]*)"`).FindStringSubmatch(string(page.Raw))[1])
	p.Post(path+"/edit", "seen", seen, "title", "2026/27", "up", "2", "down", "1", "division", "Ada\nBob", "division",
		"Guest").
		Want(t, http.StatusSeeOther)
	p.Post(path+"/confirm", "seen", seen).Alert(t, http.StatusPreconditionFailed, "")
	seen = html.UnescapeString(regexp.MustCompile(`name="seen" value="([^"]*)"`).
		FindStringSubmatch(string(p.Get(path).Raw))[1])
	p.Post(path+"/confirm", "seen", seen).Want(t, http.StatusSeeOther)
	s.Visitor().Get(path).Want(t, http.StatusOK).Has(t, "2026/27", "Ada", "Guest")
	league := strings.TrimSuffix(path, "/seasons/1")
	p.Post(league+"/next").Want(t, http.StatusConflict).Has(t, "is not finished")
	for path, status := range map[string]int{
		league: http.StatusOK, league + ".ics": http.StatusOK, league + "/seasons/2": http.StatusNotFound,
		league + "/seasons/-1": http.StatusNotFound, league + "/seasons/99999999999999999999": http.StatusNotFound,
	} {
		s.Visitor().Get(path).Want(t, status)
	}
}

// TestTokensAndLeagueDrafts: a token for reading or organising sees the drafts of its owner's leagues, as it sees those
// of tournaments; all others are answered as if there were none.
func TestTokensAndLeagueDrafts(t *testing.T) {
	s := apitest.New(t)
	olga := s.WithRole("olga", account.RoleOrganiser)
	path := apitest.LeagueOf(t, olga, "round_robin", "A B", "C D")
	own := olga.Get(path+"/seasons/1").Want(t, http.StatusOK)
	for _, scope := range []string{"read", "organise"} {
		token := olga.TokenFor(scope)
		token.Get(path).Want(t, http.StatusOK)
		season := token.Get(path+"/seasons/1").Want(t, http.StatusOK)
		if season.Header.Get("ETag") != own.Header.Get("ETag") {
			t.Errorf("%s: the tag is %s, and %s of the owner", scope, season.Header.Get("ETag"), own.Header.Get("ETag"))
		}
		if n := len(token.Get("/leagues").Want(t, http.StatusOK).List("items")); n != 1 {
			t.Errorf("%s: %d leagues are listed", scope, n)
		}
	}
	olga.TokenFor("read").Send(http.MethodPatch, path, `{"name":"Other"}`, apitest.AnyVersion).
		Want(t, http.StatusForbidden)
	for _, p := range []apitest.Person{s.Anonymous(), s.WithRole("otto", account.RoleOrganiser).TokenFor("read")} {
		p.Get(path+"/seasons/1").Want(t, http.StatusNotFound)
	}
}

// TestTagsOfWhatIsPartlyHidden: a season that others see in part, and a player with a year of birth, have the tag of the
// visible part for viewers of a part, and that of the version for those with the right to change it.
func TestTagsOfWhatIsPartlyHidden(t *testing.T) {
	s := apitest.New(t)
	olga, anyone := s.WithRole("olga", account.RoleOrganiser), s.Anonymous()
	draft := olga.Post("/tournaments", `{"name":"Surprise","variant":"quixo/duel","format":"swiss","rounds":3,"time_control":"300+3"}`).
		Want(t, http.StatusCreated).Text("id")
	for _, x := range []struct{ kind, body, change string }{
		{"/seasons", `{"name":"2026","from":"2026-01-01","to":"2026-12-31","parts":[]}`, `{"parts":[{"kind":"tournament","id":"` + draft + `"}]}`},
		{"/series", `{"name":"Cup","events":[]}`, `{"events":[{"tournament_id":"` + draft + `"}]}`},
		{"/players", `{"name":"Ann"}`, `{"birth_year":1950}`},
	} {
		path := x.kind + "/" + olga.Post(x.kind, x.body).Want(t, http.StatusCreated).Text("id")
		before, own := anyone.Get(path).Want(t, http.StatusOK), olga.Get(path).Want(t, http.StatusOK)
		olga.Send(http.MethodPatch, path, x.change, own.IfMatch()).Want(t, http.StatusOK)
		olga.Send(http.MethodPatch, path, x.change, own.IfMatch()).Want(t, http.StatusPreconditionFailed)
		apitest.Differences(t, apitest.Answers{path: apitest.Written(anyone.Get(path), "")},
			apitest.Answers{path: apitest.Written(before, "")})
		olga.Send(http.MethodPatch, path, `{"name":"Other"}`, olga.Get(path).IfMatch()).Want(t, http.StatusOK)
		if now := anyone.Get(path); now.Header.Get("ETag") == before.Header.Get("ETag") {
			t.Errorf("%s has another name, and still the tag %s", path, before.Header.Get("ETag"))
		}
	}
}
