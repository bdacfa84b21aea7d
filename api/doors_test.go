package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"quatuor/api/apitest"
)

// deed is an act on a tournament that the API and the pages both offer.
type deed struct {
	name   string
	stage  string // how far the tournament has come; see scene.prepare
	method string
	path   string // of the API, after the tournament's id
	body   string
	page   string            // of the form, after the tournament's id
	form   map[string]string // its fields
	self   bool              // players do it for their own entry
	onDesk bool              // the form is on the desk: players do it over the API alone
}

// ENTRY and PLAYER in paths and bodies are Anna's entry, and a player without an entry.
var deeds = []deed{
	{
		name: "open", stage: "draft", method: "POST", path: "/open", page: "/desk/stage",
		form: map[string]string{"do": "open"},
	},
	{
		name: "close", stage: "open", method: "POST", path: "/close", page: "/desk/stage",
		form: map[string]string{"do": "close"},
	},
	{
		name: "start", stage: "entered", method: "POST", path: "/start", page: "/desk/stage",
		form: map[string]string{"do": "start"},
	},
	{name: "start too early", stage: "open", method: "POST", path: "/start", page: "/desk/stage", form: map[string]string{"do": "start"}},
	{
		name: "finish", stage: "played", method: "POST", path: "/finish", page: "/desk/stage",
		form: map[string]string{"do": "finish"},
	},
	{name: "finish too early", stage: "published", method: "POST", path: "/finish", page: "/desk/stage", form: map[string]string{"do": "finish"}},
	{name: "archive", stage: "finished", method: "POST", path: "/archive", page: "/desk/stage", form: map[string]string{"do": "archive"}},
	{name: "open the check-in", stage: "entered", method: "POST", path: "/check-in/open", page: "/desk/check-in", form: map[string]string{"do": "open"}},
	{name: "close the check-in", stage: "checking", method: "POST", path: "/check-in/close", page: "/desk/check-in", form: map[string]string{"do": "close"}},
	{name: "cancel the check-in", stage: "checking", method: "DELETE", path: "/check-in", page: "/desk/check-in", form: map[string]string{"do": "cancel"}},
	{name: "check in", stage: "checking", method: "PUT", path: "/entries/ENTRY/presence", page: "/desk/presence", form: map[string]string{"in": "ENTRY"}, onDesk: true},
	{name: "check oneself in", stage: "checking", method: "PUT", path: "/entries/ENTRY/presence", page: "/entries/ENTRY/arrive", self: true},
	{name: "enter", stage: "open", method: "POST", path: "/entries", body: `{"player_id":"PLAYER"}`, page: "/desk/add", form: map[string]string{"player": "PLAYER"}},
	{name: "confirm", stage: "registered", method: "POST", path: "/entries/ENTRY/confirm", page: "/desk/entries/ENTRY", form: map[string]string{"do": "confirm"}},
	{name: "withdraw", stage: "published", method: "POST", path: "/entries/ENTRY/withdraw", page: "/desk/entries/ENTRY", form: map[string]string{"do": "withdraw"}, onDesk: true},
	{name: "withdraw oneself", stage: "registered", method: "POST", path: "/entries/ENTRY/withdraw", page: "/entries/ENTRY/leave", self: true},
	{name: "reinstate", stage: "withdrawn", method: "POST", path: "/entries/ENTRY/reinstate", page: "/desk/entries/ENTRY", form: map[string]string{"do": "reinstate"}},
	{name: "remove", stage: "entered", method: "DELETE", path: "/entries/ENTRY", page: "/desk/entries/ENTRY", form: map[string]string{"do": "remove"}},
	{
		name: "correct", stage: "entered", method: "PATCH", path: "/entries/ENTRY",
		body: `{"name":"Anna B.","rating":1500,"club":"Owls"}`,
		page: "/desk/entries/ENTRY", form: map[string]string{
			"do": "save", "name": "Anna B.", "rating": "1500", "club": "Owls",
		},
	},
	{
		name: "byes that are not given", stage: "entered", method: "PUT", path: "/entries/ENTRY/byes",
		body: `{"items":[{"round":1,"bye":"FPB"}]}`,
		page: "/desk/entries/ENTRY", form: map[string]string{"do": "byes", "bye-1": "FPB"},
	},
	{
		name: "byes", stage: "entered", method: "PUT", path: "/entries/ENTRY/byes",
		body: `{"items":[{"round":1,"bye":"HPB"}]}`,
		page: "/desk/entries/ENTRY", form: map[string]string{"do": "byes", "bye-1": "HPB"}, onDesk: true,
	},
	{name: "draw", stage: "started", method: "POST", path: "/rounds", body: `{"publish":false}`, page: "/desk/round/pair", form: map[string]string{"round": "1"}},
	{name: "draw too early", stage: "entered", method: "POST", path: "/rounds", body: `{"publish":false}`, page: "/desk/round/pair", form: map[string]string{"round": "1"}},
	{
		name: "edit", stage: "drawn", method: "PATCH", path: "/rounds/1",
		body: `{"edits":[{"kind":"reseat","board":1}],"reason":"by hand"}`,
		page: "/desk/round/edit", form: map[string]string{"act": "reseat:1", "reason": "by hand"},
	},
	{name: "publish", stage: "drawn", method: "POST", path: "/rounds/1/publish", page: "/desk/round/publish"},
	{name: "publish twice", stage: "published", method: "POST", path: "/rounds/1/publish", page: "/desk/round/publish"},
	{name: "drop", stage: "drawn", method: "DELETE", path: "/rounds/1", page: "/desk/round/delete"},
	{name: "drop what was played", stage: "played", method: "DELETE", path: "/rounds/1", page: "/desk/round/delete"},
	{
		name: "adjourn", stage: "published", method: "PUT", path: "/rounds/1/pairings/1/result",
		body: `{"adjourned":true,"reason":"late"}`,
		page: "/desk/results/1/1/adjourn", form: map[string]string{"reason": "late"},
	},
	{
		name: "play again", stage: "played", method: "POST", path: "/rounds/1/pairings/1/play-again",
		body: `{"reason":"wrong position"}`,
		page: "/desk/results/1/1/again", form: map[string]string{"reason": "wrong position"},
	},
	{
		name: "venue", stage: "published", method: "PUT", path: "/rounds/1/pairings/1/venue",
		body: `{"venue":"server","reason":"snow"}`,
		page: "/desk/results/1/1/venue", form: map[string]string{"venue": "server", "reason": "snow"},
	},
	{name: "undo", stage: "drawn", method: "POST", path: "/undo", body: `{"act":VERSION}`, page: "/desk/undo", form: map[string]string{"act": "VERSION", "tab": "round"}},
	{
		name: "settings", stage: "draft", method: "PATCH", body: `{"name":"Friday","auto_rounds":true}`,
		page: "/desk/settings", form: map[string]string{"name": "Friday", "auto": "1"},
	},
	{name: "settings that cannot be", stage: "draft", method: "PATCH", body: `{"time_control":"soon"}`, page: "/desk/settings", form: map[string]string{"control": "soon"}},
	{name: "settings after the start", stage: "published", method: "PATCH", body: `{"tie_breaks":["SB"]}`, page: "/desk/settings", form: map[string]string{"tie_breaks": "SB"}},
	{name: "arbiters", stage: "draft", method: "PUT", path: "/arbiters", body: `{"logins":["arno","paul"]}`, page: "/desk/arbiters", form: map[string]string{"login": "paul"}},
	{name: "an arbiter who is not there", stage: "draft", method: "PUT", path: "/arbiters", body: `{"logins":["arno","nobody"]}`, page: "/desk/arbiters", form: map[string]string{"login": "nobody"}},
	{
		name: "prizes", stage: "draft", method: "PUT", path: "/prizes",
		body: `{"sharing":"equal","unit":100,"categories":[{"name":"First","prizes":[{"amount":5000}]}]}`,
		page: "/desk/prizes", form: map[string]string{"sharing": "equal", "unit": "1", "name-0": "First", "prizes-0": "50"},
	},
	{name: "delete", stage: "draft", method: "DELETE", page: "/desk/delete", form: map[string]string{"confirm": "Cup"}},
	{name: "delete after the start", stage: "published", method: "DELETE", page: "/desk/delete", form: map[string]string{"confirm": "Cup"}},
	{name: "codes", stage: "published", method: "POST", path: "/rounds/1/codes", body: `{"revoke":false}`, page: "/desk/codes", form: map[string]string{"round": "1", "do": "renew"}},
}

