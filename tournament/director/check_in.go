package director

import (
	"context"

	"quatuor/tournament"
)

// OpenCheckIn opens the check-in, or opens it again; reset discards earlier check-ins.
func (d *Director) OpenCheckIn(ctx context.Context, id string, reset bool, o Order) (*tournament.Tournament, error) {
	return d.change(ctx, id, o, tournament.Act{Kind: tournament.ActOpenCheckIn},
		with((*tournament.Tournament).OpenCheckIn, reset))
}

// CloseCheckIn closes the check-in: absent entries are not paired from now on.
func (d *Director) CloseCheckIn(ctx context.Context, id string, o Order) (*tournament.Tournament, error) {
	return d.change(ctx, id, o, tournament.Act{Kind: tournament.ActCloseCheckIn}, (*tournament.Tournament).CloseCheckIn)
}

// CancelCheckIn does without a check-in: all entries count as present.
func (d *Director) CancelCheckIn(ctx context.Context, id string, o Order) (*tournament.Tournament, error) {
	return d.change(ctx, id, o, tournament.Act{Kind: tournament.ActCancelCheckIn}, (*tournament.Tournament).CancelCheckIn)
}

// SetPresent checks an entry in, or notes that it is not there.
func (d *Director) SetPresent(
	ctx context.Context, id, entry string, present bool, o Order,
) (*tournament.Tournament, error) {
	return d.change(ctx, id, o, tournament.Act{Kind: presence(present), Entry: entry},
		with2((*tournament.Tournament).SetPresent, entry, present))
}

// CheckSelfIn checks an entry in for one of its members, while the check-in is open.
func (d *Director) CheckSelfIn(
	ctx context.Context, id, entry, player string, present bool, o Order,
) (*tournament.Tournament, error) {
	return d.change(ctx, id, o, tournament.Act{Kind: presence(present), Entry: entry},
		func(t *tournament.Tournament) (*tournament.Tournament, tournament.Delta, error) {
			return t.CheckSelfIn(entry, player, present)
		})
}

// Announce records whether an entry comes to the next evening of a Keizer season; player is the member that says so, ""
// for an arbiter.
func (d *Director) Announce(
	ctx context.Context, id, entry, player string, a tournament.Announcement, o Order,
) (*tournament.Tournament, error) {
	act := tournament.Act{Kind: presence(a.Comes), Entry: entry}
	return d.change(ctx, id, o, act, func(t *tournament.Tournament) (*tournament.Tournament, tournament.Delta, error) {
		if player == "" {
			return t.Announce(entry, a)
		}
		return t.AnnounceSelf(entry, player, a, d.now())
	})
}

func presence(present bool) tournament.ActKind {
	if present {
		return tournament.ActPresent
	}
	return tournament.ActAbsent
}
