// Package analysis serves the analysis board, on which moves are tried without a game.
package analysis

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/play"
)

// Pages are the pages of the analysis board.
type Pages struct {
	*kit.Kit
	play *play.Pages
}

// New returns the pages of the analysis board.
func New(k *kit.Kit, games *play.Pages) *Pages { return &Pages{k, games} }

// Mount adds the analysis board.
func (p *Pages) Mount(e *echo.Echo) {
	p.Routes(e, map[string]echo.HandlerFunc{
		kit.AnalysisPath:      p.analysis,
		"/games/:id/analysis": p.analyseGame,
	})
}
