// Package settings holds the settings in force: those of the club, which are stored and can be changed while the
// service runs, and the operator's flags, which override them.
package settings

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	_ "time/tzdata" // for systems without time zones of their own, for example an empty container

	"golang.org/x/text/language"

	"quatuor/api/auth"
	"quatuor/api/pages/message"
	"quatuor/tournament/club"
	"quatuor/tournament/wording"
)

// Store keeps a club's settings.
type Store interface {
	Settings(ctx context.Context) (club.Settings, error)
	// SaveSettings writes settings over those of a version; club.ErrStale if they have been changed since.
	SaveSettings(ctx context.Context, s club.Settings, from int64) error
}

// Given holds the operator's decisions at the start of the program; an empty text is no decision.
type Given struct {
	Name         string
	Registration auth.Registration
	Reach        club.Reach // if it has the address to listen on
	Address      string     // under which people reach the service

	// OpenToNetwork lets the network reach the service at once, without a Reach of the operator's; nil where it cannot.
	OpenToNetwork func(context.Context) error
}

// DefaultName is the name of an installation that has none.
const DefaultName = "quatuor"

// fresh is the maximum time that a change by another instance goes unnoticed.
const fresh = time.Second

// Current holds the settings in force.
type Current struct {
	Name         string
	Welcome      string // "" for none
	Imprint      string // "" for none
	Language     string // "" for none
	Zone         *time.Location
	Registration auth.Registration
	Resets       bool   // organisers may reset passwords of plain players
	Address      string // under which people reach the service, without a slash at its end; "" where that is not known
}

// Club is the settings of an installation. It is safe for concurrent use.
type Club struct {
	Given Given

	store  Store
	now    func() time.Time
	log    *slog.Logger
	mu     sync.Mutex
	stored club.Settings
	zone   *time.Location
	read   time.Time
	known  bool

	address string // in the network, found out where the service listens
}

// New returns settings that are read from a store.
func New(store Store, given Given, now func() time.Time, log *slog.Logger) *Club {
	if now == nil {
		now = time.Now
	}
	return &Club{Given: given, store: store, now: now, log: log, zone: time.UTC}
}

// Current returns the settings in force, or those last in force if the store does not answer.
func (c *Club) Current(ctx context.Context) Current {
	stored, zone := c.load(ctx)
	s := c.InForce(stored)
	return Current{
		Name: cmp.Or(s.Name, DefaultName), Welcome: s.Welcome, Imprint: s.Imprint, Language: s.Language, Zone: zone,
		Registration: auth.Registration(s.Registration), Resets: s.Resets, Address: c.reachedAt(),
	}
}

// InForce returns the settings in force where a club has decided s: those configured at the start of the program take
// precedence.
func (c *Club) InForce(s club.Settings) club.Settings {
	s.Name = cmp.Or(c.Given.Name, s.Name)
	s.Registration = cmp.Or(string(c.Given.Registration), s.Registration, string(auth.RegistrationClosed))
	s.Reach = cmp.Or(c.Given.Reach, s.Reach, club.ReachLocal)
	return s
}

// Fixed returns the settings that were given where the program was started, by their names in the API.
func (c *Club) Fixed() (names []string) {
	for _, one := range []struct {
		name  string
		given bool
	}{{"name", c.Given.Name != ""}, {"registration", c.Given.Registration != ""}, {"reach", c.Given.Reach != ""}} {
		if one.given {
			names = append(names, one.name)
		}
	}
	return names
}

// Resets reports whether organisers may reset passwords of plain players.
func (c *Club) Resets(ctx context.Context) bool { return c.Current(ctx).Resets }

// Registration returns the restriction on opening accounts.
func (c *Club) Registration(ctx context.Context) auth.Registration {
	return c.Current(ctx).Registration
}

func (c *Club) load(ctx context.Context) (club.Settings, *time.Location) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	if c.known && now.Sub(c.read) < fresh {
		return c.stored, c.zone
	}
	stored, err := c.store.Settings(ctx)
	if err != nil {
		if ctx.Err() == nil {
			c.log.ErrorContext(ctx, "the club's settings could not be read", "error", err)
		}
		return c.stored, c.zone
	}
	c.keep(stored)
	return c.stored, c.zone
}

