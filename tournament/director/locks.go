package director

import (
	"context"
	"sync"
)

// locks is a keyed mutex: a tournament's lock exists while it is held or waited for.
type locks struct {
	mu   sync.Mutex
	byID map[string]*keyLock
}

type keyLock struct {
	held chan struct{} // binary semaphore
	refs int           // holding or waiting
}

// lock waits for the lock of an id and returns the function that unlocks it, or ctx's error.
func (l *locks) lock(ctx context.Context, id string) (unlock func(), err error) {
	l.mu.Lock()
	if l.byID == nil {
		l.byID = make(map[string]*keyLock)
	}
	k := l.byID[id]
	if k == nil {
		k = &keyLock{held: make(chan struct{}, 1)}
		l.byID[id] = k
	}
	k.refs++
	l.mu.Unlock()
	select {
	case k.held <- struct{}{}:
		return func() {
			<-k.held
			l.release(id, k)
		}, nil
	case <-ctx.Done():
		l.release(id, k)
		return nil, ctx.Err()
	}
}

func (l *locks) release(id string, k *keyLock) {
	l.mu.Lock()
	defer l.mu.Unlock()
	k.refs--
	if k.refs == 0 {
		delete(l.byID, id)
	}
}
