package store

import (
	"cmp"
	"context"
	"slices"

	"gorm.io/gorm"

	"quatuor/engine/table"
	"quatuor/store/internal/db"
	"quatuor/store/internal/paging"
)

// newest is a place in a list that goes from the newest to the oldest.
type newest struct {
	CreatedAt int64
	ID        string
}

// List returns games, the newest first, with snapshots and without logs.
func (g *Games) List(ctx context.Context, f table.Filter, limit int, cursor string) ([]table.Game, string, error) {
	from, err := paging.Parse[newest]("games", cursor)
	if err != nil {
		return nil, "", err
	}
	limit = max(limit, 1)
	rows, err := findVariants(g.s.reads.WithContext(ctx).Limit(limit+1), f, from)
	if err != nil {
		return nil, "", db.About("list games", err)
	}
	rows, next := paging.Cut("games", rows, limit, func(r *gameRow) any { return r.place() })
	return db.Map(rows, (*gameRow).game), next, nil
}

// findVariants runs a query for each of several variants, for the same reason as findGames.
func findVariants(query *gorm.DB, f table.Filter, from *newest) ([]gameRow, error) {
	if f.Variant != "" || len(f.Variants) == 0 {
		return findGames(query, f, from)
	}
	query = query.Session(&gorm.Session{})
	var all []gameRow
	for _, variant := range slices.Compact(slices.Sorted(slices.Values(f.Variants))) {
		f.Variant = variant
		rows, err := findGames(query, f, from)
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return newestFirst(all, (*gameRow).place), nil
}

// findGames runs a query for each status, so that an index answers each in its order, and merges the results. Games of
// a player or a tournament are few enough to be filtered.
func findGames(query *gorm.DB, f table.Filter, from *newest) ([]gameRow, error) {
	if f.Invited {
		return findInvitations(query, f, from)
	}
	query = inOrder(games(query), f.Player, from)
	filter := indexed
	if f.Player != "" || f.Tournament != "" {
		filter = unindexed
	}
	if f.Variant != "" {
		query = query.Where(filter("games.variant")+" = ?", f.Variant)
	}
	if f.Tournament != "" {
		query = query.Where("games.tournament_id = ?", f.Tournament)
	}
	if len(f.Status) > 0 && f.Player == "" && f.Tournament == "" {
		rows, err := findByStatus(query.Session(&gorm.Session{}), "games.status", f.Status, (*gameRow).place)
		if err != nil || !f.Delayed {
			return rows, err
		}
		more, err := findByStatus(query.Where(delayed), "games.status", besides(f.Status), (*gameRow).place)
		return newestFirst(append(rows, more...), (*gameRow).place), err
	}
	switch {
	case len(f.Status) > 0 && f.Delayed:
		query = query.Where(filter("games.status")+" IN ? OR "+delayed+" AND "+filter("games.status")+" IN ?", f.Status,
			besides(f.Status))
	case len(f.Status) > 0:
		query = query.Where(filter("games.status")+" IN ?", f.Status)
	}
	var rows []gameRow
	err := query.Find(&rows).Error
	return rows, err
}

// findInvitations finds the games that wait for invited players. They are few beside the games that an eager player has
// played, so they are read in the order of their own index, and the player is looked for in each.
func findInvitations(query *gorm.DB, f table.Filter, from *newest) (rows []gameRow, err error) {
	query = inOrder(games(query), "", from).Where("games.status = 'waiting' AND games.invited > 0")
	if f.Listed {
		query = query.Where("games.open AND games.code = ''")
	}
	if f.Variant != "" {
		query = query.Where("games.variant = ?", f.Variant)
	}
	if f.Player != "" {
		query = query.Where("EXISTS (SELECT 1 FROM game_players WHERE game_players.game_id = games.id AND "+
			"game_players.player_id = ?)", f.Player)
	}
	return rows, query.Find(&rows).Error
}

// delayed picks games that spectators see with a delay.
const delayed = "(games.delay_moves > 0 OR games.delay_ms > 0)"

// besides lists the states before the end of a game that are not wanted.
func besides(wanted []table.Status) []table.Status {
	return slices.DeleteFunc([]table.Status{table.Waiting, table.Running, table.Paused}, func(s table.Status) bool {
		return slices.Contains(wanted, s)
	})
}

// newestFirst sorts rows by their places.
func newestFirst[R any](rows []R, place func(*R) newest) []R {
	slices.SortFunc(rows, func(a, b R) int {
		one, two := place(&a), place(&b)
		return cmp.Or(cmp.Compare(two.CreatedAt, one.CreatedAt), cmp.Compare(two.ID, one.ID))
	})
	return rows
}

func (r *gameRow) place() newest { return newest{r.CreatedAt, r.ID} }

// indexed is a plain column; unindexed is an expression that no index holds. Without statistics a planner would else go
// through all finished games for those few of a tournament.
func indexed(name string) string   { return name }
func unindexed(name string) string { return "(" + name + " || '')" }

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

// findByStatus returns the rows of some statuses, the newest first: as many of each as the query is limited to.
func findByStatus[R any, S ~string](query *gorm.DB, column string, wanted []S, place func(*R) newest) ([]R, error) {
	query = query.Session(&gorm.Session{})
	var all []R
	for _, status := range slices.Compact(slices.Sorted(slices.Values(wanted))) {
		var rows []R
		if err := query.Where(column+" = ?", status).Find(&rows).Error; err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return newestFirst(all, place), nil
}

// Versions are the versions of games and tournaments, by id; unknown ids are left out.
type Versions struct {
	Games       map[string]int64
	Tournaments map[string]int64
	Published   map[string]int64 // versions of the public part of a tournament
}

// versionsQuery takes each list of ids as a single parameter on PostgreSQL.
const versionsQuery = `SELECT 'g', games.id, coalesce(live_games.version, games.version), 0 FROM games ` + liveJoin + ` WHERE games.id = ANY($1)
	UNION ALL SELECT 't', id, version, public_version FROM tournaments WHERE id = ANY($2)`

// Versions returns the stored versions of games and tournaments, in a single query. Only several instances on
// PostgreSQL need it; SQLite is not queried.
func (s *Store) Versions(ctx context.Context, games, tournaments []string) (v Versions, err error) {
	v = Versions{Games: map[string]int64{}, Tournaments: map[string]int64{}, Published: map[string]int64{}}
	if s.backend.alone() || len(games)+len(tournaments) == 0 {
		return v, nil
	}
	pool, err := s.reads.DB()
	if err != nil {
		return v, err
	}
	type stored struct {
		what, id           string
		version, published int64
	}
	rows, err := pool.QueryContext(ctx, versionsQuery, games, tournaments)
	list, err := db.Collect(rows, err, func(s *stored) []any { return []any{&s.what, &s.id, &s.version, &s.published} })
	for _, s := range list {
		if s.what == "g" {
			v.Games[s.id] = s.version
		} else {
			v.Tournaments[s.id], v.Published[s.id] = s.version, s.published
		}
	}
	return v, db.About("read versions", err)
}
