// Package play is the pages of games: to watch, to play, to look through and to find an opponent.
package play

import (
	"context"
	"html/template"
	"sync"

	"golang.org/x/text/language"
	"quatuor/api/internal/ttlcache"
	"quatuor/api/pages/board"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/api/stream"
	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/table"
)

// Pages are the pages of games.
type Pages struct {
	*kit.Kit
	gameFeeds map[language.Tag][4]*stream.GameFeed
	shown     *ttlcache.Cache[shownGame, template.HTML]
	paint     func() *board.Paint
	pictures  *ttlcache.Cache[kit.PictureKey, []byte] // shared with those of tournaments
}

// New returns the pages of games.
func New(k *kit.Kit, pictures *ttlcache.Cache[kit.PictureKey, []byte]) *Pages {
	p := &Pages{Kit: k, gameFeeds: map[language.Tag][4]*stream.GameFeed{}, pictures: pictures}
	p.paint = sync.OnceValue(func() *board.Paint { return newPaint(k.Assets) })
	p.shown = ttlcache.New[shownGame, template.HTML](kit.ShownMax, kit.RenderedLife, k.Now)
	for _, in := range k.Texts.All() {
		p.gameFeeds[in.Tag] = p.newGameFeeds(in)
	}
	return p
}

// Functions are for the templates that show games.
func Functions(in *message.Printer) template.FuncMap {
	return template.FuncMap{
		"seatNames": func(seats []SeatBody) (string, error) { return seatNames(in, seats) },
		"moveWords": func(variant, token string) string {
			return catalog.FaceOf(variant).Choice(board.Words(in), nil, 0, token).Words
		},
	}
}

// shownGame names a rendering of a game's page for a class of viewers.
type shownGame struct {
	id      string
	version int64
	viewer  engine.Viewer
	past    bool // as it was, not as it is
	in      language.Tag
	flip    int
}

// GameChange makes the data of an event on the page of a game.
func (p *Pages) GameChange(
	ctx context.Context, look GameLook, s *table.Snapshot, v engine.Viewer, since int64,
) ([]byte, error) {
	var before template.HTML
	if since > 0 {
		before, _ = p.shown.Get(shownGame{s.Game.ID, since, v, s.Past(), look.In.Tag, look.Flip})
	}
	body, err := p.gameBody(ctx, look, s, v)
	if err != nil {
		return nil, err
	}
	return kit.Difference(before, body.Rendered), nil
}

// renderGame renders the changing parts of a game's page, and caches them as the base of later deltas.
func (p *Pages) renderGame(look GameLook, s *table.Snapshot, v engine.Viewer, g *GameBody) error {
	html, err := p.Render(look.In, "game", "live", g)
	g.Rendered = template.HTML(html) // templates escape their values
	if err == nil && look.now == nil {
		key := shownGame{g.ID, g.Version, v, s.Past(), look.In.Tag, look.Flip}
		p.shown.Keep(p.shown.Epoch(), key, g.Rendered, p.Now().Add(kit.RenderedLife))
	}
	return err
}

// newGameFeeds returns the game streams of a language, by turns of the board. Each renders a change once for each class
// of readers, and sends a delta to the readers of the version before it.
func (p *Pages) newGameFeeds(in *message.Printer) (feeds [4]*stream.GameFeed) {
	for flip := range feeds {
		look := GameLook{In: in, Flip: flip}
		feeds[flip] = p.Hub.GameFeed(p.Games, func(
			ctx context.Context, s *table.Snapshot, v engine.Viewer, since int64,
		) ([]byte, error) {
			return p.GameChange(ctx, look, s, v, since)
		})
	}
	return feeds
}
