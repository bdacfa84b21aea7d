// Package mail sends e-mail: links that confirm an address, links for new passwords, and news of rounds and games.
// E-mails are queued in the database; a single instance at a time sends them, so no act waits for a mail server. Links
// begin with the configured public URL, never with the Host of a request.
//
// An e-mail is stored once, and sent once unless the mail server's answer got lost; then it is sent again with the same
// Message-ID.
package mail

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"quatuor/api/auth"
	"quatuor/api/internal/limit"
	"quatuor/api/pages/message"
	"quatuor/api/settings"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// AddressStore keeps the addresses of accounts, and which kinds of e-mail they take.
type AddressStore interface {
	Address(ctx context.Context, accountID string) (account.MailAddress, error)
	SetAddress(ctx context.Context, accountID, pending string, confirm account.Mail) error
	Confirm(ctx context.Context, accountID, pending string) error
	SetOff(ctx context.Context, accountID string, change func([]account.MailKind) []account.MailKind) error
	// Secret returns the key that signs links, the same at all instances.
	Secret(ctx context.Context) ([]byte, error)
}

// Queue is the e-mails to be sent.
type Queue interface {
	Queue(ctx context.Context, m account.Mail) error
	QueueMatches(ctx context.Context, now int64) error
	QueueRounds(ctx context.Context, since, now int64) error
	QueueInvitations(ctx context.Context, since, before, now int64) error
	Invites(ctx context.Context, game, accountID string) (bool, error)
	QueueTurns(ctx context.Context, now, before int64) error
	Forgotten(ctx context.Context, asked account.Mail, now, before int64) error
	Claim(ctx context.Context, now, until int64, limit int) ([]account.Mail, error)
	Postpone(ctx context.Context, next int64, attempts int, ids ...string) error
	Done(ctx context.Context, id string) error
	OfferReset(ctx context.Context, c account.Credential) error
	IsTurn(ctx context.Context, game string, turn int) (bool, error)
	ForgetMarks(ctx context.Context, before int64) error
	State(ctx context.Context) (account.MailState, error)
	SetError(ctx context.Context, text string, at int64) error
}

// People are the accounts and players that e-mails are about.
type People interface {
	Account(ctx context.Context, id string) (account.Account, error)
	Players(ctx context.Context, ids []string) (map[string]club.Player, error)
}

// Tournaments are the tournaments that e-mails are about.
type Tournaments interface {
	Tournament(ctx context.Context, id string) (*tournament.Tournament, error)
}

// Store is all that is kept.
type Store interface {
	AddressStore
	Queue
}

// Config holds the dependencies and settings of a Service.
type Config struct {
	Server      *Server
	Address     string // public URL, without a slash at its end
	Store       Store
	People      People
	Tournaments Tournaments
	Guard       *auth.Guard
	Club        func(context.Context) settings.Current
	Mine        func() bool // whether this instance sends
	Now         func() time.Time
	Logger      *slog.Logger

	// Every bounds the time before this instance finds an e-mail that another has queued; 0 is five seconds. The other
	// intervals of the worker are multiples of it.
	Every time.Duration
}

// Service queues and sends e-mails. It is safe for concurrent use.
type Service struct {
	Config
	texts  *message.Catalogue
	secret func(context.Context) ([]byte, error)
	wake   chan struct{}
	worker worker

	confirmations, letters *limit.Limiter // by address

	waiting, sentCount, droppedCount atomic.Int64
}

// New returns a service.
func New(c Config) *Service {
	if c.Every == 0 {
		c.Every = pollInterval
	}
	return &Service{
		Config: c, texts: message.Load(), secret: remember(c.Store.Secret), wake: make(chan struct{}, 1),
		confirmations: limit.New(confirmationRate, c.Now), letters: limit.New(letterRate, c.Now),
	}
}

// remember returns a function that calls get until it succeeds, and then returns its result.
func remember(get func(context.Context) ([]byte, error)) func(context.Context) ([]byte, error) {
	var mu sync.Mutex
	var known []byte
	return func(ctx context.Context) (_ []byte, err error) {
		mu.Lock()
		defer mu.Unlock()
		if known == nil {
			known, err = get(ctx)
		}
		return known, err
	}
}