// outcomeOf returns the result of a request, in the same words for both doors.
func outcomeOf(a *apitest.Answer, form bool) string {
	location := a.Header.Get("Location")
	switch {
	case form && a.Status == http.StatusSeeOther && strings.HasPrefix(location, "/login"),
		a.Status == http.StatusUnauthorized:
		return "log in"
	case a.Status < http.StatusMultipleChoices, form && a.Status == http.StatusSeeOther:
		return "done"
	}
	return fmt.Sprint(a.Status)
}

var (
	moments  = regexp.MustCompile(`"\d{4}-\d\d-\d\dT[^"]*"|"(lot_seed|request_id)":"[^"]*"`)
	versions = regexp.MustCompile(`"act":\d+`)
)

// state returns everything about a tournament in the API, without what differs between two alike.
func state(t *testing.T, s *apitest.Scene, id string) string {
	t.Helper()
	var all []string
	for _, path := range []string{"", "/entries", "/rounds", "/prizes", "/arbiters", "/history", "/calls"} {
		a := s.Root.Get("/tournaments/" + id + path)
		var value any
		if err := json.Unmarshal(a.Raw, &value); err != nil {
			t.Fatal(err)
		}
		text, _ := json.Marshal(value)
		all = append(all, path+" "+string(text))
	}
	text := strings.ReplaceAll(strings.Join(all, "\n"), id, "ID")
	return versions.ReplaceAllString(moments.ReplaceAllString(numberIDs(text, map[string]string{}), `"time"`), `"act":0`)
}

