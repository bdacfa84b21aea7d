package store

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"gorm.io/gorm"

	"quatuor/store/internal/db"
	"quatuor/tournament/account"
	"quatuor/tournament/adminlog"
)

// AddCredential stores a new credential; account.ErrStale if its account is closed.
func (p *People) AddCredential(ctx context.Context, c account.Credential) error {
	return p.addCredential(ctx, c, func(*gorm.DB, accountRow) error { return nil })
}

// AddLogin is AddCredential for the first credential of a session; account.ErrStale if the account has another password
// hash by now. Of the account's open sessions the limit newest go on; ended are the families, or credentials, of the
// others.
func (p *People) AddLogin(ctx context.Context, c account.Credential, passwordHash string, limit int) (
	ended []string, err error,
) {
	err = p.addCredential(ctx, c, func(tx *gorm.DB, owner accountRow) error {
		if owner.PasswordHash != passwordHash {
			return account.ErrStale
		}
		ended, err = endOldest(tx, owner.ID, limit-1, c.CreatedAt)
		return err
	})
	if err != nil {
		return nil, err
	}
	return ended, nil
}

// endOldest ends an account's open sessions but the keep newest, and returns their families or ids. No session is
// opened or refreshed in between: the account is locked.
func endOldest(tx *gorm.DB, accountID string, keep int, now int64) (ended []string, err error) {
	kinds := []account.CredentialKind{account.RefreshToken, account.PageSession}
	query := tx.Model(&credentialRow{}).Where("account_id = ? AND kind IN ? AND revoked_at = 0", accountID, kinds)
	query = query.Session(&gorm.Session{})
	var open []credentialRow // the credential that each session goes on with
	err = query.Where("kind = ? OR used_at = 0", account.PageSession).Where("expires_at = 0 OR expires_at > ?", now).
		Order("created_at DESC, id DESC").Select("id", "family").Find(&open).Error
	if err != nil || len(open) <= keep {
		return nil, err
	}
	ids, families := []string{""}, []string{} // an id is never empty
	for _, row := range open[:keep] {
		ids = append(ids, row.ID)
		if row.Family != "" {
			families = append(families, row.Family)
		}
	}
	for _, row := range open[keep:] {
		ended = append(ended, cmp.Or(row.Family, row.ID))
	}
	query = query.Where("id NOT IN ?", ids)
	if len(families) > 0 {
		query = query.Where("family NOT IN ?", families)
	}
	return ended, query.Update("revoked_at", now).Error
}

// AddToken is AddCredential for an API token; account.ErrFull if the account has limit tokens already.
func (p *People) AddToken(ctx context.Context, c account.Credential, limit int) error {
	return p.addCredential(ctx, c, func(tx *gorm.DB, owner accountRow) error {
		var have int64
		err := tx.Model(&credentialRow{}).Where("account_id = ? AND kind = ? AND revoked_at = 0", owner.ID, account.APIToken).
			Where("expires_at = 0 OR expires_at > ?", c.CreatedAt).Count(&have).Error
		if err == nil && have >= int64(limit) {
			return account.ErrFull
		}
		return err
	})
}

// addCredential stores a credential if its account is open and passes check; the account stays locked from the check
// on.
func (p *People) addCredential(
	ctx context.Context, c account.Credential, check func(*gorm.DB, accountRow) error,
) error {
	return p.writeAccount(ctx, "add a credential", func(tx *gorm.DB) error {
		var owner accountRow
		if c.AccountID != "" {
			var err error
			if owner, err = openAccount(tx, c.AccountID); err != nil {
				return err
			}
			if err := check(tx, owner); err != nil {
				return err
			}
		}
		row := toCredentialRow(c)
		if err := tx.Create(&row).Error; err != nil {
			return err
		}
		return logCredential(ctx, tx, c, owner)
	})
}

