package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

// deed is one thing that can be done with a tournament, through both doors.
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
	{name: "open", stage: "draft", method: "POST", path: "/open", page: "/desk/stage", form: map[string]string{"do": "open"}},
	{name: "close", stage: "open", method: "POST", path: "/close", page: "/desk/stage", form: map[string]string{"do": "close"}},
	{name: "start", stage: "entered", method: "POST", path: "/start", page: "/desk/stage", form: map[string]string{"do": "start"}},
	{name: "start too early", stage: "open", method: "POST", path: "/start", page: "/desk/stage", form: map[string]string{"do": "start"}},
	{name: "finish", stage: "played", method: "POST", path: "/finish", page: "/desk/stage", form: map[string]string{"do": "finish"}},
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

// scene is a club with a tournament in several stages, and its visitors.
type scene struct {
	*service
	olga, root person
	visitors   []visiting
	emil       person
}

type visiting struct {
	name string
	person
	plays, staff bool
}

func newScene(t *testing.T, change ...func(*configuration)) *scene {
	s := &scene{service: newService(t, append(change, withRealPages)...)}
	s.olga, s.root = s.withRole("olga", account.RoleOrganiser), s.withRole("root", account.RoleAdmin)
	s.emil = s.register("emil")
	s.visitors = []visiting{
		{"nobody", s.anonymous(), false, false},
		{"a player of the tournament", s.register("anna"), true, false},
		{"another player", s.register("paul"), true, false},
		{"another organiser", s.withRole("otto", account.RoleOrganiser), true, false},
		{"the arbiter", s.register("arno"), true, true},
		{"the organiser", s.olga, false, true},
		{"an admin", s.root, false, true},
	}
	return s
}

// stages are those of [scene.prepare], each after the one before.
var stages = []string{
	"draft", "open", "registered", "entered", "checking", "started", "drawn", "published", "withdrawn", "played",
	"finished",
}

// prepare makes a tournament that has come to a stage, and returns its id and that of Anna's entry.
func (s *scene) prepare(t *testing.T, stage string, entered []string) (id, entry string) {
	t.Helper()
	olga, until := s.olga, slices.Index(stages, stage)
	id = olga.post("/tournaments", map[string]any{
		"name": "Cup", "variant": "quixo/duel", "format": "swiss", "rounds": 1, "time_control": "300+3", "venue": "hall",
		"pairing": map[string]any{"initial_colour": "white"},
	}).want(t, http.StatusCreated).text("id")
	at := "/tournaments/" + id
	olga.send(http.MethodPut, at+"/arbiters", `{"logins":["arno"]}`, anyTag).want(t, http.StatusOK)
	do := map[string]func(){
		"open": func() { olga.post(at+"/open", nil).want(t, http.StatusOK) },
		"registered": func() {
			entry = s.visitors[1].post(at+"/entries", map[string]any{"player_id": s.visitors[1].person.player}).
				want(t, http.StatusCreated).text("id")
		},
		"entered": func() {
			olga.post(at+"/entries/"+entry+"/confirm", nil).want(t, http.StatusOK)
			for _, player := range entered {
				olga.post(at+"/entries", map[string]any{"player_id": player}).want(t, http.StatusCreated)
			}
		},
		"checking": func() {
			if stage == "checking" {
				olga.post(at+"/check-in/open", nil).want(t, http.StatusOK)
			}
		},
		"started":   func() { olga.post(at+"/start", nil).want(t, http.StatusOK) },
		"drawn":     func() { olga.post(at+"/rounds", `{"publish":false}`).want(t, http.StatusCreated) },
		"published": func() { olga.post(at+"/rounds/1/publish", nil).want(t, http.StatusOK) },
		"withdrawn": func() {
			if stage == "withdrawn" {
				olga.post(at+"/entries/"+entry+"/withdraw", nil).want(t, http.StatusOK)
			}
		},
		"played": func() {
			for board := 1; board <= 2; board++ {
				olga.send(http.MethodPut, fmt.Sprintf("%s/rounds/1/pairings/%d/result", at, board), `{"result":"1-0"}`, anyTag).
					want(t, http.StatusOK)
			}
		},
		"finished": func() { olga.post(at+"/finish", nil).want(t, http.StatusOK) },
	}
	for i, name := range stages {
		if 0 < i && i <= until {
			do[name]()
		}
	}
	return id, entry
}

// outcome is what came of a request, in the same words for both doors.
func outcomeOf(a *answer, form bool) string {
	location := a.header.Get("Location")
	switch {
	case form && a.status == http.StatusSeeOther && strings.HasPrefix(location, "/login"),
		a.status == http.StatusUnauthorized:
		return "log in"
	case a.status < http.StatusMultipleChoices, form && a.status == http.StatusSeeOther:
		return "done"
	}
	return fmt.Sprint(a.status)
}

var (
	moments  = regexp.MustCompile(`"\d{4}-\d\d-\d\dT[^"]*"|"(lot_seed|request_id)":"[^"]*"`)
	versions = regexp.MustCompile(`"act":\d+`)
)

