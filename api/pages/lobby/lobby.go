// Package lobby is the pages for finding opponents: challenges, open games, and games that wait for players.
package lobby

import (
	"context"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/api/pages/play"
	"quatuor/api/stream"
	"quatuor/engine/catalog"
	"quatuor/engine/table"
)

// lobbyLength is the number of open games in the lobby, the newest first.
const lobbyLength = 50

// lobbyBody is the changing part of the page for challenges: players waiting, and open games.
type lobbyBody struct {
	Player string
	Own    []tableLine
	Others []tableLine
}

// tableLine is a game that waits for players.
type tableLine struct {
	play.GameLine
	Rated   bool
	Private bool
	IsOpen  bool // has open seats, or had
	Host    bool // the visitor created it
	Asked   bool // waits for the visitor's answer
	Free    int  // seats without a player
	Seats   []tableSeat
	Until   int64
}

// tableSeat is a seat of a game that waits.
type tableSeat struct {
	Seat     int
	Who      kit.Person // the zero person for an open seat
	Accepted bool
	Here     bool
}

// Here lists the seated players, in the order of seats.
func (l tableLine) Here() (names []string) {
	for _, s := range l.Seats {
		if s.Who.ID != "" && s.Accepted {
			names = append(names, s.Who.Name)
		}
	}
	return names
}

// Awaited lists the invited players that have not answered.
func (l tableLine) Awaited() (names []string) {
	for _, s := range l.Seats {
		if s.Who.ID != "" && !s.Accepted {
			names = append(names, s.Who.Name)
		}
	}
	return names
}

// Open lists the seats without a player.
func (l tableLine) Open() (seats []int) {
	for _, s := range l.Seats {
		if s.Who.ID == "" {
			seats = append(seats, s.Seat)
		}
	}
	return seats
}

// lobby returns the waiting players and games, as a player sees them.
func (p *Pages) lobby(ctx context.Context, who auth.Identity) (b lobbyBody, err error) {
	b.Player = who.PlayerID
	own := map[string]bool{}
	if who.PlayerID != "" {
		rows, _, err := p.GameList.List(ctx, table.Filter{Player: who.PlayerID, Invited: true}, homeInvitations, "")
		if err != nil {
			return b, err
		}
		for i := range rows {
			if rows[i].Tournament != nil {
				continue
			}
			own[rows[i].ID] = true
			line, err := p.tableLine(ctx, rows[i], who)
			if err != nil {
				return b, err
			}
			b.Own = append(b.Own, line)
		}
	}
	rows, _, err := p.GameList.List(ctx, table.Filter{Invited: true, Listed: true}, lobbyLength, "")
	if err != nil {
		return b, err
	}
	for i := range rows {
		if own[rows[i].ID] || !rows[i].Listed() {
			continue
		}
		line, err := p.tableLine(ctx, rows[i], who)
		if err != nil {
			return b, err
		}
		b.Others = append(b.Others, line)
	}
	return b, nil
}

// tableLine describes a game that waits, for a visitor.
func (p *Pages) tableLine(ctx context.Context, row table.Game, who auth.Identity) (tableLine, error) {
	names, err := p.Look(ctx, row.Players...)
	if err != nil {
		return tableLine{}, err
	}
	line, err := play.LineOf(row, names)
	if err != nil {
		return tableLine{}, err
	}
	t := tableLine{
		GameLine: line, Rated: row.Rated, Private: row.Code != "", IsOpen: row.Open, Asked: row.Invites(who.PlayerID),
		Host: who.AccountID != "" && row.CreatedBy == who.AccountID, Until: row.Deadline,
	}
	for i, id := range row.Players {
		seat := tableSeat{Seat: i + 1, Accepted: !row.Invited.Has(int8(i + 1))}
		if id != "" {
			seat.Who = names.Person(id)
			seat.Here, _ = p.Hub.Present(row.ID, id)
		} else {
			t.Free++
		}
		t.Seats = append(t.Seats, seat)
	}
	return t, nil
}

// Pages are the pages of games that have not begun.
type Pages struct {
	*kit.Kit
	play *play.Pages
}

// New returns the pages.
func New(k *kit.Kit, games *play.Pages) *Pages { return &Pages{k, games} }

// Mount adds the pages.
func (p *Pages) Mount(e *echo.Echo) {
	p.Get(e, "/play", p.challengePage)
	p.Post(e, "/play", command.OnNothing, p.challenge)
	p.Live("/play", kit.Soon, func(c echo.Context) []string { return kit.TopicsOf(auth.Session(c), stream.Lobby) })
	p.Get(e, "/play/:id", p.tablePage)
	p.Live("/play/:id", kit.Soon, func(c echo.Context) []string {
		return kit.TopicsOf(auth.Session(c), stream.OfTable(c.Param("id")))
	})
	p.Post(e, "/play/:id/sit", command.Sit.Target(), p.sit)
	p.Post(e, "/play/:id/leave", command.LeaveSeat.Target(), p.leaveTable)
}

// The settings of the quick games.
const (
	usualGames     = 20 // the latest games, which show a player's usual game
	defaultControl = "300+3"
	mediumBot      = 2
)

// quickGame is a game that a button opens.
type quickGame struct {
	Variant, Control string
	Rest             string // how the other seat is filled
	Key              string // makes the game once, however often the form is sent
}

// Game is the value of the choice of a game and its seats.
func (q quickGame) Game() string { return q.Variant + ":" + strconv.Itoa(duelSeats) }

const duelSeats = 2

// quickGames returns a game against a bot and, for players with games behind them, an open game at the usual time
// control; none if no game of two is offered.
func (p *Pages) quickGames(ctx context.Context, player, key string) (bot, open *quickGame, err error) {
	duels := p.duels()
	if player == "" || len(duels) == 0 {
		return nil, nil, nil
	}
	rows, _, err := p.GameList.List(ctx, table.Filter{Player: player}, usualGames, "")
	if err != nil {
		return nil, nil, err
	}
	usual, played := usualGame(rows, duels)
	bot = &quickGame{usual.Variant, usual.Control, table.BotID(mediumBot), key + "-bot"}
	if played {
		open = &quickGame{usual.Variant, usual.Control, restOpen, key + "-open"}
	}
	return bot, open, nil
}

// duels lists the variants on offer that two can play.
func (p *Pages) duels() (ids []string) {
	for _, id := range catalog.IDs() {
		rules, err := catalog.Find(id)
		if err == nil && slices.Contains(p.Offered(message.Family(id)), id) &&
			slices.Contains(rules.Info().Seats, duelSeats) {
			ids = append(ids, id)
		}
	}
	return ids
}

// usualGame returns the variant and time control played most often of games, the newest first; with none the first
// variant and the default, and false.
func usualGame(games []table.Game, duels []string) (usual quickGame, played bool) {
	usual = quickGame{Variant: duels[0], Control: defaultControl}
	times, most := map[quickGame]int{}, 0
	for _, g := range slices.Backward(games) { // of two as frequent, the newer
		if !slices.Contains(duels, g.Variant) || len(g.Controls) == 0 || g.Hall ||
			!slices.Contains(ChallengeControls, g.Controls[0]) {
			continue
		}
		one := quickGame{Variant: g.Variant, Control: g.Controls[0]}
		if times[one]++; times[one] >= most {
			usual, most = one, times[one]
		}
	}
	return usual, most > 0
}
