// Package arbiter carries out arbiters' acts in games on the server, and lists the games of a tournament for them.
package arbiter

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/forms"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/play"
	"quatuor/api/problem"
	"quatuor/engine"
	"quatuor/engine/table"
	"quatuor/tournament"
)

// Pages are the forms of arbiters at games.
type Pages struct {
	*kit.Kit
	play *play.Pages
}

// New returns the forms of arbiters at games.
func New(k *kit.Kit, games *play.Pages) *Pages { return &Pages{k, games} }

// Mount adds the forms.
func (p *Pages) Mount(e *echo.Echo) {
	p.Post(e, "/games/:id/arbiter/:act", command.OnGame, p.arbitrate)
}

// Game is a game as the tab Arbiter lists it.
type Game struct {
	ID           string
	Round, Board int
	Status       table.Status
	StartsAt     int64 // while it waits: when its clocks start at the latest
	Plies        int
	Adjourned    string
	Seats        []play.ArbiterSeat
}

// InPlay returns the games of a tournament that are being played, and how many open boards have no game on the server.
func (p *Pages) InPlay(ctx context.Context, t *tournament.Tournament) (games []Game, hall int, err error) {
	for n := range t.PublishedRounds() {
		for _, pair := range t.Rounds[n].Pairings {
			if pair.Result != nil || pair.Bye != tournament.NoBye {
				continue
			}
			one, err := p.gameOf(ctx, n+1, pair)
			if err != nil {
				return nil, 0, err
			}
			if one == nil {
				hall++
				continue
			}
			games = append(games, *one)
		}
	}
	return games, hall, nil
}

// gameOf returns a pairing's game, nil if there is none that is not over.
func (p *Pages) gameOf(ctx context.Context, round int, pair tournament.Pairing) (*Game, error) {
	if pair.GameID == "" {
		return nil, nil
	}
	s, err := p.play.GameIfAny(ctx, pair.GameID)
	if s == nil || s.Game.Status.Over() {
		return nil, err
	}
	one := &Game{
		ID: s.Game.ID, Round: round, Board: pair.Board, Status: s.Game.Status, Plies: s.Game.Plies, Adjourned: pair.Adjourned,
	}
	if s.Game.Status == table.Waiting {
		one.StartsAt = s.Game.Deadline
	}
	who, err := p.Look(ctx, s.Game.Players...)
	if err != nil {
		return nil, err
	}
	now := p.Games.Time().UnixMilli()
	seen := s.Project(engine.Viewer{})
	for i, reading := range s.Clocks(now) {
		seat := play.ArbiterSeat{
			Seat: i + 1, Name: who.Person(s.Game.Players[i]).Name, On: seen.Pending.Awaits(engine.Seat(i + 1)),
			Missing: one.StartsAt != 0 && s.Game.Invited.Has(int8(i+1)), Clock: play.ClockOf(reading, s.Game.Controls[i], now),
		}
		seat.Here, _ = p.Hub.Present(s.Game.ID, s.Game.Players[i])
		one.Seats = append(one.Seats, seat)
	}
	return one, nil
}

// arbitrate carries out an arbiter's act on a game, through the same functions as the API.
func (p *Pages) arbitrate(c echo.Context) error {
	ctx, id, who := c.Request().Context(), c.Param("id"), auth.Session(c)
	s, err := p.Games.Snapshot(ctx, id)
	if err != nil {
		return err
	}
	if who.Anonymous() {
		return c.Redirect(http.StatusSeeOther, "/login?next="+url.QueryEscape("/games/"+id))
	}
	if err := access.Arbitrate(ctx, p.Tournaments, who, s.Game.Tournament); err != nil {
		return echo.NewHTTPError(http.StatusForbidden).SetInternal(err)
	}
	do, err := p.rulingOf(c, s)
	if err == nil {
		var reason string
		if reason, err = forms.Reason(c.FormValue("reason")); err == nil {
			err = do(command.At{Game: id, Arrival: command.ArrivalOf(c)}, reason)
		}
	}
	if err == nil {
		return p.Back(c, "/games/"+id+"#main", "ruled") // the form names a place of its own, which the browser would keep
	}
	status, said := problem.MessageOf(err)
	if known := (*echo.HTTPError)(nil); status == 0 || errors.As(err, &known) {
		return err
	}
	return p.play.ShowGameWith(c, status, func(g *play.GameBody) {
		if g.Ruling != nil { // the game may be over by now; then the page shows that
			g.Ruling.Alert, g.Ruling.Wrong = said, status == http.StatusUnprocessableEntity
			g.Ruling.Typed, g.Ruling.Act = c.Request().PostForm, c.Param("act")
		}
	})
}

