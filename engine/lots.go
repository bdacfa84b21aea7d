package engine

// Lot is a decision of chance in a game: a draw or a shuffle.
type Lot struct {
	After int    // number of events of the log before it; 0 for a decision at the start
	Text  string // the decision, in words
}

// Auditor is implemented by the rules of games with chance that can account for every draw.
type Auditor interface {
	// Lots returns the decisions of a setup's seed in a game with this log, in order. It reveals secrets: only for games
	// that are over. Errors are those of [Rules.Start] and [State.Apply].
	Lots(Setup, []Event) ([]Lot, error)
}
