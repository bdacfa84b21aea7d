package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// seasonDeed is an act on a series, a season, a league or a ladder that the API and the pages both offer.
type seasonDeed struct {
	name   string
	method string
	path   string // of the API
	body   string
	page   string // of the form
	form   map[string]string
	known  bool // of visitors that are logged in: at the API others hear first that they have to be
}

// newKey is the key of forms that make something.
const newKey = "018f0000-0000-7000-8000-000000000001"

// SERIES, SEASON, LEAGUE and LADDER are of olga's, and new for each door. On the ladder BERT has challenged ANNA in
// CHALLENGE, and GUEST is not on it; FRESH is a ladder without a challenge.
var seasonDeeds = []seasonDeed{
	{
		name: "create a series", method: "POST", path: "/series", body: `{"name":"N","best":0,"least":1}`,
		page: "/series/new", form: map[string]string{"key": newKey, "name": "N", "best": "0", "least": "1"},
	},
	{
		name: "change a series", method: "PATCH", path: "/series/SERIES", body: `{"name":"M","best":2,"least":1,"table":["3","2"],"source":"table"}`,
		page: "/series/SERIES/edit", form: map[string]string{"name": "M", "best": "2", "least": "1", "table": "3 2", "source": "table"},
	},
	{
		name: "a series that cannot be", method: "PATCH", path: "/series/SERIES", body: `{"name":"M","table":["2","3"]}`,
		page: "/series/SERIES/edit", form: map[string]string{"name": "M", "best": "0", "least": "1", "table": "2 3", "source": "table"},
	},
	{name: "delete a series", method: "DELETE", path: "/series/SERIES", page: "/series/SERIES/delete"},
	{name: "delete a series that is not there", method: "DELETE", path: "/series/none", page: "/series/none/delete", known: true},
	{
		name: "create a season", method: "POST", path: "/seasons", body: `{"name":"N","from":"2026-09-01","to":"2027-06-30"}`,
		page: "/seasons/new", form: map[string]string{"key": newKey, "name": "N", "from": "2026-09-01", "to": "2027-06-30", "least": "1"},
	},
	{
		name: "change a season", method: "PATCH", path: "/seasons/SEASON",
		body: `{"name":"M","from":"2026-09-01","to":"2027-06-30","best":2,"least":1,"table":["3"],"parts":[{"kind":"ladder","id":"LADDER"}]}`,
		page: "/seasons/SEASON/edit", form: map[string]string{
			"name": "M", "from": "2026-09-01", "to": "2027-06-30", "best": "2", "least": "1", "table": "3",
			"part": "ladder:LADDER:0", "counts": "ladder:LADDER:0",
		},
	},
	{
		name: "a season of what is not there", method: "PATCH", path: "/seasons/SEASON", body: `{"parts":[{"kind":"ladder","id":"none"}]}`,
		page: "/seasons/SEASON/edit", form: map[string]string{
			"name": "S", "from": "2026-09-01", "to": "2027-06-30", "least": "1", "part": "ladder:none:0", "counts": "ladder:none:0",
		},
	},
	{name: "delete a season", method: "DELETE", path: "/seasons/SEASON", page: "/seasons/SEASON/delete"},
	{
		name: "create a ladder", method: "POST", path: "/ladders", body: `{"name":"N","variant":"quixo/duel","time_control":"none","venue":"hall"}`,
		page: "/ladders/new", form: map[string]string{
			"key": newKey, "name": "N", "variant": "quixo/duel", "control": "none", "venue": "hall", "reach": "3", "accept": "3", "play": "7", "again": "14",
		},
	},
	{name: "rename a ladder", method: "PATCH", path: "/ladders/LADDER", body: `{"name":"M"}`, page: "/ladders/LADDER/edit", form: map[string]string{"name": "M"}},
	{name: "delete a ladder", method: "DELETE", path: "/ladders/FRESH", page: "/ladders/FRESH/delete"},
	{name: "delete a ladder with a challenge", method: "DELETE", path: "/ladders/LADDER", page: "/ladders/LADDER/delete"},
	{name: "join", method: "POST", path: "/ladders/LADDER/members", body: `{}`, page: "/ladders/LADDER/join"},
	{
		name: "let join", method: "POST", path: "/ladders/LADDER/members", body: `{"player_id":"GUEST"}`,
		page: "/ladders/LADDER/join", form: map[string]string{"player": "GUEST"},
	},
	{name: "leave", method: "DELETE", path: "/ladders/LADDER/members/BERT", page: "/ladders/LADDER/leave", form: map[string]string{"player": "BERT"}},
	{
		name: "end a holiday", method: "PUT", path: "/ladders/LADDER/members/ANNA/holiday", body: `{}`,
		page: "/ladders/LADDER/holiday", form: map[string]string{"player": "ANNA", "days": "0"},
	},
	{
		name: "challenge", method: "POST", path: "/ladders/LADDER/challenges", body: `{"player_id":"ANNA"}`,
		page: "/ladders/LADDER/challenge", form: map[string]string{"player": "ANNA"},
	},
	{
		name: "accept", method: "POST", path: "/ladders/LADDER/challenges/CHALLENGE/accept",
		page: "/ladders/LADDER/answer", form: map[string]string{"challenge": "CHALLENGE", "do": "accept"},
	},
	{
		name: "decline", method: "POST", path: "/ladders/LADDER/challenges/CHALLENGE/decline",
		page: "/ladders/LADDER/answer", form: map[string]string{"challenge": "CHALLENGE", "do": "decline"},
	},
	{
		name: "play what was not accepted", method: "POST", path: "/ladders/LADDER/challenges/CHALLENGE/play",
		page: "/ladders/LADDER/answer", form: map[string]string{"challenge": "CHALLENGE", "do": "play"}, known: true,
	},
	{
		name: "enter a result too early", method: "PUT", path: "/ladders/LADDER/challenges/CHALLENGE/result", body: `{"score":"1"}`,
		page: "/ladders/LADDER/result", form: map[string]string{"challenge": "CHALLENGE", "score": "1"},
	},
	{
		name: "create a league", method: "POST", path: "/leagues",
		body: `{"name":"N","season":{"tournament":{"variant":"quixo/duel","format":"round_robin","time_control":"none","venue":"hall"},"divisions":[{"members":[{"name":"a"},{"name":"b"}]}]}}`,
		page: "/leagues/new", form: map[string]string{
			"key": newKey, "name": "N", "variant": "quixo/duel", "format": "round_robin", "control": "none", "venue": "hall",
			"up": "2", "down": "2", "division": "a\nb",
		},
	},
	{name: "delete a league", method: "DELETE", path: "/leagues/LEAGUE", page: "/leagues/LEAGUE/delete"},
	{name: "draw up a season too early", method: "POST", path: "/leagues/LEAGUE/seasons", page: "/leagues/LEAGUE/next"},
	{
		name: "change a league season", method: "PATCH", path: "/leagues/LEAGUE/seasons/1", body: `{"name":"Spring","up":1,"down":1,"playoff":false}`,
		page: "/leagues/LEAGUE/seasons/1/edit", form: map[string]string{"title": "Spring", "up": "1", "down": "1"},
	},
	{
		name: "a league season that is not there", method: "PATCH", path: "/leagues/LEAGUE/seasons/7", body: `{"up":1}`,
		page: "/leagues/LEAGUE/seasons/7/edit", form: map[string]string{"title": "Spring", "up": "1", "down": "1"},
	},
	{name: "confirm a league season", method: "POST", path: "/leagues/LEAGUE/seasons/1/confirm", page: "/leagues/LEAGUE/seasons/1/confirm"},
	{name: "drop the first season", method: "DELETE", path: "/leagues/LEAGUE/seasons/1", page: "/leagues/LEAGUE/seasons/1/drop"},
}

