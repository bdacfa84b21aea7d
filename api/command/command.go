// Package command holds the application's commands: each is described once, with the right that it takes, the part of
// the tournament that it builds on, and what it does. The operations of the REST API and the forms of the pages decode
// requests into a command's input, run it, and encode the outcome; they decide nothing.
package command

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/hooks"
	"quatuor/api/internal/roster"
	"quatuor/api/mail"
	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
	"quatuor/tournament/director"
	"quatuor/tournament/season"
)

// Command is an action on a tournament.
type Command[In any] struct {
	Name string      // in the history's words, for tests and logs
	May  auth.Action // the right that it takes in the tournament
	// Own returns the right required of identities that act for themselves, "" for all others; nil if that is not
	// possible.
	Own func(auth.Identity, *tournament.Tournament, In) (auth.Action, error)
	// Part returns the entity tags of the part that it builds on, from the caller's view of the tournament; nil for a
	// command that is valid whatever was changed since.
	Part func(*tournament.Tournament, In) ([]string, error)
	// Blind commands need no precondition: a caller may leave out the tag of the part.
	Blind bool
	// Exact commands are computed on a version of the tournament, and retried if another came between.
	Exact bool
	Do    func(Call, In) (*tournament.Tournament, error)
}

// Call is an execution of a command.
type Call struct {
	*Service
	Ctx   context.Context //nolint:containedctx // a call is as short as a request
	Who   auth.Identity
	T     *tournament.Tournament // in the version that the rights were judged on
	Order director.Order
}

// act has the director carry out an act.
func (c Call) act(a director.Act) (*tournament.Tournament, error) {
	return c.Director.Do(c.Ctx, c.T.ID, a, c.Order)
}

// Service runs commands.
type Service struct {
	Config
	Names  *Names
	Reader *season.Reader
}

// New returns a service. A nil Now is time.Now.
func New(c Config) *Service {
	if c.Now == nil {
		c.Now = time.Now
	}
	c.Offer.points = c.Points
	return &Service{
		Config: c, Names: newNames(c.People, c.Now, c.NameChanged),
		Reader: season.New(season.Config{
			Store: c.Seasons, People: c.People, Director: c.Director, Now: c.Now,
			EntryOf: func(ctx context.Context, t *tournament.Tournament, id string, p club.Player) (tournament.Entry, error) {
				return roster.EntryOf(ctx, c.Ratings, t, "", []string{id}, map[string]club.Player{id: p})
			},
		}),
	}
}

// Config has the dependencies of commands.
type Config struct {
	*director.Director
	Tables   *table.Tables
	GameList table.Archive
	Offer    Offer
	People   People
	Presence Hub
	Guard    *auth.Guard   // of accounts and codes
	Mail     *mail.Service // nil without a mail server
	Hooks    *hooks.Service
	// Settings, Merger, Eraser and RatingDesk carry out acts of admins.
	Settings   Settings
	Merger     Merger
	Eraser     Eraser
	RatingDesk ledger.Desk
	Ratings    ledger.Reader // seeds the members of leagues
	// LadderChanged notifies the readers of a ladder of an act on it; nil without any.
	LadderChanged func(id string)
	NameChanged   func(player string) // notifies other instances of a changed name; nil without any
	Backups       Backups             // nil where they are left to the database's own tools
	AdminLog      AdminLog
	Seasons       SeasonStore
	Now           func() time.Time
}

// Hub notes the presence of players at games; *stream.Hub is it.
type Hub interface {
	Seen(s *table.Snapshot, player string)
}

// People looks up accounts, and looks up and changes players.
type People interface {
	access.People
	AccountByLogin(ctx context.Context, login string) (account.Account, error)
	CreatePlayer(ctx context.Context, p ...club.Player) error
	Player(ctx context.Context, id string) (club.Player, error)
	UpdatePlayer(ctx context.Context, p club.Player, from int64) error
	Block(ctx context.Context, b club.Block) error
	Unblock(ctx context.Context, player, blocked string) error
	Claim(ctx context.Context, claimHash, accountID string) (club.Player, error)
}

// On names the target of a command.
type On struct {
	ID     string // of the tournament, or of what is kept by version
	Number int    // of a season of the league; 0 otherwise
	// Seen has the entity tags that the caller has read, as in an If-Match header; nil for none.
	Seen *string
	If   func(*tournament.Tournament) error // a further condition on the tournament; nil for none
	// Read is the tournament as the caller has just read it with its rights, so that it is not loaded again; nil to load it.
	Read *tournament.Tournament
}

