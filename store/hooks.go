package store

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"quatuor/store/internal/db"
	"quatuor/tournament"
	"quatuor/tournament/hook"
)

// hookRow is a row of hooks. It has the fields of a [hook.Hook].
type hookRow struct {
	ID           string `gorm:"primaryKey"`
	AccountID    string
	Tournament   string `gorm:"column:tournament_id;serializer:null"`
	Name         string
	URL          string                `gorm:"column:url"`
	Kinds        []tournament.NewsKind `gorm:"serializer:text"`
	Format       hook.Format
	Secret       []byte
	OldSecret    []byte
	OldUntil     int64
	CreatedAt    int64 `gorm:"autoCreateTime:false"`
	DisabledAt   int64
	DisabledWhy  string
	FailingSince int64
	Failures     int
	NextAt       int64
	Place        int64
}

func (hookRow) TableName() string { return "hooks" }

func (r *hookRow) hook() hook.Hook {
	h := hook.Hook(*r)
	if len(h.OldSecret) == 0 {
		h.OldSecret = nil // SQLite's drivers differ: empty or nil
	}
	return h
}

func toHookRow(h hook.Hook) hookRow {
	if h.OldSecret == nil {
		h.OldSecret = []byte{}
	}
	return hookRow(h)
}

type hookEventRow struct {
	Seq          int64 `gorm:"primaryKey"`
	TournamentID string
	Data         tournament.News `gorm:"serializer:text"`
	At           int64
	Place        int64
}

func (hookEventRow) TableName() string { return "hook_events" }

func (r *hookEventRow) event() hook.Event {
	return hook.Event{Place: r.Place, Tournament: r.TournamentID, News: r.Data, At: r.At}
}

// deliveryRow is a row of hook_deliveries. It has the fields of a [hook.Delivery].
type deliveryRow struct {
	ID         string `gorm:"primaryKey"`
	HookID     string
	Event      int64
	Kind       tournament.NewsKind
	Tournament string          `gorm:"column:tournament_id;serializer:null"`
	News       tournament.News `gorm:"column:data;serializer:text"`
	At         int64
	State      hook.State
	Since      int64
	Attempts   int
	TriedAt    int64
	Status     int
	Error      string
	TookMs     int64
}

func (deliveryRow) TableName() string { return "hook_deliveries" }

func (r *deliveryRow) delivery() hook.Delivery { return hook.Delivery(*r) }

// storeNews stores news of a tournament, in the transaction of the event, if there is a webhook that may want it, now
// or once it is enabled again.
func storeNews(tx *gorm.DB, id string, at int64, news ...tournament.News) error {
	if len(news) == 0 {
		return nil
	}
	wanted, err := db.Any(tx.Model(&hookRow{}).Where("tournament_id = ? OR tournament_id IS NULL", id))
	if err != nil || !wanted {
		return err
	}
	rows := db.Map(news, func(n *tournament.News) hookEventRow { return hookEventRow{TournamentID: id, Data: *n, At: at} })
	return tx.Omit("seq").CreateInBatches(&rows, 200).Error
}

// Hooks keeps webhooks and their deliveries.
type Hooks struct{ s *Store }

// Hooks returns the store of webhooks.
func (s *Store) Hooks() *Hooks { return &Hooks{s} }

func (h *Hooks) write(ctx context.Context, what string, work func(tx *gorm.DB) error) error {
	return db.Promised(what, h.s.backend.write(ctx, work), hook.ErrNotFound, hook.ErrCount)
}

// Add stores a webhook; hook.ErrCount if its account has as many as it may have.
func (h *Hooks) Add(ctx context.Context, one hook.Hook) error {
	return h.write(ctx, "add a webhook", func(tx *gorm.DB) error {
		if _, err := openAccount(tx, one.AccountID); err != nil {
			return err
		}
		var have int64
		if err := tx.Model(&hookRow{}).Where("account_id = ?", one.AccountID).Count(&have).Error; err != nil {
			return err
		}
		if have >= hook.Max {
			return hook.ErrCount
		}
		row := toHookRow(one)
		return tx.Create(&row).Error
	})
}

// Of lists the webhooks of an account, the oldest first.
func (h *Hooks) Of(ctx context.Context, accountID string) ([]hook.Hook, error) {
	query := h.s.reads.WithContext(ctx).Where("account_id = ?", accountID).Order("created_at, id")
	return db.List("list webhooks", query, (*hookRow).hook)
}

