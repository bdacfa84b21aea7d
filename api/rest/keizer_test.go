package rest_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"quatuor/api/apitest"
	"quatuor/api/pages/kit"
	"quatuor/tournament/exact"
	"quatuor/tournament/keizer"
)

// season is a Keizer season that a club plays in its hall.
type season struct {
	*evening
	chance  *rand.Rand
	entries []string // ids by number
	acts    int      // requests of the organiser
}

func newSeason(t *testing.T, settings string, players int) *season {
	s := apitest.New(t, apitest.WithPages)
	x := &season{
		evening: &evening{s: s, t: t, olga: s.WithRole("olga", "organiser"), players: map[string]apitest.Person{}},
		chance:  rand.New(rand.NewPCG(7, 11)),
	}
	x.path = "/tournaments/" + x.olga.Post("/tournaments", settings).Want(t, http.StatusCreated).Text("id")
	for i := range players {
		x.enter(fmt.Sprintf("Player %02d", i+1), 2000-20*i)
	}
	if players > 0 {
		x.olga.Post(x.path+"/start", nil).Want(t, http.StatusOK)
	}
	return x
}

func (x *season) enter(name string, rating int) {
	x.t.Helper()
	entry := x.olga.Post(x.path+"/entries", map[string]any{"name": name, "rating": rating}).Want(x.t, http.StatusCreated)
	x.entries = append(x.entries, entry.Text("id"))
}

// act is a request of the organiser.
func (x *season) act(method, path string, body any, status int) *apitest.Answer {
	x.t.Helper()
	x.acts++
	return x.olga.Send(method, x.path+path, body, apitest.Header{"If-Match", "*"}).Want(x.t, status)
}

// checkIn sets the presence of every entry, and returns the numbers of those that do.
func (x *season) checkIn() (present []int) {
	x.t.Helper()
	for i, id := range x.entries {
		switch path := "/entries/" + id + "/presence"; x.chance.IntN(8) {
		case 0:
			x.act(http.MethodDelete, path+"?bye=ZPB", nil, http.StatusOK)
		case 1:
			x.act(http.MethodDelete, path+"?bye=CLUB", nil, http.StatusOK)
		case 2: // nothing is known
		default:
			x.act(http.MethodPut, path, nil, http.StatusOK)
			present = append(present, i+1)
		}
	}
	return present
}

// play enters the results of a round.
func (x *season) play(round *apitest.Answer) {
	x.t.Helper()
	for i := range round.List("pairings") {
		if round.Text("pairings", i, "bye") == "" {
			x.score(int(round.Number("number")), i+1)
		}
	}
}

func (x *season) score(round, board int) {
	x.t.Helper()
	result := []string{"1-0", "0-1", "1/2-1/2", "1-0", "0-1", "+--", "--+"}[x.chance.IntN(7)]
	x.act(http.MethodPut, fmt.Sprintf("/rounds/%d/pairings/%d/result", round, board), map[string]any{"result": result},
		http.StatusOK)
}

// exported reads a season from the tournament's export, for package keizer alone.
func (x *season) exported(rules keizer.Rules) keizer.Input {
	x.t.Helper()
	var doc struct {
		Entries []struct {
			ID     string
			Number int
			Rating float64
		}
		Rounds []struct {
			Pairings []struct {
				Seats   []string
				Bye     string
				Result  string
				Points  []string
				Forfeit bool
				Ranks   []int
			}
		}
	}
	raw := x.s.Anonymous().Get(x.path+"/export?format=json").Want(x.t, http.StatusOK).Raw
	if err := json.Unmarshal(raw, &doc); err != nil {
		x.t.Fatal(err)
	}
	s := keizer.Input{Rules: rules}
	number := map[string]int{}
	for _, e := range doc.Entries {
		number[e.ID] = e.Number
		s.Players = append(s.Players, keizer.Player{Number: e.Number, Rating: int(e.Rating)})
	}
	for _, exported := range doc.Rounds {
		var r keizer.Round
		for _, p := range exported.Pairings {
			a := number[p.Seats[0]]
			switch {
			case p.Bye == "PAB":
				r.Byes = append(r.Byes, a)
			case p.Bye == "CLUB":
				r.Duty = append(r.Duty, a)
			case p.Bye == "NOSHOW":
				r.NoShow = append(r.NoShow, a)
			case p.Bye != "":
			case len(p.Seats) > 2:
				var t keizer.Table
				for i, id := range p.Seats {
					points, err := exact.ParseDecimal(p.Points[i])
					if err != nil {
						x.t.Fatal(err)
					}
					t.Players, t.Points = append(t.Players, number[id]), append(t.Points, points)
				}
				r.Tables = append(r.Tables, t)
			default:
				b := number[p.Seats[1]]
				switch p.Result {
				case "1-0", "0-1", "1/2-1/2":
					half := map[string]int{"1-0": 2, "0-1": 0, "1/2-1/2": 1}[p.Result]
					r.Games = append(r.Games, keizer.Game{White: a, Black: b, Result: half})
				case "+--":
					r.Forfeit, r.NoShow = append(r.Forfeit, a), append(r.NoShow, b)
				case "--+":
					r.Forfeit, r.NoShow = append(r.Forfeit, b), append(r.NoShow, a)
				default: // not known yet, which is worth nothing
					r.NoShow = append(r.NoShow, a, b)
				}
			}
		}
		s.Rounds = append(s.Rounds, r)
	}
	return s
}

