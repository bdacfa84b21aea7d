package table

import (
	"context"
	"fmt"
	"slices"

	"quatuor/engine/clock"
	"quatuor/engine/sentence"
)

// An open game (Game.Open) is created with seats that have no player yet. Each of these is invited without a name: it
// is in Game.Invited until a player sits down. So an open game is an invitation to whichever players come first, and
// the rest of invitations.go holds for it: it starts in the step that takes the last seat, exactly once, and it
// expires.
//
//	what happens                              line                                the game then
//	a player sits down                        accept, with the seat               waits for the others
//	the last seat is taken                    accept, and start in the same step  runs; with nonces it waits for these
//	a player in it leaves                     stand, with the seat                waits; the seat is open
//	an invited player declines                refuse, with the seat               waits; the seat is open
//	the account that created it leaves        abort, with its seat, if any        is broken off
//	not all seats are taken in time           abort, at the end of the time       is broken off
//
// The row holds the players by seat; the log only which seats were taken and left, and the accounts.

const (
	// MaxOpenGames is the maximum of open games of an account that wait for players.
	MaxOpenGames = 5
	// MaxSeatsTaken is the maximum of games waiting for others that a player may have sat down in.
	MaxSeatsTaken = 10
	// MaxUnplayedTo is the maximum of games with the same player that an account may create within UnplayedTime and
	// that were not played: declined, broken off, expired, or waiting still.
	MaxUnplayedTo = 6
	// UnplayedTime is the time that MaxUnplayedTo is for, in ms.
	UnplayedTime = 60 * 60 * 1000
	// listedTime is the maximum wait of a listed open game for players, in ms. Its clocks start when the last player
	// comes, so its creator must still be present. A game that leaves days for a move, has no clock, or is reached by
	// its link only, waits for invitationTime.
	listedTime = 60 * 60 * 1000
)

// invitationTimeout returns the longest wait of a game for its players, in ms.
func (g *Game) invitationTimeout() int64 {
	if !g.Open || g.Code != "" {
		return invitationTime
	}
	controls, err := parseControls(g.Controls, g.Seats)
	if err != nil {
		return listedTime // it is not created
	}
	switch clock.Class(controls...) {
	case clock.Correspondence, clock.Untimed:
		return invitationTime
	}
	return listedTime
}

// Listed reports whether the game is in the list of those that wait for players to sit down.
func (g *Game) Listed() bool {
	return g.Open && g.Code == "" && g.Status == Waiting && g.Invited != 0
}

// Timed reports whether a seat has a clock on this server.
func (g *Game) Timed(seat int8) bool { return !g.Hall && g.Controls[seat-1] != "none" }

// OpenSeats returns the seats without a player.
func (g *Game) OpenSeats() (seats []int8) {
	for i, p := range g.Players {
		if p == "" {
			seats = append(seats, int8(i+1))
		}
	}
	return seats
}

// Sitting is a request for a seat in an open game.
type Sitting struct {
	By     string // account
	Player string
	Seat   int8   // 0: the first that is open
	Code   string // for a game that is not in the list
}

// Sit takes a seat of an open game, or accepts the invitation to it; the last to come starts the game in the same step,
// or begins the time for its nonces. To sit down again changes nothing. Errors: ErrGameOver, ErrNotOpen, ErrSeatTaken,
// ErrCode.
func (t *Tables) Sit(ctx context.Context, a *Arrival, w Sitting) (*Snapshot, error) {
	return t.act(ctx, a, func(d *draft, at int64) error {
		if len(d.SeatsOf(w.Player)) > 0 {
			return d.acceptAll(w.By, w.Player, at)
		}
		seat, err := d.seatFor(w)
		if err != nil {
			return err
		}
		d.Game.Players = slices.Clone(d.Game.Players)
		d.Game.Players[seat-1] = w.Player
		if err := t.checkMixed(&d.Game); err != nil {
			return err
		}
		if err := d.accept(Line{Seat: seat, At: at, By: w.By}); err != nil {
			return err
		}
		return d.startIfComplete(w.By, at)
	})
}

// seatFor returns the seat that a player without a seat may take.
func (d *draft) seatFor(w Sitting) (int8, error) {
	open := d.Game.OpenSeats()
	switch {
	case d.Game.Status.Over():
		return 0, ErrGameOver
	case !d.Game.Open:
		return 0, ErrNotOpen
	case d.Game.Code != "" && w.Code != d.Game.Code:
		return 0, ErrCode
	case len(open) == 0:
		return 0, sentence.Errorf("%w: all seats are taken", ErrSeatTaken)
	case w.Seat == 0:
		return open[0], nil
	case !slices.Contains(open, w.Seat):
		return 0, sentence.Errorf("%w: seat %d is not open; these are: %v", ErrSeatTaken, w.Seat, open)
	}
	return w.Seat, nil
}

