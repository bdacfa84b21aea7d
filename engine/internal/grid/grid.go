// Package grid holds what the boards of the games share: squares with names, numbered in the order of their names,
// and the text of a board, rank by rank.
//
// A square is a file letter and a rank number as seat 1 sees the board: a1 is at its left hand and nearest to it.
// Square numbers run file by file, a1, a2, … b1, b2, …, so that ascending numbers are also ascending names, and a step
// up a file is +1.
package grid

import (
	"fmt"
	"strings"
)

// maxEdge is the longest edge of a board: a rank is a single digit.
const maxEdge = 9

// Board is the shape of a board: the squares it has. It never changes.
type Board struct {
	size    int
	names   []string
	files   []int8
	ranks   []int8
	numbers [maxEdge][maxEdge]int8 // by file and rank, -1 where the board has no square
	rows    [][]int
	blank   string
	offsets []int8
}

// New returns a board of size × size with the squares that has accepts. Files and ranks are counted from 0.
func New(size int, has func(file, rank int) bool) *Board {
	b := &Board{size: size, rows: make([][]int, size)}
	for file := range maxEdge {
		for rank := range maxEdge {
			b.numbers[file][rank] = -1
			if file >= size || rank >= size || !has(file, rank) {
				continue
			}
			n := len(b.names)
			b.numbers[file][rank] = int8(n)
			b.names = append(b.names, string([]byte{'a' + byte(file), '1' + byte(rank)}))
			b.files, b.ranks = append(b.files, int8(file)), append(b.ranks, int8(rank))
			b.rows[size-1-rank] = append(b.rows[size-1-rank], n)
		}
	}
	b.layOut()
	return b
}

// layOut computes the text of the blank board and the offset of each square in it.
func (b *Board) layOut() {
	b.offsets = make([]int8, len(b.names))
	for i, row := range b.rows {
		if i > 0 {
			b.blank += "/"
		}
		for _, n := range row {
			b.offsets[n] = int8(len(b.blank))
			b.blank += "."
		}
	}
}

// Square returns a full board of size × size.
func Square(size int) *Board { return New(size, func(int, int) bool { return true }) }

// Len returns the number of squares.
func (b *Board) Len() int { return len(b.names) }

// Size returns the length of an edge.
func (b *Board) Size() int { return b.size }

// Name returns a square's name.
func (b *Board) Name(n int) string { return b.names[n] }

// Where returns a square's file and rank, from 0.
func (b *Board) Where(n int) (file, rank int) { return int(b.files[n]), int(b.ranks[n]) }

// At returns the square on a file and rank, counted from 0; false if the board has none there.
func (b *Board) At(file, rank int) (int, bool) {
	if file < 0 || file >= b.size || rank < 0 || rank >= b.size {
		return 0, false
	}
	n := b.numbers[file][rank]
	return int(n), n >= 0
}

// Find returns the square of a name; false if the board does not have the square.
func (b *Board) Find(name string) (int, bool) {
	if len(name) != 2 {
		return 0, false
	}
	return b.At(int(name[0])-'a', int(name[1])-'1')
}

// Rows returns the squares as a board is drawn and printed: the farthest rank first, each from file a on. The
// lists are shared: they must not be changed.
func (b *Board) Rows() [][]int { return b.rows }

// Blank returns the text of the board with a dot on every square, the ranks joined by slashes.
func (b *Board) Blank() string { return b.blank }

// Offset returns the place of a square's character in [Board.Blank].
func (b *Board) Offset(n int) int { return int(b.offsets[n]) }

// Scan reads a text of a character for each square, laid out like [Board.Blank], and calls put for each, which reports
// whether it knows the character.
func (b *Board) Scan(text string, put func(n int, c byte) bool) error {
	rows := strings.Split(text, "/")
	if len(rows) != b.size {
		return fmt.Errorf("the board has %d ranks, want %d", len(rows), b.size)
	}
	for i, row := range b.rows {
		if len(rows[i]) != len(row) {
			return fmt.Errorf("rank %d has %d squares, want %d", b.size-i, len(rows[i]), len(row))
		}
		for j, n := range row {
			if !put(n, rows[i][j]) {
				return fmt.Errorf("%q on %s means nothing here", rows[i][j], b.names[n])
			}
		}
	}
	return nil
}
