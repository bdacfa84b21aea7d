package api_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"quatuor/tournament/account"
)

// led demands that a form led on to a tournament's page, which then has the text of this name.
func (a *answer) led(t *testing.T, to, said string) {
	t.Helper()
	if got, want := a.want(t, http.StatusSeeOther).header.Get("Location"), to+"?said="+said; got != want {
		t.Fatalf("%s: led to %s, want %s", a.what, got, want)
	}
}

// statuses returns the statuses of a tournament's entries by their names.
func statuses(t *testing.T, by person, at string) map[string]string {
	t.Helper()
	out, list := map[string]string{}, by.get(at+"/entries").want(t, http.StatusOK)
	for i := range list.list("items") {
		out[list.text("items", i, "name")] += list.text("items", i, "status")
	}
	return out
}

// TestPlayersTakePartOnThePage registers and withdraws with the buttons of a tournament's page, in each of its states.
func TestPlayersTakePartOnThePage(t *testing.T) {
	s := newService(t, withRealPages)
	olga, anna, bert, nobody := s.withRole("olga", account.RoleOrganiser), s.register("anna"), s.register("bert"), s.anonymous()
	at := "/tournaments/" + olga.draft("Thursday")
	enter := at + "/register"

	// A draft is unknown to others, and takes no registrations of its staff.
	anna.form(enter, nil).want(t, http.StatusNotFound)
	nobody.form(enter, nil).want(t, http.StatusSeeOther)
	olga.form(enter, nil).want(t, http.StatusForbidden) // there is no player to this account
	olga.get("/"+at).want(t, http.StatusOK).lacks(t, "Take part", "/register")

	olga.post(at+"/open", nil).want(t, http.StatusOK)
	nobody.get("/"+at).want(t, http.StatusOK).says(t, "Log in to take part", "/login?next="+at).lacks(t, ">Take part</button>")
	olga.get("/"+at).want(t, http.StatusOK).lacks(t, "Take part")
	if to := nobody.form(enter, nil).want(t, http.StatusSeeOther).header.Get("Location"); to != "/login?next="+url.QueryEscape(at) {
		t.Errorf("a stranger is led to %s", to)
	}
	anna.get("/"+at).want(t, http.StatusOK).says(t, `action="`+enter+`"`, ">Take part</button>")
	for range 2 { // it may come twice
		anna.form(enter, nil).led(t, at, "part_in")
	}
	if got := statuses(t, nobody, at); len(got) != 1 || got["Player anna"] != "registered" {
		t.Fatalf("entries %v", got)
	}
	anna.get("/"+at+"?said=part_in").want(t, http.StatusOK).says(t, "You are registered.", "Player anna is registered. The organiser has not confirmed it yet.", ">Withdraw<").lacks(t, "Take part")
	bert.get("/"+at).want(t, http.StatusOK).says(t, ">Take part</button>").lacks(t, ">Withdraw<")
	entry := at + "/entries/" + olga.get(at+"/entries").text("items", 0, "id")
	leave := entry + "/leave"
	olga.post(entry+"/confirm", nil).want(t, http.StatusOK)
	anna.get("/"+at).says(t, "Player anna takes part.")

	// Others do not withdraw an entry.
	bert.form(leave, nil).want(t, http.StatusForbidden)
	anna.form(at+"/entries/none/leave", nil).want(t, http.StatusNotFound)
	anna.form("/tournaments/none/register", nil).want(t, http.StatusNotFound)
	if to := nobody.form(leave, nil).want(t, http.StatusSeeOther).header.Get("Location"); !strings.HasPrefix(to, "/login?next=") {
		t.Errorf("a stranger is led to %s", to)
	}
	anna.tokenFor("read").form(leave, nil).want(t, http.StatusForbidden)
	bert.tokenFor("read").form(enter, nil).want(t, http.StatusForbidden)

	// A withdrawn player registers again as the same entry, which waits to be confirmed again; by REST as well.
	for range 2 {
		anna.form(leave, nil).led(t, at, "part_out")
	}
	anna.get("/"+at).says(t, ">Take part</button>")
	anna.form(enter, nil).led(t, at, "part_in")
	anna.form(leave, nil).led(t, at, "part_out")
	again := anna.post(at+"/entries", map[string]any{"player_id": anna.player}).want(t, http.StatusCreated)
	if got := statuses(t, nobody, at); len(got) != 1 || got["Player anna"] != "registered" || !strings.HasSuffix(entry, again.text("id")) {
		t.Errorf("entries %v, the last one %s", got, again.raw)
	}

	// The registration is closed: one can leave, and no longer come.
	olga.post(at+"/close", nil).want(t, http.StatusOK)
	bert.get("/"+at).want(t, http.StatusOK).lacks(t, "Take part")
	nobody.get("/"+at).want(t, http.StatusOK).lacks(t, "Log in to take part")
	bert.form(enter, nil).led(t, at, "part_over")
	bert.get("/"+at+"?said=part_over").says(t, "Registration is closed.")
	anna.get("/"+at).says(t, ">Withdraw<")

	// It has started: withdrawing takes an arbiter.
	olga.send(http.MethodPatch, at, map[string]any{"rounds": 1}, anyVersion).want(t, http.StatusOK)
	for _, name := range []string{"Cleo", "Dora"} {
		olga.post(at+"/entries", map[string]any{"name": name}).want(t, http.StatusCreated)
	}
	olga.post(at+"/start", nil).want(t, http.StatusOK)
	anna.get("/"+at).want(t, http.StatusOK).lacks(t, ">Withdraw<", "/leave")
	anna.form(leave, nil).led(t, at, "part_started")
	bert.form(enter, nil).led(t, at, "part_over")
	anna.get("/"+at+"?said=part_started").says(t, "Please tell an arbiter")
	if got := statuses(t, nobody, at); got["Player anna"] != "confirmed" || len(got) != 3 {
		t.Errorf("after the start: %v", got)
	}
}

