package quits

import (
	"math/bits"
	"strconv"

	"quatuor/engine"
)

// position is everything that the rest of the game depends on.
type position struct {
	marbles   [maxSeats]uint32 // by seat - 1
	out       [maxSeats]int8   // marbles out, by seat - 1
	turn      engine.Seat
	forbidden int8 // the slide that would take the last slide back, or none
	passes    int8 // passes in a row just made
	gone      engine.Gone
}

// move is a step, a slide or a pass.
type move struct {
	slide    int8 // index of a slide, or none
	from, to int8 // the squares of a step; equal for a pass
}

// passing is the move of a seat that passes.
var passing = move{slide: none}

func (m move) isPass() bool { return m.slide == none && m.from == m.to }

// token returns a move's text.
func (m move) token() engine.Move {
	switch {
	case m.slide != none:
		return slides[m.slide].token
	case m.isPass():
		return pass
	}
	return stepTokens[m.from][m.to]
}

// occupied returns the set of squares with a marble.
func (p *position) occupied() uint32 {
	return p.marbles[0] | p.marbles[1] | p.marbles[2] | p.marbles[3]
}

// maySlide reports whether the seat with these marbles may make a slide.
func (p *position) maySlide(i int8, own, occupied uint32) bool {
	s := &slides[i]
	return occupied&(1<<s.lifted) == 0 && own&s.line != 0 && i != p.forbidden
}

// moves appends the legal moves of the seat on turn in the order of their tokens: square by square, where a marble
// steps or an empty tile is lifted.
func (p *position) moves(v *variant, list []move) []move {
	own, occupied := p.marbles[p.turn-1], p.occupied()
	reach := &v.players[p.turn-1].reach
	for from := range squares {
		if own&(1<<from) != 0 {
			for targets := reach[from] &^ occupied; targets != 0; targets &= targets - 1 {
				list = append(list, move{none, int8(from), int8(bits.TrailingZeros32(targets))})
			}
			continue
		}
		for _, i := range slidesFrom[from] {
			if p.maySlide(i, own, occupied) {
				list = append(list, move{slide: i})
			}
		}
	}
	if len(list) == 0 {
		list = append(list, passing)
	}
	return list
}

// count returns the number of legal moves, without listing them.
func (p *position) count(v *variant) uint64 {
	own, occupied := p.marbles[p.turn-1], p.occupied()
	reach := &v.players[p.turn-1].reach
	n := 0
	for left := own; left != 0; left &= left - 1 {
		n += bits.OnesCount32(reach[bits.TrailingZeros32(left)] &^ occupied)
	}
	for _, l := range lines {
		if own&l.squares != 0 {
			n += bits.OnesCount32(l.ends &^ occupied)
		}
	}
	if p.forbidden != none && own&slides[p.forbidden].line != 0 {
		n-- // the tile that it lifts is empty, so it was among them
	}
	return uint64(max(n, 1))
}

// after returns the position after a legal move by the seat on turn.
func (p *position) after(v *variant, m move) position {
	next := *p
	next.turn = p.next(v)
	next.forbidden, next.passes = none, 0
	switch {
	case m.slide != none:
		s := &slides[m.slide]
		next.forbidden = s.back
		for i := range v.seats() {
			next.put(v, i, s.after(p.marbles[i]))
		}
	case m.isPass():
		next.passes = p.passes + 1
	default:
		i := int(p.turn - 1)
		next.put(v, i, p.marbles[i]&^(1<<m.from)|1<<m.to)
	}
	return next
}

// put sets the marbles of a seat, and removes a marble on its goal.
func (p *position) put(v *variant, i int, marbles uint32) {
	goal := uint32(1) << v.players[i].goal
	if marbles&goal != 0 {
		p.out[i]++
	}
	p.marbles[i] = marbles &^ goal
}

// next returns the next seat after the seat on turn that is still in.
func (p *position) next(v *variant) engine.Seat {
	s := p.turn
	for {
		s = s%engine.Seat(v.seats()) + 1
		if !p.gone.Has(s) {
			return s
		}
	}
}

// in returns the number of seats still in.
func (p *position) in(v *variant) int { return v.seats() - len(p.gone) }

// winner returns the seat that has enough marbles out, or 0.
func (p *position) winner(v *variant) engine.Seat {
	for i := range v.seats() {
		if int(p.out[i]) >= v.needed {
			return engine.Seat(i + 1)
		}
	}
	return 0
}

// blocked reports whether every seat still in has passed in a row.
func (p *position) blocked(v *variant) bool { return int(p.passes) >= p.in(v) }

// perft returns the number of sequences of exactly depth moves; the last ply is counted without being played.
func (p *position) perft(v *variant, depth int) uint64 {
	if depth == 1 {
		return p.count(v)
	}
	var buffer [maxMoves]move
	var total uint64
	for _, m := range p.moves(v, buffer[:0]) {
		next := p.after(v, m)
		if next.winner(v) == 0 && !next.blocked(v) {
			total += next.perft(v, depth-1)
		}
	}
	return total
}

// maxMoves is an upper bound on the legal moves of a position: five marbles with three steps each, and twenty
// slides.
const maxMoves = 5*3 + 20

// Position returns the canonical text: board, status, forbidden slide, marbles out, passes, and in the game for
// four the seats that are out.
func (s *state) Position() string {
	text := append(make([]byte, 0, 80), board.Blank()...)
	for i, marbles := range s.marbles {
		for ; marbles != 0; marbles &= marbles - 1 {
			text[board.Offset(bits.TrailingZeros32(marbles))] = '1' + byte(i)
		}
	}
	text = append(text, ' ')
	text = append(text, s.Pending().Status()...)
	text = append(text, ' ')
	text = append(text, s.forbiddenText()...)
	for i := range s.variant.seats() {
		text = append(text, " ,"[min(i, 1)])
		text = strconv.AppendInt(text, int64(s.out[i]), 10)
	}
	text = append(text, ' ')
	text = strconv.AppendInt(text, int64(s.passes), 10)
	if s.variant.seats() > 2 {
		text = append(text, ' ')
		text = append(text, s.gone.String()...)
	}
	return string(text)
}

func (p *position) forbiddenText() string {
	if p.forbidden == none {
		return "-"
	}
	return string(slides[p.forbidden].token)
}
