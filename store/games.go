package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"gorm.io/gorm"

	"quatuor/engine/table"
	"quatuor/store/internal/db"
	"quatuor/store/internal/outbox"
	"quatuor/store/internal/postgres"
)

// Games stores games and their logs, and is a [table.Archive] of them.
type Games struct{ s *Store }

// Games returns the store of games.
func (s *Store) Games() *Games { return &Games{s} }

// Storage returns the ports of tables.
func (g *Games) Storage() table.Storage {
	return table.Storage{Journal: g, Deadlines: g, Quotas: g, Heartbeats: g, Outages: g}
}

var _ table.Archive = (*Games)(nil)

// playersOf returns a row for each person in a game.
func playersOf(g *table.Game) []gamePlayerRow {
	var rows []gamePlayerRow
	seen := map[string]bool{"": true} // open seats
	for _, p := range g.Players {
		if !seen[p] {
			seen[p] = true
			rows = append(rows, gamePlayerRow{PlayerID: p, CreatedAt: g.CreatedAt, GameID: g.ID})
		}
	}
	return rows
}

// Load returns a game and its whole log, or table.ErrNotFound.
func (g *Games) Load(ctx context.Context, id string) (table.Game, []table.Line, error) {
	return g.LoadSince(ctx, id, 0)
}

// LoadSince is Load with only the lines above a version. A game in the hall comes with all lines, because its log may
// be rewritten.
func (g *Games) LoadSince(ctx context.Context, id string, version int64) (table.Game, []table.Line, error) {
	reads := g.s.reads.WithContext(ctx)
	var row gameRow
	err := games(reads).Take(&row, "games.id = ?", id).Error
	if err != nil {
		return table.Game{}, nil, db.Promised("load a game", err, table.ErrNotFound)
	}
	if row.Hall {
		return g.loadHall(ctx, id)
	}
	// Lines are only ever added, so those up to the row's version are the log that belongs to the row, even if more
	// have come since.
	var log []lineRow
	err = reads.Where("game_id = ? AND n > ? AND n <= ?", id, version, row.Version).Order("n").Find(&log).Error
	if err != nil {
		return table.Game{}, nil, db.About("load a game's log", err)
	}
	return row.game(), db.Map(log, (*lineRow).line), nil
}

// Append writes a step of a game and, if it ends the game, its row in the outbox. It returns table.ErrConflict, with
// nothing written, if the step builds on another version than the stored, or if the game is over.
func (g *Games) Append(ctx context.Context, s table.Step) error {
	if err := checkStep(s); err != nil {
		return err
	}
	quiet := ordinary(s)
	err := g.append(ctx, s, quiet)
	if quiet && errors.Is(err, table.ErrConflict) { // unless the stored game is only not running yet
		err = g.append(ctx, s, false)
	}
	if err == nil && s.Game.Status.Over() {
		g.s.backend.ended(s.Game.ID)
	}
	return db.Keep("append to a game", err, table.ErrConflict)
}

func (g *Games) append(ctx context.Context, s table.Step, quiet bool) error {
	b, err := encodeStep(s, quiet)
	if err != nil {
		return err
	}
	return g.s.backend.run(ctx, b)
}

// Version returns a game's version, or table.ErrNotFound.
func (g *Games) Version(ctx context.Context, id string) (int64, error) {
	var version int64
	err := g.s.reads.WithContext(ctx).Raw("SELECT coalesce(live_games.version, games.version) FROM games "+liveJoin+
		" WHERE games.id = ?", id).
		Row().Scan(&version)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, table.ErrNotFound
	}
	return version, db.About("read a game's version", err)
}

// Overdue lists running and waiting games past their deadline at a time, the longest overdue first. On PostgreSQL it
// leaves out those that another instance is writing at this moment, and moving the deadline.
func (g *Games) Overdue(ctx context.Context, before int64, limit int) ([]table.Armed, error) {
	overdue, err := g.s.backend.overdue(ctx, before, limit)
	return overdue, db.About("look for overdue games", err)
}

// Watch adds games to the sweep index of Overdue, each from a time on not after its deadline; nil backfills missing
// games. SQLite needs no sweep index.
func (g *Games) Watch(ctx context.Context, games []table.Armed) error {
	return db.About("watch games", g.s.backend.watch(ctx, games))
}

