package arbiter_test

import (
	"net/http"
	"net/url"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

func TestMain(m *testing.M) { apitest.Main(m) }

// ruling is an act of an arbiter as its form sends it, and what comes of it.
type ruling struct {
	name      string
	act       string
	form      url.Values // with a reason, unless it has another
	status    int
	has, lack []string // of the page that answers
}

// do sends a form.
func (r ruling) do(t *testing.T, by apitest.Person, game string) {
	t.Helper()
	form := url.Values{"reason": {"The lamp failed."}}
	for name, value := range r.form {
		form[name] = value
	}
	answer := by.PostForm(game+"/arbiter/"+r.act, form).Want(t, r.status).Says(t, r.has...)
	answer.Lacks(t, r.lack...)
}

// TestArbitersActOnTheGamesPage pauses a game, changes a clock, resumes, takes back, and decides: after each act the page
// shows it.
func TestArbitersActOnTheGamesPage(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga, ada, bob := s.WithRole("olga", account.RoleOrganiser), s.Register("ada"), s.Register("bob")
	path, round := apitest.StartTournament(t, olga, ada, bob)
	id, seated := apitest.BoardOne(t, round, ada, bob)
	game := "/games/" + id
	apitest.Play(t, id, seated[0], 1, "c1-c5")
	olga.Get("/"+path+"/desk?tab=arbiter").Want(t, http.StatusOK).
		Says(t, "Games being played", "data-clock", "1 move", "Act as arbiter")
	olga.Get("/"+game).Want(t, http.StatusOK).Says(t, "For the arbiter", "Take moves back", "Decide the game").
		Lacks(t, "ruling\" open")
	for _, tt := range []struct {
		ruling
		then func(game *apitest.Answer) bool
	}{
		{
			ruling{name: "a pause", act: "pause", status: http.StatusSeeOther},
			func(g *apitest.Answer) bool { return g.Text("status") == "paused" },
		},
		{
			ruling{
				name: "a minute more", act: "clock", status: http.StatusSeeOther,
				form: url.Values{"seat": {"2"}, "how": {"add"}, "time": {"1:00"}},
			},
			func(g *apitest.Answer) bool { return g.Number("seats", 1, "remaining_ms") >= 358_000 },
		},
		{
			ruling{
				name: "a minute and a half less", act: "clock", status: http.StatusSeeOther,
				form: url.Values{"seat": {"2"}, "how": {"take"}, "time": {"0:01:30"}},
			},
			func(g *apitest.Answer) bool {
				left := g.Number("seats", 1, "remaining_ms")
				return left >= 268_000 && left <= 275_000
			},
		},
		{
			ruling{
				name: "a clock set", act: "clock", status: http.StatusSeeOther,
				form: url.Values{"seat": {"1"}, "how": {"set"}, "time": {"1:00:05"}},
			},
			func(g *apitest.Answer) bool { return g.Number("seats", 0, "remaining_ms") == 3_605_000 },
		},
		{
			ruling{name: "the end of the pause", act: "resume", status: http.StatusSeeOther},
			func(g *apitest.Answer) bool { return g.Text("status") == "running" },
		},
		{
			ruling{
				name: "a move taken back", act: "takeback", status: http.StatusSeeOther,
				form: url.Values{"turn": {"2"}, "plies": {"1"}},
			},
			func(g *apitest.Answer) bool { return g.Number("plies") == 0 },
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.do(t, olga, game)
			if now := olga.Get(game).Want(t, http.StatusOK); !tt.then(now) {
				t.Errorf("the game is %s", now.Raw)
			}
		})
	}
	seated[0].Post(game+"/moves", apitest.Move(1, 3, "c1-c5")).Want(t, http.StatusOK)
	ruling{act: "decide", status: http.StatusSeeOther, form: url.Values{"result": {"0-1"}}}.do(t, olga, game)
	if r := olga.Get(path+"/rounds/1").Want(t, http.StatusOK); r.Text("pairings", 0, "result") != "0-1" {
		t.Errorf("the round has %s", r.Raw)
	}
	olga.Get("/"+game).Want(t, http.StatusOK).Says(t, "The lamp failed.").Lacks(t, "Take moves back")
}

