package store

import (
	"context"
	"encoding/json"
	"errors"

	"gorm.io/gorm"

	"quatuor/store/internal/db"
	"quatuor/store/internal/paging"
	"quatuor/tournament/account"
	"quatuor/tournament/adminlog"
	"quatuor/tournament/club"
)

// adminLock is the advisory lock of transactions that take an admin's rights away.
const adminLock = 0x7175_6174_0002

// writeAccount writes to accounts and keeps the errors that callers are promised.
func (p *People) writeAccount(ctx context.Context, what string, work func(tx *gorm.DB) error) error {
	return asAccounts(what, p.s.backend.write(ctx, work))
}

// asAccounts keeps the errors that the port promises for work on accounts and their belongings.
func asAccounts(what string, err error) error {
	return db.Promised(what, err, account.ErrNotFound, account.ErrTaken, account.ErrStale, account.ErrLastAdmin,
		account.ErrFull, account.ErrSetUp,
		club.ErrNotFound, club.ErrStale, club.ErrReserved)
}

// CreateAccount stores an account and, if player is not nil, its player, each naming the other; account.ErrTaken if the
// login exists.
func (p *People) CreateAccount(ctx context.Context, a account.Account, player *club.Player) error {
	return p.writeAccount(ctx, "create an account", func(tx *gorm.DB) error {
		if err := createAccount(tx, a, player); err != nil {
			return err
		}
		if a.Role == account.RolePlayer && adminlog.From(ctx).Via == adminlog.ViaRequest {
			return nil // it was opened by its owner
		}
		return logNewAccount(ctx, tx, a, nil)
	})
}

func createAccount(tx *gorm.DB, a account.Account, player *club.Player) error {
	if player != nil {
		if err := club.CheckName(player.Name); err != nil {
			return err
		}
		a.PlayerID = player.ID
	}
	err := tx.Create((*accountRow)(&a)).Error
	if db.Duplicate(err) {
		return account.ErrTaken
	}
	if err != nil || player == nil {
		return err
	}
	own := toPlayerRow(player)
	own.AccountID = a.ID
	return tx.Create(&own).Error
}

// Invite is CreateAccount that also uses up an invitation.
func (p *People) Invite(ctx context.Context, hash string, now int64, a account.Account, player *club.Player) error {
	return p.writeAccount(ctx, "accept an invitation", func(tx *gorm.DB) error {
		use := tx.Model(&credentialRow{}).Where("hash = ? AND kind = ?", hash, account.Invitation).
			Where("uses > 0 AND revoked_at = 0 AND (expires_at = 0 OR expires_at > ?)", now).
			Updates(map[string]any{"used_at": now, "uses": gorm.Expr("uses - 1")})
		if err := db.Changed(use, account.ErrNotFound); err != nil {
			return err
		}
		var used credentialRow
		if err := tx.Select("id", "role", "account_id").Take(&used, "hash = ?", hash).Error; err != nil {
			return err
		}
		if used.Role != "" && used.Role != account.RolePlayer {
			inviter, err := openAccount(tx, used.AccountID)
			switch {
			case errors.Is(err, account.ErrStale), err == nil && inviter.Role != account.RoleAdmin: // not any more
				return account.ErrNotFound
			case err != nil:
				return err
			}
			a.Role = used.Role
		}
		if err := createAccount(tx, a, player); err != nil || a.Role == account.RolePlayer {
			return err
		}
		return logNewAccount(ctx, tx, a, adminlog.Values{"invitation": used.ID})
	})
}

// Account returns an account by its id.
func (p *People) Account(ctx context.Context, id string) (account.Account, error) {
	return p.account(ctx, "id = ?", id)
}

// AccountByLogin returns an account by its login, in lower case.
func (p *People) AccountByLogin(ctx context.Context, login string) (account.Account, error) {
	return p.account(ctx, "login = ?", login)
}

func (p *People) account(ctx context.Context, condition, value string) (account.Account, error) {
	var row accountRow
	err := p.s.reads.WithContext(ctx).Take(&row, condition, value).Error
	return row.account(), asAccounts("read an account", err)
}

// CountAccounts counts all accounts, disabled or not.
func (p *People) CountAccounts(ctx context.Context) (int, error) {
	var n int64
	err := p.s.reads.WithContext(ctx).Model(&accountRow{}).Count(&n).Error
	return int(n), db.About("count accounts", err)
}

// HasAdmin reports whether there is an open account that is an admin's.
func (p *People) HasAdmin(ctx context.Context) (bool, error) {
	has, err := hasAdmin(p.s.reads.WithContext(ctx), "")
	return has, db.About("look for an admin", err)
}

// hasAdmin reports whether any other account manages accounts.
func hasAdmin(tx *gorm.DB, other string) (bool, error) {
	return db.Any(tx.Model(&accountRow{}).Where("role = ? AND disabled_at = 0 AND id <> ?", account.RoleAdmin, other))
}

// RunsTournament reports whether an account is the organiser's or an arbiter's of any tournament, whatever became of
// it.
func (p *People) RunsTournament(ctx context.Context, id string) (bool, error) {
	name, err := json.Marshal(id)
	if err != nil {
		return false, db.About("look for tournaments of an account", err)
	}
	runs, err := db.Any(p.s.reads.WithContext(ctx).Model(&tournamentRow{}).
		Where("organiser = ? OR arbiters LIKE ? ESCAPE '!'", id, "%"+literal(string(name))+"%"))
	return runs, db.About("look for tournaments of an account", err)
}

