package play

import (
	"context"
	"slices"

	"quatuor/engine"
	"quatuor/engine/table"
)

// homeMine is the number of the visitor's games on the first page.
const homeMine = 12

// MineLine is a game of the visitor's, in play.
type MineLine struct {
	GameLine
	Mine  bool      // it waits for the visitor
	Turn  int       // in this turn
	Clock ClockBody // the visitor's
}

// Mine lists the running games of a player, first those that wait for the player's move.
func (p *Pages) Mine(ctx context.Context, player string) ([]MineLine, error) {
	if player == "" {
		return nil, nil
	}
	rows, _, err := p.GameList.List(
		ctx, table.Filter{Player: player, Status: []table.Status{table.Running, table.Paused}}, homeMine, "",
	)
	if err != nil {
		return nil, err
	}
	lines, err := p.GameLines(ctx, rows)
	if err != nil {
		return nil, err
	}
	list := make([]MineLine, 0, len(rows))
	for i := range rows {
		s, err := p.Games.Snapshot(ctx, rows[i].ID)
		if err != nil {
			return nil, err
		}
		line, err := LineOf(s.Game, nil)
		if err != nil {
			return nil, err
		}
		line.Sides = lines[i].Sides
		if err := p.NameEvent(ctx, &line); err != nil {
			return nil, err
		}
		list = append(list, p.mineLine(line, s, player))
	}
	slices.SortStableFunc(list, func(a, b MineLine) int {
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

func (p *Pages) mineLine(line GameLine, s *table.Snapshot, player string) MineLine {
	outline := s.Outline(s.Viewer(player))
	own := MineLine{GameLine: line, Turn: outline.Turn, Clock: ClockBody{None: true}}
	pending := outline.Pending
	now := p.Games.Time().UnixMilli()
	for i, seat := range s.SeatsOf(player) {
		own.Mine = own.Mine || pending.Awaits(seat) && s.Game.Status == table.Running
		if i == 0 {
			own.Clock = ClockOf(s.Clock(int8(seat), now), s.Game.Controls[seat-engine.Seat(1)], now)
		}
	}
	return own
}
