package table

import "quatuor/engine"

// Recent is one of the last events of a game, with the positions on both sides of it, as a viewer may see them.
type Recent struct {
	Line          int // number of its line in the log, counted from 1; it never changes
	Event         engine.Event
	Before, After engine.View
}

// Recent returns up to count of the last events that stand, oldest first. Those that were taken back are not among them.
func (s *Snapshot) Recent(v engine.Viewer, count int) ([]Recent, error) {
	if s.Match == nil || s.Unrecorded() {
		return nil, nil
	}
	events := s.Match.Events()
	shown := events
	if !s.Open() {
		shown = s.Match.State().Redact(v, events)
	}
	numbers, err := standing(s.Lines)
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

// standing returns the numbers of the lines that hold the events of a game's match, without those that were taken back.
func standing(lines []Line) ([]int, error) {
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
