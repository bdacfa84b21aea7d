package command

// Target is the target of an act: the request is stamped on arrival if that is a game, and forwarded to the instance that
// owns the game or the tournament.
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
