package api_test

import (
	"fmt"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quatuor/tournament/account"
	leagues "quatuor/tournament/league"
)

// leagueOf makes a league in the hall with the draft of its first season, and returns its path. Members are named, each
// division in a text.
func leagueOf(t *testing.T, by person, format string, divisions ...string) string {
	t.Helper()
	var all []any
	for _, names := range divisions {
		var members []any
		for _, name := range strings.Fields(names) {
			members = append(members, map[string]any{"name": name})
		}
		all = append(all, map[string]any{"members": members})
	}
	settings := map[string]any{"variant": "quixo/duel", "format": format, "time_control": "none", "venue": "hall"}
	if strings.HasPrefix(format, "team") {
		settings["teams"] = map[string]any{"boards": []any{map[string]any{}, map[string]any{}}}
	}
	return "/leagues/" + by.post("/leagues", map[string]any{
		"name": "Club league", "season": map[string]any{"tournament": settings, "divisions": all, "up": 1, "down": 1},
	}).want(t, http.StatusCreated).text("id")
}

// playDivision plays a division whose members win in the order of a text; the one after a minus withdraws after the
// first round. It returns the entries' ids by name.
func playDivision(t *testing.T, olga person, tournament, order string) map[string]string {
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
	entries := olga.get(event+"/entries").want(t, http.StatusOK)
	for i := range entries.list("items") {
		name, id := entries.text("items", i, "name"), entries.text("items", i, "id")
		if _, known := ids[name]; !known {
			t.Fatalf("%s plays in a division of %s", name, order)
		}
		ids[name], place[id] = id, place[name]
	}
	olga.post(event+"/start", nil).want(t, http.StatusOK)
	for round := 1; ; round++ {
		paired := olga.post(event+"/rounds", nil)
		if paired.status != http.StatusCreated {
			break
		}
		for i := range paired.list("pairings") {
			if bye, _ := paired.at("pairings", i, "bye").(string); bye != "" || paired.at("pairings", i, "result") != nil {
				continue
			}
			result := "1-0"
			if place[paired.text("pairings", i, "seats", 0)] > place[paired.text("pairings", i, "seats", 1)] {
				result = "0-1"
			}
			board := fmt.Sprintf("%s/rounds/%d/pairings/%v/result", event, round, paired.at("pairings", i, "board"))
			olga.send(http.MethodPut, board, map[string]any{"result": result}, anyVersion).want(t, http.StatusOK)
		}
		if round == 1 && leaves != "" {
			olga.post(event+"/entries/"+ids[leaves]+"/withdraw", nil).want(t, http.StatusOK)
		}
	}
	olga.post(event+"/finish", nil).want(t, http.StatusOK)
	return ids
}

// divisionsOf returns the divisions of a season with the reason of each member, and the ids of their tournaments.
func divisionsOf(season *answer) (divisions, tournaments []string) {
	for i := range season.list("divisions") {
		var members []string
		for k := range season.list("divisions", i, "members") {
			members = append(members, season.text("divisions", i, "members", k, "name")+" "+
				season.text("divisions", i, "members", k, "because"))
		}
		divisions = append(divisions, strings.Join(members, ", "))
		id, _ := season.at("divisions", i, "tournament_id").(string)
		tournaments = append(tournaments, id)
	}
	return divisions, tournaments
}

