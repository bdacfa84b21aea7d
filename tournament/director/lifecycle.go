package director

import (
	"cmp"
	"context"
	"errors"

	"quatuor/tournament"
	"quatuor/tournament/pairing/roundrobin"
	"quatuor/tournament/presence"
	"quatuor/tournament/prizes"
	"quatuor/tournament/standings"
)

// Create stores a new tournament as a draft, under the caller's id, or a new id for "". If the id exists already, it
// returns that tournament unchanged, so that a command may be repeated. Without tie-breaks (nil) it gets the defaults
// of the format. Faults are tournament.FieldErrors.
func (d *Director) Create(
	ctx context.Context, id string, s tournament.Settings, by string,
) (*tournament.Tournament, error) {
	if id == "" {
		id = d.NewID()
	} else if t, err := d.Store.Load(ctx, id); !errors.Is(err, tournament.ErrNotFound) {
		return t, err
	}
	t, err := d.draft(id, by, s)
	if err != nil {
		return nil, err
	}
	if err := d.Store.Create(ctx, t); err != nil {
		return nil, err
	}
	d.Notifier.TournamentChanged(t, TopicTournament, Staff)
	return t, nil
}

// draft returns a new tournament. Without tie-breaks (nil) it gets the defaults of the format.
func (d *Director) draft(id, organiser string, s tournament.Settings) (*tournament.Tournament, error) {
	if s.TieBreaks == nil {
		s.TieBreaks = standings.Default(s.Format)
	}
	return tournament.New(id, organiser, s, d.checks(), d.now())
}

// Checked returns settings in canonical form, as [Director.Create] would store them, and the error that creating the
// tournament and adding the entries would return.
func (d *Director) Checked(s tournament.Settings, entries ...tournament.Entry) (tournament.Settings, error) {
	t, err := d.draft("", "", s)
	if err != nil {
		return s, err
	}
	_, err = d.addEntries(t, numbered(entries))
	return t.Settings(), err
}

// Points returns the point system of settings, or the format's usual system if none was set.
func (d *Director) Points(s tournament.Settings) tournament.PointSystem {
	shape, _ := d.Variant(s.Variant, s.Options) // storing the settings reports the fault
	return s.PointsFor(shape)
}

// Update changes the settings; see tournament.Configure.
func Update(s tournament.Settings) Act {
	act := tournament.Act{Kind: tournament.ActSettings}
	return Act{act, func(do doing, t *tournament.Tournament) (*tournament.Revision, error) {
		return t.Configure(s, do.checks())
	}}
}

// SetArbiters replaces the accounts that are arbiters of the tournament.
func SetArbiters(accounts []string) Act {
	return plain(tournament.ActArbiters, with((*tournament.Tournament).SetArbiters, accounts))
}

// Open lets players register.
var Open = plain(tournament.ActOpen, (*tournament.Tournament).Open)

// Close ends the registration.
var Close = plain(tournament.ActClose, (*tournament.Tournament).Close)

// Start fixes the field, its numbers and the number of rounds. It does not pair the first round.
var Start = Act{entry: tournament.Act{Kind: tournament.ActStart}, step: doing.start}

func (do doing) start(t *tournament.Tournament) (*tournament.Revision, error) {
	pairer, err := pairerFor(t)
	if err != nil {
		return nil, err
	}
	rounds, err := pairer.Rounds(t.Field(), t.RoundCount)
	if err != nil {
		return nil, err
	}
	seed := cmp.Or(t.LotSeed, do.NewSeed()) // lots that an undone start has drawn stay
	var numbers map[string]int
	if t.Teams != nil {
		t, numbers, err = do.byStrength(do.ctx, t)
		if err != nil {
			return nil, err
		}
	}
	now := do.now()
	if t.Format.Continuous() {
		t = do.withGrace(t)
		now = do.gameNow()
	}
	if t.Rules.Varma {
		numbers = roundrobin.Varma(t.Taking(), seed)
	}
	return t.StartDrawn(numbers, rounds, seed, now)
}

// Finish ends a tournament; all results must be in.
var Finish = Act{
	entry: tournament.Act{Kind: tournament.ActFinish},
	step: func(do doing, t *tournament.Tournament) (*tournament.Revision, error) {
		return t.Finish(do.now())
	},
}

// Archive archives a finished tournament.
var Archive = plain(tournament.ActArchive, (*tournament.Tournament).Archive)

// Delete removes a tournament that has not started.
func (d *Director) Delete(ctx context.Context, id string, o Order) error {
	unlock, err := d.locks.lock(ctx, id)
	if err != nil {
		return err
	}
	defer unlock()
	t, err := d.judging(ctx, id, o)
	if err != nil {
		return err
	}
	// A tournament that was imported by mistake can be deleted as long as nothing was done with it.
	if err := t.CanDelete(); err != nil && t.Version > 1 {
		return err
	}
	return d.Store.Delete(ctx, id, t.Version)
}

// OpenCheckIn opens the check-in, or opens it again; reset discards earlier check-ins.
func OpenCheckIn(reset bool) Act {
	return plain(tournament.ActOpenCheckIn, with(presence.OpenCheckIn, reset))
}

// CloseCheckIn closes the check-in: absent entries are not paired from now on.
var CloseCheckIn = plain(tournament.ActCloseCheckIn, presence.CloseCheckIn)

// CancelCheckIn does without a check-in: all entries count as present.
var CancelCheckIn = plain(tournament.ActCancelCheckIn, presence.CancelCheckIn)

// SetPresent checks an entry in, or notes that it is not there.
func SetPresent(entry string, present bool) Act {
	return plainOf(presenceKind(present), entry, with2(presence.SetPresent, entry, present))
}

// CheckSelfIn checks an entry in for a member, while the check-in is open.
func CheckSelfIn(entry, player string, present bool) Act {
	return plainOf(presenceKind(present), entry, func(t *tournament.Tournament) (*tournament.Revision, error) {
		return presence.CheckSelfIn(t, entry, player, present)
	})
}

// Announce records whether an entry comes to the next evening of a Keizer season; player is the member that announces
// it, "" for an arbiter.
func Announce(entry, player string, a presence.Announcement) Act {
	act := tournament.Act{Kind: presenceKind(a.Comes), Entry: entry}
	return Act{act, func(do doing, t *tournament.Tournament) (*tournament.Revision, error) {
		if player == "" {
			return presence.Announce(t, entry, a)
		}
		return presence.AnnounceSelf(t, entry, player, a, do.now())
	}}
}

func presenceKind(present bool) tournament.ActKind {
	if present {
		return tournament.ActPresent
	}
	return tournament.ActAbsent
}

// SetPrizes replaces the prizes. Errors wrap tournament.ErrInvalid if they cannot be awarded.
func SetPrizes(p tournament.Prizes) Act {
	return plain(tournament.ActPrizes, func(t *tournament.Tournament) (*tournament.Revision, error) {
		if err := prizes.Check(p); err != nil {
			return nil, err
		}
		return t.SetPrizes(p)
	})
}
