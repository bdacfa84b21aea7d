package ratings

import (
	"github.com/labstack/echo/v4"

	"quatuor/rating/ledger"
)

// ratingsBody is what the list of rating lists shows.
type ratingsBody struct{ Lists []ledger.ListSummary }

func (p *Pages) ratings(c echo.Context) error {
	lists, err := p.Ratings.Lists(c.Request().Context())
	if err != nil {
		return err
	}
	return p.Show(c, "ratings", "ratings", ratingsBody{lists})
}
