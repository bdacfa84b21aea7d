package pages

import (
	"github.com/labstack/echo/v4"

	"quatuor/rating/ledger"
)

// rankingBody is what one rating list shows.
type rankingBody struct {
	List    string
	Players []ledger.Ranked
	Next    string // cursor
}

func (p *Pages) ranking(c echo.Context) error {
	body := rankingBody{List: c.Param("list")}
	var err error
	body.Players, body.Next, err = p.Ratings.Ranking(c.Request().Context(), body.List, 0, pageLength, c.QueryParam("cursor"))
	if err != nil {
		return err
	}
	if len(body.Players) == 0 {
		return errMissing
	}
	return p.show(c, "ranking", "ratings", body)
}
