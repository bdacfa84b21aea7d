package store

import (
	"context"
	"encoding/hex"
	"errors"
	"maps"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"quatuor/store/internal/db"
	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/slip"
)

// Slips keeps codes of slips, reported results and calls for the arbiter. It is a [director.Slips].
type Slips struct{ s *Store }

// Slips returns the store of slips.
func (s *Store) Slips() *Slips { return &Slips{s} }

var _ director.Slips = (*Slips)(nil)

type secretRow struct {
	TournamentID string `gorm:"primaryKey"`
	Round        int    `gorm:"primaryKey;autoIncrement:false"`
	Board        int    `gorm:"primaryKey;autoIncrement:false"`
	Secret       string
}

func (secretRow) TableName() string { return "slip_secrets" }

type codeRow struct {
	Hash         string `gorm:"primaryKey"`
	TournamentID string
	Round        int
	Board        int
	Seat         int
}

func (codeRow) TableName() string { return "slip_codes" }

type reportRow struct {
	TournamentID string `gorm:"primaryKey"`
	Round        int    `gorm:"primaryKey;autoIncrement:false"`
	Board        int    `gorm:"primaryKey;autoIncrement:false"`
	Seat         int    `gorm:"primaryKey;autoIncrement:false"`
	Basis        string
	Reports      int
	Verdict      string
	At           int64
}

func (reportRow) TableName() string { return "slip_reports" }

type callRow struct {
	ID           string `gorm:"primaryKey"`
	TournamentID string
	Round        int
	Board        int
	Seat         int
	Kind         slip.CallKind
	Word         string
	Basis        string
	At           int64
	Status       slip.CallStatus
	ByAccount    string
	SeenAt       int64
}

func (callRow) TableName() string { return "arbiter_calls" }

func (r *callRow) call() slip.Call {
	return slip.Call{
		ID: r.ID, Place: slip.Place{Tournament: r.TournamentID, Round: r.Round, Board: r.Board, Seat: r.Seat},
		Kind: r.Kind, Word: r.Word, Basis: r.Basis, At: r.At, Status: r.Status, By: r.ByAccount, SeenAt: r.SeenAt,
	}
}

// Secrets returns the secrets of a round's boards, by board.
func (s *Slips) Secrets(ctx context.Context, id string, round int) ([]slip.Secret, error) {
	var rows []secretRow
	err := s.s.reads.WithContext(ctx).Where("tournament_id = ? AND round = ?", id, round).Order("board").Find(&rows).Error
	if err != nil {
		return nil, db.About("read the secrets of slips", err)
	}
	secrets := make([]slip.Secret, len(rows))
	for i, r := range rows {
		secrets[i].Board = r.Board
		if secrets[i].Bytes, err = hex.DecodeString(r.Secret); err != nil {
			return nil, db.About("read the secrets of slips", err)
		}
	}
	return secrets, nil
}

// Rounds returns the numbers of the rounds of a tournament that have codes or reports.
func (s *Slips) Rounds(ctx context.Context, id string) (rounds []int, err error) {
	err = s.s.reads.WithContext(ctx).Raw("SELECT round FROM slip_codes WHERE tournament_id = ? UNION "+
		"SELECT round FROM slip_reports WHERE tournament_id = ? ORDER BY round", id, id).Scan(&rounds).Error
	return rounds, db.About("look for slips", err)
}

func secretRows(id string, round int, secrets []slip.Secret) []secretRow {
	return db.Map(secrets, func(s *slip.Secret) secretRow {
		return secretRow{id, round, s.Board, hex.EncodeToString(s.Bytes)}
	})
}

// AddSecrets stores secrets of boards that have none yet.
func (s *Slips) AddSecrets(ctx context.Context, id string, round int, secrets []slip.Secret) error {
	if len(secrets) == 0 {
		return nil
	}
	return db.About("store the secrets of slips", s.s.backend.write(ctx, func(tx *gorm.DB) error {
		return db.CreateMissing(tx, secretRows(id, round, secrets)...)
	}))
}

// SetSecrets replaces the secrets of boards, and deletes the codes made from the old secrets.
func (s *Slips) SetSecrets(ctx context.Context, id string, round int, secrets []slip.Secret) error {
	if len(secrets) == 0 {
		return nil
	}
	boards := db.Map(secrets, func(s *slip.Secret) int { return s.Board })
	return db.About("replace the secrets of slips", s.s.backend.write(ctx, func(tx *gorm.DB) error {
		if err := db.Upsert(tx, secretRows(id, round, secrets)...); err != nil {
			return err
		}
		return tx.Where("tournament_id = ? AND round = ? AND board IN ?", id, round, boards).Delete(&codeRow{}).Error
	}))
}

