// Package ratings serves the rating lists, and explains ratings: how each came about, and the effect of a game.
package ratings

import (
	"context"
	"html/template"
	"net/http"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"
	"quatuor/api/contract"
	"quatuor/api/internal/roster"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/rating/ledger"
	"quatuor/rating/systems"
	"quatuor/tournament"
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

// Prospect is the possible change of a rating by a game.
type Prospect struct {
	systems.Prospect
	Name string // the player; "" where that is clear
}

// prospect returns how a game would change a player's rating; nil if it would not be rated.
func (p *Pages) prospect(ctx context.Context, list string, sides [][]string, player string) (*Prospect, error) {
	would, rated, err := p.Lists.Prospect(ctx, p.Ratings, list, sides, player, p.Now())
	if err != nil || !rated {
		return nil, err
	}
	return &Prospect{Prospect: would}, nil
}

// Prospects returns how an entry's game at a board of a round would change its members' ratings.
func (p *Pages) Prospects(
	ctx context.Context, t *tournament.Tournament, entry tournament.Entry, round, board int,
) ([]Prospect, error) {
	list, ok := roster.ListOf(t)
	rules, err := catalog.Find(t.Variant)
	if err != nil || !ok || !t.Rated || board == 0 {
		return nil, nil //nolint:nilerr // the variant is no longer offered
	}
	pair, err := t.Pairing(round, board)
	if err != nil {
		return nil, err
	}
	info := rules.Info()
	var sides [][]string
	for i, player := range t.Players(pair) {
		side := int(info.SideOf(engine.Seat(i + 1)))
		for len(sides) < side {
			sides = append(sides, nil)
		}
		sides[side-1] = append(sides[side-1], player)
	}
	named, err := p.Look(ctx, entry.Members...)
	if err != nil {
		return nil, err
	}
	var out []Prospect
	for _, member := range entry.Members {
		would, err := p.prospect(ctx, list, sides, member)
		if err != nil {
			return nil, err
		}
		if would == nil {
			continue
		}
		if len(entry.Members) > 1 {
			would.Name = named.Person(member).Name
		}
		out = append(out, *would)
	}
	return out, nil
}
