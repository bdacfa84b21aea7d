package ratings

import (
	"context"
	"fmt"
	"strconv"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"quatuor/rating"
	"quatuor/rating/ledger"
	"quatuor/store/internal/db"
	"quatuor/store/internal/outbox"
	"quatuor/tournament/adminlog"
)

// MarkRow is a row of rating_marks. It has the fields of a [ledger.Mark].
type MarkRow struct {
	ID           string `gorm:"primaryKey"`
	PlayerID     string
	TournamentID string
	From         int64 `gorm:"column:from_at"`
	Until        int64 `gorm:"column:until_at"`
	Reason       string
	By           string `gorm:"column:made_by"`
	At           int64  `gorm:"column:made_at"`
	LiftedBy     string
	LiftedAt     int64
}

// TableName is the table of the marks.
func (MarkRow) TableName() string { return "rating_marks" }

func (r *MarkRow) mark() ledger.Mark { return ledger.Mark(*r) }

// standing returns the marks in force.
func standing(reads *gorm.DB) (marks, error) {
	var rows []MarkRow
	if err := reads.Where("lifted_at = 0").Find(&rows).Error; err != nil {
		return marks{}, db.About("read marked players", err)
	}
	m, err := marksOf(reads, db.Map(rows, (*MarkRow).mark)...)
	return m, db.About("read marked players", err)
}

// marks are marks by player, and the tournaments that they name by game: the outbox lacks them for games in the hall.
type marks struct {
	by          map[string][]ledger.Mark
	tournaments map[string]string
}

func marksOf(tx *gorm.DB, all ...ledger.Mark) (marks, error) {
	m := marks{by: map[string][]ledger.Mark{}, tournaments: map[string]string{}}
	read := map[string]bool{}
	for _, mark := range all {
		m.by[mark.PlayerID] = append(m.by[mark.PlayerID], mark)
		if mark.TournamentID == "" || read[mark.TournamentID] {
			continue
		}
		read[mark.TournamentID] = true
		var games []string
		if err := tx.Table("games").Where("tournament_id = ?", mark.TournamentID).Pluck("id", &games).Error; err != nil {
			return m, err
		}
		for _, id := range games {
			m.tournaments[id] = mark.TournamentID
		}
	}
	return m, nil
}

// in returns a game for the ledger, with its marked seats.
func (m marks) in(r *outbox.Row) ledger.Finished {
	f := r.ForLedger()
	m.on(&f)
	return f
}

// on marks the seats of a game.
func (m marks) on(f *ledger.Finished) {
	if len(m.by) == 0 {
		return
	}
	for i, player := range f.Players {
		for _, mark := range m.by[player] {
			if mark.Covers(m.tournaments[f.GameID], f.FinishedAt) {
				if f.Marked == nil {
					f.Marked = make([]bool, len(f.Players))
				}
				f.Marked[i] = true
			}
		}
	}
}

// Marks returns all marks of a player, the latest first; those of all players if it is "".
func (s *Ratings) Marks(ctx context.Context, playerID string) ([]ledger.Mark, error) {
	query := s.Reads.WithContext(ctx).Order("made_at DESC, id")
	if playerID != "" {
		query = query.Where("player_id = ?", playerID)
	}
	return db.List("read marked players", query.Limit(pageOf), (*MarkRow).mark)
}

// Mark stores a mark, and puts the games that it covers into the outbox again, to be rated again from there.
func (s *Ratings) Mark(ctx context.Context, m ledger.Mark) error {
	err := s.Write(ctx, func(tx *gorm.DB) error {
		if err := outbox.Lock(tx); err != nil {
			return err
		}
		var same int64
		err := tx.Model(&MarkRow{}).Where("player_id = ? AND tournament_id = ? AND from_at = ? AND until_at = ? AND "+
			"lifted_at = 0",
			m.PlayerID, m.TournamentID, m.From, m.Until).Count(&same).Error
		if err != nil {
			return err
		}
		if same > 0 {
			return ledger.ErrMarked
		}
		row := MarkRow(m)
		if err := tx.Create(&row).Error; err != nil {
			return err
		}
		if err := s.logMark(ctx, tx, adminlog.MarkMade, m); err != nil {
			return err
		}
		return rerate(tx, m)
	})
	return db.Promised("mark a player", err, ledger.ErrMarked)
}