// TestBothDoors does everything that can be done with a tournament through the API and by the form of a page, as each
// kind of visitor, and demands the same outcome and the same tournament. A tournament is used until something was done.
// Without QUATUOR_LONG each kind does half of the deeds, and every deed is done by half of the kinds.
func TestBothDoors(t *testing.T) {
	if testing.Short() {
		t.Skip("plays hundreds of tournaments")
	}
	s := apitest.NewScene(t)
	var entered []string
	for _, login := range []string{"bert", "carl", "dora"} {
		entered = append(entered, s.Register(login).Player)
	}
	type unused struct{ id, entry string }
	var left [2]map[string]unused // of each door, by stage
	for i := range left {
		left[i] = map[string]unused{}
	}
	for i, d := range deeds {
		for k, who := range s.Visitors {
			if (i+k)%apitest.Amount(2, 2, 1) > 0 {
				continue
			}
			if d.onDesk && who.Plays && !who.Staff || d.self && who.Staff {
				continue // the API lets players do for themselves what has a form of its own, see self
			}
			var outcomes, states [2]string
			for i, form := range []bool{false, true} {
				on, ok := left[i][d.stage]
				if !ok {
					on.id, on.entry = s.Prepare(t, d.stage, entered)
				}
				outcomes[i] = outcomeOf(do(s, d, who.Person, on.id, on.entry, form), form)
				states[i] = state(t, s, on.id)
				left[i][d.stage] = on
				if outcomes[i] == "done" {
					delete(left[i], d.stage)
				}
			}
			if outcomes[0] != outcomes[1] {
				t.Errorf("%s as %s: the API says %s, the form %s", d.name, who.Name, outcomes[0], outcomes[1])
			}
			if states[0] != states[1] {
				t.Errorf("%s as %s leaves\n%s\nthrough the API, and by the form\n%s", d.name, who.Name, states[0], states[1])
			}
		}
	}
}

// do carries the deed out through a door.
func do(s *apitest.Scene, d deed, who apitest.Person, id, entry string, form bool) *apitest.Answer {
	version := s.Root.VersionOf(id)
	fill := strings.NewReplacer("ENTRY", entry, "PLAYER", s.Emil.Player, "VERSION", version).Replace
	if !form {
		return who.Send(d.method, "/tournaments/"+id+fill(d.path), fill(d.body), apitest.AnyVersion)
	}
	values := url.Values{"seen": {"v" + version}, "version": {version}}
	for name, value := range d.form {
		values.Set(name, fill(value))
	}
	return who.PostForm("/tournaments/"+id+fill(d.page), values)
}

// codeDeed is an act with the code of a slip that both doors offer: for the API below /results/CODE, for the form below
// /r/CODE.
type codeDeed struct {
	name, after string // after what else was done with both codes of the board
	path, body  string
	form        map[string]string
}

