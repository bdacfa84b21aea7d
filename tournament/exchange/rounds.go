package exchange

import (
	"fmt"
	"slices"
	"strings"

	"quatuor/tournament"
	"quatuor/tournament/pairing/swiss"
	"quatuor/tournament/trf"
)

// reason is stored with imported results.
const reason = "from the report file"

// results imports the rounds that have been paired.
func (i *importer) results() error {
	complete := true
	score := make([]tournament.Points, len(i.players))
	for round := 1; round <= i.played; round++ {
		pairings, err := i.round(round)
		if err != nil {
			return err
		}
		i.arrange(round, pairings, score)
		i.open(round, pairings)
		for board := range pairings {
			p := &pairings[board]
			p.Board = board + 1
			if p.Result == nil {
				complete = false
				continue
			}
			for seat, id := range p.Seats {
				score[i.number[id]-1] += p.Result.Points[seat]
			}
		}
		i.taken.Begun.Rounds = append(i.taken.Begun.Rounds, pairings)
	}
	i.taken.Begun.Finished = complete && i.played == i.taken.Settings.RoundCount
	return nil
}

// round imports a round, with boards in no particular order.
func (i *importer) round(round int) ([]tournament.Pairing, error) {
	var out []tournament.Pairing
	for n := range i.players {
		p := &i.players[n]
		c := i.history.Field[p.Number-1].Cells[round-1]
		switch {
		case len(c.Opponents) == 0:
			if bye := byeOf(c, i.taken.Settings.Format); bye != tournament.NoBye {
				out = append(out, tournament.Pairing{
					Seats: []string{i.ids[n]}, Bye: bye,
					Result: &tournament.Result{Points: []tournament.Points{c.Points}, Source: tournament.ByArbiter, Reason: "bye"},
				})
			}
		case i.place[c.Opponents[0]] > n+1: // the cell of the other player is the same
			game := i.game(round, n, i.place[c.Opponents[0]]-1)
			if c.Kind == tournament.Pending && round < i.played {
				if i.report.Unknown != i.report.Points.Draw {
					return nil, refuse("line %d, player %d, round %d: the game has no result, and round %d has been paired since; "+
						"here such a "+
						"game can only count as a draw, and line 162 says %s (X)", p.Line(), p.Number, round, round+1, i.report.Unknown)
				}
				game.Adjourned, i.taken.Settings.Rules.AdjournedDraw = "no result in the report file", true
			}
			out = append(out, game)
		}
	}
	return out, nil
}

// open notes the games of a round without a result.
func (i *importer) open(round int, pairings []tournament.Pairing) {
	var list []string
	for _, p := range pairings {
		if p.Result == nil {
			white, black := i.players[i.number[p.Seats[0]]-1], i.players[i.number[p.Seats[1]]-1]
			list = append(list, fmt.Sprintf("%d–%d", white.Number, black.Number))
		}
	}
	if n := len(list); n > 0 {
		if n > maxRematches {
			list = append(list[:maxRematches], "…")
		}
		i.note("round %d: %d games have no result in the file and are open here: %s", round, n, strings.Join(list, ", "))
	}
}

// maxRematches is the greatest number of notes on rematches.
const maxRematches = 20

// rematches notes repeated pairings in a Swiss, against C.04.1.
func (i *importer) rematches() {
	if !i.swiss() {
		return
	}
	more := 0
	for n := range i.players {
		first := make(map[int]int) // the round of the first game, by opponent
		for round, c := range i.history.Field[i.players[n].Number-1].Cells[:i.played] {
			if len(c.Opponents) == 0 || c.Kind != tournament.Played || c.Opponents[0] < i.players[n].Number {
				continue
			}
			opponent := c.Opponents[0]
			switch before := first[opponent]; {
			case before == 0:
				first[opponent] = round + 1
			case more < maxRematches:
				i.note("round %d: players %d and %d meet again; they played each other in round %d (C.04.1)", round+1,
					i.players[n].Number, opponent, before)
				fallthrough
			default:
				more++
			}
		}
	}
	if more > maxRematches {
		i.note("players meet again in %d more games", more-maxRematches)
	}
}

