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
// In a Keizer season players announce each evening whether they come; see [presence.Announce]. With a check-in, open or
// closed, every entry that is not checked in is absent.
//
// The check-in may be opened again before each round. While it is open no round is drawn up, and the tournament cannot
// start.
type CheckIn string

// The stages of the check-in.
const (
	NoCheckIn     CheckIn = ""       // all entries count as present
	CheckInOpen   CheckIn = "open"   // players check in
	CheckInClosed CheckIn = "closed" // only present entries are paired
)

// Away returns the bye of an entry that is not paired in a round: that of [Entry.Away], or a zero-point bye for an
// absent entry. Presence today does not affect published rounds.
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

// missing reports whether an entry was absent when the check-in was closed, and has not come since.
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

// checkedIn returns an error if the check-in is still open, or fewer than two entries are present.
func (t *Tournament) checkedIn() error {
	switch {
	case t.CheckIn == CheckInOpen && !t.Format.ByEvenings():
		return NotNow("the check-in is open; close it first")
	case (t.CheckIn == CheckInClosed || t.Format.ByEvenings()) && t.Format.Arrivals() && t.Present() < 2:
		return NotNow("%d entries are checked in, and at least 2 are needed; check in those who are there, or do without "+
			"a check-in", t.Present())
	}
	return nil
}
