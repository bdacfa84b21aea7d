package table

import "errors"

// Errors of live play. Refusals by the rules come as *engine.MoveError.
var (
	ErrNotFound    = errors.New("there is no such game")
	ErrConflict    = errors.New("the game has moved on meanwhile")
	ErrStaleTurn   = errors.New("this move was for another turn")
	ErrFlagFallen  = errors.New("the move came after the time was up")
	ErrGameOver    = errors.New("the game is over")
	ErrNotStarted  = errors.New("the game has not started")
	ErrPaused      = errors.New("the game is paused")
	ErrNotPaused   = errors.New("the game is not paused")
	ErrNoReason    = errors.New("an arbiter's act needs a reason, which stands in the game's record")
	ErrClock       = errors.New("the clock cannot be changed like this")
	ErrRanks       = errors.New("these ranks are not a possible result of this game")
	ErrNotYourSeat = errors.New("this is not your seat")
	ErrNoOffer     = errors.New("there is no draw offer to answer")
	ErrSetup       = errors.New("a game cannot be set up like this")
	ErrNotOver     = errors.New("the game is not over")
	ErrRematch     = errors.New("this game has no rematch; a casual game between two players has")
	ErrDeclined    = errors.New("the rematch was declined, or not accepted in time; create a new game")

	ErrInvitations  = errors.New("too many invitations are open")
	ErrNoInvitation = errors.New("there is no invitation to decline")

	ErrNoTakebacks     = errors.New("in this game the players cannot agree to take moves back")
	ErrNoTakebackOffer = errors.New("there is no request for a takeback to answer")

	ErrNoNonces   = errors.New("the seats add nothing to the seed of this game")
	ErrNonceGiven = errors.New("this can be sent once only")
	ErrNonceEarly = errors.New("nonces can be sent once every seat has sent its commitment")
	ErrNonceLate  = errors.New("the time for this is over, and the game is dealt without it")
	ErrNonceOther = errors.New("this nonce does not fit the commitment that the seat has sent")

	// ErrUnavailable says that what was asked cannot be stored or read at the moment, for a reason that lies outside
	// this program and may pass: a full disk, a lock, a database server that is away. A journal wraps its errors in
	// it, as does every other part of the same database.
	ErrUnavailable = errors.New("the database is not available at the moment; try again soon")
)