// AddCodes stores hashes of codes with their places.
func (s *Slips) AddCodes(ctx context.Context, codes map[string]slip.Place) error {
	known, err := db.Known(s.s.reads.WithContext(ctx).Model(&codeRow{}), "hash", slices.Collect(maps.Keys(codes)))
	if err != nil {
		return db.About("read the codes of slips", err)
	}
	var rows []codeRow
	for hash, p := range codes {
		if !known[hash] {
			rows = append(rows, codeRow{hash, p.Tournament, p.Round, p.Board, p.Seat})
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return db.About("store the codes of slips", s.s.backend.write(ctx, func(tx *gorm.DB) error {
		return db.CreateMissing(tx, rows...)
	}))
}

// Codes returns the places of all codes of a round, by hash.
func (s *Slips) Codes(ctx context.Context, id string, round int) (map[string]slip.Place, error) {
	var rows []codeRow
	err := s.s.reads.WithContext(ctx).Where("tournament_id = ? AND round = ?", id, round).Find(&rows).Error
	codes := make(map[string]slip.Place, len(rows))
	for _, r := range rows {
		codes[r.Hash] = slip.Place{Tournament: r.TournamentID, Round: r.Round, Board: r.Board, Seat: r.Seat}
	}
	return codes, db.About("read the codes of slips", err)
}

// Find returns the place of a code by its hash, and the secret of its board, or slip.ErrUnknown.
func (s *Slips) Find(ctx context.Context, hash string) (slip.Place, []byte, error) {
	var row struct {
		TournamentID       string
		Round, Board, Seat int
		Secret             string
	}
	err := s.s.reads.WithContext(ctx).Table("slip_codes").Select("tournament_id, round, board, seat, secret").
		Joins("JOIN slip_secrets USING (tournament_id, round, board)").Where("hash = ?", hash).Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return slip.Place{}, nil, slip.ErrUnknown
	}
	if err != nil {
		return slip.Place{}, nil, db.About("find a code", err)
	}
	secret, err := hex.DecodeString(row.Secret)
	return slip.Place{Tournament: row.TournamentID, Round: row.Round, Board: row.Board, Seat: row.Seat}, secret,
		db.About("find a code", err)
}

// Reports returns the last reports of the seats of a round's boards, by board and seat.
func (s *Slips) Reports(ctx context.Context, id string, round int) ([]slip.Report, error) {
	query := s.s.reads.WithContext(ctx).Where("tournament_id = ? AND round = ?", id, round).Order("board, seat")
	return db.List("read reported results", query, func(r *reportRow) slip.Report {
		return slip.Report{Board: r.Board, Seat: r.Seat, Basis: r.Basis, Count: r.Reports, Verdict: r.Verdict, At: r.At}
	})
}

// Report replaces the last report of a seat if its Count is the next; else slip.ErrStale.
func (s *Slips) Report(ctx context.Context, id string, round int, r slip.Report) error {
	row := reportRow{id, round, r.Board, r.Seat, r.Basis, r.Count, r.Verdict, r.At}
	err := s.s.backend.write(ctx, func(tx *gorm.DB) error {
		if r.Count == 1 {
			return db.Changed(tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&row), slip.ErrStale)
		}
		last := tx.Model(&row).Where("reports = ?", r.Count-1) // by the key of the row
		return db.Changed(last.Select("basis", "reports", "verdict", "at").Updates(&row), slip.ErrStale)
	})
	return db.Keep("store a reported result", err, slip.ErrStale)
}

// AddCall stores a call, unless a call of its kind and basis from its place is not settled.
func (s *Slips) AddCall(ctx context.Context, c slip.Call) (added bool, err error) {
	row := callRow{c.ID, c.Tournament, c.Round, c.Board, c.Seat, c.Kind, c.Word, c.Basis, c.At, c.Status, c.By, c.SeenAt}
	err = s.s.backend.write(ctx, func(tx *gorm.DB) error {
		done := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&row)
		if added = done.RowsAffected > 0; !added {
			return done.Error
		}
		return storeNews(tx, c.Tournament, c.At, tournament.News{
			Kind: tournament.NewsCall, Round: c.Round, Board: c.Board, Call: c.ID,
		})
	})
	return added && err == nil, db.About("store a call", err)
}

// maxCalls is the maximum number of calls that are listed.
const maxCalls = 500

// Calls returns the calls of a tournament, the latest first, at most maxCalls.
func (s *Slips) Calls(ctx context.Context, id string) ([]slip.Call, error) {
	query := s.s.reads.WithContext(ctx).Where("tournament_id = ?", id).Order("at DESC, id DESC").Limit(maxCalls)
	return db.List("read calls", query, (*callRow).call)
}

// AnswerCall changes the status of a call that is not settled, or returns tournament.ErrNotFound.
func (s *Slips) AnswerCall(ctx context.Context, id, call string, status slip.CallStatus, by string, at int64) error {
	err := s.s.backend.write(ctx, func(tx *gorm.DB) error {
		open := tx.Model(&callRow{}).Where("id = ? AND tournament_id = ? AND status <> ?", call, id, slip.CallSettled)
		answer := map[string]any{"status": status, "by_account": by, "seen_at": at}
		return db.Changed(open.Updates(answer), tournament.ErrNotFound)
	})
	return asStored("answer a call", err)
}
