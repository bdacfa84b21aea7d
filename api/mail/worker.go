package mail

import (
	"context"
	"errors"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"

	"quatuor/api/internal/limit"
	"quatuor/api/internal/polling"
	"quatuor/tournament/account"
)

// Limits of the e-mails to an address: those that confirm it, and all others.
var (
	confirmationRate = limit.Rate{Interval: time.Hour, Burst: 3}
	letterRate       = limit.Rate{Interval: 2 * time.Minute, Burst: 20}
)

const (
	// pollInterval is the default of Config.Every.
	pollInterval = 5 * time.Second
	// roundNews is the time that a round is news after its publication.
	roundNews = 30 * time.Minute
	// inviteDelay is the time to answer an invitation before an e-mail is written; inviteNews is the time that it is news.
	inviteDelay, inviteNews = time.Minute, 24 * time.Hour
	// turnInterval is the time between two e-mails about the same game.
	turnInterval = 24 * time.Hour
	// resetInterval is the time between two links for a new password of an account.
	resetInterval = 5 * time.Minute
	// claimLife is after which time an e-mail is tried again if the instance that sends it dies; in a batch each may take
	// the server's timeout.
	claimLife  = 10 * time.Minute
	claimBatch = 20
	// dropAfter is the age of an e-mail that is not retried any more.
	dropAfter = 24 * time.Hour
	markLife  = 60 * 24 * time.Hour

	maxPause = 5 * time.Minute // while the server is down
	maxRetry = 4 * time.Hour   // of an e-mail
)

// newsEvery is the interval between looks for published rounds and turns: 15 seconds.
func (s *Service) newsEvery() time.Duration { return 3 * s.Every }

// firstRetry is after which time an e-mail is tried for the second time: a minute.
func (s *Service) firstRetry() time.Duration { return 12 * s.Every }

// worker is the state of the goroutine of Run.
type worker struct {
	scanned, forgotten time.Time
	pausedUntil        time.Time
	pause              time.Duration // 0 while the server works
	failure            string        // last stored; "" for none
}

// Run sends the queue until ctx ends.
func (s *Service) Run(ctx context.Context) {
	polling.Run(ctx, s.wake, s.Every, s.pass, func(err error) {
		s.Logger.WarnContext(ctx, "e-mails could not be read from the database; trying again", "error", err)
	})
}

// pass looks for news and sends the e-mails that are due, if this instance is the sender.
func (s *Service) pass(ctx context.Context) error {
	now := s.Now()
	if state, err := s.Store.State(ctx); err == nil {
		s.waiting.Store(state.Waiting)
	}
	if !s.Mine() {
		return nil
	}
	if err := s.scan(ctx, now); err != nil {
		return err
	}
	for !s.paused() && ctx.Err() == nil {
		now := s.Now()
		batch, err := s.Store.Claim(ctx, now.UnixMilli(), now.Add(claimLife).UnixMilli(), claimBatch)
		if err != nil || len(batch) == 0 {
			return err
		}
		if err := s.deliver(ctx, batch); err != nil {
			return err
		}
	}
	return nil
}

// scan queues news of rounds and games, and now and then forgets old marks.
func (s *Service) scan(ctx context.Context, now time.Time) error {
	if now.Sub(s.worker.scanned).Abs() < s.newsEvery() {
		return nil
	}
	s.worker.scanned = now
	if now.Sub(s.worker.forgotten).Abs() > time.Hour {
		s.worker.forgotten = now
		if err := s.Store.ForgetMarks(ctx, now.Add(-markLife).UnixMilli()); err != nil {
			return err
		}
	}
	err := s.Store.QueueRounds(ctx, now.Add(-roundNews).UnixMilli(), now.UnixMilli())
	return errors.Join(err,
		s.Store.QueueMatches(ctx, now.UnixMilli()),
		s.Store.QueueTurns(ctx, now.UnixMilli(), now.Add(-turnInterval).UnixMilli()),
		s.Store.QueueInvitations(ctx, now.Add(-inviteNews).UnixMilli(), now.Add(-inviteDelay).UnixMilli(), now.UnixMilli()))
}

// deliver sends e-mails over a shared connection. When the server stops working it releases the rest.
func (s *Service) deliver(ctx context.Context, batch []account.Mail) error {
	var conn *gomail.Client
	defer func() {
		if conn != nil {
			_ = conn.Close()
		}
	}()
	for i, m := range batch {
		var err error
		if conn, err = s.deliverOne(ctx, conn, m); err != nil {
			return errors.Join(err, s.release(context.WithoutCancel(ctx), batch[i+1:], s.Now()))
		}
		if s.paused() { // the server is down
			return s.release(ctx, batch[i+1:], s.worker.pausedUntil)
		}
	}
	return nil
}

// deliverOne sends an e-mail of the queue, over conn or a new connection, and returns the connection to go on with.
func (s *Service) deliverOne(ctx context.Context, conn *gomail.Client, m account.Mail) (*gomail.Client, error) {
	if m.Kind == account.MailForgotten {
		now := s.Now()
		err := s.Store.Forgotten(ctx, m, now.UnixMilli(), now.Add(-resetInterval).UnixMilli())
		if errors.Is(err, account.ErrNotFound) {
			err = nil
		}
		return conn, err
	}
	l, err := s.compose(ctx, m)
	switch {
	case err != nil && ctx.Err() == nil:
		s.Logger.WarnContext(ctx, "an e-mail could not be written; trying again", "kind", m.Kind, "error", err)
		return conn, s.later(ctx, m, "it could not be written")
	case err != nil:
		return conn, err
	case l == nil:
		return conn, s.Store.Done(ctx, m.ID)
	}
	return s.send(ctx, conn, m, l)
}

