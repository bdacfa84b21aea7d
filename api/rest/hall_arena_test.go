package rest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"quatuor/api/apitest"
)

// hallArena is an arena in the hall over REST: its games by number, as the list of pairings has them.
type hallArena struct {
	*arenaEvening
	open map[int]hallGame
	due  map[int]time.Time // when each is over
	stay int               // the game that never ends, 0 for none
}

type hallGame struct {
	table int
	seats []string // entry ids
}

const hallArenaOf = `{"name":"Hall arena","variant":"%s","format":"arena","time_control":"%s","venue":"hall","rated":true,
	"pairing":{"arena":{"length":%d,"tick":5,"boards":%d}}}`

func newHallArena(
	t *testing.T, variant, control string, minutes, boards, players, guests int, change ...func(*apitest.Config),
) *hallArena {
	s := apitest.New(t, change...)
	x := &hallArena{due: map[int]time.Time{}}
	x.arenaEvening = openArena(s, t, fmt.Sprintf(hallArenaOf, variant, control, minutes, boards), minutes, players)
	for n := range guests { // without a phone: the desk enters them
		id := x.olga.Post(x.path+"/entries", fmt.Sprintf(`{"name":"Guest %d"}`, n+1)).Want(t, http.StatusCreated).Text("id")
		x.present(id, true)
	}
	return x
}

func (x *hallArena) present(entry string, there bool) {
	x.t.Helper()
	method := map[bool]string{true: http.MethodPut, false: http.MethodDelete}[there]
	x.olga.Send(method, x.path+"/entries/"+entry+"/presence", nil).Want(x.t, http.StatusOK)
}

// watch lets five seconds pass and reads which games are open, after checking that no player and no table has two.
func (x *hallArena) watch() {
	x.t.Helper()
	x.lookAfter(5 * time.Second)
	list := x.olga.Get(x.path+"/rounds/1").Want(x.t, http.StatusOK).List("pairings")
	x.open = map[int]hallGame{}
	used := map[any]bool{}
	for _, each := range list {
		p := each.(map[string]any)
		if p["result"] != nil || p["forfeit"] == true {
			continue
		}
		g := hallGame{table: int(p["table"].(float64))}
		for _, id := range p["seats"].([]any) {
			g.seats = append(g.seats, id.(string))
			if used[id] {
				x.t.Fatalf("entry %v is at two games", id)
			}
			used[id] = true
		}
		if used[g.table] {
			x.t.Fatalf("two games at table %d", g.table)
		}
		used[g.table] = true
		board := int(p["board"].(float64))
		x.open[board] = g
		if _, known := x.due[board]; !known {
			x.due[board] = x.Now().Add(time.Duration(60+x.chance.IntN(300)) * time.Second)
		}
	}
}

// over lists the games that are over by now.
func (x *hallArena) over() (boards []int) {
	for _, board := range slices.Sorted(maps.Keys(x.open)) {
		if board != x.stay && !x.due[board].After(x.Now()) {
			boards = append(boards, board)
		}
	}
	return boards
}

// enter is a result at the desk.
func (x *hallArena) enter(board int, body map[string]any) *apitest.Answer {
	x.t.Helper()
	return x.olga.Send(http.MethodPut, fmt.Sprintf("%s/rounds/1/pairings/%d/result", x.path, board), body,
		apitest.AnyVersion)
}

// anyResult returns a result of a game of that many players, now and then without a player that did not come.
func (x *hallArena) anyResult(seats int) map[string]any {
	if seats == 2 {
		return map[string]any{"result": []string{"1-0", "0-1", "1/2-1/2", "1-0", "0-1", "+--"}[x.chance.IntN(6)]}
	}
	ranks := x.chance.Perm(seats)
	for i := range ranks {
		ranks[i]++
	}
	last := slices.Index(ranks, seats)
	if x.chance.IntN(8) == 0 && seats > 3 {
		return map[string]any{"ranks": ranks, "absent": []int{last + 1}}
	}
	if x.chance.IntN(5) == 0 { // two share a place
		ranks[last] = seats - 1
	}
	return map[string]any{"ranks": ranks}
}

