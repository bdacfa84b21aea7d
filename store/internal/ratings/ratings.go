// Package ratings keeps rating rows, the current ratings and sums of lists that follow from them, marks on players, and
// initial ratings. It is the ledger's store; the caller's batches store the effects of rated games.
package ratings

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"slices"

	"gorm.io/gorm"

	"quatuor/rating"
	"quatuor/rating/ledger"
	"quatuor/store/internal/db"
	"quatuor/store/internal/outbox"
	"quatuor/tournament/adminlog"
)

// Config is the access of ratings to the database.
type Config struct {
	Reads    *gorm.DB
	Snapshot func(ctx context.Context, read func(tx *gorm.DB) error) error // in a single state of the database
	Write    func(ctx context.Context, work func(tx *gorm.DB) error) error // work may run more than once
	Long     func(ctx context.Context, work func(ctx context.Context, tx *gorm.DB) error) error
	Pending  func(ctx context.Context, consumer string) (from int64, some bool, err error)
	Record   func(ctx context.Context, r *Recording) error // ledger.ErrBehind if the cursor has moved
	Log      func(ctx context.Context, tx *gorm.DB, e adminlog.Entry) error
}

// Recording is the result of rating games, to be stored in a transaction that moves the cursor of a regulation.
type Recording struct {
	From, To   int64
	Regulation string
	Rows       []Row
	Current    []Current // of the players
	Lists      []List    // additions to their sums
}

// Ratings keeps ratings. It is a [ledger.Store] and a [ledger.Reader].
type Ratings struct {
	*shared
	adopting bool // Renew makes the stored ratings follow the regulation
}

type shared struct {
	Config
	regulation string
}

// New returns ratings in a database.
func New(c Config) *Ratings { return &Ratings{shared: &shared{Config: c}} }

// RateBy sets the regulation of new ratings, before anything is rated. If the stored ratings follow another regulation,
// every write returns ledger.ErrRegulation.
func (s *Ratings) RateBy(regulation string) { s.regulation = regulation }

// Adopting returns ratings with a Renew that makes rows of any regulation follow that set by RateBy.
func (s *Ratings) Adopting() *Ratings { return &Ratings{s.shared, true} }

var (
	_ ledger.Store  = (*Ratings)(nil)
	_ ledger.Reader = (*Ratings)(nil)
	_ ledger.Marker = (*Ratings)(nil)
)

// Pending returns the ratings cursor and up to limit games after it.
func (s *Ratings) Pending(ctx context.Context, limit int) (from int64, games []ledger.Finished, err error) {
	from, some, err := s.Config.Pending(ctx, outbox.OfRatings)
	if err != nil || !some {
		return from, nil, err
	}
	// Where the cursor is moved between the two, Record refuses the result.
	var rows []outbox.Row
	err = s.Reads.WithContext(ctx).Where("seq > ?", from).Order("seq").Limit(limit).Find(&rows).Error
	if err != nil || len(rows) == 0 {
		return from, nil, db.About("read the outbox", err)
	}
	marks, err := standing(s.Reads.WithContext(ctx))
	if err != nil {
		return 0, nil, err
	}
	for i := range rows {
		games = append(games, marks.in(&rows[i]))
	}
	return from, games, nil
}

// Current returns the current ratings in a list: of the last game or, before that, the rating a player was given.
func (s *Ratings) Current(ctx context.Context, list string, players []string) (map[string]rating.Rating, error) {
	reads := s.Reads.WithContext(ctx)
	current := map[string]rating.Rating{}
	for part := range db.Chunks(players) {
		if err := givenIn(reads, list, part, current); err != nil {
			return nil, db.About("read given ratings", err)
		}
		var rows []Current
		if err := reads.Where("list = ? AND player_id IN ?", list, part).Find(&rows).Error; err != nil {
			return nil, db.About("read current ratings", err)
		}
		for i := range rows {
			current[rows[i].PlayerID] = rows[i].Rating()
		}
	}
	return current, nil
}

// Until returns the ratings of players in a list as they were before a time, or are now if that is 0: of the last game
// that ended before or, without a game, the rating a player was given. Those without a rating are left out.
func (s *Ratings) Until(ctx context.Context, list string, players []string, before int64) (map[string]float64, error) {
	reads, out := s.Reads.WithContext(ctx), make(map[string]float64, len(players))
	before = cmp.Or(before, math.MaxInt64)
	for part := range db.Chunks(players) {
		given := map[string]rating.Rating{}
		if err := givenIn(reads, list, part, given); err != nil {
			return nil, db.About("read given ratings", err)
		}
		for id, r := range given {
			out[id] = r.Value
		}
		var rows []struct {
			PlayerID string
			Value    float64
		}
		err := reads.Raw(`SELECT r.player_id, r.value_after AS value
			FROM (SELECT player_id, max(seq) AS seq FROM rating_rows WHERE list = ? AND player_id IN ? AND at < ? GROUP BY player_id) l
			JOIN rating_rows r ON r.list = ? AND r.player_id = l.player_id AND r.seq = l.seq
			WHERE r.unrated = ?`, list, part, before, list, false).Scan(&rows).Error
		if err != nil {
			return nil, db.About("read earlier ratings", err)
		}
		for _, r := range rows {
			out[r.PlayerID] = r.Value
		}
	}
	return out, nil
}

// Recorded returns those of the games that have rows already.
func (s *Ratings) Recorded(ctx context.Context, gameIDs []string) (map[string]bool, error) {
	recorded, err := db.Known(s.Reads.WithContext(ctx).Model(&Row{}), "game_id", gameIDs)
	return recorded, db.About("read recorded games", err)
}

