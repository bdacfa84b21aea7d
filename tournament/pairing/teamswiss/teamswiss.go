// Package teamswiss pairs the rounds of Swiss tournaments of teams (FIDE Handbook C.04.6, edition of 1 February 2026).
// Article numbers in this package are those of C.04.6. Where its text leaves a choice, [Readings] names both.
//
// # Order of the decisions
//
//	3.4       the team with the pairing-allocated bye: lowest score, most matches played, largest number
//	3.5       brackets from the top: the teams with the highest score, and the upfloaters that complete them
//	          C4 fewest upfloaters, C5 with the highest scores, C6 the next scoregroup needs the fewest itself, C7 fewest
//	          that were floaters in the round before, then the first in order of score and number
//	3.6       pairs of the bracket: C8 fewest preferences denied, C9 fewest of them strong, C10 fewest opponents of
//	          upfloaters that were floaters in the round before, then the first pairing in order
//	4.3       colours of each pair
//
// # How the best choice is found
//
// Both choices are minimum-cost perfect matchings, so the result is always the best by all criteria, and no search has
// to end early. The fewest upfloaters are never paired with each other, as the bracket would do without that pair. So
// each is the partner of a team of the top, and C4 to C7 are sums over the pairs of a complete pairing of all teams
// left: those between the top and lower teams, and for C6 those between the next scoregroup and still lower teams. The
// set that is first in order is found team by team among the best pairings, and so are the pairs of the bracket
// (package matching).
package teamswiss

import (
	"fmt"
	"strings"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/swiss"
)

// Pairer is the Swiss system for teams as a pairing system. In its histories, points are the primary score, and
// [tournament.Cell.Secondary] the secondary score; the seat is the colour of the team's first board.
type Pairer struct {
	Preference  Preference // "" is type A
	NoSecondary bool       // the secondary score decides nothing
	// Virtual returns the virtual points that a number has when a round is paired; nil means those of the Baku
	// Acceleration if the history has a group A, else none.
	Virtual  func(number, round int) tournament.Points
	Readings Readings
}

// Rounds returns the planned number of rounds if it can be played.
func (p Pairer) Rounds(entries, planned int) (int, error) {
	return swiss.Pairer{}.Rounds(entries, planned)
}

// Advice returns a warning about a number of rounds that may end badly, or an empty sentence.
func (p Pairer) Advice(entries, planned int) sentence.Sentence {
	return swiss.Pairer{}.Advice(entries, planned)
}

// Pair returns the round: matches in order, then the pairing-allocated bye, then the teams that are away.
func (p Pairer) Pair(h pairing.History) ([]tournament.Pairing, error) {
	round, err := p.Draw(h)
	if err != nil {
		return nil, err
	}
	return round.Pairings(h), nil
}

// Draw pairs the round that follows the history. Errors wrap tournament.ErrUnpairable and explain why no legal pairing
// exists.
func (p Pairer) Draw(h pairing.History) (swiss.Round, error) {
	d := p.newDraw(h)
	if err := d.pair(); err != nil {
		return swiss.Round{}, err
	}
	return d.round(), nil
}

// Readings are the places where the text of C.04.6 can be read in two ways. The zero value is the default reading.
type Readings struct {
	ForfeitMet  bool // forfeit_met=true: a forfeited match bars another, too (C1)
	LastNone    bool // last=none: in the last round, a team of type B without a difference has no preference
	C6Graded    bool // c6=graded: the fewer upfloaters the next scoregroup needs, the better
	SeatByScore bool // seat=score: pairs of a bracket are ordered by score and number, not by number alone
}

// reading is a reading with the values that select it.
type reading struct {
	key, usual, other string
	set               func(*Readings) *bool
}

var readings = []reading{
	{"forfeit_met", "false", "true", func(r *Readings) *bool { return &r.ForfeitMet }},
	{"last", "strong", "none", func(r *Readings) *bool { return &r.LastNone }},
	{"c6", "reach", "graded", func(r *Readings) *bool { return &r.C6Graded }},
	{"seat", "number", "score", func(r *Readings) *bool { return &r.SeatByScore }},
}

// ParseReadings reads readings, for example "c6=graded". Errors name what is possible.
func ParseReadings(texts []string) (r Readings, err error) {
	for _, text := range texts {
		if err := r.parse(text); err != nil {
			return r, err
		}
	}
	return r, nil
}

func (r *Readings) parse(text string) error {
	key, value, _ := strings.Cut(text, "=")
	var possible []string
	for _, known := range readings {
		possible = append(possible, known.key+"="+known.usual+"|"+known.other)
		switch {
		case known.key != key:
		case value == known.usual || value == known.other:
			*known.set(r) = value == known.other
			return nil
		default:
			return fmt.Errorf("the reading %q is unknown; use %s=%s or %s=%s", text, key, known.usual, key, known.other)
		}
	}
	return fmt.Errorf("the reading %q is unknown; use %s", text, strings.Join(possible, ", "))
}

// Strings returns the readings in force, a text each, for example "c6=reach".
func (r Readings) Strings() []string {
	out := make([]string, len(readings))
	for i, known := range readings {
		out[i] = known.key + "=" + known.usual
		if *known.set(&r) {
			out[i] = known.key + "=" + known.other
		}
	}
	return out
}
