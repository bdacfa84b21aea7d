package rest

import (
	"context"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/tournament/ladder"
	"quatuor/tournament/season"
)

// ListLadders lists ladders, the newest first.
func (a *API) ListLadders(ctx context.Context, _ gen.ListLaddersIn) (gen.ListLaddersOut, error) {
	list, err := a.commands.Seasons.ListLadders(ctx)
	return gen.LadderList{Items: each(list, func(l ladder.Settings) gen.LadderSummary {
		return gen.LadderSummary{ID: l.ID, Name: l.Name}
	})}, err
}

// CreateLadder begins a ladder.
func (a *API) CreateLadder(ctx context.Context, r gen.CreateLadderIn) (gen.CreateLadderOut, error) {
	id := idOf(auth.From(ctx), "ladder", r.Params.IdempotencyKey, r.Body)
	l, err := command.Ladders.Create(ctx, a.commands, id, command.LadderSettings(*r.Body))
	if err != nil {
		return nil, err
	}
	return a.taggedLadder(ctx, l.ID)
}

// GetLadder shows a ladder as it stands.
func (a *API) GetLadder(ctx context.Context, r gen.GetLadderIn) (gen.GetLadderOut, error) {
	return a.taggedLadder(ctx, r.LadderID)
}

// UpdateLadder renames a ladder.
func (a *API) UpdateLadder(ctx context.Context, r gen.UpdateLadderIn) (gen.UpdateLadderOut, error) {
	_, err := command.Ladders.Update(ctx, a.commands, command.On{ID: r.LadderID, Seen: r.Params.IfMatch}, func(l *ladder.Settings) error {
		l.Name = r.Body.Name
		return nil
	})
	if err != nil {
		return nil, err
	}
	return a.taggedLadder(ctx, r.LadderID)
}

// DeleteLadder deletes a ladder on which nobody was challenged.
func (a *API) DeleteLadder(ctx context.Context, r gen.DeleteLadderIn) (gen.DeleteLadderOut, error) {
	return gen.Executed{}, command.Ladders.Delete(ctx, a.commands, command.On{ID: r.LadderID, Seen: r.Params.IfMatch})
}

// JoinLadder puts a player at the foot.
func (a *API) JoinLadder(ctx context.Context, r gen.JoinLadderIn) (gen.JoinLadderOut, error) {
	return a.onLadder(ctx, command.JoinLadder, r.LadderID, ladder.Act{Player: valueOf(r.Body.PlayerID)})
}

// LeaveLadder takes a player off a ladder.
func (a *API) LeaveLadder(ctx context.Context, r gen.LeaveLadderIn) (gen.LeaveLadderOut, error) {
	return a.onLadder(ctx, command.LeaveLadder, r.LadderID, ladder.Act{Player: r.PlayerID})
}

// SetLadderHoliday lets a player be away.
func (a *API) SetLadderHoliday(ctx context.Context, r gen.SetLadderHolidayIn) (gen.SetLadderHolidayOut, error) {
	var until int64
	if r.Body.Until != nil {
		var err error
		if until, err = command.ReadMoment(*r.Body.Until, "/until"); err != nil {
			return nil, err
		}
	}
	return a.onLadder(ctx, command.SetHoliday, r.LadderID, ladder.Act{Player: r.PlayerID, Until: until})
}

// ListLadderChallenges lists the challenges without an end.
func (a *API) ListLadderChallenges(
	ctx context.Context, r gen.ListLadderChallengesIn,
) (gen.ListLadderChallengesOut, error) {
	l, err := a.commands.Reader.Ladder(ctx, r.LadderID)
	if err != nil {
		return nil, err
	}
	return gen.LadderChallengeList{Items: each(l.Open(), func(c ladder.Open) gen.LadderChallenge {
		return gen.LadderChallenge{
			ID: c.ID, ChallengerID: c.From, PlayerID: c.To, Accepted: c.Accepted, Deadline: command.Moment(c.Deadline * 1000),
			GameID: optional(l.Games[c.ID]),
		}
	})}, nil
}

// ChallengeOnLadder challenges a player above.
func (a *API) ChallengeOnLadder(ctx context.Context, r gen.ChallengeOnLadderIn) (gen.ChallengeOnLadderOut, error) {
	return a.onLadder(ctx, command.ChallengeOnLadder, r.LadderID, ladder.Act{Player: valueOf(r.Body.ChallengerID), Other: r.Body.PlayerID})
}

// AcceptLadderChallenge accepts a challenge.
func (a *API) AcceptLadderChallenge(
	ctx context.Context, r gen.AcceptLadderChallengeIn,
) (gen.AcceptLadderChallengeOut, error) {
	return a.onLadder(ctx, command.AcceptChallenge, r.LadderID, ladder.Act{Challenge: r.ChallengeID})
}

