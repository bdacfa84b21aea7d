package store

import (
	"fmt"
	"strconv"

	"quatuor/engine/table"
)

// This file is the one place that goes around gorm. Every move of every game comes through here, and in a batch gorm
// costs several times what the statements themselves do (BenchmarkAppendStatements): so they are prepared once, on
// the writer's own connection, and the arguments are encoded by the goroutines that wait, not by the writer.

// statementID names one of the statements of the hot path.
type statementID int

// The statements of the hot path.
const (
	moveGame   statementID = iota // an ordinary step of a running game
	changeGame                    // any step: also writes what a move leaves alone
	addLine
	unseat
	seat
	addOutbox
	statementCount
)

// statementTexts run on both databases. Parameters stand in the order of their numbers, as SQLite's driver binds them
// by place.
var statementTexts = [statementCount]string{
	moveGame: `UPDATE games SET version = $1, turn = $2, plies = $3, awaited = $4, offer = $5, clock = $6,
		deadline = $7, position = $8 WHERE id = $9 AND version = $10 AND status = 'running'`,
	changeGame: `UPDATE games SET version = $1, turn = $2, plies = $3, awaited = $4, offer = $5, clock = $6,
		deadline = $7, position = $8, status = $9, players = $10, started_at = $11, finished_at = $12, outcome = $13
		WHERE id = $14 AND version = $15 AND status NOT IN ('finished', 'aborted')`,
	addLine: `INSERT INTO lines (game_id, n, kind, seat, text, at, turn, elapsed, claimed, remaining, by_account)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
	unseat: `DELETE FROM game_players WHERE game_id = $1`,
	seat: `INSERT INTO game_players (player_id, created_at, game_id) VALUES ($1, $2, $3)
		ON CONFLICT (player_id, created_at, game_id) DO NOTHING`,
	addOutbox: `INSERT INTO outbox (seq, game_id, variant, list, rated, players, sides, ranks, reason, plies, aborted,
		tournament_id, round, board, finished_at)
		VALUES ((SELECT coalesce(max(seq), 0) + 1 FROM outbox),
		$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
}

// executor runs statements of the hot path within a transaction.
type executor interface {
	// exec gives the number of rows that were changed.
	exec(id statementID, args []any) (int64, error)
	// lockOutbox returns when no other transaction can add to the outbox until this one has ended.
	lockOutbox() error
}

// step is a [table.Step] made ready for the writer.
type step struct {
	game   *table.Game
	place  []any // what every step writes into the game's row, in the order of both statements, with room for the rest
	from   int64
	quiet  bool // moveGame is enough, unless the stored game is not running yet
	lines  [][]any
	seats  [][]any // who sits in the game, where that may have changed; else nil
	outbox []any   // nil unless the game is over by this step
}

// encodeStep checks a step and makes it ready.
func encodeStep(s table.Step) (*step, error) {
	if err := checkStep(s); err != nil {
		return nil, err
	}
	g := s.Game
	e := &step{
		game: g, from: s.From, quiet: g.Status == table.Running, lines: make([][]any, len(s.Lines)),
		place: append(make([]any, 0, mostArguments),
			g.Version, int64(g.Turn), int64(g.Plies), numbersJSON(g.Awaited), int64(g.Offer),
			string(g.Clock.AppendJSON(make([]byte, 0, clockRoom))), g.Deadline, g.Position,
		),
	}
	for i, l := range s.Lines {
		e.lines[i] = []any{
			g.ID, l.N, string(l.Kind), int64(l.Seat), l.Text, l.At, int64(l.Turn), l.Elapsed, claimed(l), l.Remaining, l.By,
		}
		if l.Kind == table.LineStart {
			e.seats = encodeSeats(g)
		}
	}
	var err error
	switch {
	case g.Status == table.Waiting:
		e.seats = encodeSeats(g)
	case g.Status.Over():
		e.outbox, err = encodeOutbox(g)
	}
	return e, err
}

const (
	// mostArguments is how many parameters a statement of the hot path has at most.
	mostArguments = 15
	// clockRoom is enough for the JSON of most games' clocks.
	clockRoom = 384
)

// numbersJSON is what json.Marshal gives, without reflection.
func numbersJSON(list []int8) string {
	if list == nil {
		return "null"
	}
	b := []byte{'['}
	for i, n := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return string(append(b, ']'))
}

func claimed(l table.Line) any {
	if l.Claimed == nil {
		return nil
	}
	return *l.Claimed
}

func encodeSeats(g *table.Game) [][]any {
	rows := [][]any{}
	for _, p := range g.Players {
		if p != "" {
			rows = append(rows, []any{p, g.CreatedAt, g.ID})
		}
	}
	return rows
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

// write carries the step out. Until the guard has held nothing is changed, so that a conflict harms nobody else in
// the transaction; an error after it spoils the transaction.
func (s *step) write(x executor) error {
	held, err := s.guard(x)
	if err != nil {
		return spoilt{err}
	}
	if !held {
		return table.ErrConflict
	}
	if err := s.writeRest(x); err != nil {
		return spoilt{err}
	}
	return nil
}

// guard writes the game's row if its version is the one the step builds on.
func (s *step) guard(x executor) (held bool, err error) {
	g := s.game
	if s.quiet && s.seats == nil {
		changed, err := x.exec(moveGame, append(s.place, g.ID, s.from))
		if changed > 0 || err != nil {
			return changed > 0, err
		}
	}
	changed, err := x.exec(changeGame, append(s.place, string(g.Status), jsonOf[[]string]{g.Players}, g.StartedAt,
		g.FinishedAt, outcomeOf(g.Outcome), g.ID, s.from))
	return changed > 0, err
}

func (s *step) writeRest(x executor) error {
	for _, l := range s.lines {
		if _, err := x.exec(addLine, l); err != nil {
			return err
		}
	}
	if s.seats != nil {
		if err := s.writeSeats(x); err != nil {
			return err
		}
	}
	if s.outbox == nil {
		return nil
	}
	if err := x.lockOutbox(); err != nil {
		return err
	}
	_, err := x.exec(addOutbox, s.outbox)
	return err
}

func (s *step) writeSeats(x executor) error {
	if _, err := x.exec(unseat, []any{s.game.ID}); err != nil {
		return err
	}
	for _, p := range s.seats {
		if _, err := x.exec(seat, p); err != nil {
			return err
		}
	}
	return nil
}
