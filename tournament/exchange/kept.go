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
