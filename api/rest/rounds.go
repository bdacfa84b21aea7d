package rest

import (
	"context"
	"strconv"

	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/knockout"
)

// ListRounds lists the rounds paired so far.
func (a *API) ListRounds(ctx context.Context, r gen.ListRoundsIn) (gen.ListRoundsOut, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	staff := runs(ctx, t)
	shown := t.Rounds[:shownRounds(t, staff)]
	page, next, err := cut(
		shown, r.Params.Limit, r.Params.Cursor, func(one tournament.Round) string { return strconv.Itoa(one.Number) },
	)
	if err != nil {
		return nil, err
	}
	list := gen.RoundList{Items: []gen.Round{}, NextCursor: optional(next)}
	for _, one := range page {
		list.Items = append(list.Items, a.roundShown(t, one.Number, staff))
	}
	return gen.ListRounds200JSON{Body: list, Headers: gen.ListRounds200Headers{
		Link: nextLink("/tournaments/"+t.ID+"/rounds", next, r.Params.Limit, nil),
	}}, nil
}

// GetRound shows a round.
func (a *API) GetRound(ctx context.Context, r gen.GetRoundIn) (gen.GetRoundOut, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	staff := runs(ctx, t)
	if r.Round < 1 || r.Round > shownRounds(t, staff) {
		return nil, command.NoRound(r.Round)
	}
	return gen.GetRound200JSON{
		Body:    a.roundShown(t, r.Round, staff),
		Headers: gen.GetRound200Headers{ETag: command.Tag(t.Rounds[r.Round-1])},
	}, nil
}

// CreateRound pairs the next round and, unless it is a draft, opens its games.
func (a *API) CreateRound(ctx context.Context, r gen.CreateRoundIn) (gen.CreateRoundOut, error) {
	pair := command.NextRound
	if r.Body != nil && r.Body.Publish != nil && !*r.Body.Publish {
		pair = command.DrawRound
	}
	t, err := pair.Run(ctx, a.commands, command.On{ID: r.TournamentID}, command.None{})
	if err != nil {
		return nil, err
	}
	n := len(t.Rounds)
	return gen.CreateRound201JSON{
		Body: a.roundShown(t, n, true), Headers: gen.CreateRound201Headers{ETag: command.Tag(t.Rounds[n-1])},
	}, nil
}

// shownRounds returns the number of rounds that the viewer may see: unpublished rounds are for staff.
func shownRounds(t *tournament.Tournament, staff bool) int {
	if staff {
		return len(t.Rounds)
	}
	return t.PublishedRounds()
}

func checkPublished(t *tournament.Tournament, n int) error {
	if n < 1 || n > t.PublishedRounds() {
		return command.NoRound(n)
	}
	return nil
}

// roundShown returns a round for the public or for staff; staff also get warnings about the latest round.
func (a *API) roundShown(t *tournament.Tournament, n int, staff bool) gen.Round {
	v := roundView(t, t.Rounds[n-1])
	if staff && n == len(t.Rounds) && t.Status == tournament.Running {
		v.Warnings = warningViews(a.Tournaments.Review(t, n))
	}
	return v
}

func roundView(t *tournament.Tournament, r tournament.Round) gen.Round {
	v := gen.Round{
		Number: r.Number, Status: gen.RoundStatus(r.Status), PublishedAt: command.OptionalMoment(r.PublishedAt),
		StartsAt: command.OptionalMoment(r.Start.At), Together: optional(r.Start.Together),
		Pairings: make([]gen.Pairing, len(r.Pairings)),
	}
	for i, p := range r.Pairings {
		v.Pairings[i] = pairingView(t, r.Number, p)
	}
	if t.Format.Eliminates() {
		stage, leg := t.LegOf(r.Number)
		v.Name = optional(knockout.Name(stage, t.RoundCount/t.Legs()))
		if t.Legs() > 1 {
			v.Leg = &leg
		}
	}
	return v
}

