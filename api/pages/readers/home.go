package readers

import (
	"cmp"
	"context"
	"slices"

	"github.com/labstack/echo/v4"
	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/play"
	"quatuor/api/pages/results"
	"quatuor/engine/table"
	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/standings"
)

// Maximum numbers of items on the first page.
const (
	homeTournaments = 5
	homePast        = 3
	homeBoards      = 8
	homeResults     = 10
	homePlaces      = 3 // of a finished tournament
)

// homeBody holds the data of the first page.
type homeBody struct {
	Club    string
	Welcome string             // the club's own sentence, "" for none
	Drafts  []director.Summary // for their staff
	Create  bool               // the visitor may create tournaments
	Steps   []runningEvent     // with the visitor on their staff
	Next    *nextEvent         // nil for none
	Start   *startBody         // the visitor's own things; nil for visitors without a player
	Running []runningEvent
	Soon    []director.Summary
	Past    []pastEvent
	Boards  []play.BoardLine
	Recent  []eventGames
}

// nextEvent is a tournament that is open for registration.
type nextEvent struct {
	director.Summary
	Full bool // all places are taken
	Left int  // places, 0 for no limit
}

// next returns the tournament to take part in: the first open tournament with places, else the first open, else nil.
func (p *Pages) next(ctx context.Context, soon []director.Summary) (full *nextEvent, err error) {
	for _, line := range soon {
		if line.Status != tournament.Open {
			continue
		}
		t, err := p.Tournaments.Tournament(ctx, line.ID)
		if err != nil {
			return nil, err
		}
		event := &nextEvent{line, t.Full(), t.PlacesLeft()}
		if !event.Full {
			return event, nil
		}
		full = cmp.Or(full, event)
	}
	return full, nil
}

// runningEvent is a running tournament with the progress of its round.
type runningEvent struct {
	director.Summary
	Done, Boards int // of the present round
	event        *tournament.Tournament
}

// Missing returns how many results the round in progress lacks.
func (e runningEvent) Missing() int { return e.Boards - e.Done }

// pastEvent is a finished tournament with its first places.
type pastEvent struct {
	director.Summary
	Places []place
}

// eventGames are games of a tournament, or casual games.
type eventGames struct {
	Tournament, Event string // "" for casual games
	Lines             []play.GameLine
}

