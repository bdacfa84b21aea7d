package api_test

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

	"quatuor/cmd/quatuor/seasonlines"
)

// arenaEvening is an arena over REST.
type arenaEvening struct {
	*service
	t       *testing.T
	olga    person
	path    string
	players map[string]person // by player id
	over    map[string]int64  // when each open game ends, ms
	ends    int64             // shortly before its end, ms
	chance  *rand.Rand
}

const arenaOf = `{"name":"Arena","variant":"quixo/duel","format":"arena","time_control":"300+2","rated":true,
	"pairing":{"arena":{"length":%d,"tick":5}}}`

// newArena opens an arena that players have joined, and starts it.
func newArena(t *testing.T, minutes, players int, change ...func(*configuration)) *arenaEvening {
	s := newService(t, change...)
	return openArena(s, t, fmt.Sprintf(arenaOf, minutes), minutes, players)
}

// openArena is newArena with any settings.
func openArena(s *service, t *testing.T, settings string, minutes, players int) *arenaEvening {
	x := &arenaEvening{
		service: s, t: t, olga: lasting(s.withRole("olga", "organiser")), players: map[string]person{}, over: map[string]int64{},
		chance: rand.New(rand.NewPCG(3, 5)),
	}
	x.path = "/tournaments/" + x.olga.post("/tournaments", settings).want(t, http.StatusCreated).text("id")
	x.olga.post(x.path+"/open", nil).want(t, http.StatusOK)
	for i := range players {
		p := lasting(s.register(fmt.Sprintf("p%02d", i)))
		x.players[p.player] = p
		p.post(x.path+"/arena/join", nil).want(t, http.StatusOK)
	}
	x.olga.post(x.path+"/start", nil).want(t, http.StatusOK)
	x.ends = x.now().UnixMilli() + int64(minutes)*60_000 - 20_000
	return x
}

// lookAfter passes some time and looks after the arena.
func (x *arenaEvening) lookAfter(d time.Duration) {
	x.t.Helper()
	for ; ; d -= 5 * time.Second { // in the steps of ticks: a longer one is an outage, which is given back
		x.pass(min(d, 5*time.Second))
		if err := x.tick(x.t.Context()); err != nil {
			x.t.Fatal(err)
		}
		if d <= 5*time.Second {
			return
		}
	}
}

// look is lookAfter, and returns the arena.
func (x *arenaEvening) look(d time.Duration) *answer {
	x.t.Helper()
	x.lookAfter(d)
	return x.anonymous().get(x.path+"/arena").want(x.t, http.StatusOK)
}

// seats returns the players of a game by seat.
func (x *arenaEvening) seats(game string) (first, second person) {
	x.t.Helper()
	a := x.anonymous().get("/games/"+game).want(x.t, http.StatusOK)
	return x.players[a.text("seats", 0, "player", "id")], x.players[a.text("seats", 1, "player", "id")]
}

// play ends a game: after a move of each, without any, or drawn.
func (x *arenaEvening) play(game string) {
	x.t.Helper()
	first, second := x.seats(game)
	path := "/games/" + game
	if x.chance.IntN(4) == 0 {
		first.post(path+"/berserk", nil).want(x.t, http.StatusOK)
	}
	how := x.chance.IntN(8)
	if how == 0 { // without a move
		first.post(path+"/resign", nil).want(x.t, http.StatusOK)
		return
	}
	first.post(path+"/moves", move(1, 1, "c1-c5")).want(x.t, http.StatusOK)
	second.post(path+"/moves", move(2, 2, "a1-e1")).want(x.t, http.StatusOK)
	switch {
	case how == 1:
		first.post(path+"/draw", `{"action":"offer"}`).want(x.t, http.StatusOK)
		second.post(path+"/draw", `{"action":"accept"}`).want(x.t, http.StatusOK)
	case how < 5:
		second.post(path+"/resign", nil).want(x.t, http.StatusOK)
	default:
		first.post(path+"/resign", nil).want(x.t, http.StatusOK)
	}
}

