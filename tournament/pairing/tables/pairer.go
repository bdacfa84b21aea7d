package tables

import (
	"slices"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// Pairer is the table Swiss as a pairing system for a tournament.
type Pairer struct {
	Rules  tournament.TableRules // in canonical form
	Totals map[int]int           // by number, in tenths, in place of the points; nil for none
}

var (
	_ pairing.Explainer = Pairer{}
	_ pairing.Adviser   = Pairer{}
	_ pairing.Keeper    = Pairer{}
)

// minRounds is the number of rounds of a field without a plan if more would make leaders meet the tail.
const minRounds = 3

// Rounds returns the planned number of rounds; without a plan as many as let all meet others of their score, at least
// three.
func (p Pairer) Rounds(entries, planned int) (int, error) {
	sizes := p.Rules.Sizes.List()
	if len(sizes) == 0 || entries < sizes[0] {
		return 0, tournament.NotValid("tables of %v need more entries than %d", sizes, entries)
	}
	if planned == 0 {
		planned = max(minRounds, entries/2/(p.Rules.Preferred-1))
	}
	return planned, nil
}

// Advice returns a warning where the rounds will seat leaders with the tail; see [Rules.Advice].
func (p Pairer) Advice(entries, planned int) sentence.Sentence {
	rounds, err := p.Rounds(entries, planned)
	if err != nil || planned == 0 {
		return sentence.Sentence{}
	}
	return p.rules().Advice(entries, rounds)
}

// rules returns the regulations as the draw takes them.
func (p Pairer) rules() Rules {
	r := Rules{
		Sizes: p.Rules.Sizes.List(), Preferred: p.Rules.Preferred, MeetingsSecond: p.Rules.MeetingsSecond,
		Clubs: p.Rules.Clubs, Unseeded: p.Rules.Unseeded,
	}
	if p.Rules.Rotate {
		r.Sides = [][]int{{1, 3}, {2, 4}}
	}
	return r
}

// Pair returns the round: tables by number, then the pairing-allocated byes, then the entries that are away.
func (p Pairer) Pair(h pairing.History) ([]tournament.Pairing, error) {
	out, _, err := p.PairAndKeep(h)
	return out, err
}

// pairings returns a drawn round as pairings.
func pairings(h pairing.History, round Round) []tournament.Pairing {
	var out []tournament.Pairing
	for _, t := range round.Tables {
		out = append(out, h.Pairing(len(out)+1, tournament.NoBye, t...))
	}
	for _, n := range round.Byes {
		out = append(out, h.Pairing(len(out)+1, tournament.PairingAllocated, n))
	}
	for i, e := range h.Field {
		if e.Away != tournament.NoBye {
			out = append(out, h.Pairing(len(out)+1, e.Away, i+1))
		}
	}
	return out
}

// field returns the field of a draw from a history.
func (p Pairer) field(h pairing.History) Field {
	f := Field{Rules: p.rules()}
	for i, e := range h.Field {
		if e.Away == tournament.NoBye {
			points := int(e.Score())
			if p.Totals != nil {
				points = p.Totals[i+1]
			}
			f.Entries = append(f.Entries, Entry{Number: i + 1, Points: points, Club: e.Entry.Club})
		}
	}
	for _, group := range h.Bans {
		for i, a := range group {
			for _, b := range group[:i] {
				if a != b {
					f.Forbidden = append(f.Forbidden, [2]int{b, a})
				}
			}
		}
	}
	for n := range h.Round - 1 {
		f.Rounds = append(f.Rounds, pastOf(h, n))
	}
	return f
}

// pastOf returns a round, from 0, as far as it was played. An absent entry was not at its table; for the others its
// size and its seats stay, so an unused number fills the seat.
func pastOf(h pairing.History, n int) Past {
	var past Past
	at := map[int]int{} // index in past.Tables by board
	nobody := len(h.Field)
	for i, e := range h.Field {
		if n >= len(e.Cells) {
			continue
		}
		c := e.Cells[n]
		switch {
		case c.Bye == tournament.PairingAllocated:
			past.Byes = append(past.Byes, i+1)
		case c.Kind == tournament.Played && len(c.Opponents) > 1:
			k, ok := at[c.Board]
			if !ok {
				k = len(past.Tables)
				at[c.Board] = k
				past.Tables = append(past.Tables, make([]int, len(c.Opponents)+1))
			}
			past.Tables[k][c.Seat-1] = i + 1
		}
	}
	for _, t := range past.Tables {
		for s, number := range t {
			if number == 0 {
				nobody++
				t[s] = nobody
			}
		}
	}
	slices.Sort(past.Byes)
	return past
}

// Advice returns a warning for the organiser of a field with this number of entries and rounds, or "". If meetings
// count before scores and each entry meets more than half of the field, the last rounds seat leaders with the tail,
// because entries of equal scores have met. A single round has no leaders.
func (r Rules) Advice(entries, rounds int) sentence.Sentence {
	met := rounds * (r.Preferred - 1)
	if r.MeetingsSecond || rounds < 2 || 2*met <= entries {
		return sentence.Sentence{}
	}
	fit := entries / 2 / (r.Preferred - 1)
	if fit < 2 { // fewer rounds are no way out
		return sentence.New("in %d rounds each of %d entries meets %d others, more than half of the field: the last "+
			"rounds will seat leaders with the tail. Choose meetings: second, so that scores count first", rounds, entries, met)
	}
	return sentence.New("in %d rounds each of %d entries meets %d others, more than half of the field: the last rounds "+
		"will seat leaders with the tail. Choose meetings: second, so that scores count first, or at most %d rounds", rounds, entries, met, fit)
}
