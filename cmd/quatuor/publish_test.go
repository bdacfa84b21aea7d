package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quatuor/store"
	"quatuor/tournament/exact"
	"quatuor/tournament/series"
)

// TestPublishWritesFiles that can be published again, and touches no folder with other things in it.
func TestPublishWritesFiles(t *testing.T) {
	dir := t.TempDir()
	report := filepath.Join(dir, "good.trf")
	if err := os.WriteFile(report, []byte(strings.Replace(threePlayers, "0.5    3", "1.0    3", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	do := func(in string, args ...string) (status int, out, errs string) {
		var stdout, stderr bytes.Buffer
		status = run(append(args, "--data", filepath.Join(dir, "data")), strings.NewReader(in), &stdout, &stderr)
		return status, stdout.String(), stderr.String()
	}
	if status, _, errs := do("a long password\n", "admin", "create", "--login", "olga",
		"--password-stdin"); status != exitOK {
		t.Fatal(errs)
	}
	status, out, errs := do("", "import", "--variant", "quixo/duel", "--time-control", "300+3", report, "--organiser",
		"olga")
	if status != exitOK {
		t.Fatal(errs)
	}
	_, id, _ := strings.Cut(strings.TrimSpace(out), "/tournaments/")
	saveSeries(t, filepath.Join(dir, "data"), id)
	site := filepath.Join(dir, "site")
	page := filepath.Join(site, "tournaments", id, "index.html")
	if status, _, errs := do("", "publish", site, "--tournament", "nothing"); status != exitFailure ||
		!strings.Contains(errs, "nothing") {
		t.Errorf("an unknown tournament: status %d, %q", status, errs)
	}
	if _, err := os.Stat(site); err == nil {
		t.Error("a folder was made for nothing")
	}
	for range 2 {
		if status, out, errs := do("", "publish", site, "--tournament", id); status != exitOK ||
			!strings.Contains(out, "index.html is the first page") {
			t.Fatalf("status %d: %s%s", status, out, errs)
		}
		if text, err := os.ReadFile(page); err != nil || !strings.Contains(string(text), "Three players") {
			t.Errorf("%v: %s", err, text)
		}
		for name, want := range map[string]string{"series/s.html": "../tournaments/" + id + "/index.html", "index.html": "series/s.html"} {
			if text, err := os.ReadFile(filepath.Join(site, name)); err != nil || !strings.Contains(string(text), `href="`+want) {
				t.Errorf("%s has no link to %s, error %v: %s", name, want, err, text)
			}
		}
		// Files of an earlier publication that this publication does not write are removed; files of others stay.
		list := filepath.Join(site, ".quatuor-published")
		if text, err := os.ReadFile(list); err != nil ||
			os.WriteFile(list, append(text, "old.html\n../outside.html\n"...), 0o600) != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"old.html", "own.html", "../outside.html"} {
			if err := os.WriteFile(filepath.Join(site, name), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if status, _, errs := do("", "publish", site); status != exitOK {
		t.Fatal(errs)
	}
	for name, want := range map[string]bool{"old.html": false, "own.html": true, "../outside.html": true} {
		if _, err := os.Stat(filepath.Join(site, name)); (err == nil) != want {
			t.Errorf("%s is there: %v", name, !want)
		}
	}
	left, err := filepath.Glob(filepath.Join(site, ".quatuor-new-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
	if status, _, errs := do("", "publish", dir); status != exitUsage || !strings.Contains(errs, "other things") {
		t.Errorf("a folder with other things: status %d, %q", status, errs)
	}
}

// saveSeries stores a series with a single tournament.
func saveSeries(t *testing.T, data, event string) {
	t.Helper()
	db, err := store.Open(t.Context(), store.Config{Dir: data})
	if err != nil {
		t.Fatal(err)
	}
	err = db.Seasons().SaveSeries(t.Context(), series.Settings{
		ID: "s", Name: "Winter", Rules: series.DefaultRules(), Parts: []series.Part{{Tournament: event, Factor: exact.Whole(1)}},
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}
