package quits

import (
	"math/bits"

	"quatuor/engine"
	"quatuor/engine/internal/grid"
)

// A set of squares is a bit set of a single word, numbered as grid numbers the squares.
const squares = size * size

var board = grid.Square(size)

// player holds the consequences of a seat's corner.
type player struct {
	start uint32          // squares of its marbles at the start
	goal  int             // the corner where they leave the board
	reach [squares]uint32 // the squares that a marble steps to, if they are empty, by its square
}

// slide is a way to slide a row or column: the tile lifted at an end goes to the other, and the other four tiles move
// towards the gap with their marbles.
type slide struct {
	lifted int // square of the tile that is lifted, which must be empty
	end    int // square where it is put back
	line   uint32
	rest   uint32 // the line without the tile lifted
	shift  int    // distance of the rest's move, in square numbers
	back   int8   // index of the slide that takes this slide back
	token  engine.Move
}

// line is a row or column.
type line struct{ squares, ends uint32 }

// none is the index of no slide.
const none int8 = -1

var (
	// slides are all slides in the order of their tokens.
	slides = newSlides()
	// slidesFrom holds the slides that lift a square's tile, by index: a single slide, two at a corner, none inside.
	slidesFrom = func() (from [squares][]int8) {
		for i, s := range slides {
			from[s.lifted] = append(from[s.lifted], int8(i))
		}
		return from
	}()
	// lines are the rows and columns.
	lines = newLines()
	// stepTokens are the tokens of steps, by the squares left and entered.
	stepTokens = func() (tokens [squares][squares]engine.Move) {
		for from := range squares {
			for to := range squares {
				tokens[from][to] = engine.Move(board.Name(from) + "-" + board.Name(to))
			}
		}
		return tokens
	}()
)

func newSlides() []slide {
	var list []slide
	for lifted := range squares {
		for end := range squares {
			if s, ok := newSlide(lifted, end); ok {
				list = append(list, s)
			}
		}
	}
	for i := range list {
		for j := range list {
			if list[j].lifted == list[i].end && list[j].end == list[i].lifted {
				list[i].back = int8(j)
			}
		}
	}
	return list
}

// newSlide returns the slide between two squares, if they are the two ends of a row or column.
func newSlide(lifted, end int) (slide, bool) {
	const last = size - 1
	file, rank := board.Where(lifted)
	toFile, toRank := board.Where(end)
	var step int
	switch {
	case file == toFile && rank+toRank == last && rank*toRank == 0:
		step = 1
	case rank == toRank && file+toFile == last && file*toFile == 0:
		step = size
	default:
		return slide{}, false
	}
	s := slide{lifted: lifted, end: end, shift: step}
	for n := min(lifted, end); n <= max(lifted, end); n += step {
		s.line |= 1 << n
	}
	s.rest = s.line &^ (1 << lifted)
	if end > lifted {
		s.shift = -step
	}
	s.token = engine.Move(board.Name(lifted) + ">" + board.Name(end))
	return s, true
}

// newLines returns the lines, each found by either of its slides.
func newLines() []line {
	var list []line
	for _, s := range slides {
		if s.lifted < s.end {
			list = append(list, line{s.line, 1<<s.lifted | 1<<s.end})
		}
	}
	return list
}

// after returns a set of marbles after the slide.
func (s *slide) after(marbles uint32) uint32 {
	return marbles&^s.line | bits.RotateLeft32(marbles&s.rest, s.shift)
}

// newVariant returns a variant with the consequences of its corners and of the option steps.
func newVariant(info engine.Info, corners []corner, marbles, needed int, steps string) *variant {
	v := &variant{info: info, needed: needed, marbles: marbles, corners: corners}
	for i, c := range corners {
		v.players[i] = newPlayer(c, marbles, steps)
	}
	return v
}

func newPlayer(c corner, marbles int, steps string) player {
	// The squares nearest to a1, as seat 1 sees them, in the order that a game with more marbles takes more.
	near := []string{"a2", "b1", "b2", "a3", "c1"}
	var p player
	for _, name := range near[:marbles] {
		n, _ := board.Find(name)
		p.start |= 1 << c.turned(n)
	}
	p.goal = c.turned(squares - 1)
	ways := []corner{{c.file, c.rank}, {c.file, -c.rank}, {-c.file, c.rank}}
	if steps == forward {
		ways = []corner{{c.file, c.rank}, {c.file, 0}, {0, c.rank}}
	}
	for from := range squares {
		file, rank := board.Where(from)
		for _, w := range ways {
			if to, ok := board.At(file+w.file, rank+w.rank); ok {
				p.reach[from] |= 1 << to
			}
		}
	}
	return p
}

// turned returns the square that a seat at this corner sees where seat 1 sees n, or its mirror image in the long
// diagonal: the start is the same on both sides of that.
func (c corner) turned(n int) int {
	file, rank := board.Where(n)
	if c.file < 0 {
		file = size - 1 - file
	}
	if c.rank < 0 {
		rank = size - 1 - rank
	}
	n, _ = board.At(file, rank)
	return n
}
