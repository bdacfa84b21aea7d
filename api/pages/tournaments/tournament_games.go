package tournaments

import (
	"context"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/api/pages/play"
	"quatuor/api/pages/results"
	"quatuor/tournament"
)

// tournamentGames are the games of a round that the server hosts.
type tournamentGames struct {
	Boards []play.BoardLine // of those in play, as spectators see them
	More   int              // in play, and not drawn
	Lines  []gameRow
	Next   int64 // when spectators see more without a further move, ms UTC; 0 for never
}

// gameRow is a game of the round in the list.
type gameRow struct {
	results.PairingLine
	Round int
	Of    string // the match of teams
}

// Maximum of boards drawn for a round: on its page, and on the wall.
const (
	pageBoards = 12
	wallBoards = 8
)

// fillGames adds the games of the round shown, once.
func (p *Pages) fillGames(ctx context.Context, b *tournamentBody) error {
	if b.Shown == 0 || b.Games.Lines != nil {
		return nil
	}
	round := b.Rounds[b.Shown-1]
	most := pageBoards
	if b.Tab == tabWall {
		most = wallBoards
	}
	lines, err := p.gameRows(ctx, b.Tournament, round)
	if err != nil {
		return err
	}
	b.Games.Lines = lines
	for _, line := range lines {
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

// gameRows returns the boards of a round that have games on the server: those of each match with revealed line-ups.
func (p *Pages) gameRows(ctx context.Context, t *tournament.Tournament, round tournament.Round) (list []gameRow, err error) {
	var players []string
	for _, pair := range round.Pairings {
		for _, board := range pair.Boards {
			players = append(players, board.Players[:]...)
		}
	}
	people, err := p.Look(ctx, players...)
	if err != nil {
		return nil, err
	}
	for i, line := range results.PairingLines(t, round) {
		if line.GameID != "" {
			list = append(list, gameRow{PairingLine: line, Round: round.Number})
		}
		for k, board := range round.Pairings[i].Boards {
			if board.GameID == "" {
				continue
			}
			row := gameRow{Round: round.Number, Of: message.Opponents(line.Seats[0].Name, line.Seats[1].Name)}
			row.Board, _ = t.Teams.Place(k + 1)
			row.GameID, row.Result = board.GameID, kit.PrettyResult(board.Result.Text())
			for _, id := range board.Players {
				row.Seats = append(row.Seats, results.PairingSeat{Name: people.Person(id).Name})
			}
			list = append(list, row)
		}
	}
	return list, nil
}

// drawGame adds the board of a game in play, as a spectator sees it.
func (p *Pages) drawGame(ctx context.Context, b *tournamentBody, id string) error {
	drawn, next, err := p.play.ThumbnailOf(ctx, b.In, id)
	if next > 0 && (b.Games.Next == 0 || next < b.Games.Next) {
		b.Games.Next = next
	}
	if drawn != nil {
		b.Games.Boards = append(b.Games.Boards, *drawn)
	}
	return err
}
