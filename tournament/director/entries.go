package director

import (
	"context"
	"fmt"
	"slices"

	"quatuor/engine/sentence"
	"quatuor/tournament"
)

// AddEntry adds an organiser's entry, which may be a late one, under a new id.
func (d *Director) AddEntry(
	ctx context.Context, id string, e tournament.Entry, o Order,
) (*tournament.Tournament, tournament.Entry, error) {
	return d.enter(ctx, id, e, o, tournament.ActEnter, (*tournament.Tournament).AddEntry)
}

// AddBot enters a bot of a level for the organiser; the rating is what it is seeded by. It may be a late entry.
func (d *Director) AddBot(
	ctx context.Context, id string, level int, rating float64, o Order,
) (*tournament.Tournament, tournament.Entry, error) {
	return d.enter(ctx, id, tournament.Entry{}, o, tournament.ActEnter,
		func(
			t *tournament.Tournament, named tournament.Entry, s tournament.Shape,
		) (*tournament.Tournament, tournament.Delta, error) {
			e, err := s.BotEntry(level, rating)
			if err != nil {
				return nil, tournament.Delta{}, err
			}
			e.ID = named.ID
			return t.AddEntry(e, s)
		})
}

// AddEntries adds several of the organiser's entries, all or none, as one act. Those without an id get a new one.
func (d *Director) AddEntries(
	ctx context.Context, id string, list []tournament.Entry, o Order,
) (*tournament.Tournament, error) {
	list = slices.Clone(list)
	for i := range list {
		if list[i].ID == "" {
			list[i].ID = d.NewID()
		}
	}
	act := tournament.Act{Kind: tournament.ActEnterAll}.Because(sentence.New("%d entries", len(list)))
	return d.change(ctx, id, o, act, func(t *tournament.Tournament) (*tournament.Tournament, tournament.Delta, error) {
		return d.addEntries(t, list)
	})
}

// TryEntries is AddEntries without storing anything: it returns the error that adding these entries would return now.
func (d *Director) TryEntries(ctx context.Context, id string, list []tournament.Entry, o Order) error {
	t, err := d.judging(ctx, id, o)
	if err != nil {
		return err
	}
	_, _, err = d.addEntries(t, numbered(list))
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

func (d *Director) addEntries(
	t *tournament.Tournament, list []tournament.Entry,
) (*tournament.Tournament, tournament.Delta, error) {
	shape, err := d.Variant(t.Variant, t.Options)
	if err != nil {
		return nil, tournament.Delta{}, err
	}
	return t.AddEntries(list, shape.For(t.Rules))
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
	if e.ID = t.Left(e.Members); e.ID == "" {
		e.ID = d.NewID()
	}
	return d.enterAs(ctx, id, e, o, tournament.ActRegister, (*tournament.Tournament).Register)
}

type entering func(*tournament.Tournament, tournament.Entry, tournament.Shape) (*tournament.Tournament,
	tournament.Delta, error)

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
	t, err := d.shaped(ctx, id, e, o, kind, how)
	if err != nil {
		return nil, tournament.Entry{}, err
	}
	e, _ = t.Entry(e.ID)
	return t, e, nil
}

// UpdateEntry replaces name, club, rating and members of the entry with e's id.
func (d *Director) UpdateEntry(
	ctx context.Context, id string, e tournament.Entry, o Order,
) (*tournament.Tournament, error) {
	return d.shaped(ctx, id, e, o, tournament.ActCorrect, (*tournament.Tournament).UpdateEntry)
}

// TryUpdateEntry is UpdateEntry without storing anything: it returns the error that it would return now.
func (d *Director) TryUpdateEntry(ctx context.Context, id string, e tournament.Entry, o Order) error {
	t, err := d.judging(ctx, id, o)
	if err != nil {
		return err
	}
	shape, err := d.Variant(t.Variant, t.Options)
	if err == nil {
		_, _, err = t.UpdateEntry(e, shape)
	}
	return err
}