// agrees compares the standings with what package keizer computes from the export, and returns that.
func (x *season) agrees(rules keizer.Rules) *keizer.Ranking {
	x.t.Helper()
	ranking, err := x.exported(rules).Rank()
	if err != nil {
		x.t.Fatal(err)
	}
	table := x.s.Anonymous().Get(x.path+"/standings").Want(x.t, http.StatusOK)
	want := ranking.Standings()
	if len(table.List("rows")) != len(want) {
		x.t.Fatalf("%d rows, want %d", len(table.List("rows")), len(want))
	}
	for i, st := range want {
		row := []any{
			table.Number("rows", i, "rank"), table.Text("rows", i, "entry", "id"), table.Text("rows", i, "tie_breaks", 0),
			table.Text("rows", i, "tie_breaks", 1),
		}
		should := []any{float64(i + 1), x.entries[st.Number-1], st.Total.String(), fmt.Sprint(st.Value)}
		if !slices.Equal(row, should) {
			x.t.Fatalf("row %d is %v, want %v", i+1, row, should)
		}
	}
	return ranking
}

// pairsOf returns the pairs of a round by numbers, and the bye.
func (x *season) pairsOf(round *apitest.Answer) (pairs [][2]int, bye int) {
	number := func(i, seat int) int { return slices.Index(x.entries, round.Text("pairings", i, "seats", seat)) + 1 }
	for i := range round.List("pairings") {
		switch round.Text("pairings", i, "bye") {
		case "":
			pairs = append(pairs, [2]int{number(i, 0), number(i, 1)})
		case "PAB":
			bye = number(i, 0)
		}
	}
	return pairs, bye
}

// TestASeasonOfTwentyEvenings plays twenty evenings of thirty players with absences, late entries and corrections.
// Every table and every round equals the result that package keizer computes from the export alone.
func TestASeasonOfTwentyEvenings(t *testing.T) {
	evenings := apitest.Amount(4, 10, 20)
	x := newSeason(t, apitest.KeizerSeason, 28)
	rules := keizer.DefaultRules()
	rules.Absences = 2
	x.act(http.MethodPost, "/check-in/open", nil, http.StatusOK)
	most := 0
	for n := 1; n <= evenings; n++ {
		if n == 4 || n == 9 {
			x.enter(fmt.Sprint("Late ", n), 1710)
		}
		x.acts = 0
		present := x.checkIn()
		checked := x.acts
		drawn := x.act(http.MethodPost, "/rounds", nil, http.StatusCreated)
		if n > 1 {
			want, err := x.rankedAfter(rules, n-1).Pair(present)
			if err != nil {
				t.Fatal(err)
			}
			pairs, bye := x.pairsOf(drawn)
			for i, p := range want.Pairs {
				if i >= len(pairs) || pairs[i] != [2]int{p.White, p.Black} {
					t.Fatalf("round %d: %v, want %v", n, pairs, want.Pairs)
				}
			}
			if bye != want.Bye || len(pairs) != len(want.Pairs) {
				t.Fatalf("round %d: bye %d, want %d", n, bye, want.Bye)
			}
		}
		x.play(drawn)
		most = max(most, x.acts-checked)
		x.agrees(rules)
		if n > 2 { // an old result was wrong
			old := 1 + x.chance.IntN(n-1)
			x.score(old, 1)
			x.agrees(rules)
		}
	}
	t.Logf("the organiser needs %d requests beside the check-in", most)
	if most > 1+15 {
		t.Errorf("an evening takes %d requests beside the check-in", most)
	}
	x.explained(rules)
	x.historyNames()
	best := x.agrees(rules).Standings()[0].Total.String()
	best = ` class="` + kit.HalfClass(best) + `">` + kit.Halves(best)
	for _, path := range []string{"/print/standings", "/print/crosstable", "?tab=standings", "/wall"} {
		x.s.Anonymous().Get("/"+x.path+path).Want(t, http.StatusOK).Has(t, best)
	}
	x.olga.Get(x.path+"/export?format=trf").Refused(t, http.StatusUnprocessableEntity, "invalid").
		Has(t, "this is a keizer")
	x.olga.Post(x.path+"/finish", nil).Want(t, http.StatusOK)
}

