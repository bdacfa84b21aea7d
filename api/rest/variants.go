package rest

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"quatuor/api/gen"
	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/catalog/rulebook"
	"quatuor/engine/record"
)

// ListVariants lists the variants on offer.
func (a *API) ListVariants(context.Context, gen.ListVariantsIn) (gen.ListVariantsOut, error) {
	list := gen.VariantList{Items: []gen.Variant{}}
	for _, variantRules := range catalog.All() {
		if info := variantRules.Info(); a.commands.Offer.Has(info.ID) {
			list.Items = append(list.Items, variant(info))
		}
	}
	return list, nil
}

func variant(info engine.Info) gen.Variant {
	v := gen.Variant{
		ID: info.ID, Family: info.Family(), Sides: info.Sides, Options: []gen.VariantOption{}, Hidden: info.Secret,
		Summary: info.Summary, Rules: rulesText(info),
	}
	for _, n := range info.Seats {
		v.Seats = append(v.Seats, gen.Seat(n))
	}
	for _, o := range slices.Concat(engine.CommonOptions(), info.Options) {
		v.Options = append(v.Options, gen.VariantOption{Key: o.Key, Values: o.Values, Default: o.Values[0]})
	}
	return v
}

// rulesText returns a variant's rules in all languages.
func rulesText(info engine.Info) gen.RulesText {
	in := func(language string) string {
		text, _ := rulebook.Find(info.Family(), language)
		return text.For(info.ID).Markdown()
	}
	german := in("de")
	return gen.RulesText{En: in("en"), Fr: in("fr"), De: &german}
}

// replayTime is the time limit for judging a record. Thousands of moves take a few hundredths of a second.
const replayTime = 2 * time.Second

// ErrCostly is returned for a record that takes longer to judge.
var ErrCostly = fmt.Errorf(
	"judging this record takes longer than %v, which is what one request may take; send fewer moves", replayTime,
)

// Replay judges a record. The contract limits its moves; the time is limited here, and cancelled with the request.
func (a *API) Replay(ctx context.Context, r gen.ReplayIn) (gen.ReplayOut, error) {
	game := record.Game{
		Variant: r.Body.Variant, Seed: valueOf(r.Body.Seed), Options: valueOf(r.Body.Options), Moves: r.Body.Moves,
	}
	if r.Body.Seats != nil {
		game.Seats = new(int(*r.Body.Seats))
	}
	v, err := JudgeWithin(ctx, replayTime, game)
	if err != nil {
		return nil, err
	}
	out := gen.Judgement{Position: v.Position, Plies: v.Plies, Legal: gen.LegalMoves{}}
	for seat, moves := range v.Legal {
		out.Legal[strconv.Itoa(int(seat))] = retyped[gen.MoveToken](moves)
	}
	if v.Outcome != nil {
		out.Outcome = outcome(&engine.Outcome{Ranks: v.Outcome.Ranks, Reason: v.Outcome.Reason})
	}
	if v.Error != nil {
		out.Error = &gen.RecordError{Index: v.Error.Index, Kind: gen.RecordErrorKind(v.Error.Kind), Message: v.Error.Message}
	}
	return out, nil
}

// JudgeWithin judges a record within a time limit, beyond which it returns ErrCostly; if ctx is cancelled first, its
// error.
func JudgeWithin(ctx context.Context, limit time.Duration, game record.Game) (record.Verdict, error) {
	bounded, end := context.WithTimeout(ctx, limit)
	defer end()
	v, err := record.JudgeContext(bounded, game)
	switch {
	case ctx.Err() != nil:
		return v, ctx.Err()
	case err != nil:
		return v, ErrCostly
	}
	return v, nil
}
