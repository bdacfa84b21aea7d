package rest

import (
	"context"
	"slices"
	"strconv"

	"quatuor/api/gen"
	"quatuor/tournament"
	"quatuor/tournament/standings"
)

// tableRows returns the rows of a table of a tournament's public data.
func (a *API) tableRows(
	ctx context.Context, t *tournament.Tournament, which gen.ExportTournamentParamsTable,
) ([][]string, error) {
	switch which {
	case gen.ExportTournamentParamsTablePairings:
		return pairingRows(t), nil
	case gen.ExportTournamentParamsTableEntries:
		return a.entryRows(ctx, t)
	case gen.ExportTournamentParamsTablePrizes:
		prizes, err := a.prizesOf(ctx, t)
		return prizeRows(prizes.Body), err
	case gen.ExportTournamentParamsTableCrosstable:
		table, err := standings.CrosstableAfter(t, 0)
		if err != nil {
			return nil, err
		}
		m, names, err := a.meetings(ctx, t)
		if m != nil {
			return playerRows(m, names), nil
		}
		return crosstableRows(table), err
	}
	table, err := a.Tournaments.Standings(t, 0)
	if err != nil {
		return nil, err
	}
	return standingsRows(table), nil
}

func standingsRows(s *standings.Standings) [][]string {
	head := []string{"rank", "number", "name", "club", "rating", "points"}
	if len(s.Rows) > 0 && s.Rows[0].Team != nil {
		head = append(head, "match_points", "game_points")
	}
	rows := [][]string{append(head, s.Columns...)}
	for _, r := range s.Rows {
		row := []string{number(r.Rank), number(r.Entry.Number), r.Entry.Name, r.Entry.Club, "", r.Points.String()}
		if r.Entry.Rating > 0 {
			row[4] = strconv.FormatFloat(r.Entry.Rating, 'f', -1, 64)
		}
		if r.Team != nil {
			row = append(row, r.Team.MP.String(), r.Team.GP.String())
		}
		rows = append(rows, append(row, r.TieBreaks...))
	}
	return rows
}

// number returns a decimal, or "" for 0, which means none.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// pairingRows lists the published rounds: a row for each board of two, or for each seat of a larger table.
func pairingRows(t *tournament.Tournament) [][]string {
	entries := make(map[string]tournament.Entry, len(t.Entries))
	for _, e := range t.Entries {
		entries[e.ID] = e
	}
	published := t.Rounds[:t.PublishedRounds()]
	tables := slices.ContainsFunc(published, func(r tournament.Round) bool {
		return slices.ContainsFunc(r.Pairings, func(p tournament.Pairing) bool { return len(p.Seats) > 2 })
	})
	rows := [][]string{
		{"round", "board", "number 1", "seat 1", "number 2", "seat 2", "points 1", "points 2", "forfeit", "bye"},
	}
	if tables {
		rows[0] = []string{"round", "board", "seat", "number", "name", "points", "rank", "bye"}
	}
	for _, r := range published {
		for _, p := range r.Pairings {
			if tables {
				rows = append(rows, seatRows(r.Number, p, entries)...)
			} else {
				rows = append(rows, boardRow(r.Number, p, entries))
			}
		}
	}
	return rows
}

func boardRow(round int, p tournament.Pairing, entries map[string]tournament.Entry) []string {
	row := []string{strconv.Itoa(round), strconv.Itoa(p.Board), "", "", "", "", "", "", "", string(p.Bye)}
	for seat, id := range p.Seats {
		row[2+2*seat], row[3+2*seat] = number(entries[id].Number), entries[id].Name
		if p.Result != nil {
			row[6+seat] = p.Result.Points[seat].String()
		}
	}
	if p.Result != nil && p.Result.Forfeit {
		row[8] = "yes"
	}
	return row
}

func seatRows(round int, p tournament.Pairing, entries map[string]tournament.Entry) [][]string {
	var rows [][]string
	for seat, id := range p.Seats {
		row := []string{
			strconv.Itoa(round), strconv.Itoa(p.Board), strconv.Itoa(seat + 1),
			number(entries[id].Number), entries[id].Name, "", "", string(p.Bye),
		}
		if p.Result != nil {
			row[5] = p.Result.Points[seat].String()
			switch ranks := p.Result.Ranks; {
			case ranks != nil && ranks[seat] == 0, ranks == nil && p.Result.Forfeit:
				row[6] = "-"
			case ranks != nil && p.Result.Forfeit:
				row[6] = "+"
			case ranks != nil:
				row[6] = strconv.Itoa(ranks[seat])
			}
		}
		rows = append(rows, row)
	}
	return rows
}
