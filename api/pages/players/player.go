package players

import (
	"context"
	"html/template"
	"net/url"
	"slices"

	"github.com/labstack/echo/v4"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/play"
	"quatuor/api/pages/ratings"
	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/tournament/club"
)

// Maximum numbers of items on a player's page.
const (
	playerGames    = 20  // of the games, on each page
	countedGames   = 200 // the latest, for counting opponents
	shownEvents    = 10
	shownOpponents = 5
)

// playerBody holds the data of the page of a player.
type playerBody struct {
	club.Player
	Rated     record // over all rated games
	InEvents  record // over Events
	Events    []event
	Opponents []opponent
	Ratings   []playerRating
	Shown     *playerRating // of Ratings, the rating with its history; nil if the player has none
	Games     []play.GameLine
	Next      string // cursor of the games
	File      string // address of the games as a file, "" for visitors without an account
}

// playerRating is a player's place in a list and the way there.
type playerRating struct {
	ledger.Ranked
	Highest float64      // the highest rating ever
	Last    int64        // when the last game finished, ms UTC
	History []ledger.Row // newest first
	More    int          // older rows that are not shown

	Chart    template.HTML     // "" with fewer than two points, and for lists that are not shown
	Band     string            // title that goes with the rating
	Prospect *ratings.Prospect // the change of the reader's rating by a game against the player
}

func (p *Pages) player(c echo.Context) error {
	ctx := c.Request().Context()
	who, err := p.Players.Player(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	body := playerBody{Player: who, File: play.GamesFile(c, url.Values{"player": {who.ID}})}
	if err := p.addRatings(c, &body); err != nil {
		return err
	}
	if err := p.addMeetings(ctx, &body); err != nil {
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

// addMeetings adds the tournaments and the opponents.
func (p *Pages) addMeetings(ctx context.Context, b *playerBody) (err error) {
	if b.Events, err = p.events(ctx, b.ID); err != nil {
		return err
	}
	for _, e := range b.Events {
		b.InEvents.Won += e.Results.Won
		b.InEvents.Drawn += e.Results.Drawn
		b.InEvents.Lost += e.Results.Lost
		b.InEvents.Between = b.InEvents.Between || e.Results.Between
	}
	b.Opponents, err = p.frequentOpponents(ctx, b.ID)
	return err
}

// addRatings adds the ratings, and the course of the list of the address or of the list played last.
func (p *Pages) addRatings(c echo.Context, b *playerBody) error {
	ctx := c.Request().Context()
	places, err := p.Ratings.OfPlayer(ctx, b.ID)
	if err != nil {
		return err
	}
	b.Ratings = make([]playerRating, len(places))
	for i, place := range places {
		rows, err := p.Ratings.History(ctx, place.List, b.ID)
		if err != nil {
			return err
		}
		b.Rated.addRows(rows)
		r := playerRating{Ranked: place, Highest: highest(rows), History: rows}
		r.Band = p.Lists.Shown(place.List).Band(place.Rating.Value)
		if len(rows) > 0 {
			r.Last = rows[len(rows)-1].At
		}
		if r.Prospect, err = p.ratings.Against(c, place.List, b.ID); err != nil {
			return err
		}
		b.Ratings[i] = r
	}
	wanted := c.QueryParam("list")
	for i := range b.Ratings {
		r := &b.Ratings[i]
		if r.List == wanted || wanted == "" && (b.Shown == nil || r.Last > b.Shown.Last) {
			b.Shown = r
		}
	}
	if b.Shown == nil {
		if wanted != "" {
			return kit.ErrMissing
		}
		return nil
	}
	p.show(c, b.Shown, b.Name)
	return nil
}

// show draws the course of a rating, and turns its history to the newest first.
func (p *Pages) show(c echo.Context, r *playerRating, name string) {
	r.Chart = p.ratings.DrawHistory(p.Reader(c), r.List, name, r.History)
	shown := min(len(r.History), kit.PageLength)
	r.More = len(r.History) - shown
	r.History = slices.Clone(r.History[r.More:])
	slices.Reverse(r.History)
}

// highest returns the highest rating after a game; 0 without a rating.
func highest(rows []ledger.Row) (value float64) {
	for i := range rows {
		if !rows[i].Unrated {
			value = max(value, rows[i].After)
		}
	}
	return value
}