// Used notes when credentials were used last, by id; an earlier use changes nothing.
func (p *People) Used(ctx context.Context, at map[string]int64) error {
	return p.writeAccount(ctx, "note the use of tokens", func(tx *gorm.DB) error {
		for _, id := range slices.Sorted(maps.Keys(at)) {
			err := tx.Model(&credentialRow{}).Where("id = ? AND used_at < ?", id, at[id]).Update("used_at", at[id]).Error
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// SessionLives reports whether a family of refresh tokens has not been revoked.
func (p *People) SessionLives(ctx context.Context, family string) (bool, error) {
	lives, err := db.Any(p.s.reads.WithContext(ctx).Model(&credentialRow{}).
		Where("family = ? AND family <> '' AND revoked_at = 0", family))
	return lives, db.About("read a session", err)
}

// CredentialByHash returns a credential of a kind, whether it is still valid or not.
func (p *People) CredentialByHash(ctx context.Context, kind account.CredentialKind, hash string) (
	account.Credential, error,
) {
	var row credentialRow
	err := p.s.reads.WithContext(ctx).Take(&row, "hash = ? AND kind = ?", hash, kind).Error
	return row.credential(), asAccounts("read a credential", err)
}

// Credentials returns an account's credentials of a kind, oldest first, whether they are still valid or not.
func (p *People) Credentials(ctx context.Context, accountID string, kind account.CredentialKind) (
	[]account.Credential, error,
) {
	query := p.s.reads.WithContext(ctx).Where("account_id = ? AND kind = ?", accountID, kind).Order("created_at, id")
	return db.List("list credentials", query, (*credentialRow).credential)
}

// Rotate marks a refresh token as used and adds its successor, in the same family and for the same account. If it was
// used or revoked before, its family is revoked, and the answer is account.ErrReused; account.ErrNotFound if the token
// does not exist or has expired; account.ErrStale if its account is closed.
func (p *People) Rotate(ctx context.Context, hash string, next account.Credential, now int64) error {
	reused := false
	err := p.writeAccount(ctx, "rotate a refresh token", func(tx *gorm.DB) error {
		reused = false
		var old credentialRow
		if err := tx.Take(&old, "hash = ? AND kind = ?", hash, account.RefreshToken).Error; err != nil {
			return err
		}
		if _, err := openAccount(tx, old.AccountID); err != nil {
			return err
		}
		if err := lockFamily(tx, old.Family); err != nil {
			return err
		}
		r := tx.Model(&credentialRow{}).Where("id = ? AND used_at = 0 AND revoked_at = 0", old.ID).
			Where("expires_at = 0 OR expires_at > ?", now).Update("used_at", now)
		if r.Error != nil {
			return r.Error
		}
		if r.RowsAffected > 0 {
			row := toCredentialRow(next)
			row.Family, row.AccountID = old.Family, old.AccountID
			return tx.Create(&row).Error
		}
		if err := tx.Take(&old, "id = ?", old.ID).Error; err != nil {
			return err
		}
		if old.UsedAt == 0 && old.RevokedAt == 0 {
			return account.ErrNotFound // expired
		}
		reused = true
		return revokeFamily(tx, old.Family, now)
	})
	if err == nil && reused {
		return account.ErrReused
	}
	return err
}

// RevokeFamily ends all refresh tokens that descend from the same login.
func (p *People) RevokeFamily(ctx context.Context, family string, now int64) error {
	return p.writeAccount(ctx, "revoke a family of tokens", func(tx *gorm.DB) error {
		if err := lockFamily(tx, family); err != nil {
			return err
		}
		return revokeFamily(tx, family, now)
	})
}

func revokeFamily(tx *gorm.DB, family string, now int64) error {
	return tx.Model(&credentialRow{}).Where("family = ? AND family <> '' AND revoked_at = 0", family).
		Update("revoked_at", now).Error
}

// lockFamily keeps a token that is just being added from escaping a revocation of its family: on PostgreSQL the
// revocation would not see it. SQLite has a single writer.
func lockFamily(tx *gorm.DB, family string) error {
	return db.Lock(tx, "hashtextextended(?, 0)", family)
}

// RevokeCredential ends a credential of an account; account.ErrNotFound if the account does not have it.
func (p *People) RevokeCredential(ctx context.Context, accountID, id string, now int64) error {
	return p.writeAccount(ctx, "revoke a credential", func(tx *gorm.DB) error {
		var row credentialRow
		if err := tx.Take(&row, "id = ? AND account_id = ?", id, accountID).Error; err != nil {
			return err
		}
		r := tx.Model(&credentialRow{}).Where("id = ? AND revoked_at = 0", id).Update("revoked_at", now)
		if r.Error != nil || r.RowsAffected == 0 {
			return r.Error // it has ended already
		}
		return logEnded(ctx, tx, row)
	})
}

// Familiar returns those of the hashes that were remembered for an account, each with the time when it was remembered.
func (p *People) Familiar(ctx context.Context, accountID string, hashes []string) (map[string]int64, error) {
	var rows []familiarRow
	err := p.s.reads.WithContext(ctx).Find(&rows, "account_id = ? AND hash IN ?", accountID, hashes).Error
	found := make(map[string]int64, len(rows))
	for _, r := range rows {
		found[r.Hash] = r.SeenAt
	}
	return found, db.About("read what is familiar", err)
}

// Remember notes hashes for an account and keeps the latest of them.
func (p *People) Remember(ctx context.Context, accountID string, hashes []string, now int64, limit int) error {
	if len(hashes) == 0 {
		return nil
	}
	rows := db.Map(hashes, func(hash *string) familiarRow { return familiarRow{accountID, *hash, now} })
	return p.writeAccount(ctx, "remember what is familiar", func(tx *gorm.DB) error {
		if _, err := lockAccount(tx, accountID); err != nil {
			return err
		}
		if err := db.Upsert(tx, rows...); err != nil {
			return err
		}
		kept := tx.Model(&familiarRow{}).Select("hash").Where("account_id = ?", accountID).Order("seen_at DESC, hash").
			Limit(limit)
		return tx.Where("account_id = ? AND hash NOT IN (?)", accountID, kept).Delete(&familiarRow{}).Error
	})
}

// Keys returns all signing keys, oldest first.
func (p *People) Keys(ctx context.Context) ([]account.Key, error) {
	query := p.s.reads.WithContext(ctx).Order("created_at, id")
	return db.List("read signing keys", query, func(r *keyRow) account.Key { return account.Key(*r) })
}

// AddKey stores a new signing key.
func (p *People) AddKey(ctx context.Context, k account.Key) error {
	return p.writeAccount(ctx, "add a signing key", func(tx *gorm.DB) error {
		return tx.Create((*keyRow)(&k)).Error
	})
}

// RetireKey notes from when a key signs no more; a key that is retired already keeps its time.
func (p *People) RetireKey(ctx context.Context, id string, now int64) error {
	return p.writeAccount(ctx, "retire a signing key", func(tx *gorm.DB) error {
		if err := tx.Select("id").Take(&keyRow{}, "id = ?", id).Error; err != nil {
			return err
		}
		return tx.Model(&keyRow{}).Where("id = ? AND retired_at = 0", id).Update("retired_at", now).Error
	})
}

// Invitations returns the invitations that can be used at a time, the newest first and no more than limit: of an
// account, or of all for "".
func (p *People) Invitations(ctx context.Context, accountID string, now int64, limit int) (
	[]account.Credential, error,
) {
	query := p.s.reads.WithContext(ctx).Where("kind = 'invitation' AND uses > 0 AND revoked_at = 0").
		Where("expires_at = 0 OR expires_at > ?", now).Order("created_at DESC, id DESC").Limit(limit)
	if accountID != "" {
		query = query.Where("account_id = ?", accountID)
	}
	return db.List("list invitations", query, (*credentialRow).credential)
}

// OpenSessions returns the latest credential of each open session of an account, the latest first: refresh tokens and
// sessions of the pages.
func (p *People) OpenSessions(ctx context.Context, accountID string, now int64) ([]account.Credential, error) {
	kinds := []account.CredentialKind{account.RefreshToken, account.PageSession}
	query := p.s.reads.WithContext(ctx).Where("account_id = ? AND kind IN ? AND revoked_at = 0", accountID, kinds).
		Where("kind = ? OR used_at = 0", account.PageSession).Where("expires_at = 0 OR expires_at > ?", now).
		Order("created_at DESC, id DESC")
	return db.List("list sessions", query, (*credentialRow).credential)
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

// AddReset stores a credential that allows its account to set a new password, and ends earlier credentials of the kind;
// account.ErrStale if the account is closed.
func (p *People) AddReset(ctx context.Context, c account.Credential) error {
	return p.addCredential(ctx, c, func(tx *gorm.DB, owner accountRow) error {
		kinds := []account.CredentialKind{account.PasswordReset}
		return endCredentials(tx, owner.ID, account.Ending{Kinds: kinds, At: c.CreatedAt})
	})
}

// ResetPassword uses up a credential for a new password (by hash), stores the password's hash and the login that made
// it possible, ends credentials of the account, and forgets its familiar places. account.ErrNotFound if the credential
// is not usable at the ending's time. Of several concurrent calls a single call succeeds.
func (p *People) ResetPassword(ctx context.Context, hash, passwordHash, by string, end account.Ending) (
	owner account.Account, err error,
) {
	err = p.writeAccount(ctx, "reset a password", func(tx *gorm.DB) error {
		use := tx.Model(&credentialRow{}).Where("hash = ? AND kind = ?", hash, account.PasswordReset).
			Where("used_at = 0 AND revoked_at = 0 AND expires_at > ?", end.At).Update("used_at", end.At)
		if err := db.Changed(use, account.ErrNotFound); err != nil {
			return err
		}
		var used credentialRow
		if err := tx.Take(&used, "hash = ?", hash).Error; err != nil {
			return err
		}
		row, err := openAccount(tx, used.AccountID)
		if err != nil {
			return err
		}
		from := row.account()
		owner = from
		owner.PasswordHash = passwordHash
		owner.ResetBy = by
		owner.ResetAt = end.At
		entry := adminlog.Entry{
			Kind: adminlog.ResetUsed, About: ofAccount(owner), By: adminlog.Actor{Account: owner.ID, Name: owner.Login},
		}
		if err := logAct(ctx, tx, entry); err != nil {
			return err
		}
		return setPassword(ctx, tx, from, owner, end)
	})
	return owner, err
}

// ForgetEnded deletes credentials that ended before a time (ms UTC), by themselves or not, and the places that were
// familiar to accounts and not used since; it counts them.
func (p *People) ForgetEnded(ctx context.Context, before int64) (gone int64, err error) {
	err = p.s.backend.write(ctx, func(tx *gorm.DB) error {
		credentials := tx.Where("revoked_at BETWEEN 1 AND ?", before).Or("expires_at BETWEEN 1 AND ?", before).
			Delete(&credentialRow{})
		if credentials.Error != nil {
			return credentials.Error
		}
		familiar := tx.Delete(&familiarRow{}, "seen_at < ?", before)
		gone = credentials.RowsAffected + familiar.RowsAffected
		return familiar.Error
	})
	return gone, db.About("forget what has ended", err)
}
