package play

import (
	"context"
	"strings"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/table"
)

// sideLine is a side of a game in a list.
type sideLine struct {
	People []kit.Person
	Rank   int // 0 = none yet
	Won    bool
}

// GameLine is a game in a list.
type GameLine struct {
	ID      string
	Variant string
	Status  table.Status
	Sides   []sideLine
	Void    bool
	Reason  engine.Reason // "" while the game is not finished
	Control string
	Plies   int
	At      int64 // when it ended, started or was made, ms UTC
	Place   *table.Place
	Event   string // the tournament's name, where the page knows it
	Tables  bool   // in that tournament several sit at a table
	Kind    string // its part in a match of several games, "" for an ordinary game
}

// Drawn reports whether two sides shared the first place.
func (g GameLine) Drawn() bool {
	return len(g.Sides) == 2 && g.Sides[0].Rank == 1 && g.Sides[1].Rank == 1
}

// Title names the sides, for titles and links.
func (g GameLine) Title() string {
	sides := make([]string, len(g.Sides))
	for i, side := range g.Sides {
		names := make([]string, len(side.People))
		for j, who := range side.People {
			names[j] = who.Name
			if who.ID == "" {
				names[j] = "…"
			}
		}
		sides[i] = strings.Join(names, " & ")
	}
	if len(sides) == 2 {
		return message.Opponents(sides...)
	}
	return strings.Join(sides, ", ")
}

// GameLines makes lines of rows; the players' names are fetched together.
func (p *Pages) GameLines(ctx context.Context, rows []table.Game) ([]GameLine, error) {
	var ids []string
	for _, row := range rows {
		ids = append(ids, row.Players...)
	}
	who, err := p.Look(ctx, ids...)
	if err != nil {
		return nil, err
	}
	lines := make([]GameLine, len(rows))
	for i, row := range rows {
		if row.Delayed() { // lists are the same for all
			s, _, err := p.spectated(ctx, row.ID)
			if err != nil {
				return nil, err
			}
			row = s.Game
		}
		if lines[i], err = LineOf(row, who); err != nil {
			return nil, err
		}
	}
	return lines, nil
}

// LineOf returns a game as a line of a list.
func LineOf(row table.Game, who kit.People) (GameLine, error) {
	rules, err := catalog.Find(row.Variant)
	if err != nil {
		return GameLine{}, err
	}
	info := rules.Info()
	g := GameLine{
		ID: row.ID, Variant: row.Variant, Status: row.Status, Plies: row.Plies, Place: row.Tournament,
		At:    max(row.CreatedAt, row.StartedAt, row.FinishedAt),
		Sides: make([]sideLine, info.SidesAt(row.Seats)),
	}
	if len(row.Controls) > 0 {
		g.Control = row.Controls[0]
	}
	for i, id := range row.Players {
		side := &g.Sides[info.SideOf(engine.Seat(i+1))-1]
		if id == "" {
			side.People = append(side.People, kit.Person{})
		} else {
			side.People = append(side.People, who.Person(id))
		}
	}
	g.judge(row.Outcome, info)
	return g, nil
}

// judge enters an outcome.
func (g *GameLine) judge(outcome *engine.Outcome, info engine.Info) {
	if outcome == nil {
		return
	}
	g.Reason, g.Void = outcome.Reason, outcome.Void()
	for i, rank := range outcome.Ranks {
		side := &g.Sides[info.SideOf(engine.Seat(i+1))-1]
		side.Rank = rank
	}
	for i := range g.Sides {
		g.Sides[i].Won = g.Sides[i].Rank == 1 && !g.shared()
	}
}

// shared reports whether the first place is shared.
func (g *GameLine) shared() bool {
	first := 0
	for _, side := range g.Sides {
		if side.Rank == 1 {
			first++
		}
	}
	return first > 1
}
