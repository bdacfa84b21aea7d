// Package sight says who sees a game as it stands, and who as it stood: the regulations of a tournament may keep the
// spectators of its games behind the players, so that nobody is helped from outside.
package sight

import (
	"context"
	"slices"

	"quatuor/api/auth"
	"quatuor/engine/table"
	"quatuor/tournament"
)

// Tournaments give a tournament as it stands.
type Tournaments interface {
	Tournament(ctx context.Context, id string) (*tournament.Tournament, error)
}

// Behind reports whether whoever asks sees a game with its delay: everybody does but its players, those who run its
// tournament, and admins.
func Behind(ctx context.Context, in Tournaments, g table.Game) (bool, error) {
	who := auth.From(ctx)
	switch {
	case !g.Delayed(), who.PlayerID != "" && slices.Contains(g.Players, who.PlayerID):
		return false, nil
	case g.Tournament == nil || who.Anonymous():
		return true, nil
	}
	t, err := in.Tournament(ctx, g.Tournament.ID)
	if err != nil {
		return true, err
	}
	return !who.Can(who.LevelIn(t), auth.SeeDrafts), nil
}
