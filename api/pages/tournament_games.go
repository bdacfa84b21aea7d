package pages

import (
	"context"
	"errors"

	"quatuor/api/pages/board"
	"quatuor/engine"
	"quatuor/engine/table"
)

// tournamentGames are the games of a round that the server hosts.
type tournamentGames struct {
	Boards []boardLine // of those in play, as spectators see them
	More   int         // in play, and not drawn
	Lines  []gameRow
}

// gameRow is one game of the round in the list.
type gameRow struct {
	pairingLine
	Round int
}

// Boards drawn of one round: on its page, and on the wall.
const (
	pageBoards = 12
	wallBoards = 8
)

// fillGames adds the games of the round shown.
func (p *Pages) fillGames(ctx context.Context, b *tournamentBody) error {
	if b.Shown == 0 {
		return nil
	}
	round := b.Rounds[b.Shown-1]
	most := pageBoards
	if b.Tab == tabWall {
		most = wallBoards
	}
	for _, line := range pairingLines(b.Tournament, round) {
		if line.GameID == "" {
			continue
		}
		b.Games.Lines = append(b.Games.Lines, gameRow{line, b.Shown})
		if line.Result != "" || line.Adjourned != "" {
			continue
		}
		if len(b.Games.Boards) == most {
			b.Games.More++
			continue
		}
		if err := p.drawGame(ctx, b, line.GameID); err != nil {
			return err
		}
	}
	return nil
}

// drawGame adds the board of a game in play, as a spectator sees it.
func (p *Pages) drawGame(ctx context.Context, b *tournamentBody, id string) error {
	s, err := p.spectated(ctx, id)
	if errors.Is(err, table.ErrNotFound) {
		return nil // it is being opened
	}
	if err != nil {
		return err
	}
	if s.Game.Status != table.Running {
		return nil
	}
	lines, err := p.gameLines(ctx, []table.Game{s.Game})
	if err != nil {
		return err
	}
	picture := board.Picture{ID: "g" + id, Title: lines[0].Title(), In: b.in}
	b.Games.Boards = append(b.Games.Boards, boardLine{lines[0], board.Draw(position(s, engine.Viewer{}), picture)})
	return nil
}
