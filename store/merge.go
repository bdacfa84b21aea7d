package store

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/store/internal/db"
	"quatuor/store/internal/outbox"
	"quatuor/tournament/adminlog"
	"quatuor/tournament/club"
)

// MergePlayers merges two records of a person in a single transaction: games, entries and the account of the record
// that goes become the other's, and recompute gets the ratings within this transaction. The old id leads to the
// remaining player from then on. Errors: club.ErrNotFound, club.ErrMergeSame and its neighbours.
func (p *People) MergePlayers(
	ctx context.Context, m club.Merge, recompute func(context.Context, ledger.Store) error,
) error {
	if m.Keep == m.Gone {
		return club.ErrMergeSame
	}
	err := p.s.backend.write(ctx, func(tx *gorm.DB) error {
		merging := merging{tx: tx, Merge: m}
		if err := merging.run(); err != nil {
			return err
		}
		if err := merging.log(ctx); err != nil {
			return err
		}
		return recompute(ctx, p.s.ratings.Within(tx))
	})
	return db.Promised("merge players", err, club.ErrNotFound, club.ErrMergeMet, club.ErrMergeAccounts,
		club.ErrMergePlaying, club.ErrDeleted)
}

// merging is a merge that is being carried out.
type merging struct {
	club.Merge
	tx         *gorm.DB
	keep, gone playerRow
	games      []string
	entries    []memberRow
}

func (m *merging) run() error {
	for _, step := range []func() error{
		m.read, m.checkGames, m.checkEntries, m.checkLadders, m.checkAccounts, m.moveGames, m.moveEntries, m.moveTeams,
		m.moveLadders, m.moveLeagues, m.moveBlocks, m.moveAccount, m.note,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// read locks both players.
func (m *merging) read() error {
	var rows []playerRow
	err := m.tx.Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate}).Order("id").
		Find(&rows, "id IN ?", []string{m.Keep, m.Gone}).Error
	if err != nil {
		return err
	}
	if len(rows) != 2 {
		return club.ErrNotFound
	}
	if rows[0].Gone > 0 || rows[1].Gone > 0 {
		return club.ErrDeleted
	}
	m.keep, m.gone = rows[0], rows[1]
	if rows[0].ID == m.Gone {
		m.keep, m.gone = rows[1], rows[0]
	}
	return nil
}

func (m *merging) checkAccounts() error {
	if m.keep.AccountID != "" && m.gone.AccountID != "" && !m.BothAccounts {
		return club.ErrMergeAccounts
	}
	return nil
}

func (m *merging) checkGames() error {
	if err := m.tx.Model(&gamePlayerRow{}).Where("player_id = ?", m.Gone).Order("game_id").Pluck("game_id", &m.games).
		Error; err != nil {
		return err
	}
	for part := range db.Chunks(m.games) {
		var met, open int64
		if err := m.tx.Model(&gamePlayerRow{}).Where("player_id = ? AND game_id IN ?", m.Keep, part).Count(&met).
			Error; err != nil {
			return err
		}
		err := m.tx.Model(&gameRow{}).Where("id IN ? AND status NOT IN ?", part,
			[]table.Status{table.Finished, table.Aborted}).Count(&open).Error
		switch {
		case err != nil:
			return err
		case met > 0:
			return club.ErrMergeMet
		case open > 0:
			return club.ErrMergePlaying
		}
	}
	return nil
}

func (m *merging) checkEntries() error {
	if err := m.tx.Order("tournament_id, entry_id").Find(&m.entries, "player_id = ?", m.Gone).Error; err != nil {
		return err
	}
	met, err := db.Any(m.tx.Model(&memberRow{}).Where("player_id = ?", m.Keep).
		Where("tournament_id IN (SELECT tournament_id FROM entry_members WHERE player_id = ?)", m.Gone))
	if err == nil && met {
		return club.ErrMergeMet
	}
	return err
}

