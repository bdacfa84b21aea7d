// Package kit is the foundation of all pages: templates and translations, response headers, live updates, and forms
// with their error messages.
package kit

import (
	"context"
	"html/template"
	"log/slog"
	"maps"
	"net/http"
	"time"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/internal/ttlcache"
	"quatuor/api/pages/message"
	"quatuor/api/settings"
	"quatuor/api/stream"
	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/rating/systems"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
	"quatuor/tournament/director"
	"quatuor/tournament/pairing"
)

// Config holds the dependencies of the pages. Those without a default in [New] or a nil case below are
// required.
type Config struct {
	Commands       *command.Service // nil for a new one
	Games          *table.Tables
	GameList       table.Archive
	Tournaments    Tournaments
	TournamentList director.Archive
	Players        Players
	Ratings        ledger.Reader
	Lists          *systems.Config // rating systems of the lists; nil for Elo in club mode
	Hub            *stream.Hub

	Director *director.Director // nil to disable running tournaments
	People   command.People     // required with Director

	Variants []string // ids of the variants offered; nil for all

	// Club returns the settings in force; nil for defaults with the name Site.
	Club func(context.Context) settings.Current

	// Accounts, Settings and AccountList are for the pages of accounts: set-up, registration, /me and /admin. All nil
	// disables these pages.
	Accounts    *auth.Guard
	Settings    *settings.Club
	AccountList AccountList

	Installation Installation // nil to hide its state

	Guard  Guard // nil to disable login and every page that requires it
	Now    func() time.Time
	Logger *slog.Logger
	Site   string // name of the installation in titles; default "quatuor"
}

// Kit renders and serves the pages of one installation.
type Kit struct {
	Config
	Texts     *message.Catalogue
	Assets    Assets
	Pictures  *ttlcache.Cache[PictureKey, []byte]
	languages languages
	targets   map[string]command.Target // of forms, by route

	pages      map[string]livePage // by route
	renderings chan struct{}       // pages that are rendered again now
}

// New returns a kit. The functions are added to its template functions. It panics on an error in an embedded text,
// which is a bug.
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
			Director: d.Director, Tables: d.Games, GameList: d.GameList, Variants: d.Variants, People: d.People,
			Presence: d.Hub, Now: d.Now,
		})
	}
	k := &Kit{
		Config: d, Texts: message.Load(), Assets: loadAssets(), targets: map[string]command.Target{},
		pages: map[string]livePage{}, renderings: make(chan struct{}, maxRenderings()),
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

// Players reads players, their accounts and their blocks.
type Players interface {
	Player(ctx context.Context, id string) (club.Player, error)
	Players(ctx context.Context, ids []string) (map[string]club.Player, error)
	ListPlayers(ctx context.Context, f club.PlayerFilter, limit int, cursor string) ([]club.Player, string, error)
	Account(ctx context.Context, id string) (account.Account, error)
	Blocks(ctx context.Context, player string) ([]club.Block, error)
}

// Guard logs users in and out; *auth.Guard implements it.
type Guard interface {
	OriginOf(r *http.Request, address string) auth.Origin
	CheckLogin(ctx context.Context, login, password string, from auth.Origin) (account.Account, error)
	SignIn(ctx context.Context, w http.ResponseWriter, a account.Account, from auth.Origin) error
	SignOut(ctx context.Context, w http.ResponseWriter, who auth.Identity) error
	// UnknownCode counts a failed attempt with a code against the client's address. It returns refusal, or an
	// *auth.LimitError after too many.
	UnknownCode(ctx context.Context, address string, refusal error) error
}

// PageLength is the number of rows on a page of a list.
const PageLength = 50

// Tournaments reads tournaments with their entries, rounds and history; *director.Director implements it.
type Tournaments interface {
	stream.Tournaments
	History(ctx context.Context, id string) ([]tournament.Change, error)
	Acts(ctx context.Context, id string) ([]tournament.Act, error)
	Advice(t *tournament.Tournament) []pairing.Warning
	Review(t *tournament.Tournament, round int) []pairing.Warning
	Explain(ctx context.Context, t *tournament.Tournament, round int, staff bool) (*pairing.Explanation, error)
}

// Limits of the caches of rendered tournament pages: a large one is slow to render, and all visitors see the same.
const (
	RenderedMax  = 128
	RenderedLife = time.Hour
	ShownMax     = 256
)
