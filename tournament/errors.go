package tournament

import "errors"

// Errors that the operations on tournaments wrap; the message before it says what was wrong and what would be right.
var (
	ErrNotFound   = errors.New("there is no such tournament, entry, round or board")
	ErrState      = errors.New("not possible at this stage of the tournament")
	ErrInvalid    = errors.New("not valid")
	ErrStale      = errors.New("the tournament has been changed meanwhile")
	ErrUnpairable = errors.New("the round cannot be paired")
)
