package api_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

// swissEvent is a Swiss tournament over the board; its entries are called by one letter each.
type swissEvent struct {
	s    *service
	olga person // runs it
	path string
	id   map[string]string // by name
	name map[string]string // by id
}

// newEvent starts a Swiss with these entries in the order of their strength.
func newEvent(t *testing.T, rounds int, names ...string) *swissEvent {
	t.Helper()
	s := newService(t)
	e := &swissEvent{
		s: s, olga: s.withRole("olga", account.RoleOrganiser), id: map[string]string{}, name: map[string]string{},
	}
	made := e.olga.post("/tournaments", map[string]any{
		"name": "Open", "variant": "quixo/duel", "format": "swiss", "rounds": rounds, "time_control": "300+3",
		"tie_breaks": []string{"WIN", "WON", "BPG"}, "pairing": map[string]any{"initial_colour": "white"},
	}).want(t, http.StatusCreated)
	e.path = "/tournaments/" + made.text("id")
	e.olga.post(e.path+"/open", nil).want(t, http.StatusOK)
	for i, name := range names {
		e.enter(t, name, 2000-10*i)
	}
	return e
}

// started is newEvent, running.
func started(t *testing.T, rounds int, names ...string) *swissEvent {
	t.Helper()
	e := newEvent(t, rounds, names...)
	e.olga.post(e.path+"/start", nil).want(t, http.StatusOK)
	return e
}

func (e *swissEvent) enter(t *testing.T, name string, rating int) {
	t.Helper()
	id := e.olga.post(e.path+"/entries", map[string]any{"name": name, "rating": rating}).want(t, http.StatusCreated).
		text("id")
	e.id[name], e.name[id] = id, name
}

func (e *swissEvent) entry(name string) string { return e.path + "/entries/" + e.id[name] }

func (e *swissEvent) round(n int) string { return fmt.Sprintf("%s/rounds/%d", e.path, n) }

func (e *swissEvent) board(n, board int) string {
	return fmt.Sprintf("%s/pairings/%d/result", e.round(n), board)
}

// draw draws the next round up without publishing it.
func (e *swissEvent) draw(t *testing.T) *answer {
	t.Helper()
	return e.olga.post(e.path+"/rounds", `{"publish":false}`).want(t, http.StatusCreated)
}

// pair pairs the next round and publishes it.
func (e *swissEvent) pair(t *testing.T) *answer {
	t.Helper()
	return e.olga.post(e.path+"/rounds", nil).want(t, http.StatusCreated)
}

