package main

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quatuor/cmd/quatuor/app"
	"quatuor/store/dbtest"
)

// TestEveningOfAnOlderSchema takes over the database of an evening that the program of 2026-11-21 played, four
// tournaments with 112 games: it is brought up to date, a copy stays, and check finds nothing wrong, ratings included.
func TestEveningOfAnOlderSchema(t *testing.T) {
	data := t.TempDir()
	unpack(t, "../../store/testdata/evening-2026-11-21.sql.gz", filepath.Join(data, "quatuor.db"))
	db, err := app.Storage{Data: data}.OpenStore(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if copies, err := filepath.Glob(filepath.Join(data, "quatuor-schema-11-*.db")); err != nil || len(copies) != 1 {
		t.Errorf("copies from before: %v, error %v", copies, err)
	}
	out := checked(data)
	if !strings.Contains(out, "everything is as it should be") || !strings.Contains(out, "112 games") ||
		strings.Contains(out, " 0 rating rows") {
		t.Errorf("check says\n%s", out)
	}
}

// unpack makes a database file from a compressed dump.
func unpack(t *testing.T, dump, path string) {
	t.Helper()
	f, err := os.Open(dump)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	packed, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(packed)
	if err != nil {
		t.Fatal(err)
	}
	db := dbtest.OpenFile(t, path)
	db.SetMaxOpenConns(1)
	for statement := range strings.SplitAfterSeq(string(text), ";\n") { // the driver copies what is left at each of them
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
}