// The statements of a step.
var (
	moveGame = prepare(sqlStatement{ // an ordinary step of a running game
		text:  `UPDATE live_games SET ` + progress + ` WHERE game_id = $1 AND version = $2 AND status = 'running'`,
		takes: progressTakes(integer),
	})
	changeGame = prepare(sqlStatement{ // any step after which a game is not over; describeGame goes with it
		text:  `UPDATE live_games SET ` + progress + `, status = $11 WHERE game_id = $1 AND version = $2`,
		takes: progressTakes(integer, text),
	})
	describeGame = prepare(sqlStatement{ // columns that a move leaves alone
		text: `UPDATE games SET status = $2, players = $3, started_at = $4, finished_at = $5, outcome = $6, invited = $7
			WHERE id = $1`,
		takes: []postgres.Element{text, text, text, integer, integer, text, integer},
	})
	endGame = prepare(sqlStatement{ // the step after which a game is over; closeGame goes with it
		text: `DELETE FROM live_games WHERE game_id = $1 AND version = $2`, takes: []postgres.Element{text, integer},
	})
	closeGame = prepare(sqlStatement{
		text: `UPDATE games SET ` + progress + `, status = $2, players = $11, started_at = $12, finished_at = $13,
			outcome = $14, invited = $15 WHERE id = $1`,
		takes: progressTakes(text, text, integer, integer, text, integer),
	})
	addLine = prepare(insertOf(&lineRow{}, "", nil))
	unseat  = prepare(sqlStatement{
		text:  `DELETE FROM game_players WHERE game_id = $1 AND player_id NOT IN (SELECT value FROM json_each($2) WHERE value IS NOT NULL)`,
		onPG:  `DELETE FROM game_players WHERE game_id = $1 AND NOT CAST($2 AS jsonb) ? player_id`,
		takes: []postgres.Element{text, text},
	})
	seat = prepare(sqlStatement{ // the players of a game
		text: `INSERT INTO game_players (player_id, created_at, game_id) SELECT value, $2, $1 FROM json_each($3) WHERE value <> ''
			ON CONFLICT (player_id, created_at, game_id) DO NOTHING`,
		insert: &insertion{
			into: `INSERT INTO game_players (player_id, created_at, game_id)`, onPG: `player, $2, $1`,
			onlyOnPG: `, jsonb_array_elements_text(CAST($3 AS jsonb)) AS player WHERE player <> ''`,
			end:      `ON CONFLICT (player_id, created_at, game_id) DO NOTHING`,
		},
		takes: []postgres.Element{text, integer, text},
	})
	addOutbox = prepare(insertOf(&outbox.Row{}, "", nil, foundValue{
		name: "seq", onSQLite: `(SELECT coalesce(max(seq), 0) + 1 FROM outbox)`, onPG: `nextval('outbox_ended')`,
	}))
)

// progress sets the columns that every step of a game changes.
const progress = `version = $3, turn = $4, plies = $5, awaited = $6, offer = $7, clock = $8, deadline = $9, position = $10`

// progressTakes are the types of the arguments of batch.progress.
func progressTakes(second postgres.Element, more ...postgres.Element) []postgres.Element {
	return append([]postgres.Element{text, second, integer, integer, integer, text, integer, text, integer, text}, more...)
}

// encodeStep returns the batch of a step. A quiet batch skips the columns that a move does not change, and is refused
// unless the stored game is running.
func encodeStep(s table.Step, quiet bool) (*batch, error) {
	g := s.Game
	b := newBatch(table.ErrConflict)
	b.until = s.Until
	switch {
	case quiet:
		b.progress(moveGame, g, s.From)
	case g.Status.Over():
		b.ends = true
		b.call(endGame, g.ID, s.From)
		b.progress(closeGame, g, string(g.Status), description(g)...)
	default:
		b.progress(changeGame, g, s.From, string(g.Status))
		b.call(describeGame, append([]any{g.ID, string(g.Status)}, description(g)...)...)
	}
	for i := range s.Lines {
		b.line(g.ID, &s.Lines[i])
		b.urgent = b.urgent || isFlag(&s.Lines[i])
	}
	if seatsMayChange(s) {
		b.call(unseat, g.ID, db.Text(g.Players))
		b.seats(g)
	}
	if g.Status.Over() {
		row, err := outbox.RowOf(g, s.Moved, s.Fewest)
		if err != nil {
			return nil, err
		}
		b.insert(addOutbox, &row)
	}
	return b, nil
}

