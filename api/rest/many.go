package rest

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/api/internal/attachment"
	"quatuor/api/internal/sheet"
	"quatuor/engine/table"
	"quatuor/tournament"
)

// createEntries enters many, all or none.
func (a *API) createEntries(ctx context.Context, on command.On, sent gen.NewEntry) (gen.CreateEntryOut, error) {
	t, err := command.AddEntries.Check(ctx, a.commands, on.ID, command.Entries{})
	if err != nil {
		return nil, err
	}
	if sent.PlayerID != nil || sent.Members != nil || sent.Name != nil || sent.Club != nil || sent.Rating != nil || sent.Bot != nil {
		return nil, command.Invalid("/entries", "send a list of entries, or one entry, not both")
	}
	list, faults := make([]tournament.Entry, len(*sent.Entries)), &command.Refusal{Err: command.ErrInvalid}
	for i, e := range *sent.Entries {
		list[i], err = a.entry(ctx, t, gen.NewEntry{
			PlayerID: e.PlayerID, Members: e.Members, Name: e.Name, Club: e.Club, Rating: e.Rating,
		})
		var refused *command.Refusal
		switch {
		case errors.As(err, &refused):
			for _, f := range refused.Fields {
				f.Pointer = fmt.Sprintf("/entries/%d%s", i, f.Pointer)
				faults.Fields = append(faults.Fields, f)
			}
		case err != nil:
			return nil, err
		}
	}
	if len(faults.Fields) > 0 {
		return nil, faults
	}
	if t, err = command.AddEntries.Run(ctx, a.commands, on, command.Entries{Entries: list}); err != nil {
		return nil, err
	}
	for i := range list {
		if list[i], err = command.Entry(t, list[i].ID); err != nil {
			return nil, err
		}
	}
	items, err := a.entryViews(ctx, t, list...)
	return gen.EntriesMade{Items: items}, err
}

// SetResults sets or corrects the results of several boards.
func (a *API) SetResults(ctx context.Context, r gen.SetResultsIn) (gen.SetResultsOut, error) {
	in := &command.RoundResults{Round: r.Round, Results: make([]command.ListedResult, len(r.Body.Results))}
	for i, sent := range r.Body.Results {
		verdict, err := verdictOf(gen.NewResult{
			Result: (*gen.NewResultResult)(sent.Result), Ranks: sent.Ranks, Absent: sent.Absent,
			Adjudicated: sent.Adjudicated, Rated: sent.Rated, OnlyRating: sent.OnlyRating,
		})
		in.Results[i] = command.ListedResult{
			Board: sent.Board, Verdict: verdict, Why: valueOf(sent.Reason), Seen: sent.IfMatch, Err: err,
		}
	}
	t, err := command.EnterResults.Run(ctx, a.commands, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}, in)
	if err != nil {
		return nil, err
	}
	body := gen.ResultsSet{Items: make([]gen.ResultSet, len(in.Results))}
	for i, sent := range in.Results {
		item := gen.ResultSet{Board: sent.Board}
		if err := in.Refused[i]; err != nil {
			item.Refused = new(a.ProblemOf(err))
		} else {
			body.Set++
		}
		if p, err := t.Pairing(r.Round, sent.Board); err == nil {
			item.Etag, item.Result = optional(command.Tag(p)), pairingView(t, r.Round, p).Result
		}
		body.Items[i] = item
	}
	body.Repairable = some(a.Tournaments.Repairable(ctx, t, r.Round))
	return gen.SetResults200JSON{Body: body, Headers: gen.Tagged{ETag: command.Tag(t.Rounds[r.Round-1])}}, nil
}

