package tournament

import "slices"

// CheckIn is the stage of the check-in: recording which entries are in the hall. After it, absent entries are not
// paired until they are checked in late.
//
//	format                  absent before the start   absent in a running tournament
//	Swiss, table Swiss      keeps its number          a zero-point bye in each round that is drawn up,
//	                                                  unless another bye was requested
//	round-robin, knock-out  takes no part             no check-in: the game is forfeited
//
// A Keizer season asks for every evening anew who comes; see [Tournament.Announce]. Whoever is not checked in then is
// absent, as long as there is a check-in at all, open or closed.
//
// It may be opened again before each round. While it is open no round is drawn up, and the tournament cannot start.
type CheckIn string

// The stages of the check-in.
const (
	NoCheckIn     CheckIn = ""       // all entries count as present
	CheckInOpen   CheckIn = "open"   // players check in
	CheckInClosed CheckIn = "closed" // only present entries are paired
)

// OpenCheckIn opens the check-in, or opens it again. Entries stay checked in, unless reset is set.
func (t *Tournament) OpenCheckIn(reset bool) (*Tournament, Delta, error) {
	if err := t.canCheckIn(); err != nil {
		return nil, Delta{}, err
	}
	if t.CheckIn == CheckInOpen && !reset {
		return t, Delta{}, nil
	}
	return t.withCheckIn(CheckInOpen, reset)
}

// CloseCheckIn closes the check-in: absent entries are not paired from now on.
func (t *Tournament) CloseCheckIn() (*Tournament, Delta, error) {
	switch t.CheckIn {
	case NoCheckIn:
		return nil, Delta{}, Refuse(ErrState, "the check-in has not been opened")
	case CheckInClosed:
		return t, Delta{}, nil
	}
	return t.withCheckIn(CheckInClosed, false)
}

// CancelCheckIn does without a check-in: all entries count as present again.
func (t *Tournament) CancelCheckIn() (*Tournament, Delta, error) {
	switch {
	case t.CheckIn == NoCheckIn:
		return t, Delta{}, nil
	case t.Status == Archived:
		return nil, Delta{}, Refuse(ErrState, "the tournament is archived and can no longer change")
	}
	return t.withCheckIn(NoCheckIn, true)
}

// SetPresent checks an entry in, or marks it absent. Late comers checked in after the close are paired from the next
// round drawn up.
func (t *Tournament) SetPresent(id string, present bool) (*Tournament, Delta, error) {
	i, err := t.entryIndex(id)
	if err != nil {
		return nil, Delta{}, err
	}
	e := t.Entries[i]
	if err := t.canCheckIn(); err != nil {
		return nil, Delta{}, err
	}
	switch {
	case t.CheckIn == NoCheckIn:
		return nil, Delta{}, Refuse(ErrState, "the check-in has not been opened; open it first")
	case present && e.Status == Withdrawn:
		return nil, Delta{}, Refuse(ErrState, "%s has withdrawn; reinstate the entry first", e.Name)
	case present && e.Waits():
		return nil, Delta{}, Refuse(ErrState, "members of %s have yet to agree to be in it; confirm the entry first", e.Name)
	case e.Present == present:
		return t, Delta{}, nil
	case e.Bot() > 0:
		return nil, Delta{}, Refuse(ErrState, "a bot is always there; let it withdraw, or request a bye for it")
	}
	e.Present = present
	return t.withEntry(i, e)
}

// CheckSelfIn checks an entry in for one of its members, which is possible while the check-in is open.
func (t *Tournament) CheckSelfIn(id, player string, present bool) (*Tournament, Delta, error) {
	i, err := t.entryIndex(id)
	if err != nil {
		return nil, Delta{}, err
	}
	switch {
	case !slices.Contains(t.Entries[i].Members, player):
		return nil, Delta{}, Refuse(ErrInvalid, "you are not a member of %s", t.Entries[i].Name)
	case t.CheckIn != CheckInOpen:
		return nil, Delta{}, Refuse(ErrState, "the check-in is not open; please speak to an arbiter")
	}
	return t.SetPresent(id, present)
}

// Away returns the bye that an entry has in a round instead of being paired: that of [Entry.Away], or a zero-point bye
// because it is absent. Presence today does not affect published rounds.
func (t *Tournament) Away(e Entry, round int) Bye {
	bye := e.Away(round)
	switch {
	case bye != NoBye || !t.Format.Arrivals() || round <= t.PublishedRounds():
		return bye
	case t.Format.ByEvenings():
		return t.unsaid(e, round)
	case t.missing(e):
		return ZeroPoint
	}
	return NoBye
}

// Present returns the number of present entries, which can be paired.
func (t *Tournament) Present() int {
	return len(slices.DeleteFunc(slices.Clone(t.Entries), func(e Entry) bool { return !e.takesPart() || t.missing(e) }))
}

// missing reports whether an entry was not there when the check-in was closed, and has not come since.
func (t *Tournament) missing(e Entry) bool {
	if t.Format.ByEvenings() {
		return t.Status == Running && t.Away(e, t.Evening()) != NoBye
	}
	return t.CheckIn == CheckInClosed && !e.Present
}

// takes reports whether an entry is in the field if the tournament starts now.
func (t *Tournament) takes(e Entry) bool {
	return e.takesPart() && (t.Format.Arrivals() || !t.missing(e))
}

// canCheckIn returns an error if presence no longer matters.
func (t *Tournament) canCheckIn() error {
	switch {
	case t.Status == Finished || t.Status == Archived:
		return Refuse(ErrState, "the tournament is %s; there are no more rounds to check in for", t.Status)
	case t.Format.Continuous():
		return Refuse(ErrState, "in an %s players join by themselves, and leave again", Arena)
	case t.Status == Running && !t.Format.Arrivals():
		return Refuse(ErrState, "the check-in of a %s is before the start; who does not come later forfeits the game",
			t.Format)
	}
	return nil
}

// checkedIn returns an error if the check-in is still open, or fewer than two entries are present.
func (t *Tournament) checkedIn() error {
	switch {
	case t.CheckIn == CheckInOpen && !t.Format.ByEvenings():
		return Refuse(ErrState, "the check-in is open; close it first")
	case (t.CheckIn == CheckInClosed || t.Format.ByEvenings()) && t.Format.Arrivals() && t.Present() < 2:
		return Refuse(ErrState, "%d entries are checked in, and at least 2 are needed; check in those who are there, or "+
			"do without a check-in", t.Present())
	}
	return nil
}

// withCheckIn sets the stage of the check-in; clear marks all entries absent.
func (t *Tournament) withCheckIn(stage CheckIn, clear bool) (*Tournament, Delta, error) {
	next := *t
	next.CheckIn = stage
	var delta Delta
	if clear {
		next.Entries = slices.Clone(t.Entries)
		for i := range next.Entries {
			if e := &next.Entries[i]; e.Present && e.Bot() == 0 {
				e.Present = false
				delta.Entries = append(delta.Entries, *e)
			}
		}
	}
	return &next, delta, nil
}