// DeclineLadderChallenge declines a challenge.
func (a *API) DeclineLadderChallenge(
	ctx context.Context, r gen.DeclineLadderChallengeIn,
) (gen.DeclineLadderChallengeOut, error) {
	return a.onLadder(ctx, command.DeclineChallenge, r.LadderID, ladder.Act{Challenge: r.ChallengeID})
}

// PlayLadderChallenge opens another game of a challenge.
func (a *API) PlayLadderChallenge(
	ctx context.Context, r gen.PlayLadderChallengeIn,
) (gen.PlayLadderChallengeOut, error) {
	return a.onLadder(ctx, command.PlayChallenge, r.LadderID, ladder.Act{Challenge: r.ChallengeID})
}

// SetLadderResult reports, enters or corrects a result.
func (a *API) SetLadderResult(ctx context.Context, r gen.SetLadderResultIn) (gen.SetLadderResultOut, error) {
	score, _ := command.LadderScore(string(r.Body.Score)) // one of the contract's
	return a.onLadder(ctx, command.ScoreChallenge, r.LadderID, ladder.Act{Challenge: r.ChallengeID, Score: score})
}

// GetLadderLog lists how challenges ended.
func (a *API) GetLadderLog(ctx context.Context, r gen.GetLadderLogIn) (gen.GetLadderLogOut, error) {
	l, err := a.commands.Reader.Ladder(ctx, r.LadderID)
	if err != nil {
		return nil, err
	}
	out := gen.LadderLog{Items: []gen.LadderEntry{}}
	for _, e := range l.Log() {
		if e.Refused != "" {
			continue
		}
		pair := l.Pairs[e.ID]
		out.Items = append(out.Items, gen.LadderEntry{
			At: command.Moment(e.At * 1000), ChallengeID: e.ID, ChallengerID: pair[0], PlayerID: pair[1],
			End: gen.LadderEnd(e.End), Was: optional(gen.LadderEnd(e.Was)), From: e.From, To: e.To, Order: e.Order,
		})
	}
	return out, nil
}

// ExportLadderEvents returns all events of a ladder.
func (a *API) ExportLadderEvents(ctx context.Context, r gen.ExportLadderEventsIn) (gen.ExportLadderEventsOut, error) {
	l, err := a.commands.Reader.Ladder(ctx, r.LadderID)
	if err != nil {
		return nil, err
	}
	return gen.LadderCase{
		ID: l.ID, Until: l.Now / 1000, Reach: l.Rules.Reach, Accept: l.Rules.Accept, Play: l.Rules.Play, Again: l.Rules.Again,
		Events: each(l.Events, func(e ladder.Event) gen.LadderEvent {
			return gen.LadderEvent{
				At: e.At, Type: string(e.Type), ID: optional(e.ID), From: optional(e.From), To: optional(e.To),
				Player: optional(e.Player), Score: e.Score, Was: e.Was, Made: optional(e.Made),
			}
		}),
	}, nil
}

// onLadder carries out an act on a ladder, and returns the ladder after it.
func (a *API) onLadder(
	ctx context.Context, do command.ClubAct[command.LadderAct, *season.Ladder], id string, act ladder.Act,
) (gen.Ladder, error) {
	l, err := do.Run(ctx, a.commands, command.LadderAct{Ladder: id, Act: act})
	if err != nil {
		return gen.Ladder{}, err
	}
	return ladderView(l), nil
}

// taggedLadder returns a ladder as it stands, with the tag of its settings.
func (a *API) taggedLadder(ctx context.Context, id string) (v gen.TaggedLadderJSON, err error) {
	l, err := a.commands.Reader.Ladder(ctx, id)
	if err != nil {
		return v, err
	}
	return gen.TaggedLadderJSON{Body: ladderView(l), Headers: gen.Tagged{ETag: command.VersionTag(l.Version)}}, nil
}

// ladderView returns a ladder as it is shown.
func ladderView(l *season.Ladder) gen.Ladder {
	v := gen.Ladder{
		ID: l.ID, Name: l.Name, Variant: l.Variant, TimeControl: l.TimeControl, Venue: gen.VenueServer, Rated: l.Rated,
		Reach: l.Rules.Reach, Accept: l.Rules.Accept, Play: l.Rules.Play, Again: l.Rules.Again, Rows: []gen.LadderRow{},
	}
	if l.Hall {
		v.Venue = gen.VenueHall
	}
	for i, player := range l.Order() {
		row := gen.LadderRow{Place: i + 1, PlayerID: player, Name: l.Names[player]}
		if c := l.Challenge(player); c != nil {
			row.ChallengeID = &c.ID
		}
		if until := l.Locked(player) * 1000; until > l.Now {
			row.LockedUntil = command.OptionalMoment(until)
		}
		row.AwayUntil = command.OptionalMoment(l.Away[player])
		v.Rows = append(v.Rows, row)
	}
	return v
}
