package api_test

import (
	"net/http"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

// teamEvent opens a Swiss for teams of two.
func teamEvent(t *testing.T, s *service) (olga person, path string) {
	t.Helper()
	olga = s.withRole("olga", account.RoleOrganiser)
	path = "/tournaments/" + olga.post("/tournaments", map[string]any{
		"name": "Pairs", "variant": "quixo/teams", "format": "swiss", "rounds": 1, "time_control": "300+3",
	}).want(t, http.StatusCreated).text("id")
	olga.post(path+"/open", nil).want(t, http.StatusOK)
	return olga, path
}

// TestTeamMembersMustAgree enters teams as players do: the team and the tournament's staff see the missing members,
// members answer for themselves, and what waits at the start takes no part.
func TestTeamMembersMustAgree(t *testing.T) {
	s := newService(t)
	olga, path := teamEvent(t, s)
	ada, bob, cleo, dora, emil, fred := s.register("ada"), s.register("bob"), s.register("cleo"), s.register("dora"),
		s.register("emil"), s.register("fred")
	enter := func(name string, by, with person) string {
		made := by.post(path+"/entries", map[string]any{"name": name, "members": []string{by.player, with.player}}).
			want(t, http.StatusCreated)
		if made.text("awaiting", 0, "id") != with.player || len(made.list("awaiting")) != 1 ||
			made.text("status") != "registered" {
			t.Errorf("%s", made.raw)
		}
		return path + "/entries/" + made.text("id")
	}
	first, second, third := enter("First", ada, bob), enter("Second", cleo, dora), enter("Third", emil, fred)
	for _, p := range []person{ada, bob, olga} {
		p.get(first).want(t, http.StatusOK).has(t, "awaiting", "Player bob")
	}
	public := s.anonymous().get(first).want(t, http.StatusOK).lacks(t, "awaiting")
	version := s.anonymous().get(path).header.Get("ETag")
	for _, p := range []person{s.anonymous(), cleo} {
		p.get(path+"/entries").want(t, http.StatusOK).lacks(t, `"awaiting":[{"id":"player-of-bob"`)
		p.get(path+"/export?format=json").want(t, http.StatusOK).lacks(t, "awaiting")
	}
	olga.get(path+"/export?format=json").want(t, http.StatusOK).lacks(t, "awaiting")

	cleo.post(first+"/agree", nil).refused(t, http.StatusForbidden, "forbidden")
	olga.post(first+"/agree", nil).refused(t, http.StatusForbidden, "forbidden")
	s.anonymous().post(first+"/agree", nil).refused(t, http.StatusUnauthorized, "unauthorized")
	bob.post(path+"/entries/nothing/agree", nil).refused(t, http.StatusNotFound, "not-found")
	agreed := bob.post(first+"/agree", nil, key("one")).want(t, http.StatusOK).lacks(t, "awaiting")
	if again := bob.post(first+"/agree", nil, key("one")).want(t, http.StatusOK); string(again.raw) != string(agreed.raw) {
		t.Errorf("answered again: %s", again.raw)
	}
	bob.post(first+"/agree", nil).want(t, http.StatusOK)
	bob.post(first+"/decline", nil).refused(t, http.StatusConflict, "wrong-state")
	if now := s.anonymous().get(first); string(now.raw) != string(public.raw) ||
		now.header.Get("ETag") != public.header.Get("ETag") ||
		s.anonymous().get(path).header.Get("ETag") != version {
		t.Error("the public can tell that a member has agreed")
	}
	if declined := fred.post(third+"/decline", nil).want(t, http.StatusOK); declined.text("status") != "withdrawn" {
		t.Errorf("%s", declined.raw)
	}
	olga.get(path+"/history").want(t, http.StatusOK).has(t, "entry_agree", "entry_decline", `"by":"player"`)

	// Named by others, one may still play in another team, and then in no third.
	fourth := enter("Fourth", fred, dora)
	dora.post(fourth+"/agree", nil).want(t, http.StatusOK)
	if no := dora.post(second+"/agree", nil).refused(t, http.StatusConflict,
		"wrong-state"); !strings.Contains(no.text("detail"), "as Fourth") {
		t.Errorf("%s", no.raw)
	}
	olga.get(path).want(t, http.StatusOK).has(t, `"waiting"`, "waiting for members to agree: Second;")
	olga.post(path+"/start", nil).want(t, http.StatusOK)
	if e := olga.get(second).want(t, http.StatusOK); e.text("status") != "withdrawn" || e.number("number") != 0 {
		t.Errorf("what still waited at the start: %s", e.raw)
	}
	round := olga.post(path+"/rounds", nil).want(t, http.StatusCreated)
	if len(round.list("pairings")) != 1 || len(round.list("pairings", 0, "seats")) != 2 {
		t.Errorf("%s", round.raw)
	}
}

// TestTheOrganiserAnswersForATeam: members without an account cannot agree, and an organiser's teams wait for no one.
func TestTheOrganiserAnswersForATeam(t *testing.T) {
	s := newService(t)
	olga, path := teamEvent(t, s)
	ada := s.register("ada")
	guest := olga.post("/players", `{"name":"Guest"}`).want(t, http.StatusCreated).text("id")
	other := olga.post("/players", `{"name":"Other guest"}`).want(t, http.StatusCreated).text("id")
	third := olga.post("/players", `{"name":"Third guest"}`).want(t, http.StatusCreated).text("id")
	waits := ada.post(path+"/entries", map[string]any{"name": "With a guest", "members": []string{ada.player, guest}}).
		want(t, http.StatusCreated).has(t, "awaiting")
	entry := path + "/entries/" + waits.text("id")
	ada.post(entry+"/confirm", nil).refused(t, http.StatusForbidden, "forbidden")
	if now := olga.post(entry+"/confirm", nil).want(t, http.StatusOK).
		lacks(t, "awaiting"); now.text("status") != "confirmed" {
		t.Errorf("%s", now.raw)
	}
	made := olga.post(path+"/entries", map[string]any{"name": "Guests", "members": []string{other, third}}).
		want(t, http.StatusCreated)
	if made.lacks(t, "awaiting").text("status") != "confirmed" {
		t.Errorf("%s", made.raw)
	}
}

// TestTheRegulationsLimitHalfPointByes for players and organisers; the message to a player helps on.
func TestTheRegulationsLimitHalfPointByes(t *testing.T) {
	e := newEvent(t, 5, "A", "B", "C", "D")
	ada := e.s.register("ada")
	mine := e.path + "/entries/" + ada.post(e.path+"/entries", map[string]any{"player_id": ada.player}).
		want(t, http.StatusCreated).text("id") + "/byes"
	if now := e.olga.get(e.path); now.number("pairing", "half_point_byes") != 1 {
		t.Errorf("%s", now.raw)
	}
	const two = `{"items":[{"round":2,"bye":"HPB"},{"round":4,"bye":"HPB"}]}`
	for _, p := range []person{ada, e.olga} {
		p.send(http.MethodPut, mine, `{"items":[{"round":2,"bye":"HPB"},{"round":4,"bye":"ZPB"}]}`, anyVersion).
			want(t, http.StatusOK)
		no := p.send(http.MethodPut, mine, two, anyVersion).refused(t, http.StatusUnprocessableEntity, "invalid")
		if detail := no.text("errors", 0, "detail"); no.text("errors", 0, "pointer") != "/items" ||
			!strings.Contains(detail, "zero-point bye") {
			t.Errorf("%s", no.raw)
		}
	}
	e.olga.send(http.MethodPatch, e.path, `{"pairing":{"half_point_byes":2}}`, anyVersion).want(t, http.StatusOK).
		has(t, `"half_point_byes":2`)
	ada.send(http.MethodPut, mine, two, anyVersion).want(t, http.StatusOK)
	e.olga.send(http.MethodPatch, e.path, `{"pairing":{"half_point_byes":0}}`, anyVersion).want(t, http.StatusOK).
		has(t, `"half_point_byes":0`)
	ada.send(http.MethodPut, e.entry("A")+"/byes", `{"items":[]}`, anyVersion).
		refused(t, http.StatusForbidden, "forbidden")
	e.olga.send(http.MethodPut, e.entry("A")+"/byes", `{"items":[{"round":2,"bye":"HPB"}]}`, anyVersion).
		refused(t, http.StatusUnprocessableEntity, "invalid")
}

// TestAPlayerCannotGuessTheVersionThatStaffSees: its If-Match is compared with what it can have read alone.
func TestAPlayerCannotGuessTheVersionThatStaffSees(t *testing.T) {
	e := newEvent(t, 5, "A", "B", "C", "D")
	ada := e.s.register("ada")
	mine := e.path + "/entries/" + ada.post(e.path+"/entries", map[string]any{"player_id": ada.player}).
		want(t, http.StatusCreated).text("id") + "/byes"
	e.olga.send(http.MethodPut, e.path+"/arbiters", `{"logins":["ada"]}`, anyVersion).want(t, http.StatusOK)
	e.olga.send(http.MethodPut, e.path+"/arbiters", `{"logins":[]}`, anyVersion).want(t, http.StatusOK)
	e.olga.send(http.MethodPatch, e.path, `{"name":"Read without a token"}`, e.s.anonymous().get(e.path).etag()).
		want(t, http.StatusOK)
	staff, public := e.olga.get(e.path).etag(), ada.get(e.path).etag()
	if staff == public {
		t.Fatalf("both have %v", staff)
	}
	ada.send(http.MethodPut, mine, `{"items":[]}`, staff).refused(t, http.StatusPreconditionFailed, "stale")
	e.olga.send(http.MethodPut, mine, `{"items":[]}`, public).refused(t, http.StatusPreconditionFailed, "stale")
	ada.send(http.MethodPut, mine, `{"items":[{"round":2,"bye":"HPB"}]}`, public).want(t, http.StatusOK)
	ada.send(http.MethodPut, mine, `{"items":[]}`, public).refused(t, http.StatusPreconditionFailed, "stale")
	e.olga.send(http.MethodPatch, e.path, `{"name":"Of before"}`, public).
		refused(t, http.StatusPreconditionFailed, "stale")
}