// keep is called with the lock held.
func (c *Club) keep(s club.Settings) {
	c.stored = s
	c.known = true
	c.read = c.now()
	c.zone = time.UTC
	if zone, err := time.LoadLocation(s.TimeZone); err == nil && s.TimeZone != "" {
		c.zone = zone
	}
}

// Stored returns the club's own settings, whether they are in force or not.
func (c *Club) Stored(ctx context.Context) (club.Settings, error) { return c.store.Settings(ctx) }

// Changed takes over settings that were stored.
func (c *Club) Changed() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known = false
}

// Apply puts the reach that was decided into force as far as it can be while the service runs: opening to the network,
// not closing.
func (c *Club) Apply(ctx context.Context, r club.Reach) error {
	if r != club.ReachNetwork || c.Given.Reach != "" || c.Given.OpenToNetwork == nil {
		return nil
	}
	return c.Given.OpenToNetwork(ctx)
}

// SetAddress sets the address of the service in the local network, unless the operator has configured an address.
func (c *Club) SetAddress(address string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.address = address
}

func (c *Club) reachedAt() string {
	if c.Given.Address != "" {
		return c.Given.Address
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.address
}

// Save stores settings over those of their version. Errors: those of Check, club.ErrStale.
func (c *Club) Save(ctx context.Context, s club.Settings) error {
	checked, err := Check(s)
	if err != nil {
		return err
	}
	if err := c.store.SaveSettings(ctx, checked, s.Version); err != nil {
		return err
	}
	c.Changed()
	if err := c.Apply(ctx, checked.Reach); err != nil { // it is in force with the next start
		c.log.WarnContext(ctx, "the network cannot reach the service yet", "error", err)
	}
	return nil
}

// ErrInvalid reports settings that are not acceptable; the *Invalid around it names them.
var ErrInvalid = errors.New("these settings cannot be taken")

// Invalid is a setting that cannot be taken.
type Invalid struct {
	Field  string // "name", "welcome", "imprint", "language", "time_zone", "registration" or "reach"
	Detail string // the fault, and the remedy
}

// Error returns the message for people.
func (e *Invalid) Error() string { return e.Field + ": " + e.Detail }

// Unwrap returns ErrInvalid.
func (e *Invalid) Unwrap() error { return ErrInvalid }

// MaxName is the maximum length of the name of an installation, in characters.
const MaxName = 60

// MaxWelcome is the maximum length of the sentence on the first page, in characters.
const MaxWelcome = 300

// MaxImprint is the maximum length of the imprint, which names the people responsible, in characters.
const MaxImprint = 2000

// CheckLanguage refuses a language that the pages are not written in; "" is none.
func CheckLanguage(tag string) error {
	if tag == "" || slices.ContainsFunc(message.Languages, func(l language.Tag) bool { return l.String() == tag }) {
		return nil
	}
	return &Invalid{"language", fmt.Sprintf("the pages are there in %v, not in %q", message.Languages, tag)}
}

// Check returns settings in their stored form, or an *Invalid.
func Check(s club.Settings) (club.Settings, error) {
	name, err := wording.Line.Clean(s.Name, MaxName)
	if err != nil {
		return s, &Invalid{"name", err.Error()}
	}
	s.Name = name
	if s.Welcome, err = wording.Paragraph.Optional(s.Welcome, MaxWelcome); err != nil {
		return s, &Invalid{"welcome", err.Error()}
	}
	if s.Imprint, err = wording.Paragraph.Optional(s.Imprint, MaxImprint); err != nil {
		return s, &Invalid{"imprint", err.Error()}
	}
	if err := CheckLanguage(s.Language); err != nil {
		return s, err
	}
	if _, err := time.LoadLocation(s.TimeZone); err != nil || s.TimeZone == "Local" {
		return s, &Invalid{"time_zone", "write a time zone such as Europe/Paris or America/New_York"}
	}
	switch auth.Registration(s.Registration) {
	case auth.RegistrationOpen, auth.RegistrationInvite, auth.RegistrationClosed:
	default:
		return s, &Invalid{"registration", "it is open, invite or closed"}
	}
	switch s.Reach {
	case club.ReachLocal, club.ReachNetwork:
	default:
		return s, &Invalid{"reach", "it is local or network"}
	}
	return s, nil
}
