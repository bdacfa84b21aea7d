package tournament

import "cmp"

// day is a day, ms.
const day = 24 * 3600 * 1000

// MatchDate is when a match of teams is played, in a round that has days for its matches; times are ms UTC.
type MatchDate struct {
	At       int64    `json:"at,omitempty"`    // as agreed, or as an arbiter set it; 0 for not yet
	Until    int64    `json:"until,omitempty"` // the match's own last day; 0 for that of the round
	Proposed [2]int64 `json:"proposed"`        // by each side and not agreed; 0 for none
}

// Dated reports whether the matches of a tournament have dates of their own.
func (t *Tournament) Dated() bool { return t.Teams != nil && t.Teams.Days > 0 }

// LastDay returns until when a match of a published round is to be played, ms UTC.
func (t *Tournament) LastDay(round int, p Pairing) int64 {
	if p.Date != nil && p.Date.Until > 0 {
		return p.Date.Until
	}
	r := t.Rounds[round-1]
	return max(r.PublishedAt+int64(t.Teams.Days)*day, r.LineUpsDue)
}

// MatchAt returns when a match of a published round is played: on its date or, without one, on its last day; where
// matches have no dates, when the round begins.
func (t *Tournament) MatchAt(round int, p Pairing) int64 {
	if p.Date != nil && p.Date.At > 0 {
		return p.Date.At
	}
	if !t.Dated() {
		return cmp.Or(t.Rounds[round-1].Start.At, t.LineUpsDue(round, p))
	}
	return t.LastDay(round, p)
}

// StartOf returns when the clocks of the games of a pairing start. Those of a match with a date start earlier if all
// are there.
func (t *Tournament) StartOf(round int, p Pairing) Start {
	if t.Dated() {
		return Start{At: t.MatchAt(round, p), Together: true}
	}
	return t.Rounds[round-1].Start
}

// settled returns the date without proposals; nil if there is nothing else.
func (d *MatchDate) settled() *MatchDate {
	if d == nil || d.At == 0 && d.Until == 0 {
		return nil
	}
	return &MatchDate{At: d.At, Until: d.Until}
}

// withDate returns a pairing with a date, before which its line-ups are due. A proposal moves nothing that others see.
func (t *Tournament) withDate(p Pairing, d MatchDate) Pairing {
	before := MatchDate{}
	if p.Date != nil {
		before = *p.Date
	}
	p.Date = &d
	if d.At == before.At && d.Until == before.Until {
		return p
	}
	p.LineUpsDue = 0
	if at := cmp.Or(d.At, d.Until); at > 0 {
		p.LineUpsDue = at - t.Teams.before()
	}
	return p
}

// SetDate puts a match in a published round on a date, with what was proposed and agreed before.
func (t *Tournament) SetDate(round int, p Pairing, d MatchDate) (*Tournament, Delta, error) {
	return t.WithPairing(round, p.Board, nil, func(q *Pairing) { *q = t.withDate(*q, d) })
}

// DueBefore returns how long before a match its line-ups are due, ms.
func (t *Tournament) DueBefore() int64 { return t.Teams.before() }
