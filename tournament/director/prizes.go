package director

import (
	"context"

	"quatuor/tournament"
	"quatuor/tournament/prizes"
)

// SetPrizes says what is to be won, in place of what was said before. Errors wrap tournament.ErrInvalid where prizes
// cannot be handed out so.
func (d *Director) SetPrizes(ctx context.Context, id string, p tournament.Prizes, o Order) (*tournament.Tournament, error) {
	return d.change(ctx, id, o, tournament.Act{Kind: tournament.ActPrizes}, func(t *tournament.Tournament) (*tournament.Tournament, tournament.Delta, error) {
		if err := prizes.Check(p); err != nil {
			return nil, tournament.Delta{}, err
		}
		return t.SetPrizes(p)
	})
}
