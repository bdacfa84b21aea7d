package trf

import (
	"cmp"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/team"
)

// match is a round of a team as the lines have it.
type match struct {
	paired   bool // it has a match
	players  []int
	marks    []team.Mark
	opponent int // number of the team, 0 if no line names it
	colour   pairing.Colour
	ruling   team.Ruling
	bye      team.Kind // without a match
}

// NextRound returns the round to be paired: the round after the last match, forfeit or pairing-allocated bye of any
// team.
func (r *TeamReport) NextRound() int {
	last := r.Report.NextRound() - 1
	for _, f := range r.Forfeits {
		last = max(last, f.Round)
	}
	if r.Allocated != nil {
		for i, n := range r.Allocated.Teams {
			if n > 0 {
				last = max(last, i+1)
			}
		}
	}
	return last + 1
}

// readMatches reads the matches of all teams in all rounds.
func (r *TeamReport) readMatches() {
	r.matches = make([][]match, len(r.Teams))
	for i := range r.Teams {
		r.matches[i] = make([]match, r.NextRound()-1)
		for round := range r.matches[i] {
			r.matches[i][round] = r.readMatch(&r.Teams[i], round+1)
		}
	}
}

// readMatch reads the boards of a team in a round: those of its 300 line, else its members with a game or a forfeit in
// their order.
func (r *TeamReport) readMatch(t *TeamLine, round int) match {
	m := match{bye: r.byeOf(t, round)}
	lineup := slices.IndexFunc(r.LineUps, func(l LineUp) bool { return l.Round == round && l.Team == t.Number })
	if lineup >= 0 {
		m.players, m.opponent = r.LineUps[lineup].Players, r.LineUps[lineup].Opponent
	} else {
		for _, number := range t.counted {
			if seated(r.cell(number, round)) {
				m.players = append(m.players, number)
			}
		}
	}
	for i, number := range m.players {
		c := r.cell(number, round)
		m.marks = append(m.marks, markOf(c))
		m.paired = m.paired || seated(c)
		if m.colour == 0 && number > 0 && c.Colour != 0 {
			m.colour = r.colourOf(c.Colour, t.Number, i+1, round)
		}
	}
	if opponents := r.opponents(m.players, round); len(opponents) > 0 {
		m.opponent = opponents[0]
	}
	r.override(&m, t.Number, round)
	return m
}

// colourOf returns the colour of a team by that of its player on a board. In a Scheveningen the letters cover only the
// first board, and the first team has White in odd rounds.
func (r *TeamReport) colourOf(own pairing.Colour, number, board, round int) pairing.Colour {
	if r.Scheveningen() && board > 1 {
		first := !slices.ContainsFunc(r.Teams, func(t TeamLine) bool { return t.Number < number })
		if first == (round%2 == 1) {
			return pairing.White
		}
		return pairing.Black
	}
	if r.letter(board) != r.letter(1) {
		return pairing.White + pairing.Black - own
	}
	return own
}

// override applies a 330 line of a team's match.
func (r *TeamReport) override(m *match, number, round int) {
	for _, f := range r.Forfeits {
		if f.Round != round || f.White != number && f.Black != number {
			continue
		}
		m.paired = true
		m.colour = pairing.White
		m.opponent = f.Black
		m.ruling = map[string]team.Ruling{"+-": team.GoesTo, "-+": team.GoesAway, "--": team.GoesToNone}[f.Result]
		if f.Black == number {
			m.ruling = m.ruling.Other()
			m.colour, m.opponent = pairing.Black, f.White
		}
	}
}

// opponents returns the numbers of the opposing teams of some players in a round, in the order of the boards.
func (r *TeamReport) opponents(players []int, round int) (out []int) {
	for _, number := range players {
		c := r.cell(number, round)
		if c.Opponent == 0 || !seated(c) {
			continue
		}
		if at, ok := r.member[c.Opponent]; ok && !slices.Contains(out, r.Teams[at].Number) {
			out = append(out, r.Teams[at].Number)
		}
	}
	return out
}

// cell returns the cell of a player; a blank cell for 0 and for numbers without a line.
func (r *TeamReport) cell(number, round int) Cell {
	at, ok := r.players[number]
	if !ok {
		return Cell{Result: NoResult}
	}
	return r.Players[at].Cell(round)
}

// seated reports whether a cell is a board of a match.
func seated(c Cell) bool { return c.Result.isGame() || c.Result.isForfeit() || c.Opponent > 0 }

