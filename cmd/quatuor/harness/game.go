package harness

import (
	"context"
	"fmt"
)

// Game is the part of a game that players look at.
type Game struct {
	ID      string              `json:"id"`
	Variant string              `json:"variant"`
	Status  string              `json:"status"`
	Version int64               `json:"version"`
	Turn    int                 `json:"turn"`
	Awaited []int               `json:"awaited"`
	Legal   map[string][]string `json:"legal"`
	Outcome *struct {
		Reason string `json:"reason"`
	} `json:"outcome"`
	Tournament *struct {
		Round int `json:"round"`
	} `json:"tournament"`
	Seats []struct {
		Seat   int `json:"seat"`
		Player struct {
			ID string `json:"id"`
		} `json:"player"`
	} `json:"seats"`
}

// Over reports whether the game has ended.
func (g Game) Over() bool { return g.Status == "finished" || g.Status == "aborted" }

// SeatOf returns the seat of a player, 0 if it does not sit there.
func (g Game) SeatOf(player string) int {
	for _, s := range g.Seats {
		if s.Player.ID == player {
			return s.Seat
		}
	}
	return 0
}

// FullGame is a game with its log, as GET /games/{id} answers.
type FullGame struct {
	Game
	Position string `json:"position"`
	Events   []struct {
		N    int    `json:"n"`
		Kind string `json:"kind"`
		Seat int    `json:"seat"`
		Move string `json:"move"`
		Text string `json:"text"`
	} `json:"events"`
}

// Moves returns the moves of the log in order, each as "seat:token".
func (g FullGame) Moves() []string {
	var moves []string
	for _, e := range g.Events {
		if e.Kind == "move" {
			moves = append(moves, fmt.Sprintf("%d:%s", e.Seat, e.Move))
		}
	}
	return moves
}

// Open opens a game as a player, with the seats of the request. If others are at their limit of games without a move,
// the game waits, and they accept it.
func Open(ctx context.Context, by Player, request map[string]any, others ...Player) (g Game, err error) {
	if err := by.Post(ctx, "/games", request, &g); err != nil {
		return g, fmt.Errorf("opening a game: %w", err)
	}
	for _, other := range others {
		if g.Status != "waiting" {
			break
		}
		if err := other.Post(ctx, "/games/"+g.ID+"/accept", nil, &g); err != nil {
			return g, fmt.Errorf("accepting a game: %w", err)
		}
	}
	return g, nil
}