// report has the players of a game report its result, each with the code of the own seat.
func (x *hallArena) report(board int, result string) {
	x.t.Helper()
	list := x.olga.Get(x.path+"/rounds/1/codes").Want(x.t, http.StatusOK)
	for i := range list.List("items") {
		if int(list.Number("items", i, "board")) != board {
			continue
		}
		for seat := range list.List("items", i, "codes") {
			code := list.Text("items", i, "codes", seat)
			x.Anonymous().Post("/results/"+code, apitest.Report(x.t, x.Anonymous(), code, seat+1, result)).
				Want(x.t, http.StatusOK)
		}
		return
	}
	x.t.Fatalf("no codes for game %d", board)
}

// evening plays an arena to its end: results from the desk and from phones, players that leave and come back, and a
// game that never gets a result.
func (x *hallArena) evening(minutes int) {
	x.t.Helper()
	for i := range minutes * 60 / 5 {
		x.watch()
		if i == 1 {
			x.stay = slices.Min(slices.Collect(maps.Keys(x.open)))
		}
		for k, board := range x.over() {
			seats := x.open[board].seats
			if k == 0 && len(seats) == 2 {
				x.report(board, "0-1")
				continue
			}
			x.enter(board, x.anyResult(len(seats))).Want(x.t, http.StatusOK)
		}
		if i%24 == 7 {
			for _, g := range x.open {
				x.present(g.seats[0], false)
				break
			}
		}
		if i%24 == 19 {
			x.allBack()
		}
	}
	x.watch()
	if len(x.open) == 0 {
		x.t.Fatal("the game without a result is not there at the end")
	}
	a := x.look(6 * time.Minute)
	if a.Text("status") != "finished" || a.Number("games") != 0 {
		x.t.Fatalf("the arena is %s with %v games after its end", a.Text("status"), a.At("games"))
	}
	x.computed(a)
}

// allBack lets the absent players back in, at the desk.
func (x *hallArena) allBack() {
	a := x.Anonymous().Get(x.path+"/arena").Want(x.t, http.StatusOK)
	for i := range a.List("rows") {
		if a.Text("rows", i, "waiting_since") == "" {
			x.present(a.Text("rows", i, "entry", "id"), true)
		}
	}
}

// lastAct returns the number of the last act that could be taken back.
func (x *hallArena) lastAct() float64 {
	x.t.Helper()
	return x.olga.Get(x.path+"/history?limit=200").Want(x.t, http.StatusOK).Number("undoable")
}

// stopped has a clock that only the test moves on, however busy the machine is.
func stopped(c *apitest.Config) {
	c.Clock = func() time.Time { return time.Date(2027, 1, 4, 18, 0, 0, 0, time.UTC) }
}

// TestAnHourInTheHall is an arena of 24 at ten boards, compared with what the command line computes.
func TestAnHourInTheHall(t *testing.T) {
	minutes := apitest.Amount(10, 20, 60)
	x := newHallArena(t, "quixo/duel", "300", minutes, 10, 16, 8, stopped)
	x.evening(minutes)
	if len(x.due) < minutes*2 {
		t.Errorf("only %d games in %d minutes", len(x.due), minutes)
	}
	for _, g := range x.olga.Get(x.path + "/rounds/1").List("pairings") {
		if table := g.(map[string]any)["table"].(float64); table < 1 || table > 10 {
			t.Fatalf("a game at table %v of ten", table)
		}
	}
}

// TestAnEveningOfTables plays an arena of a game for three to five, without clocks, in the hall.
func TestAnEveningOfTables(t *testing.T) {
	minutes := apitest.Amount(10, 20, 60)
	x := newHallArena(t, "quivive/melee", "none", minutes, 0, 10, 4, stopped)
	x.evening(minutes)
	exported := x.Anonymous().Get(x.path+"/arena/games").Want(t, http.StatusOK)
	if len(exported.List("games")) == 0 || len(exported.List("games", 0, "table")) < 3 {
		t.Errorf("exported %s", exported.Raw)
	}
}