// Lift ends a mark as if it had never been made; ledger.ErrNoMark if there is none, or if it was lifted before.
func (s *Ratings) Lift(ctx context.Context, id, by string, at int64) (m ledger.Mark, err error) {
	err = s.Write(ctx, func(tx *gorm.DB) error {
		if err := outbox.Lock(tx); err != nil {
			return err
		}
		update := tx.Model(&MarkRow{}).Where("id = ? AND lifted_at = 0", id).
			Updates(map[string]any{"lifted_by": by, "lifted_at": at})
		if err := db.Changed(update, ledger.ErrNoMark); err != nil {
			return err
		}
		var row MarkRow
		if err := tx.Take(&row, "id = ?", id).Error; err != nil {
			return err
		}
		m = row.mark()
		if err := s.logMark(ctx, tx, adminlog.MarkLifted, m); err != nil {
			return err
		}
		return rerate(tx, m)
	})
	return m, db.Promised("lift a mark", err, ledger.ErrNoMark)
}

// rerate puts the first game of each list that a mark covers into the outbox again. The outbox is locked.
func rerate(tx *gorm.DB, m ledger.Mark) error {
	of, err := marksOf(tx, m)
	if err != nil {
		return err
	}
	return playAgain(tx, m.PlayerID, func(r *outbox.Row) bool { return of.in(r).Marked != nil })
}

// playAgain puts the first wanted game of a player in each list into the outbox again, in its last form, so that the
// ledger rates these lists again from there. The outbox is locked.
func playAgain(tx *gorm.DB, playerID string, wanted func(*outbox.Row) bool) error {
	var first []outbox.Row
	seen := map[string]bool{}
	last, more := int64(0), true
	for more {
		var rows []outbox.Row
		err := tx.Where("seq > ? AND corrects = 0 AND game_id IN (SELECT game_id FROM game_players WHERE player_id = ?)",
			last, playerID).
			Order("seq").Limit(pageOf).Find(&rows).Error
		if err != nil {
			return err
		}
		for i := range rows {
			if r := &rows[i]; r.List != "" && !seen[r.List] && wanted(r) {
				seen[r.List] = true
				first = append(first, *r)
			}
			last = rows[i].Seq
		}
		more = len(rows) == pageOf
	}
	for i := range first {
		if err := repeat(tx, &first[i]); err != nil {
			return err
		}
	}
	return nil
}

// repeat adds a copy of the last row of a game to the outbox, as its correction.
func repeat(tx *gorm.DB, first *outbox.Row) error {
	var row outbox.Row
	if err := tx.Where("game_id = ?", first.GameID).Order("revision DESC").Take(&row).Error; err != nil {
		return err
	}
	last, err := outbox.LastPlace(tx)
	if err != nil {
		return err
	}
	row.Seq = last + 1
	row.Corrects = first.Seq
	row.Revision++
	return tx.Create(&row).Error
}

var _ ledger.Giver = (*Ratings)(nil)

// Give stores ratings to start with if none is refused, and nothing if try is set; see [ledger.Giver].
func (s *Ratings) Give(ctx context.Context, ratings []ledger.GivenRating, at int64, try bool) (
	out []ledger.GivenOutcome, err error,
) {
	err = s.Write(ctx, func(tx *gorm.DB) error {
		if err := outbox.Lock(tx); err != nil { // games that end now are rated after this
			return err
		}
		var players map[string]*Given
		if out, players, err = judgeGiven(tx, ratings); err != nil || try || ledger.Refused(out) {
			return err
		}
		for _, o := range out {
			p := players[o.PlayerID]
			if p.Rating == nil {
				p.Rating = map[string]float64{}
			}
			if p.Deviation == nil {
				p.Deviation = map[string]float64{}
			}
			if p.GivenAt == nil {
				p.GivenAt = map[string]int64{}
			}
			p.Rating[o.List], p.GivenAt[o.List] = o.Value, at
			if delete(p.Deviation, o.List); o.Deviation > 0 {
				p.Deviation[o.List] = o.Deviation
			}
		}
		for _, p := range players {
			p.Version++
			if err := tx.Model(p).Select("rating", "deviation", "given_at", "version").Updates(p).Error; err != nil {
				return err
			}
		}
		return s.logGiven(ctx, tx, out)
	})
	return out, db.About("store ratings to start with", err)
}