func pairingView(t *tournament.Tournament, round int, p tournament.Pairing) gen.Pairing {
	v := gen.Pairing{
		Board: p.Board, Seats: p.Seats, GameID: optional(p.GameID),
		Result: optional(p.Text()), Adjourned: optional(p.Adjourned),
	}
	if p.Bye != tournament.NoBye {
		v.Bye = new(gen.ByeCode(p.Bye))
	} else {
		v.Venue = optional(gen.Venue(t.VenueOf(round, p)))
	}
	if r := p.Result; r != nil {
		source := string(r.Source)
		v.Ranks = ranksOf(r)
		v.Points = pointTexts(r)
		v.Forfeit = &r.Forfeit
		v.Absent = absentSeats(r, len(p.Seats))
		if text, ok := t.Sides(p); ok {
			v.Result = &text
		}
		v.SecondPoints = secondTexts(r)
		v.Reason = optional(r.Reason)
		v.Source = optional(source)
		v.Adjudicated = optional(r.Adjudicated)
		v.RatedAs = optional(r.RatedText())
		if r.Source != tournament.ByServer {
			v.Rated = &r.Rated
		}
		if p.HallGame != "" && p.ShownGame() == p.HallGame {
			v.HallGameID, v.Recorded = optional(p.HallGame), optional(p.Record != "")
		}
	}
	if p.Arena != nil {
		v.Table, v.PairedAt = optional(p.Arena.Table), command.OptionalMoment(p.Arena.PairedAt)
	}
	if p.Boards != nil {
		boards := make([]gen.PairingBoard, len(p.Boards))
		for i, b := range p.Boards {
			boards[i] = gen.PairingBoard{
				Board: i + 1, Players: b.Players[:], GameID: optional(b.GameID), Result: optional(b.Result.Text()),
			}
		}
		v.Boards = &boards
	}
	if games := gameViews(t, p); len(games) > 1 {
		v.Games = &games
	}
	return v
}

func ranksOf(r *tournament.Result) *gen.Ranks {
	ranks := r.Verdict().Places()
	if ranks == nil {
		return nil
	}
	return &ranks
}

// absentSeats returns the seats of a table with absent entries; nil for none.
func absentSeats(r *tournament.Result, seats int) *gen.AbsentSeats {
	var out gen.AbsentSeats
	for _, seat := range r.Verdict().Absent(seats) {
		out = append(out, gen.Seat(seat))
	}
	if out == nil {
		return nil
	}
	return &out
}

// secondTexts returns the other score of a match of teams; nil for none.
func secondTexts(r *tournament.Result) *[]string {
	if r.Second == nil {
		return nil
	}
	return pointTexts(&tournament.Result{Points: r.Second})
}

func pointTexts(r *tournament.Result) *[]string {
	texts := make([]string, len(r.Points))
	for i, p := range r.Points {
		texts[i] = p.String()
	}
	return &texts
}

// EditRound changes the pairings of the latest round by hand; a dry run returns the result without storing it.
func (a *API) EditRound(ctx context.Context, r gen.EditRoundIn) (gen.EditRoundOut, error) {
	in := command.RoundEdit{Round: r.Round, Why: valueOf(r.Body.Reason), DryRun: valueOf(r.Body.DryRun)}
	for _, e := range r.Body.Edits {
		in.Edits = append(in.Edits, tournament.Edit{
			Kind: tournament.EditKind(e.Kind), Board: valueOf(e.Board),
			Entries: valueOf(e.Entries), Bye: tournament.Bye(valueOf(e.Bye)),
		})
	}
	next, err := command.EditRound.Run(ctx, a.commands, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}, in)
	if err != nil {
		return nil, err
	}
	stored := next
	if in.DryRun {
		if stored, err = a.visible(ctx, r.TournamentID); err != nil {
			return nil, err
		}
	}
	return gen.EditRound200JSON{
		Body:    a.roundShown(next, r.Round, true),
		Headers: gen.EditRound200Headers{ETag: command.Tag(stored.Rounds[r.Round-1])},
	}, nil
}

// PublishRound publishes a draft round and opens its games.
func (a *API) PublishRound(ctx context.Context, r gen.PublishRoundIn) (gen.PublishRoundOut, error) {
	in := command.Publication{Round: r.Round}
	if r.Body != nil {
		in.After, in.Together = valueOf(r.Body.StartInMs), valueOf(r.Body.Together)
	}
	t, err := command.Publish.Run(ctx, a.commands, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}, in)
	if err != nil {
		return nil, err
	}
	return gen.PublishRound200JSON{
		Body:    a.roundShown(t, r.Round, true),
		Headers: gen.PublishRound200Headers{ETag: command.Tag(t.Rounds[r.Round-1])},
	}, nil
}

// DeleteRound deletes the latest round while none of its games has been played.
func (a *API) DeleteRound(ctx context.Context, r gen.DeleteRoundIn) (gen.DeleteRoundOut, error) {
	_, err := command.DropRound.Run(ctx, a.commands, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}, r.Round)
	return gen.DeleteRound204Response{}, err
}

func warningViews(warnings []pairing.Warning) *gen.Warnings {
	if len(warnings) == 0 {
		return nil
	}
	out := make(gen.Warnings, len(warnings))
	for i, w := range warnings {
		out[i] = gen.Warning{
			Code: string(w.Breach), Article: optional(w.Article), Board: optional(w.Board), Text: w.Text.String(),
		}
		if len(w.Entries) > 0 {
			out[i].Entries = &w.Entries
		}
	}
	return &out
}
