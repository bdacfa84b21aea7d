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
	"quatuor/engine/player"
	"quatuor/engine/player/alphabeta"
)

// nim is a game that the program does not know: five matches, each seat in turn takes up to two, the last match wins.
type nim struct{}

func (nim) Info() engine.Info {
	return engine.Info{
		ID: "nim/five", Seats: []int{2}, Sides: 2, Game: "Nim", Name: "Nim with five",
		Summary: "Take one or two of five matches in turn; the last match wins.",
	}
}

func (nim) Start(engine.Setup) (engine.State, error) { return matches{left: 5, turn: 1}, nil }

// Parse reads positions like "3 2": three matches left, seat 2 on turn.
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

// matchesView is the view of every viewer.
type matchesView struct {
	Left int `json:"left"`
}

func (s matches) View(engine.Viewer) engine.View { return matchesView{s.left} }

func (matches) Redact(_ engine.Viewer, log []engine.Event) []engine.Event { return log }

func (s matches) Position() string { return strconv.Itoa(s.left) + " " + s.Pending().Status() }

// Cursor implements [engine.Walkable].
func (s matches) Cursor() engine.Cursor { return &walk{now: s} }

// walk is a cursor of nim.
type walk struct {
	now  matches
	past []matches
}

func (w *walk) Turn() engine.Seat { return w.now.turn }

func (w *walk) Winner() engine.Side {
	if w.now.end == nil || w.now.end.Ranks[0] == w.now.end.Ranks[1] {
		return 0
	}
	return engine.Side(w.now.end.Ranks[0]) // ranks 1,2 or 2,1
}

func (w *walk) Steps(list []engine.Step) []engine.Step {
	for i := range w.now.Legal(w.now.turn) {
		list = append(list, engine.Step(i+1))
	}
	return list
}

func (w *walk) Make(step engine.Step) {
	w.past = append(w.past, w.now)
	next, err := w.now.Apply(engine.Event{Kind: engine.Moved, Seat: w.now.turn, Text: string(w.Move(step))})
	if err != nil {
		panic(err)
	}
	w.now = next.(matches)
	if w.now.end != nil {
		w.now.turn = 0
	}
}

func (w *walk) Unmake() {
	if n := len(w.past); n > 0 {
		w.now, w.past = w.past[n-1], w.past[:n-1]
	}
}

func (w *walk) Key() uint64 { return uint64(w.now.left)<<8 | uint64(w.now.turn) }

func (w *walk) Move(step engine.Step) engine.Move { return engine.Move(fmt.Sprint("take", step)) }

// nimFace is the face of nim: a row of matches, and a bot.
type nimFace struct{ face.Plain }

func (nimFace) Draw(d *face.Drawing, p engine.Projection) {
	left := p.View.(matchesView).Left
	d.Width, d.Height = 5*face.Unit, face.Unit
	for i := range left {
		d.Piece(face.Unit*(float64(i)+0.5), face.Unit/2, 10, 1)
	}
	d.Rank(1, []string{strconv.Itoa(left)})
}

func (nimFace) Did(_ face.Words, m face.Move) (string, bool) {
	return fmt.Sprint("leaves ", m.After.(matchesView).Left), false
}

func (nimFace) Choice(_ face.Words, view engine.View, _ engine.Seat, token string) face.Choice {
	return face.Choice{Words: "Take " + token[4:], Note: fmt.Sprint("of ", view.(matchesView).Left)}
}

func (nimFace) Search(seen face.Seen, _ int) *face.Search {
	return &face.Search{Game: nimPosition{seen.State.Cursor(), seen.Seat}, Nodes: 9, Progresses: true}
}

// nimPosition is a position of nim as its bot searches it.
type nimPosition struct {
	engine.Cursor
	me engine.Seat
}

func (p nimPosition) Over() bool                                  { return p.Turn() == 0 }
func (p nimPosition) Mine() bool                                  { return p.Turn() == p.me }
func (p nimPosition) Candidates(list []engine.Step) []engine.Step { return p.Steps(list) }

func (p nimPosition) Value() int {
	if !p.Over() {
		return 0
	}
	return alphabeta.Decided(p.Winner(), engine.Side(p.me))
}

func init() { catalog.Add(nimFace{}, nim{}) }

