package rest

import (
	"context"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/standings"
)

// ExplainRound explains the pairings of a round.
func (a *API) ExplainRound(ctx context.Context, r gen.ExplainRoundIn) (gen.ExplainRoundOut, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	staff := runs(ctx, t)
	shown := shownRounds(t, staff)
	round := shown
	command.Set(&round, r.Params.Round)
	if round < 1 || round > shown {
		return nil, command.NoRound(round)
	}
	if t.Rules.HideReasons {
		who := auth.From(ctx)
		if err := who.Demand(who.LevelIn(t), auth.SeeDrafts); err != nil {
			return nil, err
		}
	}
	why, err := a.Tournaments.Explain(ctx, t, round, staff)
	if err != nil {
		return nil, err
	}
	out := gen.RoundExplanation{Round: round, Reconstructed: why.Reconstructed, Boards: []gen.BoardExplanation{}}
	refs := refsOf(t)
	for _, b := range why.Boards {
		if r.Params.Board == nil || *r.Params.Board == b.Board {
			out.Boards = append(out.Boards, boardExplanation(b, refs))
		}
	}
	if r.Params.Board != nil {
		if len(out.Boards) == 0 {
			return nil, tournament.Refuse(tournament.ErrNotFound, "board %d in round %d", *r.Params.Board, round)
		}
		return out, nil
	}
	out.Floats = new(each(why.Floats, func(f pairing.Float) gen.FloatExplanation {
		return gen.FloatExplanation{Entry: refs.id(f.Entry), Bracket: f.Bracket, Text: f.Text.String()}
	}))
	return out, nil
}

// entryRefs indexes a tournament's entries.
type entryRefs struct {
	ids     map[string]gen.EntryRef
	numbers map[int]gen.EntryRef
}

func refsOf(t *tournament.Tournament) entryRefs {
	r := entryRefs{make(map[string]gen.EntryRef, len(t.Entries)), make(map[int]gen.EntryRef, len(t.Entries))}
	for _, e := range t.Entries {
		ref := entryRef(e)
		r.ids[e.ID], r.numbers[e.Number] = ref, ref
	}
	return r
}

// id returns an entry by id; an entry no longer in the list has no name.
func (r entryRefs) id(id string) gen.EntryRef {
	if ref, ok := r.ids[id]; ok {
		return ref
	}
	return gen.EntryRef{ID: id, Name: "?"}
}

func (r entryRefs) number(n int) gen.EntryRef { return r.numbers[n] }

func boardExplanation(b pairing.BoardReason, refs entryRefs) gen.BoardExplanation {
	v := gen.BoardExplanation{
		Board: b.Board, Source: string(b.Source), Meeting: b.Meeting.String(),
		Colours: optional(b.Colours.String()), Bracket: optional(b.Bracket),
		Criterion: optional(b.Criterion), Entries: each(b.Seats, refs.id), Bye: optional(gen.ByeCode(b.Bye)),
		Articles: some(b.Articles),
	}
	if b.PassedOver != "" {
		v.PassedOver = new(refs.id(b.PassedOver))
	}
	return v
}

// ExplainStandings breaks an entry's tie-breaks down by round.
func (a *API) ExplainStandings(ctx context.Context, r gen.ExplainStandingsIn) (gen.ExplainStandingsOut, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	e, err := command.Entry(t, r.Params.Entry)
	if err != nil {
		return nil, err
	}
	round, accounts, err := standings.AccountsAfter(t, valueOf(r.Params.Round), e.Number)
	if err != nil {
		return nil, err
	}
	out := gen.StandingsAccounts{Round: round, Entry: entryRef(e), Accounts: []gen.StandingsAccount{}}
	refs := refsOf(t)
	for _, account := range accounts {
		if r.Params.Column == nil || *r.Params.Column == account.Code {
			out.Accounts = append(out.Accounts, accountView(t.Format, account, refs))
		}
	}
	if r.Params.Column != nil && len(out.Accounts) == 0 {
		return nil, tournament.Refuse(tournament.ErrNotFound, "a column %q in these standings", *r.Params.Column)
	}
	return out, nil
}

func accountView(f tournament.Format, account *standings.Account, refs entryRefs) gen.StandingsAccount {
	v := gen.StandingsAccount{
		Code: account.Code, Title: optional(standings.Title(f, account.Code)), Value: account.Text, Text: account.String(),
		Mean:  optional(account.Mean),
		Terms: each(account.Terms, func(t standings.Term) gen.StandingsTerm { return termView(t, refs) }),
	}
	if len(account.Tied) > 1 {
		v.Tied = new(each(account.Tied, refs.number))
	}
	return v
}

var kindNames = map[tournament.Kind]string{
	tournament.Absent: "absent", tournament.Pending: "pending", tournament.Played: "played",
	tournament.ForfeitWin: "forfeit_win", tournament.ForfeitLoss: "forfeit_loss", tournament.Unpaired: "bye",
}

var cutNames = map[standings.Cut]string{
	standings.CutLowest: "lowest", standings.CutVoluntary: "voluntary", standings.CutHighest: "highest",
	standings.CutEarly: "early", standings.BelowLimit: "limit",
}

func termView(t standings.Term, refs entryRefs) gen.StandingsTerm {
	v := gen.StandingsTerm{
		Round: t.Round, Kind: kindNames[t.Kind], Points: t.Points.String(),
		Value: t.Text, Counted: t.Cut == standings.Counted,
		Cut: optional(cutNames[t.Cut]), Worth: optional(t.Worth), Dummy: optional(t.Dummy), Bye: optional(gen.ByeCode(t.Bye)),
	}
	if t.Own {
		v.Kind = "own"
	}
	if t.Others != nil {
		v.Opponents = new(each(t.Others, refs.number))
	}
	if t.Opponent > 0 {
		opponent, scored := refs.numbers[t.Opponent], t.Scored.String()
		v.Opponent, v.Scored = &opponent, &scored
	}
	return v
}

// ListTieBreaks lists the tie-breaks of a format.
func (a *API) ListTieBreaks(_ context.Context, r gen.ListTieBreaksIn) (gen.ListTieBreaksOut, error) {
	format := tournament.Swiss
	if r.Params.Format != nil {
		format = tournament.Format(*r.Params.Format)
	}
	return gen.TieBreakList{
		Items: each(standings.Offers(format), tieBreakOffer), Default: append([]string{}, standings.Default(format)...),
	}, nil
}

func tieBreakOffer(o standings.Offer) gen.TieBreakOffer {
	return gen.TieBreakOffer{
		Code: o.Code, Name: o.Name, Article: optional(o.Article), Description: o.What,
		Modifiers: each(o.Modifiers, func(m standings.Offer) gen.TieBreakModifier {
			return gen.TieBreakModifier{Code: m.Code, Name: m.Name, Article: optional(m.Article), Description: m.What}
		}),
	}
}
