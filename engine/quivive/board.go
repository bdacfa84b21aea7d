package quivive

import "math/bits"

const (
	cellCount = 37
	width     = 7
)

// cell is a cell of the board, numbered file by file, so that numbers and names sort alike: a3 is 0, g5 is 36.
type cell int8

// cells is a set of cells, one bit each.
type cells uint64

const everywhere cells = 1<<cellCount - 1

var (
	names [cellCount]string
	near  [cellCount]cells                  // neighbours of each cell
	rows  [width][]cell                     // the cells of each rank, from rank 7 down, as a position prints them
	grid  [width][width]cell                // by file and rank; offBoard where the board has no cell
	cut   = [width]int{2, 1, 0, 0, 0, 1, 2} // cells missing at either end of a file
)

const offBoard cell = -1

func init() {
	next := cell(0)
	for file := range width {
		for rank := range width {
			grid[file][rank] = offBoard
			if rank >= cut[file] && rank < width-cut[file] {
				grid[file][rank] = next
				names[next] = string([]byte{byte('a' + file), byte('1' + rank)})
				next++
			}
		}
	}
	for rank := width - 1; rank >= 0; rank-- {
		for file := range width {
			if c := grid[file][rank]; c != offBoard {
				rows[width-1-rank] = append(rows[width-1-rank], c)
				near[c] = around(file, rank)
			}
		}
	}
}

func around(file, rank int) cells {
	var set cells
	for f := max(file-1, 0); f <= min(file+1, width-1); f++ {
		for r := max(rank-1, 0); r <= min(rank+1, width-1); r++ {
			if c := grid[f][r]; c != offBoard && (f != file || r != rank) {
				set |= c.set()
			}
		}
	}
	return set
}

// cellAt finds a cell by its two-letter name.
func cellAt(name string) (cell, bool) {
	file, rank := int(name[0])-'a', int(name[1])-'1'
	if file < 0 || file >= width || rank < 0 || rank >= width || grid[file][rank] == offBoard {
		return offBoard, false
	}
	return grid[file][rank], true
}

func (c cell) set() cells { return 1 << c }

func (s cells) has(c cell) bool { return s>>c&1 != 0 }

func (s cells) len() int { return bits.OnesCount64(uint64(s)) }

// first is the lowest cell of a set that is not empty.
func (s cells) first() cell { return cell(bits.TrailingZeros64(uint64(s))) }

// board is what lies and stands on the cells.
type board struct {
	low, high cells           // the stacks' heights in binary: low is worth 1, high is worth 2
	pawns     [maxSides]cells // by side, from side 1
}

func (b *board) podiums() cells { return b.low | b.high }

func (b *board) standing() cells {
	var all cells
	for _, p := range b.pawns {
		all |= p
	}
	return all
}

// free are the cells with a podium and without a pawn: where pawns can step, and whence podiums can go.
func (b *board) free() cells { return b.podiums() &^ b.standing() }

// total is the number of podiums on the board.
func (b *board) total() int { return b.low.len() + 2*b.high.len() }

func (b *board) height(c cell) int { return int(b.low>>c&1) + 2*int(b.high>>c&1) }

// raise adds a podium to a stack of height 1 or 2.
func (b *board) raise(c cell) {
	if b.low.has(c) {
		b.low &^= c.set()
		b.high |= c.set()
		return
	}
	b.low |= c.set()
}

// lower takes the top podium off a stack.
func (b *board) lower(c cell) {
	if b.low.has(c) {
		b.low &^= c.set()
		return
	}
	b.high &^= c.set()
	b.low |= c.set()
}

// stuck are those of the given pawns that have no step.
func (b *board) stuck(own cells) cells {
	free, set := b.free(), cells(0)
	for ; own != 0; own &= own - 1 {
		if c := own.first(); near[c]&free == 0 {
			set |= c.set()
		}
	}
	return set
}

// steps counts the steps that the given pawns have.
func (b *board) steps(own cells) int {
	free, n := b.free(), 0
	for ; own != 0; own &= own - 1 {
		n += (near[own.first()] & free).len()
	}
	return n
}