// TestBothDoorsOfSeasons does what can be done with series, seasons, leagues and ladders through the API and by the form
// of a page, as each kind of visitor, and demands the same outcome and the same state.
func TestBothDoorsOfSeasons(t *testing.T) {
	if testing.Short() {
		t.Skip("makes hundreds of ladders")
	}
	s := apitest.New(t, apitest.WithPages)
	olga, otto, root := s.WithRole("olga", account.RoleOrganiser), s.WithRole("otto", account.RoleOrganiser), s.WithRole("root", account.RoleAdmin)
	anna, bert := s.Register("anna"), s.Register("bert")
	guest := olga.Post("/players", `{"name":"A guest"}`).Want(t, http.StatusCreated).Text("id")
	visitors := []struct {
		name string
		apitest.Person
	}{
		{"nobody", s.Anonymous()},
		{"the challenged player", anna},
		{"the challenger", bert},
		{"the organiser", olga},
		{"another organiser", otto},
		{"an admin", root},
	}
	for i, d := range seasonDeeds {
		for k, who := range visitors {
			if (i+k)%apitest.Amount(2, 2, 1) > 0 || d.known && who.name == "nobody" {
				continue
			}
			var outcomes, states [2]string
			for door, form := range []bool{false, true} {
				ids := []string{"ANNA", anna.Player, "BERT", bert.Player, "GUEST", guest}
				ids = append(ids, madeFor(t, d, olga, anna, bert)...)
				var back []string
				for n := 0; n < len(ids); n += 2 {
					back = append(back, ids[n+1], ids[n])
				}
				fill := strings.NewReplacer(ids...).Replace
				outcomes[door] = outcomeOf(sendDeed(who.Person, d, fill, form), form)
				states[door] = strings.NewReplacer(back...).Replace(seasonState(root, fill))
			}
			if outcomes[0] != outcomes[1] {
				t.Errorf("%s as %s: the API says %s, the form %s", d.name, who.name, outcomes[0], outcomes[1])
			}
			if states[0] != states[1] {
				t.Errorf("%s as %s leaves\n%s\nthrough the API, and by the form\n%s", d.name, who.name, states[0], states[1])
			}
		}
	}
}

