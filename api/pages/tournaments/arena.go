package tournaments

import (
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/pages/kit"
	"quatuor/tournament"
	"quatuor/tournament/arena"
)

// ArenaBody holds the data that the page of an arena shows its players.
type ArenaBody struct {
	*tournament.Tournament
	Rows    []ArenaRow // by rank
	Ranked  int        // how many there are in all
	Own     *ArenaRow  // the visitor's, nil without an entry
	State   string     // of the visitor: the name of a text
	Game    string     // the visitor's open game, "" for none
	Table   int        // in the hall, where the visitor's open game is played
	Seat    int        // the visitor's there, from 1
	Seats   int        // of that game
	Other   string     // its opponent, or opponents
	Go      bool       // it has just begun, so that the page leads to it
	Players int        // that wait, or will after their present game
	Games   int        // that are played
	Staff   bool
	wants   bool
}

// Wants reports whether the visitor, at a game, waits for another game after it.
func (b ArenaBody) Wants() bool { return b.wants }

// Last returns the place of the last row that is shown.
func (b ArenaBody) Last() int { return len(b.Rows) }

// ArenaRow is a player's line.
type ArenaRow struct {
	Place  int // 0 before the first game is over
	Number int
	Name   string
	Points tournament.Points
	Streak int
	Sheet  []ArenaMark
	Me     bool
}

// Fire reports whether the next game counts double.
func (r ArenaRow) Fire() bool { return r.Streak >= 2 }

// ArenaMark is the outcome of a game in points.
type ArenaMark struct {
	Points  tournament.Points
	Game    string // id; "" for none on the server
	Doubled bool
	Berserk bool
	Forfeit bool
}

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
	t, staff, err := p.Known(c)
	if err == nil && !t.Format.Continuous() {
		err = kit.ErrMissing
	}
	if err != nil {
		return err
	}
	who, now := auth.Session(c), p.Games.Time().UnixMilli()
	b := ArenaBody{Tournament: t, Staff: staff}
	if b.Rows, err = ArenaRows(t); err != nil {
		return err
	}
	open := t.OpenGames()
	b.Games, b.Ranked = t.PlayedNow(), len(b.Rows)
	e, mine := ownEntry(t, who.PlayerID)
	for i := range b.Rows {
		if b.Rows[i].Me = mine && b.Rows[i].Number == e.Number; b.Rows[i].Me {
			b.Own = &b.Rows[i]
		}
	}
	for _, one := range t.Entries {
		if t.InArena(one) {
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
		b.wants = t.InArena(e)
		b.State, b.Game, b.Table, b.Seats = "playing", pairing.GameID, pairing.Arena.Table, len(pairing.Seats)
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
	if t.Status == tournament.Running && now < t.ArenaEnd() {
		kit.Again(c, t.ArenaEnd())
	}
	return p.Show(c, "arena", "tournaments", b)
}

// ArenaCall is an open game of an arena in the hall.
type ArenaCall struct {
	Table int
	Names []string
	Fresh bool // it is of the latest call
}

// ArenaCalls lists the open games of an arena in the hall, the latest first.
func ArenaCalls(t *tournament.Tournament) (calls []ArenaCall) {
	latest := int64(0)
	for _, r := range t.Rounds {
		for _, p := range slices.Backward(r.Pairings) {
			if p.Result != nil || p.Arena == nil || p.Arena.Table == 0 {
				continue
			}
			latest = max(latest, p.Arena.PairedAt)
			call := ArenaCall{Table: p.Arena.Table, Fresh: p.Arena.PairedAt == latest}
			for _, id := range p.Seats {
				e, _ := t.Entry(id)
				call.Names = append(call.Names, e.Name)
			}
			calls = append(calls, call)
		}
	}
	return calls
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
	case t.Status == tournament.Finished || t.Status == tournament.Archived:
		return "over"
	case t.Status == tournament.Running && now >= t.ArenaEnd():
		return "ending"
	case who.Anonymous():
		return "stranger"
	case who.PlayerID == "":
		return "guest"
	case t.InArena(e) && t.Status == tournament.Running:
		if t.Venue == tournament.InHall {
			return "hall"
		}
		return "waiting"
	case t.InArena(e):
		return "ready"
	case e.ID == "" && t.Full():
		return "full"
	case e.ID == "" && t.Status == tournament.Closed:
		return "closed"
	}
	return "away"
}

// ArenaRows returns the standings of an arena with what each game brought.
func ArenaRows(t *tournament.Tournament) ([]ArenaRow, error) {
	ranked, err := arena.Of(t).Rank()
	if err != nil {
		return nil, err
	}
	names := make(map[string]tournament.Entry, len(t.Entries))
	for _, e := range t.Entries {
		names[e.ID] = e
	}
	rows := make([]ArenaRow, len(ranked))
	for i, st := range ranked {
		e := names[st.Player]
		row := ArenaRow{
			Place: st.Rank, Number: e.Number, Name: e.Name, Points: tournament.Points(st.Points), Streak: st.Streak,
		}
		for _, s := range st.Scores {
			mark := ArenaMark{
				Points: tournament.Points(s.Points), Doubled: s.Doubled, Berserk: s.Berserk, Forfeit: s.Forfeit,
			}
			if p, err := t.Pairing(1, s.Board); err == nil {
				mark.Game = p.ShownGame()
			}
			row.Sheet = append(row.Sheet, mark)
		}
		rows[i] = row
	}
	return rows, nil
}
