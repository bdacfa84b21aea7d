package readers

import (
	"context"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/pages/board"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/play"
	"quatuor/api/pages/tournaments"
	"quatuor/engine"
	"quatuor/engine/table"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// Maximum numbers of items on the first page.
const (
	homeTournaments = 5
	homePast        = 3
	homeBoards      = 8
	homeResults     = 10
)

// homeBody is what the first page shows.
type homeBody struct {
	Drafts  []tournaments.TournamentLine // for their staff
	Create  bool                         // the visitor may create tournaments
	Start   *startBody                   // the visitor's own things; nil for those who do not play
	Running []tournaments.TournamentLine
	Soon    []tournaments.TournamentLine
	Past    []tournaments.TournamentLine
	Boards  []play.BoardLine
	Recent  []play.GameLine
}

func (p *Pages) home(c echo.Context) (err error) {
	ctx := c.Request().Context()
	var body homeBody
	if body.Drafts, err = p.tournaments.Drafts(c); err != nil {
		return err
	}
	body.Create = p.tournaments.Creates(c)
	if who := auth.Session(c); who.PlayerID != "" {
		own, err := p.start(ctx, who)
		if err != nil {
			return err
		}
		body.Start = &own
		kit.Again(c, own.Until)
	}
	if body.Running, err = p.current(ctx); err != nil {
		return err
	}
	soon := director.Filter{Status: []tournament.Status{tournament.Open, tournament.Closed}}
	if body.Soon, _, err = p.tournaments.TournamentLines(ctx, soon, homeTournaments, ""); err != nil {
		return err
	}
	past := director.Filter{Status: []tournament.Status{tournament.Finished}}
	if body.Past, _, err = p.tournaments.TournamentLines(ctx, past, homePast, ""); err != nil {
		return err
	}
	if body.Boards, err = p.boards(c); err != nil {
		return err
	}
	if body.Recent, err = p.recent(ctx); err != nil {
		return err
	}
	return p.Show(c, "home", "", body)
}

// recent lists the games that finished last.
func (p *Pages) recent(ctx context.Context) ([]play.GameLine, error) {
	finished, _, err := p.GameList.List(ctx, table.Filter{Status: []table.Status{table.Finished}}, homeResults, "")
	if err != nil {
		return nil, err
	}
	return p.play.GameLines(ctx, finished)
}

// current lists the running tournaments with the progress of their rounds.
func (p *Pages) current(ctx context.Context) ([]tournaments.TournamentLine, error) {
	running := director.Filter{Status: []tournament.Status{tournament.Running}}
	lines, _, err := p.tournaments.TournamentLines(ctx, running, homeTournaments, "")
	if err != nil {
		return nil, err
	}
	for i := range lines {
		t, err := p.Tournaments.Tournament(ctx, lines[i].ID)
		if err != nil {
			return nil, err
		}
		if n := t.PublishedRounds(); n > 0 {
			lines[i].Round = n
			lines[i].Done, lines[i].Boards = tournaments.Progress(t.Rounds[n-1])
		}
	}
	return lines, nil
}

// boards draws the running games that moved last, as a spectator sees them.
func (p *Pages) boards(c echo.Context) ([]play.BoardLine, error) {
	ctx, in := c.Request().Context(), p.Reader(c)
	rows, _, err := p.GameList.List(ctx, table.Filter{Status: []table.Status{table.Running}}, homeBoards, "")
	if err != nil {
		return nil, err
	}
	lines, err := p.play.GameLines(ctx, rows)
	if err != nil {
		return nil, err
	}
	boards := make([]play.BoardLine, len(lines))
	for i, line := range lines {
		s, next, err := p.play.Spectated(ctx, line.ID)
		if err != nil {
			return nil, err
		}
		kit.Again(c, next)
		picture := board.Picture{ID: "g" + line.ID, Title: line.Title(), In: in}
		boards[i] = play.BoardLine{GameLine: line, Board: board.Draw(play.Position(s, engine.Viewer{}), picture)}
	}
	return boards, nil
}
