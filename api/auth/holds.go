package auth

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"quatuor/tournament/account"
)

const (
	// lookAgain is the interval between checks of a hold against the store, for changes by other instances.
	lookAgain = 10 * time.Second
	// lookFor bounds a check.
	lookFor = 5 * time.Second
)

// holds are the rights that streams and other long requests depend on.
type holds struct {
	mu        sync.Mutex
	byAccount map[string]map[*hold]struct{}
}

// hold is a right to go on.
type hold struct {
	who   Identity
	end   context.CancelFunc
	timer *time.Timer
	mu    sync.Mutex
	done  bool
}

// Hold returns a context that ends with the identity's right to go on: with the session, the token, the account or its
// role, and when the token or cookie expires. A right ended by this process, or by the hint of another, ends the
// context at once; without a hint it takes up to lookAgain and the cache's TTL. release must be called in the end.
// ErrBadToken if the right has ended already. For an anonymous Identity it is ctx itself.
func (g *Guard) Hold(ctx context.Context, w Identity) (held context.Context, release func(), err error) {
	if w.Anonymous() {
		return ctx, func() {}, nil
	}
	held, cancel := context.WithCancel(ctx)
	h := &hold{who: w, end: cancel}
	g.holds.add(h)
	release = func() {
		g.holds.remove(h)
		h.stop()
		cancel()
	}
	// A right that ended before the hold was entered is seen here; a later end ends the hold.
	if err := g.still(ctx, &h.who); err != nil {
		release()
		return ctx, nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.timer = time.AfterFunc(g.untilLook(w), func() { g.look(h) })
	return held, release, nil
}

// untilLook returns the time until a hold is checked again.
func (g *Guard) untilLook(w Identity) time.Duration {
	if w.Until == 0 {
		return lookAgain
	}
	return min(lookAgain, max(0, time.Duration(w.Until-g.now().UnixMilli())*time.Millisecond))
}

// look checks a hold and ends it if its right has ended. If the store does not answer, only expired rights end.
func (g *Guard) look(h *hold) {
	ctx, cancel := context.WithTimeout(context.Background(), lookFor)
	defer cancel()
	if errors.Is(g.still(ctx, &h.who), ErrBadToken) {
		h.end()
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.done && h.timer != nil {
		h.timer.Reset(max(time.Millisecond, g.untilLook(h.who)))
	}
}

// still returns ErrBadToken if an identity has lost any of its rights.
func (g *Guard) still(ctx context.Context, w *Identity) error {
	now := g.now()
	if w.Until != 0 && now.UnixMilli() >= w.Until {
		return ErrBadToken
	}
	var err error
	switch w.Method {
	case ByAccessToken:
		err = g.session(ctx, w.Session, now)
	case ByAPIToken:
		_, err = g.credential(ctx, account.APIToken, w.proof)
	case ByCookie:
		_, err = g.credential(ctx, account.PageSession, w.proof)
	case ByNothing:
		return ErrBadToken
	}
	if err != nil {
		return err
	}
	owner, err := g.account(ctx, w.AccountID, now)
	if err == nil && (owner.Role != w.Role || w.Tournament == "" && owner.PlayerID != w.PlayerID) {
		return ErrBadToken
	}
	return err
}

func (h *hold) stop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.done = true
	if h.timer != nil {
		h.timer.Stop()
	}
}

func (s *holds) add(h *hold) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byAccount == nil {
		s.byAccount = map[string]map[*hold]struct{}{}
	}
	those := s.byAccount[h.who.AccountID]
	if those == nil {
		those = map[*hold]struct{}{}
		s.byAccount[h.who.AccountID] = those
	}
	those[h] = struct{}{}
}

func (s *holds) remove(h *hold) {
	s.mu.Lock()
	defer s.mu.Unlock()
	those := s.byAccount[h.who.AccountID]
	delete(those, h)
	if len(those) == 0 {
		delete(s.byAccount, h.who.AccountID)
	}
}

// of returns an account's holds.
func (s *holds) of(owner string) []*hold {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.byAccount[owner]))
}

// end ends an account's holds that satisfy the predicate.
func (s *holds) end(owner string, which func(*Identity) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for h := range s.byAccount[owner] {
		if which(&h.who) {
			h.end()
		}
	}
}