// wantNext compares a draft with what package league makes of the season before.
func wantNext(t *testing.T, draft *answer, s leagues.Season) []string {
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
	s := newService(t, withRealPages)
	olga, otto := s.withRole("olga", account.RoleOrganiser), s.withRole("otto", account.RoleOrganiser)
	path := leagueOf(t, olga, "round_robin", "a b c d", "e f g h", "i j k")
	first := path + "/seasons/1"
	for _, who := range []person{s.anonymous(), otto} {
		who.get(first).want(t, http.StatusNotFound)
		who.get(path).want(t, http.StatusNotFound)
		if n := len(who.get("/leagues").list("items")); n != 0 {
			t.Error("a draft is listed for all")
		}
	}
	otto.send(http.MethodPatch, first, `{"up":2}`, anyVersion).want(t, http.StatusNotFound)
	olga.post(path+"/seasons", nil).want(t, http.StatusCreated) // the draft that is there
	seen := header{"If-Match", olga.get(first).want(t, http.StatusOK).header.Get("ETag")}
	olga.post(first+"/confirm", nil, seen).want(t, http.StatusOK)
	olga.post(first+"/confirm", nil, seen).want(t, http.StatusPreconditionFailed)
	again := olga.post(first+"/confirm", nil, anyVersion).want(t, http.StatusOK)
	_, tournaments := divisionsOf(again)
	for i, id := range tournaments {
		if n := len(olga.get("/tournaments/"+id+"/entries").want(t, http.StatusOK).list("items")); n != []int{4, 4, 3}[i] {
			t.Fatalf("division %d has %d entries", i+1, n)
		}
	}
	otto.send(http.MethodPatch, first, `{"up":2}`, anyVersion).want(t, http.StatusForbidden)
	olga.send(http.MethodPatch, first, `{"joining":[{"name":"z"}]}`, anyVersion).refused(t, http.StatusConflict, "wrong-state")
	olga.post(path+"/seasons", nil).refused(t, http.StatusConflict, "wrong-state")

	olga.send(http.MethodDelete, "/tournaments/"+tournaments[2], nil, anyVersion).want(t, http.StatusNoContent)
	if s.anonymous().get(first).want(t, http.StatusOK).at("divisions", 2, "deleted") != true {
		t.Error("the deleted tournament is not marked")
	}
	olga.post(first+"/confirm", nil, anyVersion).want(t, http.StatusOK)

	for i, order := range []string{"a -b c d", "e f g h", "i j k"} {
		playDivision(t, olga, tournaments[i], order)
	}
	shown := s.anonymous().get(first).want(t, http.StatusOK)
	if shown.at("over") != true || shown.text("divisions", 1, "members", 0, "then") != "promoted" ||
		shown.text("divisions", 0, "members", 3, "then") != "leaves" {
		t.Errorf("the season is shown as %s", shown.raw)
	}
	olga.post(path+"/seasons", nil).want(t, http.StatusCreated)
	second := path + "/seasons/2"
	s.anonymous().get(second).want(t, http.StatusNotFound)
	ended := leagues.Season{
		Divisions: fieldsOf("a c d b", "e f g h", "i j k"), Leaving: []string{"b"}, Rules: leagues.Rules{Up: 1, Down: 1},
	}
	wantNext(t, olga.get(second), ended)
	refusesDrafts(t, olga, second)
	olga.send(http.MethodPatch, second, map[string]any{"leaving": named("j"), "joining": named("y", "z"), "name": "2027"}, anyVersion).
		want(t, http.StatusOK)
	ended.Leaving, ended.Joining = append(ended.Leaving, "j"), []string{"y", "z"}
	confirmed := wantNext(t, olga.get(second), ended)
	olga.post(second+"/confirm", nil, anyVersion).want(t, http.StatusOK)
	olga.send(http.MethodPatch, first, `{"up":0,"down":0}`, anyVersion).want(t, http.StatusOK)

	next := s.anonymous().get(second).want(t, http.StatusOK)
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
	olga.send(http.MethodPatch, second, `{"playoff":true}`, anyVersion).want(t, http.StatusOK)
	olga.post(path+"/seasons", nil).want(t, http.StatusCreated)
	third := path + "/seasons/3"
	ended = leagues.Season{Divisions: fieldsOf(orders...), Rules: leagues.Rules{Up: 1, Down: 1, Playoff: true}}
	wantNext(t, olga.get(third), ended)
	matches, err := ended.PlayOffs()
	if err != nil || len(matches) == 0 {
		t.Fatal(matches, err)
	}
	olga.send(http.MethodPatch, third, map[string]any{"playoffs": []any{
		map[string]any{"border": 1, "winner": named(matches[0].Lower)[0]},
	}}, anyVersion).want(t, http.StatusOK)
	ended.Winners = []string{matches[0].Lower, ""}
	wantNext(t, olga.get(third), ended)

	showsSeason(t, s, second)
	olga.send(http.MethodDelete, second, nil, anyVersion).refused(t, http.StatusConflict, "wrong-state")
	olga.send(http.MethodDelete, third, nil, anyVersion).want(t, http.StatusNoContent)
	olga.send(http.MethodPatch, path, `{"name":"League"}`, anyVersion).want(t, http.StatusOK)
	otto.send(http.MethodDelete, path, nil, anyVersion).want(t, http.StatusForbidden)
	olga.send(http.MethodDelete, path, nil, anyVersion).want(t, http.StatusNoContent)
	s.anonymous().get("/tournaments/"+tournaments[0]).want(t, http.StatusOK)
}

