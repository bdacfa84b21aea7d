package tournament

// PlayersAccount stands in the history where the players of a board entered its result themselves.
const PlayersAccount = "players"

// ByPlayers is the source of a result that all sides of a board reported alike.
const ByPlayers Source = "players"

// ReportedResult sets the result that all sides of a board in the hall have reported. It never replaces one: if the
// pairing has a result, or its game is on the server, the error wraps ErrState. Forfeits and adjudications are for the
// arbiter. It is rated as a result by hand is.
func (t *Tournament) ReportedResult(round, board int, v Verdict, at int64) (*Tournament, Delta, error) {
	p, err := t.playable(round, board)
	if err != nil {
		return nil, Delta{}, err
	}
	if err := t.reportable(round, p); err != nil {
		return nil, Delta{}, err
	}
	if v, err = t.Resolve(p, v); err != nil {
		return nil, Delta{}, err
	}
	if err := t.CheckReport(round, board, v); err != nil {
		return nil, Delta{}, err
	}
	rated, err := t.countsForRatings(p, v)
	if err != nil {
		return nil, Delta{}, err
	}
	result := t.score(len(p.Seats), v, ByPlayers, "")
	result.Rated = rated
	change := Change{Round: round, Board: board, After: result, By: PlayersAccount, At: at}
	next, delta := t.withPairing(round, board, &change, func(p *Pairing) { p.Result = result })
	return next, delta, nil
}

// CheckReport returns an error for a verdict that players cannot report for a board.
func (t *Tournament) CheckReport(round, board int, v Verdict) error {
	p, err := t.Pairing(round, board)
	switch {
	case err != nil:
		return err
	case v.Forfeit || v.Adjudicated:
		return Refuse(ErrInvalid, "a game that was not played to its end is decided by the arbiter")
	}
	if v, err = t.Resolve(p, v); err != nil {
		return err
	}
	if err := v.check(len(p.Seats)); err != nil {
		return err
	}
	if err := t.checkTable(v, len(p.Seats)); err != nil {
		return err
	}
	return t.checkWinner(round, p, v)
}

// reportable returns an error for a pairing whose players cannot enter a result.
func (t *Tournament) reportable(round int, p Pairing) error {
	switch {
	case t.Status != Running:
		return Refuse(ErrState, "the tournament is %s; only an arbiter can correct its results", t.Status)
	case round < len(t.Rounds):
		return Refuse(ErrState, "round %d is over; only an arbiter can correct its results", round)
	case p.Result != nil:
		return Refuse(ErrState, "board %d has a result; only an arbiter can correct it", p.Board)
	case p.GameID != "":
		return Refuse(ErrState, "board %d is played on the server, which enters the result itself", p.Board)
	case p.Adjourned != "":
		return Refuse(ErrState, "the game at board %d is adjourned; the arbiter enters its result", p.Board)
	}
	return nil
}

// Reportable reports whether the players of a board may enter its result now.
func (t *Tournament) Reportable(round, board int) bool {
	p, err := t.playable(round, board)
	return err == nil && t.reportable(round, p) == nil
}
