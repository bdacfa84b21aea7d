// Package kit is the foundation of all pages: templates and translations, response headers, live updates, and forms
// with their error messages.
package kit

import (
	"context"
	"html/template"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/internal/ttlcache"
	"quatuor/api/pages/message"
	"quatuor/api/pages/ports"
	"quatuor/api/settings"
	"quatuor/api/stream"
	"quatuor/engine/botid"
)

// Config holds the dependencies of the pages.
type Config struct {
	ports.Ports
	Commands *command.Service // without Guard, only to read series
	Hub      *stream.Hub

	Club func(context.Context) settings.Current // the settings in force

	Now    func() time.Time
	Logger *slog.Logger
	Logo   *Logo // of the club; nil for none
	Design bool  // the page /design is served
}

// Kit renders and serves the pages of an installation.
type Kit struct {
	Config
	Texts     *message.Catalogue
	Assets    Assets
	languages languages
	targets   map[string]command.Target // of forms, by route

	pages      map[string]livePage // by route
	renderings chan struct{}       // pages that are rendered again now
	kept       *ttlcache.Cache[keptKey, keptPart]
}

// New returns a kit. The functions are added to its template functions. It panics on an error in an embedded text,
// which is a bug.
func New(d Config, functions ...func(*message.Printer) template.FuncMap) *Kit {
	k := &Kit{
		Config: d, Texts: message.Load(), Assets: loadAssets(), targets: map[string]command.Target{},
		pages: map[string]livePage{}, renderings: make(chan struct{}, maxRenderings()),
	}
	k.kept = newKept(k)
	k.languages = newLanguages(k.Texts, func(in *message.Printer) template.FuncMap {
		all := k.functions(in)
		for _, more := range functions {
			maps.Copy(all, more(in))
		}
		return all
	})
	return k
}

// PageLength is the number of rows on a page of a list.
const PageLength = 50

// Limits of the caches of rendered tournament pages: a large page is slow to render, and all visitors see the same.
const (
	RenderedMax  = 128
	RenderedLife = time.Hour
	ShownMax     = 256
)

// Session returns the visitor's identity. An anonymous visitor is redirected to the login page; then ok is false.
func (k *Kit) Session(c echo.Context) (who auth.Identity, ok bool, err error) {
	who = auth.Session(c)
	if !who.Anonymous() {
		return who, true, nil
	}
	target := "/login?next=" + c.Path()
	if c.Request().Method != http.MethodGet {
		target = "/login"
	}
	return who, false, c.Redirect(http.StatusSeeOther, target)
}

// ToLogin redirects to the login page, which continues to next.
func (k *Kit) ToLogin(c echo.Context, next string) error {
	return c.Redirect(http.StatusSeeOther, "/login?next="+url.QueryEscape(next))
}

// VisitingPlayer returns the visitor's identity, if it may play; otherwise it has responded, and ok is false.
func (k *Kit) VisitingPlayer(c echo.Context, back string) (who auth.Identity, ok bool, err error) {
	who = auth.Session(c)
	if who.Anonymous() {
		return who, false, k.ToLogin(c, back)
	}
	if err := who.Demand(who.Level(), auth.PlayGames); err != nil || who.PlayerID == "" {
		return who, false, echo.NewHTTPError(http.StatusForbidden).SetInternal(err)
	}
	return who, true, nil
}

// Person is a player's name and id; the zero Person is an open seat.
type Person struct{ ID, Name string }

// Bot returns the level of a bot, 0 for a player. A bot has no page.
func (p Person) Bot() int { return botid.Level(p.ID) }

// People maps ids to names.
type People map[string]string

// Look fetches the names of players in a single query. Empty and repeated ids, and those of bots, are skipped.
func (k *Kit) Look(ctx context.Context, ids ...string) (People, error) {
	found, err := k.Found(ctx, ids...)
	names := make(People, len(found))
	for id, p := range found {
		names[id] = p.Name
	}
	return names, err
}

// Person returns the player or bot with an id; the name of a player not found is the id.
func (l People) Person(id string) Person {
	if level := botid.Level(id); level > 0 {
		return Person{id, botid.Name(level)}
	}
	if name, ok := l[id]; ok {
		return Person{id, name}
	}
	return Person{id, id}
}

// LongestName is the maximum length of a name in a search, characters.
const LongestName = 200
