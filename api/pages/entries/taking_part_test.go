package entries_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

func TestMain(m *testing.M) { apitest.Main(m) }

// statuses returns the statuses of a tournament's entries by their names.
func statuses(t *testing.T, by apitest.Person, at string) map[string]string {
	t.Helper()
	out, list := map[string]string{}, by.Get(at+"/entries").Want(t, http.StatusOK)
	for i := range list.List("items") {
		out[list.Text("items", i, "name")] += list.Text("items", i, "status")
	}
	return out
}

// TestPlayersTakePartOnThePage registers and withdraws with the buttons of a tournament's page, in each of its states.
func TestPlayersTakePartOnThePage(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga, anna, bert, nobody := s.WithRole("olga", account.RoleOrganiser), s.Register("anna"), s.Register("bert"),
		s.Anonymous()
	at := "/tournaments/" + olga.Draft("Thursday")
	enter := at + "/register"

	// A draft is unknown to others, and takes no registrations of its staff.
	anna.PostForm(enter, nil).Want(t, http.StatusNotFound)
	nobody.PostForm(enter, nil).Want(t, http.StatusSeeOther)
	olga.PostForm(enter, nil).Want(t, http.StatusForbidden) // there is no player to this account
	olga.Get("/"+at).Want(t, http.StatusOK).Lacks(t, "Take part", "/register")

	olga.Post(at+"/open", nil).Want(t, http.StatusOK)
	nobody.Get("/"+at).Want(t, http.StatusOK).Says(t, "Log in to take part", "/login?next="+at).
		Lacks(t, ">Take part</button>")
	olga.Get("/"+at).Want(t, http.StatusOK).Lacks(t, "Take part")
	if to := nobody.PostForm(enter, nil).Want(t, http.StatusSeeOther).Header.Get("Location"); to != "/login?next="+url.QueryEscape(at) {
		t.Errorf("a stranger is led to %s", to)
	}
	anna.Get("/"+at).Want(t, http.StatusOK).Says(t, `action="`+enter+`"`, ">Take part</button>")
	for range 2 { // it may come twice
		anna.PostForm(enter, nil).LedTo(t, at, "part_in")
	}
	if got := statuses(t, nobody, at); len(got) != 1 || got["Player anna"] != "registered" {
		t.Fatalf("entries %v", got)
	}
	anna.Get("/"+at+"?said=part_in").Want(t, http.StatusOK).Says(t, "You are registered.", "Player anna is registered. The organiser has not confirmed it yet.", ">Withdraw<").Lacks(t, "Take part")
	bert.Get("/"+at).Want(t, http.StatusOK).Says(t, ">Take part</button>").Lacks(t, ">Withdraw<")
	entry := at + "/entries/" + olga.Get(at+"/entries").Text("items", 0, "id")
	leave := entry + "/leave"
	olga.Post(entry+"/confirm", nil).Want(t, http.StatusOK)
	anna.Get("/"+at).Says(t, "Player anna takes part.")

	// Others do not withdraw an entry.
	bert.PostForm(leave, nil).Want(t, http.StatusForbidden)
	anna.PostForm(at+"/entries/none/leave", nil).Want(t, http.StatusNotFound)
	anna.PostForm("/tournaments/none/register", nil).Want(t, http.StatusNotFound)
	if to := nobody.PostForm(leave, nil).Want(t, http.StatusSeeOther).Header.Get("Location"); !strings.HasPrefix(to, "/login?next=") {
		t.Errorf("a stranger is led to %s", to)
	}
	anna.TokenFor("read").PostForm(leave, nil).Want(t, http.StatusForbidden)
	bert.TokenFor("read").PostForm(enter, nil).Want(t, http.StatusForbidden)

	// A withdrawn player registers again as the same entry, which waits to be confirmed again; by REST as well.
	for range 2 {
		anna.PostForm(leave, nil).LedTo(t, at, "part_out")
	}
	anna.Get("/"+at).Says(t, ">Take part</button>")
	anna.PostForm(enter, nil).LedTo(t, at, "part_in")
	anna.PostForm(leave, nil).LedTo(t, at, "part_out")
	again := anna.Post(at+"/entries", map[string]any{"player_id": anna.Player}).Want(t, http.StatusCreated)
	if got := statuses(t, nobody, at); len(got) != 1 || got["Player anna"] != "registered" || !strings.HasSuffix(entry, again.Text("id")) {
		t.Errorf("entries %v, the last one %s", got, again.Raw)
	}

	// The registration is closed: players can leave, and no longer come.
	olga.Post(at+"/close", nil).Want(t, http.StatusOK)
	bert.Get("/"+at).Want(t, http.StatusOK).Lacks(t, "Take part")
	nobody.Get("/"+at).Want(t, http.StatusOK).Lacks(t, "Log in to take part")
	bert.PostForm(enter, nil).LedTo(t, at, "part_over")
	bert.Get("/"+at+"?said=part_over").Says(t, "Registration is closed.")
	anna.Get("/"+at).Says(t, ">Withdraw<")

	// It has started: withdrawing takes an arbiter.
	olga.Send(http.MethodPatch, at, map[string]any{"rounds": 1}, apitest.AnyVersion).Want(t, http.StatusOK)
	for _, name := range []string{"Cleo", "Dora"} {
		olga.Post(at+"/entries", map[string]any{"name": name}).Want(t, http.StatusCreated)
	}
	olga.Post(at+"/start", nil).Want(t, http.StatusOK)
	anna.Get("/"+at).Want(t, http.StatusOK).Lacks(t, ">Withdraw<", "/leave")
	anna.PostForm(leave, nil).LedTo(t, at, "part_started")
	bert.PostForm(enter, nil).LedTo(t, at, "part_over")
	anna.Get("/"+at+"?said=part_started").Says(t, "Please tell an arbiter")
	if got := statuses(t, nobody, at); got["Player anna"] != "confirmed" || len(got) != 3 {
		t.Errorf("after the start: %v", got)
	}
}

