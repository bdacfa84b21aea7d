package registration

import (
	"quatuor/tournament"
)

// Withdraw withdraws an entry. In a running tournament it takes no part from the first unpublished round on; its open
// game is played, or decided by the arbiter.
func Withdraw(t *tournament.Tournament, id string) (*tournament.Revision, error) {
	if t.Status.Over() {
		return nil, tournament.NotNow("the tournament is over; entries can no longer withdraw")
	}
	e, err := t.FindEntry(id)
	if err != nil {
		return nil, err
	}
	if e.Status == tournament.Withdrawn {
		return t.Unchanged()
	}
	e.Status, e.Waiting = tournament.Withdrawn, 0
	if t.Status == tournament.Running {
		e.WithdrawnFrom = t.PublishedRounds() + 1
	}
	return t.WithEntry(e)
}

// Reinstate takes a withdrawn entry back; rounds that were paired without it stay lost. An entry that withdrew before
// the start has no number and comes back as a late entry, if the format has any. Members of a team need not agree any
// more.
func Reinstate(t *tournament.Tournament, id string) (*tournament.Revision, error) {
	e, err := t.FindEntry(id)
	if err != nil {
		return nil, err
	}
	switch {
	case e.Status != tournament.Withdrawn:
		return t.Unchanged()
	case t.Status.Over():
		return nil, tournament.NotNow("the tournament is over; entries can no longer come back")
	case t.Status == tournament.Running && e.Number == 0 && !t.Format.LateEntries():
		return nil, tournament.NotNow("%s withdrew before the start and has no number in the tables", e.Name)
	}
	e.Status = tournament.Confirmed
	e.WithdrawnFrom = 0
	e.Awaiting = nil
	if err := CheckEntry(t, &e, tournament.Shape{Members: len(e.Members)}); err != nil {
		return nil, err
	}
	if t.Status == tournament.Running && e.Number == 0 {
		return arrive(t, e)
	}
	return t.WithEntry(e)
}
