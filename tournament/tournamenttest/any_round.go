package tournamenttest

import (
	"slices"

	"quatuor/tournament"
)

// AnyRound pairs neighbours by number.
func AnyRound(t *tournament.Tournament) []tournament.Pairing {
	var out []tournament.Pairing
	for pair := range slices.Chunk(t.Numbered(), 2) {
		p := tournament.Pairing{Board: len(out) + 1, Seats: []string{pair[0].ID}, Bye: tournament.ZeroPoint}
		if len(pair) == 2 {
			p.Seats, p.Bye = append(p.Seats, pair[1].ID), tournament.NoBye
		}
		out = append(out, p)
	}
	return out
}