// renamed returns ids with the id that goes replaced.
func (m *merging) renamed(ids []string) []string {
	if i := slices.Index(ids, m.Gone); i >= 0 {
		ids = slices.Clone(ids)
		ids[i] = m.Keep
	}
	return ids
}

func (m *merging) moveGames() error {
	for part := range db.Chunks(m.games) {
		var games []gameRow
		if err := m.tx.Select("id", "players").Find(&games, "id IN ?", part).Error; err != nil {
			return err
		}
		for i := range games {
			games[i].Players = m.renamed(games[i].Players)
			if err := m.tx.Select("players").Updates(&games[i]).Error; err != nil {
				return err
			}
		}
		var ends []outbox.Row
		if err := m.tx.Select("game_id", "revision", "players").Find(&ends, "game_id IN ?", part).Error; err != nil {
			return err
		}
		for i := range ends {
			players := db.Text(m.renamed(ends[i].Players))
			// its number may change
			row := m.tx.Model(&outbox.Row{}).Where("game_id = ? AND revision = ?", ends[i].GameID, ends[i].Revision)
			if err := row.Update("players", gorm.Expr("?", players)).Error; err != nil {
				return err
			}
		}
	}
	return m.tx.Model(&gamePlayerRow{}).Where("player_id = ?", m.Gone).Update("player_id", m.Keep).Error
}

// moveEntries also increments the tournaments' versions, which invalidates their caches, and drops the undo of their
// last acts: it would restore the player that goes.
func (m *merging) moveEntries() error {
	for _, member := range m.entries {
		var e entryRow
		if err := m.tx.Take(&e, "tournament_id = ? AND id = ?", member.TournamentID, member.EntryID).Error; err != nil {
			return err
		}
		e.Entry.Members, e.Entry.Awaiting = m.renamed(e.Entry.Members), m.renamed(e.Entry.Awaiting)
		if err := m.tx.Select("members", "awaiting").Updates(&e).Error; err != nil {
			return err
		}
		if err := newEdition(m.tx, member.TournamentID); err != nil {
			return err
		}
	}
	return m.tx.Model(&memberRow{}).Where("player_id = ?", m.Gone).Update("player_id", m.Keep).Error
}

// moveTeams replaces the player as a captain or deputy, on the boards of matches, and in line-ups.
func (m *merging) moveTeams() error {
	gone, keep := `"`+m.Gone+`"`, `"`+m.Keep+`"`
	var led []string
	err := m.tx.Model(&entryRow{}).Distinct("tournament_id").Where("captain = ? OR deputies LIKE ?", m.Gone, "%"+gone+"%").
		Pluck("tournament_id", &led).Error
	if err != nil {
		return err
	}
	for _, id := range led {
		if err := newEdition(m.tx, id); err != nil {
			return err
		}
	}
	if err := m.tx.Model(&entryRow{}).Where("captain = ?", m.Gone).Update("captain", m.Keep).Error; err != nil {
		return err
	}
	err = m.tx.Exec(`DELETE FROM entry_leaders WHERE player_id = ? AND EXISTS (
		SELECT 1 FROM entry_members k WHERE k.tournament_id = entry_leaders.tournament_id AND k.entry_id = entry_leaders.entry_id
			AND k.player_id = ?
		UNION SELECT 1 FROM entry_leaders k WHERE k.tournament_id = entry_leaders.tournament_id
			AND k.entry_id = entry_leaders.entry_id AND k.player_id = ?)`, m.Gone, m.Keep, m.Keep).Error
	if err != nil {
		return err
	}
	if err := m.tx.Model(&leaderRow{}).Where("player_id = ?", m.Gone).Update("player_id", m.Keep).Error; err != nil {
		return err
	}
	for table, column := range map[string]string{"entries": "deputies", "pairings": "boards", "line_ups": "players"} {
		err := m.tx.Table(table).Where(column+" LIKE ?", "%"+gone+"%").
			Update(column, gorm.Expr("replace("+column+", ?, ?)", gone, keep)).Error
		if err != nil {
			return err
		}
	}
	return nil
}

