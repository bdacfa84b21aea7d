package rest_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"quatuor/api/apitest"
	"quatuor/cmd/quatuor/seasonlines"
)

// arenaEvening is an arena over REST.
type arenaEvening struct {
	*apitest.Service
	t       *testing.T
	olga    apitest.Person
	path    string
	players map[string]apitest.Person // by player id
	over    map[string]int64          // when each open game ends, ms
	ends    int64                     // shortly before its end, ms
	chance  *rand.Rand
}

const arenaOf = `{"name":"Arena","variant":"quixo/duel","format":"arena","time_control":"300+2","rated":true,
	"pairing":{"arena":{"length":%d,"tick":5}}}`

// newArena opens an arena that players have joined, and starts it.
func newArena(t *testing.T, minutes, players int, change ...func(*apitest.Config)) *arenaEvening {
	s := apitest.New(t, change...)
	return openArena(s, t, fmt.Sprintf(arenaOf, minutes), minutes, players)
}

// openArena is newArena with any settings.
func openArena(s *apitest.Service, t *testing.T, settings string, minutes, players int) *arenaEvening {
	x := &arenaEvening{
		Service: s, t: t, olga: apitest.LongLived(s.WithRole("olga", "organiser")), players: map[string]apitest.Person{},
		over:   map[string]int64{},
		chance: rand.New(rand.NewPCG(3, 5)),
	}
	x.path = "/tournaments/" + x.olga.Post("/tournaments", settings).Want(t, http.StatusCreated).Text("id")
	x.olga.Post(x.path+"/open", nil).Want(t, http.StatusOK)
	for i := range players {
		p := apitest.LongLived(s.Register(fmt.Sprintf("p%02d", i)))
		x.players[p.Player] = p
		p.Post(x.path+"/arena/join", nil).Want(t, http.StatusOK)
	}
	x.olga.Post(x.path+"/start", nil).Want(t, http.StatusOK)
	x.ends = x.Now().UnixMilli() + int64(minutes)*60_000 - 20_000
	return x
}

// lookAfter passes some time and looks after the arena.
func (x *arenaEvening) lookAfter(d time.Duration) {
	x.t.Helper()
	for ; ; d -= 5 * time.Second { // in the steps of ticks: a longer step is an outage, which is given back
		x.Pass(min(d, 5*time.Second))
		if err := x.TickArenas(x.t.Context()); err != nil {
			x.t.Fatal(err)
		}
		if d <= 5*time.Second {
			return
		}
	}
}

// look is lookAfter, and returns the arena.
func (x *arenaEvening) look(d time.Duration) *apitest.Answer {
	x.t.Helper()
	x.lookAfter(d)
	return x.Anonymous().Get(x.path+"/arena").Want(x.t, http.StatusOK)
}

// seats returns the players of a game by seat.
func (x *arenaEvening) seats(game string) (first, second apitest.Person) {
	x.t.Helper()
	a := x.Anonymous().Get("/games/"+game).Want(x.t, http.StatusOK)
	return x.players[a.Text("seats", 0, "player", "id")], x.players[a.Text("seats", 1, "player", "id")]
}

// play ends a game: after a move of each, without any, or drawn.
func (x *arenaEvening) play(game string) {
	x.t.Helper()
	first, second := x.seats(game)
	path := "/games/" + game
	if x.chance.IntN(4) == 0 {
		first.Post(path+"/berserk", nil).Want(x.t, http.StatusOK)
	}
	how := x.chance.IntN(8)
	if how == 0 { // without a move
		first.Post(path+"/resign", nil).Want(x.t, http.StatusOK)
		return
	}
	first.Post(path+"/moves", apitest.Move(1, 1, "c1-c5")).Want(x.t, http.StatusOK)
	second.Post(path+"/moves", apitest.Move(2, 2, "a1-e1")).Want(x.t, http.StatusOK)
	switch {
	case how == 1:
		first.Post(path+"/draw", `{"action":"offer"}`).Want(x.t, http.StatusOK)
		second.Post(path+"/draw", `{"action":"accept"}`).Want(x.t, http.StatusOK)
	case how < 5:
		second.Post(path+"/resign", nil).Want(x.t, http.StatusOK)
	default:
		first.Post(path+"/resign", nil).Want(x.t, http.StatusOK)
	}
}

