package quivive

import (
	"math/bits"

	"quatuor/engine/internal/grid"
)

// cellCount is the number of cells; cells are numbered in the order of their names, from a3 on, as grid numbers them.
const cellCount = 37

// shape is a board of 7 × 7 without three cells at each corner.
var shape = grid.New(7, func(file, rank int) bool {
	cut := [...]int{2, 1, 0, 0, 0, 1, 2}[file]
	return rank >= cut && rank < 7-cut
})

// near holds the set of neighbours of each cell.
var near = func() (near [cellCount]cells) {
	for c := range near {
		file, rank := shape.Where(c)
		for f := file - 1; f <= file+1; f++ {
			for r := rank - 1; r <= rank+1; r++ {
				if n, ok := shape.At(f, r); ok && n != c {
					near[c] |= only(n)
				}
			}
		}
	}
	return near
}()

// cells is a bit set of cells.
type cells uint64

const everywhere cells = 1<<cellCount - 1

func only(c int) cells { return 1 << c }

func (s cells) has(c int) bool { return s>>c&1 != 0 }

func (s cells) len() int { return bits.OnesCount64(uint64(s)) }

// first returns the lowest cell of a set that is not empty.
func (s cells) first() int { return bits.TrailingZeros64(uint64(s)) }

// board holds the stacks of podiums and the pawns on the cells.
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

// free returns the cells with a podium and without a pawn: pawns can step there, and podiums can be removed there.
func (b *board) free() cells { return b.podiums() &^ b.standing() }

// total returns the number of podiums on the board.
func (b *board) total() int { return b.low.len() + 2*b.high.len() }

func (b *board) height(c int) int { return int(b.low>>c&1) + 2*int(b.high>>c&1) }

// raise adds a podium to a stack of height 1 or 2.
func (b *board) raise(c int) {
	if b.low.has(c) {
		b.low &^= only(c)
		b.high |= only(c)
		return
	}
	b.low |= only(c)
}

// lower takes the top podium off a stack.
func (b *board) lower(c int) {
	if b.low.has(c) {
		b.low &^= only(c)
		return
	}
	b.high &^= only(c)
	b.low |= only(c)
}

// stuck returns those of the given pawns that have no step.
func (b *board) stuck(own cells) cells {
	free, set := b.free(), cells(0)
	for ; own != 0; own &= own - 1 {
		if c := own.first(); near[c]&free == 0 {
			set |= only(c)
		}
	}
	return set
}

// steps returns the number of steps that the given pawns have.
func (b *board) steps(own cells) int {
	free, n := b.free(), 0
	for ; own != 0; own &= own - 1 {
		n += (near[own.first()] & free).len()
	}
	return n
}
