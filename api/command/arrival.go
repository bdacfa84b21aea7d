package command

import (
	"github.com/labstack/echo/v4"

	"quatuor/engine/table"
)

// arrived is the name of a form's arrival in its echo context.
const arrived = "arrival"

// SetArrival hands the arrival of a form that acts on a game to its handler ([ArrivalOf]).
func SetArrival(c echo.Context, a *table.Arrival) { c.Set(arrived, a) }

// ArrivalOf returns the arrival of a form that acts on a game, nil for other requests. It is made as soon as the request
// has been read, long before the handler begins, and ends with the request.
func ArrivalOf(c echo.Context) *table.Arrival {
	a, _ := c.Get(arrived).(*table.Arrival)
	return a
}