// Hook returns a webhook by its id.
func (h *Hooks) Hook(ctx context.Context, id string) (hook.Hook, error) {
	var row hookRow
	err := h.s.reads.WithContext(ctx).Take(&row, "id = ?", id).Error
	return row.hook(), db.Promised("read a webhook", err, hook.ErrNotFound)
}

// Change changes a webhook; change gets the stored version.
func (h *Hooks) Change(ctx context.Context, id string, change func(*hook.Hook)) (changed hook.Hook, err error) {
	err = h.write(ctx, "change a webhook", func(tx *gorm.DB) error {
		var row hookRow
		if err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Take(&row, "id = ?", id).Error; err != nil {
			return err
		}
		changed = row.hook()
		change(&changed)
		row = toHookRow(changed)
		return tx.Save(&row).Error
	})
	return changed, err
}

// Remove deletes a webhook of an account, with its deliveries.
func (h *Hooks) Remove(ctx context.Context, accountID, id string) error {
	return h.write(ctx, "delete a webhook", func(tx *gorm.DB) error {
		return db.Changed(tx.Delete(&hookRow{}, "id = ? AND account_id = ?", id, accountID), hook.ErrNotFound)
	})
}

// News assigns places in the log to the news without a place, and returns it.
//
// Transactions may commit in another order than that of their numbers, so a webhook that has come to a number could
// miss a lower number. A place is above all that were assigned, and above that of every webhook: the log may have lost
// its end with a tournament.
func (h *Hooks) News(ctx context.Context) ([]hook.Event, error) {
	some, err := db.Any(h.s.reads.WithContext(ctx).Model(&hookEventRow{}).Where("place = 0"))
	if err != nil || !some {
		return nil, db.About("look for news for webhooks", err)
	}
	var rows []hookEventRow
	err = h.write(ctx, "place news for webhooks", func(tx *gorm.DB) error {
		return tx.Raw(`UPDATE hook_events SET place = top.place + fresh.n FROM
			(SELECT seq, ROW_NUMBER() OVER (ORDER BY seq) AS n FROM hook_events WHERE place = 0) AS fresh,
			(SELECT MAX(place) AS place FROM (SELECT COALESCE(MAX(place), 0) AS place FROM hook_events
				UNION ALL SELECT COALESCE(MAX(place), 0) FROM hooks) AS places) AS top
			WHERE hook_events.seq = fresh.seq AND hook_events.place = 0
			RETURNING hook_events.seq, tournament_id, data, at, hook_events.place`).Scan(&rows).Error
	})
	return db.Map(rows, (*hookEventRow).event), err
}

// ofHook is a condition on news: a webhook is for its tournament.
const ofHook = "(hooks.tournament_id IS NULL OR hooks.tournament_id = hook_events.tournament_id)"

// HooksFor returns the webhooks that are for any of these tournaments, or for all that their owners run, but for those
// that wait for their next attempt, see [Hooks.Due].
func (h *Hooks) HooksFor(ctx context.Context, tournaments []string) ([]hook.Hook, error) {
	query := h.s.reads.WithContext(ctx).
		Where("disabled_at = 0 AND next_at = 0 AND (tournament_id IN ? OR tournament_id IS NULL)", tournaments)
	return db.List("read webhooks", query, (*hookRow).hook)
}

// WithBacklog returns the webhooks that may have a backlog, except those that wait for their next attempt.
func (h *Hooks) WithBacklog(ctx context.Context) ([]hook.Hook, error) {
	query := h.s.reads.WithContext(ctx).Where("disabled_at = 0 AND next_at = 0 AND EXISTS (SELECT 1 FROM hook_events " +
		"WHERE hook_events.place > hooks.place AND " + ofHook + ")")
	return db.List("read webhooks", query, (*hookRow).hook)
}

// Due returns webhooks with an attempt that is due: those that work first, then by when it was due.
func (h *Hooks) Due(ctx context.Context, now int64, limit int) ([]hook.Hook, error) {
	query := h.s.reads.WithContext(ctx).Where("disabled_at = 0 AND next_at > 0 AND next_at <= ?", now).
		Order("failures > 0, next_at, id").Limit(limit)
	return db.List("read webhooks that are due", query, (*hookRow).hook)
}

// Next returns the first delivery of a webhook that waits; hook.ErrNotFound if none does.
func (h *Hooks) Next(ctx context.Context, hookID string) (hook.Delivery, error) {
	var row deliveryRow
	err := h.s.reads.WithContext(ctx).Where("hook_id = ? AND state = ?", hookID, hook.Waiting).Order("event").Take(&row).Error
	return row.delivery(), db.Promised("read a delivery", err, hook.ErrNotFound)
}

