// Package moves carries out what players do in a game by a form: moves, offers and their answers, calls for the arbiter.
package moves

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/command"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/play"
)

// Pages are the forms of players in games.
type Pages struct {
	*kit.Kit
	play *play.Pages
}

// New returns the forms of players in games.
func New(k *kit.Kit, games *play.Pages) *Pages { return &Pages{k, games} }

// Mount adds the forms.
func (p *Pages) Mount(e *echo.Echo) {
	p.Post(e, "/games/:id/accept", command.AcceptInvitation.Target(), p.accept)
	p.Post(e, "/games/:id/decline", command.DeclineInvitation.Target(), p.decline)
	p.Post(e, "/games/:id/move", command.Move.Target(), p.move)
	p.Post(e, "/games/:id/draw", command.OfferDraw.Target(), p.draw)
	p.Post(e, "/games/:id/resign", command.Resign.Target(), p.resign)
	p.Post(e, "/games/:id/back", command.AskTakeback.Target(), p.takeBack)
	p.Post(e, "/games/:id/rematch", command.Rematch.Target(), p.rematch)
	p.Post(e, "/games/:id/call", command.CallToGame.Target(), p.call)
}
