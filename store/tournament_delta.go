package store

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	records "quatuor/engine/record"
	"quatuor/engine/table"
	"quatuor/store/internal/db"
	"quatuor/store/internal/outbox"
	"quatuor/tournament"
	"quatuor/tournament/club"
)

// writeDelta writes the parts of a tournament that a change touched.
func writeDelta(tx *gorm.DB, id string, d tournament.Delta) error {
	for _, write := range []func(*gorm.DB, string, tournament.Delta) error{
		removeRounds, writeEntries, writeOrder, writeRounds, writePairings, writePairingInputs, writeChanges, writeActs,
		writeHallRecords, writeCounts, writeLineUps,
	} {
		if err := write(tx, id, d); err != nil {
			return err
		}
	}
	return nil
}

func removeRounds(tx *gorm.DB, id string, d tournament.Delta) error {
	if len(d.RemovedRounds) == 0 {
		return nil
	}
	return tx.Where("tournament_id = ? AND number IN ?", id, d.RemovedRounds).Delete(&roundRow{}).Error
}

func writeEntries(tx *gorm.DB, id string, d tournament.Delta) error {
	if len(d.RemovedEntry) > 0 {
		err := tx.Where("tournament_id = ? AND id IN ?", id, d.RemovedEntry).Delete(&entryRow{}).Error
		if err != nil {
			return err
		}
	}
	if len(d.Entries) == 0 {
		return nil
	}
	if err := refuseDeleted(tx, id, d.Entries); err != nil {
		return err
	}
	if err := forgetNumbers(tx, id, d.Entries); err != nil {
		return err
	}
	var last int
	err := tx.Model(&entryRow{}).Select("coalesce(max(position), 0)").Where("tournament_id = ?", id).Scan(&last).Error
	if err != nil {
		return err
	}
	rows := make([]entryRow, len(d.Entries))
	var members []memberRow
	var leaders []leaderRow
	for i, e := range d.Entries {
		rows[i] = entryRow{id, entryColumns(e), last + 1 + i}
		members = append(members, membersOf(id, e)...)
		leaders = append(leaders, leadersOf(id, e)...)
	}
	// An entry that is there keeps its position.
	columns := []string{
		"number", "name", "members", "rating", "club", "status", "withdrawn_from", "byes", "awaiting", "present",
		"tonight", "waiting",
		"captain", "deputies",
	}
	err = db.Create(tx.Clauses(clause.OnConflict{
		Columns: []clause.Column{{Name: "tournament_id"}, {Name: "id"}}, DoUpdates: clause.AssignmentColumns(columns),
	}), rows)
	if err != nil {
		return err
	}
	if err := db.Create(tx, members); err != nil {
		return err
	}
	return db.Create(tx, leaders)
}

// writeOrder sets the entries' positions to the delta's order. Entries that it does not list come last.
func writeOrder(tx *gorm.DB, id string, d tournament.Delta) error {
	if d.Order == nil {
		return nil
	}
	type positioned struct {
		ID       string
		Position int
	}
	var rows []positioned
	err := tx.Model(&entryRow{}).Select("id", "position").Where("tournament_id = ?", id).Order("position").Find(&rows).Error
	if err != nil {
		return err
	}
	place := d.Places()
	slices.SortStableFunc(rows, func(a, b positioned) int { return place(a.ID) - place(b.ID) })
	for i, row := range rows {
		if row.Position == i+1 {
			continue
		}
		err := tx.Model(&entryRow{}).Where("tournament_id = ? AND id = ?", id, row.ID).Update("position", i+1).Error
		if err != nil {
			return err
		}
	}
	return nil
}

