package pages

import (
	"context"
	"html/template"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/pages/board"
	"quatuor/api/pages/message"
	"quatuor/engine"
	"quatuor/engine/table"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// mountReaders adds what visitors read beside tournaments and games.
func (p *Pages) mountReaders(e *echo.Echo) {
	p.pages(e, map[string]echo.HandlerFunc{
		"/":                          p.home,
		"/players":                   p.players,
		"/players/:id":               p.player,
		"/players/:id/ratings/:list": p.ratingReasons,
		"/ratings":                   p.ratings,
		"/ratings/:list":             p.ranking,
		"/problems":                  p.problems,
		"/problems/:slug":            p.problem,
		"/rules":                     p.rules,
		"/rules/:game":               p.rulesOfGame,
	})
	p.get(e, "/tournaments/:id/wall", p.wall)
	p.get(e, "/wall", p.clubWall)
	if p.Guard != nil {
		p.get(e, "/start/live", p.startLive)
		p.get(e, "/tournaments/:id/slip", p.mySlip)
	}
}

// How much the first page shows of each kind.
const (
	homeTournaments = 5
	homePast        = 3
	homeBoards      = 8
	homeResults     = 10
)

// homeBody is what the first page shows.
type homeBody struct {
	Drafts  []tournamentLine // for their staff
	Create  bool             // the visitor may create tournaments
	Turns   int              // games that wait for the visitor
	Start   livePart         // the visitor's own things; nothing for those who do not play
	Running []tournamentLine
	Soon    []tournamentLine
	Past    []tournamentLine
	Boards  []boardLine
	Recent  []gameLine
}

// boardLine is a running game as a small board.
type boardLine struct {
	gameLine
	Board template.HTML
}

func (p *Pages) home(c echo.Context) (err error) {
	ctx := c.Request().Context()
	var body homeBody
	if body.Drafts, err = p.drafts(c); err != nil {
		return err
	}
	body.Create = p.creates(c)
	if who := auth.Session(c); who.PlayerID != "" {
		html, own, err := p.renderStart(ctx, p.reader(c), who)
		if err != nil {
			return err
		}
		body.Start, body.Turns = newLivePart("/start/live", html, nil), own.Turns
	}
	if body.Running, err = p.current(ctx); err != nil {
		return err
	}
	soon := director.Filter{Status: []tournament.Status{tournament.Open, tournament.Closed}}
	if body.Soon, _, err = p.tournamentLines(ctx, soon, homeTournaments, ""); err != nil {
		return err
	}
	past := director.Filter{Status: []tournament.Status{tournament.Finished}}
	if body.Past, _, err = p.tournamentLines(ctx, past, homePast, ""); err != nil {
		return err
	}
	if body.Boards, err = p.boards(ctx, p.reader(c)); err != nil {
		return err
	}
	if body.Recent, err = p.recent(ctx); err != nil {
		return err
	}
	return p.show(c, "home", "", body)
}

// recent lists the games that finished last.
func (p *Pages) recent(ctx context.Context) ([]gameLine, error) {
	finished, _, err := p.GameList.List(ctx, table.Filter{Status: []table.Status{table.Finished}}, homeResults, "")
	if err != nil {
		return nil, err
	}
	return p.gameLines(ctx, finished)
}

// current lists the running tournaments with the progress of their rounds.
func (p *Pages) current(ctx context.Context) ([]tournamentLine, error) {
	running := director.Filter{Status: []tournament.Status{tournament.Running}}
	lines, _, err := p.tournamentLines(ctx, running, homeTournaments, "")
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
			lines[i].Done, lines[i].Boards = progress(t.Rounds[n-1])
		}
	}
	return lines, nil
}

// boards draws the running games that moved last, as a spectator sees them.
func (p *Pages) boards(ctx context.Context, in *message.Printer) ([]boardLine, error) {
	rows, _, err := p.GameList.List(ctx, table.Filter{Status: []table.Status{table.Running}}, homeBoards, "")
	if err != nil {
		return nil, err
	}
	lines, err := p.gameLines(ctx, rows)
	if err != nil {
		return nil, err
	}
	boards := make([]boardLine, len(lines))
	for i, line := range lines {
		s, err := p.spectated(ctx, line.ID)
		if err != nil {
			return nil, err
		}
		picture := board.Picture{ID: "g" + line.ID, Title: line.Title(), In: in}
		boards[i] = boardLine{line, board.Draw(position(s, engine.Viewer{}), picture)}
	}
	return boards, nil
}
