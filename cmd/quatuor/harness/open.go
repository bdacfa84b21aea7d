package harness

import (
	"context"
	"fmt"
)

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
