package store

import (
	"context"
	"errors"
	"sync"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"quatuor/store/internal/db"
	"quatuor/tournament/account"
)

// Replies remembers how requests with an Idempotency-Key were answered, so that the same request again is answered
// the same.
type Replies struct{ s *Store }

// Replies returns the store of replies.
func (s *Store) Replies() *Replies { return &Replies{s} }

// BeginReply looks up the key of a request. A fresh key is pending from then on; an answered key comes with its reply.
// The key of a failed request is fresh again, whether its instance died or the failure could not be stored. A
// repeatable request does not wait for other instances: its key is fresh while another has it.
func (s *Replies) BeginReply(ctx context.Context, r account.Request) (
	reply account.Reply, state account.ReplyState, err error,
) {
	fresh := &replyRow{
		Owner: r.Owner, Key: r.Key, Fingerprint: r.Fingerprint, Instance: s.s.instance, Boot: s.s.boot, BegunAt: r.At,
	}
	reply, state, err = s.begin(ctx, fresh, r.Repeatable)
	if err != nil || state != account.ReplyFresh {
		s.s.inFlight.leave(r.Owner, r.Key, fresh)
	}
	return reply, state, db.About("look up a reply", err)
}

// begin takes the key in a single statement, or finds out its state, without holding a lock in between: another
// instance may have the same request.
func (s *Replies) begin(ctx context.Context, fresh *replyRow, repeatable bool) (
	none account.Reply, state account.ReplyState, err error,
) {
	entered := s.s.inFlight.enter(fresh) // before the commit, so that no other request sees the row and misses us
	if entered {
		taken, err := s.change(ctx, func(tx *gorm.DB) *gorm.DB {
			return tx.Clauses(clause.OnConflict{DoNothing: true}).Create(fresh)
		})
		if err != nil || taken {
			return none, account.ReplyFresh, err
		}
	}
	var found replyRow
	err = s.s.reads.WithContext(ctx).Take(&found, "owner = ? AND key = ?", fresh.Owner, fresh.Key).Error
	switch {
	case errors.Is(err, gorm.ErrRecordNotFound): // it is about to be noted, or was just dropped
		return none, account.ReplyPending, nil
	case err != nil:
		return none, account.ReplyFresh, err
	case found.Fingerprint != fresh.Fingerprint:
		return none, account.ReplyOther, nil
	case found.Answered && found.Status == 0: // see erasing.eraseReplies
		return none, account.ReplyErased, nil
	case found.Answered:
		return account.Reply{Status: found.Status, Header: found.Header, Body: found.Body}, account.ReplyAnswered, nil
	case !entered:
		return none, account.ReplyPending, nil
	}
	if !repeatable {
		alive, err := s.alive(ctx, found, fresh.BegunAt)
		if err != nil || alive {
			return none, account.ReplyPending, err
		}
	}
	taken, err := s.takeOver(ctx, found, fresh)
	if err == nil && !taken {
		return none, account.ReplyPending, nil
	}
	return none, account.ReplyFresh, err
}

// takeOver takes the key of a failed request; of several concurrent calls a single call succeeds.
func (s *Replies) takeOver(ctx context.Context, from replyRow, fresh *replyRow) (bool, error) {
	return s.change(ctx, func(tx *gorm.DB) *gorm.DB {
		return tx.Model(&replyRow{}).
			Where("owner = ? AND key = ? AND boot = ? AND begun_at = ? AND NOT answered", from.Owner, from.Key, from.Boot,
				from.BegunAt).
			Select("instance", "boot", "begun_at").Updates(fresh)
	})
}

// change carries out a statement and reports whether it changed a row.
func (s *Replies) change(ctx context.Context, work func(tx *gorm.DB) *gorm.DB) (changed bool, err error) {
	err = s.s.backend.single(ctx, func(tx *gorm.DB) error {
		r := work(tx)
		changed = r.RowsAffected > 0
		return r.Error
	})
	return changed && err == nil, err
}

// alive reports whether the instance that began a reply can still finish it.
func (s *Replies) alive(ctx context.Context, r replyRow, now int64) (bool, error) {
	if r.Boot == s.s.boot {
		return false, nil // or it would be in flight
	}
	if s.s.backend.alone() || r.Instance == s.s.instance {
		return false, nil // another start of this instance, or of this database's only instance
	}
	if r.BegunAt < now-longestAnswer.Milliseconds() {
		return false, nil
	}
	var beat heartbeatRow
	err := s.s.reads.WithContext(ctx).Take(&beat, "instance = ?", r.Instance).Error
	if err != nil && !errors.Is(err, gorm.ErrRecordNotFound) {
		return false, err
	}
	return max(beat.At, r.BegunAt) >= now-silence.Milliseconds(), nil
}

