// Package hooks sends news of tournaments to webhooks, by Standard Webhooks (https://www.standardwebhooks.com).
//
// News is stored in the transaction of its event, exactly once, and is sent at least once: a receiver knows a
// repetition by its webhook-id. Deliveries of a webhook are sent in the order of events: each waits until its
// predecessor has arrived or was given up, after a day, or after a few attempts if the receiver refuses it. A single
// instance at a time sends, in goroutines beside the requests.
//
// News is one log for all, and each webhook has a cursor in it. A delivery is stored when it is tried for the first
// time, so a webhook that cannot be reached costs nothing when something happens: with 1,000 of them, a move and a
// result take as long as with none (BenchmarkBesideDeadWebhooks).
//
// A payload is read when it is sent and shows the view of a spectator at that moment: no drafts, no rounds that are not
// published, no hidden hands. The owner must also run the tournament at that moment. A call for the arbiter is sent
// without the player's words.
package hooks

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/internal/limit"
	"quatuor/api/pages/message"
	"quatuor/api/settings"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/hook"
	"quatuor/tournament/slip"
	"quatuor/tournament/standings"
	"quatuor/tournament/wording"
)

// Store keeps webhooks and deliveries. Errors are those of package hook.
type Store interface {
	Add(ctx context.Context, h hook.Hook) error
	Of(ctx context.Context, accountID string) ([]hook.Hook, error)
	Hook(ctx context.Context, id string) (hook.Hook, error)
	Change(ctx context.Context, id string, change func(*hook.Hook)) (hook.Hook, error)
	Remove(ctx context.Context, accountID, id string) error
	Deliveries(ctx context.Context, hookID string, limit int) ([]hook.Delivery, error)
	Queue(ctx context.Context, d hook.Delivery) error
	Again(ctx context.Context, hookID, id string, now int64) (hook.Delivery, error)
	Outbox
}

// Outbox stores news, the cursors of webhooks and their deliveries.
type Outbox interface {
	News(ctx context.Context) ([]hook.Event, error)
	HooksFor(ctx context.Context, tournaments []string) ([]hook.Hook, error)
	WithBacklog(ctx context.Context) ([]hook.Hook, error)
	Due(ctx context.Context, now int64, limit int) ([]hook.Hook, error)
	Next(ctx context.Context, hookID string) (hook.Delivery, error)
	EventsAfter(ctx context.Context, h hook.Hook, limit int) ([]hook.Event, error)
	RecordAttempt(ctx context.Context, d hook.Delivery, after hook.Hook) error
	SaveCursor(ctx context.Context, h hook.Hook) error
	Forget(ctx context.Context, before int64, keep int) error
}

// People are the owners of webhooks.
type People interface {
	Account(ctx context.Context, id string) (account.Account, error)
}

// Tournaments are the tournaments that news is about.
type Tournaments interface {
	Tournament(ctx context.Context, id string) (*tournament.Tournament, error)
	Standings(t *tournament.Tournament, round int) (*standings.Standings, error)
	Calls(ctx context.Context, t *tournament.Tournament, all bool) ([]slip.Call, error)
}

// Config holds the dependencies and settings of a Service.
type Config struct {
	Store       Store
	People      People
	Tournaments Tournaments
	Address     string // public URL, without a slash at its end; "" leaves links out
	Club        func(context.Context) settings.Current
	Mine        func() bool // whether this instance sends
	Now         func() time.Time
	Logger      *slog.Logger

	// Disabled is called after a webhook was disabled because it failed for days; nil for nothing.
	Disabled func(ctx context.Context, h hook.Hook) error
	// Networks are those of private addresses that the operator allows; there http:// will do.
	Networks []netip.Prefix

	Every     time.Duration     // how often news is looked for; 0 is a second
	Transport http.RoundTripper // for tests; nil connects, to allowed addresses alone
	Resolver  *net.Resolver     // for tests; nil is the system's
	TLS       *tls.Config       // for tests; nil is the system's
}

