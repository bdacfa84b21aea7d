package hooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"

	"quatuor/api/auth"
	"quatuor/api/internal/polling"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/hook"
)

const (
	// atOnce is how many webhooks are sent to at the same time; failing of them at most those that have failed before, so
	// that dead ones never hold up the others; perHost at most to one host.
	atOnce, failing, perHost = 16, 8, 2
	// inARow is how many deliveries of a webhook are sent before it is the turn of others.
	inARow = 20
	// giveUp is how long a delivery is tried.
	giveUp = 24 * time.Hour
	// disableAfter is how long a webhook fails before it is disabled.
	disableAfter = 3 * 24 * time.Hour
	// eventBatch is how much news becomes deliveries in one transaction.
	eventBatch     = 200
	forgetInterval = time.Hour
)

// retries are the pauses after the first, second, … failure in a row; the last holds for all others. They are those that
// Standard Webhooks proposes.
var retries = []time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour,
}

// worker is what is being sent.
type worker struct {
	mu        sync.Mutex
	hooks     map[string]bool // by id
	hosts     map[string]int
	failing   int
	sending   sync.WaitGroup
	forgotten time.Time
}

// Run sends what waits until ctx ends, and then waits for what is being sent.
func (s *Service) Run(ctx context.Context) {
	defer s.worker.sending.Wait()
	polling.Run(ctx, s.wake, s.Every, s.pass, func(err error) {
		s.Logger.WarnContext(ctx, "webhooks could not be read from the database; trying again", "error", err)
	})
}

// pass turns news into deliveries and begins to send what is due, if sending is this instance's.
func (s *Service) pass(ctx context.Context) error {
	if !s.Mine() {
		return nil
	}
	if now := s.Now(); now.Sub(s.worker.forgotten).Abs() > forgetInterval {
		s.worker.forgotten = now
		if err := s.Store.Forget(ctx, keptDeliveries); err != nil {
			return err
		}
	}
	for {
		events, err := s.Store.Events(ctx, eventBatch)
		if err != nil {
			return err
		}
		if len(events) == 0 {
			break
		}
		if err := s.fanOut(ctx, events); err != nil {
			return err
		}
	}
	due, err := s.Store.Due(ctx, s.Now().UnixMilli(), 4096)
	for _, h := range due {
		s.begin(ctx, h)
	}
	return err
}

// fanOut turns news into deliveries to the webhooks that want it and whose owners run its tournament.
func (s *Service) fanOut(ctx context.Context, events []hook.Event) error {
	var ids []string
	for _, e := range events {
		if !slices.Contains(ids, e.Tournament) {
			ids = append(ids, e.Tournament)
		}
	}
	hooks, err := s.Store.Wanting(ctx, ids)
	if err != nil {
		return err
	}
	var deliveries []hook.Delivery
	runs := map[[2]string]bool{} // by tournament and account
	for _, e := range events {
		for _, h := range hooks {
			if h.Tournament != "" && h.Tournament != e.Tournament || !slices.Contains(h.Kinds, e.News.Kind) {
				continue
			}
			key := [2]string{e.Tournament, h.AccountID}
			if _, known := runs[key]; !known {
				t, _, err := s.ruled(ctx, h, e.Tournament)
				if err != nil {
					return err
				}
				runs[key] = t != nil
			}
			if !runs[key] {
				continue
			}
			deliveries = append(deliveries, hook.Delivery{
				ID: uuid.Must(uuid.NewV7()).String(), HookID: h.ID, Event: e.Seq, Kind: e.News.Kind,
				Tournament: e.Tournament, News: e.News, At: e.At, State: hook.Waiting, Since: e.At,
			})
		}
	}
	return s.Store.Deliver(ctx, events, deliveries)
}

// ruled returns a tournament if the owner of a webhook runs it now, with the owner; nil if not.
func (s *Service) ruled(ctx context.Context, h hook.Hook, id string) (*tournament.Tournament, account.Account, error) {
	owner, err := s.People.Account(ctx, h.AccountID)
	if errors.Is(err, account.ErrNotFound) || err == nil && owner.DisabledAt != 0 {
		return nil, owner, nil
	}
	if err != nil {
		return nil, owner, err
	}
	t, err := s.Tournaments.Tournament(ctx, id)
	if errors.Is(err, tournament.ErrNotFound) {
		return nil, owner, nil
	}
	if err != nil {
		return nil, owner, err
	}
	who := auth.Identity{AccountID: owner.ID, Role: owner.Role}
	if !auth.May(who.LevelIn(t), auth.MakeTokens) {
		return nil, owner, nil
	}
	return t, owner, nil
}

// begin sends to a webhook in a goroutine, unless too much is being sent already.
func (s *Service) begin(ctx context.Context, h hook.Hook) {
	host := hostOf(h)
	w := &s.worker
	w.mu.Lock()
	defer w.mu.Unlock()
	bad := h.Failures > 0
	if w.hooks[h.ID] || len(w.hooks) >= atOnce || w.hosts[host] >= perHost || bad && w.failing >= failing {
		return
	}
	w.hooks[h.ID] = true
	w.hosts[host]++
	if bad {
		w.failing++
	}
	w.sending.Go(func() {
		err := s.drain(ctx, h)
		if err != nil && ctx.Err() == nil {
			s.Logger.WarnContext(ctx, "deliveries to a webhook could not be read or noted; trying again", "error", err)
		}
		w.mu.Lock()
		delete(w.hooks, h.ID)
		if w.hosts[host]--; w.hosts[host] == 0 {
			delete(w.hosts, host)
		}
		if bad {
			w.failing--
		}
		w.mu.Unlock()
		if err == nil {
			s.Wake()
		}
	})
}

