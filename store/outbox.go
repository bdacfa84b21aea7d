package store

import (
	"fmt"

	"gorm.io/gorm"

	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/clock"
	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/tournament/director"
)

// outboxRow tells of one game that is over. The hot path writes it (addOutbox).
type outboxRow struct {
	Seq          int64 `gorm:"primaryKey"`
	GameID       string
	Variant      string
	List         string
	Rated        bool
	Players      jsonOf[[]string]
	Sides        jsonOf[[]int]
	Ranks        jsonOrNull[[]int]
	Reason       string
	Plies        int
	Aborted      bool
	TournamentID *string
	Round        int
	Board        int
	FinishedAt   int64
}

func (outboxRow) TableName() string { return "outbox" }

// cursorRow says how far a consumer of the outbox has come.
type cursorRow struct {
	Consumer string `gorm:"primaryKey"`
	Seq      int64
}

func (cursorRow) TableName() string { return "cursors" }

// The consumers of the outbox.
const (
	ofTournaments = "tournaments"
	ofRatings     = "ratings"
)

// encodeOutbox gives the arguments of addOutbox for a game that is over.
func encodeOutbox(g *table.Game) ([]any, error) {
	rules, err := catalog.Find(g.Variant)
	if err != nil {
		return nil, fmt.Errorf("store: game %s: %w", g.ID, err)
	}
	info := rules.Info()
	list, err := listOf(info, g)
	if err != nil {
		return nil, fmt.Errorf("store: game %s: %w", g.ID, err)
	}
	sides := make([]int, g.Seats)
	for i := range sides {
		sides[i] = int(info.SideOf(engine.Seat(i + 1)))
	}
	ranks, reason := jsonOrNull[[]int]{}, string(table.LineAbort)
	if g.Outcome != nil {
		reason = string(g.Outcome.Reason)
		if !g.Outcome.Void() {
			ranks.v = &g.Outcome.Ranks
		}
	}
	place := table.Place{}
	if g.Tournament != nil {
		place = *g.Tournament
	}
	return []any{
		g.ID, g.Variant, list, g.Rated,
		jsonOf[[]string]{g.Players},
		jsonOf[[]int]{sides},
		ranks, reason,
		int64(g.Plies), g.Status == table.Aborted, orNull(place.ID), int64(place.Round), int64(place.Board), g.FinishedAt,
	}, nil
}

// listOf names the rating list a game belongs to: one for each family of variants and class of speed.
func listOf(info engine.Info, g *table.Game) (string, error) {
	controls := make([]clock.Control, len(g.Controls))
	for i, text := range g.Controls {
		c, err := clock.Parse(text)
		if err != nil {
			return "", err
		}
		controls[i] = c
	}
	return ledger.ListID(info.Family(), clock.Class(controls...)), nil
}

// cursor reads a consumer's place. Within a transaction that writes, moveCursor decides.
func cursor(tx *gorm.DB, consumer string) (seq int64, err error) {
	var row cursorRow
	err = tx.Take(&row, "consumer = ?", consumer).Error
	return row.Seq, err
}

// moveCursor moves a consumer's cursor if it stands where the condition says, and reports whether it did. On
// PostgreSQL it waits for another transaction that is moving it, and then judges what that one left.
func moveCursor(tx *gorm.DB, consumer string, to int64, condition string, args ...any) (bool, error) {
	r := tx.Model(&cursorRow{}).Where("consumer = ?", consumer).Where(condition, args...).Update("seq", to)
	return r.RowsAffected > 0, r.Error
}

func (r *outboxRow) forDirector() director.Finished {
	f := director.Finished{
		Seq: r.Seq, GameID: r.GameID, TournamentID: orEmpty(r.TournamentID), Round: r.Round, Board: r.Board,
		Aborted: r.Aborted, Reason: r.Reason, Plies: r.Plies, At: r.FinishedAt,
	}
	if r.Ranks.v != nil {
		f.Ranks = *r.Ranks.v
	}
	return f
}

func (r *outboxRow) forLedger() ledger.Finished {
	f := ledger.Finished{
		Seq: r.Seq, GameID: r.GameID, Variant: r.Variant, List: r.List, Rated: r.Rated, Players: r.Players.v,
		Sides: r.Sides.v, Reason: r.Reason, Plies: r.Plies, FinishedAt: r.FinishedAt,
	}
	if r.Ranks.v != nil {
		f.Ranks = *r.Ranks.v
	}
	return f
}
