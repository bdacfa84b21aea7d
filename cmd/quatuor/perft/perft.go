// Package perft counts sequences of moves on several processors.
package perft

import (
	"quatuor/engine"
)

// branch is a position two plies from where a count starts, with the number of ways that lead there from each first
// move. It is counted once for all of them.
type branch struct {
	state engine.State
	ways  map[int]uint64 // by the row of the first move
	count uint64
}

// Divide counts the sequences of exactly depth moves by their first move, as [engine.Divide] does and in the same
// order, with some branches counted at the same time.
func Divide(s engine.State, depth, threads int) []engine.Division {
	if threads == 1 || depth < 3 {
		return engine.Divide(s, depth)
	}
	rows, branches := grow(s)
	todo, done := make(chan *branch), make(chan struct{})
	for range threads {
		go func() {
			for b := range todo {
				b.count = engine.Perft(b.state, depth-2)
			}
			done <- struct{}{}
		}()
	}
	for _, b := range branches {
		todo <- b
	}
	close(todo)
	for range threads {
		<-done
	}
	for _, b := range branches {
		for row, ways := range b.ways {
			rows[row].Count += ways * b.count
		}
	}
	return rows
}

// grow returns a row for each first move, nothing counted yet, and the branches after the second.
func grow(s engine.State) (rows []engine.Division, branches []*branch) {
	byPosition := map[string]*branch{}
	eachMove(s, func(seat engine.Seat, mv engine.Move, next engine.State) {
		row := len(rows)
		rows = append(rows, engine.Division{Seat: seat, Move: mv})
		eachMove(next, func(_ engine.Seat, _ engine.Move, state engine.State) {
			position := state.Position()
			b, known := byPosition[position]
			if !known {
				b = &branch{state: state, ways: map[int]uint64{}}
				byPosition[position] = b
				branches = append(branches, b)
			}
			b.ways[row]++
		})
	})
	return rows, branches
}

// eachMove carries out each legal move in the order of seat and move.
func eachMove(s engine.State, visit func(engine.Seat, engine.Move, engine.State)) {
	for _, seat := range s.Pending().Awaited {
		for _, mv := range s.Legal(seat) {
			next, err := s.Apply(engine.Event{Kind: engine.Moved, Seat: seat, Text: string(mv)})
			if err != nil {
				panic("perft: a legal move was refused: " + err.Error())
			}
			visit(seat, mv, next)
		}
	}
}
