package trf

import (
	"slices"

	"quatuor/engine/sentence"
	"quatuor/tournament"
)

// check refuses reports that contradict themselves: numbers used twice, opponents that do not name each other,
// results that do not fit each other, points that are not the sum of the cells.
func (r *Report) check() error {
	byNumber, err := r.byNumber()
	if err != nil {
		return err
	}
	for _, check := range []func() error{func() error { return r.checkMentions(byNumber) }, r.checkGaps} {
		if err := check(); err != nil {
			return err
		}
	}
	next, lines := r.NextRound(), r.accounts()
	if r.Rounds > 0 && next-1 > r.Rounds {
		return tournament.NotValid("line %d: there are %d rounds, but games of round %d", r.roundsLine, r.Rounds, next-1)
	}
	for i := range r.Players {
		p := &r.Players[i]
		for round := range p.Cells {
			if err := p.checkCell(round, byNumber); err != nil {
				return err
			}
		}
		if err := r.checkPoints(p, next, lines); err != nil {
			return err
		}
	}
	return r.checkAllocated()
}

// byNumber returns the players by their numbers; it refuses a number that two have.
func (r *Report) byNumber() (map[int]*Player, error) {
	out := make(map[int]*Player, len(r.Players))
	for i := range r.Players {
		p := &r.Players[i]
		if first, ok := out[p.Number]; ok {
			return nil, tournament.NotValid("line %d, player %d: line %d is that player, too (columns 5 to 8)", p.line,
				p.Number, first.line)
		}
		out[p.Number] = p
	}
	return out, nil
}

// checkCell compares a cell (round from 0) with that of the opponent.
func (p *Player) checkCell(round int, byNumber map[int]*Player) error {
	refuse := func(format string, args ...any) error {
		return tournament.NotValid("line %d, player %d, round %d: %v (%s)", p.line, p.Number, round+1,
			sentence.New(format, args...), cellColumns(round+1))
	}
	c := p.Cells[round]
	if c.Opponent == 0 {
		return nil
	}
	opponent, ok := byNumber[c.Opponent]
	if !ok {
		return refuse("there is no player %d", c.Opponent)
	}
	if opponent == p {
		return refuse("a player cannot meet himself")
	}
	other := opponent.Cell(round + 1)
	switch {
	case other.Opponent != p.Number:
		return refuse("the opponent is %d, who in line %d has %d", c.Opponent, opponent.line, other.Opponent)
	case c.Colour == other.Colour && c.Colour != 0:
		return refuse("%d has the same colour in line %d", c.Opponent, opponent.line)
	case !c.Result.Agrees(other.Result):
		return refuse("result %q here and %q of %d in line %d do not belong together", c.Result, other.Result, c.Opponent,
			opponent.line)
	}
	return nil
}

// Agrees reports whether two results can be the two sides of the same pairing. Both may have lost.
func (r Result) Agrees(o Result) bool {
	if r.isGame() != o.isGame() || r.isForfeit() != o.isForfeit() {
		return false
	}
	wins := []Result{Win, ShortWin, ForfeitWin}
	draws := []Result{Draw, ShortDraw}
	return !(slices.Contains(wins, r) && (slices.Contains(wins, o) || slices.Contains(draws, o)) ||
		slices.Contains(draws, r) && slices.Contains(wins, o))
}

// checkPoints compares columns 81 to 84 with the cells. Programs differ in whether they already count byes for the
// round to come, and a game without a result as the report defines it; both ways are accepted.
func (r *Report) checkPoints(p *Player, next int, lines accounts) error {
	if p.NoPoints {
		return nil
	}
	sum := lines.extra(p.Number)
	before, unknown := sum, tournament.Points(0)
	for round := 1; round < max(next, len(p.Cells)+1); round++ { // blank cells at the end are rounds, too
		c := p.Cell(round)
		worth := lines.worth(p.Number, round, c)
		sum += worth
		if round < next {
			before += worth
		}
		if c.Opponent > 0 && c.Result == NoResult {
			unknown += r.Unknown
		}
	}
	for _, possible := range []tournament.Points{sum, before, sum + unknown, before + unknown} {
		if p.Points == possible {
			return nil
		}
	}
	return tournament.NotValid("line %d, player %d: %s points in columns 81 to 84, but the rounds make %s", p.line,
		p.Number, decimal(p.Points), decimal(sum))
}

// Cell returns a round's cell, blank where the line is too short.
func (p *Player) Cell(round int) Cell {
	if round > len(p.Cells) {
		return Cell{Result: NoResult}
	}
	return p.Cells[round-1]
}

// gaps are the columns between the fields of a 001 line, and cellGaps those within the ten of a round.
var (
	gaps     = []int{4, 9, 14, 48, 53, 57, 69, 80, 85}
	cellGaps = []int{1, 2, 7, 9}
)

// filledGaps returns the columns of a 001 line that should be blank and are not. Those of the rounds are numbered as in
// the first.
func filledGaps(line []rune) (out []int) {
	filled := func(column int) bool { return column <= len(line) && columns(line, column, column) != "" }
	for _, column := range gaps {
		if filled(column) {
			out = append(out, column)
		}
	}
	for at := firstCell; at < len(line); at += cellWidth {
		for _, gap := range cellGaps {
			if filled(at + gap) {
				out = append(out, firstCell+gap)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// checkGaps refuses a line with moved fields: it has a character between fields where most others have none. A program
// that writes all its lines like that has columns of its own.
func (r *Report) checkGaps() error {
	count := make(map[int]int)
	for _, p := range r.Players {
		for _, column := range p.gaps {
			count[column]++
		}
	}
	for _, p := range r.Players {
		for _, column := range p.gaps {
			if 2*count[column] > len(r.Players) {
				continue
			}
			where := ""
			if column > firstCell {
				where = ", or the same column of a later round"
			}
			return tournament.NotValid("line %d, player %d: column %d is between two fields and must be blank%s; the "+
				"columns have moved, or a text is too long", p.line, p.Number, column, where)
		}
	}
	return nil
}
