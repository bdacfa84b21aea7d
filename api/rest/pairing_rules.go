package rest

import (
	"context"
	"slices"

	"quatuor/api/auth"
	"quatuor/api/gen"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

var colourNames = map[tournament.Colour]string{tournament.White: "white", tournament.Black: "black"}

// applyRules puts what a client sent into the rules of pairing; what it left out stays.
func applyRules(r *tournament.PairingRules, sent *gen.PairingSettings) {
	if sent == nil {
		return
	}
	if sent.Acceleration != nil {
		r.Acceleration = tournament.NoAcceleration
		if *sent.Acceleration != gen.None {
			r.Acceleration = tournament.Acceleration(*sent.Acceleration)
		}
	}
	if sent.InitialColour != nil {
		for colour, name := range colourNames {
			if name == string(*sent.InitialColour) {
				r.InitialColour = colour
			}
		}
	}
	set(&r.FullPointByes, sent.FullPointByes)
	if sent.HalfPointByes != nil {
		r.HalfPointByes = halfPointByes(*sent.HalfPointByes)
	}
	set(&r.Varma, sent.Varma)
	if sent.Reasons != nil {
		r.HideReasons = *sent.Reasons == gen.Staff
	}
	if sent.Adjourned != nil {
		r.AdjournedDraw = *sent.Adjourned == gen.Draw
	}
	if sent.MissedRounds != nil {
		r.MissedRounds = tournament.Bye(*sent.MissedRounds)
	}
	applyTables(&r.Tables, sent.Tables)
	set(&r.Match.ThirdPlace, sent.ThirdPlace)
	set(&r.Match.Replays, sent.Replays)
	set(&r.Match.TieBreakGames, sent.TieBreakGames)
	set(&r.Match.TieBreakControl, sent.TieBreakTimeControl)
	if sent.Decision != nil {
		r.Match.Decision = tournament.Decision(*sent.Decision)
	}
}

// halfPointByes spells a number of byes as the rules do.
func halfPointByes(n int) int {
	switch n {
	case 0:
		return tournament.NoHalfPointByes
	case 1:
		return 0
	}
	return n
}

// rulesView shows the rules of pairing that the format has.
func rulesView(t *tournament.Tournament) *gen.PairingRules {
	v := &gen.PairingRules{}
	text := func(s string) *string { return &s }
	if t.Format == tournament.Swiss {
		v.Acceleration = text("none")
		if t.Rules.Acceleration != tournament.NoAcceleration {
			v.Acceleration = text(string(t.Rules.Acceleration))
		}
	}
	if t.Format == tournament.Swiss || t.Format == tournament.Knockout {
		v.InitialColour = optional(colourNames[max(t.FirstColour, t.Rules.InitialColour)])
	}
	if m := t.Rules.Match; t.Format == tournament.Knockout {
		v.ThirdPlace, v.Replays, v.TieBreakGames = &m.ThirdPlace, &m.Replays, &m.TieBreakGames
		v.TieBreakTimeControl, v.Decision = optional(m.TieBreakControl), text(string(m.Decision))
	}
	if t.Format.Arrivals() {
		missed := tournament.ZeroPoint
		if t.Rules.MissedRounds != tournament.NoBye {
			missed = t.Rules.MissedRounds
		}
		half := t.Rules.MaxHalfPointByes()
		v.FullPointByes, v.HalfPointByes, v.MissedRounds = &t.Rules.FullPointByes, &half, text(string(missed))
	}
	if t.Format.Cycles() > 0 {
		v.Varma = &t.Rules.Varma
	}
	if t.Format == tournament.Swiss || t.Format.Cycles() > 0 {
		v.Adjourned = text(string(gen.Wait))
		if t.Rules.AdjournedDraw {
			v.Adjourned = text(string(gen.Draw))
		}
	}
	v.Tables = tablesView(t)
	v.Reasons = text("public")
	if t.Rules.HideReasons {
		v.Reasons = text("staff")
	}
	return v
}

// SetByes sets the rounds in which an entry asks not to be paired.
func (a *API) SetByes(ctx context.Context, r gen.SetByesRequestObject) (gen.SetByesResponseObject, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	e, err := entryOf(t, r.EntryID)
	if err != nil {
		return nil, err
	}
	byes := make([]tournament.RequestedBye, len(r.Body.Items))
	full := false
	for i, b := range r.Body.Items {
		byes[i] = tournament.RequestedBye{Round: b.Round, Bye: tournament.Bye(b.Bye)}
		full = full || byes[i].Bye == tournament.FullPoint && !slices.Contains(e.Byes, byes[i])
	}
	who, action := auth.From(ctx), auth.PairRounds
	if who.PlayerID != "" && slices.Contains(e.Members, who.PlayerID) && !full && !who.Can(who.LevelIn(t), action) {
		action = auth.EnterTournament
	}
	var changed *tournament.Tournament
	err = a.guarded(ctx, r.TournamentID, action, r.Params.IfMatch, entryTags(r.EntryID),
		func(t *tournament.Tournament, o director.Order) error {
			changed, err = a.Tournaments.RequestByes(ctx, t.ID, r.EntryID, byes, o)
			return err
		})
	if err != nil {
		return nil, err
	}
	answer, err := a.entryAnswer(ctx, changed, r.EntryID)
	return gen.SetByes200JSONResponse{EntryChangedJSONResponse: answer}, err
}

func byesView(byes []tournament.RequestedBye) *[]gen.RequestedBye {
	if len(byes) == 0 {
		return nil
	}
	out := make([]gen.RequestedBye, len(byes))
	for i, b := range byes {
		out[i] = gen.RequestedBye{Round: b.Round, Bye: gen.RequestedByeBye(b.Bye)}
	}
	return &out
}

// GetForbiddenPairs lists who is not to meet whom.
func (a *API) GetForbiddenPairs(ctx context.Context, r gen.GetForbiddenPairsRequestObject) (gen.GetForbiddenPairsResponseObject, error) {
	t, err := a.allowed(ctx, r.TournamentID, auth.SeeArbiters)
	if err != nil {
		return nil, err
	}
	return gen.GetForbiddenPairs200JSONResponse{
		Body: forbiddenView(t), Headers: gen.GetForbiddenPairs200ResponseHeaders{ETag: contentTag(t.Forbidden)},
	}, nil
}

// SetForbiddenPairs says who is not to meet whom.
func (a *API) SetForbiddenPairs(ctx context.Context, r gen.SetForbiddenPairsRequestObject) (gen.SetForbiddenPairsResponseObject, error) {
	bans := make([]tournament.Ban, len(r.Body.Items))
	for i, b := range r.Body.Items {
		bans[i] = tournament.Ban{Entries: b.Entries, First: valueOf(b.FirstRound), Last: valueOf(b.LastRound), Why: valueOf(b.Reason)}
	}
	var changed *tournament.Tournament
	tags := func(t *tournament.Tournament) ([]string, error) { return []string{contentTag(t.Forbidden)}, nil }
	err := a.guarded(ctx, r.TournamentID, auth.PairRounds, r.Params.IfMatch, tags,
		func(t *tournament.Tournament, o director.Order) (err error) {
			changed, err = a.Tournaments.SetForbidden(ctx, t.ID, bans, o)
			return err
		})
	if err != nil {
		return nil, err
	}
	return gen.SetForbiddenPairs200JSONResponse{
		Body: forbiddenView(changed), Headers: gen.SetForbiddenPairs200ResponseHeaders{ETag: contentTag(changed.Forbidden)},
	}, nil
}

func forbiddenView(t *tournament.Tournament) gen.ForbiddenPairs {
	v := gen.ForbiddenPairs{Items: make([]gen.ForbiddenGroup, len(t.Forbidden))}
	for i, b := range t.Forbidden {
		v.Items[i] = gen.ForbiddenGroup{
			Entries: b.Entries, FirstRound: optional(b.First), LastRound: optional(b.Last), Reason: optional(b.Why),
		}
	}
	return v
}
