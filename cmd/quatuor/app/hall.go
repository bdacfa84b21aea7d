package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"quatuor/engine/catalog"
	"quatuor/engine/record"
	"quatuor/tournament"
)

const (
	// hallFollowTimeout is the longest wait of a result in the hall for its ratings before it is answered.
	hallFollowTimeout = 2 * time.Second
	// judgeTimeout bounds the judgement of a record. Thousands of moves take a few hundredths of a second.
	judgeTimeout = 2 * time.Second
)

// followHall waits until the ratings have consumed the outbox, for a limited time.
func (a *App) followHall(ctx context.Context) {
	a.consumers.Wake()
	ctx, cancel := context.WithTimeout(ctx, hallFollowTimeout)
	defer cancel()
	a.consumers.Follow(ctx)
}

// JudgeRecord judges the record of a game that was played in the hall; see director.Config.
func JudgeRecord(ctx context.Context, variant string, options map[string]string, ranks []int, text string) error {
	fault := func(format string, args ...any) error {
		return tournament.FieldErrors{{Field: "record", Detail: fmt.Sprintf(format, args...)}}
	}
	r, err := record.Parse(text)
	if err != nil {
		return fault("it cannot be read: %v", err)
	}
	rules, err := catalog.Find(variant)
	if err != nil {
		return err
	}
	switch {
	case r.Variant != variant:
		return fault("it is of a game of %s, and %s was played", r.Variant, variant)
	case len(r.Options) > 0 && !maps.Equal(r.Options, options):
		return fault("it names other regulations (Options) than those of the tournament; leave them out, or write the same")
	case r.Outcome == nil || !slices.Equal(r.Outcome.Ranks, ranks):
		return fault("its result is %s, and the result that was entered is %s", r.Result(),
			record.Record{Outcome: &record.Outcome{Ranks: ranks}}.Result())
	case rules.Info().Secret && r.Chance.Seed == "":
		return fault("the moves of %s can only be judged with the seed that it was dealt from, and the record has none",
			variant)
	}
	tokens, err := r.Tokens()
	if err != nil {
		return fault("%v", err)
	}
	seats := len(ranks)
	bounded, cancel := context.WithTimeout(ctx, judgeTimeout)
	defer cancel()
	v, err := record.JudgeContext(bounded, record.Game{
		Variant: variant, Seats: &seats, Seed: r.Chance.Seed, Options: options, Moves: tokens,
	})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return fault("judging it takes longer than %v, which is what one request may take", judgeTimeout)
	case err != nil:
		return err
	case v.Error != nil && v.Error.Index < 0:
		return fault("%s", v.Error.Message)
	case v.Error != nil:
		return fault("entry %d, %s: %s", v.Error.Index+1, tokens[v.Error.Index], v.Error.Message)
	case v.Outcome != nil && !slices.Equal(v.Outcome.Ranks, ranks):
		return fault("the moves end the game with %s, and the result that was entered is %s",
			record.Record{Outcome: &record.Outcome{Ranks: v.Outcome.Ranks}}.Result(), r.Result())
	}
	return nil
}