// Working returns the context of the work on a request with a key. It ends before other instances consider this
// instance dead and its keys fresh, after it stalled or lost the database: the work is never done twice at the same
// time.
func (s *Replies) Working(ctx context.Context) (working context.Context, release func()) {
	if s.s.backend.alone() {
		return ctx, func() {}
	}
	working, end := context.WithCancel(ctx)
	began := time.Now()
	var mu sync.Mutex
	var timer *time.Timer
	look := func() {
		mu.Lock()
		defer mu.Unlock()
		since := began
		if beaten := s.s.beaten.Load(); beaten != nil && beaten.After(since) {
			since = *beaten
		}
		switch left := lease - time.Since(since); {
		case left <= 0:
			end()
		case working.Err() == nil:
			timer.Reset(left)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	timer = time.AfterFunc(lease, look)
	return working, func() {
		end()
		timer.Stop()
	}
}

// FinishReply stores the answer to a request that BeginReply found fresh. If it fails, DropReply must follow.
func (s *Replies) FinishReply(ctx context.Context, owner, key string, reply account.Reply) error {
	_, err := s.change(ctx, func(tx *gorm.DB) *gorm.DB {
		return s.mine(tx, owner, key).Select("answered", "status", "header", "body").
			Updates(&replyRow{Answered: true, Status: reply.Status, Header: reply.Header, Body: reply.Body})
	})
	if err == nil {
		s.s.inFlight.leave(owner, key, nil)
	}
	return db.About("store a reply", err)
}

// mine selects a pending reply of this process, unless another instance has taken it over.
func (s *Replies) mine(tx *gorm.DB, owner, key string) *gorm.DB {
	return tx.Model(&replyRow{}).Where("owner = ? AND key = ? AND boot = ? AND NOT answered", owner, key, s.s.boot)
}

// ForgetReplies deletes replies begun before a time (ms UTC) and counts them. It deletes a little at a time, so that no
// move waits for it.
func (s *Replies) ForgetReplies(ctx context.Context, before int64) (int64, error) {
	const maxGone = 500
	total := int64(0)
	for {
		var gone int64
		err := s.s.backend.write(ctx, func(tx *gorm.DB) error {
			r := tx.Exec("DELETE FROM replies WHERE (owner, key) IN "+
				"(SELECT owner, key FROM replies WHERE begun_at < ? ORDER BY begun_at LIMIT ?)", before, maxGone)
			gone = r.RowsAffected
			return r.Error
		})
		total += gone
		if err != nil || gone < maxGone {
			return total, db.About("forget replies", err)
		}
	}
}

// DropReply forgets the key of a request that failed, so that it may be sent again: in this process even if the error
// is not nil.
func (s *Replies) DropReply(ctx context.Context, owner, key string) error {
	_, err := s.change(ctx, func(tx *gorm.DB) *gorm.DB { return s.mine(tx, owner, key).Delete(&replyRow{}) })
	s.s.inFlight.leave(owner, key, nil)
	return db.About("drop a reply", err)
}

// inFlight are the keys of the requests in progress in this process. The database has them too, but keeps those of a
// request that failed while it could not be written.
type inFlight struct {
	mu   sync.Mutex
	keys map[[2]string]*replyRow // by owner and key
}

// enter adds a request, unless another request with its key is in flight that may still be worked on.
func (u *inFlight) enter(r *replyRow) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	k := [2]string{r.Owner, r.Key}
	if u.keys == nil {
		u.keys = map[[2]string]*replyRow{}
	}
	if before := u.keys[k]; before != nil && before.BegunAt >= r.BegunAt-longestAnswer.Milliseconds() {
		return false
	}
	u.keys[k] = r
	return true
}

// leave takes a request out; with r, only if r is in flight.
func (u *inFlight) leave(owner, key string, r *replyRow) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if k := [2]string{owner, key}; r == nil || u.keys[k] == r {
		delete(u.keys, k)
	}
}

const (
	// silence is the time without a heartbeat after which an instance counts as dead; it beats twice a second.
	silence = 2500 * time.Millisecond
	// lease is the time, from its last heartbeat, that an instance may work on a request with a key: it ends before
	// another instance may take the key over.
	lease = silence - 500*time.Millisecond
	// longestAnswer is longer than the work on any request. A request that another instance began longer ago has failed
	// there, and the failure could not be stored.
	longestAnswer = 2 * time.Minute
)

type replyRow struct {
	Owner       string `gorm:"primaryKey"`
	Key         string `gorm:"primaryKey"`
	Fingerprint string
	Instance    string
	Boot        string
	BegunAt     int64
	Answered    bool
	Status      int
	Header      string
	Body        []byte
}

func (replyRow) TableName() string { return "replies" }
