package store

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Replies remembers how requests with an Idempotency-Key were answered, so that the same request again is answered
// the same.
type Replies struct{ s *Store }

// Replies gives the store of replies.
func (s *Store) Replies() *Replies { return &Replies{s} }

// The states in which BeginReply finds a key.
const (
	replyFresh    int8 = iota // nobody has used it; it is marked as pending now
	replyAnswered             // the answer comes with it
	replyOther                // it was used for another request
	replyPending              // somebody is answering it at this moment
)

// replyRow is a row of replies.
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

// BeginReply looks up an owner's key for a request with this fingerprint at now (ms UTC). The state is 0 if the key
// is fresh, and from now on pending; 1 if the request was answered before, with status, header and body; 2 if the key
// was used for a request with another fingerprint; 3 if the request is being answered. A key that was pending when
// its instance ended is fresh again.
func (s *Replies) BeginReply(ctx context.Context, owner, key, fingerprint string, now int64) (
	status int, header string, body []byte, state int8, err error,
) {
	fresh := replyRow{
		Owner: owner, Key: key, Fingerprint: fingerprint, Instance: s.s.instance, Boot: s.s.boot, BegunAt: now,
	}
	var found replyRow
	err = s.s.backend.write(ctx, func(tx *gorm.DB) (err error) {
		found, state, err = s.begin(tx, fresh)
		return err
	})
	return found.Status, found.Header, found.Body, state, about("look up a reply", err)
}

func (s *Replies) begin(tx *gorm.DB, fresh replyRow) (found replyRow, state int8, err error) {
	r := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&fresh)
	if r.Error != nil || r.RowsAffected > 0 {
		return replyRow{}, replyFresh, r.Error
	}
	// On PostgreSQL the lock makes two who find a dead instance's key take it one after the other.
	query := tx
	if !s.s.backend.alone() {
		query = tx.Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate})
	}
	if err := query.Take(&found, "owner = ? AND key = ?", fresh.Owner, fresh.Key).Error; err != nil {
		return replyRow{}, 0, err
	}
	switch {
	case found.Fingerprint != fresh.Fingerprint:
		return replyRow{}, replyOther, nil
	case found.Answered:
		return found, replyAnswered, nil
	}
	alive, err := s.alive(tx, found, fresh.BegunAt)
	if err != nil || alive {
		return replyRow{}, replyPending, err
	}
	return replyRow{}, replyFresh, tx.Save(&fresh).Error
}

// silence is how long an instance may be silent before it counts as dead; it beats every second.
const silence = 10 * time.Second

// alive reports whether whoever began a reply can still finish it.
func (s *Replies) alive(tx *gorm.DB, r replyRow, now int64) (bool, error) {
	if r.Boot == s.s.boot {
		return true, nil
	}
	if s.s.backend.alone() || r.Instance == s.s.instance {
		return false, nil // another start of this instance, or of this database's only one
	}
	var beat heartbeatRow
	err := tx.Take(&beat, "instance = ?", r.Instance).Error
	if err != nil && !errors.Is(err, gorm.ErrRecordNotFound) {
		return false, err
	}
	return max(beat.At, r.BegunAt) >= now-silence.Milliseconds(), nil
}

// FinishReply stores the answer to a request that BeginReply found fresh.
func (s *Replies) FinishReply(ctx context.Context, owner, key string, status int, header string, body []byte) error {
	return about("store a reply", s.s.backend.write(ctx, func(tx *gorm.DB) error {
		return tx.Model(&replyRow{}).Where("owner = ? AND key = ?", owner, key).
			Select("answered", "status", "header", "body").
			Updates(&replyRow{Answered: true, Status: status, Header: header, Body: body}).Error
	}))
}

// ForgetReplies deletes what was begun before a time (ms UTC) and counts it. It deletes a little at a time, so that
// no move waits for it.
func (s *Replies) ForgetReplies(ctx context.Context, before int64) (int64, error) {
	const most = 500
	total := int64(0)
	for {
		var gone int64
		err := s.s.backend.write(ctx, func(tx *gorm.DB) error {
			r := tx.Exec("DELETE FROM replies WHERE (owner, key) IN "+
				"(SELECT owner, key FROM replies WHERE begun_at < ? ORDER BY begun_at LIMIT ?)", before, most)
			gone = r.RowsAffected
			return r.Error
		})
		total += gone
		if err != nil || gone < most {
			return total, about("forget replies", err)
		}
	}
}

// DropReply forgets a key that BeginReply found fresh and whose request came to nothing, so that it may be sent again.
func (s *Replies) DropReply(ctx context.Context, owner, key string) error {
	return about("drop a reply", s.s.backend.write(ctx, func(tx *gorm.DB) error {
		return tx.Where("owner = ? AND key = ? AND NOT answered", owner, key).Delete(&replyRow{}).Error
	}))
}