// TestAnArenaOverREST plays an hour of sixty players, with a clock that is pushed forward, and computes the table from
// what is exported.
func TestAnArenaOverREST(t *testing.T) {
	minutes, players := amount(8, 20, 60), amount(12, 40, 60)
	x := newArena(t, minutes, players)
	for i := range minutes * 60 / 5 {
		if i%3 != 0 {
			x.lookAfter(5 * time.Second)
			continue
		}
		a := x.look(5 * time.Second)
		now := x.now().UnixMilli()
		for i := range a.list("rows") {
			game := a.text("rows", i, "game_id")
			if _, known := x.over[game]; game != "" && !known {
				x.over[game] = now + (60+x.chance.Int64N(220))*1000
			}
		}
		for game, at := range x.over {
			if at > 0 && at <= now {
				x.play(game)
				x.over[game] = 0
			}
		}
		for i := range a.list("rows") { // who forfeited comes back
			if now > x.ends {
				break
			}
			if a.text("rows", i, "waiting_since") == "" && a.text("rows", i, "game_id") == "" {
				for _, p := range x.players {
					if "Player "+p.account[len("account-of-"):] == a.text("rows", i, "entry", "name") && x.chance.IntN(5) == 0 {
						p.post(x.path+"/arena/join", nil).want(t, http.StatusOK)
					}
				}
			}
		}
	}
	x.look(5 * time.Second)
	last := x.look(6 * time.Minute)
	if last.text("status") != "finished" || last.number("games") != 0 {
		t.Fatalf("the arena is %s with %v games after its end", last.text("status"), last.at("games"))
	}
	x.computed(last)
	if n := len(x.over); n < minutes*players/12 {
		t.Errorf("only %d games were played", n)
	}
	// a correction of the arbiter recomputes
	board := int(last.number("rows", 0, "scores", 0, "board"))
	x.olga.send(http.MethodPut, fmt.Sprintf("%s/rounds/1/pairings/%d/result", x.path, board),
		map[string]any{"result": "1/2-1/2", "reason": "seen"}, header{"If-Match", "*"}).want(t, http.StatusOK)
	x.computed(x.anonymous().get(x.path+"/arena").want(t, http.StatusOK))
}

// computed compares the table with what the command line computes from the exported games, and with the standings.
func (x *arenaEvening) computed(a *answer) {
	x.t.Helper()
	exported := x.anonymous().get(x.path+"/arena/games").want(x.t, http.StatusOK).raw
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
	if len(a.list("rows")) != len(want.Order) {
		x.t.Fatalf("%d rows, want %d", len(a.list("rows")), len(want.Order))
	}
	standings := x.anonymous().get(x.path+"/standings").want(x.t, http.StatusOK)
	for i, id := range want.Order {
		var sheet []float64
		for k := range a.list("rows", i, "scores") {
			sheet = append(sheet, a.number("rows", i, "scores", k, "points"))
		}
		got := fmt.Sprint(a.text("rows", i, "entry", "id"), a.number("rows", i, "points"), sheet)
		if should := fmt.Sprint(id, want.Points[i], want.Sheets[i]); got != should {
			x.t.Fatalf("row %d is %s, want %s", i+1, got, should)
		}
		if standings.text("rows", i, "entry", "id") != id || standings.number("rows", i, "rank") != float64(i+1) {
			x.t.Fatalf("the standings have another entry in place %d", i+1)
		}
	}
}

// TestArenaRefusals are joining, leaving and berserk twice, too late, and by others.
func TestArenaRefusals(t *testing.T) {
	x := newArena(t, 10, 2)
	a := x.look(5 * time.Second)
	game := a.text("rows", 0, "game_id")
	first, second := x.seats(game)
	path := "/games/" + game
	guest := lasting(x.register("guest"))
	x.anonymous().post(x.path+"/arena/join", nil).want(t, http.StatusUnauthorized)
	x.olga.post(x.path+"/arena/join", nil).refused(t, http.StatusConflict, "no-player")
	guest.post(path+"/berserk", nil).refused(t, http.StatusForbidden, "not-your-seat")
	second.post(path+"/berserk", map[string]any{"seat": 1}).refused(t, http.StatusForbidden, "not-your-seat")
	once := second.post(path+"/berserk", nil).want(t, http.StatusOK)
	if left := once.number("seats", 1, "remaining_ms"); left != 150_000 {
		t.Errorf("%v ms left, want half of the time", left)
	}
	twice := second.post(path+"/berserk", nil).want(t, http.StatusOK)
	if once.number("version") != twice.number("version") {
		t.Error("berserk twice changed the game")
	}
	first.post(path+"/moves", move(1, 1, "c1-c5")).want(t, http.StatusOK)
	first.post(path+"/berserk", nil).refused(t, http.StatusConflict, "no-berserk")
	moved := second.post(path+"/moves", move(2, 2, "a1-e1")).want(t, http.StatusOK)
	if left := moved.number("seats", 1, "remaining_ms"); left > 150_000 {
		t.Errorf("%v ms left after a move in berserk, which has no increment", left)
	}
	// another arena at the same time
	other := "/tournaments/" + x.olga.post("/tournaments", fmt.Sprintf(arenaOf, 10)).want(t, http.StatusCreated).text("id")
	x.olga.post(other+"/open", nil).want(t, http.StatusOK)
	x.olga.post(other+"/start", nil).want(t, http.StatusOK)
	first.post(other+"/arena/join", nil).refused(t, http.StatusConflict, "wrong-state")
	guest.post(other+"/arena/join", nil).want(t, http.StatusOK)
	// in and out
	guest.post(x.path+"/arena/leave", nil).want(t, http.StatusOK)
	first.post(x.path+"/arena/leave", nil).want(t, http.StatusOK)
	first.post(x.path+"/arena/leave", nil).want(t, http.StatusOK)
	before := first.post(x.path+"/arena/join", nil).want(t, http.StatusOK)
	if again := first.post(x.path+"/arena/join", nil).want(t, http.StatusOK); before.number("players") != again.number("players") {
		t.Error("joining twice changed something")
	}
	for range 121 {
		x.look(5 * time.Second)
	}
	x.look(6 * time.Minute)
	if got := x.look(5 * time.Second).text("status"); got != "finished" {
		t.Errorf("the arena is %s after its end", got)
	}
	guest.post(x.path+"/arena/join", nil).refused(t, http.StatusConflict, "wrong-state")
	x.anonymous().get("/tournaments/nobody/arena").want(t, http.StatusNotFound)
	swiss := "/tournaments/" + x.olga.post("/tournaments", `{"name":"S","variant":"quixo/duel","format":"swiss","time_control":"300+2"}`).
		want(t, http.StatusCreated).text("id")
	x.olga.post(swiss+"/open", nil).want(t, http.StatusOK)
	x.anonymous().get(swiss+"/arena").want(t, http.StatusNotFound)
	first.post(swiss+"/arena/join", nil).refused(t, http.StatusConflict, "wrong-state")
}