// UpdateAccount writes the difference of two states of an account; account.ErrStale if the stored account differs from
// from, account.ErrTaken if another account has the login, account.ErrLastAdmin if no admin would be left. Closing an
// account ends its credentials.
func (p *People) UpdateAccount(ctx context.Context, from, to account.Account) error {
	return p.writeAccount(ctx, "update an account", func(tx *gorm.DB) error { return updateAccount(ctx, tx, from, to) })
}

// ChangePassword is UpdateAccount that also ends credentials, and forgets the account's familiar addresses and
// browsers.
func (p *People) ChangePassword(ctx context.Context, from, to account.Account, end account.Ending) error {
	return p.writeAccount(ctx, "change a password", func(tx *gorm.DB) error {
		if adminlog.From(ctx).Account != from.ID {
			if err := logAct(ctx, tx, adminlog.Entry{Kind: adminlog.PasswordSet, About: ofAccount(to)}); err != nil {
				return err
			}
		}
		return setPassword(ctx, tx, from, to, end)
	})
}

// setPassword updates an account that gets another password, ends credentials, and forgets its familiar addresses and
// browsers.
func setPassword(ctx context.Context, tx *gorm.DB, from, to account.Account, end account.Ending) error {
	if err := updateAccount(ctx, tx, from, to); err != nil {
		return err
	}
	if err := tx.Delete(&familiarRow{}, "account_id = ?", from.ID).Error; err != nil {
		return err
	}
	return endCredentials(tx, from.ID, end)
}

func updateAccount(ctx context.Context, tx *gorm.DB, from, to account.Account) error {
	query, changes := tx.Model(&accountRow{}).Where("id = ? AND gone = 0", from.ID), map[string]any{}
	for _, c := range []struct {
		column  string
		was, is any
	}{
		{"login", from.Login, to.Login},
		{"password_hash", from.PasswordHash, to.PasswordHash},
		{"role", from.Role, to.Role},
		{"disabled_at", from.DisabledAt, to.DisabledAt},
		{"language", from.Language, to.Language},
		{"reset_by", from.ResetBy, to.ResetBy},
		{"reset_at", from.ResetAt, to.ResetAt},
	} {
		if c.was != c.is {
			query, changes[c.column] = query.Where(c.column+" = ?", c.was), c.is
		}
	}
	if len(changes) == 0 {
		return nil
	}
	if manages(from) && !manages(to) {
		if err := leavesAdmin(tx, from.ID); err != nil {
			return err
		}
	}
	r := query.Updates(changes)
	switch {
	case db.Duplicate(r.Error):
		return account.ErrTaken
	case r.Error != nil:
		return r.Error
	case r.RowsAffected == 0:
		if err := tx.Select("id").Take(&accountRow{}, "id = ?", from.ID).Error; err != nil {
			return err
		}
		return account.ErrStale
	case from.DisabledAt == 0 && to.DisabledAt != 0:
		if err := endCredentials(tx, from.ID, account.Ending{At: to.DisabledAt}); err != nil {
			return err
		}
	}
	return logAccount(ctx, tx, from, to)
}

func manages(a account.Account) bool { return a.Role == account.RoleAdmin && a.DisabledAt == 0 }

// leavesAdmin returns account.ErrLastAdmin if no other account manages accounts. A lock keeps concurrent transactions
// from making it wrong.
func leavesAdmin(tx *gorm.DB, id string) error {
	if err := db.Lock(tx, "?", int64(adminLock)); err != nil {
		return err
	}
	others, err := hasAdmin(tx, id)
	if err == nil && !others {
		return account.ErrLastAdmin
	}
	return err
}

// endCredentials ends an account's credentials; an Ending without kinds ends all.
func endCredentials(tx *gorm.DB, accountID string, end account.Ending) error {
	query := tx.Model(&credentialRow{}).Where("account_id = ? AND revoked_at = 0", accountID)
	if end.Keep != "" {
		query = query.Where("id <> ? AND family <> ?", end.Keep, end.Keep)
	}
	if len(end.Kinds) > 0 {
		query = query.Where("kind IN ?", end.Kinds)
	}
	return query.Update("revoked_at", end.At).Error
}

// ListAccounts returns accounts, the oldest first.
func (p *People) ListAccounts(ctx context.Context, f account.Filter, limit int, cursor string) (
	[]account.Account, string, error,
) {
	from, err := paging.Parse[byTime]("accounts", cursor)
	if err != nil {
		return nil, "", err
	}
	query := p.s.reads.WithContext(ctx).Where("gone = 0").Order("created_at, id")
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
	place := func(r *accountRow) any { return byTime{r.CreatedAt, r.ID} }
	return db.Page("accounts", query, limit, place, (*accountRow).account)
}

// CreateAccountFor is CreateAccount for the account of a listed player, found by the hash of the claim code;
// club.ErrNotFound if no code fits.
func (p *People) CreateAccountFor(ctx context.Context, claimHash string, a account.Account) (
	player club.Player, err error,
) {
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
