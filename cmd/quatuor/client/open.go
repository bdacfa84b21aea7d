package client

import (
	"context"
	"fmt"
)

// Open has a player open a game, whose seats the request names. Where the others sit in as many games without a move as may begin at
// once, the game waits, and they accept it.
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
