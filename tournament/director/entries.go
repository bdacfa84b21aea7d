package director

import (
	"context"
	"fmt"
	"slices"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/presence"
	"quatuor/tournament/registration"
)

// AddEntry adds an organiser's entry, on time or late, under a new id.
func (d *Director) AddEntry(
	ctx context.Context, id string, e tournament.Entry, o Order,
) (*tournament.Tournament, tournament.Entry, error) {
	return d.enter(ctx, id, e, o, tournament.ActEnter, registration.AddEntry)
}

// AddBot enters a bot of a level for the organiser, on time or late; rating decides its seed.
func (d *Director) AddBot(
	ctx context.Context, id string, level int, rating float64, o Order,
) (*tournament.Tournament, tournament.Entry, error) {
	return d.enter(ctx, id, tournament.Entry{}, o, tournament.ActEnter,
		func(t *tournament.Tournament, named tournament.Entry, s tournament.Shape) (*tournament.Revision, error) {
			e, err := s.BotEntry(level, rating)
			if err != nil {
				return nil, err
			}
			e.ID = named.ID
			return registration.AddEntry(t, e, s)
		})
}

// AddEntries adds several of the organiser's entries, all or none, as a single act. Those without an id get a new id.
func AddEntries(list []tournament.Entry) Act {
	act := tournament.Act{Kind: tournament.ActEnterAll}.Because(sentence.New("%d entries", len(list)))
	return Act{act, func(do doing, t *tournament.Tournament) (*tournament.Revision, error) {
		list := slices.Clone(list)
		for i := range list {
			if list[i].ID == "" {
				list[i].ID = do.NewID()
			}
		}
		return do.addEntries(t, list)
	}}
}

// TryEntries is AddEntries without storing anything: it returns the error that adding these entries would return now.
func (d *Director) TryEntries(ctx context.Context, id string, list []tournament.Entry, o Order) error {
	t, err := d.judging(ctx, id, o)
	if err != nil {
		return err
	}
	_, err = d.addEntries(t, numbered(list))
	return err
}

// numbered returns entries with ids for a try.
func numbered(list []tournament.Entry) []tournament.Entry {
	list = slices.Clone(list)
	for i := range list {
		list[i].ID = fmt.Sprint("try ", i)
	}
	return list
}

func (d *Director) addEntries(t *tournament.Tournament, list []tournament.Entry) (*tournament.Revision, error) {
	shape, err := d.Variant(t.Variant, t.Options)
	if err != nil {
		return nil, err
	}
	return registration.AddEntries(t, list, shape.For(t.Rules))
}

// Register adds a player's registration while the tournament is open. A player that withdrew before keeps the earlier
// entry.
func (d *Director) Register(
	ctx context.Context, id string, e tournament.Entry, o Order,
) (*tournament.Tournament, tournament.Entry, error) {
	t, err := d.Store.Load(ctx, id)
	if err != nil {
		return nil, tournament.Entry{}, err
	}
	e.ID = registration.Left(t, e.Members)
	if e.ID == "" {
		e.ID = d.NewID()
	}
	return d.enterAs(ctx, id, e, o, tournament.ActRegister, registration.Register)
}

type entering func(*tournament.Tournament, tournament.Entry, tournament.Shape) (*tournament.Revision, error)

func (d *Director) enter(
	ctx context.Context, id string, e tournament.Entry, o Order, kind tournament.ActKind, how entering,
) (*tournament.Tournament, tournament.Entry, error) {
	e.ID = d.NewID()
	return d.enterAs(ctx, id, e, o, kind, how)
}

// enterAs adds an entry under the id that it has.
func (d *Director) enterAs(
	ctx context.Context, id string, e tournament.Entry, o Order, kind tournament.ActKind, how entering,
) (*tournament.Tournament, tournament.Entry, error) {
	t, err := d.Do(ctx, id, Act{tournament.Act{Kind: kind, Entry: e.ID}, shaped(e, how)}, o)
	if err != nil {
		return nil, tournament.Entry{}, err
	}
	e, _ = t.Entry(e.ID)
	return t, e, nil
}

// UpdateEntry replaces name, club, rating and members of the entry with e's id.
func UpdateEntry(e tournament.Entry) Act {
	return Act{
		entry: tournament.Act{Kind: tournament.ActCorrect, Entry: e.ID},
		step:  shaped(e, registration.UpdateEntry),
	}
}

// TryUpdateEntry is UpdateEntry without storing anything: it returns the error that it would return now.
func (d *Director) TryUpdateEntry(ctx context.Context, id string, e tournament.Entry, o Order) error {
	t, err := d.judging(ctx, id, o)
	if err == nil {
		_, err = UpdateEntry(e).step(doing{Director: d, Order: o, ctx: ctx}, t)
	}
	return err
}

// shaped returns a step that needs the shape of the variant.
func shaped(e tournament.Entry, how entering) step {
	return func(do doing, t *tournament.Tournament) (*tournament.Revision, error) {
		shape, err := do.Variant(t.Variant, t.Options)
		if err != nil {
			return nil, err
		}
		return how(t, e, shape.For(t.Rules))
	}
}

// ConfirmEntry accepts a registration.
func ConfirmEntry(entry string) Act {
	return plainOf(tournament.ActConfirm, entry, with(registration.ConfirmEntry, entry))
}

// Agree notes that a player agrees to be a member of an entry.
func Agree(entry, player string) Act {
	return plainOf(tournament.ActAgree, entry, with2(registration.Agree, entry, player))
}

// Decline notes that a player does not want to be a member of an entry, which is withdrawn.
func Decline(entry, player string) Act {
	return plainOf(tournament.ActDecline, entry, with2(registration.Decline, entry, player))
}

// Withdraw withdraws an entry, from the first unpublished round on.
func Withdraw(entry string) Act {
	return plainOf(tournament.ActWithdraw, entry, with(registration.Withdraw, entry))
}

// Reinstate takes a withdrawn entry back.
func Reinstate(entry string) Act {
	return plainOf(tournament.ActReinstate, entry, with(registration.Reinstate, entry))
}

// RequestByes sets the rounds without a pairing for an entry.
func RequestByes(entry string, byes []tournament.RequestedBye) Act {
	return plainOf(tournament.ActByes, entry, with2((*tournament.Tournament).RequestByes, entry, byes))
}

// RequestByesSelf is RequestByes by a member of the entry.
func RequestByesSelf(entry string, byes []tournament.RequestedBye) Act {
	act := tournament.Act{Kind: tournament.ActByes, Entry: entry}
	return Act{act, func(do doing, t *tournament.Tournament) (*tournament.Revision, error) {
		return presence.RequestByesSelf(t, entry, byes, do.now())
	}}
}

// SetForbidden replaces the forbidden pairings.
func SetForbidden(bans []tournament.Ban) Act {
	return plain(tournament.ActForbid, with((*tournament.Tournament).SetForbidden, bans))
}

// RemoveEntry deletes an entry before the start.
func RemoveEntry(entry string) Act {
	return plainOf(tournament.ActRemove, entry, with(registration.RemoveEntry, entry))
}