// boards spells a round: "A-B C-D E:PAB".
func (e *swissEvent) boards(round *answer) string {
	var out []string
	for i := range round.list("pairings") {
		var seats []string
		for _, id := range round.list("pairings", i, "seats") {
			seats = append(seats, e.name[id.(string)])
		}
		text := strings.Join(seats, "-")
		if bye := round.text("pairings", i, "bye"); bye != "" {
			text += ":" + bye
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

// set enters a result, whatever the board has.
func (e *swissEvent) set(t *testing.T, n, board int, result string) *answer {
	t.Helper()
	return e.olga.send(http.MethodPut, e.board(n, board), map[string]any{"result": result}, anyVersion).
		want(t, http.StatusOK)
}

var anyVersion = header{"If-Match", "*"}

// edits makes the body of a request that changes a round.
func (e *swissEvent) edits(dry bool, edits ...map[string]any) map[string]any {
	for _, edit := range edits {
		if names, ok := edit["entries"].([]string); ok {
			ids := make([]string, len(names))
			for i, name := range names {
				ids[i] = e.id[name]
			}
			edit["entries"] = ids
		}
	}
	return map[string]any{"edits": edits, "dry_run": dry, "reason": "between us"}
}

func swap(a, b string) map[string]any {
	return map[string]any{"kind": "swap", "entries": []string{a, b}}
}

// whatIsPublic reads everything about the tournament and returns the answers by address, without what differs from
// request to request.
func (e *swissEvent) whatIsPublic(p person) map[string]string {
	out := map[string]string{}
	for path, item := range theContract().Paths.Map() {
		below, ok := strings.CutPrefix(path, "/tournaments/{tournament_id}")
		if !ok || item.Get == nil || item.Get.OperationID == "streamTournament" {
			continue
		}
		below = strings.NewReplacer("{round}", "1", "{board}", "1", "{team_board}", "1", "{entry_id}", e.id["A"]).Replace(below)
		for _, query := range []string{
			"", "?round=1", "?entry=" + e.id["A"], "?format=record", "?format=trf", "?format=csv",
			"?format=json",
		} {
			a := p.get(e.path + below + query)
			if object, ok := a.body.(map[string]any); ok {
				delete(object, "request_id")
			}
			out[below+query] = fmt.Sprint(a.status, a.body)
		}
	}
	out["list"] = string(p.get("/tournaments").raw)
	return out
}

// TestADraftRoundIsForStaff: no one else learns of it, whichever request they send.
func TestADraftRoundIsForStaff(t *testing.T) {
	e := started(t, 3, "A", "B", "C", "D", "E")
	ada, arne := e.s.register("ada"), e.s.register("arne")
	e.olga.send(http.MethodPut, e.path+"/arbiters", `{"logins":["arne"]}`, anyVersion).want(t, http.StatusOK)
	before := [2]map[string]string{e.whatIsPublic(e.s.anonymous()), e.whatIsPublic(ada)}
	drawn := e.draw(t)
	for i, p := range []person{e.s.anonymous(), ada} {
		for where, now := range e.whatIsPublic(p) {
			if now != before[i][where] {
				t.Errorf("%s tells of the draft round:\n%s\nbefore:\n%s", where, now, before[i][where])
			}
		}
	}
	if len(before[0]) < 50 {
		t.Errorf("only %d addresses were asked", len(before[0]))
	}
	if drawn.text("status") != "paired" || len(drawn.list("pairings")) != 3 {
		t.Fatalf("%s", drawn.raw)
	}
	for _, p := range []person{e.s.anonymous(), ada, arne.tokenFor("play")} {
		for _, below := range []string{"/rounds/1", "/rounds/1/pairings/1/result", "/rounds/2"} {
			if got := p.get(e.path + below); got.status != http.StatusNotFound && got.status != http.StatusForbidden {
				t.Errorf("%s: %d %s", below, got.status, got.raw)
			}
		}
	}
	for _, p := range []person{e.s.anonymous(), ada} {
		if rounds := p.get(e.path+"/rounds").want(t, http.StatusOK); len(rounds.list("items")) != 0 {
			t.Errorf("%s", rounds.raw)
		}
		if shown := p.get(e.path).want(t, http.StatusOK).lacks(t, "warnings"); shown.number("rounds_paired") != 0 {
			t.Errorf("%s", shown.raw)
		}
		if list := p.get("/tournaments").want(t, http.StatusOK); list.number("items", 0, "rounds_paired") != 0 {
			t.Errorf("%s", list.raw)
		}
		if h := p.get(e.path+"/history").want(t, http.StatusOK); len(h.list("items")) != 0 {
			t.Errorf("%s", h.raw)
		}
		if table := p.get(e.path + "/standings"); table.status == http.StatusOK && table.number("round") != 0 {
			t.Errorf("%s", table.raw)
		}
		if cross := p.get(e.path + "/crosstable"); cross.status == http.StatusOK && cross.number("round") != 0 {
			t.Errorf("%s", cross.raw)
		}
		p.get(e.path+"/standings?round=1").refused(t, http.StatusNotFound, "not-found")
		p.send(http.MethodPost, e.round(1)+"/publish", nil).want(t, map[bool]int{true: 403, false: 401}[p.token != ""])
	}
	if seen := arne.get(e.round(1)).want(t, http.StatusOK); e.boards(seen) != e.boards(drawn) {
		t.Errorf("the arbiter sees %s", seen.raw)
	}
	if rounds := arne.get(e.path+"/rounds").want(t, http.StatusOK); len(rounds.list("items")) != 1 {
		t.Errorf("%s", rounds.raw)
	}
	e.olga.send(http.MethodPut, e.board(1, 1), `{"result":"1-0"}`, anyVersion).refused(t, http.StatusNotFound, "not-found")
	e.olga.post(e.path+"/rounds", nil).refused(t, http.StatusConflict, "wrong-state").has(t, "publish or delete it first")
	arne.post(e.round(1)+"/publish", nil, header{"If-Match", `"other"`}).refused(t, http.StatusPreconditionFailed, "stale")
	arne.post(e.round(1)+"/publish", nil, drawn.etag()).want(t, http.StatusOK).has(t, `"published"`)
	arne.post(e.round(1)+"/publish", nil).refused(t, http.StatusConflict, "wrong-state").has(t, "published already")
	arne.post(e.round(2)+"/publish", nil).refused(t, http.StatusNotFound, "not-found")
	if seen := e.s.anonymous().get(e.round(1)).want(t, http.StatusOK); e.boards(seen) != e.boards(drawn) {
		t.Errorf("%s", seen.raw)
	}
}

// TestARoundByHand changes a round before and after it is published, with warnings about what it breaks.
func TestARoundByHand(t *testing.T) {
	e := started(t, 3, "A", "B", "C", "D")
	first := e.pair(t)
	if got := e.boards(first); got != "A-C D-B" {
		t.Fatalf("round 1: %s", got)
	}
	e.set(t, 1, 1, "1-0")
	e.set(t, 1, 2, "1-0")
	second := e.draw(t)
	before := e.boards(second)
	patch := func(body any, tag ...header) *answer { return e.olga.send(http.MethodPatch, e.round(2), body, tag...) }

	again := e.edits(true, map[string]any{"kind": "unpair", "board": 1}, map[string]any{"kind": "unpair", "board": 2},
		map[string]any{"kind": "pair", "entries": []string{"A", "C"}})
	patch(again).refused(t, http.StatusPreconditionRequired, "if-match-needed")
	tried := patch(again, second.etag()).want(t, http.StatusOK)
	if tried.text("warnings", 0, "code") != "met_before" || tried.text("warnings", 0, "article") != "C.04.3 C1" ||
		tried.text("warnings", 0, "text") != "A and C have played each other in round 1" ||
		tried.number("warnings", 0, "board") != 1 {
		t.Errorf("A and C again: %s", tried.raw)
	}
	if last := tried.list("warnings"); fmt.Sprint(tried.at("warnings", len(last)-1, "code")) != "unpaired" {
		t.Errorf("B and D without a game: %s", tried.raw)
	}
	if now := e.olga.get(e.round(2)); e.boards(now) != before || now.etag() != second.etag() ||
		tried.etag() != second.etag() {
		t.Errorf("trying changed something: %s", now.raw)
	}
	e.id["Z"] = "nothing"
	patch(e.edits(false, swap("A", "Z")), second.etag()).refused(t, http.StatusUnprocessableEntity, "invalid")
	patch(`{"edits":[]}`, second.etag()).refused(t, http.StatusBadRequest, "malformed")
	patch(`{"edits":[{"kind":"shuffle"}]}`, second.etag()).refused(t, http.StatusBadRequest, "malformed")
	patch(e.edits(false, map[string]any{"kind": "reseat", "board": 7}), second.etag()).
		refused(t, http.StatusNotFound, "not-found")
	e.olga.send(http.MethodPatch, e.round(1), e.edits(false, swap("A", "B")), anyVersion).
		refused(t, http.StatusConflict, "wrong-state")

	edited := patch(e.edits(false, map[string]any{"kind": "reseat", "board": 1}), second.etag()).want(t, http.StatusOK)
	patch(e.edits(false, map[string]any{"kind": "reseat", "board": 1}), second.etag()).
		refused(t, http.StatusPreconditionFailed, "stale").
		has(t, "read it again")
	if e.boards(edited) == before {
		t.Errorf("nothing changed: %s", edited.raw)
	}
	e.olga.post(e.round(2)+"/publish", nil).want(t, http.StatusOK)
	e.set(t, 2, 1, "+--")
	published := patch(e.edits(false, map[string]any{"kind": "reseat", "board": 2}), anyVersion).want(t, http.StatusOK)
	if published.text("status") != "published" {
		t.Errorf("%s", published.raw)
	}
	e.set(t, 2, 2, "0-1")
	patch(e.edits(false, map[string]any{"kind": "reseat", "board": 2}), anyVersion).
		refused(t, http.StatusConflict, "wrong-state")
	e.s.anonymous().get(e.path+"/history").want(t, http.StatusOK).lacks(t, "between us")
	e.olga.get(e.path+"/history").want(t, http.StatusOK).has(t, "between us")
}

// TestDeletingARound is possible while nothing was played in it, by its staff.
func TestDeletingARound(t *testing.T) {
	s := newService(t)
	olga, ada, bob := s.withRole("olga", account.RoleOrganiser), s.register("ada"), s.register("bob")
	path, round := running(t, olga, ada, bob)
	game := round.text("pairings", 0, "game_id")
	remove := func(p person, n int, tag ...header) *answer {
		return p.send(http.MethodDelete, fmt.Sprintf("%s/rounds/%d", path, n), nil, tag...)
	}
	remove(olga, 1).refused(t, http.StatusPreconditionRequired, "if-match-needed")
	remove(ada, 1, anyVersion).refused(t, http.StatusForbidden, "forbidden")
	remove(s.anonymous(), 1, anyVersion).refused(t, http.StatusUnauthorized, "unauthorized")
	remove(olga, 2, anyVersion).refused(t, http.StatusNotFound, "not-found")
	remove(olga, 1, header{"If-Match", `"other"`}).refused(t, http.StatusPreconditionFailed, "stale")
	remove(olga, 1, round.etag()).want(t, http.StatusNoContent)
	s.anonymous().get("/games/"+game).want(t, http.StatusOK).has(t, `"aborted"`)
	if faults, err := s.db.Faults(t.Context()); err != nil || len(faults) > 0 {
		t.Errorf("the database: %v, %v", faults, err)
	}
	anew := olga.post(path+"/rounds", nil).want(t, http.StatusCreated)
	game = anew.text("pairings", 0, "game_id")
	players := map[string]person{ada.player: ada, bob.player: bob}
	g := s.anonymous().get("/games/" + game)
	play(t, game, players[g.text("seats", 0, "player", "id")], 1, "c1-c5")
	remove(olga, 1, anyVersion).refused(t, http.StatusConflict, "wrong-state").has(t, "has begun")
}

// TestTwoArbitersAtOnce edit the same round: one gets through, the other has to look again, nothing is lost.
func TestTwoArbitersAtOnce(t *testing.T) {
	e := started(t, 3, "A", "B", "C", "D", "E", "F")
	anna, bert := e.s.register("anna"), e.s.register("bert")
	e.olga.send(http.MethodPut, e.path+"/arbiters", `{"logins":["anna","bert"]}`, anyVersion).want(t, http.StatusOK)
	drawn := e.draw(t)
	if got := e.boards(drawn); got != "A-D E-B C-F" {
		t.Fatalf("round 1: %s", got)
	}
	editing := func(p person, a, b string) func() *answer {
		body := e.edits(false, swap(a, b))
		return func() *answer { return p.send(http.MethodPatch, e.round(1), body, drawn.etag()) }
	}
	got := together(editing(anna, "D", "E"), editing(bert, "B", "C"), editing(anna, "A", "F"), editing(bert, "D", "F"))
	if got[http.StatusOK] != 1 || got[http.StatusPreconditionFailed] != 3 {
		t.Fatalf("four edits of one version: %v", got)
	}
	now := anna.get(e.round(1)).want(t, http.StatusOK)
	switch boards := e.boards(now); boards {
	case "A-E D-B C-F", "A-D E-C B-F", "F-D E-B C-A", "A-F E-B C-D":
	default:
		t.Errorf("the round is %s, which is none of the edits", boards)
	}
	late := bert.send(http.MethodPatch, e.round(1), e.edits(false, map[string]any{"kind": "reseat", "board": 1}),
		drawn.etag()).
		refused(t, http.StatusPreconditionFailed, "stale")
	if !strings.Contains(late.text("detail"), "changed since you read it") {
		t.Errorf("who came late is told %q", late.text("detail"))
	}
	bert.send(http.MethodPatch, e.round(1), e.edits(false, map[string]any{"kind": "reseat", "board": 1}), now.etag()).
		want(t, http.StatusOK)

	// Publishing and editing at once: whichever is first, what is published is what the publisher saw.
	now = anna.get(e.round(1))
	seen := e.boards(now)
	got = together(
		func() *answer { return anna.post(e.round(1)+"/publish", nil, now.etag()) },
		func() *answer {
			return bert.send(http.MethodPatch, e.round(1), e.edits(false, map[string]any{"kind": "reseat", "board": 2}),
				now.etag())
		},
	)
	if got[http.StatusOK] != 1 || got[http.StatusPreconditionFailed] != 1 {
		t.Fatalf("publishing and editing one version: %v", got)
	}
	now = anna.get(e.round(1))
	if (now.text("status") == "published") != (e.boards(now) == seen) {
		t.Errorf("%s is %s, and the publisher saw %s", e.boards(now), now.text("status"), seen)
	}
	kinds := historyKinds(anna.get(e.path+"/history").want(t, http.StatusOK))
	if n := len(slices.DeleteFunc(kinds, func(k string) bool {
		return k != "round_edit" &&
			k != "round_publish"
	})); n != 3 {
		t.Errorf("%d edits and publications in the history, want 3", n)
	}
}

func historyKinds(h *answer) []string {
	var kinds []string
	for i := range h.list("items") {
		kinds = append(kinds, h.text("items", i, "kind"))
	}
	return kinds
}

// TestAdviceBeforeTheStart warns the tournament's staff, and no one else, about what may end badly.
func TestAdviceBeforeTheStart(t *testing.T) {
	e := newEvent(t, 5, "A", "B", "C", "D", "E", "F", "G")
	ada := e.s.register("ada")
	ada.post(e.path+"/entries", map[string]any{"player_id": ada.player}).want(t, http.StatusCreated)
	closed := e.olga.post(e.path+"/close", nil).want(t, http.StatusOK)
	if closed.text("warnings", 0, "code") != "rounds" ||
		!strings.Contains(closed.text("warnings", 0, "text"), "5 rounds are many for 8 entries") ||
		closed.text("warnings", 1, "code") != "unconfirmed" ||
		!strings.Contains(closed.text("warnings", 1, "text"), "Player ada") {
		t.Errorf("%s", closed.raw)
	}
	e.s.anonymous().get(e.path).want(t, http.StatusOK).lacks(t, "warnings")
	ada.get(e.path).want(t, http.StatusOK).lacks(t, "warnings")
	patched := e.olga.send(http.MethodPatch, e.path, `{"rounds":8}`, anyVersion).want(t, http.StatusOK)
	if !strings.Contains(patched.text("warnings", 0, "text"), "8 entries cannot play 8 rounds; from 1 to 7 are possible") {
		t.Errorf("%s", patched.raw)
	}
	e.olga.send(http.MethodPatch, e.path, `{"rounds":2}`, anyVersion).want(t, http.StatusOK).
		has(t, "3 rounds would separate them")
	e.olga.send(http.MethodPatch, e.path, `{"rounds":5}`, anyVersion).want(t, http.StatusOK)
	e.olga.post(e.path+"/start", nil).want(t, http.StatusOK).has(t, `"rounds"`, "many for 8 entries").
		lacks(t, "unconfirmed")
	e.pair(t)
	e.olga.get(e.path).want(t, http.StatusOK).lacks(t, "warnings")
}

// TestAStreamShowsDraftRoundsToStaffOnly: the public's next event is its publication.
func TestAStreamShowsDraftRoundsToStaffOnly(t *testing.T) {
	e := started(t, 3, "A", "B", "C", "D")
	server := httptest.NewServer(e.s.server)
	t.Cleanup(server.Close)
	e.pair(t)
	e.set(t, 1, 1, "1-0")
	e.set(t, 1, 2, "1-0")
	public, _ := e.s.anonymous().follow(t, server, e.path+"/events")
	staff, _ := e.olga.follow(t, server, e.path+"/events")
	next(t, public, "state")
	next(t, staff, "state")
	e.draw(t)
	if told := next(t, staff, "pairings"); told.data["number"] != 2.0 || told.data["status"] != "paired" {
		t.Errorf("the organiser is told %v", told.data)
	}
	next(t, staff, "standings")
	e.olga.post(e.round(2)+"/publish", nil).want(t, http.StatusOK)
	if told := next(t, public, "pairings"); told.data["number"] != 2.0 || told.data["warnings"] != nil {
		t.Errorf("once it is published everybody is told %v", told.data)
	}
}
