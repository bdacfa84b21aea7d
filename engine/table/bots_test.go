package table

import (
	"errors"
	"testing"
)

// TestBotsHaveTheirPlace opens games with bots, and some where bots have no place.
func TestBotsHaveTheirPlace(t *testing.T) {
	e := start(t, newMemory())
	defer e.stop()
	for _, tt := range []struct {
		name   string
		change func(*NewGame)
		ok     bool
	}{
		{"casual", func(*NewGame) {}, true},
		{"of no level", func(w *NewGame) { w.Players[1] = "bot-4" }, true}, // some player's id
		{"rated", func(w *NewGame) { w.Rated = true }, false},
		{"alone", func(w *NewGame) { w.Players = []string{BotID(1), BotID(3)} }, false},
		{"in a tournament", func(w *NewGame) { w.Tournament = &Place{ID: "cup", Round: 1, Board: 1} }, true},
		{"rated, in a tournament", func(w *NewGame) { w.Rated, w.Tournament = true, &Place{ID: "cup", Round: 1, Board: 2} }, false},
	} {
		w := NewGame{Variant: "quixo/duel", Players: []string{"ada", BotID(2)}, Controls: []string{"300"}, Start: true}
		tt.change(&w)
		games, err := e.Open(t.Context(), w)
		if (err == nil) != tt.ok || err != nil && !errors.Is(err, ErrSetup) {
			t.Errorf("%s: %v", tt.name, err)
		}
		if err == nil && games[0].Game.Status != Running {
			t.Errorf("%s: the game is %s", tt.name, games[0].Game.Status)
		}
	}
}

// TestBotIDs reads ids back, and takes no player's for a bot's.
func TestBotIDs(t *testing.T) {
	for level := 1; level <= MaxBotLevel; level++ {
		if got := BotLevel(BotID(level)); got != level {
			t.Errorf("level %d is read as %d", level, got)
		}
	}
	for _, id := range []string{"", "bot-", "bot-0", "bot-4", "bot-11", "0197f3d2-6c1e-7a54-9b0d-3f6f0a6f2b11"} {
		if level := BotLevel(id); level != 0 {
			t.Errorf("%q is taken for a bot of level %d", id, level)
		}
	}
}

// TestRematchWithBot starts at once: a bot is always ready.
func TestRematchWithBot(t *testing.T) {
	e := start(t, newMemory())
	defer e.stop()
	games, err := e.Open(t.Context(), NewGame{
		Variant: "quixo/duel", Players: []string{"ada", BotID(1)}, Controls: []string{"300"}, Start: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	id := games[0].Game.ID
	if _, err := e.Resign(t.Context(), e.Arrive(id), Act{Game: id, Seat: 1}); err != nil {
		t.Fatal(err)
	}
	next, err := e.Rematch(t.Context(), id, "account", "ada")
	if err != nil || next.Game.Status != Running || next.Game.Players[0] != BotID(1) {
		t.Errorf("the rematch: %v, %+v", err, next)
	}
}
