package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quatuor/cmd/quatuor/app"
	"quatuor/store/dbtest"
)

func TestFolderHasOneProcess(t *testing.T) {
	data := t.TempDir()
	adminByCommand(t, data)
	p := serve(t, data)
	out, err := command(t, "serve", "--data", data, "--listen", "127.0.0.1:0").CombinedOutput()
	if err == nil || !strings.Contains(string(out), data) {
		t.Errorf("a second server on the same folder: %v\n%s", err, out)
	}
	p.Stop()
}

func TestAdminCreateRefuses(t *testing.T) {
	skipInShort(t, "hashes many passwords")
	data := t.TempDir()
	adminByCommand(t, data)
	for name, c := range map[string]struct{ login, password string }{
		"the same login":    {"Olga", "correct horse battery"},
		"a short password":  {"anna", "short"},
		"no password":       {"anna", ""},
		"a login of spaces": {"an na", "correct horse battery"},
	} {
		cmd := command(t, "admin", "create", "--data", data, "--login", c.login, "--password-stdin")
		cmd.Stdin = strings.NewReader(c.password + "\n")
		if out, err := cmd.CombinedOutput(); err == nil {
			t.Errorf("%s was taken:\n%s", name, out)
		}
	}
	if entries, err := os.ReadDir(data); err != nil || len(entries) == 0 {
		t.Errorf("the data folder is empty: %v", err)
	}
}

// TestRefusedAccountsLeaveNoTrace: a refused admin command neither makes an installation nor migrates its database.
func TestRefusedAccountsLeaveNoTrace(t *testing.T) {
	refused := func(data, login, password, command string) {
		t.Helper()
		err := storage{Data: data}.plain().CheckAccount(t.Context(), login, password, command == "password")
		var out, errs strings.Builder
		args := []string{"admin", command, "--data", data, "--login", login, "--password-stdin"}
		if status := run(args, strings.NewReader(password+"\n"), &out, &errs); status == exitOK || err == nil {
			t.Errorf("admin %s of %s with %q was carried out: %v", command, login, password, err)
		}
	}
	none := filepath.Join(t.TempDir(), "none")
	refused(none, "an na", "correct horse battery", "create")
	refused(none, "anna", "short", "create")
	refused(none, "anna", "correct horse battery", "password")
	if _, err := os.Stat(none); !os.IsNotExist(err) {
		t.Errorf("a refusal has made the data folder: %v", err)
	}
	data := t.TempDir()
	older := filepath.Join(data, "quatuor.db")
	db := dbtest.OpenFile(t, older)
	text, err := os.ReadFile("../../store/testdata/v1.sql")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(string(text)); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(older)
	if err != nil {
		t.Fatal(err)
	}
	refused(data, "Ada", "correct horse battery", "create")
	refused(data, "bob", "short", "create")
	refused(data, "bob", "correct horse battery", "password")
	if after, err := os.ReadFile(older); err != nil || !bytes.Equal(before, after) {
		t.Errorf("a refusal has changed a database of an older schema, error %v", err)
	}
	if err := (app.Storage{Data: data}).CheckAccount(t.Context(), "bob", "correct horse battery", false); err != nil {
		t.Errorf("a good account is refused: %v", err)
	}
}

// TestNextCommandNamesTheDatabase: the flag that leads the next command to the same data names no password.
func TestNextCommandNamesTheDatabase(t *testing.T) {
	for database, want := range map[string]string{
		"":                               "--data club",
		"postgres://db/club?sslmode=off": "--database 'postgres://db/club?sslmode=off'",
		"postgres://q:secret@db/club":    "--database 'postgres://q:xxxxx@db/club'",
		"postgres://db/?password=secret": "--database URL, with the same address",
	} {
		if got := (storage{Data: "club", Database: database}).where(); got != want {
			t.Errorf("%q: %s, want %s", database, got, want)
		}
	}
}
