package players

import (
	"html/template"

	"github.com/labstack/echo/v4"

	"quatuor/api/pages/chart"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/api/pages/play"
	"quatuor/api/pages/tournaments"
	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/tournament/club"
)

// playerGames is the number of a player's games on a page.
const playerGames = 20

// playerBody is what the page of a player shows.
type playerBody struct {
	club.Player
	Ratings []playerRating
	Games   []play.GameLine
	Next    string // cursor of the games
}

// playerRating is a player's place in one list and the way there.
type playerRating struct {
	ledger.Ranked
	Chart   template.HTML // "" with fewer than two points
	History []ledger.Row  // newest first
	More    int           // older rows that are not shown

	Band     string                // title that goes with the rating
	Prospect *tournaments.Prospect // the change of the reader's rating by a game against the player
}

func (p *Pages) player(c echo.Context) error {
	ctx := c.Request().Context()
	who, err := p.Players.Player(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	body := playerBody{Player: who}
	if body.Ratings, err = p.playerRatings(c, who); err != nil {
		return err
	}
	rows, next, err := p.GameList.List(ctx, table.Filter{Player: who.ID}, playerGames, c.QueryParam("cursor"))
	if err != nil {
		return err
	}
	body.Next = next
	if body.Games, err = p.play.GameLines(ctx, rows); err != nil {
		return err
	}
	return p.Show(c, "player", "players", body)
}

func (p *Pages) playerRatings(c echo.Context, who club.Player) ([]playerRating, error) {
	ctx, in := c.Request().Context(), p.Reader(c)
	places, err := p.Ratings.OfPlayer(ctx, who.ID)
	if err != nil {
		return nil, err
	}
	ratings := make([]playerRating, len(places))
	for i, place := range places {
		history, err := p.Ratings.History(ctx, place.List, who.ID)
		if err != nil {
			return nil, err
		}
		ratings[i] = playerRating{Ranked: place, Chart: p.drawHistory(in, place.List, who.Name, history)}
		ratings[i].Band = p.Lists.Shown(place.List).Band(place.Rating.Value)
		if ratings[i].Prospect, err = p.against(c, place.List, who.ID); err != nil {
			return nil, err
		}
		shown := min(len(history), kit.PageLength)
		ratings[i].More = len(history) - shown
		for j := range shown {
			ratings[i].History = append(ratings[i].History, history[len(history)-1-j])
		}
	}
	return ratings, nil
}

// drawHistory draws the rating after each game, from the one before the first.
func (p *Pages) drawHistory(in *message.Printer, list, name string, history []ledger.Row) template.HTML {
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
