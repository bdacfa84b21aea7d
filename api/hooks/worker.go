package hooks

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
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
	// maxConcurrent bounds the webhooks that are sent to at the same time, and maxPerAccount those of a single account:
	// receivers that hang hold up only the other webhooks of their owner. maxPerHost bounds those of an account at a
	// single host; other accounts may have the same host.
	maxConcurrent, maxPerAccount, maxPerHost = 256, 8, 4
	// maxFailing and maxFailingPerAccount bound in the same way the webhooks that have failed before, so that dead
	// webhooks never hold up those that work.
	maxFailing, maxFailingPerAccount = 16, 4
	// batchPerHook is the number of deliveries of a webhook that are sent before it is the turn of others.
	batchPerHook = 20
	// maxAge is the time after which a delivery is given up, and maxRejections the number of attempts if the receiver
	// refuses it.
	maxAge, maxRejections = 24 * time.Hour, 4
	// disableAfter is the time after which a failing webhook is disabled. News is kept for longer.
	disableAfter, keepNews = 3 * 24 * time.Hour, 4 * 24 * time.Hour
	// newsBatch is the number of news read for a webhook at once.
	newsBatch      = 200
	forgetInterval = time.Hour
)

// retries are the pauses after the first, second, … failure in a row; the last holds for all others. They are those that
// Standard Webhooks proposes.
var retries = []time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour,
}

// worker holds the webhooks that are being sent to, and those that may want something.
type worker struct {
	sending sync.WaitGroup

	mu     sync.Mutex           // guards the fields below
	wanted map[string]hook.Hook // by id: there may be something for them to get
	hooks  map[string]bool      // being sent to, by id
	load   map[share]int        // webhooks being sent to
}

// share is a part of the webhooks being sent to: all, or those of an account, at a host, that have failed before.
type share struct {
	account, host string
	failing       bool
}

// bound is the maximum of webhooks of a share that are sent to at the same time.
type bound struct {
	share
	max int
}

// boundsOf returns the bounds that hold for a webhook.
func boundsOf(h hook.Hook) []bound {
	all := []bound{
		{share{}, maxConcurrent},
		{share{account: h.AccountID}, maxPerAccount},
		{share{account: h.AccountID, host: hostOf(h)}, maxPerHost},
	}
	if h.Failures > 0 {
		all = append(all, bound{share{failing: true}, maxFailing}, bound{share{account: h.AccountID, failing: true}, maxFailingPerAccount})
	}
	return all
}

func newWorker() worker {
	return worker{wanted: map[string]hook.Hook{}, hooks: map[string]bool{}, load: map[share]int{}}
}

// want notes that there may be something for a webhook to get.
func (w *worker) want(hooks ...hook.Hook) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, h := range hooks {
		w.wanted[h.ID] = h
	}
}

// pass is the state of the loop of Run. No other goroutine has it, so it needs no lock.
type pass struct {
	*Service
	tookOver  bool // the worker has the webhooks that were behind
	forgotten time.Time
}

// Run sends deliveries until ctx ends, and then waits for those in progress.
func (s *Service) Run(ctx context.Context) {
	defer s.worker.sending.Wait()
	p := pass{Service: s}
	polling.Run(ctx, s.wake, s.Every, p.run, func(err error) {
		s.Logger.WarnContext(ctx, "webhooks could not be read from the database; trying again", "error", err)
	})
}

// run looks for news and begins to send to the webhooks that want it, and to those with an attempt that is due, if
// sending is this instance's.
//
// News finds the webhooks that work; only failed deliveries are looked for by time. So nothing is read or written for
// dead webhooks when something happens.
func (p *pass) run(ctx context.Context) error {
	if !p.Mine() {
		p.tookOver = false
		return nil
	}
	if err := p.takeOver(ctx); err != nil {
		return err
	}
	if now := p.Now(); now.Sub(p.forgotten).Abs() > forgetInterval {
		if err := p.Store.Forget(ctx, now.Add(-keepNews).UnixMilli(), keptDeliveries); err != nil {
			return err
		}
		p.forgotten = now
	}
	if err := p.match(ctx); err != nil {
		return err
	}
	due, err := p.Store.Due(ctx, p.Now().UnixMilli(), 4096)
	if err != nil {
		return err
	}
	p.beginAll(ctx, due)
	return nil
}

// takeOver notes, when this instance begins to send, the webhooks that are behind. News is forgotten an hour later at the
// earliest, so that after a pause of days it is sent first.
func (p *pass) takeOver(ctx context.Context) error {
	if p.tookOver {
		return nil
	}
	behind, err := p.Store.WithBacklog(ctx)
	if err != nil {
		return err
	}
	p.worker.want(behind...)
	p.tookOver = true
	p.forgotten = p.Now()
	return nil
}