// TestWhatArbitersAreRefused sends forms that change nothing: the page shows what was typed, and what was wrong with it.
func TestWhatArbitersAreRefused(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga, ada, bob := s.WithRole("olga", account.RoleOrganiser), s.Register("ada"), s.Register("bob")
	_, round := apitest.StartTournament(t, olga, ada, bob)
	id, seated := apitest.BoardOne(t, round, ada, bob)
	game := "/games/" + id
	apitest.Play(t, id, seated[0], 1, "c1-c5")
	before := olga.Get(game).Want(t, http.StatusOK)
	const wrong, conflict = http.StatusUnprocessableEntity, http.StatusConflict
	alert := []string{`role="alert"`, `ruling" open`}
	for _, r := range []ruling{
		{name: "no act", act: "nothing", status: http.StatusNotFound},
		{name: "no reason", act: "pause", form: url.Values{"reason": {" "}}, status: wrong, has: alert},
		{
			name: "a time in words", act: "clock", form: url.Values{"seat": {"2"}, "how": {"add"}, "time": {"soon"}}, status: wrong,
			has: append(alert, `value="soon"`, "such as 5:00", "Please check your input."),
		},
		{
			name: "seconds above 59", act: "clock", form: url.Values{"seat": {"2"}, "how": {"add"}, "time": {"1:60"}},
			status: wrong, has: append(alert, `value="1:60"`, "such as 5:00"),
		},
		{
			name: "minutes alone", act: "clock", form: url.Values{"seat": {"2"}, "how": {"add"}, "time": {"5"}},
			status: wrong, has: append(alert, "such as 5:00"),
		},
		{
			name: "neither added nor taken", act: "clock", form: url.Values{"seat": {"2"}, "how": {"x"}, "time": {"5:00"}},
			status: http.StatusBadRequest, lack: []string{"such as 5:00"},
		},
		{
			name: "a seat that the game lacks", act: "forfeit", form: url.Values{"seat": {"9"}}, status: http.StatusBadRequest,
			has: alert,
		},
		{name: "no seat", act: "forfeit", status: http.StatusBadRequest, lack: []string{"ruling"}},
		{
			name: "a turn that is over", act: "takeback", form: url.Values{"turn": {"1"}, "plies": {"1"}}, status: conflict,
			has: alert,
		},
		{
			name: "no moves", act: "takeback", form: url.Values{"turn": {"2"}, "plies": {"0"}}, status: wrong,
			has: append(alert, "how many moves are taken back"),
		},
		{
			name: "a result by forfeit", act: "decide", form: url.Values{"result": {"+--"}}, status: wrong,
			has: append(alert, "1-0, 1/2-1/2 or 0-1"),
		},
		{name: "a game that is not paused", act: "resume", status: conflict, has: alert},
		{
			name: "a cause in two words", act: "resume", form: url.Values{"cause": {"two words"}},
			status: http.StatusBadRequest, lack: []string{"two words"},
		},
		{name: "clocks that run already", act: "start", status: http.StatusSeeOther},
	} {
		t.Run(r.name, func(t *testing.T) { r.do(t, olga, game) })
	}
	after := olga.Get(game).Want(t, http.StatusOK)
	if before.Number("version") != after.Number("version") {
		t.Errorf("the game was changed from %s\nto %s", before.Raw, after.Raw)
	}
}

// TestOnlyArbitersAct sends every act as others: players and organisers of other tournaments are refused, guests are led
// to the login.
func TestOnlyArbitersAct(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga, ada, bob := s.WithRole("olga", account.RoleOrganiser), s.Register("ada"), s.Register("bob")
	_, round := apitest.StartTournament(t, olga, ada, bob)
	id, _ := apitest.BoardOne(t, round, ada, bob)
	game := "/games/" + id
	for _, tt := range []struct {
		name   string
		by     apitest.Person
		status int
	}{
		{"a player", ada, http.StatusForbidden},
		{"an organiser of others", s.WithRole("otto", account.RoleOrganiser), http.StatusForbidden},
		{"a guest", s.Anonymous(), http.StatusSeeOther},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.by.Get("/"+game).Want(t, http.StatusOK).Lacks(t, "For the arbiter")
			for _, act := range []string{"pause", "resume", "clock", "takeback", "forfeit", "decide", "start", "nothing"} {
				ruling{act: act, form: url.Values{"seat": {"1"}}, status: tt.status}.do(t, tt.by, game)
			}
		})
	}
	if g := olga.Get(game).Want(t, http.StatusOK); g.Number("plies") != 0 || g.Text("status") == "paused" {
		t.Errorf("the game was changed: %s", g.Raw)
	}
}
