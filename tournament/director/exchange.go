package director

import (
	"context"
	"errors"
	"io"
	"slices"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/exchange"
	"quatuor/tournament/pairing"
)

// Import imports a tournament of another program from its report file, under the caller's id, or a new id for "". An
// existing id returns that tournament unchanged. Players that the options do not name are created. The summary is for
// the organiser. With check it stores nothing. Errors wrap tournament.ErrInvalid and name line and player if possible;
// then nothing is stored.
func (d *Director) Import(
	ctx context.Context, id string, text []byte, o exchange.Options, by string, check bool,
) (t *tournament.Tournament, did exchange.Summary, err error) {
	if id == "" {
		id = d.NewID()
	} else if t, err := d.Store.Load(ctx, id); !errors.Is(err, tournament.ErrNotFound) {
		return t, did, err
	}
	taken, err := exchange.Import(text, o, d.NewID)
	if err != nil {
		return nil, did, err
	}
	taken.Begun.Seed = d.NewSeed()
	t, err = exchange.Imported(id, by, taken.Settings, taken.Begun, d.checks(), d.now())
	if err != nil {
		return nil, did, err
	}
	if err := continuable(t); err != nil || check {
		return t, taken.Summary, err
	}
	for i := range taken.Players {
		p := &taken.Players[i]
		p.CreatedBy = by
		p.CreatedAt = d.now()
		p.Version = 1
	}
	err = d.Store.Import(ctx, t, Imported{Players: taken.Players, Original: taken.Original, Act: tournament.Act{
		Version: 1, Kind: tournament.ActImport, By: by, At: d.now(), Round: len(t.Rounds),
	}.Because(summary(t))})
	if err != nil {
		return nil, did, err
	}
	unlock, err := d.locks.lock(ctx, id)
	if err != nil {
		return t, taken.Summary, nil //nolint:nilerr // it is stored, and its effects are applied by others
	}
	defer unlock()
	stored := &tournament.Revision{Tournament: t, Delta: tournament.Delta{Entries: t.Entries}}
	return d.follow(context.WithoutCancel(ctx), nil, stored), taken.Summary, nil
}

func summary(t *tournament.Tournament) sentence.Sentence {
	return sentence.New("from a report file with %d entries and %d of %d rounds", len(t.Entries), len(t.Rounds),
		t.RoundCount)
}

// continuable returns an error for an unfinished round-robin that does not follow the tables, because the same entries
// would meet again.
func continuable(t *tournament.Tournament) error {
	if !t.Format.Fixed() || len(t.Rounds) >= t.RoundCount {
		return nil
	}
	pairer, err := pairerFor(t)
	if err != nil {
		return err
	}
	rounds, err := pairer.Rounds(len(t.Entries), t.RoundCount)
	if err != nil {
		return err
	}
	if rounds != t.RoundCount {
		return tournament.NotValid("a %s of %d entries has %d rounds, not %d", t.Format, len(t.Entries), rounds,
			t.RoundCount)
	}
	for _, r := range t.Rounds {
		table, err := pairer.Pair(pairing.HistoryOf(t, r.Number))
		if err != nil {
			return err
		}
		for _, p := range r.Pairings {
			if p.Bye == tournament.NoBye && !slices.ContainsFunc(table,
				func(q tournament.Pairing) bool { return slices.Equal(p.Seats, q.Seats) }) {
				return tournament.NotValid("round %d does not follow the Berger tables, by which the rounds to come would be "+
					"paired; import this round-robin when it is finished", r.Number)
			}
		}
	}
	return nil
}

// Report is a report file.
type Report interface {
	Write(w io.Writer) error
}

// Export returns a tournament as a report file, with the acts that others cannot read from it; see exchange.Export and
// exchange.Annotate.
func (d *Director) Export(ctx context.Context, t *tournament.Tournament, audience exchange.Audience) (Report, error) {
	acts, err := d.Store.Acts(ctx, t.ID)
	if err != nil {
		return nil, err
	}
	if t.Teams != nil {
		squads, err := d.squads(ctx, t, t.Numbered(), t.StartedAt)
		if err != nil {
			return nil, err
		}
		report, err := exchange.ExportTeams(t, squads, audience)
		if err != nil {
			return nil, err
		}
		exchange.Annotate(&report.Report, t, acts, audience)
		return report, nil
	}
	original, err := d.Store.Original(ctx, t.ID)
	if err != nil && !errors.Is(err, tournament.ErrNotFound) {
		return nil, err
	}
	report, err := exchange.Export(t, original, audience)
	if err != nil {
		return nil, err
	}
	exchange.Annotate(report, t, acts, audience)
	return report, nil
}