func markOf(c Cell) team.Mark {
	switch c.Result {
	case Win, ShortWin:
		return team.Won
	case Draw, ShortDraw:
		return team.Drawn
	case Loss, ShortLoss:
		return team.Lost
	case ForfeitWin:
		return team.ForfeitWon
	case ForfeitLoss:
		return team.ForfeitLost
	}
	if c.Opponent > 0 {
		return team.Unfinished
	}
	return team.Empty
}

// byeOf returns the bye of a team in a round without a match: allocated by a cell U or line 320, else the bye of line
// 240, else a zero-point bye.
func (r *TeamReport) byeOf(t *TeamLine, round int) team.Kind {
	allocated := func(number int) bool { return r.cell(number, round).Result == Allocated }
	if slices.ContainsFunc(t.counted, allocated) ||
		r.Allocated != nil && round <= len(r.Allocated.Teams) && r.Allocated.Teams[round-1] == t.Number {
		return team.Allocated
	}
	kind, _ := r.requested(t.Number, round)
	return kind
}

// requested returns the bye that a 240 line names for a team.
func (r *TeamReport) requested(number, round int) (team.Kind, bool) {
	for _, b := range r.TeamByes {
		if b.Round == round && slices.Contains(b.Numbers, number) {
			switch b.Type {
			case HalfPoint:
				return team.HalfPoint, true
			case FullPoint:
				return team.FullPoint, true
			}
			return team.ZeroPoint, true
		}
	}
	return team.ZeroPoint, false
}

// Outcomes returns the rounds of all teams so far, by the index of the team and the round, from 0.
func (r *TeamReport) Outcomes() [][]team.Outcome {
	scoring, allocated := r.Scoring(), r.PABTotals()
	out := make([][]team.Outcome, len(r.Teams))
	for i := range r.Teams {
		out[i] = make([]team.Outcome, len(r.matches[i]))
		for round, m := range r.matches[i] {
			if !m.paired {
				out[i][round] = scoring.Bye(m.bye, allocated)
				continue
			}
			var theirs []team.Mark
			if j := r.index(m.opponent); j >= 0 {
				theirs = r.matches[j][round].marks
			}
			o := scoring.Judge(m.marks, theirs, m.ruling)
			o.Opponent, o.Colour = m.opponent, m.colour
			out[i][round] = o
		}
	}
	return out
}

// index returns the index of the team with a number, −1 for none.
func (r *TeamReport) index(number int) int {
	return slices.IndexFunc(r.Teams, func(t TeamLine) bool { return t.Number == number })
}

// BonusOf returns the points that 299 lines add to the totals of a team up to a round.
func (r *TeamReport) BonusOf(number, round int) (sum team.Totals) {
	for _, b := range r.Bonuses {
		if b.Round > round || !slices.Contains(b.Teams, number) {
			continue
		}
		if b.MP != nil {
			sum.MP += *b.MP
		}
		if b.GP != nil {
			sum.GP += *b.GP
		}
	}
	return sum
}

// VirtualPoints returns the sum of the 250 lines for a team when a round is paired.
func (r *TeamReport) VirtualPoints(number, round int) (sum tournament.Points) {
	for _, v := range r.Boosts {
		points := v.MP
		if r.system.primary == team.GP {
			points = v.GP
		}
		if points != nil && v.First <= round && round <= v.Last && v.From <= number && number <= v.To {
			sum += *points
		}
	}
	return sum
}

// Drawn returns the input of a pairing system for a round: points are the primary score. Numbers without a team are
// filled with entries that are always away. A match without all its results counts as if the others were drawn.
func (r *TeamReport) Drawn(round int) pairing.History {
	last := 0
	for _, t := range r.Teams {
		last = max(last, t.Number)
	}
	scoring := r.Scoring()
	h := pairing.History{
		Round: round, Rounds: r.Rounds, Initial: r.initialTeamColour(), Field: make([]pairing.Entrant, last),
		Points: tournament.PointSystem{Win: scoring.Match.Win, Draw: scoring.Match.Draw, Loss: scoring.Match.Loss},
	}
	for _, f := range r.Apart {
		if f.First <= round && round <= f.Last {
			h.Bans = append(h.Bans, f.Numbers)
		}
	}
	if r.Accelerated() {
		h.GroupA = r.GroupA()
	}
	for i := range h.Field {
		h.Field[i] = pairing.Entrant{
			Card: tournament.Card{Entry: tournament.Entry{Number: i + 1}, Cells: make([]tournament.Cell, round-1)},
			Away: tournament.ZeroPoint,
		}
	}
	for i, outcomes := range r.Outcomes() {
		t := &r.Teams[i]
		e := &h.Field[t.Number-1]
		e.Entry.Name = t.Name
		e.Before = []tournament.Points{r.BonusOf(t.Number, 0).Of(r.system.primary)}
		for k := range round - 1 {
			if k < len(outcomes) {
				e.Cells[k] = r.cellOf(i, k, outcomes[k])
			}
			e.Before = append(e.Before, e.Score()+r.BonusOf(t.Number, k+1).Of(r.system.primary))
		}
		if round > 1 {
			e.Cells[0].Secondary += r.BonusOf(t.Number, round-1).Of(r.system.secondary)
		}
		e.Away = r.away(i, round)
	}
	return h
}

