package administration_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quatuor/api/apitest"
	"quatuor/cmd/quatuor/app"
	"quatuor/store"
	"quatuor/tournament/account"
)

// backup returns the name of a backup, which is made if there is none.
func (a *administration) backup() string {
	a.T.Helper()
	a.root.Post("/admin/backups", nil).Want(a.T, http.StatusAccepted)
	for deadline := time.Now().Add(time.Minute); ; {
		s := a.root.Get("/admin/backups").Want(a.T, http.StatusOK)
		if s.At("running") == false {
			if f := s.At("failure"); f != nil {
				a.T.Fatal(f)
			}
			return s.Text("items", 0, "name")
		}
		if time.Now().After(deadline) {
			a.T.Fatal("the backup is not made")
		}
	}
}

// TestBackupsAreForAdmins reads, makes and takes backups in every role and at both doors; none gets through to another
// file.
func TestBackupsAreForAdmins(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	ada, olga, root := s.Register("ada"), s.WithRole("olga", account.RoleOrganiser), s.WithRole("root", account.RoleAdmin)
	a := &administration{Service: s, root: root, desk: s.LoggedIn("root")}
	name := a.backup()
	for _, path := range []string{"/admin/backups", "/admin/backups/" + name} {
		s.Anonymous().Get(path).Refused(t, http.StatusUnauthorized, "unauthorized")
		ada.Get(path).Refused(t, http.StatusForbidden, "insufficient-scope")
		olga.Get(path).Refused(t, http.StatusForbidden, "insufficient-scope")
		root.TokenFor("read", "play", "organise").Get(path).Refused(t, http.StatusForbidden, "insufficient-scope")
		root.TokenFor("admin").Get(path).Want(t, http.StatusOK)
		if to := s.Visitor().Get(path); to.Status != http.StatusSeeOther {
			t.Errorf("a guest gets %d at %s", to.Status, path)
		}
		s.LoggedIn("ada").Get(path).Want(t, http.StatusForbidden)
		s.LoggedIn("olga").Get(path).Want(t, http.StatusForbidden)
		a.desk.Get(path).Want(t, http.StatusOK)
	}
	olga.Post("/admin/backups", nil).Refused(t, http.StatusForbidden, "insufficient-scope")
	s.LoggedIn("olga").Post("/admin/backups").Want(t, http.StatusForbidden)
	for _, path := range []string{
		"..%2fquatuor.db", "%2e%2e%2fquatuor.db", "..%5cquatuor.db", "quatuor.db", "..%2fbackups%2f" + name, "..", ".",
		name + "%00", name + "%2f..%2f..%2fquatuor.db", strings.Replace(name, "quatuor-2", "quatuor-1", 1),
	} {
		for door, got := range map[string]int{
			"page": a.desk.Get("/admin/backups/" + path).Status, "API": root.Get("/admin/backups/" + path).Status,
		} {
			if got != http.StatusNotFound && got != http.StatusBadRequest && got != http.StatusMovedPermanently {
				t.Errorf("%s: %q is answered %d", door, path, got)
			}
		}
	}
}

// TestABackupThatIsTakenIsWhole downloads a backup at both doors and restores it.
func TestABackupThatIsTakenIsWhole(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	s.Register("ada")
	a := &administration{Service: s, root: s.WithRole("root", account.RoleAdmin)}
	a.desk = s.LoggedIn("root")
	name := a.backup()
	a.desk.Get("/admin/backups").Want(t, http.StatusOK).Has(t, name, "The newest backup can be restored")
	taken := a.desk.Get("/admin/backups/"+name).Want(t, http.StatusOK)
	if other := a.root.Get("/admin/backups/"+name).Want(t, http.StatusOK); !bytes.Equal(taken.Raw, other.Raw) {
		t.Error("the doors give different files")
	}
	if h := taken.Header; h.Get("Cache-Control") != "no-store" || h.Get("Content-Type") != "application/vnd.sqlite3" ||
		!strings.Contains(h.Get("Content-Disposition"), "attachment") || h.Get("Content-Encoding") != "" {
		t.Errorf("the headers are %v", h)
	}
	file, other := filepath.Join(t.TempDir(), "taken.db"), filepath.Join(t.TempDir(), "other")
	if err := os.WriteFile(file, taken.Raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if found, err := app.CheckBackup(t.Context(), file, other); err != nil {
		t.Fatal(err, found)
	}
	if has, err := store.HasLogin(t.Context(), store.Config{Dir: other}, "ada"); err != nil || !has {
		t.Errorf("the account is not in it: %v", err)
	}
}

// TestOrganisersAreToldOfTheClock: where the last heartbeat is ahead of the clock by more than an hour, the desk and
// the page of administration show a warning.
func TestOrganisersAreToldOfTheClock(t *testing.T) {
	for ahead, want := range map[time.Duration]bool{59 * time.Minute: false, 61 * time.Minute: true} {
		s := apitest.New(t, apitest.WithPages)
		a := &administration{Service: s, root: s.WithRole("root", account.RoleAdmin)}
		a.desk = s.LoggedIn("root")
		s.WithRole("olga", account.RoleOrganiser)
		s.Register("ada")
		id := a.tournament()
		if err := s.Store.Games().Beat(t.Context(), "before", s.Now().Add(ahead).UnixMilli()); err != nil {
			t.Fatal(err)
		}
		if err := s.Tables.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
		shown := func(login, path string) bool {
			return strings.Contains(string(s.LoggedIn(login).Get(path).Want(t, http.StatusOK).Raw), "The clock of this computer")
		}
		for _, path := range []string{"/admin", "/tournaments/" + id + "/desk"} {
			if shown("root", path) != want {
				t.Errorf("%s ahead: %s shows admins a notice: %v", ahead, path, !want)
			}
		}
		if shown("olga", "/admin") != want || shown("ada", "/me") {
			t.Errorf("%s ahead: organisers are to be told, and players are not", ahead)
		}
	}
}

// TestOrganisersAreWarned: without a backup for a day and a half, the desk and the page of administration show a
// warning.
func TestOrganisersAreWarned(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	a := &administration{Service: s, root: s.WithRole("root", account.RoleAdmin)}
	a.desk = s.LoggedIn("root")
	s.WithRole("olga", account.RoleOrganiser)
	s.Register("ada")
	id := a.tournament()
	const warning = "no backup for more than 36 hours"
	pages := []string{"/admin", "/tournaments/" + id + "/desk"}
	shown := func(login, path string) bool {
		return strings.Contains(string(s.LoggedIn(login).Get(path).Want(t, http.StatusOK).Raw), warning)
	}
	for _, path := range pages {
		if shown("root", path) {
			t.Errorf("%s warns without a reason", path)
		}
	}
	if err := app.NoteBackup(s.Folder, time.Now().Add(-37*time.Hour)); err != nil {
		t.Fatal(err)
	}
	for _, path := range pages {
		if !shown("root", path) {
			t.Errorf("%s does not warn admins", path)
		}
	}
	if !shown("olga", "/admin") || shown("ada", "/me") {
		t.Error("organisers are to be warned, and players are not")
	}
	a.backup()
	if shown("root", "/admin") {
		t.Error("after a backup it still warns")
	}
}
