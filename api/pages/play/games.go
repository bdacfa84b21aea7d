package play

import (
	"slices"

	"github.com/labstack/echo/v4"

	"quatuor/api/pages/kit"
	"quatuor/engine/table"
)

// gamesBody is what the list of games shows.
type gamesBody struct {
	Status string // the filter, "" for all
	Lines  []GameLine
	Next   string // cursor
}

// gameStatuses are the filters that the list offers.
var gameStatuses = []table.Status{table.Running, table.Finished}

func (p *Pages) games(c echo.Context) error {
	ctx := c.Request().Context()
	body := gamesBody{Status: c.QueryParam("status")}
	var f table.Filter
	if body.Status != "" {
		if !slices.Contains(gameStatuses, table.Status(body.Status)) {
			return kit.ErrMissing
		}
		f.Status, f.Delayed = []table.Status{table.Status(body.Status)}, true
	}
	rows, next, err := p.GameList.List(ctx, f, kit.PageLength, c.QueryParam("cursor"))
	if err != nil {
		return err
	}
	body.Next = next
	if body.Lines, err = p.GameLines(ctx, rows); err != nil {
		return err
	}
	if body.Status != "" { // a delayed game is in the state in which it is shown
		body.Lines = slices.DeleteFunc(body.Lines, func(g GameLine) bool { return string(g.Status) != body.Status })
	}
	return p.Show(c, "games", "games", body)
}
