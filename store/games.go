package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"quatuor/engine/table"
	"quatuor/store/internal/db"
	"quatuor/store/internal/outbox"
)

// Games stores games and their logs, and is a [table.Archive] of them.
type Games struct{ s *Store }

// Games returns the store of games.
func (s *Store) Games() *Games { return &Games{s} }

// Storage returns what tables need.
func (g *Games) Storage() table.Storage {
	return table.Storage{Journal: g, Deadlines: g, Quotas: g, Heartbeats: g, Outages: g}
}

var _ table.Archive = (*Games)(nil)

// createTries is how often we look again; each time some of the games are there for good.
const createTries = 10

// Create stores games that are not there yet. A game of a tournament needs the tournament to be stored; a casual one
// that waits for players, or takes places in quotas, comes alone.
func (g *Games) Create(ctx context.Context, games []table.Game) error {
	if len(games) == 0 {
		return nil
	}
	switch {
	case len(games) > 1:
		return g.createAll(ctx, games)
	case games[0].Invited != 0 && games[0].Tournament == nil:
		return g.invite(ctx, &games[0])
	}
	err := g.createOne(ctx, addGame, &games[0], nil)
	if errors.Is(err, errThere) {
		return nil
	}
	return err
}

// createAll stores the games of a round.
func (g *Games) createAll(ctx context.Context, games []table.Game) (err error) {
	for range createTries {
		err = g.s.backend.write(ctx, func(tx *gorm.DB) error { return g.createGames(tx, games) })
		if !errors.Is(err, gorm.ErrDuplicatedKey) {
			break
		}
		// Another instance has created one of them since we looked: look again.
	}
	return db.About("create games", err)
}

func (g *Games) createGames(tx *gorm.DB, games []table.Game) error {
	known, err := knownGames(tx, games)
	if err != nil {
		return err
	}
	var rows []gameRow
	var live []liveRow
	var players []gamePlayerRow
	for i := range games {
		game := &games[i]
		if known[game.ID] {
			continue
		}
		known[game.ID] = true
		if game.Tournament == nil && game.Invited != 0 || len(game.Uses) > 0 {
			return fmt.Errorf("store: game %s: a game that is counted does not come with others", game.ID)
		}
		rows = append(rows, toGameRow(game))
		if !game.Status.Over() {
			live = append(live, liveOf(game))
		}
		players = append(players, playersOf(game)...)
	}
	if len(rows) == 0 {
		return nil
	}
	if err := tx.CreateInBatches(rows, db.Inserts).Error; err != nil {
		return err
	}
	if len(live) > 0 {
		if err := tx.CreateInBatches(live, db.Inserts).Error; err != nil {
			return err
		}
	}
	if len(players) == 0 {
		return nil
	}
	return tx.CreateInBatches(players, db.Inserts).Error
}

// errThere says that a game is there already.
var errThere = errors.New("the game is there")

// Begin stores a new game with its first step; table.ErrConflict if its id exists.
func (g *Games) Begin(ctx context.Context, s table.Step) error {
	if err := checkStep(s); err != nil {
		return err
	}
	err := g.createOne(ctx, addGame, s.Game, s.Lines)
	if errors.Is(err, errThere) {
		return table.ErrConflict
	}
	return err
}

// createOne stores one game by one of two statements, with its log so far; errThere if its id exists, or addInvitation
// found a limit. A casual game comes alone, and there are many.
func (g *Games) createOne(ctx context.Context, by statementID, game *table.Game, lines []table.Line) error {
	b := newBatch(errThere)
	counted := len(game.Uses) > 0 && by == addGame
	if counted { // its first place is the guard
		b.refusal, by = table.ErrQuota, addCountedGame
		b.places(game.Uses, game.ID, true)
	}
	if by == addInvitation {
		b.inviter = game.CreatedBy
	}
	b.game(by, game, lines)
	if !counted {
		b.places(game.Uses, game.ID, false)
	}
	err := g.s.backend.run(ctx, b)
	switch {
	case errors.Is(err, b.refusal):
		return b.refusal
	case db.Duplicate(err):
		return g.errTaken(ctx, game.ID)
	}
	return db.About("create games", err)
}

// game adds a new game with its log so far.
func (b *batch) game(by statementID, game *table.Game, lines []table.Line) {
	row := toGameRow(game)
	b.insert(by, &row)
	if !game.Status.Over() {
		live := liveOf(game)
		b.insert(addLive, &live)
	}
	for i := range lines {
		b.insert(addLine, toLineRow(game.ID, &lines[i]))
	}
	b.seats(game)
}

