package pages

import (
	"context"
	"slices"

	"quatuor/api/auth"
	"quatuor/engine/table"
)

// behind reports whether a visitor sees a game with its delay: everybody does but its players and those who run its
// tournament.
func (p *Pages) behind(ctx context.Context, g table.Game, who auth.Who) (bool, error) {
	switch {
	case !g.Delayed():
		return false, nil
	case who.PlayerID != "" && slices.Contains(g.Players, who.PlayerID):
		return false, nil
	case g.Tournament == nil || who.Anonymous():
		return true, nil
	}
	t, err := p.Tournaments.Tournament(ctx, g.Tournament.ID)
	if err != nil {
		return true, err
	}
	return !who.Can(who.LevelIn(t), auth.SeeDrafts), nil
}

// spectated gives a game as spectators see it.
func (p *Pages) spectated(ctx context.Context, id string) (*table.Snapshot, error) {
	s, err := p.Games.Snapshot(ctx, id)
	if err != nil {
		return nil, err
	}
	seen, _, err := s.Spectated(p.Now().UnixMilli())
	return seen, err
}
