package api_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"quatuor/engine/table"
	"quatuor/tournament/account"
	"quatuor/tournament/ladder"
)

// ladderOf begins a ladder in the hall with members, of which the second challenges the first, and returns its path.
func ladderOf(t *testing.T, by person, members ...person) string {
	t.Helper()
	path := "/ladders/" + by.post("/ladders", `{"name":"Club","variant":"quixo/duel","time_control":"none","venue":"hall"}`).
		want(t, http.StatusCreated).text("id")
	for _, p := range members {
		p.post(path+"/members", `{}`).want(t, http.StatusCreated)
	}
	members[1].post(path+"/challenges", map[string]any{"player_id": members[0].player}).want(t, http.StatusCreated)
	return path
}

// lasting returns a person whose token does not end while time passes.
func lasting(p person) person { return p.tokenFor("read", "play", "organise") }

// ladderCase is what a ladder exports for the command line.
type ladderCase struct {
	Events []ladder.Event `json:"events"`
	Until  int64          `json:"until"`
	ladder.Rules
}

// computed runs the exported events through the rules, and compares them with the ladder and its log.
func computed(t *testing.T, p person, path string) *ladder.State {
	t.Helper()
	var c ladderCase
	if err := json.Unmarshal(p.get(path+"/events").want(t, http.StatusOK).raw, &c); err != nil {
		t.Fatal(err)
	}
	state, err := ladder.New(nil, c.Rules)
	if err == nil {
		err = state.Run(c.Events)
	}
	if err != nil {
		t.Fatal(err)
	}
	state.Until(c.Until)
	var log, want []string
	answer := p.get(path+"/log").want(t, http.StatusOK)
	for i := range answer.list("items") {
		log = append(log, fmt.Sprint(answer.at("items", i, "at"), answer.at("items", i, "challenge_id"), answer.at("items", i, "end"),
			answer.at("items", i, "from"), answer.at("items", i, "to"), answer.at("items", i, "order")))
	}
	for _, e := range state.Log() {
		if e.Refused != "" {
			t.Fatalf("an event that was permitted is refused later: %+v", e)
		}
		want = append(want, fmt.Sprint(time.Unix(e.At, 0).UTC().Format("2006-01-02T15:04:05.000Z"), e.ID, e.End, e.From, e.To, e.Order))
	}
	if !slices.Equal(log, want) {
		t.Fatalf("the log is\n%q\nand the rules have\n%q", log, want)
	}
	return state
}

// ladderSeason is a ladder that is played at random, beside the events that its players believe to have caused.
type ladderSeason struct {
	*service
	t       *testing.T
	path    string
	olga    person
	members map[string]person
	own     []ladder.Event
	log     map[string]int // of answers, by status
	random  *rand.Rand
}

// note adds an event if the request was carried out.
func (s *ladderSeason) note(a *answer, e ladder.Event) bool {
	s.log[fmt.Sprint(e.Type, " ", a.status)]++
	if a.status >= http.StatusBadRequest && a.status != http.StatusConflict {
		s.t.Fatalf("%s: %d %s", a.what, a.status, a.raw)
	}
	if a.status < http.StatusBadRequest {
		e.At = s.now().Unix()
		s.own = append(s.own, e)
	}
	return a.status < http.StatusBadRequest
}

// challenge lets a random member challenge somebody up to four places above.
func (s *ladderSeason) challenge() {
	rows := s.anonymous().get(s.path).want(s.t, http.StatusOK)
	n := len(rows.list("rows"))
	from := s.random.IntN(n)
	to := from - 4 + s.random.IntN(6)
	if to < 0 || to >= n {
		return
	}
	a, b := rows.text("rows", from, "player_id"), rows.text("rows", to, "player_id")
	answer := s.members[a].post(s.path+"/challenges", map[string]any{"player_id": b})
	if s.note(answer, ladder.Event{Type: ladder.Challenge, From: a, To: b}) {
		open := s.anonymous().get(s.path + "/challenges")
		for i := range open.list("items") {
			if open.text("items", i, "challenger_id") == a {
				s.own[len(s.own)-1].ID = open.text("items", i, "id")
			}
		}
	}
}

