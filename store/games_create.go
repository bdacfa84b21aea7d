package store

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"quatuor/engine/table"
	"quatuor/store/internal/db"
	"quatuor/tournament"
)

// The statements of a new game.
var (
	addGame        = prepare(insertOf(&gameRow{}, `ON CONFLICT (id) DO NOTHING`, nil))
	addCountedGame = prepare(insertOf(&gameRow{}, "", nil)) // behind addPlace
	addLive        = prepare(insertOf(&liveRow{}, "", nil))
)

// createTries bounds the retries; with each, some of the games exist for good.
const createTries = 10

// Create stores games that are not there yet. A game of a tournament needs the tournament to be stored; a casual game
// that waits for players, or takes places in quotas, comes alone. Games that the server opens by itself, for a ladder,
// do not count against the limits of any account.
func (g *Games) Create(ctx context.Context, games []table.Game) error {
	if len(games) == 0 {
		return nil
	}
	switch {
	case len(games) > 1:
		return g.createAll(ctx, games)
	case games[0].Invited != 0 && games[0].Tournament == nil && games[0].CreatedBy != tournament.ServerAccount:
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
		if !db.Duplicate(err) {
			break
		}
		// Another instance has created some of them since we looked: look again.
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
	if err := db.Create(tx, rows); err != nil {
		return err
	}
	if err := db.Create(tx, live); err != nil {
		return err
	}
	return db.Create(tx, players)
}

// errThere is the refusal of a game that exists.
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

// createOne stores a game by either of two statements, with its log so far; errThere if its id exists, or addInvitation
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
		b.line(game.ID, &lines[i])
	}
	b.seats(game)
}

func knownGames(tx *gorm.DB, games []table.Game) (map[string]bool, error) {
	return db.Known(tx.Model(&gameRow{}), "id", db.Map(games, func(g *table.Game) string { return g.ID }))
}

// invite stores a casual game that waits for players, unless it is there. It returns table.ErrInvitations, with the
// limit, if the creator has reached it.
func (g *Games) invite(ctx context.Context, game *table.Game) error {
	for range createTries {
		err := g.createOne(ctx, addInvitation, game, nil)
		if !errors.Is(err, errThere) {
			return err
		}
		known, err := knownGames(g.s.reads.WithContext(ctx), []table.Game{*game})
		if err != nil || known[game.ID] {
			return db.About("create games", err)
		}
		if err := g.s.reachedLimit(ctx, game); err != nil {
			return err
		}
		// An invitation was accepted or broken off since.
	}
	return fmt.Errorf("store: create games: %w", table.ErrConflict)
}

// errTaken explains why a game with quotas was not stored: it exists, or a place was taken.
func (g *Games) errTaken(ctx context.Context, id string) error {
	switch _, err := g.Version(ctx, id); {
	case errors.Is(err, table.ErrNotFound):
		return table.ErrQuota
	case err != nil:
		return err
	}
	return errThere
}
