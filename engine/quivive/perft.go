package quivive

// Perft returns the number of move sequences of exactly depth plies.
//
// Two things make it fast. How many podiums or pawns may be placed does not depend on where the others are, so the
// placing phases are a product; and the last ply of play is a product as well, since after any step the same number of
// stacks can lose a podium: the stack just left has become free in exchange for the stack stepped on.
func (s *state) Perft(depth int) uint64 {
	switch {
	case s.end != nil:
		return 0
	case s.phase != play:
		return s.countPlacing(depth)
	case depth == 1:
		return uint64(s.steps(s.own(s.turn)) * s.free().len())
	}
	var total uint64
	own, free := s.own(s.turn), s.free()
	for ; own != 0; own &= own - 1 {
		from := own.first()
		for targets := near[from] & free; targets != 0; targets &= targets - 1 {
			to := targets.first()
			for stacks := free&^only(to) | only(from); stacks != 0; stacks &= stacks - 1 {
				next := *s
				next.step(from, to, stacks.first())
				total += next.Perft(depth - 1)
			}
		}
	}
	return total
}

func (s *state) countPlacing(depth int) uint64 {
	var ways [extras + maxSides]uint64
	todo := ways[:0]
	if s.phase == build {
		for n := s.built(); n < onOnes; n++ {
			todo = append(todo, uint64(cellCount-n))
		}
		for n := max(s.built(), onOnes); n < extras; n++ {
			todo = append(todo, uint64(onOnes-(n-onOnes)))
		}
	}
	for n := s.standing().len(); n < s.due(); n++ {
		todo = append(todo, uint64(cellCount-n))
	}
	if depth > len(todo) {
		return s.countPlacingAndPlay(depth)
	}
	total := uint64(1)
	for _, n := range todo[:depth] {
		total *= n
	}
	return total
}

// countPlacingAndPlay counts sequences that reach the play phase, where the squares of podiums and pawns matter.
func (s *state) countPlacingAndPlay(depth int) uint64 {
	place, where := (*state).placePodium, s.open
	if s.phase == pawns {
		place, where = (*state).placePawn, func() cells { return everywhere &^ s.standing() }
	}
	var total uint64
	for set := where(); set != 0; set &= set - 1 {
		next := *s
		place(&next, set.first())
		total += next.Perft(depth - 1)
	}
	return total
}