// showsSeason looks at the file and the page of a confirmed season.
func showsSeason(t *testing.T, s *service, season string) {
	t.Helper()
	csv := string(s.anonymous().get(season+"/export?format=csv").want(t, http.StatusOK).raw)
	if !strings.Contains(csv, "division,rank,name,points,because,then\r\n1,1,") {
		t.Errorf("the file is\n%s", csv)
	}
	page := s.visitor().get(season).want(t, http.StatusOK)
	for _, word := range []string{"promotion", "relegation", "Play-off", "2027"} {
		if !strings.Contains(string(page.raw), word) {
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
func refusesDrafts(t *testing.T, olga person, season string) {
	t.Helper()
	for field, body := range map[string]any{
		"/leaving/0":         map[string]any{"leaving": named("nobody")},
		"/joining/0":         map[string]any{"joining": named("a")},
		"/joining/1":         map[string]any{"joining": named("y", "y")},
		"/playoffs":          map[string]any{"playoffs": []any{map[string]any{"border": 1, "winner": named("a")[0]}}},
		"/divisions":         map[string]any{"divisions": []any{map[string]any{"members": named("a")}}},
		"/tournament/format": map[string]any{"tournament": map[string]any{"format": "swiss", "rounds": 3}},
	} {
		answer := olga.send(http.MethodPatch, season, body, anyVersion).want(t, http.StatusUnprocessableEntity)
		if got := answer.text("errors", 0, "pointer"); got != field {
			t.Errorf("%v names %s, not %s: %s", body, got, field, answer.raw)
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
	s := newService(t, withRealPages)
	olga, root := s.withRole("olga", account.RoleOrganiser), s.withRole("root", account.RoleAdmin)
	var ids []string
	for _, name := range []string{"Ada", "Bob", "Cleo", "Dora", "Emil"} {
		ids = append(ids, root.post("/players", map[string]any{"name": name}).want(t, http.StatusCreated).text("id"))
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
		answer := olga.post("/leagues", body).want(t, http.StatusUnprocessableEntity)
		if got := answer.text("errors", 0, "pointer"); !strings.HasSuffix(got, field) {
			t.Errorf("%s names %s, not %s: %s", body, got, field, answer.raw)
		}
	}
	s.register("ada").post("/leagues", season("hall", `[]`)).want(t, http.StatusForbidden)
	path := "/leagues/" + olga.post("/leagues", season("hall", `[{"members":[`+id(0)+`,`+id(1)+`]},{"members":[`+id(2)+`]}]`)).
		want(t, http.StatusCreated).text("id")
	first := path + "/seasons/1"
	root.post("/players/"+ids[0]+"/merge", map[string]any{"player_id": ids[1]}).want(t, http.StatusConflict)
	root.post("/players/"+ids[3]+"/merge", map[string]any{"player_id": ids[2]}).want(t, http.StatusOK)
	confirmed := olga.post(first+"/confirm", nil, anyVersion).want(t, http.StatusOK)
	divisions, tournaments := divisionsOf(confirmed)
	if divisions[1] != "Dora joins" || tournaments[1] != "" {
		t.Errorf("the lower division is %q with the tournament %q", divisions[1], tournaments[1])
	}
	playDivision(t, olga, tournaments[0], "Ada Bob")
	root.send(http.MethodDelete, "/players/"+ids[0], nil).want(t, http.StatusNoContent)
	olga.post(path+"/seasons", nil).want(t, http.StatusCreated)
	if got, _ := divisionsOf(olga.get(path + "/seasons/2")); !slices.Equal(got, []string{"Bob stays, Dora moved_up"}) {
		t.Errorf("after a deletion the draft is %q", got)
	}
	s.anonymous().get(path+"/seasons/0").want(t, http.StatusBadRequest)
	s.anonymous().get(path+"/seasons/99").want(t, http.StatusNotFound)
	s.visitor().get(path+"/seasons/x").want(t, http.StatusNotFound)
}

// TestLeagueOfTeams takes squads along into the next season.
func TestLeagueOfTeams(t *testing.T) {
	s := newService(t, withRealPages)
	olga, root := s.withRole("olga", account.RoleOrganiser), s.withRole("root", account.RoleAdmin)
	path := leagueOf(t, olga, "team_round_robin", "Owls Foxes")
	olga.post(path+"/seasons/1/confirm", nil, anyVersion).want(t, http.StatusUnprocessableEntity)
	var teams []any
	var squads [][]string
	captains := []person{s.register("ada"), s.register("bob")}
	for i, name := range []string{"Owls", "Foxes"} {
		squad := []string{captains[i].player, root.post("/players", map[string]any{"name": "Of " + name}).want(t, http.StatusCreated).text("id")}
		squads = append(squads, squad)
		teams = append(teams, map[string]any{"name": name, "squad": squad})
	}
	olga.send(http.MethodPatch, path+"/seasons/1", map[string]any{"divisions": []any{map[string]any{"members": teams}}}, anyVersion).
		want(t, http.StatusOK)
	_, tournaments := divisionsOf(olga.post(path+"/seasons/1/confirm", nil, anyVersion).want(t, http.StatusOK))
	event := "/tournaments/" + tournaments[0]
	olga.post(event+"/start", nil).want(t, http.StatusOK)
	olga.post(event+"/rounds", nil).want(t, http.StatusCreated)
	for i, captain := range captains {
		lineUp := event + "/rounds/1/matches/1/lineup"
		captain.send(http.MethodPut, lineUp, map[string]any{"players": squads[i]}, anyVersion).want(t, http.StatusOK)
		captain.post(lineUp+"/final", nil).want(t, http.StatusOK)
	}
	for board := 1; board <= 2; board++ {
		olga.send(http.MethodPut, fmt.Sprint(event, "/rounds/1/matches/1/boards/", board), `{"result":"1-0"}`, anyVersion).
			want(t, http.StatusOK)
	}
	olga.post(event+"/finish", nil).want(t, http.StatusOK)
	olga.post(path+"/seasons", nil).want(t, http.StatusCreated)
	_, tournaments = divisionsOf(olga.post(path+"/seasons/2/confirm", nil, anyVersion).want(t, http.StatusOK))
	entries := olga.get("/tournaments/"+tournaments[0]+"/entries").want(t, http.StatusOK)
	for i := range entries.list("items") {
		if n := len(entries.list("items", i, "members")); n != 2 {
			t.Errorf("%s came with %d players", entries.text("items", i, "name"), n)
		}
	}
}

// TestLeagueForms makes a league by the form, with players that are found by their names.
func TestLeagueForms(t *testing.T) {
	s := newService(t, withRealPages)
	_, root := s.withRole("olga", account.RoleOrganiser), s.withRole("root", account.RoleAdmin)
	for _, club := range []string{"Ada", "Bob", "Twin", "Twin B"} {
		name, _, _ := strings.Cut(club, " ")
		root.post("/players", map[string]any{"name": name, "club": club}).want(t, http.StatusCreated)
	}
	p := s.visits("olga")
	form := func(key, first string) []string {
		return []string{
			"key", key, "name", "Winter", "variant", "quixo/duel", "format", "round_robin", "control", "none", "venue", "hall",
			"up", "1", "down", "1", "division", first, "division", "Stranger\nGuest", "division", "",
		}
	}
	const key = "0197f3d2-6c1e-7a54-9b0d-3f6f0a6f2b11"
	at := p.post("/leagues/new", form(key, "Ada\nbob\n")...).want(t, http.StatusSeeOther).header.Get("Location")
	p.post("/leagues/new", form(key, "Ada\nbob\n")...).to(t, at) // once, however often it is sent
	p.post("/leagues/new", form("0197f3d2-6c1e-7a54-9b0d-3f6f0a6f2b12", "Twin")...).
		want(t, http.StatusUnprocessableEntity).has(t, "2 players are called")
	path, _, _ := strings.Cut(at, "?")
	page := p.get(path).want(t, http.StatusOK).has(t, "Ada\nBob\n", "Stranger\nGuest\n")
	seen := html.UnescapeString(regexp.MustCompile(`name="seen" value="([^"]*)"`).FindStringSubmatch(string(page.raw))[1])
	p.post(path+"/edit", "seen", seen, "title", "2026/27", "up", "2", "down", "1", "division", "Ada\nBob", "division", "Guest").
		want(t, http.StatusSeeOther)
	p.post(path+"/confirm", "seen", seen).alert(t, http.StatusPreconditionFailed, "")
	seen = html.UnescapeString(regexp.MustCompile(`name="seen" value="([^"]*)"`).FindStringSubmatch(string(p.get(path).raw))[1])
	p.post(path+"/confirm", "seen", seen).want(t, http.StatusSeeOther)
	s.visitor().get(path).want(t, http.StatusOK).has(t, "2026/27", "Ada", "Guest")
	league := strings.TrimSuffix(path, "/seasons/1")
	p.post(league+"/next").want(t, http.StatusConflict).has(t, "is not finished")
	for path, status := range map[string]int{
		league: http.StatusOK, league + ".ics": http.StatusOK, league + "/seasons/2": http.StatusNotFound,
		league + "/seasons/-1": http.StatusNotFound, league + "/seasons/99999999999999999999": http.StatusNotFound,
	} {
		s.visitor().get(path).want(t, status)
	}
}

// TestTokensAndLeagueDrafts: a token for reading or organising sees the drafts of its owner's leagues, as it sees those
// of tournaments; everybody else is answered as if there were none.
func TestTokensAndLeagueDrafts(t *testing.T) {
	s := newService(t)
	olga := s.withRole("olga", account.RoleOrganiser)
	path := leagueOf(t, olga, "round_robin", "A B", "C D")
	own := olga.get(path+"/seasons/1").want(t, http.StatusOK)
	for _, scope := range []string{"read", "organise"} {
		token := olga.tokenFor(scope)
		token.get(path).want(t, http.StatusOK)
		season := token.get(path+"/seasons/1").want(t, http.StatusOK)
		if season.header.Get("ETag") != own.header.Get("ETag") {
			t.Errorf("%s: the tag is %s, and %s of the owner", scope, season.header.Get("ETag"), own.header.Get("ETag"))
		}
		if n := len(token.get("/leagues").want(t, http.StatusOK).list("items")); n != 1 {
			t.Errorf("%s: %d leagues are listed", scope, n)
		}
	}
	olga.tokenFor("read").send(http.MethodPatch, path, `{"name":"Other"}`, anyVersion).want(t, http.StatusForbidden)
	for _, p := range []person{s.anonymous(), s.withRole("otto", account.RoleOrganiser).tokenFor("read")} {
		p.get(path+"/seasons/1").want(t, http.StatusNotFound)
	}
}

// TestTagsOfWhatIsPartlyHidden: a season of which others see a part, and a player with a year of birth, have the tag of
// what is shown for those who do not see all of it, and that of the version for those who change it.
func TestTagsOfWhatIsPartlyHidden(t *testing.T) {
	s := newService(t)
	olga, anyone := s.withRole("olga", account.RoleOrganiser), s.anonymous()
	draft := olga.post("/tournaments", `{"name":"Surprise","variant":"quixo/duel","format":"swiss","rounds":3,"time_control":"300+3"}`).
		want(t, http.StatusCreated).text("id")
	for _, x := range []struct{ kind, body, change string }{
		{"/seasons", `{"name":"2026","from":"2026-01-01","to":"2026-12-31","parts":[]}`, `{"parts":[{"kind":"tournament","id":"` + draft + `"}]}`},
		{"/series", `{"name":"Cup","events":[]}`, `{"events":[{"tournament_id":"` + draft + `"}]}`},
		{"/players", `{"name":"Ann"}`, `{"birth_year":1950}`},
	} {
		path := x.kind + "/" + olga.post(x.kind, x.body).want(t, http.StatusCreated).text("id")
		before, own := anyone.get(path).want(t, http.StatusOK), olga.get(path).want(t, http.StatusOK)
		olga.send(http.MethodPatch, path, x.change, own.etag()).want(t, http.StatusOK)
		olga.send(http.MethodPatch, path, x.change, own.etag()).want(t, http.StatusPreconditionFailed)
		differences(t, answered{path: written(anyone.get(path), "")}, answered{path: written(before, "")})
		olga.send(http.MethodPatch, path, `{"name":"Other"}`, olga.get(path).etag()).want(t, http.StatusOK)
		if now := anyone.get(path); now.header.Get("ETag") == before.header.Get("ETag") {
			t.Errorf("%s has another name, and still the tag %s", path, before.header.Get("ETag"))
		}
	}
}
