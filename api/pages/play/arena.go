package play

import (
	"context"

	"quatuor/engine/table"
)

// arenaPart adds a player's options in a game of an arena: take half of the time before the first move, and go back to
// wait for the next game.
func (p *Pages) arenaPart(ctx context.Context, b *playBody, s *table.Snapshot) error {
	place := s.Game.Tournament
	if place == nil || !b.Sits() || s.Past() {
		return nil
	}
	t, err := p.Tournaments.Tournament(ctx, place.ID)
	if err != nil || !t.Format.Continuous() {
		return err
	}
	if s.Game.Status.Over() {
		b.Arena = t.ID
	}
	b.Berserks = t.Rules.Arena.Berserk && s.MayBerserk(b.Own)
	return nil
}
