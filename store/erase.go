package store

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"quatuor/store/internal/db"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/adminlog"
	"quatuor/tournament/club"
)

// eraseLock is the advisory lock of transactions that delete a person: each takes the next number.
const eraseLock = 0x7175_6174_0004

// Erase deletes a person in a single transaction, and returns the number that replaces the name in results, with the
// changes. The rows of the player and the account keep their ids, so that games, ratings and histories fit together, and
// nothing else. A repeated deletion changes nothing. Errors: club.ErrNotFound, account.ErrNotFound,
// account.ErrLastAdmin, club.ErrErasePlaying, club.ErrEraseEntered.
//
// The rows of SQLite's file that held the person are free room after it, which [Store.Rewrite] overwrites.
func (p *People) Erase(ctx context.Context, e club.Erasure) (done club.Erased, err error) {
	err = p.s.backend.write(ctx, func(tx *gorm.DB) error {
		erasing := erasing{tx: tx, Erasure: e}
		number, err := erasing.run(ctx)
		done = club.Erased{
			Number: number, Player: erasing.Player, Account: erasing.Account, Tournaments: erasing.tournaments(),
		}
		return err
	})
	return done, db.Keep("delete a person", err, club.ErrNotFound, account.ErrNotFound, account.ErrLastAdmin,
		club.ErrErasePlaying, club.ErrEraseEntered)
}

// erasing is a person's deletion that is being carried out.
type erasing struct {
	club.Erasure
	tx      *gorm.DB
	player  playerRow  // zero for an account without a player
	account accountRow // zero for a player without an account
	number  int64
	name    string   // the new name
	ids     []string // of the player, with those that were merged into it, and the account
	logins  []string
	merged  []mergeRow
	entries []memberRow
	names   names
	scope   []string        // tournaments that the person played in, led a team in, organised or was an arbiter of
	shown   []string        // of these tournaments, those that the person played in or led a team in
	changed map[string]bool // of these tournaments, those where something was replaced
	refused error           // because something could not be read
}

func (e *erasing) run(ctx context.Context) (int64, error) {
	if err := db.Lock(e.tx, "?", int64(eraseLock)); err != nil {
		return 0, err
	}
	if err := e.read(); err != nil {
		return 0, err
	}
	if gone := max(e.player.Gone, e.account.Gone); gone > 0 {
		return gone, nil
	}
	for _, step := range []func() error{
		e.checkAdmin, e.checkPlaying, func() error { return e.withdraw(ctx) }, e.takeNumber, e.findNames,
		e.findTournaments, e.erasePlayer, e.eraseAccount, e.eraseEntries, e.leaveLadders, e.eraseFiles, e.eraseRecords,
		e.eraseTexts, e.eraseReplies, e.eraseLog, e.closeLog, e.invalidate, e.verify,
	} {
		if err := step(); err != nil {
			return 0, err
		}
	}
	about := adminlog.Player(e.Player, e.name)
	if e.Player == "" {
		about = adminlog.Subject{Kind: adminlog.OfAccount, ID: e.Account, Name: e.name}
	}
	by := adminlog.From(ctx)
	if by.Account == e.Account { // its login goes, too
		by.Name = e.name
		ctx = adminlog.With(ctx, by)
	}
	err := logAct(ctx, e.tx, adminlog.Entry{Kind: adminlog.PersonDeleted, About: about})
	return e.number, err
}

// read locks the player and the account.
func (e *erasing) read() error {
	locked := e.tx.Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate}).Session(&gorm.Session{})
	if e.Account != "" {
		err := locked.Take(&e.account, "id = ?", e.Account).Error
		if errors.Is(err, gorm.ErrRecordNotFound) {
			return account.ErrNotFound
		}
		if err != nil {
			return err
		}
		e.Player = e.account.PlayerID
	}
	if e.Player == "" {
		return nil
	}
	err := locked.Take(&e.player, "id = ?", e.Player).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return club.ErrNotFound
	}
	if err == nil && e.Account == "" && e.player.AccountID != "" {
		e.Account = e.player.AccountID
		err = locked.Take(&e.account, "id = ?", e.Account).Error
	}
	return err
}

func (e *erasing) checkAdmin() error {
	if e.Account == "" || !manages(e.account.account()) {
		return nil
	}
	return leavesAdmin(e.tx, e.Account)
}

// checkPlaying refuses while others wait for the player in a game.
func (e *erasing) checkPlaying() error {
	ladders, err := e.waitsOnLadders()
	if err == nil && len(ladders) > 0 {
		err = club.ErrErasePlaying
	}
	return err
}

