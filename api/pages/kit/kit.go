// Package kit is what all pages are made with: templates and texts in the reader's language, answers with the right
// headers, what changes while a page is open, forms and the reasons why they were refused.
package kit

import (
	"context"
	"html/template"
	"log/slog"
	"maps"
	"net/http"
	"time"

	"quatuor/tournament"
	"quatuor/tournament/pairing"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/internal/ttlcache"
	"quatuor/api/pages/message"
	"quatuor/api/settings"
	"quatuor/api/stream"
	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/rating/systems"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
	"quatuor/tournament/director"
)

// Config is what the pages read. All but Commands, Variants, Guard, Now, Logger and Site are required.
type Config struct {
	Commands       *command.Service // nil for one of their own
	Games          *table.Tables
	GameList       table.Archive
	Tournaments    Tournaments
	TournamentList director.Archive
	Players        Players
	Ratings        ledger.Reader
	Lists          *systems.Config // how lists are rated and shown; nil for Elo in club mode
	Hub            *stream.Hub

	Director *director.Director // for running tournaments; nil where that is not offered
	People   command.People     // required with Director

	Variants []string // on offer, of which there are rules to read; nil for all

	// Club returns what is decided about the installation at a moment; nil: Site, and nothing else.
	Club func(context.Context) settings.Current

	// Accounts, Settings and AccountList are for the pages of accounts: set-up, registration, /me and /admin. All are nil
	// where these are not offered.
	Accounts    *auth.Guard
	Settings    *settings.Club
	AccountList AccountList

	Installation Installation // nil where its state is not shown

	Guard  Guard // for logging in and all that takes a login; nil where that is not offered
	Now    func() time.Time
	Logger *slog.Logger
	Site   string // name of the installation in titles, "quatuor" without
}

// Kit makes the pages of one installation.
type Kit struct {
	Config
	Texts     *message.Catalogue
	Assets    Assets
	Pictures  *ttlcache.Cache[PictureKey, []byte]
	languages languages
	targets   map[string]command.Target // of the forms, by route
}

// New returns a kit. The functions are for templates, beside the kit's own. An error in an embedded template or text is a
// mistake in the program and panics.
func New(d Config, functions ...func(*message.Printer) template.FuncMap) *Kit {
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.Logger == nil {
		d.Logger = slog.Default()
	}
	if d.Site == "" {
		d.Site = settings.DefaultName
	}
	if d.Club == nil {
		d.Club = func(context.Context) settings.Current { return settings.Current{Name: d.Site, Zone: time.UTC} }
	}
	if d.Commands == nil {
		d.Commands = command.New(command.Config{
			Director: d.Director, Tables: d.Games, GameList: d.GameList, Variants: d.Variants, People: d.People, Presence: d.Hub, Now: d.Now,
		})
	}
	k := &Kit{
		Config: d, Texts: message.Load(), Assets: loadAssets(), targets: map[string]command.Target{},
		Pictures: ttlcache.New[PictureKey, []byte](RenderedMax, RenderedLife, d.Now),
	}
	k.languages = newLanguages(k.Texts, func(in *message.Printer) template.FuncMap {
		all := k.functions(in)
		for _, more := range functions {
			maps.Copy(all, more(in))
		}
		return all
	})
	return k
}

// Players are players, and the accounts that act for them.
type Players interface {
	Player(ctx context.Context, id string) (club.Player, error)
	Players(ctx context.Context, ids []string) (map[string]club.Player, error)
	ListPlayers(ctx context.Context, f club.PlayerFilter, limit int, cursor string) ([]club.Player, string, error)
	Account(ctx context.Context, id string) (account.Account, error)
	BlockedBy(ctx context.Context, players []string, blocked string) (map[string]bool, error)
	Opponents(ctx context.Context, ids []string, asks string) (map[string]club.Opponent, error)
	Block(ctx context.Context, b club.Block) error
	Unblock(ctx context.Context, player, blocked string) error
	Blocks(ctx context.Context, player string) ([]club.Block, error)
}

// Guard lets people in and out; *auth.Guard is one.
type Guard interface {
	OriginOf(r *http.Request, address string) auth.Origin
	CheckLogin(ctx context.Context, login, password string, from auth.Origin) (account.Account, error)
	SignIn(ctx context.Context, w http.ResponseWriter, a account.Account, from auth.Origin) error
	SignOut(ctx context.Context, w http.ResponseWriter, who auth.Identity) error
	// UnknownCode counts a code that is not good for its address; it returns refusal, or an *auth.LimitError after too
	// many.
	UnknownCode(ctx context.Context, address string, refusal error) error
}

// PageLength is how many lines a list shows at once.
const PageLength = 50

// Tournaments are what the pages read of tournaments as they stand, with their entries and rounds, and what was done
// with them; *director.Director is one.
type Tournaments interface {
	stream.Tournaments
	History(ctx context.Context, id string) ([]tournament.Change, error)
	Acts(ctx context.Context, id string) ([]tournament.Act, error)
	Advice(t *tournament.Tournament) []pairing.Warning
	Review(t *tournament.Tournament, round int) []pairing.Warning
	Explain(ctx context.Context, t *tournament.Tournament, round int, staff bool) (*pairing.Explanation, error)
	Agree(ctx context.Context, id, entry, player string, o director.Order) (*tournament.Tournament, error)
	Decline(ctx context.Context, id, entry, player string, o director.Order) (*tournament.Tournament, error)
}

// Bodies of tournament pages are kept for a while: a large one takes some time to make, and all look at the same.
const (
	RenderedMax  = 128
	RenderedLife = time.Hour
	ShownMax     = 256
)