func hostOf(h hook.Hook) string {
	u, err := url.Parse(h.URL)
	if err != nil {
		return h.URL
	}
	return u.Hostname()
}

// drain sends the deliveries of a webhook in their order, until one fails or it is the turn of others.
func (s *Service) drain(ctx context.Context, h hook.Hook) error {
	for range inARow {
		d, err := s.Store.Next(ctx, h.ID)
		if errors.Is(err, hook.ErrNotFound) {
			return nil
		}
		if err != nil || ctx.Err() != nil {
			return err
		}
		if err := s.deliver(ctx, &h, d); err != nil || h.Failures > 0 || h.DisabledAt != 0 {
			return err
		}
	}
	return nil
}

// deliver tries one delivery and stores how that ended, in h, too.
func (s *Service) deliver(ctx context.Context, h *hook.Hook, d hook.Delivery) error {
	body, kind, err := s.compose(ctx, *h, d)
	if err != nil {
		return err
	}
	if body == nil {
		d.State, d.Error = hook.Dropped, "it cannot be seen any more"
		return s.Store.Tried(ctx, d, *h)
	}
	begun := s.Now()
	status, err := s.send(ctx, *h, d, body, kind)
	if err != nil && ctx.Err() != nil {
		return ctx.Err() // it is sent again
	}
	now := s.Now()
	d.Attempts, d.TriedAt, d.Status, d.Error, d.TookMs = d.Attempts+1, now.UnixMilli(), status, "", now.Sub(begun).Milliseconds()
	if err == nil {
		s.sentCount.Add(1)
		d.State, h.FailingSince, h.Failures, h.NextAt = hook.Sent, 0, 0, 0
		return s.Store.Tried(ctx, d, *h)
	}
	s.failedCount.Add(1)
	d.Error = err.Error()
	return s.failed(ctx, h, d, now)
}

// failed stores a failure: when the delivery is tried again, that it is given up, or that the webhook is disabled.
func (s *Service) failed(ctx context.Context, h *hook.Hook, d hook.Delivery, now time.Time) error {
	pause := retries[min(h.Failures, len(retries)-1)]
	h.Failures++
	h.NextAt = now.Add(pause).UnixMilli()
	if h.FailingSince == 0 {
		h.FailingSince = now.UnixMilli()
	}
	if now.Add(pause).Sub(time.UnixMilli(d.Since)) > giveUp {
		d.State = hook.Failed
	}
	if now.Sub(time.UnixMilli(h.FailingSince)) < disableAfter && d.Status != http.StatusGone {
		return s.Store.Tried(ctx, d, *h)
	}
	h.DisabledAt, h.DisabledWhy = now.UnixMilli(), d.Error
	if err := s.Store.Tried(ctx, d, *h); err != nil {
		return err
	}
	s.Logger.InfoContext(ctx, "a webhook was disabled", "webhook", h.ID, "account", h.AccountID, "reason", d.Error)
	return s.Disabled(ctx, *h)
}

// MessageID returns the webhook-id of a delivery, the same for every attempt.
func MessageID(d hook.Delivery) string { return "msg_" + d.ID }

// send posts one delivery. The error says why it has not arrived, without what the receiver wrote.
func (s *Service) send(ctx context.Context, h hook.Hook, d hook.Delivery, body []byte, kind string) (int, error) {
	at, id := s.Now(), MessageID(d)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.URL, bytes.NewReader(body))
	if err != nil {
		return 0, hook.ErrAddress
	}
	r.Header.Set("Content-Type", kind)
	r.Header.Set("User-Agent", "quatuor")
	r.Header.Set("Webhook-Id", id)
	r.Header.Set("Webhook-Timestamp", strconv.FormatInt(at.Unix(), 10))
	r.Header.Set("Webhook-Signature", signatures(h, id, at, body))
	client := s.secure
	if r.URL.Scheme == "http" {
		client = s.plain
	}
	answer, err := client.Do(r)
	if err != nil {
		return 0, reason(err)
	}
	defer answer.Body.Close()
	_, _ = io.CopyN(io.Discard, answer.Body, maxAnswer) // so that the connection can be used again
	switch {
	case answer.StatusCode < 200:
		return answer.StatusCode, fmt.Errorf("the answer was %d", answer.StatusCode)
	case answer.StatusCode < 300:
		return answer.StatusCode, nil
	case answer.StatusCode < 400:
		return answer.StatusCode, fmt.Errorf("the answer was a redirect (%d), which is not followed", answer.StatusCode)
	}
	return answer.StatusCode, fmt.Errorf("the answer was %d", answer.StatusCode)
}

// reason returns why a request failed, without the address and without details of the network around the server.
func reason(err error) error {
	var timeout interface{ Timeout() bool }
	switch {
	case errors.Is(err, hook.ErrAddress):
		return hook.ErrAddress
	case errors.As(err, &timeout) && timeout.Timeout():
		return errors.New("there was no answer in time")
	}
	return errors.New("no connection")
}