// answer does something with a random open challenge, or nothing.
func (s *ladderSeason) answer() {
	open := s.anonymous().get(s.path+"/challenges").want(s.t, http.StatusOK)
	n := len(open.list("items"))
	if n == 0 {
		return
	}
	i := s.random.IntN(n)
	id, from, to := open.text("items", i, "id"), open.text("items", i, "challenger_id"), open.text("items", i, "player_id")
	path := s.path + "/challenges/" + id
	switch accepted := open.at("items", i, "accepted") == true; {
	case !accepted && s.random.IntN(5) == 0:
		s.note(s.members[to].post(path+"/decline", nil), ladder.Event{Type: ladder.Decline, ID: id})
	case !accepted && s.random.IntN(2) == 0:
		s.note(s.members[to].post(path+"/accept", nil), ladder.Event{Type: ladder.Accept, ID: id})
	case accepted && s.random.IntN(2) == 0:
		text := []string{"1", "0.5", "0"}[s.random.IntN(3)]
		score := map[string]float64{"1": 1, "0.5": 0.5, "0": 0}[text]
		e := ladder.Event{Type: ladder.Result, ID: id, Score: &score}
		if s.random.IntN(3) == 0 {
			s.note(s.olga.send(http.MethodPut, path+"/result", map[string]any{"score": text}), e)
			return
		}
		s.members[from].send(http.MethodPut, path+"/result", map[string]any{"score": text}).want(s.t, http.StatusOK)
		s.note(s.members[to].send(http.MethodPut, path+"/result", map[string]any{"score": text}), e)
	}
}

// TestLadderSeason plays a ladder of 25 members for 60 days, over a restart: each entry of its log is what the rules
// make of the exported events, and of those that the players caused.
func TestLadderSeason(t *testing.T) {
	start := time.Date(2027, 1, 4, 18, 0, 0, 0, time.UTC)
	at := func(c *configuration) { c.clock = func() time.Time { return start } }
	s := &ladderSeason{
		service: newService(t, at), t: t, members: map[string]person{}, log: map[string]int{}, random: rand.New(rand.NewPCG(1, 2)),
	}
	s.olga = lasting(s.withRole("olga", account.RoleOrganiser))
	s.path = "/ladders/" + s.olga.post("/ladders",
		`{"name":"Club","variant":"quixo/duel","time_control":"none","venue":"hall","again":5}`).want(t, http.StatusCreated).text("id")
	join := func(name string) {
		p := lasting(s.register(name))
		s.members[p.player] = p
		s.note(p.post(s.path+"/members", `{}`), ladder.Event{Type: ladder.Join, Player: p.player})
	}
	for i := range 25 {
		join(fmt.Sprint("member", i))
	}
	for day := range amount(10, 20, 60) {
		for range 4 {
			s.challenge()
			s.answer()
			s.answer()
			s.pass(time.Duration(s.random.IntN(6*3600)+1) * time.Second)
		}
		switch day % 20 {
		case 10:
			join(fmt.Sprint("late", day))
		case 15:
			player := s.anonymous().get(s.path).text("rows", 3, "player_id")
			s.note(s.members[player].send(http.MethodDelete, s.path+"/members/"+player, nil),
				ladder.Event{Type: ladder.Leave, Player: player})
		}
		if day%10 == 9 {
			got := computed(t, s.anonymous(), s.path)
			own, err := ladder.New(nil, ladder.Rules{Reach: 3, Accept: 3, Play: 7, Again: 5})
			if err == nil {
				err = own.Run(s.own)
			}
			if err != nil {
				t.Fatal(err)
			}
			own.Until(s.now().Unix())
			if !reflect.DeepEqual(ends(own), ends(got)) || !slices.Equal(own.Order(), got.Order()) {
				t.Fatalf("day %d: the ladder has\n%v\nand its players\n%v", day, ends(got), ends(own))
			}
		}
	}
	t.Log(s.log, len(computed(t, s.anonymous(), s.path).Log()), "ends")
}

// ends returns the log without the numbers of events.
func ends(s *ladder.State) []ladder.Entry {
	log := slices.Clone(s.Log())
	for i := range log {
		log[i].Event = 0
	}
	return log
}

