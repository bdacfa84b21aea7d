package store

import (
	"fmt"

	"quatuor/engine/table"
)

// encodeStep makes a step ready. A quiet batch leaves alone what a move does not change, and finds
// nothing to write if the stored game is not running yet.
func encodeStep(s table.Step, quiet bool) (*batch, error) {
	g := s.Game
	b := newBatch(table.ErrConflict)
	live := liveOf(g)
	switch {
	case quiet:
		b.progress(moveGame, &live, s.From)
	case g.Status.Over():
		b.call(endGame, g.ID, s.From)
		row := toGameRow(g)
		b.progress(closeGame, &live, string(g.Status), row.Players, row.StartedAt, row.FinishedAt, row.Outcome, row.Invited)
	default:
		b.progress(changeGame, &live, s.From, string(g.Status))
		row := toGameRow(g)
		b.call(describeGame, g.ID, string(g.Status), row.Players, row.StartedAt, row.FinishedAt, row.Outcome, row.Invited)
	}
	for i := range s.Lines {
		b.insert(addLine, toLineRow(g.ID, &s.Lines[i]))
		b.urgent = b.urgent || isFlag(&s.Lines[i])
	}
	if seatsMayChange(s) {
		b.call(unseat, g.ID)
		b.seats(g)
	}
	if g.Status.Over() {
		row, err := outboxOf(g, s.Moved)
		if err != nil {
			return nil, err
		}
		b.insert(addOutbox, &row)
	}
	return b, nil
}

// isFlag reports whether a line tells of a flag that fell: the deadline is over, and each millisecond that the line waits
// to be written shows. Of those who leave only they have no account.
func isFlag(l *table.Line) bool { return l.Kind == table.LineLeft && l.By == "" }

// ordinary says whether a quiet batch will probably do for a step.
func ordinary(s table.Step) bool {
	return s.Game.Status == table.Running && !seatsMayChange(s) && s.Lines[0].Kind != table.LineResume
}

// seatsMayChange says whether others may sit in the game after a step than before.
func seatsMayChange(s table.Step) bool {
	if s.Game.Status == table.Waiting {
		return true
	}
	for i := range s.Lines {
		if s.Lines[i].Kind == table.LineStart {
			return true
		}
	}
	return false
}

// progress adds a statement on the row of a game: what every step writes, and what it writes besides. The second
// argument is the version that the stored row has, or what stands in its place.
func (b *batch) progress(id statementID, r *liveRow, second any, more ...any) {
	args := [...]any{
		r.GameID, second, r.Version, r.Turn, r.Plies, r.Awaited, r.Offer, string(r.Clock.v.AppendJSON(nil)), r.Deadline, r.Position,
	}
	b.call(id, append(args[:], more...)...)
}

// seats adds who sits in a game.
func (b *batch) seats(g *table.Game) {
	for _, row := range playersOf(g) {
		b.insert(seat, &row)
	}
}

// checkStep refuses a step that does not fit together; that is a mistake in the program.
func checkStep(s table.Step) error {
	if s.Game.Version != s.From+int64(len(s.Lines)) || len(s.Lines) == 0 {
		return fmt.Errorf("store: game %s: %d lines do not lead from version %d to %d", s.Game.ID, len(s.Lines), s.From, s.Game.Version)
	}
	for i, l := range s.Lines {
		if l.N != s.From+int64(i)+1 {
			return fmt.Errorf("store: game %s: line %d stands where line %d belongs", s.Game.ID, l.N, s.From+int64(i)+1)
		}
	}
	if s.Game.Status == table.Finished && s.Game.Outcome == nil {
		return fmt.Errorf("store: game %s is finished without an outcome", s.Game.ID)
	}
	return nil
}
