package engine

// Counter is a state that can count its own move sequences faster than [Perft] does through the State interface.
type Counter interface {
	// Perft returns the number of move sequences of exactly depth plies; depth is at least 1.
	Perft(depth int) uint64
}

// Perft returns the number of sequences of exactly depth moves from s. Finished games are not extended, repetition
// and length do not apply, and choices made in secret count in each order of arrival.
func Perft(s State, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	if fast, ok := s.(Counter); ok {
		return fast.Perft(depth)
	}
	var total uint64
	for _, seat := range s.Pending().Awaited {
		moves := s.Legal(seat)
		if depth == 1 {
			total += uint64(len(moves))
			continue
		}
		for _, mv := range moves {
			next, err := s.Apply(Event{Kind: Moved, Seat: seat, Text: string(mv)})
			if err != nil {
				panic("engine: a legal move was refused: " + err.Error())
			}
			total += Perft(next, depth-1)
		}
	}
	return total
}

// Divide returns the number of sequences of exactly depth moves, at least 1, by their first move, in the order of
// seat and move.
func Divide(s State, depth int) []Division {
	var rows []Division
	for _, seat := range s.Pending().Awaited {
		for _, mv := range s.Legal(seat) {
			next, err := s.Apply(Event{Kind: Moved, Seat: seat, Text: string(mv)})
			if err != nil {
				panic("engine: a legal move was refused: " + err.Error())
			}
			rows = append(rows, Division{Seat: seat, Move: mv, Count: Perft(next, depth-1)})
		}
	}
	return rows
}

// Division is a row of [Divide].
type Division struct {
	Seat  Seat
	Move  Move
	Count uint64
}
