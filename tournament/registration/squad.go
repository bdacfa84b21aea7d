package registration

import (
	"slices"

	"quatuor/tournament"
)

// squadOpen returns an error if a team may not change to these members: they may be added until the squads close.
func squadOpen(t *tournament.Tournament, old, e tournament.Entry) error {
	switch n := len(old.Members); {
	case !t.Started() || slices.Equal(old.Members, e.Members):
		return nil
	case len(e.Members) < n || !slices.Equal(e.Members[:n], old.Members):
		return tournament.Refuse(tournament.ErrState,
			"after the start members can be added to a squad, at its end, and none can leave it")
	case len(t.Rounds) >= t.Teams.SquadsClose:
		return tournament.Refuse(tournament.ErrState,
			"the squads are closed (teams.squads_close); captain, name and club can change")
	}
	return nil
}
