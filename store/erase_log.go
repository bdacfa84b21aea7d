package store

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"gorm.io/gorm"
	"quatuor/store/internal/db"
	"quatuor/store/internal/sqlite"
	"quatuor/tournament/adminlog"
)

// eraseLog replaces the person in the admin log. Entries by and about the person lose the name and all other
// descriptions of the person. Entries by and about others lose only values that name the person, which follow from
// their kinds.
func (e *erasing) eraseLog() error {
	var rows []adminLogRow
	err := e.tx.Where("about_id IN ? OR by_account IN ? OR kind IN ?", e.ids, e.ids, []adminlog.Kind{
		adminlog.PlayersMerged, adminlog.PlayersAdded, adminlog.TournamentTaken, adminlog.ArbitersChanged,
		adminlog.MarkMade, adminlog.MarkLifted,
	}).Order("at, id").Find(&rows).Error
	if err != nil {
		return err
	}
	met, err := e.acquaintances()
	if err != nil {
		return err
	}
	for i := range rows {
		r := &rows[i]
		before := *r
		about := slices.Contains(e.ids, r.AboutID)
		if about && r.AboutName != "" {
			r.AboutName = e.name
		}
		if e.Account != "" && r.ByAccount == e.Account {
			r.ByName = e.name
		}
		r.Was, r.Became = e.valuesWithout(r, r.Was, about, met), e.valuesWithout(r, r.Became, about, met)
		if r.AboutName == before.AboutName && r.ByName == before.ByName && maps.Equal(r.Was, before.Was) &&
			maps.Equal(r.Became, before.Became) {
			continue
		}
		r.Names = nameKey(r.ByName + "\n" + r.AboutName)
		if err := e.tx.Select("by_name", "about_name", "names", "was", "became").Updates(r).Error; err != nil {
			return err
		}
	}
	return nil
}

// personal are the values of the admin log that describe a person.
var personal = []string{"name", "club", "birth_year", "merged", "login"}

// valuesWithout returns the values of an entry without those that describe the person and without its names.
func (e *erasing) valuesWithout(r *adminLogRow, v adminlog.Values, about bool, met map[string]bool) adminlog.Values {
	out := maps.Clone(v)
	for key, value := range v {
		switch {
		case about && slices.Contains(personal, key):
			delete(out, key)
		case key == "merged" && slices.Contains(e.ids, v["merged_id"]):
			out[key] = e.name
		case key == "players" && e.mayHaveBeenAdded(r):
			out[key] = replaceItems(value, e.names.list, e.name)
		case key == "arbiters" && r.At >= e.account.CreatedAt:
			out[key] = replaceItems(value, e.logins, e.name)
		case key == "reason" && (about || met[r.AboutID]):
			out[key] = e.names.replace(value)
		}
	}
	return out
}

// addedWithin is the maximum time in ms between the start of an entry of the admin log and the creation of the player
// that it names.
const addedWithin = 60_000

// mayHaveBeenAdded reports whether an entry with the names of added players may list this player: it has no ids. Once a
// record was merged, its author and time are no longer known.
func (e *erasing) mayHaveBeenAdded(r *adminLogRow) bool {
	apart := e.player.CreatedAt - r.At
	by := r.ByAccount == e.player.CreatedBy && -addedWithin < apart && apart < addedWithin
	return by || len(e.merged) > 0 || slices.Contains(e.shown, r.AboutID)
}

// replaceItems returns a list of items, separated by commas, with another item in the place of each of those named.
func replaceItems(list string, items []string, with string) string {
	list = ", " + list + ", "
	for _, item := range items {
		for range 2 { // neighbours share a separator
			list = strings.ReplaceAll(list, ", "+item+", ", ", "+with+", ")
		}
	}
	return strings.TrimSuffix(strings.TrimPrefix(list, ", "), ", ")
}

// acquaintances returns the ids of the players in the person's tournaments and games.
func (e *erasing) acquaintances() (map[string]bool, error) {
	var ids []string
	if e.Player != "" {
		err := e.tx.Raw("SELECT DISTINCT player_id FROM game_players WHERE game_id IN "+
			"(SELECT game_id FROM game_players WHERE player_id = ?)", e.Player).Scan(&ids).Error
		if err != nil {
			return nil, err
		}
	}
	met := map[string]bool{}
	for part := range slices.Chunk(e.scope, tournamentsAtOnce) {
		var entered []string
		err := e.tx.Model(&memberRow{}).Where("tournament_id IN ?", part).Distinct().Pluck("player_id", &entered).Error
		if err != nil {
			return nil, err
		}
		ids = append(ids, entered...)
	}
	for _, id := range ids {
		met[id] = true
	}
	return met, nil
}

// Rewrite rewrites SQLite's file without the room that deleted persons have left in it: SQLite does not overwrite
// deleted data, nor data moved within its pages, so that names could be read from the file with other tools. It does
// nothing if no person was deleted since it last succeeded, and nothing on PostgreSQL, which frees room by itself.
// Writes wait while it works, which takes about a second for 50 MiB.
func (s *Store) Rewrite(ctx context.Context) error {
	if s.dir == "" {
		return nil
	}
	var due []int64
	if err := s.reads.WithContext(ctx).Model(&erasureRow{}).Pluck("number", &due).Error; err != nil || len(due) == 0 {
		return db.About("look for what is to be rewritten", err)
	}
	if err := sqlite.Vacuum(ctx, filepath.Join(s.dir, databaseFile)); err != nil {
		return db.About("rewrite the database file", err)
	}
	return db.About("note that the file was rewritten", s.backend.write(ctx, func(tx *gorm.DB) error {
		return tx.Delete(&erasureRow{}, "number IN ?", due).Error
	}))
}