// takeNumber takes the next number. Its row in erasures opens the admin log until the transaction ends.
func (e *erasing) takeNumber() error {
	var last int64
	err := e.tx.Raw("SELECT max(n) FROM (SELECT coalesce(max(gone), 0) AS n FROM players " +
		"UNION ALL SELECT coalesce(max(gone), 0) FROM accounts) AS numbers").Scan(&last).Error
	if err != nil {
		return err
	}
	e.number = max(club.FirstGone, last+1)
	e.name = club.GoneName(e.number)
	return e.tx.Create(&erasureRow{e.number, 1}).Error
}

// closeLog ends the entry of takeNumber. On SQLite the row stays until the file has been rewritten.
func (e *erasing) closeLog() error {
	row := e.tx.Model(&erasureRow{}).Where("number = ?", e.number)
	if e.tx.Name() == db.SQLite {
		return row.Update("open", 0).Error
	}
	return row.Delete(&erasureRow{}).Error
}

type erasureRow struct {
	Number int64 `gorm:"primaryKey;autoIncrement:false"`
	Open   int
}

func (erasureRow) TableName() string { return "erasures" }

func (e *erasing) erasePlayer() error {
	if e.Player == "" {
		return nil
	}
	if err := e.tx.Delete(&blockRow{}, "player_id = ? OR blocked = ?", e.Player, e.Player).Error; err != nil {
		return err
	}
	if err := e.tx.Model(&mergeRow{}).Where("kept_id = ?", e.Player).Update("gone_name", e.name).Error; err != nil {
		return err
	}
	return e.tx.Model(&playerRow{}).Where("id = ?", e.Player).Updates(map[string]any{
		"name": e.name, "name_key": "", "club": "", "birth_year": 0, "account_id": nil, "claim_hash": "",
		"open_to_challenges": false, "closed_to_challenges": false, "challenges_at_once": 0, "gone": e.number,
		"version": gorm.Expr("version + 1"),
	}).Error
}

// eraseAccount also deletes what belongs to the account: webhooks, e-mail, and sessions, tokens, links and invitations. A
// session lives only as long as its row.
func (e *erasing) eraseAccount() error {
	if e.Account == "" {
		return nil
	}
	if err := e.eraseOwnReplies(); err != nil {
		return err
	}
	if err := e.eraseForgotten(); err != nil {
		return err
	}
	for _, row := range []any{
		&credentialRow{}, &familiarRow{}, &hookRow{}, &mailRow{}, &mailAddressRow{}, &mailMarkRow{},
	} {
		if err := e.tx.Delete(row, "account_id = ?", e.Account).Error; err != nil {
			return err
		}
	}
	// resets before this account was opened were made by an earlier account with that login
	err := e.tx.Model(&accountRow{}).Where("reset_by = ? AND reset_at >= ?", e.account.Login, e.account.CreatedAt).
		Update("reset_by", e.name).Error
	if err != nil {
		return err
	}
	return e.tx.Model(&accountRow{}).Where("id = ?", e.Account).Updates(map[string]any{
		"login": e.name, "password_hash": "", "role": account.RolePlayer, "player_id": nil, "disabled_at": e.At,
		"language": "", "reset_by": "", "reset_at": 0, "gone": e.number,
	}).Error
}

// eraseForgotten deletes the queued requests for a new password in which the login or an address of the account was
// entered.
func (e *erasing) eraseForgotten() error {
	own, err := mailAddress(e.tx, e.Account)
	if err != nil {
		return err
	}
	var forgotten []mailRow
	if err := e.tx.Find(&forgotten, "kind = ?", account.MailForgotten).Error; err != nil {
		return err
	}
	typed := []string{strings.ToLower(e.account.Login), strings.ToLower(own.Address), strings.ToLower(own.Pending)}
	var gone []string
	for _, m := range forgotten {
		if m.Data.Typed != "" && slices.Contains(typed, strings.ToLower(m.Data.Typed)) {
			gone = append(gone, m.ID)
		}
	}
	return e.tx.Delete(&mailRow{}, "id IN ?", gone).Error
}

// eraseEntries renames the player's entries, and takes back those of tournaments that have not begun. A team keeps its
// name, unless that holds the player's.
func (e *erasing) eraseEntries() error {
	for _, member := range e.entries {
		var row entryRow
		if err := e.tx.Take(&row, "tournament_id = ? AND id = ?", member.TournamentID, member.EntryID).Error; err != nil {
			return err
		}
		before := row.Entry
		if len(row.Entry.Members) == 1 {
			row.Entry.Name, row.Entry.Club = e.name, ""
		} else {
			row.Entry.Name = e.names.replace(row.Entry.Name)
		}
		var status tournament.Status
		err := e.tx.Model(&tournamentRow{}).Select("status").Where("id = ?", member.TournamentID).
			Scan(&status).Error
		if err != nil {
			return err
		}
		if status == tournament.Draft || status == tournament.Open || status == tournament.Closed {
			row.Entry.Status = tournament.Withdrawn
			row.Entry.Awaiting = nil
			row.Entry.Present = false
			row.Entry.Tonight, row.Entry.Waiting = 0, 0
		}
		if reflect.DeepEqual(row.Entry, before) {
			continue
		}
		err = e.tx.Select("name", "club", "status", "awaiting", "present", "tonight", "waiting").Updates(&row).Error
		if err != nil {
			return err
		}
		e.changed[member.TournamentID] = true
	}
	return nil
}

