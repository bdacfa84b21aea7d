package table

import "sync"

// Margin is where a reader of a game's log keeps what it made of the log, so that it need not go through all of it
// again for every new line. It goes along from one snapshot of the game to the next, in this process only, and is given
// up with them.
type Margin struct {
	mu   sync.Mutex
	note any
	past *Snapshot // as spectators who are behind last saw the game; nil while nobody asked
}

// Note gives what is kept in the margin; begin makes it where there is none yet. It is shared between all who read the
// game, whatever their snapshot and whoever they are: only what everybody may see belongs here. A snapshot without a
// margin keeps nothing.
func (m *Margin) Note(begin func() any) any {
	if m == nil {
		return begin()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.note == nil {
		m.note = begin()
	}
	return m.note
}
