package director

import (
	"context"
	"slices"
	"time"

	"quatuor/tournament"
	"quatuor/tournament/slip"
)

// callPause is the minimum pause between two settled calls of a place, ms.
const callPause = 30_000

// Call calls the arbiter with a code. A call that is open already
// stays as it is. Errors wrap slip.ErrUnknown, slip.ErrCalled and tournament.ErrInvalid.
func (d *Director) Call(ctx context.Context, code, word string) (Slip, error) {
	s, err := d.Slip(ctx, code)
	if err != nil {
		return s, err
	}
	if err := d.callFrom(ctx, s.Tournament, s.Place, s.Pairing, word); err != nil {
		return s, err
	}
	s.Called = true
	return s, nil
}

// CallFromGame calls the arbiter to the board of a player of a tournament's game. It returns tournament.ErrState unless
// the game is the present game of a board in the latest published round.
func (d *Director) CallFromGame(ctx context.Context, id string, round, board int, player, gameID, word string) error {
	t, err := d.Store.Load(ctx, id)
	if err != nil {
		return err
	}
	place, p, err := d.ownPlace(t, round, board, player, gameID)
	if err != nil {
		return err
	}
	return d.callFrom(ctx, t, place, p, word)
}

// ownPlace returns the place of a player who may call the arbiter to a game, and the game's pairing.
func (d *Director) ownPlace(
	t *tournament.Tournament, round, board int, player, gameID string,
) (place slip.Place, p tournament.Pairing, err error) {
	p, err = t.Pairing(round, board)
	if err != nil {
		return place, p, err
	}
	if i := slices.IndexFunc(p.Boards, func(b tournament.MatchBoard) bool { return b.GameID == gameID }); i >= 0 {
		board = slip.Number(board, i+1)
		p, err = slip.At(t, round, board)
		if err != nil {
			return place, p, err
		}
	}
	seat := slices.IndexFunc(p.Seats, func(entry string) bool {
		e, _ := t.Entry(entry)
		return player != "" && (entry == player || slices.Contains(e.Members, player))
	})
	if d.Slips == nil || seat < 0 || p.GameID != gameID || p.Result != nil || !slip.Open(t, round) {
		return place, p, tournament.NotNow(
			"the arbiter can be called to a game of the present round while it is played, by its players")
	}
	return slip.Place{Tournament: t.ID, Round: round, Board: board, Seat: seat + 1}, p, nil
}

// CanCall reports whether a player can call the arbiter to a game by [Director.CallFromGame], and whether their call is
// open already.
func (d *Director) CanCall(
	ctx context.Context, id string, round, board int, player, gameID string,
) (can, called bool, err error) {
	t, err := d.Store.Load(ctx, id)
	if err != nil {
		return false, false, err
	}
	place, p, err := d.ownPlace(t, round, board, player, gameID)
	if err != nil {
		return false, false, nil //nolint:nilerr // it is the answer
	}
	calls, err := d.Slips.Calls(ctx, id)
	return err == nil, slices.ContainsFunc(calls, func(c slip.Call) bool {
		return c.Place == place && c.Status != slip.CallSettled && c.Basis == slip.Key(t, round, p)
	}), err
}

func (d *Director) callFrom(
	ctx context.Context, t *tournament.Tournament, place slip.Place, p tournament.Pairing, word string,
) error {
	word, err := slip.CheckWord(word)
	if err != nil {
		return err
	}
	calls, err := d.Slips.Calls(ctx, t.ID)
	if err != nil {
		return err
	}
	for _, c := range calls {
		left := c.At + callPause - d.now()
		if c.Place == place && c.Kind == slip.CallHelp && c.Status == slip.CallSettled && left > 0 {
			return &slip.CalledError{RetryIn: time.Duration(left) * time.Millisecond}
		}
	}
	return d.addCall(ctx, slip.Call{Place: place, Kind: slip.CallHelp, Basis: slip.Key(t, place.Round, p), Word: word})
}

// addCall stores a call and notifies the organiser and arbiters.
func (d *Director) addCall(ctx context.Context, c slip.Call) error {
	c.ID = d.NewID()
	c.At = d.now()
	c.Status = slip.CallOpen
	added, err := d.Slips.AddCall(ctx, c)
	if err != nil || !added {
		return err
	}
	return d.notifyStaff(ctx, c.Tournament)
}