// ExportGames exports the records of many games.
func (a *API) ExportGames(ctx context.Context, r gen.ExportGamesIn) (gen.ExportGamesOut, error) {
	p, who := r.Params, auth.From(ctx)
	e := &gamesExport{API: a, ctx: context.WithoutCancel(ctx), wanted: retyped[table.Status](valueOf(p.Status))}
	for _, bound := range []struct {
		sent *gen.Time
		name string
		at   *int64
	}{{p.Since, "since", &e.since}, {p.Until, "until", &e.until}} {
		if bound.sent == nil {
			continue
		}
		at, err := time.Parse(time.RFC3339, *bound.sent)
		if err != nil {
			return nil, command.InvalidQuery(bound.name, "write a time as 2026-03-01T18:30:00Z")
		}
		*bound.at = at.UnixMilli()
	}
	if v := a.games.Take(who.AccountID); !v.OK {
		return nil, &auth.LimitError{Verdict: v}
	}
	if len(e.wanted) == 0 {
		e.wanted = []table.Status{table.Finished}
	}
	e.filter = table.Filter{
		Status: e.wanted, Player: valueOf(p.Player), Variant: valueOf(p.Variant), Tournament: valueOf(p.Tournament),
		Delayed: slices.ContainsFunc(e.wanted, func(s table.Status) bool { return !s.Over() }),
	}
	e.csv = valueOf(p.Format) == gen.ExportGamesParamsFormatCsv
	return e, nil
}

// gamesExport is an export that is written page by page, so that it takes as little memory for many games as for few.
type gamesExport struct {
	*API
	ctx          context.Context //nolint:containedctx // it lasts as long as the answer
	filter       table.Filter
	wanted       []table.Status
	since, until int64 // ms UTC; 0 for none
	csv          bool  // a line for each seat instead of records
}

// exportTime is the maximum time for a page of an export.
const exportTime = time.Minute

// VisitExportGamesResponse writes the lines.
func (e *gamesExport) VisitExportGamesResponse(w http.ResponseWriter) error {
	out := e.recordLines(w)
	if e.csv {
		w.Header().Set("Content-Type", sheet.Kind)
		w.Header().Set("Content-Disposition", attachment.Disposition("games.csv"))
		lines := csv.NewWriter(w)
		lines.UseCRLF = true
		if err := lines.Write(gameHead); err != nil {
			return err
		}
		out = func(page []table.Game) error { return e.seatLines(lines, page) }
	} else {
		w.Header().Set("Content-Type", "application/x-ndjson")
	}
	w.WriteHeader(http.StatusOK)
	deadline := http.NewResponseController(w)
	for cursor := ""; ; {
		_ = deadline.SetWriteDeadline(time.Now().Add(exportTime)) // without it, the usual deadline
		page, next, err := e.GameList.List(e.ctx, e.filter, maxItems, cursor)
		if err != nil {
			return err
		}
		older, err := e.write(page, out)
		if cursor = next; err != nil || older || cursor == "" {
			return err
		}
		_ = deadline.Flush()
	}
}

// write writes the games of a page, and reports whether they are older than the wanted range.
func (e *gamesExport) write(page []table.Game, out func([]table.Game) error) (older bool, err error) {
	if page, err = e.seenRows(e.ctx, page, e.wanted); err != nil {
		return false, err
	}
	if i := slices.IndexFunc(page, func(g table.Game) bool { return g.CreatedAt < e.since }); i >= 0 {
		page, older = page[:i], true
	}
	page = slices.DeleteFunc(page, func(g table.Game) bool { return e.until > 0 && g.CreatedAt >= e.until })
	return older, out(page)
}

// recordLines returns a function that writes the records of games, each as a JSON document on a line.
func (e *gamesExport) recordLines(w io.Writer) func([]table.Game) error {
	out := json.NewEncoder(w)
	return func(page []table.Game) error {
		for _, g := range page {
			s, err := e.look(e.ctx, g.ID)
			if err != nil {
				return err
			}
			rec, err := e.recordOf(e.ctx, s, "")
			if err != nil {
				return err
			}
			if err := out.Encode(recordView(rec)); err != nil {
				return err
			}
		}
		return nil
	}
}
