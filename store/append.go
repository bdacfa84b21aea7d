package store

import (
	"fmt"

	"quatuor/engine/table"
)

// encodeStep makes a step ready. A quiet script leaves alone what a move does not change, and finds
// nothing to write if the stored game is not running yet.
func encodeStep(s table.Step, quiet bool) (*script, error) {
	g := s.Game
	e := newScript(table.ErrConflict)
	if quiet {
		e.call(moveGame)
		e.place(g, s.From)
	} else {
		e.call(changeGame)
		e.place(g, s.From)
		e.state(g)
	}
	for i := range s.Lines {
		e.call(addLine)
		e.line(g.ID, &s.Lines[i])
	}
	if seatsMayChange(s) {
		e.seats(g)
	}
	if g.Status.Over() {
		return e, e.outbox(g, s.Moved)
	}
	return e, nil
}

// ordinary says whether a quiet script will probably do for a step.
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

// place gives the first arguments of both statements on a game: what every step writes.
func (s *script) place(g *table.Game, from int64) {
	s.string(g.ID)
	s.whole(from, g.Version, int64(g.Turn), int64(g.Plies))
	s.numbers(g.Awaited)
	s.whole(int64(g.Offer))
	at := s.open()
	s.text = g.Clock.AppendJSON(s.text)
	s.close(at)
	s.whole(g.Deadline)
	s.string(g.Position)
}

// state gives the rest of the arguments of changeGame.
func (s *script) state(g *table.Game) {
	s.string(string(g.Status))
	s.json(g.Players)
	s.whole(g.StartedAt, g.FinishedAt)
	outcomeOf(g.Outcome).put(s)
	s.whole(int64(g.Invited))
}

// line gives a line as a lineRow.
func (s *script) line(gameID string, l *table.Line) {
	s.string(gameID)
	s.whole(l.N)
	s.string(string(l.Kind))
	s.whole(int64(l.Seat))
	s.string(l.Text)
	s.whole(l.At, int64(l.Turn), l.Elapsed)
	s.wholeOrNull(l.Claimed)
	s.whole(l.Remaining)
	s.string(l.By)
}

// seats writes who sits in a game in the place of who sat there.
func (s *script) seats(g *table.Game) {
	s.call(unseat)
	s.string(g.ID)
	for _, row := range playersOf(g) {
		s.call(seat)
		row.put(s)
	}
}

// outbox tells of a game that is over.
func (s *script) outbox(g *table.Game, moved table.SeatSet) error {
	row, err := outboxOf(g, moved)
	if err != nil {
		return err
	}
	s.call(addOutbox)
	row.put(s)
	s.ended = &row
	return nil
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
