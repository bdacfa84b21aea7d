package team

import (
	"cmp"

	"quatuor/tournament"
)

// LastDay returns the end of the time to play a match of a published round, ms UTC.
func LastDay(t *tournament.Tournament, round int, p tournament.Pairing) int64 {
	if p.Date != nil && p.Date.Until > 0 {
		return p.Date.Until
	}
	r := t.Rounds[round-1]
	return max(r.PublishedAt+int64(t.Teams.Days)*tournament.DayMs, r.LineUpsDue)
}

// MatchAt returns the time of a match of a published round: its date or, without a date, its last day; if matches have
// no dates, the start of the round.
func MatchAt(t *tournament.Tournament, round int, p tournament.Pairing) int64 {
	if p.Date != nil && p.Date.At > 0 {
		return p.Date.At
	}
	if !t.Dated() {
		return cmp.Or(t.Rounds[round-1].Start.At, LineUpsDue(t, round, p))
	}
	return LastDay(t, round, p)
}

// StartOf returns the start of the clocks of a pairing's games. Those of a match with a date start earlier if all
// players are there.
func StartOf(t *tournament.Tournament, round int, p tournament.Pairing) tournament.Start {
	if t.Dated() {
		return tournament.Start{At: MatchAt(t, round, p), Together: true}
	}
	return t.Rounds[round-1].Start
}

// withDate returns a pairing with a date, which moves the deadline of its line-ups. A proposal changes nothing that
// others see.
func withDate(t *tournament.Tournament, p tournament.Pairing, d tournament.MatchDate) tournament.Pairing {
	before := tournament.MatchDate{}
	if p.Date != nil {
		before = *p.Date
	}
	p.Date = &d
	if d.At == before.At && d.Until == before.Until {
		return p
	}
	p.LineUpsDue = 0
	if at := cmp.Or(d.At, d.Until); at > 0 {
		p.LineUpsDue = at - t.Teams.DueBefore()
	}
	return p
}

// SetDate sets the date of a match in a published round, with earlier proposals and agreements.
func SetDate(
	t *tournament.Tournament, round int, p tournament.Pairing, d tournament.MatchDate,
) (*tournament.Tournament, tournament.Delta, error) {
	return t.WithPairing(round, p.Board, nil, func(q *tournament.Pairing) { *q = withDate(t, *q, d) })
}

// DueBefore returns the time between the deadline for line-ups and their match, ms.
func DueBefore(t *tournament.Tournament) int64 { return t.Teams.DueBefore() }