// Wake lets the worker look into the queue at once.
func (s *Service) Wake() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// queue stores an e-mail to an account, and wakes the worker.
func (s *Service) queue(ctx context.Context, m account.Mail) error {
	if err := s.Store.Queue(ctx, m); err != nil {
		return err
	}
	s.Wake()
	return nil
}

func (s *Service) newMail(kind account.MailKind, accountID string) account.Mail {
	now := s.Now().UnixMilli()
	return account.Mail{
		ID: uuid.Must(uuid.NewV7()).String(), Kind: kind, AccountID: accountID, CreatedAt: now, NextAt: now,
	}
}

// errAddress refuses a text that is no e-mail address.
var errAddress = &auth.InvalidField{
	Field: "email", Reason: "email", Detail: "it must be an e-mail address such as anna@example.org",
}

// SetAddress sets the address of the identity's account, which takes its present password: it is sent a link that
// confirms it, and used only then. "" removes the address. Errors: an *auth.InvalidField, auth.ErrBadLogin,
// auth.ErrSessionOnly, an *auth.LimitError, account.ErrMailFull.
func (s *Service) SetAddress(ctx context.Context, w auth.Identity, address, password string) error {
	if address != "" && !IsAddress(address) {
		return errAddress
	}
	if err := s.Guard.ConfirmPassword(ctx, w, password); err != nil {
		return err
	}
	if address != "" {
		if err := s.Guard.MayMail(ctx, w, ""); err != nil {
			return err
		}
	}
	err := s.Store.SetAddress(ctx, w.AccountID, address, s.newMail(account.MailConfirm, w.AccountID))
	s.Wake()
	return err
}

// SetOff sets the kinds of e-mail that the identity does not want; others than those of account.MailChoices are left
// out. auth.ErrSessionOnly for an API token.
func (s *Service) SetOff(ctx context.Context, w auth.Identity, off []account.MailKind) error {
	if w.Method == auth.ByAPIToken {
		return auth.ErrSessionOnly
	}
	known := slices.DeleteFunc(account.MailChoices(), func(k account.MailKind) bool { return !slices.Contains(off, k) })
	return s.Store.SetOff(ctx, w.AccountID, func([]account.MailKind) []account.MailKind { return known })
}

// Confirmation returns the login and the address that a token of an e-mail confirms; account.ErrNotFound for a token
// that is forged, too old or about another address than the last that was typed.
func (s *Service) Confirmation(ctx context.Context, given string) (login, address string, err error) {
	id, text, ok := split(given)
	until, err := strconv.ParseInt(text, 36, 64)
	if !ok || err != nil || s.Now().UnixMilli() >= until {
		return "", "", account.ErrNotFound
	}
	secret, err := s.secret(ctx)
	if err != nil {
		return "", "", err
	}
	stored, err := s.Store.Address(ctx, id)
	if err != nil {
		return "", "", err
	}
	if stored.Pending == "" || !same(given, confirmToken(secret, id, stored.Pending, time.UnixMilli(until))) {
		return "", "", account.ErrNotFound
	}
	owner, err := s.People.Account(ctx, id)
	return owner.Login, stored.Pending, err
}

// Confirm is Confirmation that makes the address the account's.
func (s *Service) Confirm(ctx context.Context, given string) (login, address string, err error) {
	if login, address, err = s.Confirmation(ctx, given); err != nil {
		return "", "", err
	}
	id, _, _ := split(given)
	return login, address, s.Store.Confirm(ctx, id, address)
}

// Unsubscription returns the login and the kind of e-mail that a token turns off; account.ErrNotFound for a forged token,
// and for a kind that only its owner turns off.
func (s *Service) Unsubscription(ctx context.Context, given string) (login string, kind account.MailKind, err error) {
	id, text, ok := split(given)
	kind = account.MailKind(text)
	if !ok || !hasOffLink(kind) {
		return "", "", account.ErrNotFound
	}
	secret, err := s.secret(ctx)
	if err != nil {
		return "", "", err
	}
	if !same(given, offToken(secret, id, kind)) {
		return "", "", account.ErrNotFound
	}
	owner, err := s.People.Account(ctx, id)
	return owner.Login, kind, err
}

