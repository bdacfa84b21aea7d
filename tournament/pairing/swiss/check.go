package swiss

import (
	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// Check refuses a round that breaks an absolute rule, even if set by hand: every active player is paired once, no two
// meet again (C1), the bye goes to a player that may have it (C2), no absolute colour preference is denied (C3), and
// forbidden pairs do not meet. Errors wrap tournament.ErrInvalid.
func (p Pairer) Check(h pairing.History, round Round) error {
	d, err := p.newDraw(h)
	if err != nil {
		return err
	}
	return d.check(round)
}

// check is [Pairer.Check] for a prepared draw.
func (d *draw) check(round Round) error {
	rank := make(map[int]int)
	for i, p := range d.players {
		rank[p.number] = i
	}
	for _, g := range round.Games {
		i, ok := rank[g.White]
		j, ok2 := rank[g.Black]
		delete(rank, g.White)
		delete(rank, g.Black)
		if !ok || !ok2 || i == j {
			return d.refuse("%d and %d: one of them does not take part, or is paired twice", g.White, g.Black)
		}
		if !d.legal[i].Has(j) {
			return d.refuse("%d and %d may not meet: %s", g.White, g.Black, d.whyIllegal(d.players[i], d.players[j]))
		}
	}
	if i, ok := rank[round.Bye]; ok {
		delete(rank, round.Bye)
		if d.players[i].barred {
			return d.refuse("number %d has had a bye, or a win without playing, and may not have the bye (C2)", round.Bye)
		}
	} else if round.Bye != 0 {
		return d.refuse("number %d has the bye, and does not take part or is paired twice", round.Bye)
	}
	for _, p := range d.players {
		if _, ok := rank[p.number]; ok {
			return d.refuse("number %d is not paired", p.number)
		}
	}
	return nil
}

func (d *draw) refuse(format string, args ...any) error {
	return tournament.Refuse(tournament.ErrInvalid, "round %d: "+format, append([]any{d.history.Round}, args...)...)
}
