package rest

import (
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"iter"
	"strconv"
	"strings"

	"quatuor/api/auth"
	"quatuor/api/gen"
	"quatuor/api/internal/sheet"
	"quatuor/engine/table"
	"quatuor/tournament"
	"quatuor/tournament/club"
	"quatuor/tournament/director"
	"quatuor/tournament/season"
	"quatuor/tournament/standings"
	"quatuor/tournament/team"
)

// csvDownload returns rows as a file.
func csvDownload(name string, rows [][]string) (download, error) {
	text, err := sheet.CSV(rows)
	return download{sheet.Kind, name + ".csv", text}, err
}

// tableDownload returns the view of a table as JSON, or its rows as a file for spreadsheets.
func tableDownload(file string, asJSON bool, view any, rows [][]string) (download, error) {
	if !asJSON {
		return csvDownload(file, rows)
	}
	text, err := json.MarshalIndent(view, "", "  ")
	return download{"application/json", file + ".json", append(text, '\n')}, err
}

// all returns the items of a list that is read page by page; an error is the last.
func all[T any](list func(cursor string) (page []T, next string, err error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for cursor := ""; ; {
			page, next, err := list(cursor)
			for _, item := range page {
				if !yield(item, nil) {
					return
				}
			}
			if err != nil {
				yield(*new(T), err)
				return
			}
			if cursor = next; cursor == "" {
				return
			}
		}
	}
}

// ExportPlayers returns the club's players as a file.
func (a *API) ExportPlayers(ctx context.Context, r gen.ExportPlayersIn) (gen.ExportPlayersOut, error) {
	who := auth.From(ctx)
	years := who.Can(who.Level(), auth.SeeBirthYears)
	head := []string{"name", "club", "player_id"}
	if years {
		head = []string{"name", "club", "birth_year", "player_id"}
	}
	rows := [][]string{head}
	filter := club.PlayerFilter{Name: valueOf(r.Params.Name), Club: valueOf(r.Params.Club)}
	players := all(func(cursor string) ([]club.Player, string, error) {
		return a.People.ListPlayers(ctx, filter, maxItems, cursor)
	})
	for p, err := range players {
		if err != nil {
			return nil, err
		}
		row := []string{p.Name, p.Club, p.ID}
		if years {
			row = []string{p.Name, p.Club, number(p.BirthYear), p.ID}
		}
		rows = append(rows, row)
		if len(rows) > maxExported {
			break
		}
	}
	return csvDownload("players", rows)
}

// ExportRatingHistory returns the course of a player's rating as a file.
func (a *API) ExportRatingHistory(
	ctx context.Context, r gen.ExportRatingHistoryIn,
) (gen.ExportRatingHistoryOut, error) {
	who, err := a.People.Player(ctx, r.PlayerID)
	if err != nil {
		return nil, err
	}
	history, err := a.Ratings.History(ctx, r.List, r.PlayerID)
	if err != nil {
		return nil, err
	}
	rows := [][]string{{"at", "before", "change", "after", "expected", "score", "game"}}
	for _, row := range history {
		rows = append(rows, []string{
			moment(row.At), decimal(row.Before), decimal(row.Change), decimal(row.After), decimal(row.Expected),
			decimal(row.Score), row.GameID,
		})
	}
	return csvDownload(fileName(r.PlayerID, who.Name)+"-"+r.List, rows)
}

