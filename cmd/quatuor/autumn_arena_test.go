package main

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"quatuor/cmd/quatuor/harness"
)

// arenaTable is an arena as it is shown.
type arenaTable struct {
	Status string
	EndsAt time.Time `json:"ends_at"`
	Rows   []struct {
		Rank   int
		Entry  struct{ ID, Name string }
		Points float64
		Scores []struct {
			Points float64
			GameID string `json:"game_id"`
		}
		WaitingSince string `json:"waiting_since"`
		GameID       string `json:"game_id"`
	}
}

// arenaPlay is an arena on the server.
type arenaPlay struct {
	*autumn
	id      string
	path    string
	tick    time.Duration
	brief   time.Duration             // of the shortest game
	players map[string]harness.Player // by id
	names   map[string]harness.Player
	due     map[string]time.Time // when the open games are to end, by the moved clock
	results map[string]string    // acknowledged, by game
	seen    [2]time.Time         // between these the arena was looked at
}

// newArena opens an arena that players have joined, and starts it.
func (x *autumn) newArena(minutes, players int, tick, brief time.Duration) *arenaPlay {
	x.Helper()
	a := &arenaPlay{
		autumn: x, players: map[string]harness.Player{}, names: map[string]harness.Player{}, due: map[string]time.Time{},
		results: map[string]string{}, tick: tick, brief: brief,
	}
	a.id = x.create("/tournaments", map[string]any{
		"name": "Arena", "variant": "quixo/duel", "format": "arena", "time_control": "300+2", "rated": true,
		"pairing": map[string]any{"arena": map[string]any{
			"length": minutes, "tick": int(tick.Seconds()), "grace": int(40 * tick.Seconds()),
		}},
	})
	a.path = "/tournaments/" + a.id
	x.must(x.olga, http.MethodPost, a.path+"/open", nil, nil)
	for i, p := range x.people[:players] {
		a.players[p.ID], a.names[fmt.Sprintf("Player %02d", i)] = p, p
		x.must(p, http.MethodPost, a.path+"/arena/join", nil, nil)
	}
	x.must(x.olga, http.MethodPost, a.path+"/start", nil, nil)
	a.seen = [2]time.Time{x.clock.now(), x.clock.now()}
	return a
}

// arena plays an arena with a number of minutes, players and kills of programs, and returns it.
func (x *autumn) arena(minutes, players, kills int) string {
	x.Helper()
	const tick = 5 * time.Second
	a := x.newArena(minutes, players, tick, 40*time.Second)
	steps := minutes * 60 / int(tick.Seconds())
	every := max(1, steps/(kills+1))
	over := false
	for i := 1; !over; i++ {
		if i > 4*steps+200 {
			x.Fatal("the arena does not end")
		}
		switch {
		case i%every == 0 && i/every%2 == 1 && i < steps:
			a.outage()
		case i%every == 0:
			x.killWithin(10)
		}
		x.pass(tick)
		over = a.step()
	}
	a.agrees()
	return a.id
}

// step looks after the arena, has those games end that are due, and reports whether the arena is over.
func (a *arenaPlay) step() (over bool) {
	a.Helper()
	a.lookAfter()
	var table arenaTable
	a.get(a.path+"/arena", &table)
	now := a.clock.now()
	seats := map[string]int{}
	for _, row := range table.Rows {
		if game := row.GameID; game != "" {
			seats[game]++
			if _, known := a.due[game]; !known {
				a.due[game] = now.Add(a.brief + time.Duration(a.chance.Int64N(5*int64(a.brief))))
			}
		}
		if row.GameID == "" && row.WaitingSince == "" && now.Before(table.EndsAt.Add(-4*a.tick)) && a.chance.IntN(4) == 0 {
			a.must(a.names[row.Entry.Name], http.MethodPost, a.path+"/arena/join", nil, nil) // players that forfeited come back
		}
	}
	for game, n := range seats {
		if n != 2 {
			a.differences++
			a.Errorf("the open game %s has %d players", game, n)
		}
	}
	for _, game := range slices.Sorted(maps.Keys(a.due)) {
		if _, done := a.results[game]; !done && !a.due[game].After(now) && seats[game] > 0 {
			a.play(game)
		}
	}
	return table.Status != "running"
}

// lookAfter has the arena looked at.
func (a *arenaPlay) lookAfter() {
	a.Helper()
	began := a.clock.now()
	a.look()
	a.seen = [2]time.Time{began, a.clock.now()}
}

func (a *arenaPlay) ends() time.Time {
	a.Helper()
	var table arenaTable
	a.get(a.path+"/arena", &table)
	return table.EndsAt
}

