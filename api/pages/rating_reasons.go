package pages

import (
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/internal/roster"
	"quatuor/api/pages/message"
	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/rating/ledger"
	"quatuor/rating/systems"
	"quatuor/tournament"
	"quatuor/tournament/club"
)

// reasonsShown is how many games the page of a rating explains at once.
const reasonsShown = 50

// uncountedShown is how many games without a change are looked at.
const uncountedShown = 20

// ratingReasons explains a player's rating in one list, game by game, the latest first.
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
	Older    int    // Seq from which older ones are asked for, 0 if there are none
	Prospect *prospect
	// Uncounted are the latest games that the rules did not let count, on the first page.
	Uncounted []ledger.OmittedGame
}

// ratedGame is one game and what it did.
type ratedGame struct {
	systems.Explanation
	Partners []person
	Against  []comparison
	Change   string // with its sign, to the hundredth
	Before   string
	After    string
}

// comparison is one side that a player is compared with.
type comparison struct {
	systems.Opposition
	People []person
	Points string // with its sign; "" where the system does not add comparisons up
}

// prospect is what a game would do to a rating.
type prospect struct {
	systems.Prospect
	Name string // whose rating; "" where that is clear
}

// ratingReasons shows why a player's rating is what it is.
func (p *Pages) ratingReasons(c echo.Context) error {
	ctx, in := c.Request().Context(), p.reader(c)
	who, err := p.Players.Player(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	b := ratingReasons{Player: who, List: c.Param("list")}
	rows, err := p.Ratings.History(ctx, b.List, who.ID)
	if err != nil {
		return err
	}
	before, err := strconv.ParseInt(c.QueryParam("before"), 10, 64)
	if c.QueryParam("before") != "" && (err != nil || before < 1) || len(rows) == 0 {
		return errMissing
	}
	if before > 0 {
		rows = slices.DeleteFunc(rows, func(r ledger.Row) bool { return r.Seq >= before })
	}
	if before == 0 {
		if b.Uncounted, err = ledger.OmittedOf(ctx, p.Ratings, p.Lists, b.List, who.ID, uncountedShown); err != nil {
			return err
		}
	}
	if b.Games, err = p.explained(ctx, in, who.ID, rows[max(0, len(rows)-reasonsShown):]); err != nil {
		return err
	}
	if n := len(b.Games); n > 0 {
		first, last := b.Games[0], b.Games[n-1]
		sum := int64(0)
		for i := range b.Games {
			sum += b.Games[i].Cents
		}
		b.From, b.To, b.Sum = first.Before, last.After, signed(in, sum)
		slices.Reverse(b.Games)
	}
	if len(rows) > reasonsShown {
		b.Older = int(rows[len(rows)-reasonsShown].Seq)
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
	if b.Prospect, err = p.against(c, b.List, who.ID); err != nil {
		return err
	}
	return p.show(c, "rating-reasons", "players", b)
}

// explained returns why games changed a player's rating, in order.
func (p *Pages) explained(ctx context.Context, in *message.Printer, player string, rows []ledger.Row) ([]ratedGame, error) {
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.GameID
	}
	games, err := p.Ratings.Games(ctx, ids)
	if err != nil {
		return nil, err
	}
	var all []string
	for _, g := range games {
		all = append(all, g.Players...)
	}
	named, err := p.look(ctx, all...)
	if err != nil {
		return nil, err
	}
	var out []ratedGame
	for _, id := range ids {
		e, ok := p.Lists.Explain(games[id], player)
		if !ok {
			continue // corrected meanwhile
		}
		g := ratedGame{Explanation: e, Change: signed(in, e.Cents), Before: in.Fixed(e.Before, 2), After: in.Fixed(e.After, 2)}
		for _, id := range e.Own.Players {
			if id != player {
				g.Partners = append(g.Partners, named.person(id))
			}
		}
		for _, o := range e.Vs {
			v := comparison{Opposition: o}
			if o.Additive {
				v.Points = signed(in, o.Cents)
			}
			for _, id := range o.Players {
				v.People = append(v.People, named.person(id))
			}
			g.Against = append(g.Against, v)
		}
		out = append(out, g)
	}
	return out, nil
}

// against returns what a game against a player would do to the reader's rating; nil where there is nothing to say.
func (p *Pages) against(c echo.Context, list, player string) (*prospect, error) {
	me := auth.From(c.Request().Context()).PlayerID
	if me == "" || me == player {
		return nil, nil //nolint:nilnil // nothing to show is no error
	}
	return p.prospect(c.Request().Context(), list, [][]string{{me}, {player}}, me)
}

// prospect returns what a game would do to a player's rating; nil if it would not be rated.
func (p *Pages) prospect(ctx context.Context, list string, sides [][]string, player string) (*prospect, error) {
	would, rated, err := p.Lists.Prospect(ctx, p.Ratings, list, sides, player, p.Now())
	if err != nil || !rated {
		return nil, err
	}
	return &prospect{Prospect: would}, nil
}

// prospects returns what the game of an entry in a round would do to the ratings of its members.
func (p *Pages) prospects(ctx context.Context, t *tournament.Tournament, entry tournament.Entry, r cardRound) ([]prospect, error) {
	list, ok := roster.ListOf(t)
	rules, err := catalog.Find(t.Variant)
	if err != nil || !ok || !t.Rated || r.Board == 0 {
		return nil, nil //nolint:nilerr // of a variant that is not played any more nothing can be said
	}
	pair, err := t.Pairing(r.Number, r.Board)
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
	named, err := p.look(ctx, entry.Members...)
	if err != nil {
		return nil, err
	}
	var out []prospect
	for _, member := range entry.Members {
		would, err := p.prospect(ctx, list, sides, member)
		if err != nil {
			return nil, err
		}
		if would == nil {
			continue
		}
		if len(entry.Members) > 1 {
			would.Name = named.person(member).Name
		}
		out = append(out, *would)
	}
	return out, nil
}

// tenths returns a change of a rating with its sign, to the tenth.
func tenths(in *message.Printer) func(v float64) string {
	return func(v float64) string {
		if v = math.Round(v*10) / 10; v > 0 {
			return "+" + in.Fixed(v, 1)
		}
		return minus(in.Fixed(math.Abs(v), 1), v < 0)
	}
}

// signed returns hundredths with their sign.
func signed(in *message.Printer, cents int64) string {
	text := in.Fixed(math.Abs(float64(cents))/100, 2)
	if cents > 0 {
		return "+" + text
	}
	return minus(text, cents < 0)
}

// minus puts a minus sign before a number that is negative.
func minus(text string, negative bool) string {
	if negative {
		return "−" + text
	}
	return text
}