// decimal formats a number with two decimals at most.
func decimal(v float64) string {
	text := strconv.FormatFloat(v, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// maxExportedTournaments is the maximum number of tournaments in an exported list.
const maxExportedTournaments = 10_000

// ExportTournaments returns the club's tournaments as a file, without drafts.
func (a *API) ExportTournaments(ctx context.Context, _ gen.ExportTournamentsIn) (gen.ExportTournamentsOut, error) {
	rows := [][]string{{"name", "variant", "format", "status", "entries", "rounds", "time_control", "starts", "ends", "tournament_id"}}
	tournaments := all(func(cursor string) ([]director.Summary, string, error) {
		return a.TournamentList.List(ctx, director.Filter{Status: director.PublicStatuses}, maxItems, cursor)
	})
	for t, err := range tournaments {
		if err != nil {
			return nil, err
		}
		rows = append(rows, []string{
			t.Name, t.Variant, string(t.Format), string(t.Status), strconv.Itoa(t.Entries), number(t.RoundCount), t.TimeControl,
			moment(cmp.Or(t.StartedAt, t.StartsAt)), moment(t.FinishedAt), t.ID,
		})
		if len(rows) > maxExportedTournaments {
			break
		}
	}
	return csvDownload("tournaments", rows)
}

// ExportLadder returns a ladder as a file.
func (a *API) ExportLadder(ctx context.Context, r gen.ExportLadderIn) (gen.ExportLadderOut, error) {
	l, err := a.commands.Reader.Ladder(ctx, r.LadderID)
	if err != nil {
		return nil, err
	}
	if valueOf(r.Params.Table) == gen.Log {
		return csvDownload(fileName(l.ID, l.Name)+"-log", ladderLogRows(l))
	}
	rows := [][]string{{"place", "name", "player_id"}}
	for i, player := range l.Order() {
		rows = append(rows, []string{strconv.Itoa(i + 1), l.Names[player], player})
	}
	return csvDownload(fileName(l.ID, l.Name), rows)
}

// ladderLogRows lists how challenges ended, oldest first.
func ladderLogRows(l *season.Ladder) [][]string {
	rows := [][]string{{"at", "challenger", "challenged", "end", "place_before", "place_after"}}
	for _, e := range l.Log() {
		if pair, ok := l.Pairs[e.ID]; ok && e.Refused == "" {
			rows = append(rows, []string{
				moment(e.At * 1000), l.Names[pair[0]], l.Names[pair[1]], string(e.End), number(e.From), number(e.To),
			})
		}
	}
	return rows
}

// entryRows lists the entries that are shown to the public.
func (a *API) entryRows(ctx context.Context, t *tournament.Tournament) ([][]string, error) {
	views, err := a.entryViews(ctx, t, t.Entries...)
	if err != nil {
		return nil, err
	}
	rows := [][]string{{"number", "name", "club", "rating", "status", "present", "players"}}
	for i, e := range views {
		row := []string{number(valueOf(e.Number)), e.Name, valueOf(e.Club), "", string(e.Status), "", ""}
		if rating := t.Entries[i].Rating; rating > 0 {
			row[3] = strconv.FormatFloat(rating, 'f', -1, 64)
		}
		if valueOf(e.Present) {
			row[5] = "yes"
		}
		var names []string
		for _, member := range e.Members {
			names = append(names, member.Name)
		}
		row[6] = strings.Join(names, ", ")
		rows = append(rows, row)
	}
	return rows, nil
}

// crosstableRows has a column for each round: opponents' numbers, the seat and the points, as in 7w1, or the bye.
func crosstableRows(c *standings.Crosstable) [][]string {
	head := []string{"rank", "number", "name"}
	for n := range c.Round {
		head = append(head, "round "+strconv.Itoa(n+1))
	}
	rows := [][]string{append(head, "points")}
	for _, line := range c.Rows {
		row := []string{number(line.Rank), number(line.Entry.Number), line.Entry.Name}
		for _, cell := range line.Cells {
			row = append(row, cellText(cell))
		}
		rows = append(rows, append(row, line.Points.String()))
	}
	return rows
}

// playerRows has the players of both teams of a Scheveningen, with a column for each opponent by place.
func playerRows(m *team.Meetings, names map[string]string) (rows [][]string) {
	for side, players := range m.Players {
		head := []string{"team", "player"}
		for _, other := range m.Players[1-side] {
			head = append(head, names[other.Player])
		}
		rows = append(rows, append(head, "points", "games"))
		for i, p := range players {
			row := []string{m.Teams[side].Name, names[p.Player]}
			for j := range m.Players[1-side] {
				var met []string
				for _, b := range m.Between(side, i, j) {
					if b.Marks[side] != team.Unfinished {
						met = append(met, b.Points[side].String())
					}
				}
				row = append(row, strings.Join(met, " "))
			}
			rows = append(rows, append(row, p.Points.String(), strconv.Itoa(p.Games)))
		}
	}
	return rows
}

// cellText returns a round of an entry: "seat 1 against 7: 0.5", "bye PAB: 1", or "" while it is open.
func cellText(c tournament.Cell) string {
	if c.Kind == tournament.Absent || c.Kind == tournament.Pending && len(c.Opponents) == 0 {
		return ""
	}
	text := "bye " + string(c.Bye)
	if c.Bye == tournament.NoBye {
		var numbers []string
		for _, n := range c.Opponents {
			numbers = append(numbers, strconv.Itoa(n))
		}
		text = "seat " + strconv.Itoa(c.Seat) + " against " + strings.Join(numbers, "+")
	}
	switch c.Kind {
	case tournament.Pending:
		return text
	case tournament.ForfeitWin, tournament.ForfeitLoss:
		text += " forfeit"
	}
	return text + ": " + c.Points.String()
}

// prizeRows lists the prizes that are won.
func prizeRows(p gen.Prizes) [][]string {
	rows := [][]string{{"category", "place", "number", "name", "amount", "prize", "shared_by"}}
	for _, award := range p.Awards {
		rows = append(rows, []string{
			award.Category, strconv.Itoa(award.Place), number(valueOf(award.Entry.Number)), award.Entry.Name,
			decimal(float64(award.Amount) / 100), valueOf(award.Text), number(valueOf(award.Sharers)),
		})
	}
	return rows
}

// seatLines writes a line for each seat of games.
func (e *gamesExport) seatLines(out *csv.Writer, page []table.Game) error {
	var ids []string
	for _, g := range page {
		ids = append(ids, g.Players...)
	}
	names, err := e.commands.Names.Of(e.ctx, ids...)
	if err != nil {
		return err
	}
	for _, g := range page {
		s := gameSummary(g, names)
		for i, seat := range s.Seats {
			row := []string{
				s.ID, moment(g.CreatedAt), moment(g.FinishedAt), s.Variant, string(s.Status), s.TimeControl, strconv.FormatBool(s.Rated),
				strconv.Itoa(int(seat.Seat)), "", "", "", "", "", "",
			}
			if seat.Player != nil {
				row[8] = seat.Player.Name
			}
			if o := s.Outcome; o != nil && o.Ranks != nil {
				row[9], row[10] = strconv.Itoa((*o.Ranks)[i]), o.Reason
			}
			if at := s.Tournament; at != nil {
				row[11], row[12], row[13] = at.ID, strconv.Itoa(at.Round), strconv.Itoa(at.Board)
			}
			_ = out.Write(each(row, sheet.Harmless)) // the writer keeps its first error
		}
	}
	out.Flush()
	return out.Error()
}

// gameHead names the columns of [gamesExport.seatLines].
var gameHead = []string{
	"game", "created", "finished", "variant", "status", "time_control", "rated", "seat", "player", "rank", "reason",
	"tournament_id", "round", "board",
}