// match finds the webhooks that want the new events and may have them: their owners run the tournament.
func (p *pass) match(ctx context.Context) error {
	events, err := p.Store.News(ctx)
	if err != nil || len(events) == 0 {
		return err
	}
	found, err := p.hooksFor(ctx, events)
	if err != nil {
		p.tookOver = false // News does not return these events again: takeOver finds the webhooks that are behind
		return err
	}
	p.worker.want(found...)
	return nil
}

func (s *Service) hooksFor(ctx context.Context, events []hook.Event) (found []hook.Hook, err error) {
	var ids []string
	for _, e := range events {
		if !slices.Contains(ids, e.Tournament) {
			ids = append(ids, e.Tournament)
		}
	}
	hooks, err := s.Store.HooksFor(ctx, ids)
	if err != nil {
		return nil, err
	}
	runs := map[[2]string]bool{} // by tournament and account
	for _, h := range hooks {
		wants := false
		for _, e := range events {
			if !h.Wants(e) {
				continue
			}
			key := [2]string{e.Tournament, h.AccountID}
			if _, known := runs[key]; !known {
				t, _, err := s.authorized(ctx, h, e.Tournament)
				if err != nil {
					return nil, err
				}
				runs[key] = t != nil
			}
			wants = wants || runs[key]
		}
		if wants {
			found = append(found, h)
		}
	}
	return found, nil
}

