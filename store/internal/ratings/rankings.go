package ratings

import (
	"context"
	"slices"
	"strings"

	"gorm.io/gorm"

	"quatuor/rating/ledger"
	"quatuor/store/internal/db"
	"quatuor/store/internal/outbox"
	"quatuor/store/internal/paging"
)

// Lists returns all lists with a rated game, by id.
func (s *Ratings) Lists(ctx context.Context) ([]ledger.ListSummary, error) {
	var lists []ledger.ListSummary
	err := s.Reads.WithContext(ctx).Model(&List{}).
		Select("list, games, last_at, (SELECT count(*) FROM current_ratings c WHERE c.list = rating_lists.list AND "+
			"c.unrated = ?) AS players", false).
		Order("list").Scan(&lists).Error
	return lists, db.About("read rating lists", err)
}

// History returns a player's rows in a list, by ascending Seq.
func (s *Ratings) History(ctx context.Context, list, playerID string) ([]ledger.Row, error) {
	var rows []Row
	err := s.Reads.WithContext(ctx).Where("list = ? AND player_id = ?", list, playerID).Order("seq").Find(&rows).Error
	return db.Map(rows, (*Row).row), db.About("read a player's ratings", err)
}

// Changes returns the rows of a game, by seat.
func (s *Ratings) Changes(ctx context.Context, gameID string) ([]ledger.Row, error) {
	var rows []Row
	err := s.Reads.WithContext(ctx).Where("game_id = ?", gameID).Order("seat").Find(&rows).Error
	return db.Map(rows, (*Row).row), db.About("read a game's ratings", err)
}

// rankedRow is a current rating with the player's name; players without a record go by their id.
type rankedRow struct {
	Current Current `gorm:"embedded"`
	Name    string
}

// currentColumns are those of current ratings.
var currentColumns = "current_ratings." + strings.Join(db.ColumnsOf(&Current{}), ", current_ratings.")

// ranked joins current ratings with names.
func ranked(tx *gorm.DB) *gorm.DB {
	return tx.Model(&Current{}).
		Select(currentColumns + ", coalesce(players.name, current_ratings.player_id) AS name").
		Joins("LEFT JOIN players ON players.id = current_ratings.player_id")
}

// Strength is a place in a ranking.
type Strength struct {
	List, PlayerID string
	Value          float64
}

// Ranking returns a page of a list, the strongest first, of players active since a time.
func (s *Ratings) Ranking(ctx context.Context, list string, since int64, limit int, after string) (
	players []ledger.Ranked, next string, err error,
) {
	from, err := paging.Parse[Strength]("ratings", after)
	if err != nil || from != nil && from.List != list {
		return nil, "", paging.BadCursor{List: "ratings"}
	}
	limit = max(limit, 1)
	err = s.Snapshot(ctx, func(tx *gorm.DB) error {
		query := ranked(tx).Where("current_ratings.list = ? AND current_ratings.unrated = ?", list, false).
			Order("current_ratings.value DESC, current_ratings.player_id").Limit(limit + 1)
		if since > 0 {
			query = query.Where("current_ratings.last_at >= ?", since)
		}
		if from != nil {
			// The first condition follows from the second, and lets the index begin at the right place.
			query = query.Where("current_ratings.value <= ?", from.Value).
				Where("(current_ratings.value < ? OR current_ratings.player_id > ?)", from.Value, from.PlayerID)
		}
		var rows []rankedRow
		if err := query.Scan(&rows).Error; err != nil || len(rows) == 0 {
			return err
		}
		rows, next = paging.Cut("ratings", rows, limit, func(r *rankedRow) any {
			return Strength{list, r.Current.PlayerID, r.Current.Value}
		})
		players, err = placed(tx, rows, since)
		return err
	})
	return players, next, db.About("read a ranking", err)
}

