package main

import (
	"net/http"

	"quatuor/cmd/quatuor/harness"
)

// duels plays a number of challenges of a ladder on the server, with kills in the middle of each, since a game is
// opened in two steps. It returns the ladder.
func (x *autumn) duels(count int) string {
	x.Helper()
	const members = 6
	l := &ladderPlay{autumn: x, members: map[string]harness.Player{}}
	id := x.create("/ladders", map[string]any{
		"name": "Duels", "variant": "quixo/duel", "time_control": "300+2", "rated": true, "again": 0,
	})
	l.path = "/ladders/" + id
	for _, p := range x.people[:members] {
		l.join(p)
	}
	for n := range count {
		l.killWithin(2)
		order := l.order()
		below := 1 + l.chance.IntN(members-1)
		from, to := l.members[order[below]], l.members[order[below-1]]
		r := l.act(from, http.MethodPost, l.path+"/challenges", map[string]any{"player_id": to.ID})
		l.note(r, ladderEvent{Type: "challenge", From: from.ID, To: to.ID})
		c := l.open()
		if len(c) != 1 {
			l.Fatalf("%d challenges are open: %d %s", len(c), r.status, r.raw)
		}
		path := l.path + "/challenges/" + c[0].ID
		l.killWithin(1)
		l.note(l.act(to, http.MethodPost, path+"/accept", nil), ladderEvent{Type: "accept", ID: c[0].ID})
		game := l.opened(from, path)
		score := float64(l.chance.IntN(2))
		if n%4 == 3 { // the time passes without a move, and the game that ends later changes nothing
			l.pass(8 * day)
		}
		l.own = append(l.own, ladderEvent{Type: "result", ID: c[0].ID, Score: &score})
		l.duel(game, to, from, score)
		l.agrees()
		l.pass(8 * day)
	}
	return id
}

// opened returns the game of an accepted challenge. If a program died before it had opened it, the players do.
func (l *ladderPlay) opened(by harness.Player, path string) string {
	l.Helper()
	game := l.open()[0].GameID
	if r := l.act(by, http.MethodGet, "/games/"+game, nil); r.status == http.StatusNotFound {
		l.must(by, http.MethodPost, path+"/play", nil, nil)
		l.reopened++
		l.same("the game that was to be opened", l.open()[0].GameID, game)
	}
	var g harness.Game
	l.get("/games/"+game, &g)
	return game
}

// duel plays a game that ends with a score of the second.
func (l *ladderPlay) duel(id string, first, second harness.Player, score float64) {
	l.Helper()
	path := "/games/" + id
	game := func() (g harness.Game) {
		l.get(path, &g)
		return g
	}
	l.killWithin(6)
	for _, p := range []harness.Player{first, second} {
		l.must(p, http.MethodPost, path+"/accept", nil, func() bool { return game().Status != "aborted" })
	}
	for i, move := range []string{"c1-c5", "a1-e1"} {
		l.must([]harness.Player{first, second}[i], http.MethodPost, path+"/moves",
			map[string]any{"seat": i + 1, "turn": i + 1, "move": move}, func() bool { return game().Turn >= i+2 })
	}
	loser := map[float64]harness.Player{1: first, 0: second}[score]
	l.must(loser, http.MethodPost, path+"/resign", nil, func() bool { return game().Over() })
}