func (p *Pages) home(c echo.Context) (err error) {
	ctx := c.Request().Context()
	current := p.Club(ctx)
	body := homeBody{Club: current.Name, Welcome: current.Welcome}
	if body.Drafts, err = p.Drafts(c); err != nil {
		return err
	}
	body.Create = p.Creates(c)
	who := auth.Session(c)
	if who.PlayerID != "" {
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
	for _, running := range body.Running {
		if access.Staff(who, running.event) {
			body.Steps = append(body.Steps, running)
		}
	}
	soon := director.Filter{Status: []tournament.Status{tournament.Open, tournament.Closed}}
	if body.Soon, _, err = p.TournamentList.List(ctx, soon, homeTournaments, ""); err != nil {
		return err
	}
	if body.Next, err = p.next(ctx, body.Soon); err != nil {
		return err
	}
	if body.Past, err = p.past(ctx); err != nil {
		return err
	}
	if body.Boards, err = p.boards(c); err != nil {
		return err
	}
	recent, err := p.recent(ctx)
	if err != nil {
		return err
	}
	if body.Recent, err = p.byEvent(ctx, recent); err != nil {
		return err
	}
	return p.Show(c, "home", "", body)
}

// past lists the tournaments that finished last.
func (p *Pages) past(ctx context.Context) ([]pastEvent, error) {
	finished := director.Filter{Status: []tournament.Status{tournament.Finished}}
	lines, _, err := p.TournamentList.List(ctx, finished, homePast, "")
	if err != nil {
		return nil, err
	}
	events := make([]pastEvent, len(lines))
	for i, line := range lines {
		events[i].Summary = line
		if events[i].Places, err = p.podium(ctx, line.ID); err != nil {
			return nil, err
		}
	}
	return events, nil
}

// recent lists the games that finished last.
func (p *Pages) recent(ctx context.Context) ([]play.GameLine, error) {
	finished, _, err := p.GameList.List(ctx, table.Filter{Status: []table.Status{table.Finished}}, homeResults, "")
	if err != nil {
		return nil, err
	}
	return p.play.GameLines(ctx, finished)
}

// byEvent groups games by their tournaments, in the order of the first game of each.
func (p *Pages) byEvent(ctx context.Context, lines []play.GameLine) (events []eventGames, err error) {
	for _, line := range lines {
		id := ""
		if line.Place != nil {
			id = line.Place.ID
		}
		i := slices.IndexFunc(events, func(e eventGames) bool { return e.Tournament == id })
		if i < 0 {
			i, events = len(events), append(events, eventGames{Tournament: id})
			if id != "" {
				t, err := p.Tournaments.Tournament(ctx, id)
				if err != nil {
					return nil, err
				}
				events[i].Event = t.Name
			}
		}
		events[i].Lines = append(events[i].Lines, line)
	}
	return events, nil
}

// current lists the running tournaments with the progress of their rounds.
func (p *Pages) current(ctx context.Context) ([]runningEvent, error) {
	running := director.Filter{Status: []tournament.Status{tournament.Running}}
	lines, _, err := p.TournamentList.List(ctx, running, homeTournaments, "")
	if err != nil {
		return nil, err
	}
	events := make([]runningEvent, len(lines))
	for i, line := range lines {
		t, err := p.Tournaments.Tournament(ctx, line.ID)
		if err != nil {
			return nil, err
		}
		events[i] = runningEvent{Summary: line, event: t}
		if n := t.PublishedRounds(); n > 0 {
			events[i].Round = n
			events[i].Done, events[i].Boards = results.Progress(t.Rounds[n-1])
		}
	}
	return events, nil
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
		var next int64
		if boards[i], next, err = p.play.Thumbnail(ctx, in, line); err != nil {
			return nil, err
		}
		kit.Again(c, next)
	}
	return boards, nil
}

// clubWallBody holds the data of the wall of the club.
type clubWallBody struct {
	Running []runningEvent
	Soon    []director.Summary
	Recent  []play.GameLine
}

func (p *Pages) clubWall(c echo.Context) (err error) {
	ctx := c.Request().Context()
	var body clubWallBody
	if body.Running, err = p.current(ctx); err != nil {
		return err
	}
	soon := director.Filter{Status: []tournament.Status{tournament.Open, tournament.Closed}}
	if body.Soon, _, err = p.TournamentList.List(ctx, soon, homeTournaments, ""); err != nil {
		return err
	}
	if body.Recent, err = p.recent(ctx); err != nil {
		return err
	}
	return p.Bare(c, "club-wall", kit.BareFrame{Kind: "wall", Body: body})
}

// place is an entry at a rank.
type place struct {
	Rank   int
	Entry  tournament.Entry
	Points tournament.Points
}

// podium returns the first entries of a tournament's standings.
func (p *Pages) podium(ctx context.Context, id string) ([]place, error) {
	t, err := p.Tournaments.Tournament(ctx, id)
	if err != nil {
		return nil, err
	}
	return p.podiums.Load(podiumKey{id, t.Version}, func() ([]place, error) {
		table, err := standings.After(t, 0)
		if err != nil {
			return nil, err
		}
		places := make([]place, 0, homePlaces)
		for _, row := range table.Rows[:min(homePlaces, len(table.Rows))] {
			places = append(places, place{row.Rank, row.Entry, row.Points})
		}
		return places, nil
	})
}

// podiumKey is the cache key of a tournament's first places.
type podiumKey struct {
	id      string
	version int64
}
