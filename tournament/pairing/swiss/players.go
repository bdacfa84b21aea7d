package swiss

import (
	"cmp"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// player is an entrant as the pairing rules see it.
type player struct {
	number     int // TPN
	id         string
	score      tournament.Points // real and virtual
	away       tournament.Bye    // the bye that it has on request in this round
	colours    []pairing.Colour  // of its games, oldest first
	preference preference
	floats     [2]float // one and two rounds ago
	barred     bool     // C2: may not have the pairing-allocated bye
	unplayed   int      // rounds without a game
	position   int      // among those paired now or before, from 1; 0 for others
	opponents  []int    // numbers played against
}

// float is the direction of a player's float in a round: the opponent's score against the own score.
type float uint8

const (
	noFloat float = iota
	down          // had a weaker opponent, or points without a game
	up            // had a stronger opponent
)

// virtualPoints returns the virtual points that a number has when a round is paired.
type virtualPoints func(number, round int) tournament.Points

// newPlayers returns the players of a history in the order of their numbers.
func newPlayers(h pairing.History, virtual virtualPoints) []player {
	players := make([]player, len(h.Field))
	for i, e := range h.Field {
		players[i] = newPlayer(i+1, e, h, virtual)
	}
	position := 0
	for i, e := range h.Field {
		if e.Away == tournament.NoBye || slices.ContainsFunc(e.Cells, wasPaired) {
			position++
			players[i].position = position
		}
	}
	return players
}

func newPlayer(number int, e pairing.Entrant, h pairing.History, virtual virtualPoints) player {
	p := player{
		number: number, id: e.Entry.ID, away: e.Away,
		score: e.ScoreBefore(h.Round) + virtual(number, h.Round), colours: e.Colours(),
	}
	for _, c := range e.Cells {
		if c.Kind == tournament.Played {
			p.opponents = append(p.opponents, c.Opponents...)
		} else {
			p.unplayed++
		}
		p.barred = p.barred || h.BarsBye(c)
	}
	p.preference = preferenceOf(p.colours)
	for back := range p.floats {
		if round := h.Round - 1 - back; round >= 1 {
			p.floats[back] = floatIn(h, virtual, number, round)
		}
	}
	return p
}

// wasPaired reports whether a round was a game, a forfeit or a pairing-allocated bye.
func wasPaired(c tournament.Cell) bool {
	return len(c.Opponents) > 0 || c.Bye == tournament.PairingAllocated
}

// floatIn is Art. 1.4: a player's float in a round, by the scores of its pairing, virtual points included. Points
// without a game are a downfloat if they are more than a loss is worth, and a pairing-allocated bye always is.
func floatIn(h pairing.History, virtual virtualPoints, number, round int) float {
	c := h.Field[number-1].Cells[round-1]
	if c.Kind != tournament.Played {
		if c.Bye == tournament.PairingAllocated || c.Kind != tournament.ForfeitLoss && c.Points > h.Points.Loss {
			return down
		}
		return noFloat
	}
	score := func(n int) tournament.Points {
		return h.Field[n-1].ScoreBefore(round) + virtual(n, round)
	}
	switch cmp.Compare(score(number), score(c.Opponents[0])) {
	case 1:
		return down
	case -1:
		return up
	}
	return noFloat
}

// ranked returns the active players, best first: by score, then by number (Art. 1.2).
func ranked(players []player) []*player {
	var out []*player
	for i := range players {
		if players[i].away == tournament.NoBye {
			out = append(out, &players[i])
		}
	}
	slices.SortFunc(out, (*player).compare)
	return out
}

func (p *player) compare(o *player) int {
	return cmp.Or(cmp.Compare(o.score, p.score), cmp.Compare(p.number, o.number))
}
