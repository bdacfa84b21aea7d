// Package entries carries out what players do with their own entries in tournaments: they enter and leave, check in, and
// agree to be in a team.
package entries

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/kit"
	"quatuor/tournament"
)

// Pages are the forms of players for their own entries.
type Pages struct{ *kit.Kit }

// New returns the forms of players for their own entries.
func New(k *kit.Kit) *Pages { return &Pages{k} }

// Mount adds the forms.
func (p *Pages) Mount(e *echo.Echo) {
	p.Post(e, "/tournaments/:id/entries/:entry/agree", command.OnTournament, p.agree)
	p.Post(e, "/tournaments/:id/entries/:entry/decline", command.OnTournament, p.refuse)
	p.Post(e, "/tournaments/:id/register", command.OnTournament, p.register)
	p.Post(e, "/tournaments/:id/entries/:entry/leave", command.OnTournament, p.leave)
	p.Post(e, "/tournaments/:id/entries/:entry/arrive", command.OnTournament, p.arrive)
}

// Own is what a visitor can do with their own entry, on the page of a tournament.
type Own struct {
	Asking []TeamLine // teams that wait for the visitor
	Self   *selfLine  // the visitor's own entry, which can check in now
	Part   *partLine  // whether the visitor takes part, and can change it; nil to show none
}

// Of returns what a visitor can do with their own entry in a tournament.
func (p *Pages) Of(t *tournament.Tournament, who auth.Identity) (own Own, err error) {
	own.Asking, own.Self = teamsAsking(t, who.PlayerID), checkInOf(t, who.PlayerID)
	own.Part, err = p.takingPart(t, who)
	return own, err
}
