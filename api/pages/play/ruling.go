package play

import (
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/engine"
	"quatuor/engine/sentence"
	"quatuor/engine/table"
)

// ArbiterSeat is a seat of a game as the arbiter sees it.
type ArbiterSeat struct {
	Seat    int
	Name    string
	On      bool // is awaited
	Here    bool // its player is connected
	Missing bool // its player has not come to the board
	Clock   ClockBody
}

// rulingPart holds an arbiter's options, on the game's page.
type rulingPart struct {
	Game    string
	Variant string
	Status  table.Status
	Seats   []ArbiterSeat
	Duel    bool // two sides
	Sides   [2]string
	Plies   int
	Timed   bool              // its clocks start at a time of their own
	Causes  []string          // of its pause
	Desk    string            // the tournament, "" for a casual game
	Open    bool              // an act was carried out just now, and another may follow
	Alert   sentence.Sentence // why an act was refused
	Wrong   bool              // the fault is in the typed reason
	Typed   url.Values
	Act     string // that was refused
}

// Field returns the value typed into a field of the refused act, or its default.
func (r rulingPart) Field(act, name, usual string) string {
	if r.Act == act && r.Typed.Has(name) {
		return r.Typed.Get(name)
	}
	return usual
}

// rulingFor returns the arbiter's forms for a game, nil if the visitor has none.
func (p *Pages) rulingFor(c echo.Context, s *table.Snapshot) (*rulingPart, error) {
	ctx := c.Request().Context()
	if s.Game.Status.Over() ||
		access.Arbitrate(ctx, p.Tournaments, auth.Session(c), s.Game.Tournament) != nil {
		return nil, nil
	}
	who, err := p.Look(ctx, s.Game.Players...)
	if err != nil {
		return nil, err
	}
	info := s.Info()
	r := &rulingPart{
		Game: s.Game.ID, Variant: info.ID, Status: s.Game.Status, Plies: s.Game.Plies, Timed: s.Game.StartsAt != 0, Causes: s.PausedFor(),
		Duel: info.SidesAt(s.Game.Seats) == 2, Open: c.QueryParam("said") == "ruled",
	}
	if s.Game.Tournament != nil {
		r.Desk = s.Game.Tournament.ID
	}
	for i, id := range s.Game.Players {
		name := who.Person(id).Name
		r.Seats = append(r.Seats, ArbiterSeat{Seat: i + 1, Name: name, Clock: ClockBody{None: s.Game.Controls[i] == "none"}})
		if side := info.SideOf(engine.Seat(i + 1)); r.Duel && side >= 1 && side <= 2 {
			r.Sides[side-1] = strings.TrimPrefix(r.Sides[side-1]+" & "+name, " & ")
		}
	}
	return r, nil
}
