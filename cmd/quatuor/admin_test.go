package main

import (
	"os"
	"strings"
	"testing"
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
