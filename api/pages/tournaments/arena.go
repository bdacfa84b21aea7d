package tournaments

import (
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/results"
	"quatuor/tournament"
	"quatuor/tournament/arena"
)

// arenaBody holds the data that the page of an arena shows its players.
type arenaBody struct {
	*tournament.Tournament
	Rows    []results.ArenaRow // by rank
	Ranked  int                // how many there are in all
	Own     *results.ArenaRow  // the visitor's, nil without an entry
	State   string             // of the visitor: the name of a text
	Game    string             // the visitor's open game, "" for none
	Table   int                // in the hall, where the visitor's open game is played
	Seat    int                // the visitor's there, from 1
	Seats   int                // of that game
	Other   string             // its opponent, or opponents
	Go      bool               // it has just begun, so that the page leads to it
	Players int                // that wait, or will after their present game
	Games   int                // that are played
	Staff   bool
	wants   bool
}

// Wants reports whether the visitor, at a game, waits for another game after it.
func (b arenaBody) Wants() bool { return b.wants }

// Last returns the place of the last row that is shown.
func (b arenaBody) Last() int { return len(b.Rows) }

const (
	// arenaShown is the number of players that the page of an arena shows at first.
	arenaShown = 50
	// arenaLead is for how long after its pairing a game is opened by the page, ms.
	arenaLead = 20_000
	// arenaOpening is after what time, ms, the page looks again for a game that is being opened.
	arenaOpening = 1_000
)

// arena serves the page that players of an arena play from.
func (p *Pages) arena(c echo.Context) error {
	t, staff, err := p.VisibleTournament(c)
	if err == nil && !t.Format.Continuous() {
		err = kit.ErrMissing
	}
	if err != nil {
		return err
	}
	who, now := auth.Session(c), p.Games.Time().UnixMilli()
	b := arenaBody{Tournament: t, Staff: staff}
	if b.Rows, err = results.ArenaRows(t); err != nil {
		return err
	}
	open := arena.OpenGames(t)
	b.Games, b.Ranked = arena.PlayedNow(t), len(b.Rows)
	e, mine := ownEntry(t, who.PlayerID)
	for i := range b.Rows {
		if b.Rows[i].Me = mine && b.Rows[i].Number == e.Number; b.Rows[i].Me {
			b.Own = &b.Rows[i]
		}
	}
	for _, one := range t.Entries {
		if arena.InArena(t, one) {
			b.Players++
		}
	}
	b.State = arenaState(t, e, who, now)
	pairing, plays := open[e.ID]
	if plays && mine && pairing.GameID != "" {
		game, err := p.GameIfAny(c.Request().Context(), pairing.GameID)
		if err != nil {
			return err
		}
		if game == nil { // paired, and not opened yet
			plays = false
			kit.Again(c, now+arenaOpening)
		}
	}
	if plays && mine {
		b.wants = arena.InArena(t, e)
		b.State = "playing"
		b.Game = pairing.GameID
		b.Table = pairing.Arena.Table
		b.Seats = len(pairing.Seats)
		b.Go = b.Game != "" && now-pairing.Arena.PairedAt < arenaLead
		var others []string
		for seat, id := range pairing.Seats {
			if other, _ := t.Entry(id); id != e.ID {
				others = append(others, other.Name)
			} else {
				b.Seat = seat + 1
			}
		}
		b.Other = strings.Join(others, ", ")
	}
	if c.QueryParam("all") == "" {
		b.Rows = b.Rows[:min(len(b.Rows), arenaShown)]
	}
	if t.Status == tournament.Running && now < arena.EndsAt(t) {
		kit.Again(c, arena.EndsAt(t))
	}
	return p.Show(c, "arena", "tournaments", b)
}

// ownEntry returns the entry of a player, if it has not withdrawn.
func ownEntry(t *tournament.Tournament, player string) (tournament.Entry, bool) {
	for _, e := range t.Entries {
		if player != "" && e.Status != tournament.Withdrawn && len(e.Members) == 1 && e.Members[0] == player {
			return e, true
		}
	}
	return tournament.Entry{}, false
}

// arenaState returns the name of the text for what a visitor without an open game is in an arena.
func arenaState(t *tournament.Tournament, e tournament.Entry, who auth.Identity, now int64) string {
	switch {
	case t.Status == tournament.Draft:
		return "draft"
	case t.Status.Over():
		return "over"
	case t.Status == tournament.Running && now >= arena.EndsAt(t):
		return "ending"
	case who.Anonymous():
		return "stranger"
	case who.PlayerID == "":
		return "guest"
	case arena.InArena(t, e) && t.Status == tournament.Running:
		if t.Venue == tournament.InHall {
			return "hall"
		}
		return "waiting"
	case arena.InArena(t, e):
		return "ready"
	case e.ID == "" && t.Full():
		return "full"
	case e.ID == "" && t.Status == tournament.Closed:
		return "closed"
	}
	return "away"
}
