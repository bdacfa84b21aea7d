package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/app/apptest"
	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/enginetest"
	"quatuor/engine/face"
)

// nim is a game that the program does not know: five matches, each seat in turn takes one or two, the last match wins.
type nim struct{}

func (nim) Info() engine.Info {
	return engine.Info{
		ID: "nim/five", Seats: []int{2}, Sides: 2, Game: "Nim", Name: "Nim with five",
		Summary: "Take one or two of five matches in turn; the last match wins.",
	}
}

func (nim) Start(engine.Setup) (engine.State, error) { return matches{left: 5, turn: 1}, nil }

// Parse reads positions such as "3 2": three matches left, seat 2 on turn.
func (n nim) Parse(_ engine.Setup, position string) (engine.State, error) {
	left, status, _ := strings.Cut(position, " ")
	count, err := strconv.Atoi(left)
	if err != nil || count < 0 || count > 5 || strconv.Itoa(count) != left {
		return nil, fmt.Errorf("%q is no position of nim", position)
	}
	pending, err := engine.ParseStatus(n.Info(), 2, status)
	if err != nil {
		return nil, err
	}
	s := matches{left: count, end: pending.Outcome}
	if s.end == nil {
		s.turn = pending.Awaited[0]
	}
	if s.end == nil && s.left == 0 || s.end != nil && s.left > 0 && s.end.Reason == engine.ReasonLast {
		return nil, fmt.Errorf("%q: a game of nim is over when no match is left", position)
	}
	return s, nil
}

// matches is a state of nim.
type matches struct {
	left int
	turn engine.Seat
	end  *engine.Outcome
}

func (s matches) Pending() engine.Pending {
	if s.end != nil {
		return engine.Pending{Outcome: s.end}
	}
	return engine.Await(s.turn)
}

func (s matches) Legal(seat engine.Seat) []engine.Move {
	switch {
	case s.end != nil || seat != s.turn:
		return nil
	case s.left == 1:
		return []engine.Move{"take1"}
	}
	return []engine.Move{"take1", "take2"}
}

func (s matches) Apply(e engine.Event) (engine.State, error) {
	if s.end != nil {
		return nil, engine.Refuse(engine.ErrOver, "the game is over")
	}
	if e.Kind != engine.Moved {
		seat, reason, err := engine.Leaver(e, 2)
		if err != nil {
			return nil, err
		}
		return s.wonBy(3-seat, reason), nil
	}
	if e.Text != "take1" && e.Text != "take2" {
		return nil, engine.Refuse(engine.ErrNotation, "%q is no move; moves are take1 and take2", engine.Clip(e.Text))
	}
	seat, err := engine.Mover(s.Pending(), e)
	if err != nil {
		return nil, err
	}
	taken := int(e.Text[4] - '0')
	if taken > s.left {
		return nil, engine.Refuse(engine.ErrIllegal, "only %d is left", s.left)
	}
	s.left -= taken
	if s.left == 0 {
		return s.wonBy(seat, engine.ReasonLast), nil
	}
	s.turn = 3 - seat
	return s, nil
}

func (s matches) wonBy(seat engine.Seat, reason engine.Reason) matches {
	return matches{left: s.left, end: engine.Won(nim{}.Info(), 2, engine.Side(seat), reason)}
}

func (s matches) Draw(reason engine.Reason) engine.State {
	return matches{left: s.left, end: &engine.Outcome{Ranks: []int{1, 1}, Reason: reason}}
}

func (s matches) Decide(ranks []int) engine.State {
	return matches{left: s.left, end: &engine.Outcome{Ranks: ranks, Reason: engine.ReasonAdjudication}}
}

// matchesView is what every viewer sees.
type matchesView struct {
	Left int `json:"left"`
}

func (s matches) View(engine.Viewer) engine.View { return matchesView{s.left} }

func (matches) Redact(_ engine.Viewer, log []engine.Event) []engine.Event { return log }

func (s matches) Position() string { return strconv.Itoa(s.left) + " " + s.Pending().Status() }

func init() { catalog.Add(face.Plain{}, nim{}) }

func TestNewGameKeepsTheLaws(t *testing.T) { enginetest.Run(t, nim{}, enginetest.Hooks{}) }