// isFlag reports whether a line is a fallen flag, which is urgent: its delay shows to the millisecond. Other lines of
// this kind have an account.
func isFlag(l *table.Line) bool { return l.Kind == table.LineLeft && l.By == "" }

// ordinary reports whether a quiet batch will probably do for a step.
func ordinary(s table.Step) bool {
	return s.Game.Status == table.Running && s.Lines[0].Kind != table.LineResume && !slices.ContainsFunc(s.Lines, started)
}

// seatsMayChange reports whether others may sit in the game after a step than before.
func seatsMayChange(s table.Step) bool {
	return s.Game.Open && (s.Game.Status == table.Waiting || slices.ContainsFunc(s.Lines, started))
}

func started(l table.Line) bool { return l.Kind == table.LineStart }

// progress adds a statement on the row of a game: the columns of every step, and more. The second argument is the
// stored version, or its replacement.
func (b *batch) progress(id statementID, g *table.Game, second any, more ...any) {
	args := [...]any{
		g.ID, second, g.Version, int64(g.Turn), int64(g.Plies), seatList(g.Awaited), int64(g.Offer),
		string(g.Clock.AppendJSON(make([]byte, 0, clockSize))), g.Deadline, g.Position,
	}
	b.call(id, append(args[:], more...)...)
}

// description returns the arguments for the columns that a move leaves alone.
func description(g *table.Game) []any {
	var outcome any
	if g.Outcome != nil {
		outcome = db.Text(g.Outcome)
	}
	return []any{db.Text(g.Players), g.StartedAt, g.FinishedAt, outcome, int(g.Invited)}
}

// clockSize is the usual size of a game's clocks in JSON, of two seats.
const clockSize = 256

// seatList returns the JSON column of a list of seats, mostly a single seat, without reflection.
func seatList(seats []int8) string {
	if seats == nil {
		return "null"
	}
	text := append(make([]byte, 0, 32), '[')
	for i, seat := range seats {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, int64(seat), 10)
	}
	return string(append(text, ']'))
}

// line adds a line of a game's log: an insertion of a lineRow, without reflection, because every move adds a line.
func (b *batch) line(game string, l *table.Line) {
	var claimed any
	if l.Claimed != nil {
		claimed = *l.Claimed
	}
	b.call(addLine, game, l.N, string(l.Kind), int64(l.Seat), l.Text, l.At, int64(l.Turn), l.Elapsed, claimed, l.Remaining,
		l.By, string(l.Said))
}

// seats adds the players of a game.
func (b *batch) seats(g *table.Game) {
	if len(g.Players) > 0 {
		b.call(seat, g.ID, g.CreatedAt, db.Text(g.Players))
	}
}

// checkStep refuses a step that does not fit together; that is a mistake in the program.
func checkStep(s table.Step) error {
	if s.Game.Version != s.From+int64(len(s.Lines)) || len(s.Lines) == 0 {
		return fmt.Errorf("store: game %s: %d lines do not lead from version %d to %d", s.Game.ID, len(s.Lines), s.From,
			s.Game.Version)
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

// loadHall is Load for a game in the hall: its rows may be replaced, so it reads them in a transaction.
func (g *Games) loadHall(ctx context.Context, id string) (game table.Game, lines []table.Line, err error) {
	err = g.s.snapshot(ctx, func(tx *gorm.DB) error {
		var row gameRow
		if err := games(tx).Take(&row, "games.id = ?", id).Error; err != nil {
			return err
		}
		var log []lineRow
		if err := tx.Where("game_id = ?", id).Order("n").Find(&log).Error; err != nil {
			return err
		}
		game, lines = row.game(), db.Map(log, (*lineRow).line)
		return nil
	})
	return game, lines, db.About("load a game", err)
}
