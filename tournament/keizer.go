package tournament

import (
	"cmp"
	"slices"
)

// KeizerRules are the regulations of a Keizer season: the numbers of package keizer, and the announcements of players
// for an evening.
type KeizerRules struct {
	Top      int     `json:"top,omitempty"`      // value of the first of the ranking; 0 for the default
	Own      Points  `json:"own,omitempty"`      // how often the own value counts
	Absences int     `json:"absences,omitempty"` // evenings missed that still count
	Gap      int     `json:"gap,omitempty"`      // whole rounds between two games of the same players
	Meetings int     `json:"meetings,omitempty"` // games of the same two players in the season
	Close    int     `json:"close,omitempty"`    // minutes before the announced start; announcements close then
	Silence  Silence `json:"silence,omitempty"`
}

// Silence is the presence of players without an announcement. With a check-in, players that are not checked in are
// never present.
type Silence string

// The kinds of silence.
const (
	SilentPresent  Silence = "present"
	SilentAbsent   Silence = "absent"
	SilentNoNotice Silence = "no_notice" // absent without notice
)

// KeizerPresence is an entry's presence in a Keizer season.
type KeizerPresence struct {
	// Tonight is the last evening for which the entry announced that it comes.
	Tonight int `json:",omitempty"`
}

// Limits of Keizer seasons. Package keizer computes no more rounds.
const (
	maxEvenings = 100
	maxTop      = 10_000
	maxOwn      = 1000        // tenths
	maxClose    = 7 * 24 * 60 // minutes
)

// Absences are the byes of an entry that misses an evening.
var Absences = []Bye{ZeroPoint, ClubDuty, NoShow}

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
			faults.Add("pairing/keizer", "only a %s season has evenings, and this is a %s", Keizer, s.Format)
		}
		return
	}
	faults.InRange("pairing/keizer/top", r.Top, 0, maxTop)
	faults.InRange("pairing/keizer/own", int(r.Own), 0, maxOwn)
	faults.InRange("pairing/keizer/absences", r.Absences, 0, maxRounds)
	faults.InRange("pairing/keizer/gap", r.Gap, 0, maxRounds)
	faults.InRange("pairing/keizer/meetings", r.Meetings, 1, maxRounds)
	faults.InRange("pairing/keizer/close", r.Close, 0, maxClose)
	if !slices.Contains([]Silence{SilentPresent, SilentAbsent, SilentNoNotice}, r.Silence) {
		faults.Add("pairing/keizer/silence", "%q is not possible; write present, absent or no_notice", r.Silence)
	}
	if s.RoundCount > maxEvenings {
		faults.Add("rounds", "a %s season has at most %d rounds; write 0 to end it when you please", Keizer, maxEvenings)
	}
	if s.AutoRounds {
		faults.Add("auto_rounds", "the rounds of a %s season are paired on the evenings that you choose", Keizer)
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

// Evening returns the round of the present check-in of a Keizer season: the next to be published.
func (t *Tournament) Evening() int { return t.PublishedRounds() + 1 }

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
