package director

import (
	"quatuor/tournament"
	"quatuor/tournament/prizes"
)

// SetPrizes replaces the prizes. Errors wrap tournament.ErrInvalid if they cannot be awarded.
func SetPrizes(p tournament.Prizes) Act {
	return plain(tournament.ActPrizes, func(t *tournament.Tournament) (*tournament.Tournament, tournament.Delta, error) {
		if err := prizes.Check(p); err != nil {
			return nil, tournament.Delta{}, err
		}
		return t.SetPrizes(p)
	})
}
