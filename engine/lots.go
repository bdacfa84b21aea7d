package engine

// Lot is one thing that chance has decided in a game.
type Lot struct {
	After int    // how many events of the log came before it; 0 for what was decided at the start
	Text  string // what was decided, in words
}

// Auditor is the rules of a game with chance that can account for it.
type Auditor interface {
	// Lots lists what a setup's seed decides in a game with this log, in order. It tells secrets: only for games that
	// are over. Errors are those of [Rules.Start] and [State.Apply].
	Lots(Setup, []Event) ([]Lot, error)
}