// TestTakingPartBesideTheCheckIn shows late registrations what is missing, and lets present players leave.
func TestTakingPartBesideTheCheckIn(t *testing.T) {
	s := newService(t, withRealPages)
	olga, anna, bert := s.withRole("olga", account.RoleOrganiser), s.register("anna"), s.register("bert")
	at := "/tournaments/" + olga.draft("Thursday")
	olga.post(at+"/open", nil).want(t, http.StatusOK)
	anna.form(at+"/register", nil).led(t, at, "part_in")
	entry := at + "/entries/" + olga.get(at+"/entries").text("items", 0, "id")
	olga.post(at+"/check-in/open", nil).want(t, http.StatusOK)
	anna.get("/"+at).says(t, "Check in Player anna", ">Withdraw<")
	anna.form(entry+"/arrive", nil).want(t, http.StatusSeeOther)
	olga.post(at+"/check-in/close", nil).want(t, http.StatusOK)
	bert.form(at+"/register", nil).led(t, at, "part_in")
	bert.get("/"+at).says(t, "the check-in is over. Tell an arbiter")
	anna.get("/"+at).says(t, "Player anna is registered").lacks(t, "the check-in is over")
	anna.form(entry+"/leave", nil).led(t, at, "part_out")
	anna.form(at+"/register", nil).led(t, at, "part_in")
	anna.get("/"+at).says(t, "the check-in is over") // a returning player has not been seen
}