// judgeGiven returns the outcome of each rating, and their players, which are locked.
func judgeGiven(tx *gorm.DB, ratings []ledger.GivenRating) ([]ledger.GivenOutcome, map[string]*Given, error) {
	ids := make([]string, 0, len(ratings))
	for _, g := range ratings {
		ids = append(ids, g.PlayerID)
	}
	players := map[string]*Given{}
	played := map[[2]string]bool{}
	for part := range db.Chunks(ids) {
		var rows []Given
		if err := tx.Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate}).Order("id").Find(&rows, "id IN ?", part).
			Error; err != nil {
			return nil, nil, err
		}
		for i := range rows {
			players[rows[i].ID] = &rows[i]
		}
		var over []struct{ PlayerID, List string }
		err := tx.Raw(`SELECT DISTINCT p.player_id AS player_id, o.list AS list FROM game_players p JOIN outbox o ON o.game_id = p.game_id
			WHERE p.player_id IN ? AND o.rated = ?`, part, true).Scan(&over).Error
		if err != nil {
			return nil, nil, err
		}
		for _, one := range over {
			played[[2]string{one.PlayerID, one.List}] = true
		}
	}
	out := make([]ledger.GivenOutcome, len(ratings))
	for i, g := range ratings {
		o := &out[i]
		o.GivenRating = g
		p := players[g.PlayerID]
		if p == nil {
			o.Refusal = "unknown"
			continue
		}
		o.Name, o.Before = p.Name, p.Rating[g.List]
		if played[[2]string{g.PlayerID, g.List}] {
			o.Refusal = "played"
		}
	}
	return out, players, nil
}

// Given is a player with the ratings to start with, by list: a part of the row of players.
type Given struct {
	ID        string `gorm:"primaryKey"`
	Name      string
	Rating    map[string]float64 `gorm:"serializer:text"`
	Deviation map[string]float64 `gorm:"serializer:text"` // of these ratings
	GivenAt   map[string]int64   `gorm:"serializer:text"` // when they were entered; not before this was stored
	Version   int64
}

// TableName is the table of the players.
func (Given) TableName() string { return "players" }

// In returns the player's initial rating in a list.
func (g *Given) In(list string) (rating.Rating, bool) {
	value, ok := g.Rating[list]
	return rating.Rating{Value: value, Deviation: g.Deviation[list], Since: g.GivenAt[list]}, ok
}

// MarkSeats marks the seats of marked players in games that are about to be rated.
func (s *Ratings) MarkSeats(ctx context.Context, games []ledger.Finished) error {
	marks, err := standing(s.Reads.WithContext(ctx))
	for i := range games {
		marks.on(&games[i])
	}
	return err
}

// givenIn adds the ratings in a list that players were entered with.
func givenIn(reads *gorm.DB, list string, players []string, to map[string]rating.Rating) error {
	var given []Given
	if err := reads.Select("id", "rating", "deviation", "given_at").Where("id IN ?", players).Find(&given).Error; err != nil {
		return err
	}
	for i := range given {
		if r, ok := given[i].In(list); ok {
			to[given[i].ID] = r
		}
	}
	return nil
}

// logMark logs a mark on a player as a cheat, or that it was lifted.
func (s *Ratings) logMark(ctx context.Context, tx *gorm.DB, kind adminlog.Kind, m ledger.Mark) error {
	var player Given
	if err := tx.Select("name").Limit(1).Find(&player, "id = ?", m.PlayerID).Error; err != nil {
		return err
	}
	what := adminlog.Values(nil).With("reason", m.Reason).With("tournament", m.TournamentID)
	if m.From != 0 {
		what = what.With("from", adminlog.Moment(m.From))
	}
	if m.Until != 0 {
		what = what.With("until", adminlog.Moment(m.Until))
	}
	e := adminlog.Entry{Kind: kind, About: adminlog.Player(m.PlayerID, player.Name), After: what}
	if kind == adminlog.MarkLifted {
		e.Before, e.After = what, nil
	}
	return s.Log(ctx, tx, e)
}

// logGiven logs initial ratings: their number, and the first of them before and after.
func (s *Ratings) logGiven(ctx context.Context, tx *gorm.DB, given []ledger.GivenOutcome) error {
	e := adminlog.Entry{
		Kind: adminlog.RatingsImported, About: adminlog.Subject{Kind: adminlog.OfRatings},
		Before: adminlog.Values{}, After: adminlog.Values{"count": strconv.Itoa(len(given))},
	}
	if len(given) == 1 {
		e.About = adminlog.Player(given[0].PlayerID, given[0].Name)
	}
	for _, g := range given[:min(len(given), adminlog.MaxListed)] {
		what := fmt.Sprintf("%s (%s) %s", g.Name, g.PlayerID, g.List)
		if g.Before != 0 {
			e.Before[what] = adminlog.Number(g.Before)
		}
		e.After[what] = adminlog.Number(g.Value)
	}
	return s.Log(ctx, tx, e)
}
