package store

import "context"

// Versions are the versions of games and tournaments, by id; what does not exist is left out.
type Versions struct {
	Games       map[string]int64
	Tournaments map[string]int64
	Published   map[string]int64 // versions of what the public can see of a tournament
}

// versionsQuery asks for any number of games and tournaments at once: lists of ids are one parameter on PostgreSQL.
const versionsQuery = `SELECT 'g', games.id, coalesce(live_games.version, games.version), 0 FROM games ` + liveJoin + ` WHERE games.id = ANY($1)
	UNION ALL SELECT 't', id, version, public_version FROM tournaments WHERE id = ANY($2)`

// Versions returns the versions of games and tournaments as they are stored, with one query. Only several instances on
// PostgreSQL need it; another database is not asked.
func (s *Store) Versions(ctx context.Context, games, tournaments []string) (v Versions, err error) {
	v = Versions{Games: map[string]int64{}, Tournaments: map[string]int64{}, Published: map[string]int64{}}
	if s.backend.alone() || len(games)+len(tournaments) == 0 {
		return v, nil
	}
	pool, err := s.reads.DB()
	if err != nil {
		return v, err
	}
	rows, err := pool.QueryContext(ctx, versionsQuery, games, tournaments)
	if err != nil {
		return v, about("read versions", err)
	}
	defer rows.Close()
	for rows.Next() {
		var what, id string
		var version, published int64
		if err := rows.Scan(&what, &id, &version, &published); err != nil {
			return v, about("read versions", err)
		}
		if what == "g" {
			v.Games[id] = version
		} else {
			v.Tournaments[id], v.Published[id] = version, published
		}
	}
	return v, about("read versions", rows.Err())
}
