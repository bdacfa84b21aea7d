package table

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"quatuor/engine/sentence"
)

// A casual game is an invitation until every player in it has agreed to play it. Its row holds which seats have not
// (Game.Invited), its log those that have, and when:
//
//	what happens                      line                                 the game then
//	a player accepts                  accept, one for each of its seats    waits for the others
//	the last one accepts              accept, and start in the same step   runs; with nonces it waits for these
//	a player declines                 abort, with the player's seat        is broken off, for all
//	not all accepted in time          abort, at the end of the time        is broken off
//	the creator breaks it off         abort                                is broken off
//
// Nothing else can happen to it, no clock runs, and its end is no result. Tournament games have no invitations: the
// entry was the agreement.

const (
	// MaxInvitations is the maximum of games created by an account that wait for invited players.
	MaxInvitations = 20
	// MaxInvitationsTo is the maximum of these that the same invited player may sit in.
	MaxInvitationsTo = 3
	// invitationTime is the time for invited players to accept, in ms.
	invitationTime = 24 * 60 * 60 * 1000
)

// AcceptInvitation accepts a game for all seats of a player; the last acceptance starts it, or begins the time for its
// nonces. To accept again changes nothing. by is the player's account. Errors: ErrNotYourSeat, ErrGameOver.
func (t *Tables) AcceptInvitation(ctx context.Context, a *Arrival, by, player string) (*Snapshot, error) {
	return t.act(ctx, a, func(d *draft, at int64) error {
		return d.acceptAll(by, player, at)
	})
}

// DeclineInvitation breaks a game off that waits for invited players, by a player of it; why is kept in the log. An
// open game is not broken off, but the seat is open to others; see [Tables.LeaveSeat]. To decline again changes
// nothing. Errors: ErrNotYourSeat, ErrGameOver, ErrNoInvitation.
func (t *Tables) DeclineInvitation(ctx context.Context, a *Arrival, by, player string, why sentence.Sentence) (
	*Snapshot, error,
) {
	return t.breakOff(ctx, a, func(d *draft, at int64) error {
		seats := d.SeatsOf(player)
		switch {
		case d.Game.Open:
			return d.leaveSeat(Line{At: at, By: by}.with(why), player)
		case len(seats) == 0:
			return ErrNotYourSeat
		case d.declinedBy(int8(seats[0])):
			return nil
		case d.Game.Status.Over():
			return ErrGameOver
		case d.Game.Invited == 0 || d.planned():
			return sentence.Errorf("%w: the game is %s; a game that has begun can be resigned", ErrNoInvitation, d.Game.Status)
		}
		return d.abort(Line{Seat: int8(seats[0]), At: at, By: by}.with(why))
	})
}

// DeclinedBy returns the words of the log for a game that a player declined, with the player's own word, if any.
func DeclinedBy(name, word string) sentence.Sentence {
	return sentence.Join(": ", sentence.New("declined by %s", name),
		sentence.Typed(strings.Join(strings.Fields(word), " ")))
}

// declinedBy reports whether the game was broken off because the player of a seat declined it.
func (s *Snapshot) declinedBy(seat int8) bool {
	return slices.ContainsFunc(s.Lines, func(l Line) bool { return l.Kind == LineAbort && l.Seat == seat })
}

// invites reports whether the game waits for a player to accept it.
func (s *Snapshot) invites(player string) bool {
	return s.Game.Status == Waiting && s.Game.Invites(player)
}

// Invites reports whether a player sits at a seat that has not accepted.
func (g *Game) Invites(player string) bool {
	for i, p := range g.Players {
		if p != "" && p == player && g.Invited.Has(int8(i+1)) {
			return true
		}
	}
	return false
}

// accept notes that the player of a seat agrees to play.
func (d *draft) accept(l Line) error {
	if d.Game.Status != Waiting || !d.Game.Invited.Has(l.Seat) {
		return fmt.Errorf("seat %d has no invitation to accept", l.Seat)
	}
	l.Kind = LineAccept
	d.note(l)
	d.Game.Invited = d.Game.Invited.Without(l.Seat)
	if d.Game.Invited == 0 && !d.planned() {
		d.Game.Deadline = 0
		if d.Game.Nonces {
			d.Game.Deadline = l.At + nonceTime
		}
	}
	return nil
}

// expire breaks off a game that was not accepted by all in time.
func (d *draft) expire(at int64) error {
	hours := int((time.Duration(d.Game.invitationTimeout()) * time.Millisecond).Hours())
	why := sentence.New("not every invited player accepted within %d hours", hours)
	if d.Game.Open {
		why = sentence.New("not every seat was taken within %d hours", hours)
	}
	return d.abort(Line{At: at}.with(why))
}

// notAccepted returns an error that names the seat of a player that has not accepted yet.
func (d *draft) notAccepted() error {
	for seat := int8(1); ; seat++ {
		if d.Game.Invited.Has(seat) {
			return sentence.Errorf("%w: the player of seat %d has not accepted yet", ErrNotStarted, seat)
		}
	}
}

