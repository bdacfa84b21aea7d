package command

// Target is what an act acts on: its request is stamped when it arrives if that is a game, and sent on to the instance
// that owns the game or the tournament.
type Target struct {
	On         Kind
	Repeatable bool // to do it twice is to do it once
}

// Kind is a kind of things that acts act on.
type Kind int

// The kinds.
const (
	Nothing Kind = iota // that has an owner
	AGame
	ATournament
)

// The targets of acts that cannot be repeated.
var (
	OnNothing    = Target{}
	OnGame       = Target{On: AGame}
	OnTournament = Target{On: ATournament}
)