// rankedAfter returns the ranking after the first rounds of the export.
func (x *season) rankedAfter(rules keizer.Rules, rounds int) *keizer.Ranking {
	x.t.Helper()
	s := x.exported(rules)
	s.Rounds = s.Rounds[:rounds]
	ranking, err := s.Rank()
	if err != nil {
		x.t.Fatal(err)
	}
	return ranking
}

// explained adds the total of every entry up from its explanation, in both places.
func (x *season) explained(rules keizer.Rules) {
	x.t.Helper()
	for _, st := range x.agrees(rules).Standings() {
		id := x.entries[st.Number-1]
		why := x.s.Anonymous().Get(x.path+"/standings/explain?entry="+id).Want(x.t, http.StatusOK)
		if why.Text("accounts", 0, "terms", 0, "kind") != "own" ||
			why.Text("accounts", 0, "terms", 0, "value") != st.Own.String() {
			x.t.Fatalf("the own value comes first: %s", why.Raw)
		}
		for k, line := range st.Lines {
			term := []string{
				why.Text("accounts", 0, "terms", k+1, "value"), why.Text("accounts", 0, "terms", k+1, "opponent", "id"),
				why.Text("accounts", 0, "terms", k+1, "worth"),
			}
			want := []string{line.Points.String(), "", fmt.Sprint(st.Value)}
			if len(line.Opponents) == 1 {
				want[1], want[2] = x.entries[line.Opponents[0].Number-1], fmt.Sprint(line.Opponents[0].Value)
			} else {
				term[1] = "" // a forfeit names the opponent that was missing
			}
			if !slices.Equal(term, want) {
				x.t.Fatalf("round %d of %d: %v, want %v", k+1, st.Number, term, want)
			}
		}
	}
	page := x.s.Anonymous().Get("/"+x.path+"/standings/1").Want(x.t, http.StatusOK).Page()
	if !strings.Contains(page, "own value") || !strings.Contains(page, "KZR") {
		x.t.Error("the page does not say how the total came about")
	}
}

// historyNames demands that the history of a correction names the entries that it moved.
func (x *season) historyNames() {
	x.t.Helper()
	history := x.olga.Get(x.path+"/history?limit=200").Want(x.t, http.StatusOK)
	if !strings.Contains(string(history.Raw), "moved: ") {
		x.t.Errorf("no correction names whom it moved: %.2000s", history.Raw)
	}
}

