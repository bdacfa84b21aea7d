package team

import (
	"cmp"
	"time"

	"quatuor/engine/sentence"
	"quatuor/tournament"
)

// maxAhead is the maximum time from now to a date that an arbiter sets.
const maxAhead = 366 * 24 * time.Hour

// Propose proposes a date for a match on behalf of a side, ms UTC. The date is agreed once both sides have proposed it;
// until then an earlier agreement holds. 0 withdraws the side's proposal.
func Propose(t *tournament.Tournament, round int, p tournament.Pairing, side int, at, now int64) (
	*tournament.Revision, sentence.Sentence, error,
) {
	d, err := dateOf(t, round, p, now)
	if err != nil {
		return nil, sentence.Sentence{}, err
	}
	last := LastDay(t, round, p)
	switch {
	case at == 0 || at == d.At:
		d.Proposed[side] = 0
		if at == d.At && at > 0 {
			d.Proposed = [2]int64{}
		}
	case at-DueBefore(t) <= now:
		return nil, sentence.Sentence{}, tournament.Fault("at", "line-ups are due %d minutes before a match, so that it "+
			"can be at %s at the earliest", DueBefore(t)/60_000, utc(now+DueBefore(t)))
	case at > last:
		return nil, sentence.Sentence{}, tournament.Fault("at", "the last day of match %d is %s; an arbiter can set a "+
			"later one", p.Board, utc(last))
	case at == d.Proposed[1-side]:
		d.At, d.Proposed = at, [2]int64{}
		next, err := SetDate(t, round, p, d)
		return next, sentence.New("agreed: %s", utc(at)), err
	default:
		d.Proposed[side] = at
	}
	said := sentence.New("proposed: %s", utc(at))
	if at == 0 {
		said = sentence.Fixed("proposal taken back")
	}
	next, err := SetDate(t, round, p, d)
	return next, said, err
}

// Date sets the date of a match for an arbiter, or its last day; both ms UTC, 0 to leave it unset. It removes
// proposals.
func Date(t *tournament.Tournament, round int, p tournament.Pairing, at, until, now int64) (
	*tournament.Revision, sentence.Sentence, error,
) {
	d, err := dateOf(t, round, p, now)
	if err != nil {
		return nil, sentence.Sentence{}, err
	}
	field, moment, said := "at", at, sentence.New("set to %s", utc(at))
	if at == 0 {
		field, moment, said = "until", until, sentence.New("last day: %s", utc(until))
	}
	if moment-DueBefore(t) < now || moment > now+maxAhead.Milliseconds() {
		return nil, said, tournament.Fault(field, "choose a time from %s, before which "+
			"line-ups are due, to a year ahead", utc(now+DueBefore(t)))
	}
	if at > 0 {
		d.At = at
	} else {
		d.Until = until
		if d.At > until {
			d.At = 0
		}
	}
	d.Proposed = [2]int64{}
	next, err := SetDate(t, round, p, d)
	return next, said, err
}

// dateOf returns the date of a match. It refuses matches with line-ups that are due, since their dates cannot change
// any more.
func dateOf(t *tournament.Tournament, round int, p tournament.Pairing, now int64) (d tournament.MatchDate, err error) {
	if p.Date != nil {
		d = *p.Date
	}
	if !t.Dated() {
		return d, tournament.NotNow("all matches of a round are played at one time here (teams.days)")
	}
	if t.Status != tournament.Running {
		return d, tournament.NotNow("the tournament is %s", t.Status)
	}
	if !t.Sealed(p) || now >= LineUpsDue(t, round, p) {
		return d, tournament.NotNow("the line-ups of match %d are revealed, so that its date stays", p.Board)
	}
	return d, nil
}

func utc(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02 15:04 UTC") }

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
) (*tournament.Revision, error) {
	return t.WithPairing(round, p.Board, nil, func(q *tournament.Pairing) { *q = withDate(t, *q, d) })
}

// DueBefore returns the time between the deadline for line-ups and their match, ms.
func DueBefore(t *tournament.Tournament) int64 { return t.Teams.DueBefore() }