// TestTakingPartBesideTheCheckIn shows late registrations what is missing, and lets present players leave.
func TestTakingPartBesideTheCheckIn(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga, anna, bert := s.WithRole("olga", account.RoleOrganiser), s.Register("anna"), s.Register("bert")
	at := "/tournaments/" + olga.Draft("Thursday")
	olga.Post(at+"/open", nil).Want(t, http.StatusOK)
	anna.PostForm(at+"/register", nil).LedTo(t, at, "part_in")
	entry := at + "/entries/" + olga.Get(at+"/entries").Text("items", 0, "id")
	olga.Post(at+"/check-in/open", nil).Want(t, http.StatusOK)
	anna.Get("/"+at).Says(t, "Check in Player anna", ">Withdraw<")
	anna.PostForm(entry+"/arrive", nil).Want(t, http.StatusSeeOther)
	olga.Post(at+"/check-in/close", nil).Want(t, http.StatusOK)
	bert.PostForm(at+"/register", nil).LedTo(t, at, "part_in")
	bert.Get("/"+at).Says(t, "the check-in is over. Tell an arbiter")
	anna.Get("/"+at).Says(t, "Player anna is registered").Lacks(t, "the check-in is over")
	anna.PostForm(entry+"/leave", nil).LedTo(t, at, "part_out")
	anna.PostForm(at+"/register", nil).LedTo(t, at, "part_in")
	anna.Get("/"+at).Says(t, "the check-in is over") // a returning player has not been seen
}

