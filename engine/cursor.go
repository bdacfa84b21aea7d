package engine

// Step is a legal move as a [Cursor] numbers it. A number means the same move in every position of a variant.
type Step uint32

// Cursor is a position that makes and unmakes moves in place, for programs that search the tree of a game: it allocates
// nothing for a move, and reads no text. Repetition and length do not apply. A Cursor is used by a single goroutine at
// a time.
type Cursor interface {
	// Turn returns the seat on turn, 0 when the game is over.
	Turn() Seat
	// Winner returns the side that has won, 0 while the game goes on or if it was drawn.
	Winner() Side
	// Steps appends the legal moves of the seat on turn, in no particular order; none when the game is over.
	Steps([]Step) []Step
	// Make makes a legal move.
	Make(Step)
	// Unmake takes back the last move made, if any.
	Unmake()
	// Key returns a 64-bit hash of all that the rest of the game depends on. It is the same in every run.
	Key() uint64
	// Move returns the token of a legal move.
	Move(Step) Move
}

// Walkable is a state that programs can search. States with secrets are not.
type Walkable interface {
	// Cursor returns a new cursor at this state.
	Cursor() Cursor
}