// moveAccount deletes the record that goes, and copies the values that the other lacks: account, club, year of birth
// and initial ratings.
func (m *merging) moveAccount() error {
	if err := m.tx.Delete(&playerRow{}, "id = ?", m.Gone).Error; err != nil {
		return err
	}
	next := m.keep
	next.Club, next.BirthYear = cmp.Or(next.Club, m.gone.Club), cmp.Or(next.BirthYear, m.gone.BirthYear)
	given := map[string]float64{}
	maps.Copy(given, m.gone.Rating)
	maps.Copy(given, m.keep.Rating)
	if len(given) > 0 {
		next.Rating = given
		next.Deviation = map[string]float64{}
		next.GivenAt = map[string]int64{}
		for list := range given {
			r, ok := m.keep.given().In(list)
			if !ok {
				r, _ = m.gone.given().In(list)
			}
			if r.Deviation > 0 {
				next.Deviation[list] = r.Deviation
			}
			if r.Since > 0 {
				next.GivenAt[list] = r.Since
			}
		}
	}
	if m.gone.AccountID != "" {
		var now *string // the second account goes on without a player
		if next.AccountID == "" {
			next.AccountID = m.gone.AccountID
			next.OpenToChallenges = m.gone.OpenToChallenges
			next.ClaimHash = ""
			now = &m.Keep
			next.ClosedToChallenges, next.ChallengesAtOnce = m.gone.ClosedToChallenges, m.gone.ChallengesAtOnce
		}
		if err := m.tx.Model(&accountRow{}).Where("id = ?", m.gone.AccountID).Update("player_id", now).Error; err != nil {
			return err
		}
	}
	next.Version++
	return m.tx.Model(&playerRow{}).Where("id = ?", m.Keep).Select("*").Omit("id").Updates(&next).Error
}

// note records the merge, and redirects earlier merges and marks to the player that stays.
func (m *merging) note() error {
	if err := m.tx.Model(&mergeRow{}).Where("kept_id = ?", m.Gone).Update("kept_id", m.Keep).Error; err != nil {
		return err
	}
	if err := m.tx.Table("rating_marks").Where("player_id = ?", m.Gone).Update("player_id", m.Keep).Error; err != nil {
		return err
	}
	return m.tx.Create(&mergeRow{
		GoneID: m.Gone, GoneName: m.gone.Name, KeptID: m.Keep, ByAccount: m.By, At: m.At, Games: len(m.games),
		Entries: len(m.entries),
	}).Error
}

// log adds the merge to the log of administration.
func (m *merging) log(ctx context.Context) error {
	return logAct(ctx, m.tx, adminlog.Entry{
		Kind: adminlog.PlayersMerged, About: adminlog.Player(m.Keep, m.keep.Name),
		Before: adminlog.Values{"merged": m.gone.Name, "merged_id": m.Gone},
		After:  adminlog.Values{"games": strconv.Itoa(len(m.games)), "entries": strconv.Itoa(len(m.entries))},
	})
}

// moveBlocks lets the player that stays have the blocks by and of the player that goes.
func (m *merging) moveBlocks() error {
	var rows []blockRow
	if err := m.tx.Find(&rows, "player_id = ? OR blocked = ?", m.Gone, m.Gone).Error; err != nil {
		return err
	}
	if err := m.tx.Delete(&blockRow{}, "player_id = ? OR blocked = ?", m.Gone, m.Gone).Error; err != nil {
		return err
	}
	for _, r := range rows {
		if r.Player == m.Gone {
			r.Player = m.Keep
		}
		if r.Blocked == m.Gone {
			r.Blocked = m.Keep
		}
		if r.Player == r.Blocked {
			continue
		}
		if err := db.CreateMissing(m.tx, r); err != nil {
			return err
		}
	}
	return nil
}
