// Package tournaments serves the pages of tournaments, and the forms with which players manage their own entries.
package tournaments

import (
	"html/template"

	"golang.org/x/text/language"

	"quatuor/api/internal/ttlcache"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/api/pages/play"
	"quatuor/api/stream"
	"quatuor/tournament"
	"quatuor/tournament/prizes"
)

// Pages are the pages of tournaments.
type Pages struct {
	*kit.Kit
	play       *play.Pages
	eventFeeds map[language.Tag]map[Tab]*stream.TournamentFeed
	rendered   *ttlcache.Cache[renderedKey, template.HTML]
	podiums    *ttlcache.Cache[podiumKey, []Place]
}

// New returns the pages of tournaments.
func New(k *kit.Kit, games *play.Pages) *Pages {
	p := &Pages{Kit: k, play: games, eventFeeds: map[language.Tag]map[Tab]*stream.TournamentFeed{}}
	p.rendered = ttlcache.New[renderedKey, template.HTML](kit.RenderedMax, kit.RenderedLife, k.Now)
	p.podiums = ttlcache.New[podiumKey, []Place](kit.RenderedMax, kit.RenderedLife, k.Now)
	for _, in := range k.Texts.All() {
		p.eventFeeds[in.Tag] = p.tournamentFeeds(in)
	}
	return p
}

// Functions are for the templates that show points and prizes.
func Functions(in *message.Printer) template.FuncMap {
	return template.FuncMap{
		"points": in.Points,
		"half":   half,
		"coins":  coins,
		"money":  func(amount int64) string { return in.Decimal(prizes.Money(amount)) },
	}
}

// half returns the class by which points with a half and without stand below each other; "" for other fractions.
func half(p tournament.Points) string {
	switch p % 10 {
	case 0:
		return "whole"
	case 5, -5:
		return "half"
	}
	return ""
}

// coins returns the class by which amounts with hundredths and without stand below each other.
func coins(amount int64) string {
	if amount%100 == 0 {
		return "no-cents"
	}
	return "cents"
}
