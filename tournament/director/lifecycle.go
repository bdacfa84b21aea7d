package director

import (
	"cmp"
	"context"
	"errors"

	"quatuor/tournament"
	"quatuor/tournament/pairing/roundrobin"
	"quatuor/tournament/standings"
)

// Create stores a new tournament as a draft, under an id of the caller's or, for "", one made here. An id that exists
// already is left as it is and given back as it stands, so that a command may be repeated. Without tie-breaks (nil) it
// gets the format's usual ones. Faults come as tournament.FieldErrors.
func (d *Director) Create(ctx context.Context, id string, s tournament.Settings, by string) (*tournament.Tournament, error) {
	if id == "" {
		id = d.NewID()
	} else if t, err := d.Store.Load(ctx, id); !errors.Is(err, tournament.ErrNotFound) {
		return t, err
	}
	if s.TieBreaks == nil {
		s.TieBreaks = standings.Default(s.Format)
	}
	t, err := tournament.New(id, by, s, d.checks(), d.now())
	if err != nil {
		return nil, err
	}
	if err := d.Store.Create(ctx, t); err != nil {
		return nil, err
	}
	d.Notifier.TournamentChanged(t, TopicTournament, Staff)
	return t, nil
}

// Update changes the settings; see tournament.Configure.
func (d *Director) Update(ctx context.Context, id string, s tournament.Settings, o Order) (*tournament.Tournament, error) {
	return d.change(ctx, id, o, tournament.Act{Kind: tournament.ActSettings}, func(t *tournament.Tournament) (*tournament.Tournament, tournament.Delta, error) {
		return t.Configure(s, d.checks())
	})
}

// SetArbiters names the accounts that may act as arbiters.
func (d *Director) SetArbiters(ctx context.Context, id string, accounts []string, o Order) (*tournament.Tournament, error) {
	return d.change(ctx, id, o, tournament.Act{Kind: tournament.ActArbiters}, func(t *tournament.Tournament) (*tournament.Tournament, tournament.Delta, error) {
		return t.SetArbiters(accounts)
	})
}

// Open lets players register.
func (d *Director) Open(ctx context.Context, id string, o Order) (*tournament.Tournament, error) {
	return d.change(ctx, id, o, tournament.Act{Kind: tournament.ActOpen}, (*tournament.Tournament).Open)
}

// Close ends the registration.
func (d *Director) Close(ctx context.Context, id string, o Order) (*tournament.Tournament, error) {
	return d.change(ctx, id, o, tournament.Act{Kind: tournament.ActClose}, (*tournament.Tournament).Close)
}

// Start fixes the field, its numbers and the number of rounds. The first round is paired by the next command.
func (d *Director) Start(ctx context.Context, id string, o Order) (*tournament.Tournament, error) {
	return d.change(ctx, id, o, tournament.Act{Kind: tournament.ActStart}, func(t *tournament.Tournament) (*tournament.Tournament, tournament.Delta, error) {
		pairer, err := pairerFor(t)
		if err != nil {
			return nil, tournament.Delta{}, err
		}
		rounds, err := pairer.Rounds(t.Field(), t.RoundCount)
		if err != nil {
			return nil, tournament.Delta{}, err
		}
		seed := cmp.Or(t.LotSeed, d.NewSeed()) // a start that was taken back has drawn its lots
		var numbers map[string]int
		if t.Rules.Varma {
			numbers = roundrobin.Varma(t.Taking(), seed)
		}
		return t.StartDrawn(numbers, rounds, seed, d.now())
	})
}

// Finish declares the results final; all must be in.
func (d *Director) Finish(ctx context.Context, id string, o Order) (*tournament.Tournament, error) {
	return d.change(ctx, id, o, tournament.Act{Kind: tournament.ActFinish}, func(t *tournament.Tournament) (*tournament.Tournament, tournament.Delta, error) {
		return t.Finish(d.now())
	})
}

// Archive puts a finished tournament away.
func (d *Director) Archive(ctx context.Context, id string, o Order) (*tournament.Tournament, error) {
	return d.change(ctx, id, o, tournament.Act{Kind: tournament.ActArchive}, (*tournament.Tournament).Archive)
}

// Delete removes a tournament that has not started.
func (d *Director) Delete(ctx context.Context, id string, o Order) error {
	leave, err := d.turns.enter(ctx, id)
	if err != nil {
		return err
	}
	defer leave()
	t, err := d.Store.Load(ctx, id)
	if err != nil {
		return err
	}
	if err := o.fits(t); err != nil {
		return err
	}
	// What was taken over by mistake can go, as long as nothing was done with it here.
	if err := t.CanDelete(); err != nil && t.Version > 1 {
		return err
	}
	return d.Store.Delete(ctx, id, t.Version)
}