// authorized returns a tournament if the owner of a webhook runs it now, with the owner; nil if not.
func (s *Service) authorized(ctx context.Context, h hook.Hook, id string) (*tournament.Tournament, account.Account, error) {
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

// beginAll begins to send to webhooks that may want something, and to those that are due.
func (s *Service) beginAll(ctx context.Context, due []hook.Hook) {
	w := &s.worker
	w.mu.Lock()
	defer w.mu.Unlock()
	waiting := slices.Collect(maps.Values(w.wanted))
	for _, h := range due {
		if _, wanted := w.wanted[h.ID]; !wanted {
			waiting = append(waiting, h)
		}
	}
	for _, h := range w.inTurn(waiting) {
		if s.begin(ctx, h) {
			delete(w.wanted, h.ID)
		}
	}
}

// inTurn returns waiting webhooks in their order of each account, the accounts by turns. The accounts with the least
// load come first, so that they share the room that becomes free. The worker is locked.
func (w *worker) inTurn(waiting []hook.Hook) []hook.Hook {
	turns, queued := map[string]int{}, map[string]int{}
	for _, h := range waiting {
		turns[h.ID] = w.load[share{account: h.AccountID}] + queued[h.AccountID]
		queued[h.AccountID]++
	}
	slices.SortStableFunc(waiting, func(a, b hook.Hook) int { return cmp.Compare(turns[a.ID], turns[b.ID]) })
	return waiting
}

// begin sends to a webhook in a goroutine, unless too much is being sent already. The worker is locked.
func (s *Service) begin(ctx context.Context, h hook.Hook) bool {
	w, bounds := &s.worker, boundsOf(h)
	full := func(b bound) bool { return w.load[b.share] >= b.max }
	if w.hooks[h.ID] || slices.ContainsFunc(bounds, full) {
		return false
	}
	w.hooks[h.ID] = true
	for _, b := range bounds {
		w.load[b.share]++
	}
	w.sending.Go(func() {
		more, err := s.drain(ctx, h.ID)
		if err != nil && ctx.Err() == nil {
			s.Logger.WarnContext(ctx, "deliveries to a webhook could not be read or noted; trying again", "error", err)
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.hooks, h.ID)
		for _, b := range bounds {
			w.load[b.share]--
			if w.load[b.share] == 0 {
				delete(w.load, b.share)
			}
		}
		if more || err != nil {
			w.wanted[h.ID] = h
		}
		if err == nil && h.Failures == 0 {
			s.Wake() // failing webhooks start once a second, so that many of them are tried in turn
		}
	})
	return true
}

func hostOf(h hook.Hook) string {
	u, err := url.Parse(h.URL)
	if err != nil {
		return h.URL
	}
	return u.Hostname()
}

// drain sends a webhook's deliveries in their order, until a delivery fails or it is the turn of others; then there may
// be more.
func (s *Service) drain(ctx context.Context, id string) (more bool, err error) {
	h := hook.Hook{ID: id}
	ready, err := s.refresh(ctx, &h)
	if err != nil || !ready || h.NextAt > s.Now().UnixMilli() {
		return false, err
	}
	seen := h.Place
	for range batchPerHook {
		d, found, err := s.next(ctx, &h)
		if err != nil || ctx.Err() != nil {
			return false, err
		}
		if !found {
			if h.NextAt != 0 || h.Place-seen >= newsBatch {
				err = s.Store.SaveCursor(ctx, h)
			}
			return false, err
		}
		ready, err := s.refresh(ctx, &h)
		if err != nil || !ready {
			return false, err
		}
		if err := s.deliver(ctx, &h, d); err != nil || h.Failures > 0 || h.DisabledAt != 0 {
			return false, err
		}
	}
	return true, nil
}

// refresh reads a webhook and reports whether it is sent to. drain reads it again for each delivery, because events
// after a change of its secret are signed with the new secret. Its cursor may be stored later, and never goes back.
func (s *Service) refresh(ctx context.Context, h *hook.Hook) (ready bool, err error) {
	now, err := s.Store.Hook(ctx, h.ID)
	if errors.Is(err, hook.ErrNotFound) {
		return false, nil
	}
	now.Place = max(now.Place, h.Place)
	*h = now
	return err == nil && h.DisabledAt == 0, err
}

// next returns the delivery that a webhook is to get next: a waiting delivery, or the next news that it wants. The
// cursor of the webhook is then that of the news.
func (s *Service) next(ctx context.Context, h *hook.Hook) (d hook.Delivery, found bool, err error) {
	d, err = s.Store.Next(ctx, h.ID)
	if !errors.Is(err, hook.ErrNotFound) {
		return d, err == nil, err
	}
	for {
		events, err := s.Store.EventsAfter(ctx, *h, newsBatch)
		if err != nil || len(events) == 0 {
			return d, false, err
		}
		for _, e := range events {
			h.Place = e.Place
			if !h.Wants(e) {
				continue
			}
			t, _, err := s.authorized(ctx, *h, e.Tournament)
			if err != nil {
				return d, false, err
			}
			if t != nil {
				return deliveryOf(*h, e), true, nil
			}
		}
	}
}

// deliveryOf returns news as a delivery. Its id is the same whenever it is made, so that a receiver knows a repetition.
func deliveryOf(h hook.Hook, e hook.Event) hook.Delivery {
	return hook.Delivery{
		ID:     uuid.NewSHA1(uuid.NameSpaceURL, fmt.Appendf(nil, "%s/%d", h.ID, e.Place)).String(),
		HookID: h.ID, Event: e.Place, Kind: e.News.Kind, Tournament: e.Tournament, News: e.News, At: e.At,
		State: hook.Waiting, Since: e.At,
	}
}

// deliver tries a delivery and stores the outcome, in h, too.
func (s *Service) deliver(ctx context.Context, h *hook.Hook, d hook.Delivery) error {
	body, kind, err := s.compose(ctx, *h, d)
	if err != nil {
		return err
	}
	if body == nil {
		d.State, d.Error = hook.Dropped, "it cannot be seen any more"
		return s.Store.RecordAttempt(ctx, d, *h)
	}
	started := s.Now()
	status, err := s.send(ctx, *h, d, body, kind)
	if err != nil && ctx.Err() != nil {
		return ctx.Err() // it is sent again
	}
	now := s.Now()
	d.Attempts++
	d.TriedAt = now.UnixMilli()
	d.Status = status
	d.Error = ""
	d.TookMs = max(0, now.Sub(started).Milliseconds())
	if err == nil {
		s.sentCount.Add(1)
		d.State = hook.Sent
		h.FailingSince = 0
		h.Failures = 0
		h.NextAt = 0
		return s.Store.RecordAttempt(ctx, d, *h)
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
	if now.Add(pause).Sub(time.UnixMilli(d.Since)) > maxAge || refused(d.Status) && d.Attempts >= maxRejections {
		d.State = hook.Failed
	}
	if now.Sub(time.UnixMilli(h.FailingSince)) < disableAfter && d.Status != http.StatusGone {
		return s.Store.RecordAttempt(ctx, d, *h)
	}
	h.DisabledAt, h.DisabledWhy = now.UnixMilli(), d.Error
	if err := s.Store.RecordAttempt(ctx, d, *h); err != nil {
		return err
	}
	s.Logger.InfoContext(ctx, "a webhook was disabled", "webhook", h.ID, "account", h.AccountID, "reason", d.Error)
	return s.Disabled(ctx, *h)
}

// refused reports whether a status is about the delivery itself, so that its receiver works. Others of 4xx may come
// from a proxy before a receiver that is down.
func refused(status int) bool {
	switch status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return true
	}
	return false
}

// MessageID returns the webhook-id of a delivery, the same for every attempt.
func MessageID(d hook.Delivery) string { return "msg_" + d.ID }

// send posts a delivery. The error names the reason why it has not arrived, without the receiver's answer.
func (s *Service) send(ctx context.Context, h hook.Hook, d hook.Delivery, body []byte, kind string) (int, error) {
	at, id := s.Now(), MessageID(d)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.URL, bytes.NewReader(body))
	if err != nil {
		return 0, hook.ErrAddress
	}
	if err := checkPort(r.URL); err != nil { // of an address that was stored before ports were checked
		return 0, err
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
