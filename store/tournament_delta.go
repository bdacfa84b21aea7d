package store

import (
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"quatuor/store/internal/db"
	"quatuor/tournament"
)

// writeDelta writes the parts of a tournament that a change touched.
func writeDelta(tx *gorm.DB, id string, d tournament.Delta) error {
	for _, write := range []func(*gorm.DB, string, tournament.Delta) error{
		removeRounds, writeEntries, writeRounds, writePairings, writePairingInputs, writeChanges, writeActs,
		writeHallRecords, writeCounts,
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
	for i, e := range d.Entries {
		rows[i] = toEntryRow(id, e, last+1+i)
		members = append(members, membersOf(id, e)...)
	}
	// An entry that is there keeps its position.
	columns := []string{"number", "name", "members", "rating", "club", "status", "withdrawn_from", "byes", "awaiting", "present"}
	err = tx.Clauses(clause.OnConflict{
		Columns: []clause.Column{{Name: "tournament_id"}, {Name: "id"}}, DoUpdates: clause.AssignmentColumns(columns),
	}).CreateInBatches(rows, db.Inserts).Error
	if err != nil || len(members) == 0 {
		return err
	}
	return tx.CreateInBatches(members, db.Inserts).Error
}

// forgetNumbers takes the numbers and members from entries that are about to be written, so that two can change
// places without meeting on one number.
func forgetNumbers(tx *gorm.DB, id string, entries []tournament.Entry) error {
	ids := make([]string, len(entries))
	for i, e := range entries {
		ids[i] = e.ID
	}
	for part := range db.Chunks(ids) {
		err := tx.Model(&entryRow{}).Where("tournament_id = ? AND id IN ? AND number > 0", id, part).
			Update("number", 0).Error
		if err != nil {
			return err
		}
		if err := tx.Where("tournament_id = ? AND entry_id IN ?", id, part).Delete(&memberRow{}).Error; err != nil {
			return err
		}
	}
	return nil
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
		rounds = append(rounds, roundRow{id, r.Number, r.Status, r.PublishedAt, r.Start.At, r.Start.Together})
		for _, p := range r.Pairings {
			pairings = append(pairings, toPairingRow(id, r.Number, p))
		}
	}
	if err := tx.Clauses(clause.OnConflict{UpdateAll: true}).CreateInBatches(rounds, db.Inserts).Error; err != nil {
		return err
	}
	if err := tx.Where("tournament_id = ? AND round IN ?", id, numbers).Delete(&pairingRow{}).Error; err != nil {
		return err
	}
	if len(pairings) == 0 {
		return nil
	}
	return tx.CreateInBatches(pairings, db.Inserts).Error
}

func writePairings(tx *gorm.DB, id string, d tournament.Delta) error {
	if len(d.Pairings) == 0 {
		return nil
	}
	rows := make([]pairingRow, len(d.Pairings))
	for i, p := range d.Pairings {
		rows[i] = toPairingRow(id, p.Round, p.Pairing)
	}
	return tx.Clauses(clause.OnConflict{UpdateAll: true}).CreateInBatches(rows, db.Inserts).Error
}

func writePairingInputs(tx *gorm.DB, id string, d tournament.Delta) error {
	for _, s := range d.Inputs {
		row := snapshotRow{id, s.Round, s.Text}
		if err := tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error; err != nil {
			return err
		}
	}
	return nil
}

func writeChanges(tx *gorm.DB, id string, d tournament.Delta) error {
	if len(d.Changes) == 0 {
		return nil
	}
	rows := make([]changeRow, len(d.Changes))
	for i, c := range d.Changes {
		rows[i] = toChangeRow(id, c)
	}
	return tx.CreateInBatches(rows, db.Inserts).Error
}

// writeActs adds to what was done. A person's act leaves no earlier one to be taken back.
func writeActs(tx *gorm.DB, id string, d tournament.Delta) error {
	for _, a := range d.Acts {
		if a.By != tournament.ServerAccount {
			err := tx.Model(&actRow{}).Where("tournament_id = ? AND undo <> ''", id).Update("undo", "").Error
			if err != nil {
				return err
			}
		}
		row := toActRow(id, a)
		if err := tx.Create(&row).Error; err != nil {
			return err
		}
	}
	return nil
}

// writeCounts keeps what lists show of a tournament in step with its entries and rounds.
func writeCounts(tx *gorm.DB, id string, d tournament.Delta) error {
	counts := map[string]any{}
	if len(d.Entries)+len(d.RemovedEntry) > 0 {
		counts["entry_count"] = gorm.Expr("(SELECT count(*) FROM entries WHERE tournament_id = ?)", id)
	}
	if len(d.Rounds)+len(d.RemovedRounds) > 0 {
		counts["last_round"] = gorm.Expr("(SELECT coalesce(max(number), 0) FROM rounds WHERE tournament_id = ? AND status <> ?)",
			id, tournament.Paired)
	}
	if len(counts) == 0 {
		return nil
	}
	return tx.Model(&tournamentRow{}).Where("id = ?", id).Updates(counts).Error
}
