package api_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quatuor/cmd/quatuor/app"
	"quatuor/store"
	"quatuor/tournament/account"
)

// backup returns the name of a backup, which is made if there is none.
func (a *administration) backup() string {
	a.t.Helper()
	a.root.post("/admin/backups", nil).want(a.t, http.StatusAccepted)
	for deadline := time.Now().Add(time.Minute); ; {
		s := a.root.get("/admin/backups").want(a.t, http.StatusOK)
		if s.at("running") == false {
			if f := s.at("failure"); f != nil {
				a.t.Fatal(f)
			}
			return s.text("items", 0, "name")
		}
		if time.Now().After(deadline) {
			a.t.Fatal("the backup is not made")
		}
	}
}

// TestBackupsAreForAdmins reads, makes and takes backups in every role and at both doors; none gets through to another
// file.
func TestBackupsAreForAdmins(t *testing.T) {
	s := newService(t, withRealPages)
	ada, olga, root := s.register("ada"), s.withRole("olga", account.RoleOrganiser), s.withRole("root", account.RoleAdmin)
	a := &administration{service: s, root: root, desk: s.visits("root")}
	name := a.backup()
	for _, path := range []string{"/admin/backups", "/admin/backups/" + name} {
		s.anonymous().get(path).refused(t, http.StatusUnauthorized, "unauthorized")
		ada.get(path).refused(t, http.StatusForbidden, "insufficient-scope")
		olga.get(path).refused(t, http.StatusForbidden, "insufficient-scope")
		root.tokenFor("read", "play", "organise").get(path).refused(t, http.StatusForbidden, "insufficient-scope")
		root.tokenFor("admin").get(path).want(t, http.StatusOK)
		if to := s.visitor().get(path); to.status != http.StatusSeeOther {
			t.Errorf("a guest gets %d at %s", to.status, path)
		}
		s.visits("ada").get(path).want(t, http.StatusForbidden)
		s.visits("olga").get(path).want(t, http.StatusForbidden)
		a.desk.get(path).want(t, http.StatusOK)
	}
	olga.post("/admin/backups", nil).refused(t, http.StatusForbidden, "insufficient-scope")
	s.visits("olga").post("/admin/backups").want(t, http.StatusForbidden)
	for _, path := range []string{
		"..%2fquatuor.db", "%2e%2e%2fquatuor.db", "..%5cquatuor.db", "quatuor.db", "..%2fbackups%2f" + name, "..", ".",
		name + "%00", name + "%2f..%2f..%2fquatuor.db", strings.Replace(name, "quatuor-2", "quatuor-1", 1),
	} {
		for door, got := range map[string]int{
			"page": a.desk.get("/admin/backups/" + path).status, "API": root.get("/admin/backups/" + path).status,
		} {
			if got != http.StatusNotFound && got != http.StatusBadRequest && got != http.StatusMovedPermanently {
				t.Errorf("%s: %q is answered %d", door, path, got)
			}
		}
	}
}

// TestABackupThatIsTakenIsWhole downloads a backup at both doors and restores it.
func TestABackupThatIsTakenIsWhole(t *testing.T) {
	s := newService(t, withRealPages)
	s.register("ada")
	a := &administration{service: s, root: s.withRole("root", account.RoleAdmin)}
	a.desk = s.visits("root")
	name := a.backup()
	a.desk.get("/admin/backups").want(t, http.StatusOK).has(t, name, "The newest backup can be restored")
	taken := a.desk.get("/admin/backups/"+name).want(t, http.StatusOK)
	if other := a.root.get("/admin/backups/"+name).want(t, http.StatusOK); !bytes.Equal(taken.raw, other.raw) {
		t.Error("the doors give different files")
	}
	if h := taken.header; h.Get("Cache-Control") != "no-store" || h.Get("Content-Type") != "application/vnd.sqlite3" ||
		!strings.Contains(h.Get("Content-Disposition"), "attachment") || h.Get("Content-Encoding") != "" {
		t.Errorf("the headers are %v", h)
	}
	file, other := filepath.Join(t.TempDir(), "taken.db"), filepath.Join(t.TempDir(), "other")
	if err := os.WriteFile(file, taken.raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if found, err := app.CheckBackup(t.Context(), file, other); err != nil {
		t.Fatal(err, found)
	}
	if has, err := store.HasLogin(t.Context(), store.Config{Dir: other}, "ada"); err != nil || !has {
		t.Errorf("the account is not in it: %v", err)
	}
}

// TestOrganisersAreToldOfTheClock: where the last heartbeat is ahead of the clock by more than an hour, the desk and the
// page of administration say so.
func TestOrganisersAreToldOfTheClock(t *testing.T) {
	for ahead, want := range map[time.Duration]bool{59 * time.Minute: false, 61 * time.Minute: true} {
		s := newService(t, withRealPages)
		a := &administration{service: s, root: s.withRole("root", account.RoleAdmin)}
		a.desk = s.visits("root")
		s.withRole("olga", account.RoleOrganiser)
		s.register("ada")
		id := a.tournament()
		if err := s.db.Games().Beat(t.Context(), "before", s.now().Add(ahead).UnixMilli()); err != nil {
			t.Fatal(err)
		}
		if err := s.tables.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
		shown := func(login, path string) bool {
			return strings.Contains(string(s.visits(login).get(path).want(t, http.StatusOK).raw), "The clock of this computer")
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

// TestOrganisersAreWarned: without a backup for a day and a half, the desk and the page of administration say so.
func TestOrganisersAreWarned(t *testing.T) {
	s := newService(t, withRealPages)
	a := &administration{service: s, root: s.withRole("root", account.RoleAdmin)}
	a.desk = s.visits("root")
	s.withRole("olga", account.RoleOrganiser)
	s.register("ada")
	id := a.tournament()
	const warning = "no backup for more than 36 hours"
	pages := []string{"/admin", "/tournaments/" + id + "/desk"}
	shown := func(login, path string) bool {
		return strings.Contains(string(s.visits(login).get(path).want(t, http.StatusOK).raw), warning)
	}
	for _, path := range pages {
		if shown("root", path) {
			t.Errorf("%s warns without a reason", path)
		}
	}
	if err := app.NoteBackup(s.folder, time.Now().Add(-37*time.Hour)); err != nil {
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
