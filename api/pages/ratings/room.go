// Package ratings serves the rating lists, and explains ratings: how each came about, and what a game would change.
package ratings

import (
	"html/template"

	"github.com/labstack/echo/v4"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/rating/systems"
)

// Pages are the pages of ratings.
type Pages struct{ *kit.Kit }

// New returns the pages of ratings.
func New(k *kit.Kit) *Pages { return &Pages{k} }

// Mount adds the pages to a server.
func (p *Pages) Mount(e *echo.Echo) {
	p.Routes(e, map[string]echo.HandlerFunc{
		"/players/:id/ratings/:list": p.ratingReasons,
		"/ratings":                   p.ratings,
		"/ratings/:list":             p.ranking,
	})
}

// Functions are for the templates that show ratings.
func Functions(*message.Printer) template.FuncMap {
	return template.FuncMap{"period": systems.PeriodName}
}
