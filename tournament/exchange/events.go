package exchange

import (
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/trf"
)

// Annotate adds the acts to an exported report that its lines cannot show: rounds changed by hand, late entries, byes
// granted and, for the staff, undone acts. Rounds that are not in the report are left out. Acts are in their order,
// oldest first. Changes by hand are left out, too, if they were undone or their round was deleted.
func Annotate(r *trf.Report, t *tournament.Tournament, acts []tournament.Act, audience Audience) {
	hand := handOf(r, acts)
	r.Events = slices.DeleteFunc(r.Events, func(e trf.Event) bool {
		return e.Kind == trf.ByHand && len(hand[e.Round]) == 0
	})
	for _, act := range acts {
		if act.Kind == tournament.ActEdit && !slices.Contains(hand[act.Round], act.Version) {
			continue
		}
		for _, e := range eventsOf(t, act) {
			staff := e.Kind == trf.Undone || e.Kind == trf.ByeGranted && e.Round > t.PublishedRounds()
			if (audience == Staff || !staff) && (e.Kind == trf.ByeGranted || e.Round <= t.PublishedRounds()) &&
				!slices.Contains(r.Events, e) {
				r.Events = append(r.Events, e)
			}
		}
	}
}

// inFile is the version of a change by hand that the imported file has an event for.
const inFile int64 = -1

// handOf returns the versions of the changes by hand that still hold, by round.
func handOf(r *trf.Report, acts []tournament.Act) map[int][]int64 {
	hand := make(map[int][]int64)
	for _, e := range r.Events {
		if e.Kind == trf.ByHand {
			hand[e.Round] = append(hand[e.Round], inFile)
		}
	}
	type state struct {
		round    int
		versions []int64
	}
	before := make(map[int64]state)
	for _, act := range acts {
		switch act.Kind {
		case tournament.ActEdit:
			before[act.Version] = state{act.Round, hand[act.Round]}
			hand[act.Round] = append(slices.Clone(hand[act.Round]), act.Version)
		case tournament.ActDrop, tournament.ActDraw, tournament.ActPair:
			before[act.Version] = state{act.Round, hand[act.Round]}
			delete(hand, act.Round)
		case tournament.ActUndo:
			if was, known := before[act.Undid()]; known {
				hand[was.round] = was.versions
			}
		}
	}
	return hand
}

// eventsOf returns the events of an act, none for most.
func eventsOf(t *tournament.Tournament, act tournament.Act) []trf.Event {
	entry, _ := t.Entry(act.Entry)
	switch act.Kind {
	case tournament.ActEdit:
		return []trf.Event{{Kind: trf.ByHand, Round: act.Round}}
	case tournament.ActUndo:
		return []trf.Event{{Kind: trf.Undone, Round: act.Round}}
	case tournament.ActEnter, tournament.ActRegister, tournament.ActConfirm:
		if round := nextAt(t, act.At); t.StartedAt > 0 && act.At > t.StartedAt && entry.Number > 0 {
			return []trf.Event{{Kind: trf.LateEntry, Round: min(round, t.RoundCount), Player: entry.Number}}
		}
	case tournament.ActByes:
		var out []trf.Event
		for _, bye := range entry.Byes {
			if letter := letters[bye.Bye]; letter != 0 && entry.Number > 0 && t.StartedAt > 0 {
				out = append(out, trf.Event{Kind: trf.ByeGranted, Round: bye.Round, Player: entry.Number, Result: letter})
			}
		}
		return out
	}
	return nil
}

// nextAt returns the round that was to be published next at a time.
func nextAt(t *tournament.Tournament, at int64) int {
	return 1 + len(slices.DeleteFunc(slices.Clone(t.Rounds), func(r tournament.Round) bool {
		return r.PublishedAt == 0 || r.PublishedAt > at
	}))
}