// TestAnArenaOverREST plays an hour of sixty players, with a clock that is pushed forward, and computes the table from
// what is exported.
func TestAnArenaOverREST(t *testing.T) {
	minutes, players := apitest.Amount(8, 20, 60), apitest.Amount(12, 40, 60)
	x := newArena(t, minutes, players)
	for i := range minutes * 60 / 5 {
		if i%3 != 0 {
			x.lookAfter(5 * time.Second)
			continue
		}
		a := x.look(5 * time.Second)
		now := x.Now().UnixMilli()
		for i := range a.List("rows") {
			game := a.Text("rows", i, "game_id")
			if _, known := x.over[game]; game != "" && !known {
				x.over[game] = now + (60+x.chance.Int64N(190))*1000 // well before the clock of 300 s, which also runs by itself
			}
		}
		for game, at := range x.over {
			if at > 0 && at <= now {
				x.play(game)
				x.over[game] = 0
			}
		}
		for i := range a.List("rows") { // a player that forfeited comes back
			if now > x.ends {
				break
			}
			if a.Text("rows", i, "waiting_since") == "" && a.Text("rows", i, "game_id") == "" {
				for _, p := range x.players {
					if "Player "+p.Account[len("account-of-"):] == a.Text("rows", i, "entry", "name") && x.chance.IntN(5) == 0 {
						p.Post(x.path+"/arena/join", nil).Want(t, http.StatusOK)
					}
				}
			}
		}
	}
	x.look(5 * time.Second)
	last := x.look(6 * time.Minute)
	if last.Text("status") != "finished" || last.Number("games") != 0 {
		t.Fatalf("the arena is %s with %v games after its end", last.Text("status"), last.At("games"))
	}
	x.computed(last)
	if n := len(x.over); n < minutes*players/12 {
		t.Errorf("only %d games were played", n)
	}
	// a correction of the arbiter recomputes
	board := int(last.Number("rows", 0, "scores", 0, "board"))
	x.olga.Send(http.MethodPut, fmt.Sprintf("%s/rounds/1/pairings/%d/result", x.path, board),
		map[string]any{"result": "1/2-1/2", "reason": "seen"}, apitest.Header{"If-Match", "*"}).Want(t, http.StatusOK)
	x.computed(x.Anonymous().Get(x.path+"/arena").Want(t, http.StatusOK))
}

// computed compares the table with what the command line computes from the exported games, and with the standings.
func (x *arenaEvening) computed(a *apitest.Answer) {
	x.t.Helper()
	exported := x.Anonymous().Get(x.path+"/arena/games").Want(x.t, http.StatusOK).Raw
	var out bytes.Buffer
	err := seasonlines.Answer("arena", bytes.NewReader(append(bytes.TrimSpace(exported), '\n')), &out,
		func(e *seasonlines.LineError) { x.t.Fatal(e) })
	if err != nil {
		x.t.Fatal(err)
	}
	var want struct {
		Order  []string
		Points []float64
		Sheets [][]float64
	}
	if err := json.Unmarshal(out.Bytes(), &want); err != nil {
		x.t.Fatal(err)
	}
	if len(a.List("rows")) != len(want.Order) {
		x.t.Fatalf("%d rows, want %d", len(a.List("rows")), len(want.Order))
	}
	standings := x.Anonymous().Get(x.path+"/standings").Want(x.t, http.StatusOK)
	for i, id := range want.Order {
		var sheet []float64
		for k := range a.List("rows", i, "scores") {
			sheet = append(sheet, a.Number("rows", i, "scores", k, "points"))
		}
		got := fmt.Sprint(a.Text("rows", i, "entry", "id"), a.Number("rows", i, "points"), sheet)
		if should := fmt.Sprint(id, want.Points[i], want.Sheets[i]); got != should {
			x.t.Fatalf("row %d is %s, want %s", i+1, got, should)
		}
		if standings.Text("rows", i, "entry", "id") != id || standings.Number("rows", i, "rank") != float64(i+1) {
			x.t.Fatalf("the standings have another entry in place %d", i+1)
		}
	}
}

