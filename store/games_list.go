package store

import (
	"cmp"
	"context"
	"slices"

	"gorm.io/gorm"

	"quatuor/engine/table"
)

// newest is a place in a list that goes from the newest to the oldest.
type newest struct {
	CreatedAt int64
	ID        string
}

// List gives games, the newest first, with snapshots and without logs.
func (g *Games) List(ctx context.Context, f table.Filter, limit int, cursor string) ([]table.Game, string, error) {
	from, err := parseCursor[newest]("games", cursor)
	if err != nil {
		return nil, "", err
	}
	limit = max(limit, 1)
	rows, err := findGames(g.s.reads.WithContext(ctx).Limit(limit+1), f, from)
	if err != nil {
		return nil, "", about("list games", err)
	}
	rows, next := page("games", rows, limit, func(r *gameRow) any { return newest{r.CreatedAt, r.ID} })
	games := make([]table.Game, len(rows))
	for i := range rows {
		games[i] = rows[i].game()
	}
	return games, next, nil
}

// findGames asks once for each status, so that each question is answered from one index in its order, and puts the
// answers together. A player's or a tournament's games are few enough to be filtered.
func findGames(query *gorm.DB, f table.Filter, from *newest) ([]gameRow, error) {
	query = inOrder(query, f.Player, from)
	if f.Variant != "" {
		query = query.Where("games.variant = ?", f.Variant)
	}
	if f.Tournament != "" {
		query = query.Where("games.tournament_id = ?", f.Tournament)
	}
	if len(f.Status) > 0 && f.Player == "" && f.Tournament == "" {
		return findByStatus(query.Session(&gorm.Session{}), f.Status)
	}
	if len(f.Status) > 0 {
		query = query.Where("games.status IN ?", f.Status)
	}
	var rows []gameRow
	err := query.Find(&rows).Error
	return rows, err
}

// inOrder goes from the newest to the oldest, a player's games in the order of their own index.
func inOrder(query *gorm.DB, player string, from *newest) *gorm.DB {
	created, id := "games.created_at", "games.id"
	if player != "" {
		created, id = "game_players.created_at", "game_players.game_id"
		query = query.Joins("JOIN game_players ON game_players.game_id = games.id").
			Where("game_players.player_id = ?", player)
	}
	if from != nil {
		query = query.Where("("+created+", "+id+") < (?, ?)", from.CreatedAt, from.ID)
	}
	return query.Order(created + " DESC, " + id + " DESC")
}

func findByStatus(query *gorm.DB, wanted []table.Status) ([]gameRow, error) {
	var all []gameRow
	for _, status := range slices.Compact(slices.Sorted(slices.Values(wanted))) {
		var rows []gameRow
		if err := query.Where("games.status = ?", status).Find(&rows).Error; err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	slices.SortFunc(all, func(a, b gameRow) int {
		return cmp.Or(cmp.Compare(b.CreatedAt, a.CreatedAt), cmp.Compare(b.ID, a.ID))
	})
	return all, nil
}
