package store

import (
	"context"

	"gorm.io/gorm"

	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// byTime is a place in a list that is ordered by time.
type byTime struct {
	At int64
	ID string
}

// ListAccounts returns accounts, the oldest first.
func (p *People) ListAccounts(ctx context.Context, f account.Filter, limit int, cursor string) (
	accounts []account.Account, next string, err error,
) {
	from, err := parseCursor[byTime]("accounts", cursor)
	if err != nil {
		return nil, "", err
	}
	limit = max(limit, 1)
	query := p.s.reads.WithContext(ctx).Order("created_at, id").Limit(limit + 1)
	if from != nil {
		query = query.Where("(created_at, id) > (?, ?)", from.At, from.ID)
	}
	if f.Text != "" {
		pattern := "%" + literal(nameKey(f.Text)) + "%"
		query = query.Where(`login LIKE ? ESCAPE '!' OR EXISTS (SELECT 1 FROM players p
			WHERE p.account_id = accounts.id AND p.name_key LIKE ? ESCAPE '!')`, pattern, pattern)
	}
	if f.Role != "" {
		query = query.Where("role = ?", f.Role)
	}
	if f.Disabled {
		query = query.Where("disabled_at <> 0")
	}
	var rows []accountRow
	if err := query.Find(&rows).Error; err != nil {
		return nil, "", about("list accounts", err)
	}
	rows, next = page("accounts", rows, limit, func(r *accountRow) any { return byTime{r.CreatedAt, r.ID} })
	accounts = make([]account.Account, len(rows))
	for i := range rows {
		accounts[i] = rows[i].account()
	}
	return accounts, next, nil
}

// Invitations returns the invitations that can be used at a time, the newest first and no more than limit: of one account,
// or of all for "".
func (p *People) Invitations(ctx context.Context, accountID string, now int64, limit int) ([]account.Credential, error) {
	query := p.s.reads.WithContext(ctx).Where("kind = 'invitation' AND uses > 0 AND revoked_at = 0").
		Where("expires_at = 0 OR expires_at > ?", now).Order("created_at DESC, id DESC").Limit(limit)
	if accountID != "" {
		query = query.Where("account_id = ?", accountID)
	}
	return credentialsOf(query, "list invitations")
}

// OpenSessions returns what an account's open sessions go on with, the latest first: refresh tokens and sessions of the
// pages.
func (p *People) OpenSessions(ctx context.Context, accountID string, now int64) ([]account.Credential, error) {
	kinds := []account.CredentialKind{account.RefreshToken, account.PageSession}
	query := p.s.reads.WithContext(ctx).Where("account_id = ? AND kind IN ? AND revoked_at = 0", accountID, kinds).
		Where("kind = ? OR used_at = 0", account.PageSession).Where("expires_at = 0 OR expires_at > ?", now).
		Order("created_at DESC, id DESC")
	return credentialsOf(query, "list sessions")
}

func credentialsOf(query *gorm.DB, what string) ([]account.Credential, error) {
	var rows []credentialRow
	err := query.Find(&rows).Error
	list := make([]account.Credential, len(rows))
	for i := range rows {
		list[i] = rows[i].credential()
	}
	return list, about(what, err)
}

// EndCredentials ends credentials of an account.
func (p *People) EndCredentials(ctx context.Context, accountID string, end account.Ending) error {
	return p.writeAccount(ctx, "end credentials", func(tx *gorm.DB) error {
		if _, err := lockAccount(tx, accountID); err != nil {
			return err
		}
		return endCredentials(tx, accountID, end)
	})
}

// AddReset stores a credential with which a new password can be set for its account, and ends earlier ones;
// account.ErrStale if the account is closed.
func (p *People) AddReset(ctx context.Context, c account.Credential) error {
	return p.addCredential(ctx, c, func(tx *gorm.DB, owner accountRow) error {
		kinds := []account.CredentialKind{account.PasswordReset}
		return endCredentials(tx, owner.ID, account.Ending{Kinds: kinds, At: c.CreatedAt})
	})
}

// ResetPassword uses up a credential for a new password (by hash), writes the password's hash, ends credentials of the
// account, and forgets what is familiar to it. account.ErrNotFound if the credential cannot be used at the ending's time.
// Of several at the same time one succeeds.
func (p *People) ResetPassword(ctx context.Context, hash, passwordHash string, end account.Ending) (owner account.Account, err error) {
	err = p.writeAccount(ctx, "reset a password", func(tx *gorm.DB) error {
		r := tx.Model(&credentialRow{}).Where("hash = ? AND kind = ?", hash, account.PasswordReset).
			Where("used_at = 0 AND revoked_at = 0 AND expires_at > ?", end.At).Update("used_at", end.At)
		if r.Error != nil {
			return r.Error
		}
		if r.RowsAffected == 0 {
			return account.ErrNotFound
		}
		var used credentialRow
		if err := tx.Take(&used, "hash = ?", hash).Error; err != nil {
			return err
		}
		row, err := openAccount(tx, orEmpty(used.AccountID))
		if err != nil {
			return err
		}
		from := row.account()
		owner = from
		owner.PasswordHash = passwordHash
		if err := updateAccount(tx, from, owner); err != nil {
			return err
		}
		if err := tx.Delete(&familiarRow{}, "account_id = ?", from.ID).Error; err != nil {
			return err
		}
		return endCredentials(tx, from.ID, end)
	})
	return owner, err
}

// CreateAccountFor is CreateAccount for an account that claims a player who is in the list, by the hash of the claim code;
// club.ErrNotFound if no code fits.
func (p *People) CreateAccountFor(ctx context.Context, claimHash string, a account.Account) (player club.Player, err error) {
	if claimHash == "" {
		return player, club.ErrNotFound
	}
	err = p.writeAccount(ctx, "open an account for a player", func(tx *gorm.DB) error {
		a.PlayerID = ""
		if _, err := playerByCode(tx, claimHash); err != nil {
			return err
		}
		if err := createAccount(tx, a, nil); err != nil {
			return err
		}
		player, err = claim(tx, claimHash, a.ID)
		return err
	})
	return player, err
}