// TestArenaRefusals are joining, leaving and berserk twice, too late, and by others.
func TestArenaRefusals(t *testing.T) {
	x := newArena(t, 10, 2)
	a := x.look(5 * time.Second)
	game := a.Text("rows", 0, "game_id")
	first, second := x.seats(game)
	path := "/games/" + game
	guest := apitest.LongLived(x.Register("guest"))
	x.Anonymous().Post(x.path+"/arena/join", nil).Want(t, http.StatusUnauthorized)
	x.olga.Post(x.path+"/arena/join", nil).Refused(t, http.StatusConflict, "no-player")
	guest.Post(path+"/berserk", nil).Refused(t, http.StatusForbidden, "not-your-seat")
	second.Post(path+"/berserk", map[string]any{"seat": 1}).Refused(t, http.StatusForbidden, "not-your-seat")
	once := second.Post(path+"/berserk", nil).Want(t, http.StatusOK)
	if left := once.Number("seats", 1, "remaining_ms"); left != 150_000 {
		t.Errorf("%v ms left, want half of the time", left)
	}
	twice := second.Post(path+"/berserk", nil).Want(t, http.StatusOK)
	if once.Number("version") != twice.Number("version") {
		t.Error("berserk twice changed the game")
	}
	first.Post(path+"/moves", apitest.Move(1, 1, "c1-c5")).Want(t, http.StatusOK)
	first.Post(path+"/berserk", nil).Refused(t, http.StatusConflict, "no-berserk")
	moved := second.Post(path+"/moves", apitest.Move(2, 2, "a1-e1")).Want(t, http.StatusOK)
	if left := moved.Number("seats", 1, "remaining_ms"); left > 150_000 {
		t.Errorf("%v ms left after a move in berserk, which has no increment", left)
	}
	// another arena at the same time
	other := "/tournaments/" + x.olga.Post("/tournaments", fmt.Sprintf(arenaOf, 10)).Want(t, http.StatusCreated).Text("id")
	x.olga.Post(other+"/open", nil).Want(t, http.StatusOK)
	x.olga.Post(other+"/start", nil).Want(t, http.StatusOK)
	first.Post(other+"/arena/join", nil).Refused(t, http.StatusConflict, "wrong-state")
	guest.Post(other+"/arena/join", nil).Want(t, http.StatusOK)
	// in and out
	guest.Post(x.path+"/arena/leave", nil).Want(t, http.StatusOK)
	first.Post(x.path+"/arena/leave", nil).Want(t, http.StatusOK)
	first.Post(x.path+"/arena/leave", nil).Want(t, http.StatusOK)
	before := first.Post(x.path+"/arena/join", nil).Want(t, http.StatusOK)
	if again := first.Post(x.path+"/arena/join", nil).
		Want(t, http.StatusOK); before.Number("players") != again.Number("players") {
		t.Error("joining twice changed something")
	}
	for range 121 {
		x.look(5 * time.Second)
	}
	x.look(6 * time.Minute)
	if got := x.look(5 * time.Second).Text("status"); got != "finished" {
		t.Errorf("the arena is %s after its end", got)
	}
	guest.Post(x.path+"/arena/join", nil).Refused(t, http.StatusConflict, "wrong-state")
	x.Anonymous().Get("/tournaments/nobody/arena").Want(t, http.StatusNotFound)
	swiss := "/tournaments/" + x.olga.Post("/tournaments", `{"name":"S","variant":"quixo/duel","format":"swiss","time_control":"300+2"}`).
		Want(t, http.StatusCreated).Text("id")
	x.olga.Post(swiss+"/open", nil).Want(t, http.StatusOK)
	x.Anonymous().Get(swiss+"/arena").Want(t, http.StatusNotFound)
	first.Post(swiss+"/arena/join", nil).Refused(t, http.StatusConflict, "wrong-state")
}