// TestLadderRefusals asks for what the rules do not permit, in the order in which they are looked for.
func TestLadderRefusals(t *testing.T) {
	s := newService(t)
	olga, root := lasting(s.withRole("olga", account.RoleOrganiser)), s.withRole("root", account.RoleAdmin).tokenFor("admin", "organise", "read")
	var m []person
	for i := range 6 {
		m = append(m, lasting(s.register(fmt.Sprint("p", i))))
	}
	path := ladderOf(t, olga, m...)
	challenge := func(from, to int, detail string) {
		t.Helper()
		a := m[from].post(path+"/challenges", map[string]any{"player_id": m[to].player})
		if detail == "" {
			a.want(t, http.StatusCreated)
			return
		}
		a.refused(t, http.StatusConflict, "wrong-state").has(t, detail)
	}
	challenge(3, 3, "between two players")
	challenge(3, 4, "only players above")
	challenge(5, 1, "too many places")
	challenge(2, 1, "has an open challenge")
	m[4].send(http.MethodPut, path+"/members/"+m[4].player+"/holiday", map[string]any{
		"until": s.now().Add(48 * time.Hour).UTC().Format(time.RFC3339),
	}).want(t, http.StatusOK)
	challenge(5, 4, "on holiday")
	m[5].post(path+"/members", `{}`).refused(t, http.StatusConflict, "wrong-state")
	m[5].send(http.MethodDelete, path+"/members/"+m[4].player, nil).want(t, http.StatusForbidden)
	s.anonymous().post(path+"/members", `{}`).want(t, http.StatusUnauthorized)
	open := olga.get(path+"/challenges").text("items", 0, "id")
	m[1].post(path+"/challenges/"+open+"/accept", nil).want(t, http.StatusForbidden)
	m[0].post(path+"/challenges/"+open+"/accept", nil).want(t, http.StatusOK)
	m[0].post(path+"/challenges/"+open+"/accept", nil).refused(t, http.StatusConflict, "wrong-state").has(t, "has been answered")
	m[3].send(http.MethodPut, path+"/challenges/"+open+"/result", `{"score":"1"}`).want(t, http.StatusForbidden)
	s.pass(8 * 24 * time.Hour) // not played: p1 is locked for a week
	challenge(1, 0, "has to wait")
	s.pass(7 * 24 * time.Hour)
	challenge(1, 0, "shortly before")
	s.pass(7 * 24 * time.Hour)
	challenge(1, 0, "")
	open = olga.get(path+"/challenges").text("items", 0, "id")
	m[0].post(path+"/challenges/"+open+"/decline", nil).want(t, http.StatusOK)
	challenge(0, 1, "shortly before")
	root.post("/players/"+m[0].player+"/merge", map[string]any{"player_id": m[1].player, "both_accounts": true}).
		refused(t, http.StatusConflict, "two-persons")
	root.post("/players/"+m[3].player+"/merge", map[string]any{
		"player_id": root.post("/players", `{"name":"P3"}`).want(t, http.StatusCreated).text("id"),
	}).want(t, http.StatusOK)
	m[2].again().send(http.MethodDelete, "/me", map[string]any{"password": password}).want(t, http.StatusNoContent)
	if order := computed(t, olga, path).Order(); slices.Contains(order, m[2].player) || len(order) != 5 {
		t.Errorf("after a person was deleted the ladder is %v", order)
	}
	olga.post("/ladders", `{"name":"Club","variant":"quixo/duel","time_control":"soon"}`).want(t, http.StatusUnprocessableEntity)
	olga.post("/ladders", `{"name":"Club","variant":"none","time_control":"300"}`).want(t, http.StatusUnprocessableEntity)
	m[0].post("/ladders", `{"name":"Club","variant":"quixo/duel","time_control":"300"}`).want(t, http.StatusForbidden)
	olga.get("/ladders/none").want(t, http.StatusNotFound)
}

