// Package exchange imports tournaments from report files (package trf) and exports them.
//
// A report and a tournament do not hold the same information. The organiser sets what a report leaves open ([Options]);
// the rest of a report (city, arbiters, titles, ids, unknown lines) stays in the file, which is kept unchanged
// ([Original]) and used again for the export.
//
// How the cells of past rounds are imported and exported:
//
//	cell              here                                          written as
//	1 = 0             a result of the points that go with it        1 = 0
//	W D L             the same                                      the letter of the file, while the result is unchanged
//	0 on both sides   a game that both lost                         0
//	+ -               a forfeit; - on both sides a double forfeit   + -
//	+ or -, alone     a full- or zero-point bye                     the letter of the file
//	H F U Z           a bye: half-, full-point, allocated, zero     H F U Z
//	blank             a zero-point bye; in a round-robin nothing    blank, where the file left it so
//	opponent, blank   an open game, before the last round adjourned the same
//
// In rounds to come, H, F and Z cells and lines 240 are byes on request; a player with Z in all of them has
// withdrawn. Results with other points than those of the point system become lines 299.
package exchange

import (
	"cmp"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/trf"
)

// kept is the information of an imported file that still holds.
type kept struct {
	report   *trf.Report // empty without a file
	original bool        // the file exists
	rounds   int         // rounds in the file
	players  map[string]*trf.Player
	current  map[int]int // numbers in the file to numbers now
	cells    map[string][]tournament.Cell
	order    []string // entry ids in the order of the file
}

func keptOf(t *tournament.Tournament, r *trf.Report, o *Original) kept {
	if r == nil {
		return kept{report: &trf.Report{}}
	}
	k := kept{
		report: r, original: true, rounds: r.Held(), players: make(map[string]*trf.Player),
		current: make(map[int]int), cells: make(map[string][]tournament.Cell),
	}
	var numbers []int
	for _, p := range r.Players {
		numbers = append(numbers, p.Number)
	}
	slices.Sort(numbers)
	ids := make(map[int]string, len(numbers))
	for i, number := range numbers[:min(len(numbers), len(o.Entries))] {
		ids[number] = o.Entries[i]
	}
	h := r.History(k.rounds + 1)
	for i := range r.Players {
		p := &r.Players[i]
		id := ids[p.Number]
		entry, _ := t.Entry(id)
		k.players[id] = p
		k.current[p.Number] = entry.Number
		k.cells[id] = h.Field[p.Number-1].Cells
		k.order = append(k.order, id)
	}
	return k
}

// number returns the present number of a player, by that in the file.
func (k *kept) number(then int) int { return cmp.Or(k.current[then], then) }

// cell returns a cell as the file spells it, if the result there still equals now.
func (k *kept) cell(id string, round int, now tournament.Cell, f tournament.Format) (trf.Cell, bool) {
	if round > k.rounds || k.players[id] == nil {
		return trf.Cell{}, false
	}
	then, spelled := k.cells[id][round-1], k.players[id].Cell(round)
	if spelled.Opponent > 0 {
		spelled.Opponent = k.number(spelled.Opponent)
		opponent := slices.Equal([]int{spelled.Opponent}, now.Opponents)
		return spelled, opponent && then.Kind == now.Kind && then.Points == now.Points &&
			(then.Seat == now.Seat || then.Seat == 0)
	}
	return spelled, len(now.Opponents) == 0 && byeOf(then, f) == now.Bye && then.Points == now.Points
}

// other returns the unknown lines, each behind the same players as in the file.
func (k *kept) other(players int) []trf.Other {
	var out []trf.Other
	place := 0
	for _, line := range k.report.Other {
		switch {
		case line.After == 0:
			place = 0
		case line.After >= len(k.order):
			place = players
		default:
			place = max(place, k.number(k.report.Players[line.After-1].Number))
		}
		out = append(out, trf.Other{After: min(place, players), Text: line.Text})
	}
	return out
}

// Options are the organiser's settings for an import. Only Variant is required; the others default to those of the
// file.
type Options struct {
	Name        string
	Variant     string
	Format      tournament.Format
	Rounds      int
	TimeControl string
	Options     map[string]string
	TieBreaks   []string // nil keeps those of the file
	Rated       bool     // of the games still to come: imported games are never rated here
	AutoRounds  bool

	// Players maps numbers in the file to existing players. All others are new: a name alone does not identify a player.
	Players map[int]string
	// NamesOnly creates entries with names only, without players: all games are played over the board.
	NamesOnly bool
}

// Original is the imported file of a tournament.
type Original struct {
	Text    []byte   // unchanged
	Entries []string // entry ids, in the order of the numbers in the file
}

// read returns the file's content; nil without a file.
func (o *Original) read() (*trf.Report, error) {
	if o == nil {
		return nil, nil //nolint:nilnil // a tournament that was started here has none
	}
	return trf.Reread(o.Text)
}