func (d *Director) notifyStaff(ctx context.Context, id string) error {
	t, err := d.Store.Load(ctx, id)
	if err == nil {
		d.Notifier.TournamentChanged(t, TopicPairings, Staff)
	}
	return err
}

// Calls returns the open calls of a tournament: unseen calls first, then by time. With all, the settled calls follow,
// latest first. A call settles itself when its round is over or its board is paired again, and a dispute when its board
// gets a result.
func (d *Director) Calls(ctx context.Context, t *tournament.Tournament, all bool) ([]slip.Call, error) {
	if d.Slips == nil {
		return nil, nil
	}
	calls, err := d.Slips.Calls(ctx, t.ID)
	if err != nil || len(calls) == 0 {
		return nil, err
	}
	changes, err := d.Store.History(ctx, t.ID)
	if err != nil {
		return nil, err
	}
	var open, seen, settled []slip.Call
	for _, c := range calls {
		if !current(t, c, changes) {
			c.Status = slip.CallSettled
		}
		switch c.Status {
		case slip.CallOpen:
			open = append(open, c)
		case slip.CallSeen:
			seen = append(seen, c)
		default:
			settled = append(settled, c)
		}
	}
	slices.Reverse(open)
	slices.Reverse(seen)
	out := slices.Concat(open, seen)
	if all {
		out = append(out, settled...)
	}
	return out, nil
}

// current reports whether a call still concerns the board that it came from. A dispute is over when the board's result
// changes.
func current(t *tournament.Tournament, c slip.Call, changes []tournament.Change) bool {
	p, err := slip.At(t, c.Round, c.Board)
	if err != nil || !slip.Open(t, c.Round) {
		return false
	}
	if c.Kind == slip.CallDispute {
		return c.Basis == slip.Basis(t, c.Round, p, changes)
	}
	return c.Basis == slip.Key(t, c.Round, p)
}

// AnswerCall notes that an arbiter has seen a call, or that it is settled. A call that is settled already stays so:
// tournament.ErrNotFound.
func (d *Director) AnswerCall(ctx context.Context, id, call string, status slip.CallStatus, o Order) error {
	if err := slip.CheckAnswer(status); err != nil {
		return err
	}
	if d.Slips == nil {
		return tournament.Refuse(tournament.ErrNotFound, "call %s", call)
	}
	if err := d.Slips.AnswerCall(ctx, id, call, status, o.By, d.now()); err != nil {
		return err
	}
	if d.CallAnswered != nil {
		if err := d.notifyCallers(ctx, id, call); err != nil {
			return err
		}
	}
	return d.notifyStaff(ctx, id)
}

// notifyCallers reports an answer to the players of the board that the call came from.
func (d *Director) notifyCallers(ctx context.Context, id, call string) error {
	t, err := d.Store.Load(ctx, id)
	if err != nil {
		return err
	}
	calls, err := d.Slips.Calls(ctx, id)
	i := slices.IndexFunc(calls, func(c slip.Call) bool { return c.ID == call })
	if err != nil || i < 0 {
		return err
	}
	if p, err := slip.At(t, calls[i].Round, calls[i].Board); err == nil {
		players := t.Players(p)
		if _, board := slip.Split(p.Board); t.Teams != nil && board > 0 {
			players = p.Seats
		}
		d.CallAnswered(players)
	}
	return nil
}

// Answered returns the call from a seat of a board of the latest published round that an arbiter answered last; ok is
// false for none. Calls with the code of the whole board are any seat's.
func (d *Director) Answered(
	ctx context.Context, t *tournament.Tournament, round, board, seat int,
) (last slip.Call, ok bool, err error) {
	if d.Slips == nil || !slip.Open(t, round) {
		return last, false, nil
	}
	calls, err := d.Slips.Calls(ctx, t.ID)
	p, missing := slip.At(t, round, board)
	if err != nil || missing != nil {
		return last, false, err
	}
	for _, c := range calls {
		if c.Round == round && c.Board == board && (c.Seat == 0 || c.Seat == seat) && c.Kind == slip.CallHelp &&
			c.SeenAt > last.SeenAt && c.Basis == slip.Key(t, round, p) {
			last, ok = c, true
		}
	}
	return last, ok, nil
}
