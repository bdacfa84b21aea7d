package store

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"gorm.io/gorm"

	"quatuor/engine/table"
	"quatuor/store/internal/db"
	"quatuor/store/internal/outbox"
)

// StoredGame is a game with all that the database holds of it.
type StoredGame struct {
	Game   table.Game
	Lines  []table.Line
	Seq    int64    // its place in the outbox, negative where it has none yet, 0 if it is not there
	Faults []string // what the rows that go with it say otherwise, in plain words
}

// auditPage is how many games are read at once.
const auditPage = 100

// CountGames counts all games.
func (s *Store) CountGames(ctx context.Context) (n int64, err error) {
	err = s.reads.WithContext(ctx).Model(&gameRow{}).Count(&n).Error
	return n, db.About("count the games", err)
}

// EachGame hands out all games, by id. Each is as it stood at one moment.
func (s *Store) EachGame(ctx context.Context, yield func(StoredGame) error) error {
	for last, more := "", true; more; {
		var page []StoredGame
		err := s.snapshot(ctx, func(tx *gorm.DB) (err error) {
			page, err = gamesAfter(tx, last)
			return err
		})
		if err != nil {
			return db.About("read the games", err)
		}
		for i := range page {
			if err := yield(page[i]); err != nil {
				return err
			}
		}
		if more = len(page) == auditPage; more {
			last = page[len(page)-1].Game.ID
		}
	}
	return nil
}

func gamesAfter(tx *gorm.DB, last string) ([]StoredGame, error) {
	var rows []gameRow
	if err := games(tx).Where("games.id > ?", last).Order("games.id").Limit(auditPage).Find(&rows).Error; err != nil {
		return nil, err
	}
	page, place, ids := make([]StoredGame, len(rows)), map[string]*StoredGame{}, make([]string, len(rows))
	for i := range rows {
		page[i].Game, ids[i] = rows[i].game(), rows[i].ID
		place[ids[i]] = &page[i]
	}
	var lines []lineRow
	if err := tx.Where("game_id IN ?", ids).Order("game_id, n").Find(&lines).Error; err != nil {
		return nil, err
	}
	for i := range lines {
		g := place[lines[i].GameID]
		g.Lines = append(g.Lines, lines[i].line())
	}
	var players []gamePlayerRow
	if err := tx.Where("game_id IN ?", ids).Find(&players).Error; err != nil {
		return nil, err
	}
	for _, g := range place {
		g.checkPlayers(players)
	}
	var told []outbox.Row
	if err := tx.Where("game_id IN ?", ids).Order("seq").Find(&told).Error; err != nil {
		return nil, err
	}
	counts := map[string]*outbox.Row{} // the last row of each game
	for i := range told {
		place[told[i].GameID].checkRevision(&told[i], counts[told[i].GameID])
		counts[told[i].GameID] = &told[i]
	}
	for id, row := range counts {
		place[id].checkOutbox(row)
	}
	for i := range page {
		if g := &page[i]; g.Seq == 0 && g.Game.Status.Over() {
			g.fault("its end is not in the outbox")
		}
	}
	return page, nil
}

func (g *StoredGame) fault(format string, args ...any) {
	g.Faults = append(g.Faults, fmt.Sprintf(format, args...))
}

// checkPlayers looks whether a player's list of games has this one if, and only if, the player sits in it.
func (g *StoredGame) checkPlayers(all []gamePlayerRow) {
	found := 0
	for _, row := range all {
		if row.GameID == g.Game.ID {
			found++
		}
	}
	want := playersOf(&g.Game)
	for _, row := range want {
		if !slices.Contains(all, row) {
			g.fault("it is missing among the games of player %s", row.PlayerID)
		}
	}
	if found > len(want) {
		g.fault("it stands among the games of %d players, and %d sit in it", found, len(want))
	}
}

// checkRevision looks whether a row of the outbox follows the one before it of the same game, nil for none.
func (g *StoredGame) checkRevision(row, before *outbox.Row) {
	if before == nil {
		g.Seq = row.Seq
		if row.Revision != 0 || row.Corrects != 0 {
			g.fault("its first row in the outbox corrects another")
		}
		return
	}
	if row.Revision != before.Revision+1 || row.Corrects != g.Seq {
		g.fault("row %d of the outbox does not take the place of its row %d", row.Seq, g.Seq)
	}
}

// checkOutbox compares what the outbox tells of the game with the game.
func (g *StoredGame) checkOutbox(row *outbox.Row) {
	if !g.Game.Status.Over() {
		g.fault("the outbox says that it is over, and it is %s", g.Game.Status)
		return
	}
	want, err := outbox.RowOf(&g.Game, table.MovedIn(g.Lines), table.FewestMoves(g.Lines))
	if err != nil {
		g.fault("what the outbox should say of it cannot be told: %v", err)
		return
	}
	want.Seq, want.Corrects, want.Revision = row.Seq, row.Corrects, row.Revision
	if row.Moved == nil {
		want.Moved = nil // it ended before this was stored
	}
	if row.Fewest == nil {
		want.Fewest = nil // likewise
	}
	is, should := reflect.ValueOf(*row), reflect.ValueOf(want)
	for i := range is.NumField() {
		if !reflect.DeepEqual(is.Field(i).Interface(), should.Field(i).Interface()) {
			g.fault("the outbox tells its end with another %s", is.Type().Field(i).Name)
		}
	}
}

// Followed returns the place in the outbox up to which finished games have been counted for their tournaments.
func (s *Store) Followed(ctx context.Context) (int64, error) {
	seq, err := outbox.CursorOf(s.reads.WithContext(ctx), outbox.OfTournaments)
	return seq, db.About("read a cursor", err)
}

// Faults says what is wrong with the database as a whole: pages and references that do not hold (SQLite finds them
// itself), gaps in the outbox, sums that are not. It returns nothing if all is well.
func (s *Store) Faults(ctx context.Context) (faults []string, err error) {
	file := s.dir != ""
	if file {
		if faults, err = pragmas(s.reads.WithContext(ctx)); err != nil {
			return nil, db.About("check the file", err)
		}
	}
	for _, r := range slices.Concat(rules, peopleRules) {
		var n int64
		if err := s.reads.WithContext(ctx).Raw(r.spelled(file)).Scan(&n).Error; err != nil {
			return nil, db.About("check the whole", err)
		}
		if n != 0 {
			faults = append(faults, fmt.Sprintf(r.broken, n))
		}
	}
	return faults, nil
}
