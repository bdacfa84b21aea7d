package tournaments

import (
	"context"

	"quatuor/api/pages/play"
	"quatuor/tournament"
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
	Of    string // the match of teams
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
	lines, err := p.gameRows(ctx, b.Tournament, round)
	if err != nil {
		return err
	}
	for _, line := range lines {
		b.Games.Lines = append(b.Games.Lines, line)
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

// gameRows returns the boards of a round that have games on the server: those of each match whose line-ups are revealed.
func (p *Pages) gameRows(ctx context.Context, t *tournament.Tournament, round tournament.Round) (list []gameRow, err error) {
	for i, line := range pairingLines(t, round) {
		if line.GameID != "" {
			list = append(list, gameRow{PairingLine: line, Round: round.Number})
		}
		if line.Match == "" {
			continue
		}
		match, err := p.teamsMatch(ctx, t, round.Number, round.Pairings[i])
		if err != nil {
			return nil, err
		}
		for _, board := range match.Boards {
			if board.GameID == "" {
				continue
			}
			row := gameRow{Round: round.Number, Of: match.Teams[0].Name + " – " + match.Teams[1].Name}
			row.Board, row.GameID, row.Result = board.On, board.GameID, board.Result
			row.Seats = []pairingSeat{{Name: board.Players[0].Name}, {Name: board.Players[1].Name}}
			list = append(list, row)
		}
	}
	return list, nil
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
