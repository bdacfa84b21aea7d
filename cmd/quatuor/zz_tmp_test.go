package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quatuor/store/dbtest"
)

func TestZZOld(t *testing.T) {
	data := filledAutumn(t)
	found := 0
	for _, p := range plantedInAutumn {
		dir := spoilt(t, data, p.statement)
		out, _ := exec.Command("/tmp/qcheck", "check", "--data", dir).CombinedOutput()
		text := string(out)
		state := "MISSED"
		switch {
		case strings.Contains(text, "panic"):
			state = "PANIC"
		case strings.Contains(text, p.says):
			state, found = "same", found+1
		case !strings.Contains(text, "everything is as it should be"):
			state, found = "otherwise: "+strings.SplitN(text, "\n", 2)[0], found+1
		}
		fmt.Printf("OLD %-45s %.150s\n", p.what, state)
	}
	fmt.Println("OLD found", found, "of", len(plantedInAutumn))
	// walk
	db := dbtest.OpenFile(t, filepath.Join(data, "quatuor.db"))
	rows, err := db.Query(`SELECT m.name, c.name, c.type, c.pk FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type='table' AND m.name NOT LIKE 'sqlite%' AND m.name NOT LIKE 'goose%'`)
	if err != nil {
		t.Fatal(err)
	}
	type col struct {
		table, name, kind string
		pk             int
	}
	var cols []col
	for rows.Next() {
		var c col
		if err := rows.Scan(&c.table, &c.name, &c.kind, &c.pk); err != nil {
			t.Fatal(err)
		}
		cols = append(cols, c)
	}
	rows.Close()
	db.Close()
	all, hit := 0, 0
	for _, c := range cols {
		for _, value := range map[string][]string{"TEXT": {"'zzz'", "'[\"zzz\"]'"}, "INTEGER": {"77777"}, "REAL": {"0.77"}}[c.kind] {
			dir := t.TempDir()
			content, _ := os.ReadFile(filepath.Join(data, "quatuor.db"))
			os.WriteFile(filepath.Join(dir, "quatuor.db"), content, 0o600)
			db := dbtest.OpenFile(t, filepath.Join(dir, "quatuor.db"))
			db.SetMaxOpenConns(1)
			key := "rowid"
			var n int
			_, err := db.Exec(fmt.Sprintf(`UPDATE "%s" SET "%s" = %s WHERE %s = (SELECT min(%s) FROM "%s")`, c.table, c.name, value, key, key, c.table))
			if err != nil && strings.Contains(err.Error(), "no such column: rowid") {
				_, err = db.Exec(fmt.Sprintf(`UPDATE "%s" SET "%s" = %s`, c.table, c.name, value))
			}
			db.QueryRow("SELECT total_changes()").Scan(&n)
			db.Close()
			if err != nil || n == 0 {
				continue
			}
			all++
			out := checked(dir)
			if !strings.Contains(out, "rating rows computed") {
				fmt.Printf("WALK STOPS %s.%s=%s %.300s\n", c.table, c.name, value, out)
			}
			if !strings.Contains(out, "everything is as it should be") {
				hit++
			} else {
				fmt.Printf("WALK missed %s.%s = %s\n", c.table, c.name, value)
			}
		}
	}
	fmt.Println("WALK", hit, "of", all)
}