// SAW in bodies and forms is the state of the board that its player has read.
var codeDeeds = []codeDeed{
	{name: "report", body: `{"result":"1-0","saw":"SAW"}`, form: map[string]string{"verdict": "1-0", "saw": "SAW"}},
	{
		name: "confirm", after: "reported", body: `{"result":"0-1","saw":"SAW"}`,
		form: map[string]string{"verdict": "0-1", "saw": "SAW"},
	},
	{
		name: "contradict", after: "reported", body: `{"result":"1-0","saw":"SAW"}`,
		form: map[string]string{"verdict": "1-0", "saw": "SAW"},
	},
	{name: "report nothing", body: `{"saw":"SAW"}`, form: map[string]string{"saw": "SAW"}},
	{
		name: "report what cannot be", body: `{"ranks":[1,2,3],"saw":"SAW"}`,
		form: map[string]string{"rank1": "1", "rank2": "2", "rank3": "3", "saw": "SAW"},
	},
	{
		name: "report what others have overtaken", after: "reported", body: `{"result":"1-0","saw":"x"}`,
		form: map[string]string{"verdict": "1-0", "saw": "x"},
	},
	{
		name: "report after the result", after: "entered", body: `{"result":"1-0","saw":"SAW"}`,
		form: map[string]string{"verdict": "1-0", "saw": "SAW"},
	},
	{name: "call", path: "/call", body: `{"word":"my clock"}`, form: map[string]string{"word": "my clock"}},
	{
		name: "call twice", after: "called", path: "/call", body: `{"word":"my clock"}`,
		form: map[string]string{"word": "my clock"},
	},
	{name: "call too soon again", after: "settled", path: "/call", body: `{}`},
}

// saws has what a board was like as a digest of its tournament's id, too.
var saws = regexp.MustCompile(`("saw":)"[^"]*"`)

// TestBothDoorsOfCodes does what a code is good for through the API and by the form behind the code, and demands the same
// outcome and the same tournament; then the same with a code that is not good.
func TestBothDoorsOfCodes(t *testing.T) {
	s := apitest.NewScene(t)
	var entered []string
	for _, login := range []string{"bert", "carl", "dora"} {
		entered = append(entered, s.Register(login).Player)
	}
	anyone := s.Anonymous()
	for _, d := range codeDeeds {
		var outcomes, states, unknown [2]string
		for i, form := range []bool{false, true} {
			id, _ := s.Prepare(t, "published", entered)
			codes := apitest.CodesOf(t, s.Olga.Get("/tournaments/"+id+"/rounds/1/codes"))[0]
			prepareBoard(t, s, d.after, id, codes)
			outcomes[i] = outcomeOf(withCode(t, anyone, d, codes[0], form), form)
			unknown[i] = outcomeOf(withCode(t, anyone, d, "0000000000000000", form), form)
			states[i] = state(t, s, id) + "\n" + string(anyone.Get("/results/"+codes[0]).Raw)
			states[i] = saws.ReplaceAllString(strings.ReplaceAll(states[i], id, "ID"), "$1")
			states[i] = numberIDs(states[i], map[string]string{})
		}
		if outcomes[0] != outcomes[1] {
			t.Errorf("%s: the API says %s, the form %s", d.name, outcomes[0], outcomes[1])
		}
		if outcomes[0] == "done" && (unknown[0] != "404" || unknown[1] != "404") {
			t.Errorf("%s with an unknown code: the API says %s, the form %s", d.name, unknown[0], unknown[1])
		}
		if states[0] != states[1] {
			t.Errorf("%s leaves\n%s\nthrough the API, and by the form\n%s", d.name, states[0], states[1])
		}
	}
}

// prepareBoard does with the codes of a board what comes before.
func prepareBoard(t *testing.T, s *apitest.Scene, stage, id string, codes []string) {
	t.Helper()
	anyone := s.Anonymous()
	report := func(seat int) {
		anyone.Post("/results/"+codes[seat-1], apitest.Report(t, anyone, codes[seat-1], seat, "0-1")).Want(t, http.StatusOK)
	}
	switch stage {
	case "reported":
		report(2)
	case "entered":
		report(1)
		report(2)
	case "called", "settled":
		anyone.Post("/results/"+codes[0]+"/call", `{}`).Want(t, http.StatusNoContent)
	}
	if stage == "settled" {
		call := s.Olga.Get("/tournaments/"+id+"/calls").Text("items", 0, "id")
		s.Olga.Send(http.MethodPut, "/tournaments/"+id+"/calls/"+call, `{"status":"settled"}`).Want(t, http.StatusNoContent)
	}
}

// sawOf returns the state of a board that its first player reads; that of none with an unknown code.
func sawOf(t *testing.T, p apitest.Person, code string) string {
	t.Helper()
	board := p.Get("/results/" + code)
	if board.Status != http.StatusOK {
		return "none"
	}
	return board.Text("reports", 0, "saw")
}

// withCode carries the deed out with a code, through a door.
func withCode(t *testing.T, who apitest.Person, d codeDeed, code string, form bool) *apitest.Answer {
	fill := strings.NewReplacer("SAW", sawOf(t, who, code)).Replace
	if !form {
		return who.Post("/results/"+code+d.path, fill(d.body))
	}
	values := url.Values{}
	for name, value := range d.form {
		values.Set(name, fill(value))
	}
	return who.PostForm("/r/"+code+d.path, values)
}