// TestLadderCorrected corrects a result after others have played from the places that it led to: they stand, and the log
// has both ends.
func TestLadderCorrected(t *testing.T) {
	s := newService(t)
	olga := lasting(s.withRole("olga", account.RoleOrganiser))
	a, b, c, d := s.register("a"), s.register("b"), s.register("c"), s.register("d")
	path := ladderOf(t, olga, a, b, c, d)
	first := olga.get(path+"/challenges").text("items", 0, "id")
	result := func(id, score string, status int) {
		t.Helper()
		olga.send(http.MethodPut, path+"/challenges/"+id+"/result", map[string]any{"score": score}).want(t, status)
	}
	result(first, "1", http.StatusConflict)
	a.post(path+"/challenges/"+first+"/accept", nil).want(t, http.StatusOK)
	result(first, "1", http.StatusOK) // b a c d
	s.pass(time.Minute)
	d.post(path+"/challenges", map[string]any{"player_id": b.player}).want(t, http.StatusCreated)
	second := olga.get(path+"/challenges").text("items", 0, "id")
	b.post(path+"/challenges/"+second+"/accept", nil).want(t, http.StatusOK)
	b.send(http.MethodPut, path+"/challenges/"+second+"/result", `{"score":"0"}`).want(t, http.StatusOK)
	d.send(http.MethodPut, path+"/challenges/"+second+"/result", `{"score":"1"}`).want(t, http.StatusOK)
	if n := len(olga.get(path + "/log").list("items")); n != 1 {
		t.Errorf("two who differ end a challenge: %d ends", n)
	}
	b.send(http.MethodPut, path+"/challenges/"+second+"/result", `{"score":"1"}`).want(t, http.StatusOK) // d b a c
	s.pass(time.Minute)
	result(first, "0", http.StatusOK) // a b c d, and d, who beat b, stands second: a d b c
	want := []string{a.player, d.player, b.player, c.player}
	if got := computed(t, olga, path).Order(); !slices.Equal(got, want) {
		t.Errorf("after the correction the ladder is %v, want %v", got, want)
	}
	log := olga.get(path + "/log")
	if log.text("items", 0, "end") != "lost" || log.text("items", 0, "was") != "won" {
		t.Errorf("the log does not have both ends: %s", log.raw)
	}
}

// TestLadderOnServer plays a challenge on the server: the end of the game settles it. Where the defender does not come,
// the challenge counts as declined.
func TestLadderOnServer(t *testing.T) {
	s := newService(t)
	olga := lasting(s.withRole("olga", account.RoleOrganiser))
	a, b := lasting(s.register("a")), lasting(s.register("b"))
	path := "/ladders/" + olga.post("/ladders", `{"name":"Club","variant":"quixo/duel","time_control":"300+3","again":0}`).
		want(t, http.StatusCreated).text("id")
	a.post(path+"/members", `{}`).want(t, http.StatusCreated)
	b.post(path+"/members", `{}`).want(t, http.StatusCreated)
	begin := func(from, to person) (id, game string) {
		t.Helper()
		from.post(path+"/challenges", map[string]any{"player_id": to.player}).want(t, http.StatusCreated)
		id = olga.get(path+"/challenges").text("items", 0, "id")
		to.post(path+"/challenges/"+id+"/accept", nil).want(t, http.StatusOK)
		return id, "/games/" + olga.get(path+"/challenges").text("items", 0, "game_id")
	}
	_, game := begin(b, a)
	for _, p := range []person{a, b} {
		p.post(game+"/accept", nil).want(t, http.StatusOK)
	}
	a.post(game+"/resign", nil).want(t, http.StatusOK)
	if got := computed(t, olga, path).Order(); !slices.Equal(got, []string{b.player, a.player}) {
		t.Fatalf("the winner is not first: %v", got)
	}
	id, game := begin(a, b)
	a.post(path+"/challenges/"+id+"/play", nil).refused(t, http.StatusConflict, "wrong-state")
	a.post(game+"/accept", nil).want(t, http.StatusOK)
	s.pass(25 * time.Hour)
	b.post(game+"/accept", nil).want(t, http.StatusConflict) // too late: the game is broken off
	a.post(path+"/challenges/"+id+"/play", nil).want(t, http.StatusOK)
	again := "/games/" + olga.get(path+"/challenges").text("items", 0, "game_id")
	if again == game {
		t.Fatal("no other game was opened")
	}
	a.post(again+"/accept", nil).want(t, http.StatusOK)
	s.pass(25 * time.Hour)
	b.post(again+"/accept", nil).want(t, http.StatusConflict)
	s.pass(6 * 24 * time.Hour)
	state := computed(t, olga, path)
	if log := state.Log(); !slices.Equal(state.Order(), []string{a.player, b.player}) || log[len(log)-1].End != ladder.Declined {
		t.Errorf("the defender did not come, and the ladder is %v, log %+v", state.Order(), log)
	}
}

