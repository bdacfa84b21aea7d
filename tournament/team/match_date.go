package team

import (
	"cmp"

	"quatuor/tournament"
)

// LastDay returns until when a match of a published round is to be played, ms UTC.
func LastDay(t *tournament.Tournament, round int, p tournament.Pairing) int64 {
	if p.Date != nil && p.Date.Until > 0 {
		return p.Date.Until
	}
	r := t.Rounds[round-1]
	return max(r.PublishedAt+int64(t.Teams.Days)*tournament.DayMs, r.LineUpsDue)
}

// MatchAt returns when a match of a published round is played: on its date or, without one, on its last day; where
// matches have no dates, when the round begins.
func MatchAt(t *tournament.Tournament, round int, p tournament.Pairing) int64 {
	if p.Date != nil && p.Date.At > 0 {
		return p.Date.At
	}
	if !t.Dated() {
		return cmp.Or(t.Rounds[round-1].Start.At, LineUpsDue(t, round, p))
	}
	return LastDay(t, round, p)
}

// StartOf returns when the clocks of the games of a pairing start. Those of a match with a date start earlier if all
// are there.
func StartOf(t *tournament.Tournament, round int, p tournament.Pairing) tournament.Start {
	if t.Dated() {
		return tournament.Start{At: MatchAt(t, round, p), Together: true}
	}
	return t.Rounds[round-1].Start
}

// withDate returns a pairing with a date, before which its line-ups are due. A proposal moves nothing that others see.
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

// SetDate puts a match in a published round on a date, with what was proposed and agreed before.
func SetDate(
	t *tournament.Tournament, round int, p tournament.Pairing, d tournament.MatchDate,
) (*tournament.Tournament, tournament.Delta, error) {
	return t.WithPairing(round, p.Board, nil, func(q *tournament.Pairing) { *q = withDate(t, *q, d) })
}

// DueBefore returns how long before a match its line-ups are due, ms.
func DueBefore(t *tournament.Tournament) int64 { return t.Teams.DueBefore() }