// Record writes rows and moves the ratings cursor from a place to another; ledger.ErrBehind if the cursor is not at
// from, or if a row exists already.
func (s *Ratings) Record(ctx context.Context, from, to int64, rows []ledger.Row) error {
	return s.RecordBy(ctx, s.Config.Record, from, to, rows)
}

// RecordBy is Record by another writer.
func (s *Ratings) RecordBy(
	ctx context.Context, write func(context.Context, *Recording) error, from, to int64, rows []ledger.Row,
) error {
	r := &Recording{From: from, To: to, Regulation: s.regulation, Rows: db.Map(rows, toRatingRow)}
	r.Current, r.Lists = lastRows(r.Rows), sums(r.Rows)
	err := write(ctx, r)
	if errors.Is(err, ledger.ErrBehind) || db.Duplicate(err) {
		return s.refused(ctx)
	}
	return db.About("record ratings", err)
}

// lastRows returns each player's last row in each list.
func lastRows(rows []Row) []Current {
	last := map[[2]string]*Row{}
	for i := range rows {
		key := [2]string{rows[i].List, rows[i].PlayerID}
		if known := last[key]; known == nil || known.Seq < rows[i].Seq {
			last[key] = &rows[i]
		}
	}
	current := make([]Current, 0, len(last))
	for _, r := range last {
		current = append(current, currentOf(ledger.Standing{
			List: r.List, PlayerID: r.PlayerID, Rating: r.row().Rating(), Seq: r.Seq, LastAt: r.At,
		}))
	}
	// In the same order for all, so that two transactions never wait for each other.
	slices.SortFunc(current, func(a, b Current) int {
		return cmp.Or(cmp.Compare(a.List, b.List), cmp.Compare(a.PlayerID, b.PlayerID))
	})
	return current
}

// sums counts the games of each list.
func sums(rows []Row) []List {
	lists := map[string]*List{}
	counted := map[[2]string]bool{}
	for i := range rows {
		r := &rows[i]
		if lists[r.List] == nil {
			lists[r.List] = &List{List: r.List}
		}
		sum := lists[r.List]
		sum.LastAt = max(sum.LastAt, r.At)
		if game := [2]string{r.List, r.GameID}; !counted[game] {
			counted[game] = true
			sum.Games++
		}
	}
	all := make([]List, 0, len(lists))
	for _, list := range slices.Sorted(maps.Keys(lists)) {
		all = append(all, *lists[list])
	}
	return all
}

// Row is a row of rating_rows: the effect of a game on a player. It has the fields of a [ledger.Row].
type Row struct {
	GameID     string `gorm:"primaryKey"`
	List       string
	PlayerID   string `gorm:"primaryKey"`
	Seat       int
	Seq        int64
	System     string
	Before     float64 `gorm:"column:value_before"`
	After      float64 `gorm:"column:value_after"`
	Change     float64
	Expected   float64
	Score      float64
	GamesAfter int
	K          float64
	Reached    bool
	At         int64

	DeviationBefore float64
	Deviation       float64
	Volatility      float64
	Unrated         bool
	Period          rating.Period `gorm:"serializer:text"`
	Refunded        bool
	FromTournaments int
}

// TableName is the table of the rows.
func (Row) TableName() string { return "rating_rows" }

func toRatingRow(r *ledger.Row) Row { return Row(*r) }

func (r *Row) row() ledger.Row { return ledger.Row(*r) }

// Current is a row of current_ratings: a player's last row in a list.
type Current struct {
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
	Period     rating.Period `gorm:"serializer:text"`

	FromTournaments int
}

// TableName is the table of the rows.
func (Current) TableName() string { return "current_ratings" }

// Rating returns the rating.
func (r *Current) Rating() rating.Rating {
	return rating.Rating{
		Value: r.Value, Games: r.Games, Reached2400: r.Reached, Deviation: r.Deviation, Volatility: r.Volatility,
		Unrated: r.Unrated, Period: r.Period, FromTournaments: r.FromTournaments,
	}
}

// currentOf returns the row of a rating.
func currentOf(s ledger.Standing) Current {
	return Current{
		List: s.List, PlayerID: s.PlayerID, Value: s.Rating.Value, Games: s.Rating.Games, Reached: s.Rating.Reached2400,
		Seq: s.Seq, LastAt: s.LastAt, Deviation: s.Rating.Deviation, Volatility: s.Rating.Volatility,
		Unrated: s.Rating.Unrated, Period: s.Rating.Period, FromTournaments: s.Rating.FromTournaments,
	}
}

// List is a row of rating_lists.
type List struct {
	List   string `gorm:"primaryKey"`
	Games  int
	LastAt int64
}

// TableName is the table of the rows.
func (List) TableName() string { return "rating_lists" }

// Between hands out the games of the outbox after a place and up to another.
func (s *Ratings) Between(ctx context.Context, after, to int64, yield func(ledger.Finished) error) error {
	marks, err := standing(s.Reads.WithContext(ctx))
	p := &past{tx: s.Reads, after: after, cursor: to, marks: marks, words: newWords()}
	for games := []ledger.Finished(nil); err == nil && after < to; {
		games, after, err = p.Games(ctx, after, games[:0])
		for i := 0; i < len(games) && err == nil; i++ {
			err = yield(games[i])
		}
	}
	return err
}

// pageOf is the number of rows per page where all are handed out.
const pageOf = 2000

// refused returns why a write was refused.
func (s *Ratings) refused(ctx context.Context) error {
	stored, _, err := s.Regulation(ctx)
	switch {
	case err != nil:
		return err
	case stored != s.regulation && !s.adopting:
		return ledger.ErrRegulation
	}
	return ledger.ErrBehind
}
