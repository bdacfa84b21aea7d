package trf

import (
	"slices"

	"quatuor/tournament/pairing"
	"quatuor/tournament/team"
)

// Encounter is a match of a round that is put into a report.
type Encounter struct {
	White, Black int // numbers of the teams
	Boards       []BoardGame
	Ruling       team.Ruling // as White sees it
}

// Turned returns the encounter with White and Black exchanged.
func (e Encounter) Turned() Encounter {
	e.White, e.Black = e.Black, e.White
	e.Ruling = e.Ruling.Other()
	e.Boards = slices.Clone(e.Boards)
	for i := range e.Boards {
		slices.Reverse(e.Boards[i].Players[:])
		slices.Reverse(e.Boards[i].Results[:])
	}
	return e
}

// BoardGame is a board of an encounter, with the players of White and of Black by their start numbers, 0 for an empty
// seat, and their results.
type BoardGame struct {
	Players [2]int
	Results [2]Result
	Turned  bool // the seats are not those of line 352
}

// AddRound adds the next round: the cells of all members and the lines 240, 300, 320 and 330 that it needs. byes are
// those of the teams without a match, by their numbers; teams in neither are absent. The lines 310 must be complete,
// and the line 352 has the colours of the boards. Totals are not added up, see [TeamReport.SetTotals].
func (r *TeamReport) AddRound(matches []Encounter, byes map[int]team.Kind) {
	round := 1
	for i := range r.Players {
		round = max(round, len(r.Players[i].Cells)+1)
	}
	for i := range r.Players {
		r.Players[i].setCell(round, Cell{Result: ZeroPoint})
	}
	if r.Allocated != nil {
		for len(r.Allocated.Teams) < round {
			r.Allocated.Teams = append(r.Allocated.Teams, 0)
		}
	}
	for _, t := range r.Teams {
		if kind, has := byes[t.Number]; has {
			r.addBye(t, round, kind)
		}
	}
	for _, e := range matches {
		r.addMatch(round, e)
	}
}

func (p *Player) setCell(round int, c Cell) {
	for len(p.Cells) < round {
		p.Cells = append(p.Cells, Cell{Result: NoResult})
	}
	p.Cells[round-1] = c
}

// addBye adds a bye of a team.
func (r *TeamReport) addBye(t TeamLine, round int, kind team.Kind) {
	if kind == team.Allocated {
		for i := range r.Players {
			if slices.Contains(t.Members, r.Players[i].Number) {
				r.Players[i].setCell(round, Cell{Result: Allocated})
			}
		}
		if r.Allocated != nil {
			r.Allocated.Teams[round-1] = t.Number
		}
		return
	}
	letter := map[team.Kind]Result{team.HalfPoint: HalfPoint, team.FullPoint: FullPoint, team.ZeroPoint: ZeroPoint}[kind]
	at := slices.IndexFunc(r.TeamByes, func(b Bye) bool { return b.Round == round && b.Type == letter })
	if at < 0 {
		at = len(r.TeamByes)
		r.TeamByes = append(r.TeamByes, Bye{Type: letter, Round: round})
	}
	r.TeamByes[at].Numbers = append(r.TeamByes[at].Numbers, t.Number)
}

// addMatch adds a match: the cells of its boards, the line-ups that do not follow from the order of the members, and a
// line 330 if no board was played.
func (r *TeamReport) addMatch(round int, e Encounter) {
	played, met := false, false
	var lineUps [2][]int
	for k, b := range e.Boards {
		met = met || b.Players[0] > 0 && b.Players[1] > 0
		for side, number := range b.Players {
			lineUps[side] = append(lineUps[side], number)
			at := slices.IndexFunc(r.Players, func(p Player) bool { return p.Number == number })
			if number == 0 || at < 0 {
				continue
			}
			c := Cell{Opponent: b.Players[1-side], Result: b.Results[side], Colour: pairing.White}
			if (r.letter(k+1) == 'W') != (side == 0) != b.Turned {
				c.Colour = pairing.Black
			}
			r.Players[at].setCell(round, c)
			played = played || c.Result.isGame()
		}
	}
	named := met || e.Ruling != team.NoRuling // by a cell, or by the line 330
	for side, number := range []int{e.White, e.Black} {
		r.addLineUp(round, number, e.White+e.Black-number, lineUps[side], named)
	}
	if played {
		return
	}
	f := Forfeit{Round: round, White: e.White, Black: e.Black, Result: "--"}
	switch e.Ruling {
	case team.GoesTo:
		f.Result = "+-"
	case team.GoesAway:
		f.Result = "-+"
	case team.NoRuling: // the cells suffice
		return
	}
	r.Forfeits = append(r.Forfeits, f)
}

// addLineUp adds a 300 line if a line-up is not that of the members with a board in their order, without gaps above, or
// if nothing else names the opponent: no board of the match was manned by both teams.
func (r *TeamReport) addLineUp(round, number, opponent int, players []int, named bool) {
	for len(players) > 0 && players[len(players)-1] == 0 {
		players = players[:len(players)-1]
	}
	t := r.Teams[r.index(number)]
	place := 0
	for _, member := range t.Members {
		if place < len(players) && players[place] == member {
			place++
		}
	}
	if place < len(players) || !named && len(players) > 0 {
		r.LineUps = append(r.LineUps, LineUp{Round: round, Team: number, Opponent: opponent, Players: players})
	}
}

// SetTotals sets the totals of lines 310 and the points of lines 001 from the rounds. Ranks are left to the caller. The
// error is that of a strict reading of the report.
func (r *TeamReport) SetTotals() error {
	game := r.Scoring().Game
	for i := range r.Players {
		p := &r.Players[i]
		p.Points, p.NoPoints = 0, false
		for _, c := range p.Cells {
			p.Points += markOf(c).Points(game)
		}
	}
	for i := range r.Teams {
		r.Teams[i].HasMP = false
		r.Teams[i].HasGP = false
		r.Teams[i].counted = nil
	}
	if err := r.complete(false); err != nil {
		return err
	}
	for i, outcomes := range r.Outcomes() {
		t := &r.Teams[i]
		t.Totals = r.BonusOf(t.Number, EveryRound)
		t.HasMP = true
		t.HasGP = true
		for _, o := range outcomes {
			t.Totals = t.Totals.Plus(o.Totals)
		}
	}
	return nil
}
