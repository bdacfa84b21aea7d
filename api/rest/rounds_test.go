package rest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// started is newEvent, running.
func started(t *testing.T, rounds int, names ...string) *apitest.SwissEvent {
	t.Helper()
	e := apitest.NewSwiss(t, rounds, names...)
	e.Olga.Post(e.Path+"/start", nil).Want(t, http.StatusOK)
	return e
}

// boards spells a round: "A-B C-D E:PAB".
func boards(e *apitest.SwissEvent, round *apitest.Answer) string {
	var out []string
	for i := range round.List("pairings") {
		var seats []string
		for _, id := range round.List("pairings", i, "seats") {
			seats = append(seats, e.Name[id.(string)])
		}
		text := strings.Join(seats, "-")
		if bye := round.Text("pairings", i, "bye"); bye != "" {
			text += ":" + bye
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

// edits makes the body of a request that changes a round.
func edits(e *apitest.SwissEvent, dry bool, edits ...map[string]any) map[string]any {
	for _, edit := range edits {
		if names, ok := edit["entries"].([]string); ok {
			ids := make([]string, len(names))
			for i, name := range names {
				ids[i] = e.ID[name]
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
func whatIsPublic(e *apitest.SwissEvent, p apitest.Person) map[string]string {
	out := map[string]string{}
	for path, item := range apitest.Contract().Paths.Map() {
		below, ok := strings.CutPrefix(path, "/tournaments/{tournament_id}")
		if !ok || item.Get == nil || item.Get.OperationID == "streamTournament" {
			continue
		}
		below = strings.NewReplacer("{round}", "1", "{board}", "1", "{team_board}", "1", "{entry_id}", e.ID["A"]).
			Replace(below)
		for _, query := range []string{
			"", "?round=1", "?entry=" + e.ID["A"], "?format=record", "?format=trf", "?format=csv",
			"?format=json",
		} {
			a := p.Get(e.Path + below + query)
			if object, ok := a.Body.(map[string]any); ok {
				delete(object, "request_id")
			}
			out[below+query] = fmt.Sprint(a.Status, a.Body)
		}
	}
	out["list"] = string(p.Get("/tournaments").Raw)
	return out
}

// TestADraftRoundIsForStaff: no other viewer learns of it, whichever request they send.
func TestADraftRoundIsForStaff(t *testing.T) {
	e := started(t, 3, "A", "B", "C", "D", "E")
	ada, arne := e.S.Register("ada"), e.S.Register("arne")
	e.Olga.Send(http.MethodPut, e.Path+"/arbiters", `{"logins":["arne"]}`, apitest.AnyVersion).Want(t, http.StatusOK)
	before := [2]map[string]string{whatIsPublic(e, e.S.Anonymous()), whatIsPublic(e, ada)}
	drawn := e.Draw(t)
	for i, p := range []apitest.Person{e.S.Anonymous(), ada} {
		for where, now := range whatIsPublic(e, p) {
			if now != before[i][where] {
				t.Errorf("%s tells of the draft round:\n%s\nbefore:\n%s", where, now, before[i][where])
			}
		}
	}
	if len(before[0]) < 50 {
		t.Errorf("only %d addresses were asked", len(before[0]))
	}
	if drawn.Text("status") != "paired" || len(drawn.List("pairings")) != 3 {
		t.Fatalf("%s", drawn.Raw)
	}
	for _, p := range []apitest.Person{e.S.Anonymous(), ada, arne.TokenFor("play")} {
		for _, below := range []string{"/rounds/1", "/rounds/1/pairings/1/result", "/rounds/2"} {
			if got := p.Get(e.Path + below); got.Status != http.StatusNotFound && got.Status != http.StatusForbidden {
				t.Errorf("%s: %d %s", below, got.Status, got.Raw)
			}
		}
	}
	for _, p := range []apitest.Person{e.S.Anonymous(), ada} {
		if rounds := p.Get(e.Path+"/rounds").Want(t, http.StatusOK); len(rounds.List("items")) != 0 {
			t.Errorf("%s", rounds.Raw)
		}
		if shown := p.Get(e.Path).Want(t, http.StatusOK).Lacks(t, "warnings"); shown.Number("rounds_paired") != 0 {
			t.Errorf("%s", shown.Raw)
		}
		if list := p.Get("/tournaments").Want(t, http.StatusOK); list.Number("items", 0, "rounds_paired") != 0 {
			t.Errorf("%s", list.Raw)
		}
		if h := p.Get(e.Path+"/history").Want(t, http.StatusOK); len(h.List("items")) != 0 {
			t.Errorf("%s", h.Raw)
		}
		if table := p.Get(e.Path + "/standings"); table.Status == http.StatusOK && table.Number("round") != 0 {
			t.Errorf("%s", table.Raw)
		}
		if cross := p.Get(e.Path + "/crosstable"); cross.Status == http.StatusOK && cross.Number("round") != 0 {
			t.Errorf("%s", cross.Raw)
		}
		p.Get(e.Path+"/standings?round=1").Refused(t, http.StatusNotFound, "not-found")
		p.Send(http.MethodPost, e.Round(1)+"/publish", nil).Want(t, map[bool]int{true: 403, false: 401}[p.Token != ""])
	}
	if seen := arne.Get(e.Round(1)).Want(t, http.StatusOK); boards(e, seen) != boards(e, drawn) {
		t.Errorf("the arbiter sees %s", seen.Raw)
	}
	if rounds := arne.Get(e.Path+"/rounds").Want(t, http.StatusOK); len(rounds.List("items")) != 1 {
		t.Errorf("%s", rounds.Raw)
	}
	e.Olga.Send(http.MethodPut, e.Board(1, 1), `{"result":"1-0"}`, apitest.AnyVersion).
		Refused(t, http.StatusNotFound, "not-found")
	e.Olga.Post(e.Path+"/rounds", nil).Refused(t, http.StatusConflict, "wrong-state").Has(t, "publish or delete it first")
	arne.Post(e.Round(1)+"/publish", nil, apitest.Header{"If-Match", `"other"`}).
		Refused(t, http.StatusPreconditionFailed, "stale")
	arne.Post(e.Round(1)+"/publish", nil, drawn.IfMatch()).Want(t, http.StatusOK).Has(t, `"published"`)
	arne.Post(e.Round(1)+"/publish", nil).Refused(t, http.StatusConflict, "wrong-state").Has(t, "published already")
	arne.Post(e.Round(2)+"/publish", nil).Refused(t, http.StatusNotFound, "not-found")
	if seen := e.S.Anonymous().Get(e.Round(1)).Want(t, http.StatusOK); boards(e, seen) != boards(e, drawn) {
		t.Errorf("%s", seen.Raw)
	}
}

// TestARoundByHand changes a round before and after it is published, with warnings about what it breaks.
func TestARoundByHand(t *testing.T) {
	e := started(t, 3, "A", "B", "C", "D")
	first := e.Pair(t)
	if got := boards(e, first); got != "A-C D-B" {
		t.Fatalf("round 1: %s", got)
	}
	e.Set(t, 1, 1, "1-0")
	e.Set(t, 1, 2, "1-0")
	second := e.Draw(t)
	before := boards(e, second)
	patch := func(body any, tag ...apitest.Header) *apitest.Answer {
		return e.Olga.Send(http.MethodPatch, e.Round(2), body, tag...)
	}

	again := edits(e, true, map[string]any{"kind": "unpair", "board": 1}, map[string]any{"kind": "unpair", "board": 2},
		map[string]any{"kind": "pair", "entries": []string{"A", "C"}})
	patch(again).Refused(t, http.StatusPreconditionRequired, "if-match-needed")
	tried := patch(again, second.IfMatch()).Want(t, http.StatusOK)
	if tried.Text("warnings", 0, "code") != "met_before" || tried.Text("warnings", 0, "article") != "C.04.3 C1" ||
		tried.Text("warnings", 0, "text") != "A and C have played each other in round 1" ||
		tried.Number("warnings", 0, "board") != 1 {
		t.Errorf("A and C again: %s", tried.Raw)
	}
	if last := tried.List("warnings"); fmt.Sprint(tried.At("warnings", len(last)-1, "code")) != "unpaired" {
		t.Errorf("B and D without a game: %s", tried.Raw)
	}
	if now := e.Olga.Get(e.Round(2)); boards(e, now) != before || now.IfMatch() != second.IfMatch() ||
		tried.IfMatch() != second.IfMatch() {
		t.Errorf("trying changed something: %s", now.Raw)
	}
	e.ID["Z"] = "nothing"
	patch(edits(e, false, swap("A", "Z")), second.IfMatch()).Refused(t, http.StatusUnprocessableEntity, "invalid")
	patch(`{"edits":[]}`, second.IfMatch()).Refused(t, http.StatusBadRequest, "malformed")
	patch(`{"edits":[{"kind":"shuffle"}]}`, second.IfMatch()).Refused(t, http.StatusBadRequest, "malformed")
	patch(edits(e, false, map[string]any{"kind": "reseat", "board": 7}), second.IfMatch()).
		Refused(t, http.StatusNotFound, "not-found")
	e.Olga.Send(http.MethodPatch, e.Round(1), edits(e, false, swap("A", "B")), apitest.AnyVersion).
		Refused(t, http.StatusConflict, "wrong-state")

	edited := patch(edits(e, false, map[string]any{"kind": "reseat", "board": 1}), second.IfMatch()).Want(t, http.StatusOK)
	patch(edits(e, false, map[string]any{"kind": "reseat", "board": 1}), second.IfMatch()).
		Refused(t, http.StatusPreconditionFailed, "stale").
		Has(t, "read it again")
	if boards(e, edited) == before {
		t.Errorf("nothing changed: %s", edited.Raw)
	}
	e.Olga.Post(e.Round(2)+"/publish", nil).Want(t, http.StatusOK)
	e.Set(t, 2, 1, "+--")
	published := patch(edits(e, false, map[string]any{"kind": "reseat", "board": 2}), apitest.AnyVersion).
		Want(t, http.StatusOK)
	if published.Text("status") != "published" {
		t.Errorf("%s", published.Raw)
	}
	e.Set(t, 2, 2, "0-1")
	patch(edits(e, false, map[string]any{"kind": "reseat", "board": 2}), apitest.AnyVersion).
		Refused(t, http.StatusConflict, "wrong-state")
	e.S.Anonymous().Get(e.Path+"/history").Want(t, http.StatusOK).Lacks(t, "between us")
	e.Olga.Get(e.Path+"/history").Want(t, http.StatusOK).Has(t, "between us")
}

// TestDeletingARound is possible while nothing was played in it, by its staff.
func TestDeletingARound(t *testing.T) {
	s := apitest.New(t)
	olga, ada, bob := s.WithRole("olga", account.RoleOrganiser), s.Register("ada"), s.Register("bob")
	path, round := apitest.StartTournament(t, olga, ada, bob)
	game := round.Text("pairings", 0, "game_id")
	remove := func(p apitest.Person, n int, tag ...apitest.Header) *apitest.Answer {
		return p.Send(http.MethodDelete, fmt.Sprintf("%s/rounds/%d", path, n), nil, tag...)
	}
	remove(olga, 1).Refused(t, http.StatusPreconditionRequired, "if-match-needed")
	remove(ada, 1, apitest.AnyVersion).Refused(t, http.StatusForbidden, "forbidden")
	remove(s.Anonymous(), 1, apitest.AnyVersion).Refused(t, http.StatusUnauthorized, "unauthorized")
	remove(olga, 2, apitest.AnyVersion).Refused(t, http.StatusNotFound, "not-found")
	remove(olga, 1, apitest.Header{"If-Match", `"other"`}).Refused(t, http.StatusPreconditionFailed, "stale")
	remove(olga, 1, round.IfMatch()).Want(t, http.StatusNoContent)
	s.Anonymous().Get("/games/"+game).Want(t, http.StatusOK).Has(t, `"aborted"`)
	if faults, err := s.Store.Faults(t.Context()); err != nil || len(faults) > 0 {
		t.Errorf("the database: %v, %v", faults, err)
	}
	anew := olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
	game = anew.Text("pairings", 0, "game_id")
	players := map[string]apitest.Person{ada.Player: ada, bob.Player: bob}
	g := s.Anonymous().Get("/games/" + game)
	apitest.Play(t, game, players[g.Text("seats", 0, "player", "id")], 1, "c1-c5")
	remove(olga, 1, apitest.AnyVersion).Refused(t, http.StatusConflict, "wrong-state").Has(t, "has begun")
}

// TestTwoArbitersAtOnce edit the same round: the first gets through, the second has to look again, nothing is lost.
func TestTwoArbitersAtOnce(t *testing.T) {
	e := started(t, 3, "A", "B", "C", "D", "E", "F")
	anna, bert := e.S.Register("anna"), e.S.Register("bert")
	e.Olga.Send(http.MethodPut, e.Path+"/arbiters", `{"logins":["anna","bert"]}`, apitest.AnyVersion).
		Want(t, http.StatusOK)
	drawn := e.Draw(t)
	if got := boards(e, drawn); got != "A-D E-B C-F" {
		t.Fatalf("round 1: %s", got)
	}
	editing := func(p apitest.Person, a, b string) func() *apitest.Answer {
		body := edits(e, false, swap(a, b))
		return func() *apitest.Answer { return p.Send(http.MethodPatch, e.Round(1), body, drawn.IfMatch()) }
	}
	got := together(editing(anna, "D", "E"), editing(bert, "B", "C"), editing(anna, "A", "F"), editing(bert, "D", "F"))
	if got[http.StatusOK] != 1 || got[http.StatusPreconditionFailed] != 3 {
		t.Fatalf("four edits of one version: %v", got)
	}
	now := anna.Get(e.Round(1)).Want(t, http.StatusOK)
	switch boards := boards(e, now); boards {
	case "A-E D-B C-F", "A-D E-C B-F", "F-D E-B C-A", "A-F E-B C-D":
	default:
		t.Errorf("the round is %s, which is none of the edits", boards)
	}
	late := bert.Send(http.MethodPatch, e.Round(1), edits(e, false, map[string]any{"kind": "reseat", "board": 1}),
		drawn.IfMatch()).
		Refused(t, http.StatusPreconditionFailed, "stale")
	if !strings.Contains(late.Text("detail"), "changed since you read it") {
		t.Errorf("who came late is told %q", late.Text("detail"))
	}
	bert.Send(http.MethodPatch, e.Round(1), edits(e, false, map[string]any{"kind": "reseat", "board": 1}), now.IfMatch()).
		Want(t, http.StatusOK)

	// Publishing and editing at once: whichever is first, the published round is the round that the publisher saw.
	now = anna.Get(e.Round(1))
	seen := boards(e, now)
	got = together(
		func() *apitest.Answer { return anna.Post(e.Round(1)+"/publish", nil, now.IfMatch()) },
		func() *apitest.Answer {
			return bert.Send(http.MethodPatch, e.Round(1), edits(e, false, map[string]any{"kind": "reseat", "board": 2}),
				now.IfMatch())
		},
	)
	if got[http.StatusOK] != 1 || got[http.StatusPreconditionFailed] != 1 {
		t.Fatalf("publishing and editing one version: %v", got)
	}
	now = anna.Get(e.Round(1))
	if (now.Text("status") == "published") != (boards(e, now) == seen) {
		t.Errorf("%s is %s, and the publisher saw %s", boards(e, now), now.Text("status"), seen)
	}
	kinds := historyKinds(anna.Get(e.Path+"/history").Want(t, http.StatusOK))
	if n := len(slices.DeleteFunc(kinds, func(k string) bool {
		return k != "round_edit" &&
			k != "round_publish"
	})); n != 3 {
		t.Errorf("%d edits and publications in the history, want 3", n)
	}
}

func historyKinds(h *apitest.Answer) []string {
	var kinds []string
	for i := range h.List("items") {
		kinds = append(kinds, h.Text("items", i, "kind"))
	}
	return kinds
}

// TestAdviceBeforeTheStart warns the tournament's staff, and no other viewer, about risks of the settings.
func TestAdviceBeforeTheStart(t *testing.T) {
	e := apitest.NewSwiss(t, 5, "A", "B", "C", "D", "E", "F", "G")
	ada := e.S.Register("ada")
	ada.Post(e.Path+"/entries", map[string]any{"player_id": ada.Player}).Want(t, http.StatusCreated)
	closed := e.Olga.Post(e.Path+"/close", nil).Want(t, http.StatusOK)
	if closed.Text("warnings", 0, "code") != "rounds" ||
		!strings.Contains(closed.Text("warnings", 0, "text"), "5 rounds are many for 8 entries") ||
		closed.Text("warnings", 1, "code") != "unconfirmed" ||
		!strings.Contains(closed.Text("warnings", 1, "text"), "Player ada") {
		t.Errorf("%s", closed.Raw)
	}
	e.S.Anonymous().Get(e.Path).Want(t, http.StatusOK).Lacks(t, "warnings")
	ada.Get(e.Path).Want(t, http.StatusOK).Lacks(t, "warnings")
	patched := e.Olga.Send(http.MethodPatch, e.Path, `{"rounds":8}`, apitest.AnyVersion).Want(t, http.StatusOK)
	if !strings.Contains(patched.Text("warnings", 0, "text"), "8 entries cannot play 8 rounds; from 1 to 7 are possible") {
		t.Errorf("%s", patched.Raw)
	}
	e.Olga.Send(http.MethodPatch, e.Path, `{"rounds":2}`, apitest.AnyVersion).Want(t, http.StatusOK).
		Has(t, "3 rounds would separate them")
	e.Olga.Send(http.MethodPatch, e.Path, `{"rounds":5}`, apitest.AnyVersion).Want(t, http.StatusOK)
	e.Olga.Post(e.Path+"/start", nil).Want(t, http.StatusOK).Has(t, `"rounds"`, "many for 8 entries").
		Lacks(t, "unconfirmed")
	e.Pair(t)
	e.Olga.Get(e.Path).Want(t, http.StatusOK).Lacks(t, "warnings")
}

// TestAStreamShowsDraftRoundsToStaffOnly: the public's next event is its publication.
func TestAStreamShowsDraftRoundsToStaffOnly(t *testing.T) {
	e := started(t, 3, "A", "B", "C", "D")
	server := httptest.NewServer(e.S.Server)
	t.Cleanup(server.Close)
	e.Pair(t)
	e.Set(t, 1, 1, "1-0")
	e.Set(t, 1, 2, "1-0")
	public, _ := e.S.Anonymous().Follow(t, server, e.Path+"/events")
	staff, _ := e.Olga.Follow(t, server, e.Path+"/events")
	apitest.NextEvent(t, public, "state")
	apitest.NextEvent(t, staff, "state")
	e.Draw(t)
	if told := apitest.NextEvent(t, staff, "pairings"); told.Data["number"] != 2.0 || told.Data["status"] != "paired" {
		t.Errorf("the organiser is told %v", told.Data)
	}
	apitest.NextEvent(t, staff, "standings")
	e.Olga.Post(e.Round(2)+"/publish", nil).Want(t, http.StatusOK)
	if told := apitest.NextEvent(t, public, "pairings"); told.Data["number"] != 2.0 || told.Data["warnings"] != nil {
		t.Errorf("once it is published everybody is told %v", told.Data)
	}
}