// Unsubscribe is Unsubscription that turns the kind off.
func (s *Service) Unsubscribe(ctx context.Context, given string) (login string, kind account.MailKind, err error) {
	if login, kind, err = s.Unsubscription(ctx, given); err != nil {
		return "", "", err
	}
	id, _, _ := split(given)
	return login, kind, s.Store.SetOff(ctx, id, func(off []account.MailKind) []account.MailKind {
		if slices.Contains(off, kind) {
			return off
		}
		return append(off, kind)
	})
}

// Forgotten queues a request for a new password. It does the same work, in the same time and with the same result,
// whether or not an account has the login or the address that was typed: looking that up is the worker's. Errors: an
// *auth.LimitError.
func (s *Service) Forgotten(ctx context.Context, w auth.Identity, typed, address string) error {
	if err := s.Guard.MayMail(ctx, w, address); err != nil {
		return err
	}
	m := s.newMail(account.MailForgotten, "")
	m.Data.Typed = typed
	err := s.queue(ctx, m)
	if err == account.ErrMailFull { //nolint:errorlint // the store returns it as it is
		s.Logger.WarnContext(ctx, "a request for a new password was dropped: too many wait")
		return nil
	}
	return err
}

// Test queues an e-mail to the identity's own address; account.ErrNotFound without an address.
func (s *Service) Test(ctx context.Context, w auth.Identity) error {
	if err := s.Guard.MayMail(ctx, w, ""); err != nil {
		return err
	}
	own, err := s.Store.Address(ctx, w.AccountID)
	if err == nil && own.Address == "" {
		err = account.ErrNotFound
	}
	if err != nil {
		return err
	}
	return s.queue(ctx, s.newMail(account.MailTest, w.AccountID))
}

// HookDisabled queues an e-mail to the owner of a webhook that was disabled.
func (s *Service) HookDisabled(ctx context.Context, accountID, name string) error {
	m := s.newMail(account.MailHook, accountID)
	m.Data.Hook = name
	return s.queue(ctx, m)
}

// State returns how the queue is.
func (s *Service) State(ctx context.Context) (account.MailState, error) { return s.Store.State(ctx) }

// Waiting returns the number of e-mails in the queue at the last count.
func (s *Service) Waiting() int64 { return s.waiting.Load() }

// Sent returns the number of e-mails that this instance has sent.
func (s *Service) Sent() int64 { return s.sentCount.Load() }

// Dropped returns the number of e-mails that this instance could not send.
func (s *Service) Dropped() int64 { return s.droppedCount.Load() }

// link returns the address of a page with a token.
func (s *Service) link(path, name, value string) string {
	if name == "" {
		return s.Address + path
	}
	return fmt.Sprintf("%s%s?%s=%s", s.Address, path, name, value)
}

// sign returns the MAC of some texts under the installation's key.
func sign(secret []byte, parts ...string) []byte {
	mac := hmac.New(sha256.New, secret)
	for _, part := range parts {
		mac.Write([]byte(strconv.Itoa(len(part)) + ":" + part))
	}
	return mac.Sum(nil)
}

// token returns a signed token: an account, a text and the signature. It also covers bound, which is not in it.
func token(secret []byte, purpose, accountID, text, bound string) string {
	sum := sign(secret, purpose, accountID, text, bound)
	return accountID + "." + text + "." + base64.RawURLEncoding.EncodeToString(sum)
}

// split returns the account and the text of a token that may be forged.
func split(given string) (accountID, text string, ok bool) {
	parts := strings.Split(given, ".")
	if len(given) > 300 || len(parts) != 3 {
		return "", "", false
	}
	return parts[0], parts[1], true
}

func same(given, want string) bool {
	return subtle.ConstantTimeCompare([]byte(given), []byte(want)) == 1
}

// confirmLife is the validity of the link that confirms an address.
const confirmLife = 24 * time.Hour

func confirmToken(secret []byte, accountID, pending string, until time.Time) string {
	return token(secret, "confirm", accountID, strconv.FormatInt(until.UnixMilli(), 36), pending)
}

func offToken(secret []byte, accountID string, kind account.MailKind) string {
	return token(secret, "off", accountID, string(kind), "")
}

// resetSecret returns the code in an e-mail for a new password. All attempts to send the e-mail have the same code.
func resetSecret(secret []byte, m account.Mail) (code, hash string) {
	return auth.SecretFrom(account.PasswordReset, sign(secret, "reset", m.AccountID, m.ID))
}