// send sends an e-mail, over conn or a new connection, and stores the outcome. It returns the connection to go on with.
func (s *Service) send(ctx context.Context, conn *gomail.Client, m account.Mail, l *letter) (*gomail.Client, error) {
	msg, err := s.Server.message(*l, m.ID, time.UnixMilli(m.CreatedAt))
	if err != nil {
		s.Logger.ErrorContext(ctx, "an e-mail could not be written and was dropped", "kind", m.Kind, "error", err)
		s.droppedCount.Add(1)
		return conn, s.Store.Done(ctx, m.ID)
	}
	limiter, key := s.limiter(m.Kind), strings.ToLower(l.to)
	if v := limiter.Take(key); !v.OK {
		return conn, s.tooMany(ctx, m, v.RetryIn)
	}
	if conn == nil {
		conn, err = s.Server.connect(ctx)
	}
	if err == nil {
		err = conn.Send(msg)
	}
	if err != nil && ctx.Err() != nil {
		return conn, ctx.Err() // the claim expires
	}
	how, text := judge(err)
	if how != down {
		s.works(ctx)
	}
	switch how {
	case sent:
		s.sentCount.Add(1)
		return conn, errors.Join(s.Store.Done(ctx, m.ID), s.fails(ctx, ""))
	case refused:
		return conn, errors.Join(s.drop(ctx, m, text), s.fails(ctx, text))
	}
	limiter.Refund(key) // it has not reached the address
	if how == delayed {
		return conn, errors.Join(s.later(ctx, m, text), s.fails(ctx, text))
	}
	if conn != nil {
		_ = conn.Close()
	}
	return nil, errors.Join(s.later(ctx, m, text), s.isDown(ctx, text))
}

// works notes that the server works.
func (s *Service) works(ctx context.Context) {
	if s.worker.pause > 0 {
		s.Logger.InfoContext(ctx, "the mail server works again")
	}
	s.worker.pause, s.worker.pausedUntil = 0, time.Time{}
}

// fails stores the last failure, for the page of administration; "" for none.
func (s *Service) fails(ctx context.Context, text string) error {
	if s.worker.failure == text {
		return nil
	}
	s.worker.failure = text
	return s.Store.SetError(ctx, text, s.Now().UnixMilli())
}

// paused reports whether nothing is sent because the server is down. A pause longer than the longest is from before the
// clock was set back, and over.
func (s *Service) paused() bool {
	left := s.worker.pausedUntil.Sub(s.Now())
	return left > 0 && left <= maxPause
}

// isDown notes that the server does not work: nothing is sent for a while. It is logged once.
func (s *Service) isDown(ctx context.Context, text string) error {
	if s.worker.pause == 0 {
		s.Logger.WarnContext(ctx, "e-mails cannot be sent; they wait and are tried again", "error", text)
	}
	s.worker.pause = min(max(2*s.worker.pause, 3*s.Every), maxPause)
	s.worker.pausedUntil = s.Now().Add(s.worker.pause)
	return s.fails(ctx, text)
}

// later stores when an e-mail is tried again: after a minute, and each time twice as long. After a day it is dropped.
func (s *Service) later(ctx context.Context, m account.Mail, text string) error {
	now := s.Now()
	next := now.Add(min(s.firstRetry()<<min(m.Attempts, 10), maxRetry))
	if next.Sub(time.UnixMilli(m.CreatedAt)) > dropAfter {
		return s.drop(ctx, m, text)
	}
	return s.Store.Postpone(ctx, next.UnixMilli(), m.Attempts+1, m.ID)
}

func (s *Service) drop(ctx context.Context, m account.Mail, text string) error {
	s.Logger.WarnContext(ctx, "an e-mail was dropped", "kind", m.Kind, "account", m.AccountID, "attempts", m.Attempts+1,
		"reason", text)
	s.droppedCount.Add(1)
	return s.Store.Done(ctx, m.ID)
}

// release puts claimed e-mails back into the queue, to be tried at a time.
func (s *Service) release(ctx context.Context, rest []account.Mail, at time.Time) error {
	var err error
	for _, m := range rest {
		err = errors.Join(err, s.Store.Postpone(ctx, at.UnixMilli(), m.Attempts, m.ID))
	}
	return err
}

// tooMany drops an e-mail to an address over its limit if a person requested it, and postpones others.
func (s *Service) tooMany(ctx context.Context, m account.Mail, wait time.Duration) error {
	if m.Kind == account.MailConfirm || m.Kind == account.MailReset {
		return s.drop(ctx, m, "too many e-mails to this address")
	}
	if s.Now().Add(wait).Sub(time.UnixMilli(m.CreatedAt)) > dropAfter {
		return s.drop(ctx, m, "too many e-mails to this address")
	}
	return s.Store.Postpone(ctx, s.Now().Add(wait).UnixMilli(), m.Attempts, m.ID)
}

// limiter returns the limiter of e-mails of a kind to an address, whatever accounts they are for.
func (s *Service) limiter(kind account.MailKind) *limit.Limiter {
	if kind == account.MailConfirm { // the address may belong to a stranger
		return s.confirmations
	}
	return s.letters
}