// rulingOf returns the act of a form.
func (p *Pages) rulingOf(c echo.Context, s *table.Snapshot) (func(command.At, string) error, error) {
	switch c.Param("act") {
	case "start":
		return ruling(p, c, command.StartClocks, command.None{}), nil
	case "pause":
		return ruling(p, c, command.Pause, ""), nil
	case "resume":
		cause, err := causeOf(c)
		return ruling(p, c, command.Resume, cause), err
	case "clock":
		change, err := clockChangeOf(c)
		return ruling(p, c, command.ChangeClock, change), err
	case "takeback":
		in, err := takebackOf(c)
		return ruling(p, c, command.TakeBack, in), err
	case "forfeit":
		seat, err := seatField(c)
		return ruling(p, c, command.Forfeit, seat), err
	case "decide":
		ranks, err := ranksOf(c, s)
		return ruling(p, c, command.Adjudicate, ranks), err
	}
	return nil, kit.ErrMissing
}

func ruling[In any](p *Pages, c echo.Context, do command.Ruling[In], in In) func(command.At, string) error {
	return func(at command.At, reason string) error {
		_, err := do.Run(c.Request().Context(), p.Commands, at, reason, in)
		return err
	}
}

// maxCause is the maximum length of a cause of a pause.
const maxCause = 40

func causeOf(c echo.Context) (string, error) {
	cause := c.FormValue("cause")
	if len(cause) > maxCause || strings.ContainsAny(cause, " \t\r\n") {
		return "", kit.ErrUnreadable
	}
	return cause, nil
}

// seatField reads the number of a seat; whether the game has it is judged at the table.
func seatField(c echo.Context) (int8, error) {
	seat, err := strconv.ParseInt(c.FormValue("seat"), 10, 8)
	if err != nil || seat < 1 {
		return 0, kit.ErrUnreadable
	}
	return int8(seat), nil
}

func takebackOf(c echo.Context) (in command.Takeback, err error) {
	if in.Turn, err = strconv.Atoi(c.FormValue("turn")); err != nil {
		return in, kit.ErrUnreadable
	}
	in.Plies, err = strconv.Atoi(strings.TrimSpace(c.FormValue("plies")))
	if err != nil || in.Plies < 1 {
		return in, tournament.Fault("plies", "write how many moves are taken back, from 1")
	}
	return in, nil
}

func clockChangeOf(c echo.Context) (change table.ClockChange, err error) {
	if change.Seat, err = seatField(c); err != nil {
		return change, err
	}
	ms, ok := readClock(c.FormValue("time"))
	if !ok {
		return change, tournament.Fault("time", "write minutes and seconds, such as 5:00 or 0:30")
	}
	switch c.FormValue("how") {
	case "set":
		change.Ms = ms
	case "add":
		change.Add, change.Ms = true, ms
	case "take":
		change.Add, change.Ms = true, -ms
	default:
		return change, kit.ErrUnreadable
	}
	return change, nil
}

// readClock reads a time as a clock shows it: minutes and seconds, with hours before them or not. The result is in ms.
func readClock(text string) (ms int64, ok bool) {
	parts := strings.Split(strings.TrimSpace(text), ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 16)
		if err != nil || i > 0 && n > 59 {
			return 0, false
		}
		ms = ms*60 + int64(n)
	}
	return ms * 1000, true
}

// ranksOf reads a decision: the result of a game of two sides, or a rank for each seat.
func ranksOf(c echo.Context, s *table.Snapshot) ([]int, error) {
	info := s.Info()
	ranks := make([]int, s.Game.Seats)
	if info.SidesAt(s.Game.Seats) == 2 {
		v, err := tournament.ParseVerdict(c.FormValue("result"))
		if err != nil || v.Forfeit {
			return nil, tournament.Fault("result", "choose 1-0, 1/2-1/2 or 0-1")
		}
		for i := range ranks {
			ranks[i] = v.Ranks[info.SideOf(engine.Seat(i+1))-1]
		}
		return ranks, nil
	}
	for i := range ranks {
		rank, err := strconv.Atoi(c.FormValue("rank" + strconv.Itoa(i+1)))
		if err != nil || rank < 1 || rank > s.Game.Seats {
			return nil, tournament.Fault("rank"+strconv.Itoa(i+1), "write a rank for each seat, from 1 for the best")
		}
		ranks[i] = rank
	}
	return ranks, nil
}