// TestTeamsRegisterWithAWord: a player alone cannot enter a team, and the refusal names the people with that right;
// with changing partners all come alone.
func TestTeamsRegisterWithAWord(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga, anna, bert := s.WithRole("olga", account.RoleOrganiser), s.Register("anna"), s.Register("bert")
	at, _ := apitest.TeamDraft(t, olga, "quixo/teams")
	olga.Post(at+"/open", nil).Want(t, http.StatusOK)
	anna.Get("/"+at).Says(t, "This is a tournament for teams.").Lacks(t, ">Take part</button>")
	anna.PostForm(at+"/register", nil).LedTo(t, at, "part_team")
	if got := statuses(t, olga, at); len(got) != 0 {
		t.Errorf("entries %v", got)
	}
	made := anna.Post(at+"/entries", map[string]any{"name": "Blue", "members": []string{anna.Player, bert.Player}}).Want(t, http.StatusCreated)
	anna.Get("/"+at).Says(t, "Blue is registered and waits for members", ">Withdraw<")
	bert.Get("/"+at).Lacks(t, "Teams take part", ">Withdraw<").Says(t, "/agree")
	team := at + "/entries/" + made.Text("id")
	s.Anonymous().PostForm(team+"/agree", nil).Want(t, http.StatusSeeOther)
	s.Register("carla").PostForm(team+"/agree", nil).Want(t, http.StatusForbidden)
	bert.PostForm(at+"/entries/none/agree", nil).Want(t, http.StatusNotFound)
	for range 2 { // it may come twice
		bert.PostForm(team+"/agree", nil).Want(t, http.StatusSeeOther)
	}
	bert.Get("/"+at).Lacks(t, "/agree").Says(t, ">Withdraw<")
	anna.Post(team+"/withdraw", nil).Want(t, http.StatusOK)
	made = anna.Post(at+"/entries", map[string]any{"name": "Blue", "members": []string{anna.Player, bert.Player}}).Want(t, http.StatusCreated)
	team = at + "/entries/" + made.Text("id")
	bert.PostForm(team+"/decline", nil).Want(t, http.StatusSeeOther)
	bert.Get("/"+at).Lacks(t, "/agree")
	made = anna.Post(at+"/entries", map[string]any{"name": "Blue", "members": []string{anna.Player, bert.Player}}).Want(t, http.StatusCreated)
	anna.PostForm(at+"/entries/"+made.Text("id")+"/leave", nil).LedTo(t, at, "part_out")
	bert.Get("/"+at).Lacks(t, "/agree")

	alone := "/tournaments/" + olga.Post("/tournaments", map[string]any{
		"name": "Partners", "variant": "quixo/teams", "format": "table_swiss", "rounds": 2, "time_control": "none", "pairing": map[string]any{"tables": map[string]any{"partners": "rotate"}},
	}).Want(t, http.StatusCreated).Text("id")
	olga.Post(alone+"/open", nil).Want(t, http.StatusOK)
	anna.Get("/"+alone).Says(t, ">Take part</button>")
	anna.PostForm(alone+"/register", nil).LedTo(t, alone, "part_in")
}

// TestTakingPartAtTheSameTime sends the forms of a player at once, against each other and against the start: there is a
// single entry, and the answers to forms agree with the stored state.
func TestTakingPartAtTheSameTime(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga, anna := s.WithRole("olga", account.RoleOrganiser), s.Register("anna")
	at := "/tournaments/" + olga.Draft("Thursday")
	olga.Post(at+"/open", nil).Want(t, http.StatusOK)
	atOnce := func(does ...func()) {
		var all sync.WaitGroup
		for _, do := range does {
			all.Go(do)
		}
		all.Wait()
	}
	told := func(a *apitest.Answer) string {
		to, err := url.Parse(a.Header.Get("Location"))
		if a.Status != http.StatusSeeOther || err != nil {
			t.Errorf("%s: status %d %v\n%s", a.Request, a.Status, err, a.Raw)
			return ""
		}
		return to.Query().Get("said")
	}
	enter := func() {
		if said := told(anna.PostForm(at+"/register", nil)); said != "part_in" {
			t.Errorf("registering said %q", said)
		}
	}
	id := ""
	for range 5 { // new, and again after a withdrawal
		atOnce(enter, enter, enter, enter)
		list := olga.Get(at+"/entries").Want(t, http.StatusOK)
		if n := len(list.List("items")); n != 1 || list.Text("items", 0, "status") != "registered" || id != "" && list.Text("items", 0, "id") != id {
			t.Fatalf("%s", list.Raw)
		}
		id = list.Text("items", 0, "id")
		anna.PostForm(at+"/entries/"+id+"/leave", nil).LedTo(t, at, "part_out")
	}
	enter()
	olga.Send(http.MethodPatch, at, map[string]any{"rounds": 1}, apitest.AnyVersion).Want(t, http.StatusOK)
	for _, name := range []string{"Cleo", "Dora"} {
		olga.Post(at+"/entries", map[string]any{"name": name}).Want(t, http.StatusCreated)
	}
	said := ""
	atOnce(
		func() { said = told(anna.PostForm(at+"/entries/"+id+"/leave", nil)) },
		func() {
			if a := olga.Post(at+"/start", nil); a.Status != http.StatusOK {
				t.Errorf("%s", a.Raw)
			}
		},
	)
	entry := olga.Get(at+"/entries/"+id).Want(t, http.StatusOK)
	switch status := entry.Text("status"); {
	case said == "part_out" && status == "withdrawn" && entry.Number("number") == 0:
	case said == "part_started" && status == "confirmed" && entry.Number("number") > 0:
	default:
		t.Errorf("the form was told %q: %s", said, entry.Raw)
	}
}