func knownGames(tx *gorm.DB, games []table.Game) (map[string]bool, error) {
	ids := make([]string, len(games))
	for i := range games {
		ids[i] = games[i].ID
	}
	known := map[string]bool{}
	for part := range db.Chunks(ids) {
		var found []string
		if err := tx.Model(&gameRow{}).Where("id IN ?", part).Pluck("id", &found).Error; err != nil {
			return nil, err
		}
		for _, id := range found {
			known[id] = true
		}
	}
	return known, nil
}

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

// LoadSince is Load with only those lines whose number is above a version. Of a game in the hall, whose log may be
// written anew, it returns all.
func (g *Games) LoadSince(ctx context.Context, id string, version int64) (table.Game, []table.Line, error) {
	reads := g.s.reads.WithContext(ctx)
	var row gameRow
	err := games(reads).Take(&row, "games.id = ?", id).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return table.Game{}, nil, table.ErrNotFound
	}
	if err != nil {
		return table.Game{}, nil, db.About("load a game", err)
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
	lines := make([]table.Line, len(log))
	for i := range log {
		lines[i] = log[i].line()
	}
	return row.game(), lines, nil
}

// Append writes a step of a game and, if the game is over by it, its row in the outbox. It returns table.ErrConflict,
// with nothing written, if the stored version is not the one the step builds on, or if the game is over already.
func (g *Games) Append(ctx context.Context, s table.Step) error {
	if err := checkStep(s); err != nil {
		return err
	}
	quiet := ordinary(s)
	err := g.append(ctx, s, quiet)
	if quiet && errors.Is(err, table.ErrConflict) { // unless the stored game is only not running yet
		err = g.append(ctx, s, false)
	}
	if errors.Is(err, table.ErrConflict) {
		return table.ErrConflict
	}
	if err == nil && s.Game.Status.Over() {
		g.s.backend.ended(s.Game.ID)
	}
	return db.About("append to a game", err)
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
	err := g.s.reads.WithContext(ctx).Raw("SELECT coalesce(live_games.version, games.version) FROM games "+liveJoin+" WHERE games.id = ?", id).
		Row().Scan(&version)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, table.ErrNotFound
	}
	return version, db.About("read a game's version", err)
}

// Overdue lists running and waiting games whose deadline lies before a time, the longest overdue first. On PostgreSQL
// it leaves out those that another instance is writing at this moment: that one is about to move the deadline.
func (g *Games) Overdue(ctx context.Context, before int64, limit int) ([]table.Armed, error) {
	overdue, err := g.s.backend.overdue(ctx, before, limit)
	return overdue, db.About("look for overdue games", err)
}

// Watch adds games to the index that Overdue sweeps, each from a time on that is not after its deadline; nil backfills
// missing ones. A file, which no other instance writes to, has no such index.
func (g *Games) Watch(ctx context.Context, games []table.Armed) error {
	return db.About("watch games", g.s.backend.watch(ctx, games))
}

// encodeStep makes a step ready. A quiet batch leaves alone what a move does not change, and finds
// nothing to write if the stored game is not running yet.
func encodeStep(s table.Step, quiet bool) (*batch, error) {
	g := s.Game
	b := newBatch(table.ErrConflict)
	b.until = s.Until
	live := liveOf(g)
	switch {
	case quiet:
		b.progress(moveGame, &live, s.From)
	case g.Status.Over():
		b.ends = true
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
		b.call(unseat, g.ID, db.JSONOf(g.Players))
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

// isFlag reports whether a line tells of a flag that fell: the deadline is over, and each millisecond that the line
// waits to be written shows. Of those who leave only they have no account.
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

// progress adds a statement on the row of a game: what every step writes, and what it writes besides. The second
// argument is the version that the stored row has, or what stands in its place.
func (b *batch) progress(id statementID, r *liveRow, second any, more ...any) {
	args := [...]any{
		r.GameID, second, r.Version, r.Turn, r.Plies, r.Awaited, r.Offer, string(r.Clock.V.AppendJSON(nil)), r.Deadline, r.Position,
	}
	b.call(id, append(args[:], more...)...)
}

// seats adds who sits in a game.
func (b *batch) seats(g *table.Game) {
	if len(g.Players) > 0 {
		b.call(seat, g.ID, g.CreatedAt, db.JSONOf(g.Players))
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