// MovedIn returns the seats that have made a move which was not taken back, according to a game's log.
func MovedIn(lines []Line) (moved SeatSet) {
	for _, seat := range moversIn(lines) {
		moved = moved.With(seat)
	}
	return moved
}

// FewestMoves returns the number of moves of the seat with the fewest, among seats that have moved, without moves that
// were taken back, according to a game's log; 0 if no seat has moved.
func FewestMoves(lines []Line) (fewest int) {
	made := map[int8]int{}
	for _, seat := range moversIn(lines) {
		made[seat]++
	}
	for _, n := range made {
		if fewest == 0 || n < fewest {
			fewest = n
		}
	}
	return fewest
}

// MovesIn returns the number of moves of each seat that were not taken back, according to a game's log.
func MovesIn(lines []Line, seats int) []int {
	moves := make([]int, seats)
	for _, seat := range moversIn(lines) {
		if 1 <= seat && int(seat) <= seats {
			moves[seat-1]++
		}
	}
	return moves
}

// BerserkIn returns the seats, from 1, that play with half of their time according to a game's log, in their order.
func BerserkIn(lines []Line) (seats []int) {
	for i := range lines {
		if seat := int(lines[i].Seat); lines[i].Kind == LineBerserk && !slices.Contains(seats, seat) {
			seats = append(seats, seat)
		}
	}
	slices.Sort(seats)
	return seats
}

// moversIn returns the seats of the moves that were not taken back, in their order.
func moversIn(lines []Line) (movers []int8) {
	for i := range lines {
		switch l := &lines[i]; l.Kind {
		case LineMove:
			movers = append(movers, l.Seat)
		case LineTakeback:
			if first, err := l.First(); err == nil && first >= 1 && first <= len(movers) {
				movers = movers[:first-1]
			}
		}
	}
	return movers
}

// AllMoved reports whether every seat that is still in the game has moved. A seat that has left is not waited for.
func (s *Snapshot) AllMoved() bool {
	moved := MovedIn(s.Lines)
	for seat := int8(1); int(seat) <= s.Game.Seats; seat++ {
		if !moved.Has(seat) && !s.left(seat) {
			return false
		}
	}
	return true
}

// left reports whether a seat has left the game: by resigning, on time, or by an arbiter's act.
func (s *Snapshot) left(seat int8) bool { return s.Game.Clock.Seat(seat, s.Game.Clock.LastAt()).Out }

// RematchOf returns the id of a game's rematch, which need not exist. A game has at most a single rematch.
func RematchOf(id string) string {
	return uuid.NewSHA1(uuid.NameSpaceOID, []byte("rematch of "+id)).String()
}

// Rematch offers the other player of a finished duel to play again with the seats exchanged, or accepts that offer: the
// first call invites the other player to a new game, the second accepts the invitation. Both may call at the same time,
// and more than once; it is the same game. A rematch that was broken off before it began was declined, or not accepted
// in time, and stays so. by is the account that acts for a player of the game. Errors: ErrNotYourSeat, ErrNotOver,
// ErrRematch, ErrDeclined, ErrInvitations.
func (t *Tables) Rematch(ctx context.Context, id, by, player string) (*Snapshot, error) {
	before, err := t.Snapshot(ctx, id)
	if err != nil {
		return nil, err
	}
	g := before.Game
	switch {
	case len(before.SeatsOf(player)) == 0:
		return nil, ErrNotYourSeat
	case g.Status == Aborted:
		return nil, sentence.Errorf("%w: it was broken off", ErrRematch)
	case g.Status != Finished:
		return nil, sentence.Errorf("%w: it is %s", ErrNotOver, g.Status)
	case g.Tournament != nil:
		return nil, sentence.Errorf("%w: it belongs to a tournament", ErrRematch)
	case len(g.Players) != 2:
		return nil, sentence.Errorf("%w: it had %d seats", ErrRematch, len(g.Players))
	}
	players, controls := slices.Clone(g.Players), slices.Clone(g.Controls)
	slices.Reverse(players)
	slices.Reverse(controls)
	var invited SeatSet
	for i, p := range players {
		if p != player && BotLevel(p) == 0 {
			invited = invited.With(int8(i + 1))
		}
	}
	games, err := t.Open(ctx, NewGame{
		ID: RematchOf(id), Variant: g.Variant, Seats: g.Seats, Players: players, Controls: controls, Lag: g.Lag,
		Rated: g.Rated, Nonces: g.Nonces, Options: g.Options, CreatedBy: by, Grace: g.Clock.Grace(), Delay: g.Delay,
		Takebacks: g.Takebacks, Invited: invited, Start: true,
	})
	if err != nil {
		return nil, err
	}
	next := games[0]
	if next.Game.Status == Aborted && next.Game.StartedAt == 0 {
		return nil, ErrDeclined
	}
	if !next.invites(player) {
		return next, nil // offered, or accepted
	}
	return t.AcceptInvitation(ctx, t.Arrive(next.Game.ID), by, player)
}