// refuseDeleted returns club.ErrDeleted if a deleted player would enter; their earlier entries stay. It locks the
// players that enter, so that none is deleted before the entry is there to be seen.
func refuseDeleted(tx *gorm.DB, id string, entries []tournament.Entry) error {
	var players []string
	for _, e := range entries {
		players = append(players, e.Members...)
	}
	for part := range db.Chunks(players) {
		var there []string
		err := tx.Model(&memberRow{}).Where("tournament_id = ? AND player_id IN ?", id, part).Pluck("player_id", &there).Error
		if err != nil {
			return err
		}
		entering := slices.DeleteFunc(slices.Clone(part), func(p string) bool { return slices.Contains(there, p) })
		if len(entering) == 0 {
			continue
		}
		var rows []playerRow
		err = tx.Clauses(clause.Locking{Strength: clause.LockingStrengthShare}).Select("id", "gone").Order("id").
			Find(&rows, "id IN ?", entering).Error
		if err != nil {
			return err
		}
		if slices.ContainsFunc(rows, func(r playerRow) bool { return r.Gone > 0 }) {
			return club.ErrDeleted
		}
	}
	return nil
}

// forgetNumbers takes the numbers and members from entries that are about to be written, so that two entries can swap
// numbers without a conflict.
func forgetNumbers(tx *gorm.DB, id string, entries []tournament.Entry) error {
	for part := range db.Chunks(db.Map(entries, func(e *tournament.Entry) string { return e.ID })) {
		err := tx.Model(&entryRow{}).Where("tournament_id = ? AND id IN ? AND number > 0", id, part).
			Update("number", 0).Error
		if err != nil {
			return err
		}
		if err := tx.Where("tournament_id = ? AND entry_id IN ?", id, part).Delete(&memberRow{}).Error; err != nil {
			return err
		}
		if err := tx.Where("tournament_id = ? AND entry_id IN ?", id, part).Delete(&leaderRow{}).Error; err != nil {
			return err
		}
	}
	return nil
}

// leadersOf returns the captain and deputies of a team, except members.
func leadersOf(id string, e tournament.Entry) (rows []leaderRow) {
	for _, m := range membersOf(id, tournament.Entry{ID: e.ID, Members: e.LeadersOutside()}) {
		rows = append(rows, leaderRow(m))
	}
	return rows
}

func membersOf(id string, e tournament.Entry) []memberRow {
	var rows []memberRow
	seen := map[string]bool{"": true}
	for _, p := range e.Members {
		if !seen[p] {
			seen[p] = true
			rows = append(rows, memberRow{TournamentID: id, EntryID: e.ID, PlayerID: p})
		}
	}
	return rows
}

// writeRounds writes rounds with all their pairings in the place of those that were there.
func writeRounds(tx *gorm.DB, id string, d tournament.Delta) error {
	if len(d.Rounds) == 0 {
		return nil
	}
	var numbers []int
	var rounds []roundRow
	var pairings []pairingRow
	for _, r := range d.Rounds {
		numbers = append(numbers, r.Number)
		rounds = append(rounds, roundRow{id, r.Number, r.Status, r.PublishedAt, r.Start.At, r.Start.Together, r.LineUpsDue})
		for _, p := range r.Pairings {
			pairings = append(pairings, pairingRow{id, r.Number, pairingColumns(p)})
		}
	}
	if err := db.Upsert(tx, rounds...); err != nil {
		return err
	}
	if err := tx.Where("tournament_id = ? AND round IN ?", id, numbers).Delete(&pairingRow{}).Error; err != nil {
		return err
	}
	return db.Create(tx, pairings)
}

func writePairings(tx *gorm.DB, id string, d tournament.Delta) error {
	return db.Upsert(tx, db.Map(d.Pairings, func(p *tournament.RoundPairing) pairingRow {
		return pairingRow{id, p.Round, pairingColumns(p.Pairing)}
	})...)
}

func writePairingInputs(tx *gorm.DB, id string, d tournament.Delta) error {
	return db.Upsert(tx, db.Map(d.Inputs, func(s *tournament.PairingInput) snapshotRow {
		return snapshotRow{id, s.Round, s.Text}
	})...)
}

