package table

import "quatuor/engine"

// LastMove returns the token of the last move as a viewer may see it; "" if there is none or it is sealed.
func (s *Snapshot) LastMove(v engine.Viewer) string {
	if s.Match == nil {
		return ""
	}
	events := s.Match.Events()
	if !s.Open() {
		events = s.Match.State().Redact(v, events)
	}
	for i := len(events) - 1; i >= 0; i-- {
		if events[i].Kind == engine.Moved {
			return events[i].Text
		}
	}
	return ""
}

// AtPly returns the game as it was after a number of moves, without those that were taken back later, its clocks standing.
// A number that the game has not reached is ErrNotFound.
func (s *Snapshot) AtPly(ply int) (*Snapshot, error) {
	lines, err := s.linesAt(ply)
	if err != nil {
		return nil, err
	}
	d, err := rerun(s.Game, s.Lines)
	if err != nil {
		return nil, err
	}
	for _, l := range s.Lines[:lines] {
		if err := d.repeat(l); err != nil {
			return nil, err
		}
	}
	past := *d.Snapshot
	past.behind = &behind{At: s.Game.CreatedAt, Shift: -1}
	if lines > 0 {
		past.behind.At = s.Lines[lines-1].At
	}
	return &past, nil
}

// linesAt returns how many lines the log had when the move with a number had just been made, counted without moves that
// were taken back; for 0, the lines before the first move.
func (s *Snapshot) linesAt(ply int) (int, error) {
	var ends []int // by ply from 1, of the moves that stand so far
	first := len(s.Lines)
	for i, l := range s.Lines {
		switch l.Kind {
		case LineMove:
			first = min(first, i)
			ends = append(ends, i+1)
		case LineTakeback:
			back, err := l.First()
			if err != nil {
				return 0, err
			}
			ends = ends[:max(0, min(back-1, len(ends)))]
		}
	}
	switch {
	case ply < 0 || ply > len(ends):
		return 0, ErrNotFound
	case ply == 0:
		return first, nil
	}
	return ends[ply-1], nil
}