// LeaveSeat leaves an open game that has not begun: the player's seat is open again, whether the player had sat down or
// was invited to it. If the account that created the game leaves, the game is broken off. why is kept in the log. To
// leave again changes nothing. Errors: ErrNotOpen, ErrNotYourSeat, ErrGameOver, ErrNoInvitation.
func (t *Tables) LeaveSeat(ctx context.Context, a *Arrival, by, player string, why sentence.Sentence) (
	*Snapshot, error,
) {
	return t.breakOff(ctx, a, func(d *draft, at int64) error {
		return d.leaveSeat(Line{At: at, By: by}.with(why), player)
	})
}

func (d *draft) leaveSeat(l Line, player string) error {
	seats := d.SeatsOf(player)
	host := l.By != "" && l.By == d.Game.CreatedBy
	switch {
	case !d.Game.Open:
		return ErrNotOpen
	case len(seats) == 0 && !host && d.hasLeft(l.By):
		return nil
	case len(seats) == 0 && !host:
		return ErrNotYourSeat
	case host && d.Game.Status == Aborted:
		return nil
	case d.Game.Status.Over():
		return ErrGameOver
	case d.Game.Status != Waiting || d.Game.Invited == 0:
		return sentence.Errorf("%w: the game is %s; a game that has begun can be resigned", ErrNoInvitation, d.Game.Status)
	}
	if len(seats) > 0 {
		l.Seat = int8(seats[0])
	}
	if host {
		return d.abort(l)
	}
	d.Game.Players = slices.Clone(d.Game.Players)
	for _, seat := range seats {
		l.Seat = int8(seat)
		d.Game.Players[seat-1] = ""
		d.vacate(l)
	}
	return nil
}

// hasLeft reports whether an account has left the game before it began.
func (s *Snapshot) hasLeft(by string) bool {
	return slices.ContainsFunc(s.Lines, func(l Line) bool {
		return (l.Kind == LineStand || l.Kind == LineRefuse) && l.By == by
	})
}

// vacate notes that a seat has no player any more.
func (d *draft) vacate(l Line) {
	l.Kind = LineStand
	if d.Game.Invited.Has(l.Seat) {
		l.Kind = LineRefuse
	}
	d.note(l)
	d.Game.Invited = d.Game.Invited.With(l.Seat)
}

// repeatVacate is vacate for a stored line; its kind distinguishes invited seats from others.
func (d *draft) repeatVacate(l Line) error {
	if d.Game.Status != Waiting || !d.Game.Open || d.Game.Invited.Has(l.Seat) != (l.Kind == LineRefuse) {
		return fmt.Errorf("seat %d cannot be left like this", l.Seat)
	}
	d.vacate(l)
	return nil
}

// acceptAll accepts for all seats of a player, and starts the game if it waits for none.
func (d *draft) acceptAll(by, player string, at int64) error {
	seats := d.SeatsOf(player)
	switch {
	case len(seats) == 0:
		return ErrNotYourSeat
	case d.Game.Status.Over():
		return ErrGameOver
	case !d.invites(player):
		return nil
	}
	for _, seat := range seats {
		if !d.Game.Invited.Has(int8(seat)) {
			continue
		}
		if err := d.accept(Line{Seat: int8(seat), At: at, By: by}); err != nil {
			return err
		}
	}
	return d.startIfComplete(by, at)
}

// startIfComplete starts the game if all its seats have accepted and it is dealt.
func (d *draft) startIfComplete(by string, at int64) error {
	if d.Game.Invited != 0 || d.Match == nil {
		return nil
	}
	return d.start(by, at)
}

// invitedAtFirst returns the seats that a stored game waited for when it was created: the effects of its log, undone
// from its end.
func invitedAtFirst(stored Game, lines []Line) SeatSet {
	invited := stored.Invited
	for _, l := range slices.Backward(lines) {
		switch {
		case l.Seat < 1 || int(l.Seat) > stored.Seats:
		case l.Kind == LineAccept || l.Kind == LineRefuse:
			invited = invited.With(l.Seat)
		case l.Kind == LineStand:
			invited = invited.Without(l.Seat)
		}
	}
	return invited
}