// AsOf returns a page of a list as of a moment, from each player's last row until then. It reads all rows of the list,
// in the order of an index.
func (s *Ratings) AsOf(ctx context.Context, list string, since, before int64, limit int, after string) (
	players []ledger.Ranked, next string, err error,
) {
	from, err := paging.Parse[Strength]("ratings", after)
	if err != nil || from != nil && from.List != list {
		return nil, "", paging.BadCursor{List: "ratings"}
	}
	var rows []rankedRow
	err = s.Reads.WithContext(ctx).Raw(`SELECT r.list, r.player_id, r.value_after AS value, r.games_after AS games, r.reached, r.seq,
			r.deviation, r.volatility, r.unrated, r.period, r.from_tournaments,
			r.at AS last_at, coalesce(p.name, r.player_id) AS name
		FROM (SELECT player_id, max(seq) AS seq FROM rating_rows WHERE list = ? AND at < ? GROUP BY player_id) l
		JOIN rating_rows r ON r.list = ? AND r.player_id = l.player_id AND r.seq = l.seq
		LEFT JOIN players p ON p.id = r.player_id
		WHERE r.at >= ? AND r.unrated = ? ORDER BY r.value_after DESC, r.player_id`, list, before, list, since, false).Scan(&rows).Error
	if err != nil {
		return nil, "", db.About("read an earlier ranking", err)
	}
	all := make([]ledger.Ranked, len(rows))
	for i := range rows {
		rank := i + 1
		if i > 0 && rows[i].Current.Value == rows[i-1].Current.Value {
			rank = all[i-1].Rank
		}
		all[i] = rows[i].ranked(rank)
	}
	if from != nil {
		all = slices.DeleteFunc(all, func(r ledger.Ranked) bool {
			return r.Rating.Value > from.Value || r.Rating.Value == from.Value && r.PlayerID <= from.PlayerID
		})
	}
	players, next = paging.Cut("ratings", all, max(limit, 1), func(r *ledger.Ranked) any {
		return Strength{list, r.PlayerID, r.Rating.Value}
	})
	return players, next, nil
}

// placed ranks neighbours in a list.
func placed(tx *gorm.DB, rows []rankedRow, since int64) ([]ledger.Ranked, error) {
	rank, err := rankOf(tx, &rows[0].Current, since)
	if err != nil {
		return nil, err
	}
	first := &rows[0].Current
	var sharing int64 // players before the first of the page with the same rank
	err = tx.Model(&Current{}).Where("list = ? AND value = ? AND player_id < ? AND last_at >= ? AND unrated = ?",
		first.List, first.Value, first.PlayerID, since, false).
		Count(&sharing).Error
	if err != nil {
		return nil, err
	}
	before := rank - 1 + int(sharing)
	players := make([]ledger.Ranked, len(rows))
	for i := range rows {
		if i > 0 && rows[i].Current.Value != rows[i-1].Current.Value {
			rank = before + i + 1
		}
		players[i] = rows[i].ranked(rank)
	}
	return players, nil
}

// rankOf returns a rank; equal values share it.
func rankOf(tx *gorm.DB, r *Current, since int64) (int, error) {
	var stronger int64
	err := tx.Model(&Current{}).Where("list = ? AND value > ? AND last_at >= ? AND unrated = ?", r.List, r.Value, since,
		false).Count(&stronger).Error
	return int(stronger) + 1, err
}

func (r *rankedRow) ranked(rank int) ledger.Ranked {
	c := &r.Current
	now := c.Rating()
	now.FromTournaments = min(now.FromTournaments, now.Games) // some systems count less than all games
	return ledger.Ranked{
		List: c.List, Rank: rank, PlayerID: c.PlayerID, Name: r.Name, Rating: now, LastAt: c.LastAt,
	}
}

// OfPlayer returns a player's places in all lists, by list.
func (s *Ratings) OfPlayer(ctx context.Context, playerID string) ([]ledger.Ranked, error) {
	var places []ledger.Ranked
	err := s.Snapshot(ctx, func(tx *gorm.DB) error {
		var rows []rankedRow
		err := ranked(tx).Where("current_ratings.player_id = ? AND current_ratings.unrated = ?", playerID, false).
			Order("current_ratings.list").Scan(&rows).Error
		for i := range rows {
			rank, e := rankOf(tx, &rows[i].Current, 0)
			if err = e; err != nil {
				return err
			}
			places = append(places, rows[i].ranked(rank))
		}
		return err
	})
	return places, db.About("read a player's ratings", err)
}

// Regulation returns the regulation that the stored ratings follow, "" for the first, and the lists that have any.
func (s *Ratings) Regulation(ctx context.Context) (regulation string, lists []string, err error) {
	reads := s.Reads.WithContext(ctx)
	var row outbox.Cursor
	if err := reads.Take(&row, "consumer = ?", outbox.OfRatings).Error; err != nil {
		return "", nil, db.About("read the regulation of the ratings", err)
	}
	err = reads.Model(&List{}).Order("list").Pluck("list", &lists).Error
	return row.Regulation, lists, db.About("read rating lists", err)
}

