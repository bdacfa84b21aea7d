package play

import (
	"context"
	"html/template"

	"golang.org/x/text/language"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/api/stream"
	"quatuor/engine"
	"quatuor/engine/table"
)

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
