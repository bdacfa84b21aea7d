// Package presence records which entries are there: the check-in before rounds, and the announcements of players for an
// evening of a Keizer season.
package presence

import (
	"slices"

	"quatuor/tournament"
)

// OpenCheckIn opens the check-in, or opens it again. Entries stay checked in, unless reset is set.
func OpenCheckIn(t *tournament.Tournament, reset bool) (*tournament.Revision, error) {
	if err := canCheckIn(t); err != nil {
		return nil, err
	}
	if t.CheckIn == tournament.CheckInOpen && !reset {
		return t.Unchanged()
	}
	return withCheckIn(t, tournament.CheckInOpen, reset)
}

// CloseCheckIn closes the check-in: absent entries are not paired from now on.
func CloseCheckIn(t *tournament.Tournament) (*tournament.Revision, error) {
	switch t.CheckIn {
	case tournament.NoCheckIn:
		return nil, tournament.NotNow("the check-in has not been opened")
	case tournament.CheckInClosed:
		return t.Unchanged()
	}
	return withCheckIn(t, tournament.CheckInClosed, false)
}

// CancelCheckIn removes the check-in: all entries count as present again.
func CancelCheckIn(t *tournament.Tournament) (*tournament.Revision, error) {
	switch {
	case t.CheckIn == tournament.NoCheckIn:
		return t.Unchanged()
	case t.Status == tournament.Archived:
		return nil, tournament.InArchive()
	}
	return withCheckIn(t, tournament.NoCheckIn, true)
}

// SetPresent checks an entry in, or marks it absent. Late comers checked in after the close are paired from the next
// round drawn up.
func SetPresent(t *tournament.Tournament, id string, present bool) (*tournament.Revision, error) {
	e, err := t.FindEntry(id)
	if err != nil {
		return nil, err
	}
	if err := canCheckIn(t); err != nil {
		return nil, err
	}
	switch {
	case t.CheckIn == tournament.NoCheckIn:
		return nil, tournament.NotNow("the check-in has not been opened; open it first")
	case present && e.Status == tournament.Withdrawn:
		return nil, tournament.NotNow("%s has withdrawn; reinstate the entry first", e.Name)
	case present && e.Waits():
		return nil, tournament.NotNow("members of %s have yet to agree to be in it; confirm the entry first", e.Name)
	case e.Present == present:
		return t.Unchanged()
	case e.Bot() > 0:
		return nil, tournament.NotNow("a bot is always there; let it withdraw, or request a bye for it")
	}
	e.Present = present
	return t.WithEntry(e)
}

// CheckSelfIn checks an entry in on behalf of a member, while the check-in is open.
func CheckSelfIn(t *tournament.Tournament, id, player string, present bool) (*tournament.Revision, error) {
	_, err := t.EntryOf(id, player)
	switch {
	case err != nil:
		return nil, err
	case t.CheckIn != tournament.CheckInOpen:
		return nil, tournament.NotNow("the check-in is not open; please speak to an arbiter")
	}
	return SetPresent(t, id, present)
}

// canCheckIn returns an error if presence no longer matters.
func canCheckIn(t *tournament.Tournament) error {
	switch {
	case t.Status.Over():
		return tournament.NotNow("the tournament is %s; there are no more rounds to check in for", t.Status)
	case t.Format.Continuous():
		return tournament.NotNow("in an %s players join by themselves, and leave again", tournament.Arena)
	case t.Status == tournament.Running && !t.Format.Arrivals():
		return tournament.NotNow("the check-in of a %s is before the start; who does not come later forfeits the game",
			t.Format)
	}
	return nil
}

// withCheckIn sets the stage of the check-in; clear marks all entries absent.
func withCheckIn(t *tournament.Tournament, stage tournament.CheckIn, clear bool) (*tournament.Revision, error) {
	next := *t
	next.CheckIn = stage
	var delta tournament.Delta
	if clear {
		next.Entries = slices.Clone(t.Entries)
		for i := range next.Entries {
			if e := &next.Entries[i]; e.Present && e.Bot() == 0 {
				e.Present = false
				delta.Entries = append(delta.Entries, *e)
			}
		}
	}
	return next.Wrote(delta)
}
