package table

import (
	"fmt"
	"slices"
	"sync"
)

// Delayed reports whether spectators see the game with a delay. Once it is over they see all of it.
func (g Game) Delayed() bool { return g.Delay != (Delay{}) && !g.Status.Over() }

// behind is the clock offset of a delayed view: clocks are read at At, and deadlines come Shift ms later than those of
// the players. A Shift below 0 hides deadlines, which depend on moves that are not visible yet.
type behind struct{ At, Shift int64 }

// Spectated returns the delayed view of the game at a time in ms UTC, and the time when spectators will see more even
// if nothing happens; 0 for never. The view, including version and clocks, is a function of the visible lines and the
// time; with a delay counted in moves, every move makes an earlier move visible.
func (s *Snapshot) Spectated(at int64) (seen *Snapshot, next int64, err error) {
	if !s.Game.Delayed() {
		return s, 0, nil
	}
	shown, next := s.shown(at)
	past, err := s.after(shown)
	if err != nil {
		return nil, 0, err
	}
	past.behind = &behind{At: at - s.Game.Delay.Ms, Shift: s.Game.Delay.Ms}
	if s.Game.Delay.Moves > 0 {
		past.behind = &behind{At: s.Game.CreatedAt, Shift: -1}
		if shown > 0 {
			past.behind.At = s.Lines[shown-1].At
		}
	}
	return &past, next, nil
}

// after returns the game after a number of lines.
func (s *Snapshot) after(lines int) (Snapshot, error) {
	if lines == len(s.Lines) {
		return *s, nil
	}
	d, err := s.Margin.upTo(s, lines)
	if err != nil {
		return Snapshot{}, err
	}
	for _, l := range s.Lines[len(d.Lines):lines] {
		if err := d.repeat(l); err != nil {
			return Snapshot{}, fmt.Errorf("game %s: line %d: %w", s.Game.ID, l.N, err)
		}
	}
	d.Margin = s.Margin
	s.Margin.keep(d.Snapshot)
	return *d.Snapshot, nil
}

// Past reports whether this is the game as its spectators see it, behind the players.
func (s *Snapshot) Past() bool { return s.behind != nil }

// upTo returns a draft of the game to be replayed up to a number of lines: the cached past game if it has no more lines
// than that, else a game without lines.
func (m *Margin) upTo(s *Snapshot, lines int) (*draft, error) {
	if m != nil {
		m.mu.Lock()
		past := m.past
		m.mu.Unlock()
		if past != nil && len(past.Lines) <= lines {
			d := draftOf(past)
			d.Lines = slices.Clip(d.Lines)
			return d, nil
		}
	}
	return rerun(s.Game, s.Lines)
}

// keep caches the past game that was read last.
func (m *Margin) keep(past *Snapshot) {
	if m != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.past = past
	}
}

// shown returns the number of lines that spectators see, and the time when it grows even if nothing happens.
func (s *Snapshot) shown(at int64) (lines int, next int64) {
	lines = len(s.Lines)
	for i, hidden := lines-1, 0; i >= 0 && hidden < s.Game.Delay.Moves; i-- {
		if s.Lines[i].Kind == LineMove {
			hidden++
			lines = i
		}
	}
	for i, l := range s.Lines[:lines] {
		if due := l.At + s.Game.Delay.Ms; due > at {
			return i, due
		}
	}
	return lines, 0
}

// Margin caches the game as spectators with a delay last saw it, so that it need not be replayed from the beginning for
// every new line. It is passed from each snapshot of the game to the next, in this process only.
type Margin struct {
	mu   sync.Mutex
	past *Snapshot // nil until a spectator reads
}
