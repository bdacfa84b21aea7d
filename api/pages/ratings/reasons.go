package ratings

import (
	"context"
	"html/template"
	"math"
	"strconv"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/pages/chart"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/rating/ledger"
	"quatuor/rating/systems"
	"quatuor/tournament/club"
)

// ratingReasons explains a player's rating in a list, game by game, the latest first.
type ratingReasons struct {
	club.Player
	List     string
	System   string // rating.System.Name
	Rules    string
	Now      *ledger.Ranked // nil where the player has no rating yet
	Band     string
	Games    []ratedGame
	From, To string // the rating before the first and after the last of these games
	Sum      string // of their changes
	Older    int    // Seq of the first of the older games, 0 if none
	Prospect *Prospect
	// Uncounted are the latest games not counted under the rules; on the first page only.
	Uncounted []ledger.OmittedGame
}

// ratedGame is a game and its rating change.
type ratedGame struct {
	systems.Explanation
	Partners []kit.Person
	Against  []comparison
	Change   string // with its sign, to the hundredth
	Before   string
	After    string
}

// comparison is a side that a player is compared with.
type comparison struct {
	systems.Opposition
	People []kit.Person
	Points string // with its sign; "" where the system does not add comparisons up
}

// ratingReasons serves the explanation of a player's rating.
func (p *Pages) ratingReasons(c echo.Context) error {
	ctx, in := c.Request().Context(), p.Reader(c)
	who, err := p.Players.Player(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	b := ratingReasons{Player: who, List: c.Param("list")}
	before, wrong := strconv.ParseInt(c.QueryParam("before"), 10, 64)
	history, err := p.Lists.History(ctx, p.Ratings, b.List, who.ID, before)
	if err != nil {
		return err
	}
	if c.QueryParam("before") != "" && (wrong != nil || before < 1) || history.Unrated {
		return kit.ErrMissing
	}
	b.Older, b.Uncounted = int(history.Older), history.Uncounted
	if b.Games, err = p.explained(ctx, in, who.ID, history.Changes); err != nil {
		return err
	}
	if n := len(b.Games); n > 0 {
		first, last := b.Games[n-1], b.Games[0]
		sum := int64(0)
		for i := range b.Games {
			sum += b.Games[i].Cents
		}
		b.From = first.Before
		b.To = last.After
		b.Sum = signed(in, sum)
	}
	rules := p.Lists.Rules(b.List)
	b.System, b.Rules = rules.System.Name(), rules.Text
	places, err := p.Ratings.OfPlayer(ctx, who.ID)
	if err != nil {
		return err
	}
	for i := range places {
		if places[i].List == b.List {
			b.Now, b.Band = &places[i], p.Lists.Shown(b.List).Band(places[i].Rating.Value)
		}
	}
	if b.Prospect, err = p.Against(c, b.List, who.ID); err != nil {
		return err
	}
	return p.Show(c, "rating-reasons", "players", b)
}

// explained returns why games changed a player's rating, in words.
func (p *Pages) explained(
	ctx context.Context, in *message.Printer, player string, changes []systems.Explanation,
) ([]ratedGame, error) {
	var all []string
	for _, e := range changes {
		all = append(all, e.Game.Players...)
	}
	named, err := p.Look(ctx, all...)
	if err != nil {
		return nil, err
	}
	var out []ratedGame
	for _, e := range changes {
		g := ratedGame{
			Explanation: e, Change: signed(in, e.Cents), Before: in.Fixed(e.Before, 2), After: in.Fixed(e.After, 2),
		}
		for _, id := range e.Own.Players {
			if id != player {
				g.Partners = append(g.Partners, named.Person(id))
			}
		}
		for _, o := range e.Vs {
			v := comparison{Opposition: o}
			if o.Additive {
				v.Points = signed(in, o.Cents)
			}
			for _, id := range o.Players {
				v.People = append(v.People, named.Person(id))
			}
			g.Against = append(g.Against, v)
		}
		out = append(out, g)
	}
	return out, nil
}

// Against returns how a game against a player would change the reader's rating; nil if it would not.
func (p *Pages) Against(c echo.Context, list, player string) (*Prospect, error) {
	me := auth.From(c.Request().Context()).PlayerID
	if me == "" || me == player {
		return nil, nil //nolint:nilnil // nothing to show
	}
	return p.prospect(c.Request().Context(), list, [][]string{{me}, {player}}, me)
}

// signed returns hundredths with their sign.
func signed(in *message.Printer, cents int64) string {
	text := in.Fixed(math.Abs(float64(cents))/100, 2)
	if cents > 0 {
		return "+" + text
	}
	return kit.Minus(text, cents < 0)
}

// DrawHistory draws the rating after each game, from the rating before the first.
func (p *Pages) DrawHistory(in *message.Printer, list, name string, history []ledger.Row) template.HTML {
	if len(history) < 2 {
		return ""
	}
	points := []chart.Point{{At: history[0].At, Value: history[0].Before}}
	for _, row := range history {
		points = append(points, chart.Point{At: row.At, Value: row.After})
	}
	return chart.Draw(points, chart.Picture{
		ID: "chart-" + message.Family(list) + "-" + kit.Class(list), Title: name, In: in, Zone: p.Zone(),
	})
}
