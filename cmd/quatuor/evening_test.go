package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
)

// fullView is a game with its log, as GET /games/{id} answers.
type fullView struct {
	gameView
	Position string `json:"position"`
	Events   []struct {
		N    int    `json:"n"`
		Kind string `json:"kind"`
		Seat int    `json:"seat"`
		Move string `json:"move"`
	} `json:"events"`
}

// moves lists the moves of the log in order.
func (v fullView) moves() []string {
	var moves []string
	for _, e := range v.Events {
		if e.Kind == "move" {
			moves = append(moves, fmt.Sprintf("%d:%s", e.Seat, e.Move))
		}
	}
	return moves
}

func TestGameFromLoginToItsEnd(t *testing.T) {
	data := t.TempDir()
	adminByCommand(t, data)
	p := serve(t, data, "--registration", "open")
	ctx := t.Context()
	ada, bob := p.register(ctx, "ada", "Ada L."), p.register(ctx, "bob", "Bob M.")
	for _, variant := range []string{"quixo/duel", "quits/duel", "quivive/duel", "quiwin/duel"} {
		game := openGame(ctx, t, ada, bob, variant)
		playOut(ctx, t, game, ada, bob)
		var end fullView
		if err := p.client().get(ctx, "/games/"+game, &end); err != nil {
			t.Fatal(err)
		}
		if end.Status != "finished" || end.Outcome == nil || end.Position == "" {
			t.Errorf("%s: %+v", variant, end.gameView)
		}
		if end.Outcome.Reason != "replay" {
			var changes struct {
				Items []any `json:"items"`
			}
			if err := p.client().get(ctx, "/games/"+game+"/rating-changes", &changes); err != nil || len(changes.Items) != 2 {
				t.Errorf("%s: rating changes %v, %v: they are there when the last move is answered", variant, changes, err)
			}
		}
	}
	p.stop()
}

func openGame(ctx context.Context, t *testing.T, one, two seated, variant string) string {
	t.Helper()
	var game gameView
	err := one.post(ctx, "/games", map[string]any{
		"variant": variant, "time_control": "300+3", "rated": true, "start": "now",
		"seats": []map[string]string{{"player_id": one.player}, {"player_id": two.player}},
	}, &game)
	if err != nil {
		t.Fatal(err)
	}
	return game.ID
}

// playOut plays random moves from both seats until the game is over.
func playOut(ctx context.Context, t *testing.T, game string, players ...seated) {
	t.Helper()
	chance := rand.New(rand.NewPCG(1, 2))
	for {
		for i, player := range players {
			seat := i + 1
			var g gameView
			if err := player.get(ctx, "/games/"+game, &g); err != nil {
				t.Fatal(err)
			}
			if g.over() {
				return
			}
			legal := g.Legal[strconv.Itoa(seat)]
			if len(legal) == 0 {
				continue
			}
			move := map[string]any{"seat": seat, "turn": g.Turn, "move": legal[chance.IntN(len(legal))]}
			if err := player.post(ctx, "/games/"+game+"/moves", move, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestKilledInTheMiddleOfPlay kills the server while several games are played at full speed. Afterwards every move
// that was acknowledged must be there, once and in its place, and play goes on.
func TestKilledInTheMiddleOfPlay(t *testing.T) {
	data := t.TempDir()
	adminByCommand(t, data)
	p := serve(t, data, "--registration", "open")
	ctx := t.Context()
	ada, bob := p.register(ctx, "ada", "Ada L."), p.register(ctx, "bob", "Bob M.")
	const games, enough = 6, 150
	ledger := &acknowledged{moves: map[string][]string{}, enough: make(chan struct{}), at: enough}
	var playing sync.WaitGroup
	for i := range games {
		variant := []string{"quixo/duel", "quits/duel", "quivive/duel"}[i%3]
		game := openGame(ctx, t, ada, bob, variant)
		playing.Go(func() { ledger.playUntilKilled(ctx, t, game, ada, bob) })
	}
	<-ledger.enough
	p.kill()
	playing.Wait()

	again := serve(t, data, "--registration", "open")
	for game, moves := range ledger.moves {
		var found fullView
		if err := again.client().get(ctx, "/games/"+game, &found); err != nil {
			t.Fatal(err)
		}
		stored := found.moves()
		// A move may be stored without having been acknowledged, but only one: the next waits for its answer.
		if len(stored) < len(moves) || len(stored) > len(moves)+1 || !slices.Equal(stored[:len(moves)], moves) {
			t.Errorf("game %s: acknowledged %v, stored %v", game, moves, stored)
		}
		if last := found.Events[len(found.Events)-1]; found.Status == "running" && last.Kind != "outage" {
			t.Errorf("game %s: the outage is not in the record; its last line is %+v", game, last)
		}
		ada.base, bob.base = again.url, again.url
		playOut(ctx, t, game, ada, bob)
	}
	again.stop()
}

// acknowledged is what the clients were told is stored.
type acknowledged struct {
	mu     sync.Mutex
	moves  map[string][]string
	count  int
	at     int // closes enough when this many moves were acknowledged
	enough chan struct{}
}

func (a *acknowledged) note(game string, seat int, move string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.moves[game] = append(a.moves[game], fmt.Sprintf("%d:%s", seat, move))
	a.count++
	if a.count == a.at {
		close(a.enough)
	}
}

// playUntilKilled plays both seats in turn until the server is gone or the game over.
func (a *acknowledged) playUntilKilled(ctx context.Context, t *testing.T, game string, players ...seated) {
	chance := rand.New(rand.NewPCG(7, uint64(len(game))))
	var g gameView
	for err := players[0].get(ctx, "/games/"+game, &g); err == nil && !g.over(); {
		seat := g.Awaited[0]
		player := players[seat-1]
		if err = player.get(ctx, "/games/"+game, &g); err != nil {
			return
		}
		legal := g.Legal[strconv.Itoa(seat)]
		token := legal[chance.IntN(len(legal))]
		move := map[string]any{"seat": seat, "turn": g.Turn, "move": token}
		err = player.post(ctx, "/games/"+game+"/moves", move, &g)
		var refusal *problem
		if errors.As(err, &refusal) && refusal.Status < http.StatusInternalServerError {
			t.Errorf("a legal move was refused: %v", err)
		}
		if err == nil {
			a.note(game, seat, token)
		}
	}
}