func writeChanges(tx *gorm.DB, id string, d tournament.Delta) error {
	return db.Create(tx, db.Map(d.Changes, func(c *tournament.Change) changeRow {
		return changeRow{TournamentID: id, Change: changeColumns(*c)}
	}))
}

// writeActs appends the acts. After a person's act, no earlier act can be taken back.
func writeActs(tx *gorm.DB, id string, d tournament.Delta) error {
	for _, a := range d.Acts {
		if a.By != tournament.ServerAccount {
			err := tx.Model(&actRow{}).Where("tournament_id = ? AND undo <> ''", id).Update("undo", "").Error
			if err != nil {
				return err
			}
		}
		if err := tx.Create(&actRow{TournamentID: id, Act: actColumns(a)}).Error; err != nil {
			return err
		}
	}
	return nil
}

// writeCounts keeps a tournament's columns for lists in step with its entries and rounds.
func writeCounts(tx *gorm.DB, id string, d tournament.Delta) error {
	counts := map[string]any{}
	if len(d.Entries)+len(d.RemovedEntry) > 0 {
		counts["entry_count"] = gorm.Expr("(SELECT count(*) FROM entries WHERE tournament_id = ?)", id)
	}
	if len(d.Rounds)+len(d.RemovedRounds) > 0 {
		counts["last_round"] = gorm.Expr("(SELECT coalesce(max(number), 0) FROM rounds WHERE tournament_id = ? AND status "+
			"<> ?)",
			id, tournament.Paired)
	}
	if len(counts) == 0 {
		return nil
	}
	return tx.Model(&tournamentRow{}).Where("id = ?", id).Updates(counts).Error
}

// hallRecordRow is the record of a game in the hall, under the digest of its text.
type hallRecordRow struct {
	TournamentID string `gorm:"primaryKey"`
	Digest       string `gorm:"primaryKey"`
	Text         string
}

func (hallRecordRow) TableName() string { return "hall_records" }

func hallRecord(tx *gorm.DB, id, digest string) (string, error) {
	var row hallRecordRow
	err := tx.Take(&row, "tournament_id = ? AND digest = ?", id, digest).Error
	return row.Text, err
}

func writeHallRecords(tx *gorm.DB, id string, d tournament.Delta) error {
	return db.CreateMissing(tx, db.Map(d.Records, func(r *tournament.RecordText) hallRecordRow {
		return hallRecordRow{id, r.Digest, r.Text}
	})...)
}

// writeHallGames updates the games in the hall of the pairings of a change: each has a row and a log from its first
// result on, which follow corrections, and rows in the outbox for the ratings.
func writeHallGames(tx *gorm.DB, t *tournament.Tournament, d tournament.Delta) error {
	at := changedAt(d)
	for _, r := range d.Rounds {
		for _, p := range r.Pairings {
			if err := writeHallGamesOf(tx, t, r.Number, p, at); err != nil {
				return err
			}
		}
	}
	for _, p := range d.Pairings {
		if err := writeHallGamesOf(tx, t, p.Round, p.Pairing, at); err != nil {
			return err
		}
	}
	return nil
}

// changedAt returns the time of a change.
func changedAt(d tournament.Delta) (at int64) {
	for _, c := range d.Changes {
		at = max(at, c.At)
	}
	for _, a := range d.Acts {
		at = max(at, a.At)
	}
	return at
}

func writeHallGamesOf(tx *gorm.DB, t *tournament.Tournament, round int, p tournament.Pairing, at int64) error {
	for _, d := range t.Duels(p) {
		if d.HallID == "" {
			continue
		}
		if err := writeHallGame(tx, table.Place{ID: t.ID, Round: round, Board: p.Board}, d, at); err != nil {
			return err
		}
	}
	return nil
}