// shaped executes a command that needs the shape of the variant.
func (d *Director) shaped(
	ctx context.Context, id string, e tournament.Entry, o Order, kind tournament.ActKind, how entering,
) (*tournament.Tournament, error) {
	return d.change(ctx, id, o, tournament.Act{Kind: kind, Entry: e.ID},
		func(t *tournament.Tournament) (*tournament.Tournament, tournament.Delta, error) {
			shape, err := d.Variant(t.Variant, t.Options)
			if err != nil {
				return nil, tournament.Delta{}, err
			}
			return how(t, e, shape.For(t.Rules))
		})
}

// ConfirmEntry accepts a registration.
func (d *Director) ConfirmEntry(ctx context.Context, id, entry string, o Order) (*tournament.Tournament, error) {
	return d.onEntry(ctx, id, entry, o, tournament.ActConfirm, (*tournament.Tournament).ConfirmEntry)
}

// Agree notes that a player agrees to be a member of an entry.
func (d *Director) Agree(ctx context.Context, id, entry, player string, o Order) (*tournament.Tournament, error) {
	return d.change(ctx, id, o, tournament.Act{Kind: tournament.ActAgree, Entry: entry},
		with2((*tournament.Tournament).Agree, entry, player))
}

// Decline notes that a player does not want to be a member of an entry, which is withdrawn.
func (d *Director) Decline(ctx context.Context, id, entry, player string, o Order) (*tournament.Tournament, error) {
	return d.change(ctx, id, o, tournament.Act{Kind: tournament.ActDecline, Entry: entry},
		with2((*tournament.Tournament).Decline, entry, player))
}

// Withdraw withdraws an entry, from the first unpublished round on.
func (d *Director) Withdraw(ctx context.Context, id, entry string, o Order) (*tournament.Tournament, error) {
	return d.onEntry(ctx, id, entry, o, tournament.ActWithdraw, (*tournament.Tournament).Withdraw)
}

// Reinstate takes a withdrawn entry back.
func (d *Director) Reinstate(ctx context.Context, id, entry string, o Order) (*tournament.Tournament, error) {
	return d.onEntry(ctx, id, entry, o, tournament.ActReinstate, (*tournament.Tournament).Reinstate)
}

// RequestByes sets the rounds in which an entry is not to be paired.
func (d *Director) RequestByes(
	ctx context.Context, id, entry string, byes []tournament.RequestedBye, o Order,
) (*tournament.Tournament, error) {
	return d.change(ctx, id, o, tournament.Act{Kind: tournament.ActByes, Entry: entry},
		with2((*tournament.Tournament).RequestByes, entry, byes))
}

// RequestByesSelf is RequestByes by a member of the entry.
func (d *Director) RequestByesSelf(
	ctx context.Context, id, entry string, byes []tournament.RequestedBye, o Order,
) (*tournament.Tournament, error) {
	act := tournament.Act{Kind: tournament.ActByes, Entry: entry}
	return d.change(ctx, id, o, act, func(t *tournament.Tournament) (*tournament.Tournament, tournament.Delta, error) {
		return t.RequestByesSelf(entry, byes, d.now())
	})
}

// SetForbidden replaces the forbidden pairings.
func (d *Director) SetForbidden(
	ctx context.Context, id string, bans []tournament.Ban, o Order,
) (*tournament.Tournament, error) {
	return d.change(ctx, id, o, tournament.Act{Kind: tournament.ActForbid},
		with((*tournament.Tournament).SetForbidden, bans))
}

// RemoveEntry deletes an entry before the start.
func (d *Director) RemoveEntry(ctx context.Context, id, entry string, o Order) (*tournament.Tournament, error) {
	return d.onEntry(ctx, id, entry, o, tournament.ActRemove, (*tournament.Tournament).RemoveEntry)
}

func (d *Director) onEntry(ctx context.Context, id, entry string, o Order, kind tournament.ActKind,
	op func(*tournament.Tournament, string) (*tournament.Tournament, tournament.Delta, error),
) (*tournament.Tournament, error) {
	return d.change(ctx, id, o, tournament.Act{Kind: kind, Entry: entry}, with(op, entry))
}
