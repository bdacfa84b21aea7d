package swiss

import (
	"cmp"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/matching"
)

// Round is the result of pairing a round.
type Round struct {
	Games []Game // in board order
	Bye   int    // number with the pairing-allocated bye, 0 if none
	Away  []Away // entrants with something else instead of a game, by number
}

// Game is a pair with its colours, by numbers.
type Game struct {
	White, Black int
}

// Away is an entrant left unpaired on request.
type Away struct {
	Number int
	Bye    tournament.Bye
}

// draw is the pairing of a round in progress.
type draw struct {
	history pairing.History
	initial pairing.Colour
	last    bool // it is the last round: topscorers may be due the same colour
	all     []player
	players []*player // active players, best first; their index is their rank, from 0
	legal   matching.Graph
	// rest is a complete legal pairing of the players not yet paired (C4). With an odd number it has an additional
	// vertex, the bye.
	rest     *matching.Matching
	byeScore tournament.Points // of the player with the bye (C5), -1 for none
	mates    []int             // by rank, -1 for none yet

	explain     bool  // reasons are wanted
	claimed     []int // by rank: the mates in a round given for comparison, -1 for none; nil without a round
	explanation Explanation
}

// Draw pairs the round that follows the history; a round without active players has no games. Errors wrap
// tournament.ErrUnpairable and explain why no legal pairing exists.
func (p Pairer) Draw(h pairing.History) (Round, error) {
	d, err := p.newDraw(h)
	if err != nil {
		return Round{}, err
	}
	if err := d.complete(); err != nil {
		return Round{}, err
	}
	d.pairBrackets(d.best)
	round := d.round()
	return round, d.check(round)
}

func (p Pairer) newDraw(h pairing.History) (*draw, error) {
	if err := checkHistory(h); err != nil {
		return nil, err
	}
	if p.Virtual == nil {
		p.Virtual = Baku(h.GroupA, h.Rounds, h.Points)
	}
	d := &draw{history: h, last: h.Rounds > 0 && h.Round >= h.Rounds, all: newPlayers(h, p.Virtual)}
	d.initial = cmp.Or(h.Initial, pairing.White)
	if h.Initial == 0 && h.Seed != "" {
		d.initial = tournament.DrawColour(h.Seed)
	}
	d.players = ranked(d.all)
	d.mates = slices.Repeat([]int{-1}, len(d.players))
	d.legal = d.legalPairs()
	return d, nil
}

// checkHistory refuses a history that allows no pairing of the next round.
func checkHistory(h pairing.History) error {
	for i, e := range h.Field {
		if len(e.Cells) < h.Round-1 {
			return tournament.Refuse(tournament.ErrUnpairable, "number %d has %d rounds behind it, and round %d is to be paired",
				i+1, len(e.Cells), h.Round)
		}
		for j, c := range e.Cells[:h.Round-1] {
			if c.Kind == tournament.Pending {
				return tournament.Refuse(tournament.ErrUnpairable, "number %d has no result in round %d yet", i+1, j+1)
			}
			if c.Kind == tournament.Played && len(c.Opponents) != 1 {
				return tournament.Refuse(tournament.ErrUnpairable,
					"number %d met %d opponents in round %d; here two meet at a time", i+1, len(c.Opponents), j+1)
			}
		}
	}
	return nil
}

// round returns the pairs in board order, with colours.
func (d *draw) round() Round {
	var out Round
	for _, rank := range d.boards() {
		higher := d.players[rank]
		if d.mates[rank] < 0 {
			out.Bye = higher.number
			continue
		}
		lower := d.players[d.mates[rank]]
		g := Game{White: higher.number, Black: lower.number}
		if colour, _ := d.colourOf(higher, lower); colour == pairing.Black {
			g.White, g.Black = g.Black, g.White
		}
		out.Games = append(out.Games, g)
	}
	for _, p := range d.all {
		if p.away != tournament.NoBye {
			out.Away = append(out.Away, Away{p.number, p.away})
		}
	}
	return out
}
