// Package tournaments serves the pages of tournaments: the list of them, and the tabs and the wall of each.
package tournaments

import (
	"html/template"

	"golang.org/x/text/language"

	"quatuor/api/internal/ttlcache"
	"quatuor/api/pages/entries"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/api/pages/play"
	"quatuor/api/stream"
	"quatuor/tournament"
)

// Pages are the pages of tournaments.
type Pages struct {
	*kit.Kit
	play       *play.Pages
	entries    *entries.Pages
	eventFeeds map[language.Tag]map[Tab]*stream.TournamentFeed
	rendered   *ttlcache.Cache[renderedKey, template.HTML]
}

// New returns the pages of tournaments.
func New(k *kit.Kit, games *play.Pages, own *entries.Pages) *Pages {
	p := &Pages{Kit: k, play: games, entries: own, eventFeeds: map[language.Tag]map[Tab]*stream.TournamentFeed{}}
	p.rendered = ttlcache.New[renderedKey, template.HTML](kit.RenderedMax, kit.RenderedLife, k.Now)
	for _, in := range k.Texts.All() {
		p.eventFeeds[in.Tag] = p.tournamentFeeds(in)
	}
	return p
}

// Functions are for the templates that show points.
func Functions(in *message.Printer) template.FuncMap {
	return template.FuncMap{
		"points": in.Points,
		"half":   half,
	}
}

// half returns the class that aligns points with a half and without; "" for other fractions.
func half(p tournament.Points) string { return kit.HalfClass(p.String()) }
