package director

import (
	"context"
	"sync"
)

// turns lets one at a time act on a tournament. A line lives as long as somebody is in it.
type turns struct {
	mu    sync.Mutex
	lines map[string]*line
}

type line struct {
	turn   chan struct{} // holds one token while somebody acts
	people int           // acting or waiting
}

// enter waits for its turn and gives the function that ends it, or ctx's error.
func (t *turns) enter(ctx context.Context, id string) (leave func(), err error) {
	t.mu.Lock()
	if t.lines == nil {
		t.lines = make(map[string]*line)
	}
	l := t.lines[id]
	if l == nil {
		l = &line{turn: make(chan struct{}, 1)}
		t.lines[id] = l
	}
	l.people++
	t.mu.Unlock()
	select {
	case l.turn <- struct{}{}:
		return func() {
			<-l.turn
			t.quit(id, l)
		}, nil
	case <-ctx.Done():
		t.quit(id, l)
		return nil, ctx.Err()
	}
}

func (t *turns) quit(id string, l *line) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l.people--
	if l.people == 0 {
		delete(t.lines, id)
	}
}
