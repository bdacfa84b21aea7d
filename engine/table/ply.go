package table

import (
	"slices"

	"quatuor/engine"
)

// LastMove returns the token of the last move as a viewer may see it; "" for none or a sealed move.
func (s *Snapshot) LastMove(v engine.Viewer) string {
	if s.Match == nil {
		return ""
	}
	events := s.Match.Events()
	if !s.Open() {
		events = s.Match.State().Redact(v, events)
	}
	for _, e := range slices.Backward(events) {
		if e.Kind == engine.Moved {
			return e.Text
		}
	}
	return ""
}

// AtPly returns the game after a number of moves, without those that were taken back later, with stopped clocks. A
// number that the game has not reached is ErrNotFound.
func (s *Snapshot) AtPly(ply int) (*Snapshot, error) {
	var found *Snapshot
	err := s.Plies(ply, ply, func(past *Snapshot) error {
		found = past
		return nil
	})
	return found, err
}

// Plies visits the game after each number of moves, from the first to the last given, as [Snapshot.AtPly] returns it.
// The log is replayed once for all of them. Numbers that the game has not reached are ErrNotFound, and so is no number
// at all.
func (s *Snapshot) Plies(from, to int, visit func(past *Snapshot) error) error {
	ends, err := s.plyEnds()
	if err != nil {
		return err
	}
	if from < 0 || to < from || to >= len(ends) {
		return ErrNotFound
	}
	d, err := rerun(s.Game, s.Lines)
	if err != nil {
		return err
	}
	done := 0
	for ply := from; ply <= to; ply++ {
		for _, l := range s.Lines[done:ends[ply]] {
			if err := d.repeat(l); err != nil {
				return err
			}
		}
		done = ends[ply]
		past := *d.Snapshot
		past.behind = &behind{At: s.Game.CreatedAt, Shift: -1}
		if done > 0 {
			past.behind.At = s.Lines[done-1].At
		}
		if err := visit(&past); err != nil {
			return err
		}
	}
	return nil
}

// FinalViewer returns the viewer for stepping through a game's positions: at the end of a game with secrets all is
// open, and so is then every position that led there. A game that was broken off keeps its secrets.
func (s *Snapshot) FinalViewer(v engine.Viewer) engine.Viewer {
	if s.Match == nil || !s.Match.Pending().Over() || s.Game.Status != Finished {
		return v
	}
	for seat := 1; seat <= s.Game.Seats; seat++ {
		v = v.With(engine.Seat(seat))
	}
	return v
}

// plyEnds returns the length of the log right after each move that was not taken back, by the number of the move; for
// 0, the lines before the first move.
func (s *Snapshot) plyEnds() ([]int, error) {
	ends, first := []int{0}, len(s.Lines)
	for i, l := range s.Lines {
		switch l.Kind {
		case LineMove:
			first = min(first, i)
			ends = append(ends, i+1)
		case LineTakeback:
			back, err := l.First()
			if err != nil {
				return nil, err
			}
			ends = ends[:max(1, min(back, len(ends)))]
		}
	}
	ends[0] = first
	return ends, nil
}

// Recent is a recent event of a game, with the positions on both sides of it, as a viewer may see them.
type Recent struct {
	Line          int // number of its line in the log, counted from 1; it never changes
	Event         engine.Event
	Before, After engine.View
}

// Recent returns up to count of the last events, oldest first, without those that were taken back.
func (s *Snapshot) Recent(v engine.Viewer, count int) ([]Recent, error) {
	if s.Match == nil || s.Unrecorded() {
		return nil, nil
	}
	events := s.Match.Events()
	shown := events
	if !s.Open() {
		shown = s.Match.State().Redact(v, events)
	}
	numbers, err := validLines(s.Lines)
	if err != nil {
		return nil, err
	}
	m, err := engine.NewMatch(s.Match.Rules(), s.Match.Setup())
	if err != nil {
		return nil, err
	}
	first := len(events) - count
	var list []Recent
	for i, e := range events {
		next, err := m.After(e)
		if err != nil {
			return nil, err
		}
		if i >= first {
			r := Recent{Event: shown[i], Before: m.State().View(v), After: next.State().View(v)}
			if i < len(numbers) {
				r.Line = numbers[i]
			}
			list = append(list, r)
		}
		m = next
	}
	return list, nil
}

// validLines returns the numbers of the lines that hold the events of a game's match, without those taken back.
func validLines(lines []Line) ([]int, error) {
	var numbers, plies []int // plies are places in numbers
	for i, l := range lines {
		if e, ok := l.event(); ok {
			if e.Kind == engine.Moved {
				plies = append(plies, len(numbers))
			}
			numbers = append(numbers, i+1)
			continue
		}
		if l.Kind != LineTakeback {
			continue
		}
		back, err := l.First()
		if err != nil || back < 1 || back > len(plies) {
			return nil, errBroken
		}
		numbers, plies = numbers[:plies[back-1]], plies[:back-1]
	}
	return numbers, nil
}