// TestArenaSettings refuses what no arena has.
func TestArenaSettings(t *testing.T) {
	olga := apitest.New(t).WithRole("olga", "organiser")
	for _, sent := range []string{
		`"time_control":"none"`, `"time_control":"3days"`,
		`"time_control":"300+2","auto_rounds":true`, `"time_control":"300+2","rounds":3`,
		`"time_control":"300+2","tie_breaks":["BH"]`,
	} {
		olga.Post("/tournaments", `{"name":"A","variant":"quixo/duel","format":"arena",`+sent+`}`).
			Want(t, http.StatusUnprocessableEntity)
	}
	olga.Post("/tournaments", `{"name":"A","variant":"quixo/teams","format":"arena","time_control":"300+2"}`).
		Want(t, http.StatusUnprocessableEntity)
	olga.Post("/tournaments", `{"name":"A","variant":"quixo/duel","format":"swiss","time_control":"300+2","pairing":{"arena":{"length":9}}}`).
		Want(t, http.StatusUnprocessableEntity)
}

// arenaBar is the maximum number of bytes that a result in an arena may send to an open page.
const arenaBar = 2 << 10

// TestBytesOfAnArenasResult measures what open pages are sent for a result among forty players, and for the first of
// them, which leads.
func TestBytesOfAnArenasResult(t *testing.T) {
	x := newArena(t, 30, 40, apitest.WithPages)
	x.smallChanges("?tab=round", "?tab=standings", "/arena")
}

// smallChanges has all players play two games, and measures what these open pages are sent for a result in the third.
func (x *arenaEvening) smallChanges(pages ...string) {
	t := x.t
	t.Helper()
	server := httptest.NewServer(x.Server)
	t.Cleanup(server.Close)
	enter := func(board int) {
		x.olga.Send(http.MethodPut, fmt.Sprintf("%s/rounds/1/pairings/%d/result", x.path, board),
			map[string]any{"result": []string{"1-0", "0-1", "1/2-1/2"}[board%3]}, apitest.AnyVersion).Want(t, http.StatusOK)
	}
	for range 2 { // two games of each
		x.look(5 * time.Second)
		open := int(x.Anonymous().Get(x.path + "/arena").Number("games"))
		last := len(x.Anonymous().Get(x.path + "/rounds/1").List("pairings"))
		for board := last - open + 1; board <= last; board++ {
			enter(board)
		}
	}
	x.look(5 * time.Second)
	for _, page := range pages {
		_, rest, found := strings.Cut(x.olga.Get("/"+x.path+page).Page(), `data-live="`)
		if !found {
			t.Fatalf("the page %s is not live", page)
		}
		live, _, _ := strings.Cut(rest, `"`)
		live = anyVersionOf.ReplaceAllString(strings.ReplaceAll(live, "&amp;", "&"), "version=0")
		stream := apitest.OpenStream(t, server, "/live?0="+url.QueryEscape(live), x.olga.Token)
		bytesOfChange(t, stream) // the whole
		x.smallChange(page, stream, enter)
	}
	server.CloseClientConnections()
}

// smallChange enters the result of the first open game, and measures what an open page is sent for it.
func (x *arenaEvening) smallChange(page string, stream *bufio.Reader, enter func(board int)) {
	x.t.Helper()
	a := x.Anonymous().Get(x.path + "/arena")
	board := 0
	for i := range a.List("rows") {
		if at := int(a.Number("rows", i, "board")); at > 0 && (board == 0 || at < board) {
			board = at
		}
	}
	enter(board)
	if n := bytesOfChange(x.t, stream); n > arenaBar {
		x.t.Errorf("the page %s is sent %d bytes for a result, at most %d are allowed", page, n, arenaBar)
	} else {
		x.t.Logf("%s: %d bytes", page, n)
	}
}
