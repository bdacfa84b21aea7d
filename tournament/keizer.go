package tournament

import (
	"cmp"
	"slices"
)

// KeizerRules are the regulations of a Keizer season: what package keizer computes with, and how players say whether
// they come to an evening.
type KeizerRules struct {
	Top      int     `json:"top,omitempty"`      // value of the first of the ranking; 0 for the usual one
	Own      Points  `json:"own,omitempty"`      // how often the own value counts
	Absences int     `json:"absences,omitempty"` // evenings missed that still count
	Gap      int     `json:"gap,omitempty"`      // whole rounds between two games of the same players
	Meetings int     `json:"meetings,omitempty"` // games of the same two players in the season
	Close    int     `json:"close,omitempty"`    // minutes before the announced start until which players may say so
	Silence  Silence `json:"silence,omitempty"`
}

// Silence is what players are that have not said whether they come. If there is a check-in, those that are not checked
// in are never present.
type Silence string

// The kinds of silence.
const (
	SilentPresent  Silence = "present"
	SilentAbsent   Silence = "absent"
	SilentNoNotice Silence = "no_notice" // absent without notice
)

// Limits of Keizer seasons. Package keizer computes no more rounds.
const (
	maxEvenings = 100
	maxTop      = 10_000
	maxOwn      = 1000        // tenths
	maxClose    = 7 * 24 * 60 // minutes
)

// absences are the byes with which an entry stays away from an evening.
var absences = []Bye{ZeroPoint, ClubDuty, NoShow}

// DefaultKeizerRules returns the default rules of a Keizer season; none for other formats.
func DefaultKeizerRules(f Format) KeizerRules {
	if !f.ByEvenings() {
		return KeizerRules{}
	}
	return KeizerRules{Own: 10, Absences: 5, Gap: 3, Meetings: 3, Silence: SilentPresent}
}

// bound returns the rules that cannot change after the start.
func (r KeizerRules) bound() KeizerRules {
	r.Close, r.Silence = 0, ""
	return r
}

// check reports rules out of bounds, or that the format does not have.
func (r KeizerRules) check(s Settings, faults *FieldErrors) {
	if !s.Format.ByEvenings() {
		if r != (KeizerRules{}) {
			faults.add("pairing/keizer", "only a %s season has evenings, and this is a %s", Keizer, s.Format)
		}
		return
	}
	for _, rule := range []struct {
		name            string
		value, from, to int
	}{
		{"top", r.Top, 0, maxTop},
		{"own", int(r.Own), 0, maxOwn},
		{"absences", r.Absences, 0, maxRounds},
		{"gap", r.Gap, 0, maxRounds},
		{"meetings", r.Meetings, 1, maxRounds},
		{"close", r.Close, 0, maxClose},
	} {
		if rule.value < rule.from || rule.value > rule.to {
			faults.add("pairing/keizer/"+rule.name, "%d is not possible; write a number from %d to %d", rule.value, rule.from,
				rule.to)
		}
	}
	if !slices.Contains([]Silence{SilentPresent, SilentAbsent, SilentNoNotice}, r.Silence) {
		faults.add("pairing/keizer/silence", "%q is not possible; write present, absent or no_notice", r.Silence)
	}
	if s.RoundCount > maxEvenings {
		faults.add("rounds", "a %s season has at most %d rounds; write 0 to end it when you please", Keizer, maxEvenings)
	}
	if s.AutoRounds {
		faults.add("auto_rounds", "the rounds of a %s season are paired on the evenings that you choose", Keizer)
	}
}

// LastRound returns the number of the last round that can be paired: a Keizer season is open-ended unless a number of
// rounds was planned.
func (t *Tournament) LastRound() int {
	if t.Format.ByEvenings() {
		return cmp.Or(t.RoundCount, maxEvenings)
	}
	return t.RoundCount
}

// Evening returns the round for which the check-in of a Keizer season is now: the next to be published.
func (t *Tournament) Evening() int { return t.PublishedRounds() + 1 }

// Here reports whether an entry is checked in; in a Keizer season, whether it said that it comes to the next evening; in
// an arena, whether it wants opponents.
func (t *Tournament) Here(e Entry) bool {
	if t.Format.Continuous() {
		return t.InArena(e)
	}
	if t.Format.ByEvenings() {
		return e.Bot() > 0 || e.Tonight == t.Evening() && e.Away(t.Evening()) == NoBye
	}
	return e.Present
}

