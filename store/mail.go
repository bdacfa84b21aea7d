package store

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"quatuor/store/internal/db"
	"quatuor/tournament/account"
)

// maxMail is the maximum of queued e-mails, and maxForgotten of requests for a new password among them.
const (
	maxMail      = 10_000
	maxForgotten = 200
)

// mailAddressRow is a row of mail_addresses. It has the fields of an [account.MailAddress].
type mailAddressRow struct {
	AccountID string `gorm:"primaryKey"`
	Address   string
	Pending   string
	Off       []account.MailKind `gorm:"serializer:text"`
}

func (mailAddressRow) TableName() string { return "mail_addresses" }

// mailRow is a row of mail_queue. It has the fields of an [account.Mail].
type mailRow struct {
	ID        string `gorm:"primaryKey"`
	Kind      account.MailKind
	AccountID string           `gorm:"serializer:null"`
	Data      account.MailData `gorm:"serializer:text"`
	CreatedAt int64            `gorm:"autoCreateTime:false"`
	NextAt    int64
	Attempts  int
}

func (mailRow) TableName() string { return "mail_queue" }

func (r *mailRow) mail() account.Mail { return account.Mail(*r) }

type mailMarkRow struct {
	AccountID string `gorm:"primaryKey"`
	Subject   string `gorm:"primaryKey"`
	Number    int
	At        int64
}

func (mailMarkRow) TableName() string { return "mail_marks" }

// mailStateRow is the row of mail_state.
type mailStateRow struct {
	ID      int    `gorm:"primaryKey;autoIncrement:false"`
	Secret  []byte // 32 bytes
	Error   string
	ErrorAt int64
}

func (mailStateRow) TableName() string { return "mail_state" }

const mailStateID = 1

// Mail keeps the addresses of accounts and the queue of e-mails.
type Mail struct{ s *Store }

// Mail returns the store of e-mail.
func (s *Store) Mail() *Mail { return &Mail{s} }

func (m *Mail) write(ctx context.Context, what string, work func(tx *gorm.DB) error) error {
	err := m.s.backend.write(ctx, work)
	return db.Promised(what, err, account.ErrNotFound, account.ErrStale, account.ErrMailFull)
}

// Secret returns the key that signs links in e-mails, the same at all instances. It is made on first use.
func (m *Mail) Secret(ctx context.Context) ([]byte, error) {
	err := m.write(ctx, "make the key of e-mail", createMailState)
	if err != nil {
		return nil, err
	}
	var row mailStateRow
	err = m.s.reads.WithContext(ctx).Take(&row, "id = ?", mailStateID).Error
	return row.Secret, db.About("read the key of e-mail", err)
}

// createMailState makes the row of mail_state, with a new key, unless it exists.
func createMailState(tx *gorm.DB) error {
	fresh := make([]byte, 32)
	_, _ = rand.Read(fresh) // never fails: the runtime aborts the program instead
	return db.CreateMissing(tx, mailStateRow{ID: mailStateID, Secret: fresh})
}

// State returns how the queue is.
func (m *Mail) State(ctx context.Context) (s account.MailState, err error) {
	reads := m.s.reads.WithContext(ctx)
	if err := reads.Model(&mailRow{}).Count(&s.Waiting).Error; err != nil {
		return s, db.About("count e-mails", err)
	}
	var rows []mailStateRow
	err = reads.Find(&rows, "id = ?", mailStateID).Error
	for _, r := range rows {
		s.Error, s.ErrorAt = r.Error, r.ErrorAt
	}
	return s, db.About("read the state of e-mail", err)
}

// SetError stores the last failure to send an e-mail; "" takes it back.
func (m *Mail) SetError(ctx context.Context, text string, at int64) error {
	return m.write(ctx, "note a failure of e-mail", func(tx *gorm.DB) error {
		if err := createMailState(tx); err != nil {
			return err
		}
		return tx.Model(&mailStateRow{}).Where("id = ?", mailStateID).
			Updates(map[string]any{"error": text, "error_at": at}).Error
	})
}

// Address returns where e-mails to an account go; without an address if it has none.
func (m *Mail) Address(ctx context.Context, accountID string) (account.MailAddress, error) {
	return mailAddress(m.s.reads.WithContext(ctx), accountID)
}

