package store

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"quatuor/rating"
	"quatuor/rating/ledger"
)

// Ratings keeps ratings. It is a [ledger.Store] and a [ledger.Reader].
type Ratings struct {
	s *Store

	adopting bool // Renew makes what is stored follow the store's regulation
}

// Ratings returns the store of ratings.
func (s *Store) Ratings() *Ratings { return &Ratings{s: s} }

// RateBy says by which regulation ratings are made from now on. Where what is stored follows another,
// ledger.ErrRegulation comes of every write. It is called before anything is rated.
func (s *Store) RateBy(regulation string) { s.regulation = regulation }

// Adopting returns the store of ratings whose Renew takes the rows of any regulation and makes them follow its own.
func (s *Ratings) Adopting() *Ratings { return &Ratings{s.s, true} }

var (
	_ ledger.Store  = (*Ratings)(nil)
	_ ledger.Reader = (*Ratings)(nil)
	_ ledger.Marker = (*Ratings)(nil)
)

// Pending returns the ratings cursor and up to limit games after it.
func (s *Ratings) Pending(ctx context.Context, limit int) (from int64, games []ledger.Finished, err error) {
	from, some, err := s.s.backend.pending(ctx, OfRatings)
	if err != nil || !some {
		return from, nil, err
	}
	// Where the cursor is moved between the two, Record refuses what is made of it.
	var rows []outboxRow
	err = s.s.reads.WithContext(ctx).Where("seq > ?", from).Order("seq").Limit(limit).Find(&rows).Error
	if err != nil || len(rows) == 0 {
		return from, nil, about("read the outbox", err)
	}
	marks, err := s.standing(ctx)
	if err != nil {
		return 0, nil, err
	}
	for i := range rows {
		games = append(games, marks.in(&rows[i]))
	}
	return from, games, nil
}

// Current returns the current ratings in one list: of the last game or, before that, the one a player was given.
func (s *Ratings) Current(ctx context.Context, list string, players []string) (map[string]rating.Rating, error) {
	reads := s.s.reads.WithContext(ctx)
	current := map[string]rating.Rating{}
	for part := range chunks(players) {
		if err := givenIn(reads, list, part, current); err != nil {
			return nil, about("read given ratings", err)
		}
		var rows []currentRow
		if err := reads.Where("list = ? AND player_id IN ?", list, part).Find(&rows).Error; err != nil {
			return nil, about("read current ratings", err)
		}
		for i := range rows {
			current[rows[i].PlayerID] = rows[i].rating()
		}
	}
	return current, nil
}

// Recorded returns those of the games that have rows already.
func (s *Ratings) Recorded(ctx context.Context, gameIDs []string) (map[string]bool, error) {
	recorded := map[string]bool{}
	for part := range chunks(gameIDs) {
		var ids []string
		err := s.s.reads.WithContext(ctx).Model(&ratingRow{}).Distinct("game_id").Where("game_id IN ?", part).
			Pluck("game_id", &ids).Error
		if err != nil {
			return nil, about("read recorded games", err)
		}
		for _, id := range ids {
			recorded[id] = true
		}
	}
	return recorded, nil
}

// Record writes rows and moves the ratings cursor from one place to another; ledger.ErrBehind if the cursor is not at
// from, or if a row exists already.
func (s *Ratings) Record(ctx context.Context, from, to int64, rows []ledger.Row) error {
	return s.record(ctx, s.s.backend.run, from, to, rows)
}

func (s *Ratings) record(ctx context.Context, run func(context.Context, *batch) error, from, to int64, rows []ledger.Row) error {
	b := newBatch(ledger.ErrBehind)
	b.call(moveRatings, from, to, s.s.regulation)
	b.ratings(rows)
	err := run(ctx, b)
	if errors.Is(err, ledger.ErrBehind) || duplicate(err) {
		return s.refused(ctx)
	}
	return about("record ratings", err)
}

// ratings adds rows and what follows from them: the players' current ratings and the lists' sums.
func (b *batch) ratings(rows []ledger.Row) {
	stored := toRatingRows(rows)
	for i := range stored {
		b.insert(addRating, &stored[i])
	}
	last := lastRows(stored)
	for i := range last {
		b.insert(setCurrent, &last[i])
	}
	for _, list := range sums(stored) {
		b.insert(countGames, &list)
	}
}

// lastRows returns each player's last row in each list.
func lastRows(rows []ratingRow) []currentRow {
	last := map[[2]string]*ratingRow{}
	for i := range rows {
		key := [2]string{rows[i].List, rows[i].PlayerID}
		if known := last[key]; known == nil || known.Seq < rows[i].Seq {
			last[key] = &rows[i]
		}
	}
	current := make([]currentRow, 0, len(last))
	for _, r := range last {
		current = append(current, currentRow{
			List: r.List, PlayerID: r.PlayerID, Value: r.ValueAfter, Games: r.GamesAfter, Reached: r.Reached,
			Seq: r.Seq, LastAt: r.At, Deviation: r.Deviation, Volatility: r.Volatility, Unrated: r.Unrated, Period: r.Period,
			FromTournaments: r.FromTournaments,
		})
	}
	// In one order for all, so that two transactions never wait for each other.
	slices.SortFunc(current, func(a, b currentRow) int {
		return cmp.Or(cmp.Compare(a.List, b.List), cmp.Compare(a.PlayerID, b.PlayerID))
	})
	return current
}

// sums counts the games of each list.
func sums(rows []ratingRow) []listRow {
	lists := map[string]*listRow{}
	counted := map[[2]string]bool{}
	for i := range rows {
		r := &rows[i]
		if lists[r.List] == nil {
			lists[r.List] = &listRow{List: r.List}
		}
		sum := lists[r.List]
		sum.LastAt = max(sum.LastAt, r.At)
		if game := [2]string{r.List, r.GameID}; !counted[game] {
			counted[game] = true
			sum.Games++
		}
	}
	all := make([]listRow, 0, len(lists))
	for _, list := range slices.Sorted(maps.Keys(lists)) {
		all = append(all, *lists[list])
	}
	return all
}