// TestArenaSettings refuses what no arena has.
func TestArenaSettings(t *testing.T) {
	olga := newService(t).withRole("olga", "organiser")
	for _, sent := range []string{
		`"time_control":"none"`, `"time_control":"3days"`,
		`"time_control":"300+2","auto_rounds":true`, `"time_control":"300+2","rounds":3`,
		`"time_control":"300+2","tie_breaks":["BH"]`,
	} {
		olga.post("/tournaments", `{"name":"A","variant":"quixo/duel","format":"arena",`+sent+`}`).
			want(t, http.StatusUnprocessableEntity)
	}
	olga.post("/tournaments", `{"name":"A","variant":"quixo/teams","format":"arena","time_control":"300+2"}`).
		want(t, http.StatusUnprocessableEntity)
	olga.post("/tournaments", `{"name":"A","variant":"quixo/duel","format":"swiss","time_control":"300+2","pairing":{"arena":{"length":9}}}`).
		want(t, http.StatusUnprocessableEntity)
}

// arenaBar is how many bytes an open page may be sent for a result in an arena.
const arenaBar = 2 << 10

// TestBytesOfAnArenasResult measures what open pages are sent for a result among forty players, and for the first of
// them, which leads.
func TestBytesOfAnArenasResult(t *testing.T) {
	x := newArena(t, 30, 40, withRealPages)
	x.smallChanges("?tab=round", "?tab=standings", "/arena")
}

// smallChanges has everybody play two games, and measures what these open pages are sent for a result in the third.
func (x *arenaEvening) smallChanges(pages ...string) {
	t := x.t
	t.Helper()
	server := httptest.NewServer(x.server)
	t.Cleanup(server.Close)
	enter := func(board int) {
		x.olga.send(http.MethodPut, fmt.Sprintf("%s/rounds/1/pairings/%d/result", x.path, board),
			map[string]any{"result": []string{"1-0", "0-1", "1/2-1/2"}[board%3]}, anyVersion).want(t, http.StatusOK)
	}
	for range 2 { // two games of each
		x.look(5 * time.Second)
		open := int(x.anonymous().get(x.path + "/arena").number("games"))
		last := len(x.anonymous().get(x.path + "/rounds/1").list("pairings"))
		for board := last - open + 1; board <= last; board++ {
			enter(board)
		}
	}
	x.look(5 * time.Second)
	for _, page := range pages {
		_, rest, found := strings.Cut(x.olga.get("/"+x.path+page).page(), `data-live="`)
		if !found {
			t.Fatalf("the page %s is not live", page)
		}
		live, _, _ := strings.Cut(rest, `"`)
		live = anyVersionOf.ReplaceAllString(strings.ReplaceAll(live, "&amp;", "&"), "version=0")
		stream := openStream(t, server, "/live?0="+url.QueryEscape(live), x.olga.token)
		bytesOfChange(t, stream) // the whole
		x.smallChange(page, stream, enter)
	}
	server.CloseClientConnections()
}

// smallChange enters the result of the first open game, and measures what an open page is sent for it.
func (x *arenaEvening) smallChange(page string, stream *bufio.Reader, enter func(board int)) {
	x.t.Helper()
	a := x.anonymous().get(x.path + "/arena")
	board := 0
	for i := range a.list("rows") {
		if at := int(a.number("rows", i, "board")); at > 0 && (board == 0 || at < board) {
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
