package presence

import (
	"cmp"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/arena"
)

// Here reports whether an entry is checked in; in a Keizer season, whether it announced that it comes to the next
// evening; in an arena, whether it wants opponents.
func Here(t *tournament.Tournament, e tournament.Entry) bool {
	if t.Format.Continuous() {
		return arena.InArena(t, e)
	}
	if t.Format.ByEvenings() {
		return e.Bot() > 0 || e.Tonight == t.Evening() && e.Away(t.Evening()) == tournament.NoBye
	}
	return e.Present
}

// ClosesAt returns the time, ms UTC, after which players can no longer announce for themselves whether they come to the
// next evening of a Keizer season; 0 if no start of it is announced.
func ClosesAt(t *tournament.Tournament) int64 {
	closes := t.StartsAt - int64(t.Rules.Keizer.Close)*60_000
	if n := t.PublishedRounds(); t.StartsAt == 0 || n > 0 && t.Rounds[n-1].PublishedAt >= closes {
		return 0 // that evening is over
	}
	return closes
}

// Announcement is an entry's announcement for an evening.
type Announcement struct {
	Comes bool
	Away  tournament.Bye // reason for its absence: ZPB, CLUB or NOSHOW; NoBye if none is known
}

// Announce records whether an entry comes to the next evening of a Keizer season. It replaces an earlier announcement.
func Announce(t *tournament.Tournament, id string, a Announcement) (*tournament.Revision, error) {
	e, err := t.FindEntry(id)
	evening := t.Evening()
	switch {
	case err != nil:
		return nil, err
	case !t.Format.ByEvenings():
		return nil, tournament.NotNow("only in a %s season players say for each evening whether they come",
			tournament.Keizer)
	case t.Status.Over():
		return nil, canCheckIn(t)
	case e.Status == tournament.Withdrawn:
		return nil, tournament.NotNow("%s has withdrawn; reinstate the entry first", e.Name)
	case e.Bot() > 0:
		return nil, tournament.NotNow("a bot is always there; let it withdraw, or request a bye for it")
	case a.Away != tournament.NoBye && (a.Comes || !slices.Contains(tournament.Absences, a.Away)):
		return nil, tournament.Fault("bye", "%q is no absence from an evening; write one of %v",
			a.Away, tournament.Absences)
	case e.Tonight == evening == a.Comes && e.Away(evening) == a.Away:
		return t.Unchanged()
	}
	e.Tonight = 0
	if a.Comes {
		e.Tonight = evening
	}
	e.Byes = slices.DeleteFunc(slices.Clone(e.Byes), func(b tournament.RequestedBye) bool { return b.Round == evening })
	if a.Away != tournament.NoBye {
		e.Byes = append(e.Byes, tournament.RequestedBye{Round: evening, Bye: a.Away})
		slices.SortFunc(e.Byes, func(a, b tournament.RequestedBye) int { return cmp.Compare(a.Round, b.Round) })
	}
	return t.WithEntry(e)
}

// AnnounceSelf is Announce by a member of the entry. It is refused from the time of [ClosesAt] on, and once the evening
// has been paired.
func AnnounceSelf(t *tournament.Tournament, id, player string, a Announcement, at int64) (*tournament.Revision, error) {
	_, err := t.EntryOf(id, player)
	switch {
	case err != nil:
		return nil, err
	case tooLate(t, at), len(t.Rounds) >= t.Evening():
		return nil, errTooLate
	case !a.Comes && a.Away != tournament.ClubDuty:
		a.Away = tournament.ZeroPoint // announced in time
	}
	return Announce(t, id, a)
}

var errTooLate = tournament.NotNow("it is too late to say so for this evening; please speak to an arbiter")

// tooLate reports whether the time is past that of [ClosesAt] for the next evening.
func tooLate(t *tournament.Tournament, at int64) bool {
	closes := ClosesAt(t)
	return t.Format.ByEvenings() && closes > 0 && at >= closes
}

// RequestByesSelf is RequestByes by a member of the entry. A bye is an absence from an evening of a Keizer season, too,
// so from the time of [ClosesAt] on the bye of the next evening cannot change.
func RequestByesSelf(
	t *tournament.Tournament, id string, byes []tournament.RequestedBye, at int64,
) (*tournament.Revision, error) {
	evening := t.Evening()
	e, known := t.Entry(id)
	if known && len(t.Rounds) < evening && tooLate(t, at) && e.Away(evening) != (tournament.Entry{Byes: byes}).Away(evening) {
		return nil, errTooLate
	}
	return t.RequestByes(id, byes)
}