// invalidate invalidates cached tournaments that show the person. Where something was replaced, the undo of the last
// act is dropped: it would bring that back.
func (e *erasing) invalidate() error {
	for _, id := range e.scope {
		step := countUp
		if e.changed[id] {
			step = newEdition
		}
		if e.changed[id] || slices.Contains(e.shown, id) {
			if err := step(e.tx, id); err != nil {
				return err
			}
		}
	}
	return nil
}

// newEdition invalidates the cache of a tournament, and drops the undo of its last act.
func newEdition(tx *gorm.DB, id string) error {
	if err := tx.Model(&actRow{}).Where("tournament_id = ? AND undo <> ''", id).Update("undo", "").Error; err != nil {
		return err
	}
	return countUp(tx, id)
}

// countUp invalidates the cache of a tournament.
func countUp(tx *gorm.DB, id string) error {
	return tx.Model(&tournamentRow{}).Where("id = ?", id).Updates(map[string]any{
		"version": gorm.Expr("version + 1"), "public_version": gorm.Expr("CASE WHEN status = 'draft' THEN public_version " +
			"ELSE public_version + 1 END"),
	}).Error
}

// findNames collects the ids of the person, and the names that it had: as a player, in lists of entries, before it was
// merged or renamed, and its login.
func (e *erasing) findNames() error {
	found := []string{e.player.Name, e.account.Login}
	e.ids = []string{e.Player, e.Account}
	if e.Player != "" {
		if err := e.tx.Find(&e.merged, "kept_id = ?", e.Player).Error; err != nil {
			return err
		}
		for _, m := range e.merged {
			e.ids, found = append(e.ids, m.GoneID), append(found, m.GoneName)
		}
		err := e.tx.Where("player_id = ?", e.Player).Order("tournament_id, entry_id").Find(&e.entries).Error
		if err != nil {
			return err
		}
		for _, member := range e.entries {
			var row entryRow
			err := e.tx.Take(&row, "tournament_id = ? AND id = ?", member.TournamentID, member.EntryID).Error
			if err != nil {
				return err
			}
			if len(row.Entry.Members) == 1 {
				found = append(found, row.Entry.Name)
			}
		}
	}
	e.ids = slices.DeleteFunc(e.ids, func(id string) bool { return id == "" })
	var logged []adminLogRow
	if err := e.tx.Find(&logged, "about_id IN ? OR by_account IN ?", e.ids, e.ids).Error; err != nil {
		return err
	}
	e.logins = []string{e.account.Login}
	for _, r := range logged {
		if slices.Contains(e.ids, r.AboutID) {
			found = append(found, r.AboutName)
			if r.AboutKind == adminlog.OfAccount { // the values are names of tokens
				e.logins = append(e.logins, r.AboutName)
			} else {
				found = append(found, r.Was["name"], r.Became["name"], r.Was["merged"])
			}
		}
		if slices.Contains(e.ids, r.ByAccount) {
			found, e.logins = append(found, r.ByName), append(e.logins, r.ByName)
		}
	}
	e.logins = slices.DeleteFunc(e.logins, func(login string) bool { return login == "" })
	e.names = newNames(found, e.name)
	return nil
}

// findTournaments collects the tournaments with texts that may name the person.
func (e *erasing) findTournaments() error {
	e.changed = map[string]bool{}
	if e.Player != "" {
		err := e.tx.Raw("SELECT tournament_id FROM entry_members WHERE player_id = ? "+
			"UNION SELECT tournament_id FROM entry_leaders WHERE player_id = ?", e.Player, e.Player).Scan(&e.shown).Error
		if err != nil {
			return err
		}
	}
	e.scope = slices.Clone(e.shown)
	if e.Account != "" {
		var run []string
		err := e.tx.Model(&tournamentRow{}).Where("organiser = ? OR arbiters LIKE ? ESCAPE '!'", e.Account,
			`%"`+literal(e.Account)+`"%`).Pluck("id", &run).Error
		if err != nil {
			return err
		}
		e.scope = append(e.scope, run...)
	}
	slices.Sort(e.scope)
	e.scope = slices.Compact(e.scope)
	return nil
}

// tournaments returns the ids of the tournaments that show the person or were changed.
func (e *erasing) tournaments() (ids []string) {
	for _, id := range e.scope {
		if e.changed[id] || slices.Contains(e.shown, id) {
			ids = append(ids, id)
		}
	}
	return ids
}