func mailAddress(tx *gorm.DB, accountID string) (account.MailAddress, error) {
	var rows []mailAddressRow
	err := tx.Find(&rows, "account_id = ?", accountID).Error
	if len(rows) == 0 {
		return account.MailAddress{AccountID: accountID}, db.About("read an address", err)
	}
	return account.MailAddress(rows[0]), nil
}

// SetAddress stores an address that is to be confirmed, with the e-mail that requests it; the confirmed address stays
// until then. "" removes both addresses and all e-mails that wait for the account.
func (m *Mail) SetAddress(ctx context.Context, accountID, pending string, confirm account.Mail) error {
	return m.write(ctx, "set an address", func(tx *gorm.DB) error {
		if _, err := openAccount(tx, accountID); err != nil {
			return err
		}
		query := tx.Where("account_id = ?", accountID)
		if pending != "" {
			query = query.Where("kind = ?", account.MailConfirm)
		}
		if err := query.Delete(&mailRow{}).Error; err != nil {
			return err
		}
		row, err := mailAddress(tx, accountID)
		if err != nil {
			return err
		}
		row.Pending = pending
		if pending == "" {
			row.Address = ""
		}
		if err := db.Upsert(tx, mailAddressRow(row)); err != nil || pending == "" {
			return err
		}
		return queueMail(tx, maxMail, confirm)
	})
}

// Confirm makes the address that is to be confirmed the account's; account.ErrNotFound if the pending address has
// changed.
func (m *Mail) Confirm(ctx context.Context, accountID, pending string) error {
	return m.write(ctx, "confirm an address", func(tx *gorm.DB) error {
		set := tx.Model(&mailAddressRow{}).Where("account_id = ? AND pending = ? AND pending <> ''", accountID, pending).
			Updates(map[string]any{"address": pending, "pending": ""})
		return db.Changed(set, account.ErrNotFound)
	})
}

// SetOff stores the kinds that the owner of an account does not want: change gets those that are stored.
func (m *Mail) SetOff(
	ctx context.Context, accountID string, change func([]account.MailKind) []account.MailKind,
) error {
	return m.write(ctx, "choose e-mails", func(tx *gorm.DB) error {
		if _, err := lockAccount(tx, accountID); err != nil {
			return err
		}
		row, err := mailAddress(tx, accountID)
		if err != nil {
			return err
		}
		row.Off = change(row.Off)
		return db.Upsert(tx, mailAddressRow(row))
	})
}

// Queue stores an e-mail to be sent; account.ErrMailFull if too many wait.
func (m *Mail) Queue(ctx context.Context, mail account.Mail) error {
	limit := maxMail
	if mail.Kind == account.MailForgotten {
		limit = maxForgotten
	}
	return m.write(ctx, "queue an e-mail", func(tx *gorm.DB) error { return queueMail(tx, limit, mail) })
}

// queueMail stores an e-mail unless limit of its kind, or maxMail of all, wait.
func queueMail(tx *gorm.DB, limit int, mail account.Mail) error {
	count := tx.Model(&mailRow{})
	if limit < maxMail {
		count = count.Where("kind = ?", mail.Kind)
	}
	var waiting int64
	if err := count.Count(&waiting).Error; err != nil {
		return err
	}
	if waiting >= int64(limit) {
		return account.ErrMailFull
	}
	return tx.Create((*mailRow)(&mail)).Error
}

// Claim returns e-mails that are due, the oldest first, and lets no other instance claim them before until.
func (m *Mail) Claim(ctx context.Context, now, until int64, limit int) (claimed []account.Mail, err error) {
	err = m.write(ctx, "claim e-mails", func(tx *gorm.DB) error {
		var rows []mailRow
		due := tx.Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate, Options: clause.LockingOptionsSkipLocked})
		err := due.Where("next_at <= ?", now).Order("next_at, id").Limit(limit).Find(&rows).Error
		if err != nil || len(rows) == 0 {
			claimed = nil
			return err
		}
		ids := db.Map(rows, func(r *mailRow) string { return r.ID })
		claimed = db.Map(rows, (*mailRow).mail)
		return tx.Model(&mailRow{}).Where("id IN ?", ids).Update("next_at", until).Error
	})
	return claimed, err
}