// outage kills every program and starts others later. The arena gets the time back.
func (a *arenaPlay) outage() {
	a.Helper()
	before, seen := a.ends(), a.seen
	for len(a.live) > 0 {
		a.kill(0)
	}
	a.good("check") // though nothing was ended in order
	a.pass(time.Duration(20+a.chance.IntN(100)) * time.Second)
	a.start()
	a.lookAfter()
	given, least, most := a.ends().Sub(before), a.seen[0].Sub(seen[1]), a.seen[1].Sub(seen[0])
	if given < least-time.Millisecond || given > most+time.Millisecond {
		a.differences++
		a.Errorf("the arena was not served for %v to %v, and got %v back", least, most, given)
	}
}

// arenaGame is a game as its players read it.
type arenaGame struct {
	harness.Game
	Outcome *struct {
		Reason string `json:"reason"`
		Ranks  []int  `json:"ranks"`
	} `json:"outcome"`
}

// game reads a game.
func (a *arenaPlay) game(id string) (g arenaGame) {
	a.Helper()
	a.get("/games/"+id, &g)
	return g
}

// play ends a game: after a move of each, without any, or drawn.
func (a *arenaPlay) play(id string) {
	a.Helper()
	g := a.game(id)
	if g.Over() {
		a.differences++
		a.Errorf("the game %s is over, and nobody has ended it: %+v", id, g.Outcome)
		a.results[id] = "?"
		return
	}
	by := []harness.Player{a.players[g.Seats[0].Player.ID], a.players[g.Seats[1].Player.ID]}
	path := "/games/" + id
	over := func() bool { return a.game(id).Over() }
	turn := func(n int) func() bool { return func() bool { return a.game(id).Turn >= n } }
	moves := func() {
		for i, move := range []string{"c1-c5", "a1-e1"} {
			a.must(by[i], http.MethodPost, path+"/moves", map[string]any{"seat": i + 1, "turn": i + 1, "move": move}, turn(i+2))
		}
	}
	if a.chance.IntN(4) == 0 {
		a.must(by[0], http.MethodPost, path+"/berserk", nil, nil)
	}
	switch how := a.chance.IntN(10); {
	case how == 0:
		a.must(by[0], http.MethodPost, path+"/resign", nil, over)
		a.results[id] = "0-1"
	case how < 3:
		moves()
		a.must(by[0], http.MethodPost, path+"/draw", map[string]any{"action": "offer"}, nil)
		a.must(by[1], http.MethodPost, path+"/draw", map[string]any{"action": "accept"}, over)
		a.results[id] = "1/2-1/2"
	default:
		moves()
		loser := a.chance.IntN(2)
		a.must(by[loser], http.MethodPost, path+"/resign", nil, over)
		a.results[id] = []string{"0-1", "1-0"}[loser]
	}
	a.games++
}

// agrees compares the acknowledged ends of games with what is exported, and the table with the command line.
func (a *arenaPlay) agrees() {
	a.Helper()
	var doc struct {
		Rounds []struct {
			Pairings []struct {
				GameID string `json:"game_id"`
				Result string
			}
		}
	}
	a.get(a.path+"/export?format=json", &doc)
	exported := map[string]string{}
	for _, p := range doc.Rounds[0].Pairings {
		if p.GameID != "" && p.Result != "" && p.Result != "---" { // no points: not over in time, or void
			exported[p.GameID] = map[string]string{"+--": "1-0", "--+": "0-1"}[p.Result]
			if exported[p.GameID] == "" {
				exported[p.GameID] = p.Result
			}
		}
	}
	a.same("the results of the arena", exported, a.results)
	var want struct {
		Order  []string
		Points []float64
		Sheets [][]float64
	}
	a.computedFrom("arena", a.get(a.path+"/arena/games", nil), &want)
	var table arenaTable
	a.get(a.path+"/arena", &table)
	got, counted := want, map[string]int{}
	got.Order = nil
	got.Points = nil
	got.Sheets = nil
	for _, row := range table.Rows {
		sheet := []float64{}
		for _, score := range row.Scores {
			sheet = append(sheet, score.Points)
			counted[score.GameID]++
		}
		got.Order, got.Points = append(got.Order, row.Entry.ID), append(got.Points, row.Points)
		got.Sheets = append(got.Sheets, sheet)
	}
	a.same("the table of the arena", got, want)
	for game := range a.results {
		if counted[game] != 2 {
			a.differences++
			a.Errorf("the game %s counts %d times", game, counted[game])
		}
	}
}
