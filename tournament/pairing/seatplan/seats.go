package seatplan

import "slices"

// seat orders the players of each table so that every player has each seat equally often, within 1. With tables of
// equal size s this always succeeds: cut each player's rounds into stretches of s; tables and stretches are the two
// sides of a bipartite graph with at most s lines at each vertex, and the lines can be coloured with s colours, the
// seats, without equal colours at a vertex (König 1916).
func (p Plan) seat(players int) {
	size := 0
	for _, t := range p[0] {
		size = max(size, len(t))
	}
	if slices.ContainsFunc(p[0], func(t []int) bool { return len(t) != size }) {
		p.seatMixed(players)
		return
	}
	tables := len(p[0])
	stretches := (len(p) + size - 1) / size
	c := colouring{at: [2][][]int{lines(len(p)*tables, size), lines(players*stretches, size)}}
	for r, round := range p {
		for k, t := range round {
			for _, player := range t {
				c.add(r*tables+k, (player-1)*stretches+r/size)
			}
		}
	}
	for r, round := range p {
		for k := range round {
			for seat, stretch := range c.at[0][r*tables+k] {
				p[r][k][seat] = stretch/stretches + 1
			}
		}
	}
}

// lines returns n places without lines: by colour the other end, −1 for none.
func lines(n, colours int) [][]int {
	out := make([][]int, n)
	for i := range out {
		out[i] = slices.Repeat([]int{-1}, colours)
	}
	return out
}

// colouring is a colouring of the lines of a graph with two sides.
type colouring struct {
	at [2][][]int // by side, place and colour: the other end
}

// add adds a line, changing the colours of others along a path where need be.
func (c *colouring) add(a, b int) {
	x, y := slices.Index(c.at[0][a], -1), slices.Index(c.at[1][b], -1)
	if x != y {
		// b has no y but perhaps x: exchange the two colours along the path that begins there. It cannot end at a.
		c.swap(b, x, y)
	}
	c.at[0][a][x], c.at[1][b][x] = b, a
}

// swap exchanges two colours along the path that leaves b by a line of colour x; b has none of colour y.
func (c *colouring) swap(b, x, y int) {
	var path [][3]int // ends and colour
	side, at, colour := 1, b, x
	for {
		other := c.at[side][at][colour]
		if other < 0 {
			break
		}
		ends := [3]int{at, other, colour}
		if side == 1 {
			ends[0], ends[1] = other, at
		}
		path = append(path, ends)
		side, at, colour = 1-side, other, x+y-colour
	}
	for _, l := range path {
		c.at[0][l[0]][l[2]], c.at[1][l[1]][l[2]] = -1, -1
	}
	for _, l := range path {
		other := x + y - l[2]
		c.at[0][l[0]][other], c.at[1][l[1]][other] = l[1], l[0]
	}
}

// seatMixed orders tables of several sizes: each table takes the order whose seats its players have had least often.
func (p Plan) seatMixed(players int) {
	had := make([][6]int, players+1)
	for r, round := range p {
		for k, t := range round {
			var best []int
			least := 0
			orders(t, nil, func(order []int) {
				sum := 0
				for seat, player := range order {
					sum += had[player][seat] * had[player][seat]
				}
				if best == nil || sum < least {
					best, least = slices.Clone(order), sum
				}
			})
			p[r][k] = best
			for seat, player := range best {
				had[player][seat]++
			}
		}
	}
}

// orders calls do for every order of the players.
func orders(rest, order []int, do func([]int)) {
	if len(rest) == 0 {
		do(order)
		return
	}
	for k := range rest {
		orders(slices.Delete(slices.Clone(rest), k, k+1), append(slices.Clone(order), rest[k]), do)
	}
}
