package store

import (
	"testing"

	"gorm.io/gorm"

	"quatuor/tournament/account"
	"quatuor/tournament/adminlog"
	"quatuor/tournament/club"
)

func TestAdminLogStays(t *testing.T) {
	s := open(t, Config{Dir: folder(t)})
	logStays(t, s)
	if faults, err := s.Faults(t.Context()); err != nil || len(faults) > 0 {
		t.Errorf("faults %v, error %v", faults, err)
	}
}

func adminLogStays(t *testing.T, dsn string) { logStays(t, open(t, Config{DSN: dsn})) }

// logStays tries to change and to delete entries, and to act without the log.
func logStays(t *testing.T, s *Store) {
	ctx, people := t.Context(), s.People()
	admin := account.Account{ID: "gone", Login: "gone", Role: account.RoleAdmin}
	player := account.Account{ID: "p", Login: "p", Role: account.RolePlayer}
	for _, a := range []account.Account{admin, player} {
		if err := people.CreateAccount(ctx, a, nil); err != nil {
			t.Fatal(err)
		}
	}
	exec := func(statement string) error {
		return s.backend.write(ctx, func(tx *gorm.DB) error { return tx.Exec(statement).Error })
	}
	for _, statement := range []string{
		"UPDATE admin_log SET by_name = 'somebody else'", "DELETE FROM admin_log",
		"INSERT INTO admin_log SELECT * FROM admin_log",
	} {
		if err := exec(statement); err == nil {
			t.Errorf("%s is taken", statement)
		}
	}
	before, _, err := people.AdminLog(ctx, adminlog.Filter{}, 10, "")
	if err != nil || len(before) != 2 {
		t.Fatalf("%d entries, error %v", len(before), err)
	}
	if err := exec("DELETE FROM accounts WHERE id = 'gone'"); err != nil {
		t.Fatal(err)
	}
	if kept, _, err := people.AdminLog(ctx, adminlog.Filter{Person: "gone"}, 10, ""); err != nil || len(kept) != 1 {
		t.Errorf("of an account that is gone %d entries, error %v", len(kept), err)
	}
	if err := exec("ALTER TABLE admin_log RENAME TO elsewhere"); err != nil {
		t.Fatal(err)
	}
	organiser := player
	organiser.Role = account.RoleOrganiser
	if people.UpdateAccount(ctx, player, organiser) == nil {
		t.Error("a role changes without an entry")
	}
	if people.SaveSettings(ctx, club.Settings{Name: "x"}, 0) == nil {
		t.Error("settings change without an entry")
	}
	if people.CreatePlayer(ctx, club.Player{ID: "p", Name: "P", Version: 1}) == nil {
		t.Error("a player is entered without an entry")
	}
	if is, err := people.Account(ctx, "p"); err != nil || is.Role != account.RolePlayer {
		t.Errorf("the role is %q, error %v", is.Role, err)
	}
	if now, err := people.Settings(ctx); err != nil || now.Version != 0 {
		t.Errorf("the settings are %+v, error %v", now, err)
	}
	if err := exec("ALTER TABLE elsewhere RENAME TO admin_log"); err != nil {
		t.Fatal(err)
	}
}