// GroupA returns the last number of the group that the Baku Acceleration favours at first: the first 2·⌈n/4⌉ of the n
// teams that had a match or a pairing-allocated bye in the first round or, while that is to be paired, are not away.
func (r *TeamReport) GroupA() int {
	var numbers []int
	for i, t := range r.Teams {
		if r.away(i, 1) == tournament.NoBye {
			numbers = append(numbers, t.Number)
		}
	}
	slices.Sort(numbers)
	if len(numbers) == 0 {
		return 0
	}
	return numbers[min(tournament.GroupASize(len(numbers)), len(numbers))-1]
}

// cellOf returns the cell of a team's outcome in a round, from 0.
func (r *TeamReport) cellOf(i, round int, o team.Outcome) tournament.Cell {
	if o.Kind == team.Underway {
		o = r.drawnOut(i, round, o)
	}
	c := tournament.Cell{Points: o.Of(r.system.primary), Secondary: o.Of(r.system.secondary), Bye: o.Kind.Bye()}
	if o.Kind.Met() && o.Opponent > 0 {
		c.Opponents, c.Seat = []int{o.Opponent}, int(o.Colour)
	}
	switch o.Kind {
	case team.Played:
		c.Kind = tournament.Played
	case team.ForfeitWin:
		c.Kind = tournament.ForfeitWin
	case team.ForfeitLoss, team.ForfeitShare:
		c.Kind = tournament.ForfeitLoss
	default:
		c.Kind = tournament.Unpaired
	}
	return c
}

// drawnOut returns the outcome of a match as if the boards without a result were drawn.
func (r *TeamReport) drawnOut(i, round int, o team.Outcome) team.Outcome {
	draw := func(m match) []team.Mark {
		marks := slices.Clone(m.marks)
		for k := range marks {
			if marks[k] == team.Unfinished {
				marks[k] = team.Drawn
			}
		}
		return marks
	}
	var theirs []team.Mark
	if j := r.index(o.Opponent); j >= 0 {
		theirs = draw(r.matches[j][round])
	}
	out := r.Scoring().Judge(draw(r.matches[i][round]), theirs, team.NoRuling)
	out.Opponent, out.Colour = o.Opponent, o.Colour
	return out
}

// away returns the bye that a team has in a round instead of a match: its bye in a round that was paired already, else
// that of line 240, else a zero-point bye if all its members have a bye.
func (r *TeamReport) away(i, round int) tournament.Bye {
	t := &r.Teams[i]
	if round <= len(r.matches[i]) {
		m := r.matches[i][round-1]
		if m.paired || m.bye == team.Allocated {
			return tournament.NoBye
		}
		return m.bye.Bye()
	}
	if kind, asked := r.requested(t.Number, round); asked {
		return kind.Bye()
	}
	present := func(number int) bool { c := r.cell(number, round); return !c.Result.isBye() }
	if len(t.counted) > 0 && !slices.ContainsFunc(t.counted, present) {
		return tournament.ZeroPoint
	}
	return tournament.NoBye
}

// initialTeamColour returns the colour in line 152, else that which follows from the first round, or 0: the first-team
// with an odd number has it.
func (r *TeamReport) initialTeamColour() pairing.Colour {
	if r.Initial != 0 || len(r.matches) == 0 || len(r.matches[0]) == 0 {
		return r.Initial
	}
	order := make([]int, len(r.Teams))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(r.Teams[a].Number, r.Teams[b].Number) })
	for _, i := range order {
		if m := r.matches[i][0]; m.paired && m.colour != 0 {
			if r.Teams[i].Number%2 == 0 {
				return pairing.White + pairing.Black - m.colour
			}
			return m.colour
		}
	}
	return 0
}
