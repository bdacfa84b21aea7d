package quixo

import (
	"math/bits"
	"strconv"

	"quatuor/engine"
	"quatuor/engine/internal/grid"
)

// maxSquares is the size of the largest board, so that a set of squares fits a 32-bit word.
const maxSquares = 25

// geometry holds the consequences of a board's size: its lines, its border and all pushes. A set of squares is a bit
// set in a word, numbered as grid numbers the squares.
type geometry struct {
	board   *grid.Board
	texts   *grid.Texts // the squares of a view as JSON, by face
	lines   []uint32    // rows, columns and the two long diagonals
	border  uint32
	corners uint32
	pushes  []push // in the order of their tokens
	pushAt  [maxSquares][maxSquares]int8
}

// push is a way to take a cube and push it back in, for either side.
type push struct {
	from  uint32 // the square where the cube is taken
	end   uint32 // the square where it comes to lie
	moved uint32 // the squares, before the push, of the cubes that shift
	keep  uint32 // the squares that are not touched
	shift int    // distance of the shift, in square numbers
	token engine.Move
	to    [5]engine.Move // with the dot to a seat, by seat
}

// after returns a set of cubes after the push. Where the bits of in are set, the pushed cube is in the set.
func (p *push) after(cubes, in uint32) uint32 {
	return cubes&p.keep | bits.RotateLeft32(cubes&p.moved, p.shift) | in&p.end
}

// newGeometry returns the geometry of a board of n × n squares, n at most 5.
func newGeometry(n int) *geometry {
	g := &geometry{board: grid.Square(n)}
	for from := range g.pushAt {
		for to := range g.pushAt[from] {
			g.pushAt[from][to] = -1
		}
	}
	g.addLines(n)
	for from := range g.board.Len() {
		for end := range g.board.Len() {
			g.addPush(n, from, end)
		}
	}
	g.texts = g.board.Texts(faceCount, func(n, face int) any { return g.cube(n, uint8(face)) })
	return g
}

func (g *geometry) addLines(n int) {
	var down, up uint32
	for i := range n {
		g.lines = append(g.lines, g.span(i, 0, i, n-1), g.span(0, i, n-1, i))
		up |= g.span(i, i, i, i)
		down |= g.span(i, n-1-i, i, n-1-i)
	}
	g.lines = append(g.lines, up, down)
	g.border = g.lines[0] | g.lines[1] | g.lines[2*n-2] | g.lines[2*n-1]
	g.corners = g.border & (up | down)
}

// span returns the squares between two squares of a row or column, both included.
func (g *geometry) span(file, rank, toFile, toRank int) uint32 {
	var set uint32
	for f := min(file, toFile); f <= max(file, toFile); f++ {
		for r := min(rank, toRank); r <= max(rank, toRank); r++ {
			n, _ := g.board.At(f, r)
			set |= 1 << n
		}
	}
	return set
}

// addPush adds the push from a square to an end, if it is possible: both lie in a line, the end is an end of it, and
// the square taken is on the border and not that end.
func (g *geometry) addPush(n, from, end int) {
	file, rank := g.board.Where(from)
	toFile, toRank := g.board.Where(end)
	along := toFile == file && isEnd(n, toRank) || toRank == rank && isEnd(n, toFile)
	if from == end || !along || g.border&(1<<from) == 0 {
		return
	}
	span := g.span(file, rank, toFile, toRank)
	p := push{from: 1 << from, end: 1 << end, moved: span &^ (1 << from), keep: ^span, shift: 1}
	if rank == toRank {
		p.shift = n
	}
	if end > from { // the cubes between shift towards the hole, so towards lower numbers
		p.shift = -p.shift
	}
	token := g.board.Name(from) + "-" + g.board.Name(end)
	p.token = engine.Move(token)
	for seat := range p.to {
		p.to[seat] = engine.Move(token + ">" + strconv.Itoa(seat))
	}
	g.pushAt[from][end] = int8(len(g.pushes))
	g.pushes = append(g.pushes, p)
}

func isEnd(n, coordinate int) bool { return coordinate == 0 || coordinate == n-1 }

// hasLine reports whether a set of cubes holds a complete line.
func (g *geometry) hasLine(cubes uint32) bool {
	for _, line := range g.lines {
		if cubes&line == line {
			return true
		}
	}
	return false
}

// countPushes returns the number of pushes of the cubes in a set: a corner has two, any other border square three.
func (g *geometry) countPushes(cubes uint32) int {
	return 3*bits.OnesCount32(cubes&g.border) - bits.OnesCount32(cubes&g.corners)
}
