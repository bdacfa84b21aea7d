package store

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"quatuor/store/internal/db"
	"quatuor/store/internal/paging"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/adminlog"
	"quatuor/tournament/club"
)

// adminLogRow is a row of admin_log. The databases refuse to change or delete rows.
type adminLogRow struct {
	ID        string `gorm:"primaryKey"`
	At        int64
	Kind      adminlog.Kind
	Via       adminlog.Via
	ByAccount string
	ByName    string
	Request   string
	AboutKind adminlog.SubjectKind
	AboutID   string
	AboutName string
	Names     string
	Was       adminlog.Values `gorm:"serializer:text"`
	Became    adminlog.Values `gorm:"serializer:text"`
}

func (adminLogRow) TableName() string { return "admin_log" }

func (r *adminLogRow) entry() adminlog.Entry {
	return adminlog.Entry{
		ID: r.ID, At: r.At, Kind: r.Kind, By: adminlog.Actor{
			Via: r.Via, Account: r.ByAccount, Name: r.ByName, Request: r.Request, At: r.At,
		},
		About: adminlog.Subject{Kind: r.AboutKind, ID: r.AboutID, Name: r.AboutName}, Before: r.Was, After: r.Became,
	}
}

// logAct adds an entry to the admin log, in the transaction of the change. Its actor is that of the context; without an
// account there, the entry's own.
func logAct(ctx context.Context, tx *gorm.DB, e adminlog.Entry) error {
	by := adminlog.From(ctx)
	if by.Account == "" && e.By.Account != "" {
		by.Account, by.Name = e.By.Account, e.By.Name
	}
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	row := adminLogRow{
		ID: id.String(), At: cmp.Or(by.At, time.Now().UnixMilli()), Kind: e.Kind, Via: by.Via, ByAccount: by.Account,
		ByName: by.Name, Request: by.Request, AboutKind: e.About.Kind, AboutID: e.About.ID, AboutName: e.About.Name,
		Names: nameKey(by.Name + "\n" + e.About.Name), Was: e.Before, Became: e.After,
	}
	return tx.Create(&row).Error
}

// LogBackup logs an act on a backup, by its name; "" for a backup that is not made yet.
func (p *People) LogBackup(ctx context.Context, kind adminlog.Kind, name string) error {
	return db.About("log a backup", p.s.backend.write(ctx, func(tx *gorm.DB) error {
		return logAct(ctx, tx, adminlog.Entry{
			Kind: kind, About: adminlog.Subject{Kind: adminlog.OfInstallation, Name: name},
		})
	}))
}

// AdminLog returns entries of the admin log, the newest first.
func (p *People) AdminLog(ctx context.Context, f adminlog.Filter, limit int, cursor string) (
	[]adminlog.Entry, string, error,
) {
	const list = "acts of administration"
	from, err := paging.Parse[byTime](list, cursor)
	if err != nil {
		return nil, "", err
	}
	query := p.s.reads.WithContext(ctx).Order("at DESC, id DESC")
	if from != nil {
		query = query.Where("(at, id) < (?, ?)", from.At, from.ID)
	}
	if f.Kind != "" {
		query = query.Where("kind = ?", f.Kind)
	}
	if f.Person != "" {
		query = query.Where("by_account = ? OR about_id = ? OR names LIKE ? ESCAPE '!'", f.Person, f.Person,
			"%"+literal(nameKey(f.Person))+"%")
	}
	return db.Page(list, query, limit, func(r *adminLogRow) any { return byTime{r.At, r.ID} }, (*adminLogRow).entry)
}

func ofAccount(a account.Account) adminlog.Subject {
	return adminlog.Subject{Kind: adminlog.OfAccount, ID: a.ID, Name: a.Login}
}

// logAccount logs the changes of an account's rights.
func logAccount(ctx context.Context, tx *gorm.DB, from, to account.Account) error {
	entry := adminlog.Entry{About: ofAccount(to)}
	if from.Role != to.Role {
		entry.Kind = adminlog.RoleChanged
		entry.Before, entry.After = adminlog.Values{"role": string(from.Role)}, adminlog.Values{"role": string(to.Role)}
		if err := logAct(ctx, tx, entry); err != nil {
			return err
		}
	}
	if (from.DisabledAt != 0) == (to.DisabledAt != 0) {
		return nil
	}
	entry.Kind = adminlog.AccountEnabled
	entry.Before = nil
	entry.After = nil
	if to.DisabledAt != 0 {
		entry.Kind = adminlog.AccountDisabled
	}
	return logAct(ctx, tx, entry)
}

