package rest

import (
	"context"

	"quatuor/api/auth"
	"quatuor/api/gen"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// ListRounds lists the rounds paired so far.
func (a *API) ListRounds(ctx context.Context, r gen.ListRoundsRequestObject) (gen.ListRoundsResponseObject, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	list := gen.ListRounds200JSONResponse{Items: []gen.Round{}}
	for _, round := range t.Rounds[:t.PublishedRounds()] {
		list.Items = append(list.Items, roundView(round))
	}
	return list, nil
}

// GetRound shows a round.
func (a *API) GetRound(ctx context.Context, r gen.GetRoundRequestObject) (gen.GetRoundResponseObject, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	round, err := publishedRound(t, r.Round)
	if err != nil {
		return nil, err
	}
	return gen.GetRound200JSONResponse{
		Body: roundView(round), Headers: gen.GetRound200ResponseHeaders{ETag: contentTag(round)},
	}, nil
}

// CreateRound pairs the next round and opens its games.
func (a *API) CreateRound(ctx context.Context, r gen.CreateRoundRequestObject) (gen.CreateRoundResponseObject, error) {
	if _, err := a.allowed(ctx, r.TournamentID, auth.RunTournament); err != nil {
		return nil, err
	}
	t, err := a.Tournaments.NextRound(ctx, r.TournamentID, order(ctx))
	if err != nil {
		return nil, err
	}
	round := t.Rounds[len(t.Rounds)-1]
	return gen.CreateRound201JSONResponse{
		Body: roundView(round), Headers: gen.CreateRound201ResponseHeaders{ETag: contentTag(round)},
	}, nil
}

func publishedRound(t *tournament.Tournament, n int) (tournament.Round, error) {
	if n < 1 || n > t.PublishedRounds() {
		return tournament.Round{}, tournament.Refuse(tournament.ErrNotFound, "round %d", n)
	}
	return t.Rounds[n-1], nil
}

func roundView(r tournament.Round) gen.Round {
	v := gen.Round{
		Number: r.Number, Status: gen.RoundStatus(r.Status), PublishedAt: optionalMoment(r.PublishedAt),
		Pairings: make([]gen.Pairing, len(r.Pairings)),
	}
	for i, p := range r.Pairings {
		v.Pairings[i] = pairingView(p)
	}
	return v
}

func pairingView(p tournament.Pairing) gen.Pairing {
	v := gen.Pairing{
		Board: p.Board, Seats: p.Seats, GameID: optional(p.GameID), Result: optional(p.Text()),
	}
	if p.Bye != tournament.NoBye {
		bye := gen.ByeCode(p.Bye)
		v.Bye = &bye
	}
	if r := p.Result; r != nil {
		source := gen.PairingSource(r.Source)
		v.Ranks, v.Points, v.Forfeit = ranksOf(r), pointTexts(r), &r.Forfeit
		v.Reason, v.Source = optional(r.Reason), optional(source)
	}
	return v
}

func ranksOf(r *tournament.Result) *gen.Ranks {
	if r.Ranks == nil {
		return nil
	}
	return &r.Ranks
}

func pointTexts(r *tournament.Result) *[]string {
	texts := make([]string, len(r.Points))
	for i, p := range r.Points {
		texts[i] = p.String()
	}
	return &texts
}

// GetResult shows a board's result and how it came about.
func (a *API) GetResult(ctx context.Context, r gen.GetResultRequestObject) (gen.GetResultResponseObject, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	body, tag, err := a.result(ctx, t, r.Round, r.Board)
	return gen.GetResult200JSONResponse{Body: body, Headers: gen.GetResult200ResponseHeaders{ETag: tag}}, err
}

// SetResult sets or corrects a result by hand.
func (a *API) SetResult(ctx context.Context, r gen.SetResultRequestObject) (gen.SetResultResponseObject, error) {
	verdict, err := verdictOf(*r.Body)
	if err != nil {
		return nil, err
	}
	tags := func(t *tournament.Tournament) ([]string, error) {
		round, err := publishedRound(t, r.Round)
		if err != nil {
			return nil, err
		}
		p, err := t.Pairing(r.Round, r.Board)
		return []string{contentTag(p), contentTag(round)}, err
	}
	var changed *tournament.Tournament
	err = a.guarded(ctx, r.TournamentID, auth.EnterResults, r.Params.IfMatch, tags,
		func(t *tournament.Tournament, o director.Order) (err error) {
			changed, err = a.Tournaments.SetResult(ctx, t.ID, r.Round, r.Board, verdict, valueOf(r.Body.Reason), o)
			return err
		})
	if err != nil {
		return nil, err
	}
	body, tag, err := a.result(ctx, changed, r.Round, r.Board)
	return gen.SetResult200JSONResponse{Body: body, Headers: gen.SetResult200ResponseHeaders{ETag: tag}}, err
}

func verdictOf(sent gen.NewResult) (tournament.Verdict, error) {
	switch {
	case sent.Result != nil && sent.Ranks != nil:
		return tournament.Verdict{}, invalid("/ranks", "give either result or ranks, not both")
	case sent.Result != nil:
		return tournament.ParseVerdict(string(*sent.Result))
	case sent.Ranks != nil:
		return tournament.RankVerdict(*sent.Ranks)
	}
	return tournament.Verdict{}, invalid("/result", "give result, such as 1-0, or ranks by seat")
}

// result gives a board's result with its history, and the ETag for changing it.
func (a *API) result(ctx context.Context, t *tournament.Tournament, round, board int) (gen.BoardResult, string, error) {
	var body gen.BoardResult
	if _, err := publishedRound(t, round); err != nil {
		return body, "", err
	}
	p, err := t.Pairing(round, board)
	if err != nil {
		return body, "", err
	}
	changes, err := a.Tournaments.History(ctx, t.ID)
	if err != nil {
		return body, "", err
	}
	v := pairingView(p)
	body = gen.BoardResult{
		Round: round, Board: board, Result: v.Result, Ranks: v.Ranks, Points: v.Points, Forfeit: v.Forfeit,
		Source: (*gen.BoardResultSource)(v.Source), Reason: v.Reason, History: []gen.ResultChange{},
	}
	for _, c := range changes {
		if c.Round == round && c.Board == board {
			body.History = append(body.History, changeView(c))
		}
	}
	return body, contentTag(p), nil
}

// changeView says what changed and when; who it was in person is not for everybody.
func changeView(c tournament.Change) gen.ResultChange {
	by := gen.ResultChangeByArbiter
	if c.By == tournament.ServerAccount {
		by = gen.ResultChangeByServer
	}
	return gen.ResultChange{
		Before: resultText(c.Before), After: resultText(c.After), By: by, At: moment(c.At), Reason: optional(c.Why),
	}
}

func resultText(r *tournament.Result) *string {
	if r == nil {
		return nil
	}
	text := r.Verdict().String()
	return &text
}