// attempts is the maximum of tries of an exact command while others change the rest of the tournament.
const attempts = 5

// Run executes a command for the identity in the context, and returns the tournament after it. It returns
// tournament.ErrNotFound for what the identity may not see, an error of package auth for a missing right, and
// ErrTagStale for a part that has changed.
func (c Command[In]) Run(ctx context.Context, s *Service, on On, in In) (*tournament.Tournament, error) {
	who := auth.From(ctx)
	for range attempts {
		t, err := c.allowed(ctx, s, who, on, in)
		if err != nil {
			return nil, err
		}
		on.Read = nil // another try takes it as it is then
		o := director.Order{By: who.AccountID, If: c.condition(who, on, in)}
		if c.Exact {
			o.Expect = t.Version
			if err := o.If(t); err != nil {
				return nil, err
			}
		}
		changed, err := c.Do(Call{s, ctx, who, t, o}, in)
		if !c.Exact || !errors.Is(err, tournament.ErrStale) {
			return changed, err
		}
	}
	return nil, tournament.ErrStale
}

// Check returns the tournament if the identity in the context may run the command.
func (c Command[In]) Check(ctx context.Context, s *Service, id string, in In) (*tournament.Tournament, error) {
	return c.allowed(ctx, s, auth.From(ctx), On{ID: id}, in)
}

func (c Command[In]) allowed(
	ctx context.Context, s *Service, who auth.Identity, on On, in In,
) (t *tournament.Tournament, err error) {
	if t = on.Read; t == nil {
		if t, _, err = access.Tournament(ctx, s, on.ID, who); err != nil {
			return nil, err
		}
	}
	right := c.May
	if c.Own != nil && !who.Can(who.LevelIn(t), right) {
		own, err := c.Own(who, t, in)
		if err != nil {
			return nil, err
		}
		right = cmp.Or(own, right)
	}
	return t, who.Demand(who.LevelIn(t), right)
}

// condition returns the precondition: the part is as the caller has seen it, whatever others change in the rest. Tags
// that the caller could not have read never match, so that guessing them reveals nothing.
func (c Command[In]) condition(who auth.Identity, on On, in In) func(*tournament.Tournament) error {
	return func(t *tournament.Tournament) error {
		if c.Part != nil {
			view := access.View(who, t)
			good, err := c.Part(view, in)
			if err == nil && (on.Seen != nil || !c.Blind) {
				err = CheckTag(on.Seen, append(good, TournamentTag(who, view))...)
			}
			if err != nil {
				return err
			}
		}
		if on.If != nil {
			return on.If(t)
		}
		return nil
	}
}

// CheckTag compares an If-Match header with the tags that are good now: any of them, or "*", will do. Weak tags never
// match (RFC 9110, 13.1.1). It returns ErrTagMissing or ErrTagStale.
func CheckTag(header *string, now ...string) error {
	if header == nil {
		return ErrTagMissing
	}
	for tag := range strings.SplitSeq(*header, ",") {
		tag = strings.TrimSpace(tag)
		if tag == "*" || slices.Contains(now, tag) {
			return nil
		}
	}
	return ErrTagStale
}

// Target is the target of an act: the request is stamped on arrival if that is a game, and forwarded to the instance that
// owns the game or the tournament.
type Target struct {
	On         Kind
	Repeatable bool // to do it twice is to do it once
}

// Kind is a kind of things that acts act on.
type Kind int

// The kinds.
const (
	Nothing Kind = iota // that has an owner
	AGame
	ATournament
)

// The targets of acts that cannot be repeated.
var (
	OnNothing    = Target{}
	OnGame       = Target{On: AGame}
	OnTournament = Target{On: ATournament}
)

// arrived is the name of a form's arrival in its echo context.
const arrived = "arrival"

// SetArrival hands the arrival of a form that acts on a game to its handler ([ArrivalOf]).
func SetArrival(c echo.Context, a *table.Arrival) { c.Set(arrived, a) }

// ArrivalOf returns the arrival of a form that acts on a game, nil for other requests. It is made as soon as the request
// has been read, long before the handler begins, and ends with the request.
func ArrivalOf(c echo.Context) *table.Arrival {
	a, _ := c.Get(arrived).(*table.Arrival)
	return a
}