// TestNewGameIsServed plays a tournament game of a variant that nothing but the catalogue knows, and looks at it over
// REST and on the pages: adding a game changes nothing else.
func TestNewGameIsServed(t *testing.T) {
	s := serve(t)
	s.account("olga", true)
	ada, bob := s.account("ada", false), s.account("bob", false)
	if list := s.get("/api/v1/variants"); !strings.Contains(list, `"Take one or two of five matches`) {
		t.Errorf("the variants are %s", list)
	}
	cup := s.post("olga", "/tournaments", `{"name":"Nim Cup","variant":"nim/five","format":"round_robin","time_control":"300","rated":true}`)
	s.post("olga", "/tournaments/"+cup["id"].(string)+"/open", "")
	for _, player := range []string{ada, bob} {
		s.post("olga", "/tournaments/"+cup["id"].(string)+"/entries", `{"player_id":"`+player+`"}`)
	}
	s.post("olga", "/tournaments/"+cup["id"].(string)+"/start", "")
	round := s.post("olga", "/tournaments/"+cup["id"].(string)+"/rounds", "")
	id := round["pairings"].([]any)[0].(map[string]any)["game_id"].(string)

	turn := s.players(id, map[string]string{ada: "ada", bob: "bob"})
	for i, move := range []string{"take2", "take1", "take2"} {
		seat := 1 + i%2
		game := s.post(turn[seat], "/games/"+id+"/moves", fmt.Sprintf(`{"seat":%d,"turn":%d,"move":%q}`, seat, i+1, move))
		if i == 2 && (game["status"] != "finished" || game["position"] != "0 =1,2:last") {
			t.Errorf("after the last move: %v", game)
		}
	}
	for page, want := range map[string][]string{
		"/games/" + id:                            {"Nim with five", "0"},
		"/tournaments/" + cup["id"].(string):      {"Nim with five", "Ada"},
		"/players/" + ada:                         {"Nim"},
		"/ratings":                                {"Nim"},
		"/api/v1/games/" + id + "/record":         {`"nim/five"`},
		"/api/v1/games/" + id + "/rating-changes": {"nim-"},
	} {
		body := s.get(page)
		for _, text := range want {
			if !strings.Contains(body, text) {
				t.Errorf("%s does not say %q:\n%s", page, text, body)
			}
		}
	}
}

// service is the program as it ships, on an empty database, without a network.
type service struct {
	t      *testing.T
	app    *app.App
	tokens map[string]string // by login
}

const testPassword = "a long pass phrase of the club"

func serve(t *testing.T) *service {
	t.Helper()
	a := apptest.Run(t, app.Config{Logger: slog.New(slog.DiscardHandler)})
	return &service{t: t, app: a, tokens: map[string]string{}}
}

func (s *service) send(method, path, login, body string) (int, string) {
	s.t.Helper()
	r := httptest.NewRequestWithContext(s.t.Context(), method, path, bytes.NewReader([]byte(body)))
	r.Header.Set("Accept", "*/*")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if token := s.tokens[login]; token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	w := httptest.NewRecorder()
	s.app.Handler.ServeHTTP(w, r)
	answer, err := io.ReadAll(w.Result().Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return w.Code, string(answer)
}

func (s *service) get(path string) string {
	s.t.Helper()
	status, body := s.send(http.MethodGet, path, "", "")
	if status != http.StatusOK {
		s.t.Fatalf("GET %s: %d %s", path, status, body)
	}
	return body
}

func (s *service) post(login, path, body string) map[string]any {
	s.t.Helper()
	status, text := s.send(http.MethodPost, "/api/v1"+path, login, body)
	var answer map[string]any
	if err := json.Unmarshal([]byte(text), &answer); err != nil || status >= http.StatusBadRequest {
		s.t.Fatalf("POST %s: %d %s", path, status, text)
	}
	return answer
}

// account opens an account, logs it in, and returns its player's id, which an admin does without.
func (s *service) account(login string, admin bool) (player string) {
	s.t.Helper()
	if admin {
		if err := app.CreateAdmin(s.t.Context(), s.app.Store, login, testPassword); err != nil {
			s.t.Fatal(err)
		}
	} else {
		name := strings.ToUpper(login[:1]) + login[1:]
		player = s.post("", "/accounts", fmt.Sprintf(`{"login":%q,"password":%q,"player_name":%q}`, login, testPassword, name))["player_id"].(string)
	}
	s.tokens[login] = s.post("", "/sessions", fmt.Sprintf(`{"login":%q,"password":%q}`, login, testPassword))["access_token"].(string)
	return player
}

// players returns the logins of a game's players by seat.
func (s *service) players(game string, logins map[string]string) map[int]string {
	s.t.Helper()
	var shown struct {
		Seats []struct{ Player struct{ ID string } }
	}
	if err := json.Unmarshal([]byte(s.get("/api/v1/games/"+game)), &shown); err != nil {
		s.t.Fatal(err)
	}
	bySeat := map[int]string{}
	for i, seat := range shown.Seats {
		bySeat[i+1] = logins[seat.Player.ID]
	}
	return bySeat
}