// TestResultsOfAHallArenaAreTakenBack corrects, undoes and removes results, as long as no player has been called since.
func TestResultsOfAHallArenaAreTakenBack(t *testing.T) {
	x := newHallArena(t, "quixo/duel", "300", 20, 1, 4, 0)
	x.watch()
	if len(x.open) != 1 || x.open[1].table != 1 {
		t.Fatalf("open games %v, want one at the only board", x.open)
	}
	if x.Anonymous().Get(x.path).Want(t, http.StatusOK).At("pairing", "arena", "berserk") != false {
		t.Error("there is berserk in the hall")
	}
	clear := fmt.Sprintf("%s/rounds/1/pairings/1/result", x.path)
	x.enter(1, map[string]any{"result": "1-0"}).Want(t, http.StatusOK)
	x.points(1, 2)
	x.olga.Post(x.path+"/undo", map[string]any{"act": x.lastAct()}).Want(t, http.StatusOK)
	x.points(1, 0)
	x.enter(1, map[string]any{"result": "0-1"}).Want(t, http.StatusOK)
	x.olga.Send(http.MethodDelete, clear, nil, apitest.AnyVersion).Want(t, http.StatusOK)
	x.enter(1, map[string]any{"result": "1/2-1/2"}).Want(t, http.StatusOK)
	x.points(1, 1)
	act := x.lastAct()
	x.watch() // the other two are called to the board
	if x.open[2].table != 1 || slices.Contains(x.open[2].seats, x.open[1].seats0()) {
		t.Fatalf("open games %v, want the two that have waited longest at the board", x.open)
	}
	x.olga.Post(x.path+"/undo", map[string]any{"act": act}).Want(t, http.StatusConflict)
	x.olga.Send(http.MethodDelete, clear, nil, apitest.AnyVersion).
		Refused(t, http.StatusConflict, "wrong-state")
	x.enter(1, map[string]any{"result": "0-1", "reason": "seen"}).Want(t, http.StatusOK)
	x.points(1, 2)
	x.computed(x.Anonymous().Get(x.path+"/arena").Want(t, http.StatusOK))
	x.olga.Send(http.MethodPatch, x.path, `{"venue":"server"}`, apitest.AnyVersion).
		Refused(t, http.StatusConflict, "wrong-state")
}

func (g hallGame) seats0() string {
	if len(g.seats) == 0 {
		return ""
	}
	return g.seats[0]
}

// points checks the points of the first of the ranking.
func (x *hallArena) points(rank int, want float64) {
	x.t.Helper()
	a := x.Anonymous().Get(x.path+"/arena").Want(x.t, http.StatusOK)
	if got := a.Number("rows", rank-1, "points"); got != want {
		x.t.Errorf("%v points of the first, want %v", got, want)
	}
}

// TestTheCardOfATable opens the games of a table in turn.
func TestTheCardOfATable(t *testing.T) {
	x := newHallArena(t, "quixo/duel", "300", 20, 2, 4, 0, apitest.WithPages)
	x.watch()
	page := x.olga.Get("/" + x.path + "/print/cards").Page()
	_, rest, found := strings.Cut(page, "<code>")
	if !found {
		t.Fatal("there is no card")
	}
	code, _, _ := strings.Cut(rest, "</code>")
	code = strings.ReplaceAll(code, "-", "")
	for game := range 3 {
		board := 0
		for n, g := range x.open {
			if g.table == 1 {
				board = n
			}
		}
		a := x.Anonymous().Get("/results/"+code).Want(t, http.StatusOK)
		if int(a.Number("board")) != board {
			t.Fatalf("game %d: the card opens board %v, want %d", game, a.At("board"), board)
		}
		for seat := 1; seat <= 2; seat++ {
			body := apitest.Report(t, x.Anonymous(), code, seat, "1-0")
			body["seat"] = seat
			x.Anonymous().Post("/results/"+code, body).Want(t, http.StatusOK)
		}
		for other := range x.open {
			if other != board {
				x.enter(other, map[string]any{"result": "1-0"}).Want(t, http.StatusOK)
			}
		}
		x.watch()
	}
	raw, err := json.Marshal(x.Anonymous().Get(x.path + "/arena").List("rows"))
	if err != nil || !strings.Contains(string(raw), `"table"`) {
		t.Errorf("the arena does not say who is at which table: %s", raw)
	}
}
