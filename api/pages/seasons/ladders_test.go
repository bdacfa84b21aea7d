package seasons_test

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

	"quatuor/api/apitest"
	"quatuor/engine/table"
	"quatuor/tournament/account"
	"quatuor/tournament/ladder"
)

// ladderCase is the export of a ladder for the command line.
type ladderCase struct {
	Events []ladder.Event `json:"events"`
	Until  int64          `json:"until"`
	ladder.Rules
}

// computed runs the exported events through the rules, and compares them with the ladder and its log.
func computed(t *testing.T, p apitest.Person, path string) *ladder.State {
	t.Helper()
	var c ladderCase
	if err := json.Unmarshal(p.Get(path+"/events").Want(t, http.StatusOK).Raw, &c); err != nil {
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
	answer := p.Get(path+"/log").Want(t, http.StatusOK)
	for i := range answer.List("items") {
		log = append(log, fmt.Sprint(answer.At("items", i, "at"), answer.At("items", i, "challenge_id"),
			answer.At("items", i, "end"),
			answer.At("items", i, "from"), answer.At("items", i, "to"), answer.At("items", i, "order")))
	}
	for _, e := range state.Log() {
		if e.Refused != "" {
			t.Fatalf("an event that was permitted is refused later: %+v", e)
		}
		want = append(want, fmt.Sprint(time.Unix(e.At, 0).UTC().
			Format("2006-01-02T15:04:05.000Z"), e.ID, e.End, e.From, e.To, e.Order))
	}
	if !slices.Equal(log, want) {
		t.Fatalf("the log is\n%q\nand the rules have\n%q", log, want)
	}
	return state
}

// ladderSeason is a ladder that is played at random, beside the events that its players believe to have caused.
type ladderSeason struct {
	*apitest.Service
	t       *testing.T
	path    string
	olga    apitest.Person
	members map[string]apitest.Person
	own     []ladder.Event
	log     map[string]int // of answers, by status
	random  *rand.Rand
}

// note adds an event if the request was carried out.
func (s *ladderSeason) note(a *apitest.Answer, e ladder.Event) bool {
	s.log[fmt.Sprint(e.Type, " ", a.Status)]++
	if a.Status >= http.StatusBadRequest && a.Status != http.StatusConflict {
		s.t.Fatalf("%s: %d %s", a.Request, a.Status, a.Raw)
	}
	if a.Status < http.StatusBadRequest {
		e.At = s.Now().Unix()
		s.own = append(s.own, e)
	}
	return a.Status < http.StatusBadRequest
}

// challenge lets a random member challenge a member up to four places above.
func (s *ladderSeason) challenge() {
	rows := s.Anonymous().Get(s.path).Want(s.t, http.StatusOK)
	n := len(rows.List("rows"))
	from := s.random.IntN(n)
	to := from - 4 + s.random.IntN(6)
	if to < 0 || to >= n {
		return
	}
	a, b := rows.Text("rows", from, "player_id"), rows.Text("rows", to, "player_id")
	answer := s.members[a].Post(s.path+"/challenges", map[string]any{"player_id": b})
	if s.note(answer, ladder.Event{Type: ladder.Challenge, From: a, To: b}) {
		open := s.Anonymous().Get(s.path + "/challenges")
		for i := range open.List("items") {
			if open.Text("items", i, "challenger_id") == a {
				s.own[len(s.own)-1].ID = open.Text("items", i, "id")
			}
		}
	}
}

// answer does something with a random open challenge, or nothing.
func (s *ladderSeason) answer() {
	open := s.Anonymous().Get(s.path+"/challenges").Want(s.t, http.StatusOK)
	n := len(open.List("items"))
	if n == 0 {
		return
	}
	i := s.random.IntN(n)
	id, from, to := open.Text("items", i, "id"), open.Text("items", i, "challenger_id"), open.Text("items", i, "player_id")
	path := s.path + "/challenges/" + id
	switch accepted := open.At("items", i, "accepted") == true; {
	case !accepted && s.random.IntN(5) == 0:
		s.note(s.members[to].Post(path+"/decline", nil), ladder.Event{Type: ladder.Decline, ID: id})
	case !accepted && s.random.IntN(2) == 0:
		s.note(s.members[to].Post(path+"/accept", nil), ladder.Event{Type: ladder.Accept, ID: id})
	case accepted && s.random.IntN(2) == 0:
		text := []string{"1", "0.5", "0"}[s.random.IntN(3)]
		score := map[string]float64{"1": 1, "0.5": 0.5, "0": 0}[text]
		e := ladder.Event{Type: ladder.Result, ID: id, Score: &score}
		if s.random.IntN(3) == 0 {
			s.note(s.olga.Send(http.MethodPut, path+"/result", map[string]any{"score": text}), e)
			return
		}
		s.members[from].Send(http.MethodPut, path+"/result", map[string]any{"score": text}).Want(s.t, http.StatusOK)
		s.note(s.members[to].Send(http.MethodPut, path+"/result", map[string]any{"score": text}), e)
	}
}

// TestLadderSeason plays a ladder of 25 members for 60 days, over a restart: each entry of its log follows by the rules
// from the exported events, and from those that the players caused.
func TestLadderSeason(t *testing.T) {
	start := time.Date(2027, 1, 4, 18, 0, 0, 0, time.UTC)
	at := func(c *apitest.Config) { c.Clock = func() time.Time { return start } }
	s := &ladderSeason{
		Service: apitest.New(t, at), t: t, members: map[string]apitest.Person{}, log: map[string]int{},
		random: rand.New(rand.NewPCG(1, 2)),
	}
	s.olga = apitest.LongLived(s.WithRole("olga", account.RoleOrganiser))
	s.path = "/ladders/" + s.olga.Post("/ladders",
		`{"name":"Club","variant":"quixo/duel","time_control":"none","venue":"hall","again":5}`).
		Want(t, http.StatusCreated).Text("id")
	join := func(name string) {
		p := apitest.LongLived(s.Register(name))
		s.members[p.Player] = p
		s.note(p.Post(s.path+"/members", `{}`), ladder.Event{Type: ladder.Join, Player: p.Player})
	}
	for i := range 25 {
		join(fmt.Sprint("member", i))
	}
	for day := range apitest.Amount(10, 20, 60) {
		for range 4 {
			s.challenge()
			s.answer()
			s.answer()
			s.Pass(time.Duration(s.random.IntN(6*3600)+1) * time.Second)
		}
		switch day % 20 {
		case 10:
			join(fmt.Sprint("late", day))
		case 15:
			player := s.Anonymous().Get(s.path).Text("rows", 3, "player_id")
			s.note(s.members[player].Send(http.MethodDelete, s.path+"/members/"+player, nil),
				ladder.Event{Type: ladder.Leave, Player: player})
		}
		if day%10 == 9 {
			got := computed(t, s.Anonymous(), s.path)
			own, err := ladder.New(nil, ladder.Rules{Reach: 3, Accept: 3, Play: 7, Again: 5})
			if err == nil {
				err = own.Run(s.own)
			}
			if err != nil {
				t.Fatal(err)
			}
			own.Until(s.Now().Unix())
			if !reflect.DeepEqual(ends(own), ends(got)) || !slices.Equal(own.Order(), got.Order()) {
				t.Fatalf("day %d: the ladder has\n%v\nand its players\n%v", day, ends(got), ends(own))
			}
		}
	}
	t.Log(s.log, len(computed(t, s.Anonymous(), s.path).Log()), "ends")
}

// ends returns the log without the numbers of events.
func ends(s *ladder.State) []ladder.Entry {
	log := slices.Clone(s.Log())
	for i := range log {
		log[i].Event = 0
	}
	return log
}

// TestLadderRefusals tries acts that the rules do not permit, in the order of the checks.
func TestLadderRefusals(t *testing.T) {
	s := apitest.New(t)
	olga, root := apitest.LongLived(s.WithRole("olga", account.RoleOrganiser)), s.WithRole("root", account.RoleAdmin).TokenFor("admin", "organise", "read")
	var m []apitest.Person
	for i := range 6 {
		m = append(m, apitest.LongLived(s.Register(fmt.Sprint("p", i))))
	}
	path := apitest.LadderOf(t, olga, m...)
	challenge := func(from, to int, detail string) {
		t.Helper()
		a := m[from].Post(path+"/challenges", map[string]any{"player_id": m[to].Player})
		if detail == "" {
			a.Want(t, http.StatusCreated)
			return
		}
		a.Refused(t, http.StatusConflict, "wrong-state").Has(t, detail)
	}
	challenge(3, 3, "between two players")
	challenge(3, 4, "only players above")
	challenge(5, 1, "too many places")
	challenge(2, 1, "has an open challenge")
	m[4].Send(http.MethodPut, path+"/members/"+m[4].Player+"/holiday", map[string]any{
		"until": s.Now().Add(48 * time.Hour).UTC().Format(time.RFC3339),
	}).Want(t, http.StatusOK)
	challenge(5, 4, "on holiday")
	m[5].Post(path+"/members", `{}`).Refused(t, http.StatusConflict, "wrong-state")
	m[5].Send(http.MethodDelete, path+"/members/"+m[4].Player, nil).Want(t, http.StatusForbidden)
	s.Anonymous().Post(path+"/members", `{}`).Want(t, http.StatusUnauthorized)
	open := olga.Get(path+"/challenges").Text("items", 0, "id")
	m[1].Post(path+"/challenges/"+open+"/accept", nil).Want(t, http.StatusForbidden)
	m[0].Post(path+"/challenges/"+open+"/accept", nil).Want(t, http.StatusOK)
	m[0].Post(path+"/challenges/"+open+"/accept", nil).Refused(t, http.StatusConflict, "wrong-state").
		Has(t, "has been answered")
	m[3].Send(http.MethodPut, path+"/challenges/"+open+"/result", `{"score":"1"}`).Want(t, http.StatusForbidden)
	s.Pass(8 * 24 * time.Hour) // not played: p1 is locked for a week
	challenge(1, 0, "has to wait")
	s.Pass(7 * 24 * time.Hour)
	challenge(1, 0, "shortly before")
	s.Pass(7 * 24 * time.Hour)
	challenge(1, 0, "")
	open = olga.Get(path+"/challenges").Text("items", 0, "id")
	m[0].Post(path+"/challenges/"+open+"/decline", nil).Want(t, http.StatusOK)
	challenge(0, 1, "shortly before")
	root.Post("/players/"+m[0].Player+"/merge", map[string]any{"player_id": m[1].Player, "both_accounts": true}).
		Refused(t, http.StatusConflict, "two-persons")
	root.Post("/players/"+m[3].Player+"/merge", map[string]any{
		"player_id": root.Post("/players", `{"name":"P3"}`).Want(t, http.StatusCreated).Text("id"),
	}).Want(t, http.StatusOK)
	m[2].Again().Send(http.MethodDelete, "/me", map[string]any{"password": apitest.Password}).Want(t, http.StatusNoContent)
	if order := computed(t, olga, path).Order(); slices.Contains(order, m[2].Player) || len(order) != 5 {
		t.Errorf("after a person was deleted the ladder is %v", order)
	}
	olga.Post("/ladders", `{"name":"Club","variant":"quixo/duel","time_control":"soon"}`).
		Want(t, http.StatusUnprocessableEntity)
	olga.Post("/ladders", `{"name":"Club","variant":"none","time_control":"300"}`).Want(t, http.StatusUnprocessableEntity)
	m[0].Post("/ladders", `{"name":"Club","variant":"quixo/duel","time_control":"300"}`).Want(t, http.StatusForbidden)
	olga.Get("/ladders/none").Want(t, http.StatusNotFound)
}

// TestLadderCorrected corrects a result after others have played from the places that it led to: they remain, and the log
// has both ends.
func TestLadderCorrected(t *testing.T) {
	s := apitest.New(t)
	olga := apitest.LongLived(s.WithRole("olga", account.RoleOrganiser))
	a, b, c, d := s.Register("a"), s.Register("b"), s.Register("c"), s.Register("d")
	path := apitest.LadderOf(t, olga, a, b, c, d)
	first := olga.Get(path+"/challenges").Text("items", 0, "id")
	result := func(id, score string, status int) {
		t.Helper()
		olga.Send(http.MethodPut, path+"/challenges/"+id+"/result", map[string]any{"score": score}).Want(t, status)
	}
	result(first, "1", http.StatusConflict)
	a.Post(path+"/challenges/"+first+"/accept", nil).Want(t, http.StatusOK)
	result(first, "1", http.StatusOK) // b a c d
	s.Pass(time.Minute)
	d.Post(path+"/challenges", map[string]any{"player_id": b.Player}).Want(t, http.StatusCreated)
	second := olga.Get(path+"/challenges").Text("items", 0, "id")
	b.Post(path+"/challenges/"+second+"/accept", nil).Want(t, http.StatusOK)
	b.Send(http.MethodPut, path+"/challenges/"+second+"/result", `{"score":"0"}`).Want(t, http.StatusOK)
	d.Send(http.MethodPut, path+"/challenges/"+second+"/result", `{"score":"1"}`).Want(t, http.StatusOK)
	if n := len(olga.Get(path + "/log").List("items")); n != 1 {
		t.Errorf("two who differ end a challenge: %d ends", n)
	}
	b.Send(http.MethodPut, path+"/challenges/"+second+"/result", `{"score":"1"}`).Want(t, http.StatusOK) // d b a c
	s.Pass(time.Minute)
	result(first, "0", http.StatusOK) // a b c d, and d has beaten b: a d b c
	want := []string{a.Player, d.Player, b.Player, c.Player}
	if got := computed(t, olga, path).Order(); !slices.Equal(got, want) {
		t.Errorf("after the correction the ladder is %v, want %v", got, want)
	}
	log := olga.Get(path + "/log")
	if log.Text("items", 0, "end") != "lost" || log.Text("items", 0, "was") != "won" {
		t.Errorf("the log does not have both ends: %s", log.Raw)
	}
}

// TestLadderOnServer plays a challenge on the server: the end of the game settles it. Where the defender does not come,
// the challenge counts as declined.
func TestLadderOnServer(t *testing.T) {
	s := apitest.New(t)
	olga := apitest.LongLived(s.WithRole("olga", account.RoleOrganiser))
	a, b := apitest.LongLived(s.Register("a")), apitest.LongLived(s.Register("b"))
	path := "/ladders/" + olga.Post("/ladders", `{"name":"Club","variant":"quixo/duel","time_control":"300+3","again":0}`).
		Want(t, http.StatusCreated).Text("id")
	a.Post(path+"/members", `{}`).Want(t, http.StatusCreated)
	b.Post(path+"/members", `{}`).Want(t, http.StatusCreated)
	begin := func(from, to apitest.Person) (id, game string) {
		t.Helper()
		from.Post(path+"/challenges", map[string]any{"player_id": to.Player}).Want(t, http.StatusCreated)
		id = olga.Get(path+"/challenges").Text("items", 0, "id")
		to.Post(path+"/challenges/"+id+"/accept", nil).Want(t, http.StatusOK)
		return id, "/games/" + olga.Get(path+"/challenges").Text("items", 0, "game_id")
	}
	_, game := begin(b, a)
	for _, p := range []apitest.Person{a, b} {
		p.Post(game+"/accept", nil).Want(t, http.StatusOK)
	}
	a.Post(game+"/resign", nil).Want(t, http.StatusOK)
	if got := computed(t, olga, path).Order(); !slices.Equal(got, []string{b.Player, a.Player}) {
		t.Fatalf("the winner is not first: %v", got)
	}
	id, game := begin(a, b)
	a.Post(path+"/challenges/"+id+"/play", nil).Refused(t, http.StatusConflict, "wrong-state")
	a.Post(game+"/accept", nil).Want(t, http.StatusOK)
	s.Pass(25 * time.Hour)
	b.Post(game+"/accept", nil).Want(t, http.StatusConflict) // too late: the game is broken off
	a.Post(path+"/challenges/"+id+"/play", nil).Want(t, http.StatusOK)
	again := "/games/" + olga.Get(path+"/challenges").Text("items", 0, "game_id")
	if again == game {
		t.Fatal("no other game was opened")
	}
	a.Post(again+"/accept", nil).Want(t, http.StatusOK)
	s.Pass(25 * time.Hour)
	b.Post(again+"/accept", nil).Want(t, http.StatusConflict)
	s.Pass(6 * 24 * time.Hour)
	state := computed(t, olga, path)
	if log := state.Log(); !slices.Equal(state.Order(), []string{a.Player, b.Player}) ||
		log[len(log)-1].End != ladder.Declined {
		t.Errorf("the defender did not come, and the ladder is %v, log %+v", state.Order(), log)
	}
}

// TestLadderGameUnopened has a server die after a challenge was accepted and before its game was opened: to accept it
// again, or to play, opens that game, and the page offers it.
func TestLadderGameUnopened(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	a, b := s.Register("a"), s.Register("b")
	path := "/ladders/" + olga.Post("/ladders", `{"name":"Club","variant":"quixo/duel","time_control":"300+3","again":0}`).
		Want(t, http.StatusCreated).Text("id")
	a.Post(path+"/members", `{}`).Want(t, http.StatusCreated)
	b.Post(path+"/members", `{}`).Want(t, http.StatusCreated)
	b.Post(path+"/challenges", map[string]any{"player_id": a.Player}).Want(t, http.StatusCreated)
	id := olga.Get(path+"/challenges").Text("items", 0, "id")
	ladderID := path[len("/ladders/"):]
	at := s.Now().UnixMilli()
	err := s.Store.Seasons().AddActs(t.Context(), ladderID, []ladder.Act{
		{N: 4, At: at, Kind: ladder.ActAccept, Challenge: id, Player: a.Player},
		{N: 5, At: at, Kind: ladder.ActGame, Challenge: id, Game: "unopened"},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.LoggedIn("b").Get(path).Want(t, http.StatusOK).Has(t, "Open another game")
	b.Post(path+"/challenges/"+id+"/accept", nil).Want(t, http.StatusForbidden)
	a.Get("/games/unopened").Want(t, http.StatusNotFound)
	a.Post(path+"/challenges/"+id+"/accept", nil).Want(t, http.StatusOK)
	a.Get("/games/unopened").Want(t, http.StatusOK)
	a.Post(path+"/challenges/"+id+"/accept", nil).Refused(t, http.StatusConflict, "wrong-state")
	b.Post(path+"/challenges/"+id+"/play", nil).Refused(t, http.StatusConflict, "wrong-state")
	if n := len(olga.Get(path + "/challenges").List("items")); n != 1 {
		t.Errorf("%d challenges are open", n)
	}
}

// TestLadderGameCountsForNobody: a game of a ladder is no invitation of either player, so that both may still send as
// many to each other as ever; a player that declines it may block the opponent, as with any other.
func TestLadderGameCountsForNobody(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	a, b := s.Reserved("ada"), s.Reserved("bob")
	path := "/ladders/" + olga.Post("/ladders", `{"name":"Club","variant":"quixo/duel","time_control":"300+3","again":0}`).
		Want(t, http.StatusCreated).Text("id")
	a.Post(path+"/members", `{}`).Want(t, http.StatusCreated)
	b.Post(path+"/members", `{}`).Want(t, http.StatusCreated)
	invite := func(from, to apitest.Person) *apitest.Answer {
		return from.Post("/games", apitest.GameOf("quixo/duel", from.Player, to.Player))
	}
	var sent []string
	for range table.MaxInvitationsTo {
		sent = append(sent, invite(a, b).Want(t, http.StatusCreated).Text("id"), invite(b, a).Want(t, http.StatusCreated).
			Text("id"))
	}
	b.Post(path+"/challenges", map[string]any{"player_id": a.Player}).Want(t, http.StatusCreated)
	id := olga.Get(path+"/challenges").Text("items", 0, "id")
	a.Post(path+"/challenges/"+id+"/accept", nil).Want(t, http.StatusOK)
	game := olga.Get(path+"/challenges").Text("items", 0, "game_id")
	waits := a.Get("/games/"+game).Want(t, http.StatusOK)
	if waits.Text("status") != "waiting" {
		t.Fatalf("%s", waits.Raw)
	}
	for i, id := range sent {
		[]apitest.Person{b, a}[i%2].Post("/games/"+id+"/decline", nil).Want(t, http.StatusOK)
	}
	s.Pass(time.Hour + time.Minute) // the declined games were not played
	a, b = a.Again(), b.Again()
	for range table.MaxInvitationsTo { // beside the game of the ladder
		invite(a, b).Want(t, http.StatusCreated)
		invite(b, a).Want(t, http.StatusCreated)
	}
	invite(a, b).Refused(t, http.StatusConflict, "too-many-invitations")

	browser := s.LoggedIn("ada")
	browser.Post("/play/"+game+"/leave", "block", "1").RedirectsTo(t, "/play?said=declined")
	if blocks := a.Get("/me/blocks").Want(t, http.StatusOK); len(blocks.List("items")) != 1 || !strings.Contains(string(blocks.Raw), b.Player) {
		t.Errorf("blocked are %s", blocks.Raw)
	}
	invite(b, a).Refused(t, http.StatusUnprocessableEntity, "invalid")
}