// ratingRow is a row of rating_rows: what one game did to one player.
type ratingRow struct {
	GameID      string `gorm:"primaryKey"`
	PlayerID    string `gorm:"primaryKey"`
	List        string
	Seat        int
	Seq         int64
	System      string
	ValueBefore float64
	ValueAfter  float64
	Change      float64
	Expected    float64
	Score       float64
	GamesAfter  int
	K           float64
	Reached     bool
	At          int64

	DeviationBefore float64
	Deviation       float64
	Volatility      float64
	Unrated         bool
	Refunded        bool
	Period          periodColumn
	FromTournaments int
}

func (ratingRow) TableName() string { return "rating_rows" }

func toRatingRow(r ledger.Row) ratingRow {
	return ratingRow{
		GameID: r.GameID, PlayerID: r.PlayerID, List: r.List, Seat: r.Seat, Seq: r.Seq, System: r.System,
		ValueBefore: r.Before, ValueAfter: r.After, Change: r.Change, Expected: r.Expected, Score: r.Score,
		GamesAfter: r.GamesAfter, K: r.K, Reached: r.Reached, At: r.At,
		DeviationBefore: r.DeviationBefore, Deviation: r.Deviation, Volatility: r.Volatility, Unrated: r.Unrated,
		Refunded: r.Refunded, Period: periodColumn{r.Period}, FromTournaments: r.FromTournaments,
	}
}

func (r *ratingRow) row() ledger.Row {
	return ledger.Row{
		GameID: r.GameID, PlayerID: r.PlayerID, List: r.List, Seat: r.Seat, Seq: r.Seq, System: r.System,
		Before: r.ValueBefore, After: r.ValueAfter, Change: r.Change, Expected: r.Expected, Score: r.Score,
		GamesAfter: r.GamesAfter, K: r.K, Reached: r.Reached, At: r.At,
		DeviationBefore: r.DeviationBefore, Deviation: r.Deviation, Volatility: r.Volatility, Unrated: r.Unrated,
		Refunded: r.Refunded, Period: r.Period.v, FromTournaments: r.FromTournaments,
	}
}

func toRatingRows(rows []ledger.Row) []ratingRow {
	stored := make([]ratingRow, len(rows))
	for i, r := range rows {
		stored[i] = toRatingRow(r)
	}
	return stored
}

func toRows(stored []ratingRow) []ledger.Row {
	rows := make([]ledger.Row, len(stored))
	for i := range stored {
		rows[i] = stored[i].row()
	}
	return rows
}

// currentRow is a row of current_ratings: a player's last row in a list.
type currentRow struct {
	List     string `gorm:"primaryKey"`
	PlayerID string `gorm:"primaryKey"`
	Value    float64
	Games    int
	Reached  bool
	Seq      int64
	LastAt   int64

	Deviation  float64
	Volatility float64
	Unrated    bool
	Period     periodColumn

	FromTournaments int
}

func (currentRow) TableName() string { return "current_ratings" }

func (r *currentRow) rating() rating.Rating {
	return rating.Rating{
		Value: r.Value, Games: r.Games, Reached2400: r.Reached, Deviation: r.Deviation, Volatility: r.Volatility,
		Unrated: r.Unrated, Period: r.Period.v, FromTournaments: r.FromTournaments,
	}
}

// listRow is a row of rating_lists.
type listRow struct {
	List   string `gorm:"primaryKey"`
	Games  int
	LastAt int64
}

func (listRow) TableName() string { return "rating_lists" }

func eachGiven(p *playerRow, yield func(list, playerID string, r rating.Rating) error) error {
	for list := range p.Rating.v {
		r, _ := p.given(list)
		if err := yield(list, p.ID, r); err != nil {
			return err
		}
	}
	return nil
}

// Between hands out the games of the outbox after one place and up to another.
func (s *Ratings) Between(ctx context.Context, after, to int64, yield func(ledger.Finished) error) error {
	for first := after; after < to; {
		var rows []outboxRow
		err := s.s.reads.WithContext(ctx).Where("seq > ? AND seq <= ?", after, to).Order("seq").Limit(pageOf).Find(&rows).Error
		if err != nil {
			return about("read the outbox", err)
		}
		if len(rows) == 0 {
			return nil
		}
		after = rows[len(rows)-1].Seq
		corrected, err := s.corrections(ctx, rows[0].Seq, after, to)
		if err != nil {
			return err
		}
		marks, err := s.standing(ctx)
		if err != nil {
			return err
		}
		for i := range rows {
			if rows[i].Corrects > first {
				continue // its game is handed out in the place of its first row
			}
			f := marks.in(&rows[i])
			if last, ok := corrected[rows[i].Seq]; ok {
				f = marks.in(last)
				f.Seq, f.Corrects = rows[i].Seq, 0
			}
			if err := yield(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// corrections returns, for the games whose first rows stand between two places, the last rows up to a third that take
// their places, by the place of the first.
func (s *Ratings) corrections(ctx context.Context, first, last, to int64) (map[int64]*outboxRow, error) {
	var rows []outboxRow
	err := s.s.reads.WithContext(ctx).Where("corrects > 0 AND corrects BETWEEN ? AND ? AND seq <= ?", first, last, to).Order("seq").
		Find(&rows).Error
	corrected := map[int64]*outboxRow{}
	for i := range rows {
		corrected[rows[i].Corrects] = &rows[i]
	}
	return corrected, about("read the outbox", err)
}