// logCredential logs a credential with rights beyond its own account.
func logCredential(ctx context.Context, tx *gorm.DB, c account.Credential, owner accountRow) error {
	e := adminlog.Entry{About: adminlog.Subject{Kind: adminlog.OfAccount, ID: owner.ID, Name: owner.Login}}
	if c.ExpiresAt != 0 {
		e.After = adminlog.Values{"expires": adminlog.Moment(c.ExpiresAt)}
	}
	switch {
	case c.Kind == account.PasswordReset:
		e.Kind = adminlog.ResetMade
	case c.Kind == account.Invitation:
		e.Kind, e.About = adminlog.InvitationMade, adminlog.Subject{Kind: adminlog.OfInstallation, ID: c.ID}
		e.After = e.After.With("role", string(cmp.Or(c.Role, account.RolePlayer)))
		e.After = e.After.With("uses", strconv.Itoa(max(c.Uses, 1)))
	case managesAccounts(c):
		e.Kind = adminlog.AdminTokenMade
		e.After = e.After.With("name", c.Name)
	default:
		return nil
	}
	return logAct(ctx, tx, e)
}

// managesAccounts reports whether a credential is an API token with the scope of admins.
func managesAccounts(c account.Credential) bool {
	return c.Kind == account.APIToken && slices.Contains(c.Scopes, string(account.RoleAdmin))
}

// logEnded logs the end of a credential that logCredential has logged.
func logEnded(ctx context.Context, tx *gorm.DB, row credentialRow) error {
	c := row.credential()
	e := adminlog.Entry{Kind: adminlog.InvitationEnded, About: adminlog.Subject{Kind: adminlog.OfInstallation, ID: c.ID}}
	switch {
	case c.Kind == account.Invitation:
		e.Before = adminlog.Values{"role": string(cmp.Or(c.Role, account.RolePlayer)), "uses": strconv.Itoa(c.Uses)}
	case managesAccounts(c):
		owner, err := lockAccount(tx, c.AccountID)
		if err != nil {
			return err
		}
		e = adminlog.Entry{
			Kind: adminlog.AdminTokenEnded, About: ofAccount(owner.account()), Before: adminlog.Values{"name": c.Name},
		}
	default:
		return nil
	}
	return logAct(ctx, tx, e)
}

// logPlayers logs players entered on behalf of others.
func logPlayers(ctx context.Context, tx *gorm.DB, players []club.Player) error {
	e := adminlog.Entry{Kind: adminlog.PlayersAdded, About: adminlog.Subject{Kind: adminlog.OfPlayer}}
	if len(players) == 1 {
		e.About = adminlog.Player(players[0].ID, players[0].Name)
		_, e.After = adminlog.Changes(nil, playerValues(players[0]))
		return logAct(ctx, tx, e)
	}
	e.After = adminlog.Values{"count": strconv.Itoa(len(players)), "players": namesOf(players)}
	return logAct(ctx, tx, e)
}