// TestLadderGameUnopened has a server die after a challenge was accepted and before its game was opened: to accept it
// again, or to play, opens that game, and the page offers it.
func TestLadderGameUnopened(t *testing.T) {
	s := newService(t, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	a, b := s.register("a"), s.register("b")
	path := "/ladders/" + olga.post("/ladders", `{"name":"Club","variant":"quixo/duel","time_control":"300+3","again":0}`).
		want(t, http.StatusCreated).text("id")
	a.post(path+"/members", `{}`).want(t, http.StatusCreated)
	b.post(path+"/members", `{}`).want(t, http.StatusCreated)
	b.post(path+"/challenges", map[string]any{"player_id": a.player}).want(t, http.StatusCreated)
	id := olga.get(path+"/challenges").text("items", 0, "id")
	ladderID := path[len("/ladders/"):]
	at := s.now().UnixMilli()
	err := s.db.Seasons().AddActs(t.Context(), ladderID, []ladder.Act{
		{N: 4, At: at, Kind: ladder.ActAccept, Challenge: id, Player: a.player},
		{N: 5, At: at, Kind: ladder.ActGame, Challenge: id, Game: "unopened"},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.visits("b").get(path).want(t, http.StatusOK).has(t, "Open another game")
	b.post(path+"/challenges/"+id+"/accept", nil).want(t, http.StatusForbidden)
	a.get("/games/unopened").want(t, http.StatusNotFound)
	a.post(path+"/challenges/"+id+"/accept", nil).want(t, http.StatusOK)
	a.get("/games/unopened").want(t, http.StatusOK)
	a.post(path+"/challenges/"+id+"/accept", nil).refused(t, http.StatusConflict, "wrong-state")
	b.post(path+"/challenges/"+id+"/play", nil).refused(t, http.StatusConflict, "wrong-state")
	if n := len(olga.get(path + "/challenges").list("items")); n != 1 {
		t.Errorf("%d challenges are open", n)
	}
}

// TestLadderGameCountsForNobody: a game of a ladder is no invitation of either player, so that both may still send as
// many to each other as ever; a player who declines it may block the opponent, as with any other.
func TestLadderGameCountsForNobody(t *testing.T) {
	s := newService(t, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	a, b := s.reserved("ada"), s.reserved("bob")
	path := "/ladders/" + olga.post("/ladders", `{"name":"Club","variant":"quixo/duel","time_control":"300+3","again":0}`).
		want(t, http.StatusCreated).text("id")
	a.post(path+"/members", `{}`).want(t, http.StatusCreated)
	b.post(path+"/members", `{}`).want(t, http.StatusCreated)
	invite := func(from, to person) *answer {
		return from.post("/games", gameOf("quixo/duel", from.player, to.player))
	}
	var sent []string
	for range table.MaxInvitationsTo {
		sent = append(sent, invite(a, b).want(t, http.StatusCreated).text("id"), invite(b, a).want(t, http.StatusCreated).text("id"))
	}
	b.post(path+"/challenges", map[string]any{"player_id": a.player}).want(t, http.StatusCreated)
	id := olga.get(path+"/challenges").text("items", 0, "id")
	a.post(path+"/challenges/"+id+"/accept", nil).want(t, http.StatusOK)
	game := olga.get(path+"/challenges").text("items", 0, "game_id")
	waits := a.get("/games/"+game).want(t, http.StatusOK)
	if waits.text("status") != "waiting" {
		t.Fatalf("%s", waits.raw)
	}
	for i, id := range sent {
		[]person{b, a}[i%2].post("/games/"+id+"/decline", nil).want(t, http.StatusOK)
	}
	s.pass(time.Hour + time.Minute) // the declined ones were not played
	a, b = a.again(), b.again()
	for range table.MaxInvitationsTo { // beside the game of the ladder
		invite(a, b).want(t, http.StatusCreated)
		invite(b, a).want(t, http.StatusCreated)
	}
	invite(a, b).refused(t, http.StatusConflict, "too-many-invitations")

	browser := s.visits("ada")
	browser.post("/play/"+game+"/leave", "block", "1").to(t, "/play?said=declined")
	if blocks := a.get("/me/blocks").want(t, http.StatusOK); len(blocks.list("items")) != 1 || !strings.Contains(string(blocks.raw), b.player) {
		t.Errorf("blocked are %s", blocks.raw)
	}
	invite(b, a).refused(t, http.StatusUnprocessableEntity, "invalid")
}