// madeFor makes what a deed acts on, and returns the names in the deed, each with the id.
func madeFor(t *testing.T, d seasonDeed, olga, anna, bert apitest.Person) (ids []string) {
	t.Helper()
	text := d.path + d.body
	made := func(name, path, body string) {
		if strings.Contains(text, name) {
			ids = append(ids, name, olga.Post(path, body).Want(t, http.StatusCreated).Text("id"))
		}
	}
	made("SERIES", "/series", `{"name":"S"}`)
	made("SEASON", "/seasons", `{"name":"S","from":"2026-09-01","to":"2027-06-30"}`)
	made("FRESH", "/ladders", `{"name":"F","variant":"quixo/duel","time_control":"none","venue":"hall"}`)
	if strings.Contains(text, "LEAGUE") {
		ids = append(ids, "LEAGUE", strings.Split(apitest.LeagueOf(t, olga, "round_robin", "a b", "c d"), "/")[2])
	}
	if strings.Contains(text, "LADDER") {
		path := apitest.LadderOf(t, olga, anna, bert)
		ids = append(ids, "LADDER", strings.TrimPrefix(path, "/ladders/"), "CHALLENGE", olga.Get(path+"/challenges").Text("items", 0, "id"))
	}
	return ids
}

// sendDeed carries a deed out through a door.
func sendDeed(who apitest.Person, d seasonDeed, fill func(string) string, form bool) *apitest.Answer {
	if !form {
		return who.Send(d.method, fill(d.path), fill(d.body), apitest.AnyVersion)
	}
	values := url.Values{"seen": {"*"}}
	for name, value := range d.form {
		values.Set(name, fill(value))
	}
	return who.PostForm(fill(d.page), values)
}

// seasonState returns everything on which deeds act, without what differs between two alike.
func seasonState(root apitest.Person, fill func(string) string) string {
	var all []string
	for _, path := range []string{
		"/series/SERIES", "/seasons/SEASON", "/leagues/LEAGUE", "/leagues/LEAGUE/seasons/1", "/ladders/LADDER",
		"/ladders/LADDER/challenges", "/ladders/LADDER/log", "/ladders/FRESH",
	} {
		if fill(path) == path {
			continue // it was not made
		}
		a := root.Get(fill(path))
		all = append(all, fmt.Sprintf("%s %d %s", path, a.Status, a.Raw))
	}
	return moments.ReplaceAllString(numberIDs(strings.Join(all, "\n"), map[string]string{}), `"time"`)
}
