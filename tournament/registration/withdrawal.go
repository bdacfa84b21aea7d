package registration

import (
	"quatuor/tournament"
)

// Withdraw withdraws an entry. In a running tournament it takes no part from the first unpublished round on; its open
// game is played, or decided by the arbiter.
func Withdraw(t *tournament.Tournament, id string) (*tournament.Tournament, tournament.Delta, error) {
	if t.Status == tournament.Finished || t.Status == tournament.Archived {
		return nil, tournament.Delta{}, tournament.Refuse(tournament.ErrState,
			"the tournament is over; entries can no longer withdraw")
	}
	i, err := t.EntryIndex(id)
	if err != nil {
		return nil, tournament.Delta{}, err
	}
	e := t.Entries[i]
	if e.Status == tournament.Withdrawn {
		return t, tournament.Delta{}, nil
	}
	e.Status, e.Waiting = tournament.Withdrawn, 0
	if t.Status == tournament.Running {
		e.WithdrawnFrom = t.PublishedRounds() + 1
	}
	return t.WithEntry(i, e)
}

// Reinstate takes a withdrawn entry back; rounds that were paired without it stay lost. An entry that withdrew before
// the start has no number and comes back as a late entry, if the format has any. Members of a team need not agree any
// more.
func Reinstate(t *tournament.Tournament, id string) (*tournament.Tournament, tournament.Delta, error) {
	i, err := t.EntryIndex(id)
	if err != nil {
		return nil, tournament.Delta{}, err
	}
	e := t.Entries[i]
	switch {
	case e.Status != tournament.Withdrawn:
		return t, tournament.Delta{}, nil
	case t.Status == tournament.Finished || t.Status == tournament.Archived:
		return nil, tournament.Delta{}, tournament.Refuse(tournament.ErrState,
			"the tournament is over; entries can no longer come back")
	case t.Status == tournament.Running && e.Number == 0 && !t.Format.LateEntries():
		return nil, tournament.Delta{}, tournament.Refuse(tournament.ErrState,
			"%s withdrew before the start and has no number in the tables", e.Name)
	}
	e.Status = tournament.Confirmed
	e.WithdrawnFrom = 0
	e.Awaiting = nil
	if err := CheckEntry(t, &e, tournament.Shape{Members: len(e.Members)}); err != nil {
		return nil, tournament.Delta{}, err
	}
	if t.Status == tournament.Running && e.Number == 0 {
		return arrive(t, e)
	}
	return t.WithEntry(i, e)
}