// namesOf returns the names of the first players.
func namesOf(players []club.Player) string {
	names := make([]string, 0, adminlog.MaxListed)
	for _, p := range players[:min(len(players), adminlog.MaxListed)] {
		names = append(names, p.Name)
	}
	if len(players) > len(names) {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}

// logPlayer logs changes of a player that were not made by its owner.
func logPlayer(ctx context.Context, tx *gorm.DB, from, to club.Player) error {
	if by := adminlog.From(ctx); by.Account != "" && by.Account == from.AccountID {
		return nil
	}
	about := adminlog.Player(to.ID, to.Name)
	if to.ClaimHash != from.ClaimHash && to.ClaimHash != "" {
		if err := logAct(ctx, tx, adminlog.Entry{Kind: adminlog.ClaimCodeMade, About: about}); err != nil {
			return err
		}
	}
	was, became := adminlog.Changes(playerValues(from), playerValues(to))
	if len(was)+len(became) == 0 {
		return nil
	}
	return logAct(ctx, tx, adminlog.Entry{Kind: adminlog.PlayerChanged, About: about, Before: was, After: became})
}

// playerValues returns the values of a player that others may enter.
func playerValues(p club.Player) adminlog.Values {
	v := adminlog.Values{"name": p.Name, "club": p.Club}
	if p.BirthYear != 0 {
		v["birth_year"] = strconv.Itoa(p.BirthYear)
	}
	for list, rating := range p.Rating {
		v["rating "+list] = adminlog.Number(rating)
	}
	return v
}

// logNewAccount logs an account that was opened with a role, or not by its owner.
func logNewAccount(ctx context.Context, tx *gorm.DB, a account.Account, after adminlog.Values) error {
	e := adminlog.Entry{Kind: adminlog.AccountCreated, About: ofAccount(a), After: after.With("role", string(a.Role))}
	if adminlog.From(ctx).Via == adminlog.ViaRequest {
		e.By = adminlog.Actor{Account: a.ID, Name: a.Login}
	}
	return logAct(ctx, tx, e)
}

// logSetUp logs the first account and the settings that came with it, as a single act of that account.
func logSetUp(ctx context.Context, tx *gorm.DB, s club.Settings, a account.Account) error {
	return logAct(ctx, tx, adminlog.Entry{
		Kind: adminlog.SetUp, About: ofAccount(a), By: adminlog.Actor{Account: a.ID, Name: a.Login},
		After: settingsValues(tx, s).With("role", string(a.Role)),
	})
}

// logSettings logs the difference of two states of the club's settings.
func logSettings(ctx context.Context, tx *gorm.DB, from, to club.Settings) error {
	was, became := adminlog.Changes(settingsValues(tx, from), settingsValues(tx, to))
	if len(was)+len(became) == 0 {
		return nil
	}
	return logAct(ctx, tx, adminlog.Entry{
		Kind: adminlog.SettingsChanged, About: adminlog.Subject{Kind: adminlog.OfInstallation}, Before: was, After: became,
	})
}

// settingsValues returns every setting, so that a setting added later is logged too.
func settingsValues(tx *gorm.DB, s club.Settings) adminlog.Values {
	values, fields := adminlog.Values{}, reflect.ValueOf(s)
	for i := range fields.NumField() {
		if f := fields.Type().Field(i); f.Name != "Version" && !fields.Field(i).IsZero() {
			values[tx.NamingStrategy.ColumnName("", f.Name)] = fmt.Sprint(fields.Field(i).Interface())
		}
	}
	return values
}

func ofTournament(id, name string) adminlog.Subject {
	return adminlog.Subject{Kind: adminlog.OfTournament, ID: id, Name: name}
}

// logArbiters logs added and removed arbiters of a tournament, before the change is written.
func logArbiters(ctx context.Context, tx *gorm.DB, t *tournament.Tournament, d tournament.Delta) error {
	about := func(a tournament.Act) bool { return a.Kind == tournament.ActArbiters || a.Kind == tournament.ActUndo }
	if !slices.ContainsFunc(d.Acts, about) {
		return nil
	}
	var row tournamentRow
	err := tx.Select("id", "arbiters").Limit(1).Find(&row, "id = ?", t.ID).Error
	if err != nil || slices.Equal(row.Tournament.Arbiters, t.Arbiters) {
		return err
	}
	e := adminlog.Entry{Kind: adminlog.ArbitersChanged, About: ofTournament(t.ID, t.Name)}
	if e.Before, err = arbitersIn(tx, row.Tournament.Arbiters); err != nil {
		return err
	}
	if e.After, err = arbitersIn(tx, t.Arbiters); err != nil {
		return err
	}
	return logAct(ctx, tx, e)
}

// arbitersIn returns the logins of arbiters.
func arbitersIn(tx *gorm.DB, ids []string) (adminlog.Values, error) {
	var logins []string
	err := tx.Model(&accountRow{}).Where("id IN ?", ids).Order("login").Pluck("login", &logins).Error
	return adminlog.Values(nil).With("arbiters", strings.Join(logins, ", ")), err
}

// logDeleted logs that a tournament was deleted: nothing else is left of it.
func logDeleted(ctx context.Context, tx *gorm.DB, r *tournamentRow) error {
	t := &r.Tournament
	return logAct(ctx, tx, adminlog.Entry{
		Kind: adminlog.TournamentDeleted, About: ofTournament(t.ID, t.Name), Before: adminlog.Values{
			"variant": t.Variant, "status": string(t.Status), "entries": strconv.Itoa(r.EntryCount),
		},
	})
}

// logTaken logs that a tournament was imported, with players made for it.
func logTaken(ctx context.Context, tx *gorm.DB, t *tournament.Tournament, made []club.Player) error {
	after := adminlog.Values{
		"variant": t.Variant, "entries": strconv.Itoa(len(t.Entries)), "rounds": strconv.Itoa(len(t.Rounds)),
	}
	return logAct(ctx, tx, adminlog.Entry{
		Kind: adminlog.TournamentTaken, About: ofTournament(t.ID, t.Name), After: after.With("players", namesOf(made)),
	})
}
