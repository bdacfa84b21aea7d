package exchange

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"quatuor/tournament"
	"quatuor/tournament/standings"
	"quatuor/tournament/trf"
	"quatuor/tournament/wording"
)

var letters = map[tournament.Bye]trf.Result{
	tournament.HalfPoint: trf.HalfPoint, tournament.FullPoint: trf.FullPoint,
	tournament.PairingAllocated: trf.Allocated, tournament.ZeroPoint: trf.ZeroPoint,
}

// players writes the 001 lines. Points are the sum of the cells, including points that do not count for others in
// a round-robin because a player withdrew.
func (e *exporter) players(table *standings.Standings) {
	ranks := make(map[int]int, len(table.Rows))
	for _, row := range table.Rows {
		ranks[row.Entry.Number] = row.Rank
	}
	found := make(map[abnormal][]int)
	unchanged := e.kept.original && e.kept.rounds == e.rounds
	lines, still := e.keptLines()
	for _, card := range e.t.Cards(e.rounds) {
		p := e.player(card.Entry)
		p.Rank = ranks[p.Number]
		same := true
		for i, c := range card.Cells {
			cell, told := e.kept.cell(card.Entry.ID, i+1, c, e.t.Format)
			if !told {
				cell, same = e.cell(i+1, c), false
			}
			p.Cells = append(p.Cells, cell)
			p.Points += c.Points
			if a, special := e.special(cell, c); special && !(still && i < e.kept.rounds) {
				a.round = i + 1
				found[a] = append(found[a], p.Number)
			}
		}
		if bye := letters[card.Entry.Away(e.rounds+1)]; bye != 0 && e.rounds < e.t.RoundCount {
			p.Cells = append(p.Cells, trf.Cell{Result: bye})
		}
		unchanged = unchanged && same
		e.out.Players = append(e.out.Players, p)
	}
	if unchanged {
		e.keepRanks()
	}
	e.abnormal(found)
	e.out.Abnormal = append(lines, e.out.Abnormal...)
}

// keptLines returns the lines 299 of the file, by today's numbers, and whether they still hold for the points of all
// its rounds: no result of them was changed, and no line would also count for the rounds that were played here.
func (e *exporter) keptLines() (lines []trf.Abnormal, still bool) {
	if !e.kept.original {
		return nil, false
	}
	for _, card := range e.t.Cards(min(e.rounds, e.kept.rounds)) {
		for i, c := range card.Cells {
			if _, same := e.kept.cell(card.Entry.ID, i+1, c, e.t.Format); !same {
				return nil, false
			}
		}
	}
	for _, a := range e.kept.report.Abnormal {
		if a.Round == 0 && e.rounds > e.kept.rounds {
			return nil, false
		}
		a.Numbers = slices.Clone(a.Numbers)
		for i, then := range a.Numbers {
			a.Numbers[i] = e.kept.number(then)
		}
		lines = append(lines, a)
	}
	return lines, true
}

// keepRanks sets the rank and points of every player to those of the file, which may follow other rules than ours.
func (e *exporter) keepRanks() {
	for i, entry := range e.t.Numbered() {
		if then := e.kept.players[entry.ID]; then != nil {
			e.out.Players[i].Rank = then.Rank
			e.out.Players[i].Points = then.Points
			e.out.Players[i].NoPoints = then.NoPoints
		}
	}
}

// player returns the particulars of an entry.
func (e *exporter) player(entry tournament.Entry) trf.Player {
	p := trf.Player{Number: entry.Number, Name: entry.Name}
	p.Name = cut(p.Name, maxName)
	if rating := int(math.Floor(entry.Rating + 0.5)); rating > 0 {
		p.Rating = strconv.Itoa(rating)
	}
	then := e.kept.players[entry.ID]
	if then == nil {
		return p
	}
	if name, err := wording.Line.Clean(then.Name, 3*maxName); err == nil && name == entry.Name {
		p.Name = then.Name // as it was spelled, perhaps with two blanks
	}
	p.Title = then.Title
	p.Federation = then.Federation
	p.ID = then.ID
	if e.audience == Staff {
		p.Sex, p.Birth = then.Sex, then.Birth
	}
	if p.Rating == "" && strings.Trim(then.Rating, "0") == "" {
		p.Rating = then.Rating
	}
	return p
}

// cell returns a round of an entry.
func (e *exporter) cell(round int, c tournament.Cell) trf.Cell {
	out := trf.Cell{Result: trf.NoResult}
	if c.Bye != tournament.NoBye {
		out.Result = letters[c.Bye]
		return out
	}
	if len(c.Opponents) == 0 {
		if e.out.Points.ForfeitLoss != 0 {
			out.Result = trf.ZeroPoint // a line 299 sets its points to zero
		}
		return out
	}
	out.Opponent, out.Colour = c.Opponents[0], tournament.Colour(c.Seat)
	p := e.t.Rounds[round-1].Pairings[c.Board-1]
	if p.Result == nil {
		return out
	}
	out.Result = letter(p.Result, c.Seat-1)
	if e.unrated(p) {
		out.Result = out.Result.Unrated()
	}
	return out
}

// unrated reports whether a game is not rated though similar games in the tournament are: against a bot, or decided
// unrated in the hall. Games that cannot be rated here, like those of entries without a player, do not count: another
// list may rate them.
func (e *exporter) unrated(p tournament.Pairing) bool {
	return e.t.WithBot(p) || e.t.Rated && p.HallGame != "" && !p.Result.Rated && p.Result.Rateable()
}

// letter returns the letter of a result of two for a seat, from 0.
func letter(r *tournament.Result, seat int) trf.Result {
	switch {
	case r.Forfeit && r.Ranks != nil && r.Ranks[seat] == 1:
		return trf.ForfeitWin
	case r.Forfeit:
		return trf.ForfeitLoss
	}
	return letterOf(r.Ranks, seat)
}

// letterOf returns the letter of a game of two that was played.
func letterOf(ranks []int, seat int) trf.Result {
	return []trf.Result{trf.Loss, trf.Draw, trf.Win}[tournament.HalfPoints(ranks[seat], ranks[1-seat])]
}

// abnormal is a line 299 without the numbers.
type abnormal struct {
	letter trf.Result
	points tournament.Points
	round  int
}

// special returns the line 299 that a cell needs, if its points are not those of the point system.
func (e *exporter) special(cell trf.Cell, c tournament.Cell) (abnormal, bool) {
	usual := e.out.Worth(cell)
	if c.Kind == tournament.Pending || c.Points == usual {
		return abnormal{}, false
	}
	a := abnormal{letter: cell.Result.Unrated(), points: c.Points}
	if a.letter == trf.Allocated || a.letter == trf.NoResult { // these have no lines of their own
		a = abnormal{letter: trf.NoResult, points: c.Points - usual}
	}
	return a, true
}

// abnormal writes the lines 299, by round and type.
func (e *exporter) abnormal(found map[abnormal][]int) {
	for a, numbers := range found {
		e.out.Abnormal = append(e.out.Abnormal, trf.Abnormal{
			Type: a.letter, Points: a.points, Round: a.round, Numbers: numbers,
		})
	}
	slices.SortFunc(e.out.Abnormal, func(a, b trf.Abnormal) int {
		return cmp.Or(cmp.Compare(a.Round, b.Round), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Points, b.Points))
	})
}
