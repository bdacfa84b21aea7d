// Package ratings serves the rating lists, and explains ratings: how each came about, and the effect of a game.
package ratings

import (
	"html/template"
	"net/http"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"

	"quatuor/api/contract"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/rating/ledger"
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

// ratingsBody holds the list of rating lists.
type ratingsBody struct{ Lists []ledger.ListSummary }

func (p *Pages) ratings(c echo.Context) error {
	lists, err := p.Ratings.Lists(c.Request().Context())
	if err != nil {
		return err
	}
	return p.Show(c, "ratings", "ratings", ratingsBody{lists})
}

// rankingBody holds the data of the page of a rating list.
type rankingBody struct {
	List        string
	At          string // the list at the start of this day, "" for now
	Day         string // the same in the reader's manner
	Latest      string // the latest day allowed
	Active      bool   // only players with a game in the year before
	Wrong       bool   // At is no day
	Players     []ledger.Ranked
	Provisional int    // ratings after fewer games are marked
	Next        string // address of the next page
	Rules       string // the rules of the list
	Bands       bool   // ratings have titles

	shown systems.Shown
}

// File returns the address of the same list as a file of a kind.
func (b rankingBody) File(kind string) string {
	q := b.query("")
	q.Set("format", kind)
	return contract.BasePath + "/ratings/" + url.PathEscape(b.List) + "/export?" + q.Encode()
}

// Band returns the title that goes with a rating.
func (b rankingBody) Band(r ledger.Ranked) string { return b.shown.Band(r.Rating.Value) }

// Mark reports whether a rating is provisional.
func (b rankingBody) Mark(r ledger.Ranked) bool { return r.Rating.Games < b.Provisional }

func (p *Pages) ranking(c echo.Context) error {
	ctx, zone := c.Request().Context(), p.Club(c.Request().Context()).Zone
	body := rankingBody{
		List: c.Param("list"), At: c.QueryParam("at"),
		Active: c.QueryParam("active") == "true", Provisional: p.Lists.Shown(c.Param("list")).Provisional,
		Latest: p.Now().In(zone).Format(time.DateOnly),
	}
	body.Rules, body.shown = p.Lists.Rules(body.List).Text, p.Lists.Shown(body.List)
	body.Bands = len(body.shown.Bands) > 0
	wanted := ledger.Wanted{List: body.List, Active: body.Active}
	if body.At != "" {
		day, err := time.Parse(time.DateOnly, body.At) // lists are of days in UTC for every reader
		if err != nil {
			body.Wrong, body.At = true, ""
			return p.Answer(c, http.StatusBadRequest, "ranking", kit.Frame{Section: "ratings", Body: body})
		}
		wanted.Day, body.Day = day, p.Reader(c).Date(day)
	}
	players, next, err := p.Lists.ListAt(ctx, p.Ratings, wanted, p.Now(), kit.PageLength, c.QueryParam("cursor"))
	if err != nil {
		return err
	}
	body.Players = players
	if len(body.Players) == 0 && body.At == "" && !body.Active {
		return kit.ErrMissing
	}
	if next != "" {
		body.Next = "?" + body.query(next).Encode()
	}
	return p.Show(c, "ranking", "ratings", body)
}

// query returns the parameters of the same list, from a cursor on.
func (b rankingBody) query(cursor string) url.Values {
	q := url.Values{}
	for key, value := range map[string]string{"at": b.At, "cursor": cursor} {
		if value != "" {
			q.Set(key, value)
		}
	}
	if b.Active {
		q.Set("active", "true")
	}
	return q
}