// TestPresenceForAnEvening: players announce their own presence until it is too late; the organiser overrides it.
func TestPresenceForAnEvening(t *testing.T) {
	e := newSeason(t, strings.Replace(apitest.KeizerSeason, `"silence"`, `"close":30,"silence"`, 1), 0).evening
	for i := range 4 {
		p := e.s.Register(fmt.Sprint("player", i+1))
		e.players[p.Player] = p
		e.olga.Post(e.path+"/entries", map[string]any{"player_id": p.Player, "rating": 2000 - i}).Want(t, http.StatusCreated)
	}
	e.olga.Post(e.path+"/start", nil).Want(t, http.StatusOK)
	ids := map[string]string{}
	list := e.olga.Get(e.path+"/entries").Want(t, http.StatusOK)
	for i := range list.List("items") {
		ids[list.Text("items", i, "members", 0, "id")] = list.Text("items", i, "id")
	}
	var people []apitest.Person
	for _, p := range e.players {
		people = append(people, p)
	}
	slices.SortFunc(people, func(a, b apitest.Person) int { return strings.Compare(a.Player, b.Player) })
	at := func(p apitest.Person) string { return e.path + "/entries/" + ids[p.Player] }
	a, b, c, d := people[0], people[1], people[2], people[3]
	e.olga.Post(e.path+"/check-in/open", nil).Want(t, http.StatusOK)
	say := func(p apitest.Person, word string) {
		p.PostForm(at(p)+"/arrive", url.Values{"say": {word}}).Want(t, http.StatusSeeOther)
	}
	say(a, "tonight")
	say(b, "tonight")
	say(b, "club")
	b.Get("/"+e.path).Want(t, http.StatusOK).Has(t, `value="club" aria-pressed="true"`)
	a.Get("//").Want(t, http.StatusOK).Has(t, `value="tonight" aria-pressed="true"`)
	c.Send(http.MethodDelete, at(c)+"/presence", nil).Want(t, http.StatusOK).Has(t, `"bye":"ZPB"`)
	c.Send(http.MethodDelete, at(c)+"/presence?bye=NOSHOW", nil).Want(t, http.StatusOK).Has(t, `"bye":"ZPB"`)
	c.Send(http.MethodPut, at(a)+"/presence", nil).Refused(t, http.StatusForbidden, "forbidden")
	if seen := c.Get(at(a)).Want(t, http.StatusOK).At("present"); seen != nil {
		t.Error("others see that a comes")
	}
	e.olga.Send(http.MethodPut, at(c)+"/presence", nil).Want(t, http.StatusOK).Has(t, `"present":true`).Lacks(t, `"bye"`)
	// 20 minutes before the start it is too late for players, not for the organiser.
	soon := map[string]any{"starts_at": time.Now().Add(20 * time.Minute).UTC().Format(time.RFC3339)}
	e.olga.Send(http.MethodPatch, e.path, soon, apitest.Header{"If-Match", "*"}).Want(t, http.StatusOK)
	d.Send(http.MethodPut, at(d)+"/presence", nil).Refused(t, http.StatusConflict, "wrong-state")
	say(d, "tonight")
	for _, byes := range []string{`[{"round":1,"bye":"CLUB"}]`, `[{"round":1,"bye":"ZPB"},{"round":2,"bye":"ZPB"}]`} {
		d.Send(http.MethodPut, at(d)+"/byes", `{"items":`+byes+`}`, apitest.AnyVersion).
			Refused(t, http.StatusConflict, "wrong-state")
	}
	b.Send(http.MethodPut, at(b)+"/byes", `{"items":[]}`, apitest.AnyVersion).
		Refused(t, http.StatusConflict, "wrong-state")
	d.Send(http.MethodPut, at(d)+"/byes", `{"items":[{"round":3,"bye":"CLUB"}]}`, apitest.AnyVersion).
		Want(t, http.StatusOK)
	if page := d.Get("/" + e.path).Page(); strings.Contains(page, `name="say"`) {
		t.Error("the form is still there")
	}
	round := e.pair()
	byes := map[string]string{}
	for i := range round.List("pairings") {
		byes[round.Text("pairings", i, "seats", 0)] = round.Text("pairings", i, "bye")
	}
	if byes[ids[b.Player]] != "CLUB" || byes[ids[d.Player]] != "NOSHOW" || len(round.List("pairings", 0, "seats")) != 2 {
		t.Errorf("the round is %s", round.Raw)
	}
	why := e.olga.Get(e.path+"/explain?round=1").Want(t, http.StatusOK)
	why.Has(t, "meets the highest-ranked opponent", "Plays for the club", "Absent without notice")
	// For the next evening everything is open again, though the announced start is over.
	if seen := a.Get(at(a)).Want(t, http.StatusOK).At("present"); seen != nil {
		t.Error("a has said nothing for the second evening")
	}
	d.Send(http.MethodPut, at(d)+"/presence", nil).Want(t, http.StatusOK).Has(t, `"present":true`)
}