// Postpone stores when e-mails are tried again, and how often they were.
func (m *Mail) Postpone(ctx context.Context, next int64, attempts int, ids ...string) error {
	return m.write(ctx, "postpone an e-mail", func(tx *gorm.DB) error {
		return tx.Model(&mailRow{}).Where("id IN ?", ids).
			Updates(map[string]any{"next_at": next, "attempts": attempts}).Error
	})
}

// Done removes an e-mail from the queue.
func (m *Mail) Done(ctx context.Context, id string) error {
	return m.write(ctx, "remove an e-mail", func(tx *gorm.DB) error {
		return tx.Delete(&mailRow{}, "id = ?", id).Error
	})
}

// maxNamesakes is the maximum of accounts with the same address that are sent a link for a new password.
const maxNamesakes = 5

// Forgotten puts e-mails with links for a new password in the place of a request for them: to the open accounts that
// have the login or the confirmed address, that want them, and that were sent none since before.
func (m *Mail) Forgotten(ctx context.Context, asked account.Mail, now, before int64) error {
	return m.write(ctx, "look up who has forgotten a password", func(tx *gorm.DB) error {
		if err := db.Changed(tx.Delete(&mailRow{}, "id = ?", asked.ID), account.ErrNotFound); err != nil {
			return err
		}
		typed := strings.ToLower(asked.Data.Typed)
		var rows []mailAddressRow
		err := tx.Joins("JOIN accounts ON accounts.id = mail_addresses.account_id").
			Where("accounts.disabled_at = 0 AND mail_addresses.address <> ''").
			Where("accounts.login = ? OR lower(mail_addresses.address) = ?", typed, typed).
			Order("mail_addresses.account_id").Limit(maxNamesakes).Find(&rows).Error
		if err != nil {
			return err
		}
		for _, r := range rows {
			if slices.Contains(r.Off, account.MailReset) {
				continue
			}
			err := queueOnce(tx, mailMarkRow{r.AccountID, string(account.MailReset), int(now / 1000), now}, before, account.Mail{
				Kind: account.MailReset, AccountID: r.AccountID, CreatedAt: now, NextAt: now,
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// queueOnce stores an e-mail unless its account was sent an e-mail about this or a later number of the subject, or
// about the subject after before. The numbers of a round denote opponents and have no order.
func queueOnce(tx *gorm.DB, mark mailMarkRow, before int64, mail account.Mail) error {
	news := "mail_marks.number < excluded.number AND mail_marks.at <= ?"
	if mail.Kind == account.MailRound {
		news = "mail_marks.number <> excluded.number AND mail_marks.at <= ?"
	}
	set := tx.Clauses(clause.OnConflict{
		Columns:   []clause.Column{{Name: "account_id"}, {Name: "subject"}},
		DoUpdates: clause.AssignmentColumns([]string{"number", "at"}),
		Where: clause.Where{Exprs: []clause.Expression{
			gorm.Expr(news, before),
		}},
	}).Create(&mark)
	if set.Error != nil || set.RowsAffected == 0 {
		return set.Error
	}
	mail.ID = uuid.Must(uuid.NewV7()).String()
	return queueMail(tx, maxMail, mail)
}

// OfferReset stores a credential for setting a new password that its owner was sent: it ends those that were sent
// before. A credential with the same hash gets its time instead.
func (m *Mail) OfferReset(ctx context.Context, c account.Credential) error {
	return m.write(ctx, "offer a new password", func(tx *gorm.DB) error {
		if _, err := openAccount(tx, c.AccountID); err != nil {
			return err
		}
		again := tx.Model(&credentialRow{}).Where("hash = ? AND used_at = 0 AND revoked_at = 0", c.Hash).
			Update("expires_at", c.ExpiresAt)
		if again.Error != nil || again.RowsAffected > 0 {
			return again.Error
		}
		sent := tx.Model(&credentialRow{}).Where("account_id = ? AND kind = ? AND name = ? AND revoked_at = 0",
			c.AccountID, account.PasswordReset, c.AccountID)
		if err := sent.Update("revoked_at", c.CreatedAt).Error; err != nil {
			return err
		}
		row := toCredentialRow(c)
		err := tx.Create(&row).Error
		if db.Duplicate(err) {
			return account.ErrStale // it was used
		}
		return err
	})
}
