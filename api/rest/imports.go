package rest

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/exchange"
	"quatuor/tournament/trf"
)

// ImportTournament imports a tournament started in another program.
func (a *API) ImportTournament(ctx context.Context, r gen.ImportTournamentIn) (gen.ImportTournamentOut, error) {
	answer, err := a.importTournament(ctx, r)
	if r.JSONBody == nil {
		err = inQuery(err)
	}
	return answer, err
}

func (a *API) importTournament(ctx context.Context, r gen.ImportTournamentIn) (gen.ImportTournamentOut, error) {
	order, err := importOrder(r)
	if err != nil {
		return nil, err
	}
	o, err := a.importOptions(ctx, order)
	if err != nil {
		return nil, err
	}
	check := valueOf(order.Check)
	id := idOf(auth.From(ctx), "import", r.Params.IdempotencyKey, order)
	out, err := command.ImportTournament.Run(ctx, a.commands, command.TournamentReport{
		ID: id, Text: []byte(order.Report), Check: check, Options: o,
	})
	if err != nil {
		return nil, err
	}
	answer, err := a.taggedTournament(ctx, out.Tournament)
	addSummary(&answer.Body, out.Summary)
	if check {
		return answer.Body, err
	}
	return answer, err
}

// addSummary adds the effects of an import to the view of its tournament.
func addSummary(v *gen.Tournament, did exchange.Summary) {
	v.Notes = some(each(did.Notes, sentence.Sentence.String))
	if len(did.Lines) == 0 {
		return // it had been imported before
	}
	v.NewPlayers = &did.NewPlayers
	v.Lines = new(each(did.Lines, func(use trf.Use) gen.ReportLines {
		return gen.ReportLines{Code: use.Code, Lines: use.Lines, First: use.First, Treatment: string(use.Treatment)}
	}))
}

// importOrder normalises the two request forms: the file as body with settings in the query, or everything in JSON.
func importOrder(r gen.ImportTournamentIn) (gen.TournamentImport, error) {
	p := r.Params
	if r.JSONBody != nil {
		p.IdempotencyKey = nil
		if p != (gen.ImportTournamentParams{}) {
			return gen.TournamentImport{}, command.Invalid(
				"", "the body is JSON: put the values of the query parameters into it",
			)
		}
		return *r.JSONBody, nil
	}
	if p.Variant == nil {
		return gen.TournamentImport{}, command.InvalidQuery(
			"variant", "say which variant was played: a report file does not name it",
		)
	}
	return gen.TournamentImport{
		Report: *r.TextBody, Name: p.Name, Variant: *p.Variant,
		Format: p.Format, Rounds: p.Rounds, TimeControl: p.TimeControl,
		TieBreaks: p.TieBreaks, Rated: p.Rated, AutoRounds: p.AutoRounds, NamesOnly: p.NamesOnly, Check: p.Check,
	}, nil
}

// importOptions returns the organiser's settings, once it has checked that the players named exist.
func (a *API) importOptions(ctx context.Context, b gen.TournamentImport) (exchange.Options, error) {
	o := exchange.Options{
		Name: valueOf(b.Name), Variant: b.Variant, Format: tournament.Format(valueOf(b.Format)), Rounds: valueOf(b.Rounds),
		TimeControl: valueOf(b.TimeControl), Options: valueOf(b.Options),
		Rated: valueOf(b.Rated), AutoRounds: valueOf(b.AutoRounds),
		NamesOnly: valueOf(b.NamesOnly), Players: make(map[int]string),
	}
	if b.TieBreaks != nil {
		o.TieBreaks = append([]string{}, *b.TieBreaks...)
	}
	known := valueOf(b.Players)
	players, err := a.People.Players(ctx, each(known, func(k gen.KnownPlayer) string { return k.PlayerID }))
	if err != nil {
		return o, err
	}
	for i, k := range known {
		if _, ok := players[k.PlayerID]; !ok {
			return o, command.Invalid(fmt.Sprintf("/players/%d/player_id", i), "there is no such player")
		}
		if _, twice := o.Players[k.Number]; twice {
			return o, command.Invalid(fmt.Sprintf("/players/%d/number", i), "this number is named twice")
		}
		o.Players[k.Number] = k.PlayerID
	}
	return o, nil
}

// inQuery maps JSON members to the query parameters that replace them where the file itself is the body.
func inQuery(err error) error {
	var settings tournament.FieldErrors
	var refusal *command.Refusal
	var fields []command.FieldError
	switch {
	case errors.As(err, &settings):
		for _, f := range settings {
			fields = append(fields, command.FieldError{Parameter: f.Field, In: "query", Detail: f.Detail})
		}
	case errors.As(err, &refusal):
		for _, f := range refusal.Fields {
			if name := strings.TrimPrefix(f.Pointer, "/"); name == "report" {
				f.Pointer = ""
			} else if name != "" {
				f = command.FieldError{Parameter: name, In: "query", Detail: f.Detail}
			}
			fields = append(fields, f)
		}
	default:
		return err
	}
	return &command.Refusal{Err: err, Fields: fields}
}
