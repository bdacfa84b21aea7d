package table

import (
	"fmt"
	"slices"
)

// Delayed reports whether spectators of the game are behind it: those of a game with a delay are until it is over. From
// then on everything is for everybody.
func (g Game) Delayed() bool { return g.Delay != (Delay{}) && !g.Status.Over() }

// behind says how the clocks of a game are read that is seen as it stood: as of At, and with deadlines that come Shift
// ms later than those of the players. A Shift below 0 hides deadlines: they depend on moves that are not seen yet.
type behind struct{ At, Shift int64 }

// Spectated gives the game as its spectators see it at a time in ms UTC, and the time at which they will see more though
// nothing happens; 0 if there is none. What they see, the version and the clocks included, depends on nothing but the
// lines that have come to light and the time; only with a delay counted in moves, every move brings an earlier one to light.
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

// after gives the game as it was after so many lines.
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

// upTo gives a draft of the game after as many of its first lines as it was last wanted, if these are no more than wanted
// now, or after none.
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

// keep notes the game as it was wanted.
func (m *Margin) keep(past *Snapshot) {
	if m != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.past = past
	}
}

// shown counts the lines that spectators see, and says when there will be more by itself.
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
