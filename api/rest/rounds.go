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
	items := each(page, func(one tournament.Round) gen.Round { return a.roundShown(t, one.Number, staff) })
	return gen.ListRounds200JSON{
		Body: gen.RoundList{Items: items, NextCursor: optional(next)}, Headers: a.linked(next),
	}, err
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
	return a.taggedRound(t, r.Round, staff), nil
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
	return a.taggedRound(t, len(t.Rounds), true), nil
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

func (a *API) taggedRound(t *tournament.Tournament, n int, staff bool) gen.TaggedRoundJSON {
	return gen.TaggedRoundJSON{Body: a.roundShown(t, n, staff), Headers: gen.Tagged{ETag: command.Tag(t.Rounds[n-1])}}
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
		Pairings: each(r.Pairings, func(p tournament.Pairing) gen.Pairing { return pairingView(t, r.Number, p) }),
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
		if ranks := r.Verdict().Places(); ranks != nil {
			v.Ranks = &ranks
		}
		v.Points = pointTexts(r.Points)
		v.Forfeit = &r.Forfeit
		v.Absent = some(each(r.Verdict().Absent(len(p.Seats)), func(seat int) gen.Seat { return gen.Seat(seat) }))
		if text, ok := t.Sides(p); ok {
			v.Result = &text
		}
		if r.Second != nil {
			v.SecondPoints = pointTexts(r.Second)
		}
		v.Reason = optional(r.Reason)
		v.Source = optional(string(r.Source))
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

func pointTexts(points []tournament.Points) *[]string {
	return new(each(points, tournament.Points.String))
}

// EditRound changes the pairings of the latest round by hand; a dry run returns the result without storing it.
func (a *API) EditRound(ctx context.Context, r gen.EditRoundIn) (gen.EditRoundOut, error) {
	in := command.RoundEdit{Round: r.Round, Why: valueOf(r.Body.Reason), DryRun: valueOf(r.Body.DryRun)}
	in.Edits = each(r.Body.Edits, func(e gen.RoundEdit) tournament.Edit {
		return tournament.Edit{
			Kind: tournament.EditKind(e.Kind), Board: valueOf(e.Board),
			Entries: valueOf(e.Entries), Bye: tournament.Bye(valueOf(e.Bye)),
		}
	})
	next, err := command.EditRound.Run(ctx, a.commands, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}, in)
	if err != nil {
		return nil, err
	}
	answer := a.taggedRound(next, r.Round, true)
	if in.DryRun {
		stored, err := a.visible(ctx, r.TournamentID)
		if err != nil {
			return nil, err
		}
		answer.Headers.ETag = command.Tag(stored.Rounds[r.Round-1])
	}
	return answer, nil
}

// PublishRound publishes a draft round and opens its games.
func (a *API) PublishRound(ctx context.Context, r gen.PublishRoundIn) (gen.PublishRoundOut, error) {
	sent := valueOf(r.Body)
	in := command.Publication{Round: r.Round, After: valueOf(sent.StartInMs), Together: valueOf(sent.Together)}
	t, err := command.Publish.Run(ctx, a.commands, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}, in)
	if err != nil {
		return nil, err
	}
	return a.taggedRound(t, r.Round, true), nil
}

// DeleteRound deletes the latest round while none of its games has been played.
func (a *API) DeleteRound(ctx context.Context, r gen.DeleteRoundIn) (gen.DeleteRoundOut, error) {
	return done(command.DropRound.Run(ctx, a.commands, command.On{ID: r.TournamentID, Seen: r.Params.IfMatch}, r.Round))
}

func warningViews(warnings []pairing.Warning) *gen.Warnings {
	return some(each(warnings, func(w pairing.Warning) gen.Warning {
		return gen.Warning{
			Code: string(w.Breach), Article: optional(w.Article), Board: optional(w.Board), Text: w.Text.String(),
			Entries: some(w.Entries),
		}
	}))
}