// TestKeizerSettings: what a season cannot be set to is refused where it is.
func TestKeizerSettings(t *testing.T) {
	olga := apitest.New(t).WithRole("olga", "organiser")
	id := olga.Post("/tournaments", apitest.KeizerSeason).Want(t, http.StatusCreated).
		Has(t, `"top":0`, `"own":1`, `"absences":2`, `"gap":3`, `"meetings":3`, `"close":0`, `"silence":"no_notice"`).
		Lacks(t, `"rounds"`).Text("id")
	for body, pointer := range map[string]string{
		`{"pairing":{"keizer":{"top":-1}}}`:                 "/pairing/keizer/top",
		`{"pairing":{"keizer":{"own":0.25}}}`:               "/pairing/keizer/own",
		`{"pairing":{"keizer":{"own":101}}}`:                "/pairing/keizer/own",
		`{"pairing":{"keizer":{"absences":201}}}`:           "/pairing/keizer/absences",
		`{"pairing":{"keizer":{"gap":-1}}}`:                 "/pairing/keizer/gap",
		`{"pairing":{"keizer":{"meetings":0}}}`:             "/pairing/keizer/meetings",
		`{"pairing":{"keizer":{"close":10081}}}`:            "/pairing/keizer/close",
		`{"pairing":{"keizer":{"silence":"maybe"}}}`:        "/pairing/keizer/silence",
		`{"pairing":{"keizer":{"bye":1}}}`:                  "/pairing/keizer/bye",
		`{"pairing":{"half_point_byes":2}}`:                 "/pairing/half_point_byes",
		`{"pairing":{"missed_rounds":"HPB"}}`:               "/pairing/missed_rounds",
		`{"rounds":101}`:                                    "/rounds",
		`{"auto_rounds":true}`:                              "/auto_rounds",
		`{"tie_breaks":["BH"]}`:                             "/tie_breaks",
		`{"format":"swiss","pairing":{"keizer":{"gap":1}}}`: "/pairing/keizer",
	} {
		answer := olga.Send(http.MethodPatch, "/tournaments/"+id, body, apitest.Header{"If-Match", "*"}).
			Has(t, `"`+pointer+`"`)
		if status := answer.Number("status"); status != http.StatusBadRequest && status != http.StatusUnprocessableEntity {
			t.Errorf("%s: status %v", body, status)
		}
	}
	olga.Send(http.MethodPatch, "/tournaments/"+id, `{"pairing":{"keizer":{"own":0.5,"top":40,"gap":0}}}`,
		apitest.Header{"If-Match", "*"}).Want(t, http.StatusOK).Has(t, `"own":0.5`, `"top":40`, `"gap":0`)
	olga.Send(http.MethodPatch, "/tournaments/"+id, `{"format":"swiss"}`, apitest.Header{"If-Match", "*"}).
		Want(t, http.StatusOK).
		Lacks(t, `"keizer":`, `"KZR"`)
}

// TestKeizerAtTables plays a season of a game for three and four: tables are drawn by the totals.
func TestKeizerAtTables(t *testing.T) {
	x := newSeason(t, `{"name":"Melee","variant":"quivive/melee","format":"keizer","time_control":"none","venue":"hall","rated":false}`, 11)
	rules := keizer.DefaultRules()
	for n := 1; n <= 3; n++ {
		round := x.act(http.MethodPost, "/rounds", nil, http.StatusCreated)
		if len(round.List("pairings")) != 3 {
			t.Fatalf("11 at three tables: %s", round.Raw)
		}
		for i := range round.List("pairings") {
			ranks := []int{1, 2, 2, 4}[:len(round.List("pairings", i, "seats"))]
			x.act(http.MethodPut, fmt.Sprintf("/rounds/%d/pairings/%d/result", n, i+1), map[string]any{"ranks": ranks},
				http.StatusOK)
		}
		x.agrees(rules)
	}
	x.s.Anonymous().Get("/"+x.path+"/standings/1").Want(t, http.StatusOK).Has(t, "KZR")
	x.s.Anonymous().Get(x.path+"/standings/explain?entry="+x.entries[0]).Want(t, http.StatusOK).Has(t, `"opponents":[`)
	x.s.Anonymous().Get(x.path+"/explain").Want(t, http.StatusOK).Has(t, "proved")
}
