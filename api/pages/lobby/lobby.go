package lobby

import (
	"context"

	"quatuor/api/auth"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/play"
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
