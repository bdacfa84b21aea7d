package tournaments

import (
	"context"

	"quatuor/api/pages/play"
)

// tournamentGames are the games of a round that the server hosts.
type tournamentGames struct {
	Boards []play.BoardLine // of those in play, as spectators see them
	More   int              // in play, and not drawn
	Lines  []gameRow
	Next   int64 // when spectators see more without a further move, ms UTC; 0 for never
}

// gameRow is one game of the round in the list.
type gameRow struct {
	PairingLine
	Round int
}

// Boards drawn of one round: on its page, and on the wall.
const (
	pageBoards = 12
	wallBoards = 8
)

// FillGames adds the games of the round shown, once.
func (p *Pages) FillGames(ctx context.Context, b *TournamentBody) error {
	if b.Shown == 0 || b.Games.Lines != nil {
		return nil
	}
	round := b.Rounds[b.Shown-1]
	most := pageBoards
	if b.Tab == TabWall {
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
func (p *Pages) drawGame(ctx context.Context, b *TournamentBody, id string) error {
	drawn, next, err := p.play.ThumbnailOf(ctx, b.In, id)
	if next > 0 && (b.Games.Next == 0 || next < b.Games.Next) {
		b.Games.Next = next
	}
	if drawn != nil {
		b.Games.Boards = append(b.Games.Boards, *drawn)
	}
	return err
}