func writeHallGame(tx *gorm.DB, place table.Place, p tournament.Duel, at int64) error {
	var stored gameRow
	err := tx.Take(&stored, "id = ?", p.HallID).Error
	known := err == nil
	switch {
	case errors.Is(err, gorm.ErrRecordNotFound) && !countsAsPlayed(p):
		return nil
	case errors.Is(err, gorm.ErrRecordNotFound):
	case err != nil:
		return err
	default:
		at = stored.FinishedAt // it keeps its place
	}
	game, lines, err := buildHallGame(tx, place, p, at)
	if err != nil {
		return err
	}
	if known && reflect.DeepEqual(stored, toGameRow(&game)) && !recordMayDiffer(&stored, p) {
		return nil
	}
	if err := replaceGame(tx, &game, lines); err != nil {
		return err
	}
	return correctOutbox(tx, &game, lines)
}

// countsAsPlayed reports whether a pairing has the result of a game that was played.
func countsAsPlayed(p tournament.Duel) bool {
	return p.Result.Rateable()
}

// recordMayDiffer reports whether two logs of a game may differ though its row is the same.
func recordMayDiffer(stored *gameRow, p tournament.Duel) bool {
	return stored.Plies > 0 || p.Record != ""
}

// buildHallGame returns the game of a pairing in the hall, made from its result and its record.
func buildHallGame(tx *gorm.DB, place table.Place, p tournament.Duel, at int64) (
	table.Game, []table.Line, error,
) {
	h := table.HallGame{
		ID: p.HallID, Variant: p.Variant, Players: p.Players, Control: p.TimeControl, Options: p.Options, Place: place, At: at,
	}
	if countsAsPlayed(p) {
		h.Ranks, h.Rated = p.Ranks, p.Result.Rated
	}
	if p.Record != "" {
		text, err := hallRecord(tx, place.ID, p.Record)
		if err != nil {
			return table.Game{}, nil, fmt.Errorf("the record of round %d, board %d: %w", place.Round, place.Board, err)
		}
		r, err := records.Parse(text)
		if err != nil {
			return table.Game{}, nil, err
		}
		h.SeedHex = r.Chance.Seed
		if h.Tokens, err = r.Tokens(); err != nil {
			return table.Game{}, nil, err
		}
	}
	return h.Build()
}

// replaceGame writes a finished game with its log, in place of the stored version.
func replaceGame(tx *gorm.DB, g *table.Game, lines []table.Line) error {
	if err := db.Upsert(tx, toGameRow(g)); err != nil {
		return err
	}
	if err := tx.Where("game_id = ?", g.ID).Delete(&lineRow{}).Error; err != nil {
		return err
	}
	rows := db.Map(lines, func(l *table.Line) lineRow { return lineRow{g.ID, *l} })
	if err := db.Create(tx, rows); err != nil {
		return err
	}
	if err := tx.Where("game_id = ?", g.ID).Delete(&gamePlayerRow{}).Error; err != nil {
		return err
	}
	return db.Create(tx, playersOf(g))
}

// correctOutbox adds the row of the game to the outbox, or a row that replaces earlier rows if it differs from the
// last.
func correctOutbox(tx *gorm.DB, g *table.Game, lines []table.Line) error {
	row, err := outbox.RowOf(g, table.MovedIn(lines), 0)
	if err != nil {
		return err
	}
	var earlier []outbox.Row
	if err := tx.Where("game_id = ?", g.ID).Order("revision").Find(&earlier).Error; err != nil {
		return err
	}
	if n := len(earlier); n > 0 {
		last := earlier[n-1]
		row.Seq = last.Seq
		row.Corrects = last.Corrects
		row.Revision = last.Revision
		if reflect.DeepEqual(row, last) {
			return nil
		}
		row.Corrects, row.Revision = earlier[0].Seq, n
	}
	if err := outbox.Lock(tx); err != nil {
		return err
	}
	if row.Seq, err = outbox.LastPlace(tx); err != nil {
		return err
	}
	row.Seq++
	return tx.Create(&row).Error
}
