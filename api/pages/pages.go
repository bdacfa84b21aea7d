// Package pages serves the HTML pages: what visitors of a club see of tournaments, games, players and ratings.
//
// Every page is complete without scripts. Two small modules in static/ add to it: they follow a page's stream of
// changes and put the new parts in place of the old ones, and let clocks tick and times show in the reader's zone.
// Templates hold all words; Go code fills in the values. A game is only ever shown through its projection for the
// visitor, so that a page cannot tell more than the API. Who visits, the server has put into the request's context
// (auth.With). There is one file for each page.
package pages

import (
	"context"
	"html/template"
	"log/slog"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/text/language"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/internal/ttlcache"
	"quatuor/api/pages/board"
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

// Pages are the pages of one installation.
type Pages struct {
	Config
	commands    *command.Service
	targets     map[string]command.Target // of the forms, by route
	texts       *message.Catalogue
	languages   languages
	assets      assets
	deskChanges *stream.TournamentFeed // says that a tournament has changed
	gameFeeds   map[language.Tag][4]*stream.GameFeed
	eventFeeds  map[language.Tag]map[tab]*stream.TournamentFeed
	rendered    *ttlcache.Cache[renderedKey, template.HTML]
	shown       *ttlcache.Cache[shownGame, template.HTML]
	paint       *board.Paint
	pictures    *ttlcache.Cache[pictureKey, []byte]
}

// New returns the pages. An error in an embedded template or text is a mistake in the program and panics.
func New(d Config) *Pages {
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
	p := &Pages{Config: d, targets: map[string]command.Target{}, commands: d.Commands, assets: loadAssets(), rendered: ttlcache.New[renderedKey, template.HTML](renderedMax, renderedLife, d.Now)}
	p.shown = ttlcache.New[shownGame, template.HTML](shownMax, renderedLife, d.Now)
	p.pictures = ttlcache.New[pictureKey, []byte](renderedMax, renderedLife, d.Now)
	p.paint = newPaint(p.assets)
	p.texts = message.Load()
	p.languages = newLanguages(p.texts, p.functions)
	p.deskChanges = d.Hub.TournamentFeed(d.Tournaments, deskChanged)
	p.gameFeeds, p.eventFeeds = map[language.Tag][4]*stream.GameFeed{}, map[language.Tag]map[tab]*stream.TournamentFeed{}
	for _, in := range p.texts.All() {
		p.gameFeeds[in.Tag], p.eventFeeds[in.Tag] = p.newGameFeeds(in), p.tournamentFeeds(in)
	}
	return p
}

// Mount adds the pages and their static files to a server.
func (p *Pages) Mount(e *echo.Echo) {
	p.mountTournaments(e)
	p.mountGames(e)
	p.mountReaders(e)
	p.mountPaper(e)
	p.mountLogin(e)
	p.mountAccounts(e)
	p.mountDesk(e)
	p.mountPhones(e)
	p.pages(e, map[string]echo.HandlerFunc{"/live": p.live})
	e.Match([]string{http.MethodGet, http.MethodHead}, "/static/:file", p.static)
}

// pageLength is how many lines a list shows at once.
const pageLength = 50
