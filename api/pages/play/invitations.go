package play

import (
	"slices"

	"quatuor/api/pages/kit"
	"quatuor/engine"
	"quatuor/engine/table"
)

// Awaited lists the players that have not accepted, each once.
func Awaited(row table.Game, who kit.People) (list []kit.Person) {
	for i, id := range row.Players {
		if row.Invited.Has(int8(i+1)) && !slices.Contains(row.Players[:i], id) {
			list = append(list, who.Person(id))
		}
	}
	return list
}

// invite adds the players that have not accepted, and whether the visitor is one of them.
func (g *GameBody) invite(row table.Game, v engine.Viewer, who kit.People) {
	if row.Status == table.Waiting && row.StartsAt != 0 {
		g.StartsAt = row.Deadline
	}
	if row.Status != table.Waiting || row.Invited == 0 {
		return
	}
	g.Waiting, g.AcceptUntil = Awaited(row, who), row.Deadline
	for seat := engine.Seat(1); int(seat) <= row.Seats; seat++ {
		g.Asked = g.Asked || v.Holds(seat) && row.Invited.Has(int8(seat))
	}
}