// Service manages webhooks and sends their news. It is safe for concurrent use.
type Service struct {
	Config
	texts     *message.Catalogue
	secure    *http.Client
	plain     *http.Client // to allowed networks
	wake      chan struct{}
	worker    worker
	requested *limit.Limiter // tests and repeated deliveries, by account

	sentCount, failedCount atomic.Int64
}

// New returns a service.
func New(c Config) *Service {
	if c.Every == 0 {
		c.Every = time.Second
	}
	if c.Disabled == nil {
		c.Disabled = func(context.Context, hook.Hook) error { return nil }
	}
	s := &Service{
		Config: c, texts: message.Load(), wake: make(chan struct{}, 1),
		worker: newWorker(), requested: limit.New(requestedRate, c.Now),
	}
	s.secure, s.plain = s.client(false), s.client(true)
	if c.Transport != nil {
		s.secure.Transport, s.plain.Transport = c.Transport, c.Transport
	}
	return s
}

// Sent and Failed count attempts, for metrics.
func (s *Service) Sent() int64 { return s.sentCount.Load() }

// Failed counts attempts that failed.
func (s *Service) Failed() int64 { return s.failedCount.Load() }

// Wake starts a pass for new deliveries. It returns at once.
func (s *Service) Wake() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

const maxName = 100

// NewHook is a webhook that is to be made.
type NewHook struct {
	Name, URL, Tournament string
	Kinds                 []tournament.NewsKind
	Format                hook.Format
}

// check returns an error for a webhook that cannot be, and puts the kinds into their order.
func (s *Service) check(n *NewHook) (err error) {
	if n.Name, err = wording.Line.Clean(n.Name, maxName); err != nil || len(n.Kinds) == 0 {
		return hook.ErrInvalid
	}
	all := tournament.NewsKinds()
	n.Kinds = slices.DeleteFunc(all, func(k tournament.NewsKind) bool { return !slices.Contains(n.Kinds, k) })
	if n.Format == "" {
		n.Format = hook.Standard
	}
	if len(n.Kinds) == 0 || !slices.Contains(hook.Formats(), n.Format) {
		return hook.ErrInvalid
	}
	return s.CheckURL(n.URL)
}

// Create makes a webhook of the identity in the context, which must run the tournament that it is for. Its secret is
// shown only now.
func (s *Service) Create(ctx context.Context, n NewHook) (hook.Hook, error) {
	who := auth.From(ctx)
	if err := s.may(ctx, who, n.Tournament); err != nil {
		return hook.Hook{}, err
	}
	if err := s.check(&n); err != nil {
		return hook.Hook{}, err
	}
	h := hook.Hook{
		ID: uuid.Must(uuid.NewV7()).String(), AccountID: who.AccountID, Tournament: n.Tournament, Name: n.Name, URL: n.URL,
		Kinds: n.Kinds, Format: n.Format, Secret: newSecret(), CreatedAt: s.Now().UnixMilli(),
	}
	return h, s.Store.Add(ctx, h)
}

// may checks that an identity may have webhooks for a tournament, or for all that it runs.
func (s *Service) may(ctx context.Context, who auth.Identity, id string) error {
	if err := who.Demand(who.Level(), auth.ManageHooks); err != nil || id == "" {
		return err
	}
	t, _, err := access.Tournament(ctx, s.Tournaments, id, who)
	if err != nil {
		return err
	}
	return who.Demand(who.LevelIn(t), auth.MakeTokens)
}

// List returns the webhooks of the identity in the context.
func (s *Service) List(ctx context.Context) ([]hook.Hook, error) {
	who := auth.From(ctx)
	if err := who.Demand(who.Level(), auth.ManageHooks); err != nil {
		return nil, err
	}
	return s.Store.Of(ctx, who.AccountID)
}

