// Package matches serves the pages of matches between teams: a match, and the visitor's own team. Captains file line-ups
// there and agree on dates; arbiters enter results.
package matches

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/command"
	"quatuor/api/pages/kit"
)

// Pages are the pages of matches.
type Pages struct{ *kit.Kit }

// New returns the pages of matches.
func New(k *kit.Kit) *Pages { return &Pages{k} }

// Mount adds the pages to a server.
func (p *Pages) Mount(e *echo.Echo) {
	const match, team = "/tournaments/:id/matches/:round/:number", "/tournaments/:id/team"
	p.Routes(e, map[string]echo.HandlerFunc{match: p.match, team: p.myTeam})
	p.Post(e, match+"/lineup", command.OnTournament, p.fileLineUp)
	p.Post(e, match+"/reopen", command.OnTournament, p.reopen)
	p.Post(e, match+"/date", command.OnTournament, p.dateMatch)
	p.Post(e, match+"/boards/:board", command.OnTournament, p.setMatchBoard)
	for _, route := range []string{match, team} {
		p.Live(route, kit.Soon, func(c echo.Context) []string { return []string{kit.TournamentTopic(c)} })
	}
}
