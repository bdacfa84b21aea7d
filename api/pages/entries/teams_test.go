package entries_test

import (
	"net/http"
	"strings"
	"testing"

	"quatuor/api/apitest"
)

// TestTeamMembersMustAgree enters teams as players do: the team and the tournament's staff see the missing members,
// members answer for themselves, and what waits at the start takes no part.
func TestTeamMembersMustAgree(t *testing.T) {
	s := apitest.New(t)
	olga, path := apitest.TeamEvent(t, s)
	ada, bob, cleo, dora, emil, fred := s.Register("ada"), s.Register("bob"), s.Register("cleo"), s.Register("dora"),
		s.Register("emil"), s.Register("fred")
	enter := func(name string, by, with apitest.Person) string {
		made := by.Post(path+"/entries", map[string]any{"name": name, "members": []string{by.Player, with.Player}}).
			Want(t, http.StatusCreated)
		if made.Text("awaiting", 0, "id") != with.Player || len(made.List("awaiting")) != 1 ||
			made.Text("status") != "registered" {
			t.Errorf("%s", made.Raw)
		}
		return path + "/entries/" + made.Text("id")
	}
	first, second, third := enter("First", ada, bob), enter("Second", cleo, dora), enter("Third", emil, fred)
	for _, p := range []apitest.Person{ada, bob, olga} {
		p.Get(first).Want(t, http.StatusOK).Has(t, "awaiting", "Player bob")
	}
	public := s.Anonymous().Get(first).Want(t, http.StatusOK).Lacks(t, "awaiting")
	version := s.Anonymous().Get(path).Header.Get("ETag")
	for _, p := range []apitest.Person{s.Anonymous(), cleo} {
		p.Get(path+"/entries").Want(t, http.StatusOK).Lacks(t, `"awaiting":[{"id":"player-of-bob"`)
		p.Get(path+"/export?format=json").Want(t, http.StatusOK).Lacks(t, "awaiting")
	}
	olga.Get(path+"/export?format=json").Want(t, http.StatusOK).Lacks(t, "awaiting")

	cleo.Post(first+"/agree", nil).Refused(t, http.StatusForbidden, "forbidden")
	olga.Post(first+"/agree", nil).Refused(t, http.StatusForbidden, "forbidden")
	s.Anonymous().Post(first+"/agree", nil).Refused(t, http.StatusUnauthorized, "unauthorized")
	bob.Post(path+"/entries/nothing/agree", nil).Refused(t, http.StatusNotFound, "not-found")
	agreed := bob.Post(first+"/agree", nil, apitest.Key("one")).Want(t, http.StatusOK).Lacks(t, "awaiting")
	if again := bob.Post(first+"/agree", nil, apitest.Key("one")).
		Want(t, http.StatusOK); string(again.Raw) != string(agreed.Raw) {
		t.Errorf("answered again: %s", again.Raw)
	}
	bob.Post(first+"/agree", nil).Want(t, http.StatusOK)
	bob.Post(first+"/decline", nil).Refused(t, http.StatusConflict, "wrong-state")
	if now := s.Anonymous().Get(first); string(now.Raw) != string(public.Raw) ||
		now.Header.Get("ETag") != public.Header.Get("ETag") ||
		s.Anonymous().Get(path).Header.Get("ETag") != version {
		t.Error("the public can tell that a member has agreed")
	}
	if declined := fred.Post(third+"/decline", nil).Want(t, http.StatusOK); declined.Text("status") != "withdrawn" {
		t.Errorf("%s", declined.Raw)
	}
	olga.Get(path+"/history").Want(t, http.StatusOK).Has(t, "entry_agree", "entry_decline", `"by":"player"`)

	// A player named by others may still play in another team, and then in no third.
	fourth := enter("Fourth", fred, dora)
	dora.Post(fourth+"/agree", nil).Want(t, http.StatusOK)
	if no := dora.Post(second+"/agree", nil).Refused(t, http.StatusConflict,
		"wrong-state"); !strings.Contains(no.Text("detail"), "as Fourth") {
		t.Errorf("%s", no.Raw)
	}
	olga.Get(path).Want(t, http.StatusOK).Has(t, `"waiting"`, "waiting for members to agree: Second;")
	olga.Post(path+"/start", nil).Want(t, http.StatusOK)
	if e := olga.Get(second).Want(t, http.StatusOK); e.Text("status") != "withdrawn" || e.Number("number") != 0 {
		t.Errorf("what still waited at the start: %s", e.Raw)
	}
	round := olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
	if len(round.List("pairings")) != 1 || len(round.List("pairings", 0, "seats")) != 2 {
		t.Errorf("%s", round.Raw)
	}
}