// TestTeamsRegisterWithAWord: a player alone cannot enter a team, and learns from the refusal by whom; with changing
// partners all come alone.
func TestTeamsRegisterWithAWord(t *testing.T) {
	s := newService(t, withRealPages)
	olga, anna, bert := s.withRole("olga", account.RoleOrganiser), s.register("anna"), s.register("bert")
	at, _ := teamDraft(t, olga, "quixo/teams")
	olga.post(at+"/open", nil).want(t, http.StatusOK)
	anna.get("/"+at).says(t, "This is a tournament for teams.").lacks(t, ">Take part</button>")
	anna.form(at+"/register", nil).led(t, at, "part_team")
	if got := statuses(t, olga, at); len(got) != 0 {
		t.Errorf("entries %v", got)
	}
	made := anna.post(at+"/entries", map[string]any{"name": "Blue", "members": []string{anna.player, bert.player}}).want(t, http.StatusCreated)
	anna.get("/"+at).says(t, "Blue is registered and waits for members", ">Withdraw<")
	bert.get("/"+at).lacks(t, "Teams take part", ">Withdraw<").says(t, "/agree")
	team := at + "/entries/" + made.text("id")
	s.anonymous().form(team+"/agree", nil).want(t, http.StatusSeeOther)
	s.register("carla").form(team+"/agree", nil).want(t, http.StatusForbidden)
	bert.form(at+"/entries/none/agree", nil).want(t, http.StatusNotFound)
	for range 2 { // it may come twice
		bert.form(team+"/agree", nil).want(t, http.StatusSeeOther)
	}
	bert.get("/"+at).lacks(t, "/agree").says(t, ">Withdraw<")
	anna.post(team+"/withdraw", nil).want(t, http.StatusOK)
	made = anna.post(at+"/entries", map[string]any{"name": "Blue", "members": []string{anna.player, bert.player}}).want(t, http.StatusCreated)
	team = at + "/entries/" + made.text("id")
	bert.form(team+"/decline", nil).want(t, http.StatusSeeOther)
	bert.get("/"+at).lacks(t, "/agree")
	made = anna.post(at+"/entries", map[string]any{"name": "Blue", "members": []string{anna.player, bert.player}}).want(t, http.StatusCreated)
	anna.form(at+"/entries/"+made.text("id")+"/leave", nil).led(t, at, "part_out")
	bert.get("/"+at).lacks(t, "/agree")

	alone := "/tournaments/" + olga.post("/tournaments", map[string]any{
		"name": "Partners", "variant": "quixo/teams", "format": "table_swiss", "rounds": 2, "time_control": "none", "pairing": map[string]any{"tables": map[string]any{"partners": "rotate"}},
	}).want(t, http.StatusCreated).text("id")
	olga.post(alone+"/open", nil).want(t, http.StatusOK)
	anna.get("/"+alone).says(t, ">Take part</button>")
	anna.form(alone+"/register", nil).led(t, alone, "part_in")
}

// TestTakingPartAtTheSameTime sends the forms of one player at once, against each other and against the start: there is
// one entry, and the answers to forms agree with what is stored.
func TestTakingPartAtTheSameTime(t *testing.T) {
	s := newService(t, withRealPages)
	olga, anna := s.withRole("olga", account.RoleOrganiser), s.register("anna")
	at := "/tournaments/" + olga.draft("Thursday")
	olga.post(at+"/open", nil).want(t, http.StatusOK)
	atOnce := func(does ...func()) {
		var all sync.WaitGroup
		for _, do := range does {
			all.Go(do)
		}
		all.Wait()
	}
	told := func(a *answer) string {
		to, err := url.Parse(a.header.Get("Location"))
		if a.status != http.StatusSeeOther || err != nil {
			t.Errorf("%s: status %d %v\n%s", a.what, a.status, err, a.raw)
			return ""
		}
		return to.Query().Get("said")
	}
	enter := func() {
		if said := told(anna.form(at+"/register", nil)); said != "part_in" {
			t.Errorf("registering said %q", said)
		}
	}
	id := ""
	for range 5 { // new, and again after a withdrawal
		atOnce(enter, enter, enter, enter)
		list := olga.get(at+"/entries").want(t, http.StatusOK)
		if n := len(list.list("items")); n != 1 || list.text("items", 0, "status") != "registered" || id != "" && list.text("items", 0, "id") != id {
			t.Fatalf("%s", list.raw)
		}
		id = list.text("items", 0, "id")
		anna.form(at+"/entries/"+id+"/leave", nil).led(t, at, "part_out")
	}
	enter()
	olga.send(http.MethodPatch, at, map[string]any{"rounds": 1}, anyVersion).want(t, http.StatusOK)
	for _, name := range []string{"Cleo", "Dora"} {
		olga.post(at+"/entries", map[string]any{"name": name}).want(t, http.StatusCreated)
	}
	said := ""
	atOnce(
		func() { said = told(anna.form(at+"/entries/"+id+"/leave", nil)) },
		func() {
			if a := olga.post(at+"/start", nil); a.status != http.StatusOK {
				t.Errorf("%s", a.raw)
			}
		},
	)
	entry := olga.get(at+"/entries/"+id).want(t, http.StatusOK)
	switch status := entry.text("status"); {
	case said == "part_out" && status == "withdrawn" && entry.number("number") == 0:
	case said == "part_started" && status == "confirmed" && entry.number("number") > 0:
	default:
		t.Errorf("the form was told %q: %s", said, entry.raw)
	}
}