// byeOf returns the bye for a cell without an opponent; NoBye where none is stored.
func byeOf(c tournament.Cell, f tournament.Format) tournament.Bye {
	switch {
	case c.Kind == tournament.ForfeitWin:
		return tournament.FullPoint
	case c.Kind == tournament.ForfeitLoss, c.Kind == tournament.Absent && f.Arrivals():
		return tournament.ZeroPoint
	}
	return c.Bye
}

// game imports the pairing of two players, by index.
func (i *importer) game(round, a, b int) tournament.Pairing {
	cell := func(n int) tournament.Cell { return i.history.Field[i.players[n].Number-1].Cells[round-1] }
	if cell(a).Seat == int(tournament.Black) || cell(b).Seat == int(tournament.White) {
		a, b = b, a
	}
	out := tournament.Pairing{Seats: []string{i.ids[a], i.ids[b]}}
	if cell(a).Kind == tournament.Pending {
		return out
	}
	r := &tournament.Result{
		Points: []tournament.Points{cell(a).Points, cell(b).Points}, Source: tournament.ByArbiter, Reason: reason,
		Forfeit: cell(a).Kind != tournament.Played,
	}
	x, y := i.players[a].Cell(round).Result, i.players[b].Cell(round).Result
	r.Ranks = ranksOf(x, y)
	if r.Forfeit && worth(x) == worth(y) {
		r.Ranks = nil
	}
	i.ratedAs(round, a, b, r)
	out.Result = r
	return out
}

// ranksOf returns the ranks of a game of two with these results.
func ranksOf(a, b trf.Result) []int {
	switch x, y := worth(a), worth(b); {
	case x > y:
		return []int{3 - x, 4 - x}
	case x < y:
		return []int{4 - y, 3 - y}
	default:
		return []int{2 - x, 2 - x}
	}
}

// ratedAs imports the result of two players, by index, that counts for the ratings alone.
func (i *importer) ratedAs(round, a, b int, r *tournament.Result) {
	x, y := i.rated[[2]int{round, i.players[a].Number}], i.rated[[2]int{round, i.players[b].Number}]
	switch {
	case x == 0 && y == 0:
	case x == 0 || y == 0 || r.Forfeit || !x.Agrees(y):
		i.note("round %d: the result of players %d and %d for the ratings alone (### quatuor rating) is left out: each of "+
			"the two needs one, and the game must have been played", round, i.players[a].Number, i.players[b].Number)
	case !slices.Equal(ranksOf(x, y), r.Ranks):
		r.RatedAs = ranksOf(x, y)
	}
}

// worth orders results: 2 for a win, 1 for a draw.
func worth(r trf.Result) int {
	switch r {
	case trf.Win, trf.ShortWin, trf.ForfeitWin:
		return 2
	case trf.Draw, trf.ShortDraw:
		return 1
	}
	return 0
}

// arrange sorts a round into board order (C.04.2): the higher score, the sum of both, the higher-ranked number; then
// byes, the allocated bye first. Virtual points count. In a round-robin the numbers decide.
func (i *importer) arrange(round int, pairings []tournament.Pairing, score []tournament.Points) {
	virtual := swiss.Baku(i.taken.Begun.GroupA, i.taken.Settings.RoundCount, i.taken.Settings.Points)
	key := make(map[string][4]int, len(pairings))
	for _, p := range pairings {
		k := [4]int{0, 0, 0, len(i.ids)}
		switch p.Bye {
		case tournament.NoBye:
		case tournament.PairingAllocated:
			k[0] = 1
		default:
			k[0] = 2
		}
		for _, id := range p.Seats {
			n := i.number[id]
			k[3] = min(k[3], n)
			if p.Bye == tournament.NoBye && i.swiss() {
				points := int(score[n-1] + virtual(n, round))
				k[1], k[2] = min(k[1], -points), k[2]-points
			}
		}
		key[p.Seats[0]] = k
	}
	slices.SortFunc(pairings, func(p, q tournament.Pairing) int {
		a, b := key[p.Seats[0]], key[q.Seats[0]]
		return slices.Compare(a[:], b[:])
	})
}
