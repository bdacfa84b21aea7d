package team

import "quatuor/tournament"

// Game is one game of a Scheveningen: a player of A and one of B, from 1, and the colour of A's.
type Game struct {
	Round, Board int
	A, B         int
	Colour       tournament.Colour
}

// Scheveningen returns the games of all of A against all of B, players each, round by round: on board k of round r
// player k of A meets player (k + r − 2) mod n + 1 of B, and has seat 1 where k and r are both odd or both even.
func Scheveningen(players int) []Game {
	var out []Game
	for r := 1; r <= players; r++ {
		for k := 1; k <= players; k++ {
			g := Game{Round: r, Board: k, A: k, B: (k+r-2)%players + 1, Colour: tournament.Black}
			if k%2 == r%2 {
				g.Colour = tournament.White
			}
			out = append(out, g)
		}
	}
	return out
}

// AnnulsMatches reports whether the matches of a team that withdraws from a round-robin count for none: it has played
// less than half of them. Else the rest are forfeited.
func AnnulsMatches(played, matches int) bool { return 2*played < matches }