// TestTheOrganiserAnswersForATeam: members without an account cannot agree, and an organiser's teams do not wait.
func TestTheOrganiserAnswersForATeam(t *testing.T) {
	s := apitest.New(t)
	olga, path := apitest.TeamEvent(t, s)
	ada := s.Register("ada")
	guest := olga.Post("/players", `{"name":"Guest"}`).Want(t, http.StatusCreated).Text("id")
	other := olga.Post("/players", `{"name":"Other guest"}`).Want(t, http.StatusCreated).Text("id")
	third := olga.Post("/players", `{"name":"Third guest"}`).Want(t, http.StatusCreated).Text("id")
	waits := ada.Post(path+"/entries", map[string]any{"name": "With a guest", "members": []string{ada.Player, guest}}).
		Want(t, http.StatusCreated).Has(t, "awaiting")
	entry := path + "/entries/" + waits.Text("id")
	ada.Post(entry+"/confirm", nil).Refused(t, http.StatusForbidden, "forbidden")
	if now := olga.Post(entry+"/confirm", nil).Want(t, http.StatusOK).
		Lacks(t, "awaiting"); now.Text("status") != "confirmed" {
		t.Errorf("%s", now.Raw)
	}
	made := olga.Post(path+"/entries", map[string]any{"name": "Guests", "members": []string{other, third}}).
		Want(t, http.StatusCreated)
	if made.Lacks(t, "awaiting").Text("status") != "confirmed" {
		t.Errorf("%s", made.Raw)
	}
}

// TestTheRegulationsLimitHalfPointByes for players and organisers; the message to a player helps on.
func TestTheRegulationsLimitHalfPointByes(t *testing.T) {
	e := apitest.NewSwiss(t, 5, "A", "B", "C", "D")
	ada := e.S.Register("ada")
	mine := e.Path + "/entries/" + ada.Post(e.Path+"/entries", map[string]any{"player_id": ada.Player}).
		Want(t, http.StatusCreated).Text("id") + "/byes"
	if now := e.Olga.Get(e.Path); now.Number("pairing", "half_point_byes") != 1 {
		t.Errorf("%s", now.Raw)
	}
	const two = `{"items":[{"round":2,"bye":"HPB"},{"round":4,"bye":"HPB"}]}`
	for _, p := range []apitest.Person{ada, e.Olga} {
		p.Send(http.MethodPut, mine, `{"items":[{"round":2,"bye":"HPB"},{"round":4,"bye":"ZPB"}]}`, apitest.AnyVersion).
			Want(t, http.StatusOK)
		no := p.Send(http.MethodPut, mine, two, apitest.AnyVersion).Refused(t, http.StatusUnprocessableEntity, "invalid")
		if detail := no.Text("errors", 0, "detail"); no.Text("errors", 0, "pointer") != "/items" ||
			!strings.Contains(detail, "zero-point bye") {
			t.Errorf("%s", no.Raw)
		}
	}
	e.Olga.Send(http.MethodPatch, e.Path, `{"pairing":{"half_point_byes":2}}`, apitest.AnyVersion).Want(t, http.StatusOK).
		Has(t, `"half_point_byes":2`)
	ada.Send(http.MethodPut, mine, two, apitest.AnyVersion).Want(t, http.StatusOK)
	e.Olga.Send(http.MethodPatch, e.Path, `{"pairing":{"half_point_byes":0}}`, apitest.AnyVersion).Want(t, http.StatusOK).
		Has(t, `"half_point_byes":0`)
	ada.Send(http.MethodPut, e.Entry("A")+"/byes", `{"items":[]}`, apitest.AnyVersion).
		Refused(t, http.StatusForbidden, "forbidden")
	e.Olga.Send(http.MethodPut, e.Entry("A")+"/byes", `{"items":[{"round":2,"bye":"HPB"}]}`, apitest.AnyVersion).
		Refused(t, http.StatusUnprocessableEntity, "invalid")
}

// TestAPlayerCannotGuessTheVersionThatStaffSees: its If-Match is compared with what it can have read alone.
func TestAPlayerCannotGuessTheVersionThatStaffSees(t *testing.T) {
	e := apitest.NewSwiss(t, 5, "A", "B", "C", "D")
	ada := e.S.Register("ada")
	mine := e.Path + "/entries/" + ada.Post(e.Path+"/entries", map[string]any{"player_id": ada.Player}).
		Want(t, http.StatusCreated).Text("id") + "/byes"
	e.Olga.Send(http.MethodPut, e.Path+"/arbiters", `{"logins":["ada"]}`, apitest.AnyVersion).Want(t, http.StatusOK)
	e.Olga.Send(http.MethodPut, e.Path+"/arbiters", `{"logins":[]}`, apitest.AnyVersion).Want(t, http.StatusOK)
	e.Olga.Send(http.MethodPatch, e.Path, `{"name":"Read without a token"}`, e.S.Anonymous().Get(e.Path).IfMatch()).
		Want(t, http.StatusOK)
	staff, public := e.Olga.Get(e.Path).IfMatch(), ada.Get(e.Path).IfMatch()
	if staff == public {
		t.Fatalf("both have %v", staff)
	}
	ada.Send(http.MethodPut, mine, `{"items":[]}`, staff).Refused(t, http.StatusPreconditionFailed, "stale")
	e.Olga.Send(http.MethodPut, mine, `{"items":[]}`, public).Refused(t, http.StatusPreconditionFailed, "stale")
	ada.Send(http.MethodPut, mine, `{"items":[{"round":2,"bye":"HPB"}]}`, public).Want(t, http.StatusOK)
	ada.Send(http.MethodPut, mine, `{"items":[]}`, public).Refused(t, http.StatusPreconditionFailed, "stale")
	e.Olga.Send(http.MethodPatch, e.Path, `{"name":"Of before"}`, public).
		Refused(t, http.StatusPreconditionFailed, "stale")
}