// state returns everything about a tournament in the API, without what differs between two alike.
func (s *scene) state(t *testing.T, id string) string {
	t.Helper()
	var all []string
	for _, path := range []string{"", "/entries", "/rounds", "/prizes", "/arbiters", "/history", "/calls"} {
		a := s.root.get("/tournaments/" + id + path)
		var value any
		if err := json.Unmarshal(a.raw, &value); err != nil {
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
	s := newScene(t)
	var entered []string
	for _, login := range []string{"bert", "carl", "dora"} {
		entered = append(entered, s.register(login).player)
	}
	type unused struct{ id, entry string }
	var left [2]map[string]unused // of each door, by stage
	for i := range left {
		left[i] = map[string]unused{}
	}
	for i, d := range deeds {
		for k, who := range s.visitors {
			if (i+k)%amount(2, 2, 1) > 0 {
				continue
			}
			if d.onDesk && who.plays && !who.staff || d.self && who.staff {
				continue // the API lets players do for themselves what has a form of its own, see self
			}
			var outcomes, states [2]string
			for i, form := range []bool{false, true} {
				on, ok := left[i][d.stage]
				if !ok {
					on.id, on.entry = s.prepare(t, d.stage, entered)
				}
				outcomes[i] = outcomeOf(s.do(d, who.person, on.id, on.entry, form), form)
				states[i] = s.state(t, on.id)
				if left[i][d.stage] = on; outcomes[i] == "done" {
					delete(left[i], d.stage)
				}
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

// do does it through one of the doors.
func (s *scene) do(d deed, who person, id, entry string, form bool) *answer {
	version := s.root.versionOf(id)
	fill := strings.NewReplacer("ENTRY", entry, "PLAYER", s.emil.player, "VERSION", version).Replace
	if !form {
		return who.send(d.method, "/tournaments/"+id+fill(d.path), fill(d.body), anyTag)
	}
	values := url.Values{"seen": {"v" + version}, "version": {version}}
	for name, value := range d.form {
		values.Set(name, fill(value))
	}
	return who.form("/tournaments/"+id+fill(d.page), values)
}

// codeDeed is one thing that can be done with the code of a slip, through both doors: for the API below /results/CODE,
// for the form below /r/CODE.
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
	{name: "call twice", after: "called", path: "/call", body: `{"word":"my clock"}`, form: map[string]string{"word": "my clock"}},
	{name: "call too soon again", after: "settled", path: "/call", body: `{}`},
}

// saws has what a board was like as a digest of its tournament's id, too.
var saws = regexp.MustCompile(`("saw":)"[^"]*"`)

// TestBothDoorsOfCodes does what a code is good for through the API and by the form behind the code, and demands the same
// outcome and the same tournament; then the same with a code that is not good.
func TestBothDoorsOfCodes(t *testing.T) {
	s := newScene(t)
	var entered []string
	for _, login := range []string{"bert", "carl", "dora"} {
		entered = append(entered, s.register(login).player)
	}
	anyone := s.anonymous()
	for _, d := range codeDeeds {
		var outcomes, states, unknown [2]string
		for i, form := range []bool{false, true} {
			id, _ := s.prepare(t, "published", entered)
			codes := codesOf(t, s.olga.get("/tournaments/"+id+"/rounds/1/codes"))[0]
			s.prepareBoard(t, d.after, id, codes)
			outcomes[i] = outcomeOf(withCode(t, anyone, d, codes[0], form), form)
			unknown[i] = outcomeOf(withCode(t, anyone, d, "0000000000000000", form), form)
			states[i] = s.state(t, id) + "\n" + string(anyone.get("/results/"+codes[0]).raw)
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
func (s *scene) prepareBoard(t *testing.T, stage, id string, codes []string) {
	t.Helper()
	anyone := s.anonymous()
	report := func(seat int) {
		anyone.post("/results/"+codes[seat-1], said(t, anyone, codes[seat-1], seat, "0-1")).want(t, http.StatusOK)
	}
	switch stage {
	case "reported":
		report(2)
	case "entered":
		report(1)
		report(2)
	case "called", "settled":
		anyone.post("/results/"+codes[0]+"/call", `{}`).want(t, http.StatusNoContent)
	}
	if stage == "settled" {
		call := s.olga.get("/tournaments/"+id+"/calls").text("items", 0, "id")
		s.olga.send(http.MethodPut, "/tournaments/"+id+"/calls/"+call, `{"status":"settled"}`).want(t, http.StatusNoContent)
	}
}

// sawOf returns the state of a board that its first player reads; that of none with an unknown code.
func sawOf(t *testing.T, p person, code string) string {
	t.Helper()
	board := p.get("/results/" + code)
	if board.status != http.StatusOK {
		return "none"
	}
	return board.text("reports", 0, "saw")
}

// withCode does it with a code, through one of the doors.
func withCode(t *testing.T, who person, d codeDeed, code string, form bool) *answer {
	fill := strings.NewReplacer("SAW", sawOf(t, who, code)).Replace
	if !form {
		return who.post("/results/"+code+d.path, fill(d.body))
	}
	values := url.Values{}
	for name, value := range d.form {
		values.Set(name, fill(value))
	}
	return who.form("/r/"+code+d.path, values)
}