func TestNewGameKeepsTheLaws(t *testing.T) { enginetest.Run(t, nim{}, enginetest.Hooks{}) }

// TestNewGameIsServed plays a tournament game of a variant that nothing but the catalogue knows, and looks at it over
// REST and on the pages, with its drawing, its words and its notation: adding a game changes nothing else.
func TestNewGameIsServed(t *testing.T) {
	s := serve(t)
	s.account("olga", true)
	ada, bob := s.account("ada", false), s.account("bob", false)
	if list := s.get("/api/v1/variants"); !strings.Contains(list, `"Take one or two of five matches`) {
		t.Errorf("the variants are %s", list)
	}
	cup := s.post("olga", "/tournaments",
		`{"name":"Nim Cup","variant":"nim/five","format":"round_robin","time_control":"300","rated":true}`)
	s.post("olga", "/tournaments/"+cup["id"].(string)+"/open", "")
	for _, player := range []string{ada, bob} {
		s.post("olga", "/tournaments/"+cup["id"].(string)+"/entries", `{"player_id":"`+player+`"}`)
	}
	s.post("olga", "/tournaments/"+cup["id"].(string)+"/start", "")
	round := s.post("olga", "/tournaments/"+cup["id"].(string)+"/rounds", "")
	id := round["pairings"].([]any)[0].(map[string]any)["game_id"].(string)

	turn := s.players(id, map[string]string{ada: "ada", bob: "bob"})
	if _, page := s.send(http.MethodGet, "/games/"+id, turn[1], ""); !strings.Contains(page, "Take 2") ||
		!strings.Contains(page, "of 5") {
		t.Errorf("seat 1 cannot choose its move:\n%s", page)
	}
	for i, move := range []string{"take2", "take1", "take2"} {
		seat := 1 + i%2
		game := s.post(turn[seat], "/games/"+id+"/moves", fmt.Sprintf(`{"seat":%d,"turn":%d,"move":%q}`, seat, i+1, move))
		if i == 2 && (game["status"] != "finished" || game["position"] != "0 =1,2:last") {
			t.Errorf("after the last move: %v", game)
		}
	}
	if v := s.post("", "/replay",
		`{"variant":"nim/five","moves":["take2","take1","take2"]}`); v["position"] != "0 =1,2:last" {
		t.Errorf("replayed: %v", v)
	}
	for page, want := range map[string][]string{
		"/games/" + id:                            {"Nim with five", "Rank 1: 0.", "leaves 0"},
		"/games/" + id + "?ply=0":                 {"Rank 1: 5.", "b-piece b-seat-1"},
		"/games/" + id + "/board.svg":             {"<svg"},
		"/analysis?variant=nim/five&moves=take2":  {"Rank 1: 3.", "Take 1"},
		"/tournaments/" + cup["id"].(string):      {"Nim with five", "Ada"},
		"/players/" + ada:                         {"Nim"},
		"/ratings":                                {"Nim"},
		"/api/v1/games/" + id + "/record":         {`"nim/five"`, "1. take2"},
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

// TestNewGameHasBots plays nim by the bots: with five matches left, or two, the seat on turn wins, and level 3 sees it.
func TestNewGameHasBots(t *testing.T) {
	setup, err := engine.NewSetup(nim{}.Info(), 0, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := engine.NewMatch(nim{}, setup)
	if err != nil {
		t.Fatal(err)
	}
	bot := player.New()
	for !m.Pending().Over() {
		seat := m.Pending().Awaited[0]
		choice, err := bot.Choose(player.See(m, seat), 1+2*int(seat%2), 7, player.Budget{Nodes: 100})
		if err != nil {
			t.Fatal(err)
		}
		if m, err = m.After(engine.Event{Kind: engine.Moved, Seat: seat, Text: string(choice.Move)}); err != nil {
			t.Fatal(err)
		}
	}
	if ranks := m.Pending().Outcome.Ranks; ranks[0] != 1 {
		t.Errorf("the bot of level 3 lost a game that was won: %v", m.Events())
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
		player = s.post("", "/accounts", fmt.Sprintf(`{"login":%q,"password":%q,"player_name":%q}`, login, testPassword,
			name))["player_id"].(string)
	}
	s.tokens[login] = s.post("", "/sessions", fmt.Sprintf(`{"login":%q,"password":%q}`, login,
		testPassword))["access_token"].(string)
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