// EventsAfter returns the news after the place of a webhook.
func (h *Hooks) EventsAfter(ctx context.Context, one hook.Hook, limit int) ([]hook.Event, error) {
	query := h.s.reads.WithContext(ctx).Where("place > ? AND at >= ?", one.Place, one.CreatedAt)
	if one.Tournament != "" {
		query = query.Where("tournament_id = ?", one.Tournament)
	}
	return db.List("read news for a webhook", query.Order("place").Limit(limit), (*hookEventRow).event)
}

// RecordAttempt stores how an attempt of a delivery ended, and the state of its webhook after it, unless the webhook has since
// been disabled or deleted.
func (h *Hooks) RecordAttempt(ctx context.Context, d hook.Delivery, after hook.Hook) error {
	return h.write(ctx, "note a delivery", func(tx *gorm.DB) error {
		one, row := toHookRow(after), deliveryRow(d)
		saved := tx.Where("disabled_at = 0").Select("failing_since", "failures", "next_at", "disabled_at", "disabled_why",
			"place").Updates(&one)
		if saved.Error != nil || saved.RowsAffected == 0 {
			return saved.Error
		}
		return tx.Clauses(clause.OnConflict{
			Columns:   []clause.Column{{Name: "id"}},
			DoUpdates: clause.AssignmentColumns([]string{"state", "attempts", "tried_at", "status", "error", "took_ms"}),
		}).Create(&row).Error
	})
}

// SaveCursor stores that a webhook has nothing to send up to its place, unless something was queued since.
func (h *Hooks) SaveCursor(ctx context.Context, one hook.Hook) error {
	return h.write(ctx, "note the place of a webhook", func(tx *gorm.DB) error {
		waits := tx.Model(&deliveryRow{}).Select("1").Where("hook_id = ? AND state = ?", one.ID, hook.Waiting)
		return tx.Model(&hookRow{}).Where("id = ? AND NOT EXISTS (?)", one.ID, waits).
			Updates(map[string]any{"next_at": 0, "place": one.Place}).Error
	})
}

// Deliveries returns the latest deliveries of a webhook, the latest first.
func (h *Hooks) Deliveries(ctx context.Context, hookID string, limit int) ([]hook.Delivery, error) {
	query := h.s.reads.WithContext(ctx).Where("hook_id = ?", hookID).Order("at DESC, event DESC").Limit(limit)
	return db.List("list deliveries", query, (*deliveryRow).delivery)
}

// Queue stores a delivery to a webhook by hand.
func (h *Hooks) Queue(ctx context.Context, d hook.Delivery) error {
	return h.write(ctx, "queue a delivery", func(tx *gorm.DB) error {
		row := deliveryRow(d)
		if err := tx.Create(&row).Error; err != nil {
			return err
		}
		return tryAt(tx, d.HookID, d.Since)
	})
}

// tryAt has a webhook tried at a time.
func tryAt(tx *gorm.DB, id string, at int64) error {
	return tx.Model(&hookRow{}).Where("id = ?", id).Update("next_at", at).Error
}

// Again has a delivery of a webhook tried once more, from a time on.
func (h *Hooks) Again(ctx context.Context, hookID, id string, now int64) (d hook.Delivery, err error) {
	err = h.write(ctx, "deliver again", func(tx *gorm.DB) error {
		var row deliveryRow
		if err := tx.Take(&row, "id = ? AND hook_id = ?", id, hookID).Error; err != nil {
			return err
		}
		row.State, row.Since = hook.Waiting, now
		d = row.delivery()
		if err := tx.Select("state", "since").Updates(&row).Error; err != nil {
			return err
		}
		return tryAt(tx, hookID, now)
	})
	return d, err
}

// Forget deletes news from before a time, and the ended deliveries of each webhook, except the latest.
func (h *Hooks) Forget(ctx context.Context, before int64, keep int) error {
	return h.write(ctx, "forget deliveries", func(tx *gorm.DB) error {
		if err := tx.Where("place > 0 AND at < ?", before).Delete(&hookEventRow{}).Error; err != nil {
			return err
		}
		latest := tx.Table("hook_deliveries AS newer").Select("COUNT(*)").
			Where("newer.hook_id = hook_deliveries.hook_id AND newer.at > hook_deliveries.at")
		return tx.Where("state <> ? AND (?) >= ?", hook.Waiting, latest, keep).Delete(&deliveryRow{}).Error
	})
}
