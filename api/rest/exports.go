package rest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/http"

	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/api/internal/attachment"
	"quatuor/engine/record"
	"quatuor/tournament"
	"quatuor/tournament/exchange"
)

// download is a response that a browser saves as a file.
type download struct {
	kind string // media type
	name string // in any letters
	data []byte
}

// VisitFile writes the response.
func (d download) VisitFile(w http.ResponseWriter) error {
	header := w.Header()
	header.Set("Content-Type", d.kind)
	header.Set("Content-Disposition", attachment.Disposition(d.name))
	w.WriteHeader(http.StatusOK)
	_, err := w.Write(d.data)
	return err
}

// fileName returns a file name, without its ending, for a tournament or a table.
func fileName(id, name string) string { return attachment.FileName(name, "tournament-"+id) }

// ExportTournament returns a tournament as a file.
func (a *API) ExportTournament(ctx context.Context, r gen.ExportTournamentIn) (gen.ExportTournamentOut, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	if r.Params.Table != nil && r.Params.Format != gen.ExportTournamentParamsFormatCsv {
		return nil, command.InvalidQuery("table", "only csv has tables to choose from")
	}
	switch r.Params.Format {
	case gen.ExportTournamentParamsFormatTrf:
		return a.exportReport(ctx, t)
	case gen.ExportTournamentParamsFormatCsv:
		which := cmp.Or(valueOf(r.Params.Table), gen.ExportTournamentParamsTableStandings)
		rows, err := a.tableRows(ctx, t.Public(), which)
		if err != nil {
			return nil, err
		}
		return csvDownload(fileName(t.ID, t.Name)+"-"+string(which), rows)
	case gen.ExportTournamentParamsFormatJSON:
		return a.exportDocument(ctx, t)
	}
	text, err := a.records(ctx, t)
	return download{"text/plain; charset=utf-8", fileName(t.ID, t.Name) + ".record", text}, err
}

// exportReport writes a report file. Forbidden pairs and dates of birth are included for the tournament's staff only.
func (a *API) exportReport(ctx context.Context, t *tournament.Tournament) (gen.ExportTournamentOut, error) {
	audience := exchange.Public
	if runs(ctx, t) {
		audience = exchange.Staff
	}
	report, err := a.Tournaments.Export(ctx, t, audience)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = report.Write(&b)
	return download{"text/plain; charset=utf-8", fileName(t.ID, t.Name) + ".trf", b.Bytes()}, err
}

// exportDocument returns all public data as a single document.
func (a *API) exportDocument(ctx context.Context, t *tournament.Tournament) (gen.ExportTournamentOut, error) {
	t = t.Public()
	entries, err := a.entryViews(ctx, t, t.Entries...)
	if err != nil {
		return nil, err
	}
	table, err := a.Tournaments.Standings(t, 0)
	if err != nil {
		return nil, err
	}
	document := gen.TournamentExport{
		Tournament: tournamentView(t), Entries: entries, Standings: standingsView(table),
		Rounds: each(t.Rounds[:t.PublishedRounds()], func(r tournament.Round) gen.Round { return roundView(t, r) }),
	}
	text, err := json.MarshalIndent(document, "", "  ")
	return download{"application/json", fileName(t.ID, t.Name) + ".json", append(text, '\n')}, err
}

// records returns the records of a tournament's games, by round and board.
func (a *API) records(ctx context.Context, t *tournament.Tournament) ([]byte, error) {
	games, err := a.gamesOf(ctx, t)
	if err != nil {
		return nil, err
	}
	var text []byte
	for i, g := range games {
		s, err := a.look(ctx, g.ID)
		if err != nil {
			return nil, err
		}
		rec, err := a.recordOf(ctx, s, t.Name)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			text = append(text, '\n')
		}
		text = record.Append(text, rec)
	}
	return text, nil
}
