package pages

import (
	"context"
	"slices"

	"quatuor/engine"
	"quatuor/engine/table"
)

// homeMine is how many of the visitor's games the first page shows.
const homeMine = 12

// mineLine is one of the visitor's games in play.
type mineLine struct {
	gameLine
	Mine  bool      // it waits for the visitor
	Turn  int       // in this turn
	Clock clockBody // the visitor's
}

// mine lists the running games of a player, those first that wait for the player.
func (p *Pages) mine(ctx context.Context, player string) ([]mineLine, error) {
	if player == "" {
		return nil, nil
	}
	rows, _, err := p.GameList.List(ctx, table.Filter{Player: player, Status: []table.Status{table.Running, table.Paused}}, homeMine, "")
	if err != nil {
		return nil, err
	}
	lines, err := p.gameLines(ctx, rows)
	if err != nil {
		return nil, err
	}
	list := make([]mineLine, 0, len(rows))
	for i := range rows {
		s, err := p.Games.Snapshot(ctx, rows[i].ID)
		if err != nil {
			return nil, err
		}
		line, err := lineOf(s.Game, nil)
		if err != nil {
			return nil, err
		}
		line.Sides = lines[i].Sides
		if err := p.nameEvent(ctx, &line); err != nil {
			return nil, err
		}
		list = append(list, p.mineLine(line, s, player))
	}
	slices.SortStableFunc(list, func(a, b mineLine) int {
		switch {
		case a.Mine == b.Mine:
			return 0
		case a.Mine:
			return -1
		}
		return 1
	})
	return list, nil
}

func (p *Pages) mineLine(line gameLine, s *table.Snapshot, player string) mineLine {
	outline := s.Outline(s.Viewer(player))
	own := mineLine{gameLine: line, Turn: outline.Turn, Clock: clockBody{None: true}}
	pending := outline.Pending
	now := p.Now().UnixMilli()
	for i, seat := range s.SeatsOf(player) {
		own.Mine = own.Mine || pending.Awaits(seat) && s.Game.Status == table.Running
		if i == 0 {
			own.Clock = clockOf(s.Clock(int8(seat), now), s.Game.Controls[seat-engine.Seat(1)], now)
		}
	}
	return own
}