// unsaid returns the bye in an evening to come of an entry that has requested none.
func (t *Tournament) unsaid(e Entry, round int) Bye {
	switch {
	case e.Tonight == round, e.Bot() > 0, t.CheckIn == NoCheckIn && t.Rules.Keizer.Silence == SilentPresent:
		return NoBye
	case t.Rules.Keizer.Silence == SilentNoNotice:
		return NoShow
	}
	return ZeroPoint
}

// PresenceCloses returns the time, ms UTC, from which players can no longer say themselves whether they come to the
// next evening of a Keizer season; 0 if no start of it is announced.
func (t *Tournament) PresenceCloses() int64 {
	closes := t.StartsAt - int64(t.Rules.Keizer.Close)*60_000
	if n := t.PublishedRounds(); t.StartsAt == 0 || n > 0 && t.Rounds[n-1].PublishedAt >= closes {
		return 0 // that evening has been
	}
	return closes
}

// Announcement is what is known of an entry and an evening.
type Announcement struct {
	Comes bool
	Away  Bye // why it does not come: ZPB, CLUB or NOSHOW; NoBye if nothing is known
}

// Announce records whether an entry comes to the next evening of a Keizer season. What was known before is replaced.
func (t *Tournament) Announce(id string, a Announcement) (*Tournament, Delta, error) {
	i, err := t.entryIndex(id)
	if err != nil {
		return nil, Delta{}, err
	}
	e, evening := t.Entries[i], t.Evening()
	switch {
	case !t.Format.ByEvenings():
		return nil, Delta{}, Refuse(ErrState, "only in a %s season players say for each evening whether they come", Keizer)
	case t.Status == Finished || t.Status == Archived:
		return nil, Delta{}, t.canCheckIn()
	case e.Status == Withdrawn:
		return nil, Delta{}, Refuse(ErrState, "%s has withdrawn; reinstate the entry first", e.Name)
	case e.Bot() > 0:
		return nil, Delta{}, Refuse(ErrState, "a bot is always there; let it withdraw, or request a bye for it")
	case a.Away != NoBye && (a.Comes || !slices.Contains(absences, a.Away)):
		return nil, Delta{}, Fault("bye", "%q is no absence from an evening; write one of %v", a.Away, absences)
	case e.Tonight == evening == a.Comes && e.Away(evening) == a.Away:
		return t, Delta{}, nil
	}
	e.Tonight = 0
	if a.Comes {
		e.Tonight = evening
	}
	e.Byes = slices.DeleteFunc(slices.Clone(e.Byes), func(b RequestedBye) bool { return b.Round == evening })
	if a.Away != NoBye {
		e.Byes = append(e.Byes, RequestedBye{evening, a.Away})
		slices.SortFunc(e.Byes, func(a, b RequestedBye) int { return cmp.Compare(a.Round, b.Round) })
	}
	return t.withEntry(i, e)
}

// AnnounceSelf is Announce by a member of the entry at a time, until players can no longer say so themselves, or the
// evening has been paired.
func (t *Tournament) AnnounceSelf(id, player string, a Announcement, at int64) (*Tournament, Delta, error) {
	i, err := t.entryIndex(id)
	if err != nil {
		return nil, Delta{}, err
	}
	switch {
	case !slices.Contains(t.Entries[i].Members, player):
		return nil, Delta{}, Refuse(ErrInvalid, "you are not a member of %s", t.Entries[i].Name)
	case t.tooLate(at), len(t.Rounds) >= t.Evening():
		return nil, Delta{}, errTooLate
	case !a.Comes && a.Away != ClubDuty:
		a.Away = ZeroPoint // with notice, then
	}
	return t.Announce(id, a)
}

var errTooLate = Refuse(ErrState, "it is too late to say so for this evening; please speak to an arbiter")

// tooLate reports whether players can no longer say at a time whether they come to the next evening.
func (t *Tournament) tooLate(at int64) bool {
	closes := t.PresenceCloses()
	return t.Format.ByEvenings() && closes > 0 && at >= closes
}

// RequestByesSelf is RequestByes by a member of the entry at a time: a bye is an absence from an evening of a Keizer
// season, too, so that the one from the next evening stays as it is once it is too late to say so.
func (t *Tournament) RequestByesSelf(id string, byes []RequestedBye, at int64) (*Tournament, Delta, error) {
	evening := t.Evening()
	e, known := t.Entry(id)
	if known && len(t.Rounds) < evening && t.tooLate(at) && e.Away(evening) != (Entry{Byes: byes}).Away(evening) {
		return nil, Delta{}, errTooLate
	}
	return t.RequestByes(id, byes)
}
