package auth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"quatuor/api/internal/limit"
	"quatuor/tournament/account"
)

// Attempts counts attempts against limits that all instances share.
type Attempts interface {
	// Charge counts attempts, each if those before it were counted and it is allowed itself. Of those that come to several
	// instances at the same time no more are counted than are allowed.
	Charge(ctx context.Context, charges ...account.Charge) ([]account.Debt, error)
	// TakeBack takes back attempts that were counted.
	TakeBack(ctx context.Context, charges ...account.Charge) error
}

// counter counts attempts of a kind: here and, with several instances, at all of them. Counting here goes first: a
// client that has failed too often here causes no load on the database.
type counter struct {
	kind byte // its place in the order of counting several counters together
	here *limit.Limiter
}

// try is an attempt of a kind.
type try struct {
	counter
	key  string
	soft bool // beyond its limit it is not counted, and goes on; it is the last of several
}

// charge returns the attempt's charge, which counts at all instances. Addresses and logins cannot be read from it.
func (t try) charge() account.Charge {
	sum := sha256.Sum256([]byte{t.kind})
	sum = sha256.Sum256(append(sum[:], t.key...))
	rate := t.here.Rate()
	return account.Charge{
		Key: string(t.kind) + hex.EncodeToString(sum[:16]), Interval: rate.Interval.Microseconds(),
		Tolerance: rate.Tolerance().Microseconds(),
	}
}

func charges(tries []try) []account.Charge {
	all := make([]account.Charge, len(tries))
	for i, t := range tries {
		all[i] = t.charge()
	}
	return all
}

// counted are attempts that count until they are taken back.
type counted struct {
	guard *Guard
	tries []try
}

// count counts an attempt of several kinds, all or none and a *LimitError, and returns the verdict on the last.
func (g *Guard) count(ctx context.Context, tries ...try) (*counted, limit.Verdict, error) {
	c := &counted{guard: g}
	var v limit.Verdict
	for _, t := range tries {
		v = t.here.Take(t.key)
		switch {
		case !v.OK && !t.soft:
			c.backHere()
			return nil, v, &LimitError{v}
		case v.OK && !t.here.Off():
			c.tries = append(c.tries, t)
		}
	}
	if g.attempts == nil || len(c.tries) == 0 {
		return c, v, nil
	}
	everywhere, err := c.everywhere(ctx)
	if err != nil {
		c.backHere()
		return nil, everywhere, err
	}
	if v.OK {
		v = everywhere
	}
	return c, v, nil
}

// everywhere counts the tries of this instance at all instances, and returns the verdict on the last; a *LimitError if
// any is refused, and then none is counted.
func (c *counted) everywhere(ctx context.Context) (v limit.Verdict, err error) {
	all := charges(c.tries)
	debts, err := c.guard.attempts.Charge(ctx, all...)
	if err != nil {
		return v, err
	}
	for i, d := range debts {
		t := c.tries[i]
		v = t.here.Rate().Verdict(d.Counted, time.Duration(d.Ahead)*time.Microsecond)
		switch {
		case d.Counted:
		case t.soft:
			t.here.Refund(t.key)
			c.tries = c.tries[:i]
			return v, nil
		default:
			if i > 0 {
				err = c.guard.attempts.TakeBack(context.WithoutCancel(ctx), all[:i]...)
			}
			if err == nil {
				err = &LimitError{v}
			}
			return v, err
		}
	}
	return v, nil
}

func (c *counted) backHere() {
	for _, t := range c.tries {
		t.here.Refund(t.key)
	}
}

// takeBackWithin bounds how long taking attempts back may keep their answer waiting.
const takeBackWithin = 5 * time.Second

// back takes the attempts back: they succeeded, or were not judged. If the database cannot be reached they stay counted
// until they expire.
func (c *counted) back(ctx context.Context) {
	if c == nil || len(c.tries) == 0 {
		return
	}
	c.backHere()
	if g := c.guard; g.attempts != nil {
		within, cancel := context.WithTimeout(context.WithoutCancel(ctx), takeBackWithin)
		defer cancel()
		_ = g.attempts.TakeBack(within, charges(c.tries)...)
	}
	c.tries = nil
}

// and adds tries that count, too, until they are taken back.
func (c *counted) and(more *counted) { c.tries = append(c.tries, more.tries...) }