// own returns a webhook of the identity in the context; hook.ErrNotFound for any other.
func (s *Service) own(ctx context.Context, id string) (hook.Hook, error) {
	who := auth.From(ctx)
	if err := who.Demand(who.Level(), auth.ManageHooks); err != nil {
		return hook.Hook{}, err
	}
	h, err := s.Store.Hook(ctx, id)
	if err == nil && h.AccountID != who.AccountID {
		err = hook.ErrNotFound
	}
	return h, err
}

// Delete removes a webhook, and returns it as it was before.
func (s *Service) Delete(ctx context.Context, id string) (hook.Hook, error) {
	h, err := s.own(ctx, id)
	if err != nil {
		return h, err
	}
	return h, s.Store.Remove(ctx, h.AccountID, id)
}

// Enable resumes a disabled webhook, with the news it has missed as far as that is kept, which is four days.
func (s *Service) Enable(ctx context.Context, id string) (hook.Hook, error) {
	if _, err := s.own(ctx, id); err != nil {
		return hook.Hook{}, err
	}
	defer s.Wake()
	now := s.Now().UnixMilli()
	return s.Store.Change(ctx, id, func(h *hook.Hook) {
		h.DisabledAt = 0
		h.DisabledWhy = ""
		h.FailingSince = 0
		h.Failures = 0
		h.NextAt = now
	})
}

// Rotate replaces the secret of a webhook; the new secret is shown only now. The previous secret signs, too, for a day.
func (s *Service) Rotate(ctx context.Context, id string) (hook.Hook, error) {
	if _, err := s.own(ctx, id); err != nil {
		return hook.Hook{}, err
	}
	return s.Store.Change(ctx, id, func(h *hook.Hook) {
		h.OldSecret = h.Secret
		h.OldUntil = s.Now().Add(overlap).UnixMilli()
		h.Secret = newSecret()
	})
}

// keptDeliveries is the number of deliveries of a webhook that are kept and listed.
const keptDeliveries = 50

// Deliveries returns the latest deliveries of a webhook.
func (s *Service) Deliveries(ctx context.Context, id string) (hook.Hook, []hook.Delivery, error) {
	h, err := s.own(ctx, id)
	if err != nil {
		return h, nil, err
	}
	list, err := s.Store.Deliveries(ctx, id, keptDeliveries)
	return h, list, err
}

// requestedRate bounds the tests and repetitions that an account requests.
var requestedRate = limit.Rate{Interval: 10 * time.Second, Burst: 6}

// takeRequest counts a delivery that the identity in the context requests, and returns why it is refused: an
// *auth.LimitError after too many, or the error of own.
func (s *Service) takeRequest(ctx context.Context, id string) error {
	h, err := s.own(ctx, id)
	if err != nil {
		return err
	}
	if v := s.requested.Take(h.AccountID); !v.OK {
		return &auth.LimitError{Verdict: v}
	}
	return nil
}

// Test queues a delivery that tries a webhook out; an *auth.LimitError after too many.
func (s *Service) Test(ctx context.Context, id string) (hook.Delivery, error) {
	if err := s.takeRequest(ctx, id); err != nil {
		return hook.Delivery{}, err
	}
	now := s.Now()
	d := hook.Delivery{
		ID: uuid.Must(uuid.NewV7()).String(), HookID: id, Event: -now.UnixNano(), Kind: hook.Test, At: now.UnixMilli(),
		State: hook.Waiting, Since: now.UnixMilli(),
	}
	defer s.Wake()
	return d, s.Store.Queue(ctx, d)
}

// Redeliver repeats a delivery, under the same webhook-id; an *auth.LimitError after too many.
func (s *Service) Redeliver(ctx context.Context, id, delivery string) (hook.Delivery, error) {
	if err := s.takeRequest(ctx, id); err != nil {
		return hook.Delivery{}, err
	}
	defer s.Wake()
	d, err := s.Store.Again(ctx, id, delivery, s.Now().UnixMilli())
	if err != nil {
		return d, fmt.Errorf("delivery %s: %w", delivery, err)
	}
	return d, nil
}
