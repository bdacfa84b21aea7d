package pages

import (
	"context"
	"html/template"

	"golang.org/x/text/language"

	"quatuor/api/pages/delta"
	"quatuor/api/pages/message"
	"quatuor/api/stream"
	"quatuor/engine"
	"quatuor/engine/table"
	"quatuor/tournament"
)

// newGameFeeds returns the streams of games in one language, by how often the board was turned on. Each renders a change
// once for each class of its readers, and sends those who have the version before it what differs.
func (p *Pages) newGameFeeds(in *message.Printer) (feeds [4]*stream.GameFeed) {
	for flip := range feeds {
		look := gameLook{in: in, flip: flip}
		feeds[flip] = p.Hub.GameFeed(p.Games, func(ctx context.Context, s *table.Snapshot, v engine.Viewer, since int64) ([]byte, error) {
			return p.gameChange(ctx, look, s, v, since)
		})
	}
	return feeds
}

// difference returns what a reader is sent who has one rendering of a page's parts and is to have another: the steps
// from one to the other, or the whole where that is shorter or the first is not known any more ("").
func difference(before, after template.HTML) []byte {
	if before == "" {
		return []byte(after)
	}
	steps, err := delta.Steps(string(before), string(after))
	if err != nil || len(steps) > len(after) {
		return []byte(after)
	}
	return steps
}

// tournamentChange makes the data of an event on one tab of a tournament's page.
func (p *Pages) tournamentChange(
	ctx context.Context, in *message.Printer, at tab, t *tournament.Tournament, staff bool, since int64,
) ([]byte, error) {
	if t.Status == tournament.Draft && !staff {
		return nil, nil // it went back into preparation while a reader looked on
	}
	body, err := outline(t, staff, 0)
	if err != nil {
		return nil, err
	}
	if body.Tab, err = body.tabOf(at); err != nil {
		return nil, nil // the tab is gone, with the first round
	}
	body.in = in
	after, err := p.renderTournament(ctx, body)
	if err != nil {
		return nil, err
	}
	key := body.key()
	key.version = since
	before, _ := p.rendered.Get(key) // a page of another round has another key
	return difference(before, after), nil
}

// shownGame names a rendering of a game's page for one class of viewers.
type shownGame struct {
	id      string
	version int64
	viewer  engine.Viewer
	past    bool // as it was, not as it is
	in      language.Tag
	flip    int
}

// gameChange makes the data of an event on the page of a game.
func (p *Pages) gameChange(ctx context.Context, look gameLook, s *table.Snapshot, v engine.Viewer, since int64) ([]byte, error) {
	var before template.HTML
	if since > 0 {
		before, _ = p.shown.Get(shownGame{s.Game.ID, since, v, s.Past(), look.in.Tag, look.flip})
	}
	body, err := p.gameBody(ctx, look, s, v)
	if err != nil {
		return nil, err
	}
	return difference(before, body.Rendered), nil
}

// renderGame renders what changes on the page of a game, and remembers it for those who will ask what has changed
// since.
func (p *Pages) renderGame(look gameLook, s *table.Snapshot, v engine.Viewer, g *gameBody) error {
	html, err := p.render(look.in, "game", "live", g)
	g.Rendered = template.HTML(html) // what a template made is fit to be shown
	if err == nil && look.now == nil {
		key := shownGame{g.ID, g.Version, v, s.Past(), look.in.Tag, look.flip}
		p.shown.Keep(p.shown.Epoch(), key, g.Rendered, p.Now().Add(renderedLife))
	}
	return err
}
