package director

import (
	"context"

	"quatuor/tournament"
	"quatuor/tournament/prizes"
)

// SetPrizes replaces the prizes. Errors wrap tournament.ErrInvalid if they cannot be awarded.
func (d *Director) SetPrizes(
	ctx context.Context, id string, p tournament.Prizes, o Order,
) (*tournament.Tournament, error) {
	return d.change(ctx, id, o, tournament.Act{Kind: tournament.ActPrizes},
		func(t *tournament.Tournament) (*tournament.Tournament, tournament.Delta, error) {
			if err := prizes.Check(p); err != nil {
				return nil, tournament.Delta{}, err
			}
			return t.SetPrizes(p)
		})
}
