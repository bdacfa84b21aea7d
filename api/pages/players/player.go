package players

import (
	"context"
	"html/template"
	"net/url"
	"slices"

	"github.com/labstack/echo/v4"
	"quatuor/api/auth"
	"quatuor/api/pages/entries"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/play"
	"quatuor/api/pages/ratings"
	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/tournament"
	"quatuor/tournament/club"
	"quatuor/tournament/director"
	"quatuor/tournament/standings"
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

// event is a tournament that a player took part in.
type event struct {
	director.Summary
	Number  int // the pairing number; 0 before the start
	Rank    int // 0 before the first result
	Of      int // entries in the standings
	Points  tournament.Points
	Results record
	Mine    []entries.MyTeam // of the visitor, on the own page
}

// eventKey is the cache key of a player's result in a tournament.
type eventKey struct {
	id      string
	version int64
	player  string
}

// events returns the latest tournaments of a player, the newest first.
func (p *Pages) events(ctx context.Context, player string) ([]event, error) {
	f := director.Filter{Player: player, Status: director.PublicStatuses}
	lines, _, err := p.TournamentList.List(ctx, f, shownEvents, "")
	if err != nil {
		return nil, err
	}
	var list []event
	for _, line := range lines {
		t, err := p.Tournaments.Tournament(ctx, line.ID)
		if err != nil {
			return nil, err
		}
		t = t.Public()
		i := slices.IndexFunc(t.Entries, func(e tournament.Entry) bool { return slices.Contains(e.Members, player) })
		if i < 0 || t.Entries[i].Status == tournament.Withdrawn && t.Entries[i].Number == 0 {
			continue
		}
		e, err := p.eventResults.Load(eventKey{t.ID, t.Version, player}, func() (event, error) {
			return eventOf(t, t.Entries[i])
		})
		if err != nil {
			return nil, err
		}
		e.Summary = line
		if player == auth.From(ctx).PlayerID {
			e.Mine = entries.MyTeams(t, player, p.Now().UnixMilli())
		}
		list = append(list, e)
	}
	return list, nil
}

// eventOf returns the result of an entry in the public view of a tournament.
func eventOf(t *tournament.Tournament, entry tournament.Entry) (event, error) {
	e := event{Number: entry.Number}
	if entry.Number == 0 || t.PublishedRounds() == 0 {
		return e, nil
	}
	table, err := standings.After(t, 0)
	if err != nil {
		return e, err
	}
	e.Of = len(table.Rows)
	for _, row := range table.Rows {
		if row.Entry.ID == entry.ID {
			e.Rank, e.Points = row.Rank, row.Points
		}
	}
	for _, round := range t.Rounds {
		for _, pairing := range round.Pairings {
			if seat := slices.Index(pairing.Seats, entry.ID); seat >= 0 {
				e.Results.addPairing(pairing, seat)
			}
		}
	}
	return e, nil
}

// pairScore returns the score of a seat against another: of a game of two that neither won, its own result.
func pairScore(ranks []int, own, other int) float64 {
	if len(ranks) == 2 {
		return float64(tournament.HalfPoints(ranks[own], ranks[other])) / 2
	}
	return scoreAgainst(ranks[own], ranks[other])
}

// addPairing counts the game of a pairing that was played.
func (r *record) addPairing(p tournament.Pairing, seat int) {
	if p.Bye != tournament.NoBye || p.Result == nil || p.Result.Forfeit || len(p.Result.Ranks) <= seat {
		return
	}
	score, others := 0.0, 0
	for i, rank := range p.Result.Ranks {
		if i != seat && rank > 0 {
			score += pairScore(p.Result.Ranks, seat, i)
			others++
		}
	}
	if others > 0 && p.Result.Ranks[seat] > 0 {
		r.add(score / float64(others))
	}
}
