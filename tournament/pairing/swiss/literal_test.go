package swiss_test

import (
	"cmp"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// literal pairs small fields as the rules are written: it generates all candidates of a bracket in their order, judges
// each by all criteria, and keeps the first of the best. It shares nothing with the package it is compared with.
type literal struct {
	history  pairing.History
	initial  pairing.Colour
	players  []literalPlayer // best first
	byeScore int             // -1 for none
	possible map[uint]bool   // whether a set of players can be paired completely
}

type literalPlayer struct {
	entrant             pairing.Entrant
	number, position    int
	score               int
	colours             []pairing.Colour
	due                 pairing.Colour
	strength            int // 0 none, 1 mild, 2 strong, 3 absolute
	difference          int
	floats              [2]int // 1 down, -1 up
	eligible, topscorer bool
	unplayed            int
}

func newLiteral(h pairing.History) *literal {
	l := &literal{history: h, initial: h.Initial, possible: map[uint]bool{}}
	position := 0
	for i, e := range h.Field {
		present := e.Away == tournament.NoBye
		for _, c := range e.Cells {
			present = present || c.Kind == tournament.Played || c.Kind == tournament.ForfeitLoss ||
				c.Kind == tournament.ForfeitWin || c.Bye == tournament.PairingAllocated
		}
		if present {
			position++
		}
		if e.Away == tournament.NoBye {
			l.players = append(l.players, l.player(e, i+1, position))
		}
	}
	slices.SortFunc(l.players, func(a, b literalPlayer) int { return cmp.Or(b.score-a.score, a.number-b.number) })
	return l
}

// scoreIn is a number's score, virtual points included, when a round was or is paired.
func (l *literal) scoreIn(number, round int) int {
	sum := 0
	for _, c := range l.history.Field[number-1].Cells[:round-1] {
		sum += int(c.Points)
	}
	return sum + l.baku(number, round)
}

// baku is the acceleration, spelled out for the few rounds there are here: how many have a win more, then a draw more.
func (l *literal) baku(number, round int) int {
	full := map[int]int{1: 1, 2: 1, 3: 1, 4: 1, 5: 2, 6: 2, 7: 2, 8: 2, 9: 3}[l.history.Rounds]
	half := map[int]int{3: 1, 4: 1, 5: 1, 6: 1, 7: 2, 8: 2, 9: 2}[l.history.Rounds]
	switch {
	case number > l.history.GroupA || round > full+half:
		return 0
	case round <= full:
		return int(l.history.Points.Win)
	}
	return int(l.history.Points.Draw)
}

func (l *literal) player(e pairing.Entrant, number, position int) literalPlayer {
	round := l.history.Round
	p := literalPlayer{entrant: e, number: number, position: position, score: l.scoreIn(number, round), eligible: true}
	difference := 0
	for i, c := range e.Cells {
		float := 0
		switch c.Kind {
		case tournament.Played:
			colour := pairing.Colour(c.Seat)
			p.colours = append(p.colours, colour)
			difference += map[pairing.Colour]int{pairing.White: 1, pairing.Black: -1}[colour]
			float = cmp.Compare(l.scoreIn(number, i+1), l.scoreIn(c.Opponents[0], i+1))
		case tournament.ForfeitWin, tournament.Unpaired:
			if c.Bye == tournament.PairingAllocated || c.Points >= l.history.Points.Win {
				p.eligible = false
			}
			if c.Bye == tournament.PairingAllocated || c.Points > l.history.Points.Loss {
				float = 1
			}
			p.unplayed++
		default:
			p.unplayed++
		}
		if back := round - 2 - i; back < 2 {
			p.floats[back] = float
		}
	}
	p.topscorer = l.history.Rounds == round && 2*p.score > int(l.history.Points.Win)*(round-1)
	due, strength, size := duty(p.colours, difference)
	p.due = due
	p.strength = strength
	p.difference = size
	return p
}

func duty(colours []pairing.Colour, difference int) (due pairing.Colour, strength, size int) {
	n := len(colours)
	size = max(difference, -difference)
	rarer := pairing.White
	if difference > 0 {
		rarer = pairing.Black
	}
	switch {
	case n == 0:
		return 0, 0, 0
	case size > 1:
		return rarer, 3, size
	case n > 1 && colours[n-1] == colours[n-2]:
		return opposite(colours[n-1]), 3, size
	case size == 1:
		return rarer, 2, size
	}
	return opposite(colours[n-1]), 1, size
}

func opposite(c pairing.Colour) pairing.Colour {
	if c == pairing.White {
		return pairing.Black
	}
	return pairing.White
}

func (l *literal) legal(i, j int) bool {
	a, b := l.players[i], l.players[j]
	for _, c := range a.entrant.Cells {
		if c.Kind == tournament.Played && c.Opponents[0] == b.number {
			return false
		}
	}
	for _, group := range l.history.Bans {
		if slices.Contains(group, a.number) && slices.Contains(group, b.number) {
			return false
		}
	}
	return a.strength < 3 || b.strength < 3 || a.due != b.due || a.topscorer || b.topscorer
}

// completable reports whether the players of the set can all be paired, with a bye if their number is odd.
func (l *literal) completable(set uint) bool {
	if set == 0 {
		return true
	}
	if known, ok := l.possible[set]; ok {
		return known
	}
	first, odd, found := 0, false, false
	for set>>first&1 == 0 {
		first++
	}
	for i := range l.players {
		odd = odd != (set>>i&1 == 1)
	}
	rest := set &^ (1 << first)
	if odd && l.players[first].eligible && l.players[first].score == l.byeScore {
		found = l.completable(rest)
	}
	for j := first + 1; j < len(l.players) && !found; j++ {
		if rest>>j&1 == 1 && l.legal(first, j) {
			found = l.completable(rest &^ (1 << j))
		}
	}
	l.possible[set] = found
	return found
}

// draw returns the pairs, the higher-ranked first, and the player with the bye; false without a legal pairing.
func (l *literal) draw() (pairs [][2]int, bye int, ok bool) {
	all := uint(1)<<len(l.players) - 1
	l.byeScore = -1
	if len(l.players)%2 == 1 {
		scores := make([]int, 0, len(l.players))
		for _, p := range l.players {
			scores = append(scores, p.score)
		}
		slices.Sort(scores)
		for _, s := range scores {
			l.byeScore = s
			clear(l.possible)
			if l.completable(all) {
				break
			}
		}
	}
	if !l.completable(all) {
		return nil, 0, false
	}
	bye = -1
	var movers []int
	for at := 0; at < len(l.players); {
		b := literalBracket{l: l, movers: movers}
		for ; at < len(l.players) && (len(b.residents) == 0 || l.players[at].score == l.players[b.residents[0]].score); at++ {
			b.residents = append(b.residents, at)
		}
		for i := at; i < len(l.players); i++ {
			b.below |= 1 << i
			if l.players[i].score == l.players[at].score {
				b.next |= 1 << i
			}
		}
		b.generate()
		pairs = append(pairs, b.best...)
		movers = b.floats(b.best)
	}
	if len(movers) > 0 {
		bye = movers[0]
	}
	return pairs, bye, true
}

// colour returns the colour of the higher-ranked (i) against j.
func (l *literal) colour(i, j int) pairing.Colour {
	a, b := l.players[i], l.players[j]
	switch {
	case a.due == 0 && b.due == 0:
		if a.position%2 == 1 {
			return l.initial
		}
		return opposite(l.initial)
	case a.due != b.due && a.due != 0:
		return a.due
	case a.due != b.due:
		return opposite(b.due)
	case a.strength > b.strength, a.strength == 3 && b.strength == 3 && a.difference > b.difference:
		return a.due
	case a.strength < b.strength, a.strength == 3 && b.strength == 3 && a.difference < b.difference:
		return opposite(b.due)
	}
	x, y := slices.Clone(a.colours), slices.Clone(b.colours)
	for len(x) > 0 && len(y) > 0 {
		if x[len(x)-1] != y[len(y)-1] {
			return opposite(x[len(x)-1])
		}
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	return a.due
}
