package rest

import (
	"context"
	"encoding/json"
	"errors"

	"quatuor/api/auth"
	"quatuor/api/gen"
	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/standings"
	"quatuor/tournament/team"
)

// GetStandings shows the standings.
func (a *API) GetStandings(ctx context.Context, r gen.GetStandingsIn) (gen.GetStandingsOut, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	table, err := a.Tournaments.Standings(t, valueOf(r.Params.Round))
	if err != nil {
		return nil, err
	}
	return standingsView(table), nil
}

func standingsView(s *standings.Standings) gen.Standings {
	rows := each(s.Rows, func(row standings.Row) gen.StandingsRow {
		v := gen.StandingsRow{
			Rank: optional(row.Rank), Out: optional(row.Out), Entry: entryRef(row.Entry),
			Points: row.Points.String(), TieBreaks: row.TieBreaks,
		}
		if row.Team != nil {
			v.MatchPoints, v.GamePoints = new(row.Team.MP.String()), new(row.Team.GP.String())
		}
		if row.Shared > row.Rank {
			v.RankTo = &row.Shared
		}
		return v
	})
	return gen.Standings{Round: s.Round, Columns: append([]string{}, s.Columns...), Rows: rows}
}

func entryRef(e tournament.Entry) gen.EntryRef {
	return gen.EntryRef{ID: e.ID, Number: optional(e.Number), Name: e.Name}
}

// GetCrosstable shows all entries' results, round by round.
func (a *API) GetCrosstable(ctx context.Context, r gen.GetCrosstableIn) (gen.GetCrosstableOut, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	table, err := standings.CrosstableAfter(t, 0)
	if err != nil {
		return nil, err
	}
	refs := refsOf(t)
	out := gen.Crosstable{Round: table.Round, Rows: make([]gen.CrosstableRow, len(table.Rows))}
	for i, line := range table.Rows {
		out.Rows[i] = gen.CrosstableRow{
			Rank: optional(line.Rank), Entry: entryRef(line.Entry), Points: line.Points.String(),
			Cells: make([]gen.CrosstableCell, len(line.Cells)),
		}
		for n, c := range line.Cells {
			out.Rows[i].Cells[n] = crosstableCell(n+1, c, refs)
		}
	}
	m, names, err := a.meetings(ctx, t)
	if m != nil {
		out.Players = new(crosstablePlayers(m, names))
	}
	return out, err
}

// meetings returns the crosstable of the players of a Scheveningen, and their names; nil in other formats.
func (a *API) meetings(ctx context.Context, t *tournament.Tournament) (*team.Meetings, map[string]string, error) {
	m := team.MeetingsOf(t, t.PublishedRounds())
	if m == nil {
		return nil, nil, nil
	}
	names, err := a.commands.Names.Of(ctx, m.IDs()...)
	return m, names, err
}

func crosstablePlayers(m *team.Meetings, names map[string]string) []gen.CrosstablePlayer {
	out := []gen.CrosstablePlayer{}
	for side, players := range m.Players {
		for i, p := range players {
			v := gen.CrosstablePlayer{
				EntryID: m.Teams[side].ID, Place: p.Place, Player: *playerRef(p.Player, names), Points: p.Points.String(),
				Games: p.Games, Meetings: []gen.CrosstableMeeting{},
			}
			for j, other := range m.Players[1-side] {
				for _, met := range m.Between(side, i, j) {
					v.Meetings = append(v.Meetings, crosstableMeeting(met, side, *playerRef(other.Player, names)))
				}
			}
			out = append(out, v)
		}
	}
	return out
}

func crosstableMeeting(met team.Meeting, side int, opponent gen.PlayerRef) gen.CrosstableMeeting {
	v := gen.CrosstableMeeting{
		Round: met.Round, Board: met.Board, Opponent: opponent, Seat: 2, GameID: optional(met.Game),
	}
	if met.SeatOne == side {
		v.Seat = 1
	}
	if met.Marks[side] != team.Unfinished {
		v.Points = new(met.Points[side].String())
		v.Forfeit = optional(!met.Marks[side].AtBoard())
	}
	return v
}

func crosstableCell(round int, c tournament.Cell, refs entryRefs) gen.CrosstableCell {
	cell := gen.CrosstableCell{
		Round: round, Seat: optional(int8(c.Seat)), Bye: optional(gen.ByeCode(c.Bye)),
		Opponents: some(each(c.Opponents, func(n int) string { return refs.numbers[n].ID })),
	}
	if c.Kind != tournament.Pending && c.Kind != tournament.Absent {
		cell.Points = new(c.Points.String())
	}
	if c.Kind == tournament.ForfeitWin || c.Kind == tournament.ForfeitLoss {
		cell.Forfeit = new(true)
	}
	return cell
}

// RenderTournament renders an event of a tournament's stream: the tournament, its latest round, or its standings. The
// right to read was checked when the stream was opened; a tournament that has become a draft again since is not shown
// to the public.
func (a *API) RenderTournament(
	ctx context.Context, t *tournament.Tournament, staff bool, event string,
) ([]byte, error) {
	if t.Status == tournament.Draft && !staff {
		return nil, nil
	}
	var body any
	switch event {
	case "pairings":
		n := shownRounds(t, staff)
		if n == 0 {
			return nil, nil
		}
		body = a.roundShown(t, n, staff)
	case "standings":
		table, err := a.Tournaments.Standings(t, 0)
		if err != nil {
			return nil, err
		}
		body = standingsView(table)
	default:
		body = a.tournamentShown(t, staff)
		if news, of := director.Topic(event).News(); of {
			match, err := a.match(auth.With(ctx, auth.Identity{}), t.Public(), news.Round, news.Board)
			if errors.Is(err, tournament.ErrNotFound) {
				return nil, nil // the round was taken back
			}
			if err != nil {
				return nil, err
			}
			body = gen.MatchNotice{Round: news.Round, Board: optional(news.On), EntryID: optional(news.Entry), Match: match.Body}
		}
	}
	return json.Marshal(body)
}

// Staff returns a check whether the client is on a tournament's current staff; nil for the public. The error is
// tournament.ErrNotFound if the client may not know of the tournament.
func (a *API) Staff(ctx context.Context, id string) (func(*tournament.Tournament) bool, error) {
	t, err := a.visible(ctx, id)
	if err != nil || !runs(ctx, t) {
		return nil, err
	}
	return func(t *tournament.Tournament) bool { return runs(ctx, t) }, nil
}