// Adopt replaces the regulation that the stored ratings follow, and changes nothing else; ledger.ErrRegulation if they
// follow a third.
func (s *Ratings) Adopt(ctx context.Context, from, to string) error {
	err := s.Write(ctx, func(tx *gorm.DB) error {
		stored := tx.Model(&outbox.Cursor{}).Where("consumer = ? AND regulation = ?", outbox.OfRatings, from)
		return db.Changed(stored.Update("regulation", to), ledger.ErrRegulation)
	})
	return db.About("change the regulation of the ratings", err)
}

// move moves the ratings cursor if it is at a place and the stored ratings follow the regulation, and reports whether
// it did.
func (s *Ratings) move(tx *gorm.DB, from, to int64) (bool, error) {
	if s.adopting {
		return outbox.Move(tx, outbox.OfRatings, to, "seq = ?", from)
	}
	return outbox.Move(tx, outbox.OfRatings, to, "seq = ? AND regulation = ?", from, s.regulation)
}

// Meetings returns the recorded games of a list between two players on different sides; see [ledger.Store].
func (s *Ratings) Meetings(ctx context.Context, list string, players [2]string, from, until, before int64) (
	met []ledger.Meeting, err error,
) {
	var games []struct {
		Seats, Others int
		Sides         []int `gorm:"serializer:text"`
		At            int64
		TournamentID  string `gorm:"serializer:null"`
		Reason        string
	}
	err = s.Reads.WithContext(ctx).Raw(`SELECT a.seat AS seats, b.seat AS others, o.sides AS sides, a.at AS at, o.tournament_id, o.reason
		FROM rating_rows a JOIN rating_rows b ON b.game_id = a.game_id AND b.player_id = ? JOIN outbox o ON o.seq = a.seq
		WHERE a.list = ? AND a.player_id = ? AND a.seq < ? AND a.at >= ? AND a.at < ?`,
		players[1], list, players[0], before, from, until).Scan(&games).Error
	for _, g := range games {
		if g.Sides[g.Seats-1] != g.Sides[g.Others-1] {
			met = append(met, ledger.Meeting{At: g.At, Casual: g.TournamentID == "" && g.Reason != outbox.ReasonHall})
		}
	}
	return met, db.About("count games between two players", err)
}

// latestGames is the number of a player's latest games that are searched for games not rated.
const latestGames = 200

// Uncounted returns finished games of a player without rows; see [ledger.Reader].
func (s *Ratings) Uncounted(ctx context.Context, list, playerID string, limit int) ([]ledger.Finished, error) {
	var ids []string
	err := s.Reads.WithContext(ctx).Raw(`SELECT o.game_id FROM outbox o WHERE o.corrects = 0 AND o.list = ? AND o.rated = ? AND o.seq > 0
		AND o.seq <= (SELECT seq FROM cursors WHERE consumer = ?)
		AND o.game_id IN (SELECT game_id FROM game_players WHERE player_id = ? ORDER BY created_at DESC LIMIT ?)
		AND NOT EXISTS (SELECT 1 FROM rating_rows r WHERE r.game_id = o.game_id)
		ORDER BY o.seq DESC LIMIT ?`, list, true, outbox.OfRatings, playerID, latestGames, limit).Scan(&ids).Error
	if err != nil {
		return nil, db.About("read games that were not rated", err)
	}
	games, err := s.Games(ctx, ids)
	found := make([]ledger.Finished, 0, len(ids))
	for _, id := range ids {
		if g, ok := games[id]; ok {
			found = append(found, g.Finished)
		}
	}
	return found, err
}

// Games returns finished games with their rows; see [ledger.Reader].
func (s *Ratings) Games(ctx context.Context, gameIDs []string) (map[string]ledger.RatedGame, error) {
	games := map[string]ledger.RatedGame{}
	marks, err := standing(s.Reads.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	reads := s.Reads.WithContext(ctx)
	for part := range db.Chunks(gameIDs) {
		var ends []outbox.Row
		if err := reads.Where("game_id IN ?", part).Order("seq").Find(&ends).Error; err != nil {
			return nil, db.About("read finished games", err)
		}
		for i := range ends { // of several, the last counts
			games[ends[i].GameID] = ledger.RatedGame{Finished: marks.in(&ends[i])}
		}
		var rows []Row
		if err := reads.Where("game_id IN ?", part).Order("game_id, seat").Find(&rows).Error; err != nil {
			return nil, db.About("read what games did to ratings", err)
		}
		for i := range rows {
			g := games[rows[i].GameID]
			g.Rows = append(g.Rows, rows[i].row())
			games[rows[i].GameID] = g
		}
	}
	return games, nil
}
