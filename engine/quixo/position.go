package quixo

import (
	"quatuor/engine"
)

// position is the board with the seat on turn: all that the moves depend on.
type position struct {
	marks  [2]uint32 // the cubes marked by each side
	second uint32    // of the marked cubes, those with a dot that points to the second partner of their side
	turn   engine.Seat
}

// takeable returns the cubes that the seat on turn may take, as far as their marks and dots allow it: those inside
// the border are included.
func (p *position) takeable(v *variant) uint32 {
	side := sideOf(p.turn)
	own := p.marks[side]
	if v.teams {
		if isSecond(p.turn) {
			own &= p.second
		} else {
			own &^= p.second
		}
	}
	return own | ^(p.marks[0] | p.marks[1])
}

// after returns the position after a push by the seat on turn, with the dot to the second partner where second is
// set.
func (p *position) after(v *variant, push *push, second bool) position {
	const all = ^uint32(0)
	side := sideOf(p.turn)
	next := position{turn: v.next(p.turn)}
	next.marks[side] = push.after(p.marks[side], all)
	next.marks[1-side] = push.after(p.marks[1-side], 0)
	if v.teams {
		dot := uint32(0)
		if second {
			dot = all
		}
		next.second = push.after(p.second, dot)
	}
	return next
}

// lines returns how the push that led here ended the game, if it did: the winning side's index and the reason.
func (p *position) lines(v *variant) (winner int, reason engine.Reason, over bool) {
	other := sideOf(p.turn)
	switch {
	case v.geo.hasLine(p.marks[other]):
		return other, engine.ReasonOpponentLine, true
	case v.geo.hasLine(p.marks[1-other]):
		return 1 - other, engine.ReasonLine, true
	}
	return 0, "", false
}

// dots returns the seats that the dot of a cube may point to when the seat on turn pushes it; in duel only 0, for no
// dot.
func (p *position) dots(v *variant) []engine.Seat {
	if !v.teams {
		return []engine.Seat{0}
	}
	first := engine.Seat(sideOf(p.turn) + 1)
	return []engine.Seat{first, first + 2}
}

// count returns the number of legal moves of a position that is not over; a pass counts as a move.
func (p *position) count(v *variant) uint64 {
	n := v.geo.countPushes(p.takeable(v))
	if v.teams {
		n *= 2
	}
	return uint64(max(n, 1))
}

// perft returns the number of sequences of exactly depth moves; the last ply is counted without being played.
func (p *position) perft(v *variant, depth int) uint64 {
	if depth == 1 {
		return p.count(v)
	}
	takeable := p.takeable(v)
	if takeable&v.geo.border == 0 {
		passed := *p
		passed.turn = v.next(p.turn)
		return passed.perft(v, depth-1)
	}
	var total uint64
	for i := range v.geo.pushes {
		push := &v.geo.pushes[i]
		if push.from&takeable == 0 {
			continue
		}
		for _, dot := range p.dots(v) {
			next := p.after(v, push, isSecond(dot))
			if _, _, over := next.lines(v); !over {
				total += next.perft(v, depth-1)
			}
		}
	}
	return total
}
