// Package pages serves the HTML pages: the visitors' view of tournaments, games, players and ratings.
//
// Every page is complete without scripts. Small modules in static add to it: they follow a page's stream of changes and
// replace the parts that changed, and let clocks tick and times show in the reader's zone. Templates have all texts; Go
// code fills in the values. A game is only shown through its projection for the visitor, so that a page cannot reveal
// more than the API. The visitor's identity is in the request's context (auth.With).
//
// Each area of the pages has a package on top of package kit; templates, texts and styles have the same folders.
package pages

import (
	"context"

	"github.com/labstack/echo/v4"

	"quatuor/api/internal/ttlcache"
	"quatuor/api/pages/accounts"
	"quatuor/api/pages/administration"
	"quatuor/api/pages/analysis"
	"quatuor/api/pages/arbiter"
	"quatuor/api/pages/awards"
	"quatuor/api/pages/cards"
	"quatuor/api/pages/desk"
	"quatuor/api/pages/entries"
	"quatuor/api/pages/history"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/lobby"
	"quatuor/api/pages/matches"
	"quatuor/api/pages/moves"
	"quatuor/api/pages/organise"
	"quatuor/api/pages/paper"
	"quatuor/api/pages/phones"
	"quatuor/api/pages/play"
	"quatuor/api/pages/players"
	"quatuor/api/pages/programs"
	"quatuor/api/pages/ratings"
	"quatuor/api/pages/readers"
	"quatuor/api/pages/reference"
	"quatuor/api/pages/seasons"
	"quatuor/api/pages/tournaments"
)

// Config has the dependencies of the pages.
type Config struct {
	kit.Config
	Accounts       accounts.Config // all three are empty where Guard is nil
	Administration administration.Config
	Programs       programs.Config
}

// Pages are the pages of an installation.
type Pages struct {
	*kit.Kit
	rooms []room
}

// room adds its pages to a server.
type room interface{ Mount(e *echo.Echo) }

// New returns the pages. An error in an embedded template or text is a mistake in the program and panics.
func New(c Config) *Pages {
	k := kit.New(c.Config, play.Functions, tournaments.Functions, awards.Functions, ratings.Functions)
	pictures := ttlcache.New[kit.PictureKey, []byte](kit.RenderedMax, kit.RenderedLife, k.Now)
	games, own, lists, acts := play.New(k, pictures), entries.New(k), ratings.New(k), history.New(k)
	open, card, won, codes := lobby.New(k, games), cards.New(k, lists), awards.New(k), phones.New(k)
	ruled, people := arbiter.New(k, games), accounts.New(k, c.Accounts)
	p := &Pages{k, []room{
		games, analysis.New(k, games), tournaments.New(k, games, own), matches.New(k), card, won, acts,
		paper.New(k, won, pictures), lists, players.New(k, games, lists), readers.New(k, games, open, own, card), seasons.New(k), reference.New(k, c.Accounts.Mail != nil),
	}}
	if k.Guard != nil {
		p.rooms = append(
			p.rooms, open, moves.New(k, games), own, ruled, codes, desk.New(k, ruled, acts, codes),
			organise.New(k), people, administration.New(k, people, c.Administration), programs.New(k, c.Programs),
		)
	}
	return p
}

// Mount adds the pages and their static files to a server.
func (p *Pages) Mount(e *echo.Echo) {
	for _, each := range p.rooms {
		each.Mount(e)
	}
	p.Kit.Mount(e)
}

// Publish prepares the publication of tournaments, all that are public if none is named, in the club's language. The
// pages must have been made without a Guard. The error wraps tournament.ErrNotFound for a tournament that is not public.
func (p *Pages) Publish(ctx context.Context, ids []string) (*paper.Publication, error) {
	return paper.Publish(ctx, p.Kit, p, ids)
}
