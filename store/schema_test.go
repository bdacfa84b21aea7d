package store

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"gorm.io/gorm"
	"gorm.io/gorm/schema"

	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/store/dbtest"
	"quatuor/store/internal/outbox"
	"quatuor/store/internal/sqlite"
)

// column holds the properties of a column that a migration and gorm must agree on.
type column struct {
	Name     string
	Type     string // integer, real, text, boolean or bytes
	Nullable bool
	Key      bool // part of the primary key
}

// sameSchema compares the tables that the migrations made with those that gorm expects.
func sameSchema(t *testing.T, s *Store, columns string, types map[string]string) {
	t.Helper()
	var rows []struct {
		TableName string
		Column    column `gorm:"embedded"`
	}
	if err := s.reads.Raw(columns).Scan(&rows).Error; err != nil {
		t.Fatal(err)
	}
	stored := map[string][]column{}
	for _, r := range rows {
		c := r.Column
		c.Type = types[strings.ToLower(c.Type)]
		stored[r.TableName] = append(stored[r.TableName], c)
	}
	for _, model := range models {
		name, want := modelled(t, s.reads, model, types)
		got := stored[name]
		slices.SortFunc(got, func(a, b column) int { return strings.Compare(a.Name, b.Name) })
		if !reflect.DeepEqual(got, want) {
			t.Errorf("table %s:\n the migrations make %v\n the model expects  %v", name, got, want)
		}
		delete(stored, name)
	}
	delete(stored, "goose_db_version")
	for name := range stored {
		t.Errorf("table %s has no model", name)
	}
}

// modelled is a model's table, its columns by name.
func modelled(t *testing.T, db *gorm.DB, model any, types map[string]string) (string, []column) {
	t.Helper()
	parsed, err := schema.Parse(model, &sync.Map{}, db.NamingStrategy)
	if err != nil {
		t.Fatal(err)
	}
	var columns []column
	for _, name := range parsed.DBNames {
		f := parsed.FieldsByDBName[name]
		columns = append(columns, column{
			Name: name, Type: kindOf(f, types), Key: f.PrimaryKey,
			Nullable: f.FieldType.Kind() == reflect.Pointer || f.FieldType.Kind() == reflect.Slice && name == "body" ||
				f.TagSettings["SERIALIZER"] == "null",
		})
	}
	slices.SortFunc(columns, func(a, b column) int { return strings.Compare(a.Name, b.Name) })
	return parsed.Table, columns
}

// kindOf returns the type that a field needs in a database; a database without booleans keeps them as integers.
func kindOf(f *schema.Field, types map[string]string) string {
	switch f.DataType {
	case schema.Int, schema.Uint:
		return "integer"
	case schema.Float:
		return "real"
	case schema.Bytes:
		return "bytes"
	case schema.Bool:
		if types["boolean"] == "" {
			return "integer"
		}
		return "boolean"
	default:
		return "text"
	}
}

func TestSchemaOnSQLite(t *testing.T) {
	sameSchema(t, open(t, Config{Dir: t.TempDir()}),
		`SELECT m.name AS table_name, c.name AS name, c.type AS type, c."notnull" = 0 AND c.pk = 0 AS nullable, c.pk > 0 AS key
		FROM sqlite_master m JOIN pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%'`,
		map[string]string{"integer": "integer", "text": "text", "real": "real", "blob": "bytes"})
}

func TestTablesAreStrict(t *testing.T) {
	s := open(t, Config{Dir: t.TempDir()})
	var loose []string
	err := s.reads.Raw(`SELECT name FROM pragma_table_list
		WHERE schema = 'main' AND type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'goose%'`).
		Scan(&loose).Error
	if err != nil || len(loose) > 0 {
		t.Errorf("tables that take anything: %v, error %v", loose, err)
	}
}

// TestListsUseAnIndex looks at how SQLite means to answer the lists: from an index in its order, never by sorting.
func TestListsUseAnIndex(t *testing.T) {
	s := open(t, Config{Dir: t.TempDir()})
	from := &newest{1000, "g"}
	for name, f := range map[string]table.Filter{
		"all":                {},
		"status":             {Status: []table.Status{table.Running}},
		"variant":            {Variant: "quixo/duel"},
		"variant and status": {Variant: "quixo/duel", Status: []table.Status{table.Running}},
		"player":             {Player: "p"},
		"tournament":         {Tournament: "t"},
	} {
		plan := s.reads.Session(&gorm.Session{DryRun: true}).Limit(10)
		query := inOrder(games(plan), f.Player, from)
		for condition, value := range map[string]string{
			"games.variant = ?":       f.Variant,
			"games.tournament_id = ?": f.Tournament,
		} {
			if value != "" {
				query = query.Where(condition, value)
			}
		}
		if len(f.Status) > 0 {
			query = query.Where("games.status = ?", f.Status[0])
		}
		statement := query.Find(&[]gameRow{}).Statement
		var steps []struct{ Detail string }
		err := s.reads.Raw("EXPLAIN QUERY PLAN "+statement.SQL.String(), statement.Vars...).Scan(&steps).Error
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range steps {
			if strings.Contains(step.Detail, "SCAN games") && !strings.Contains(step.Detail, "INDEX") ||
				strings.Contains(step.Detail, "TEMP B-TREE") {
				t.Errorf("%s: %s", name, step.Detail)
			}
		}
	}
}

// TestReleasedSchemas migrates a database of every schema that was ever released: testdata/vN.sql, with a row or more
// in every table that there was.
func TestReleasedSchemas(t *testing.T) {
	dumps, err := filepath.Glob("testdata/v*.sql")
	if err != nil || len(dumps) == 0 {
		t.Fatalf("no databases to migrate: %v", err)
	}
	for _, dump := range dumps {
		t.Run(filepath.Base(dump), func(t *testing.T) {
			dir := t.TempDir()
			text := restore(t, dump, filepath.Join(dir, databaseFile))
			s := open(t, Config{Dir: dir})
			for _, model := range models {
				if name, _ := modelled(t, s.reads, model, nil); !strings.Contains(text, "CREATE TABLE "+name+" ") {
					continue // a later schema's
				}
				var n int64
				if err := s.reads.Model(model).Count(&n).Error; err != nil || n == 0 {
					t.Errorf("%T: %d rows, error %v", model, n, err)
				}
			}
			g, log, err := s.Games().Load(t.Context(), "game-1")
			if err != nil || len(log) != int(g.Version) || g.Status != table.Finished || g.Outcome == nil {
				t.Errorf("game %+v with %d lines, error %v", g, len(log), err)
			}
			v, err := s.Tournaments().Load(t.Context(), "tournament-1")
			if err != nil || len(v.Entries) != 2 || v.Rounds[0].Pairings[0].Result == nil {
				t.Errorf("tournament %+v, error %v", v, err)
			}
			p, err := s.People().Player(t.Context(), "player-1")
			if err != nil || p.Rating["quixo-blitz"] != 1800.25 {
				t.Errorf("player %+v, error %v", p, err)
			}
			rows, err := s.Ratings().Changes(t.Context(), "game-1")
			if err != nil || len(rows) != 2 {
				t.Errorf("rating rows %+v, error %v", rows, err)
			}
			fromTournaments(t, s, rows)
		})
	}
}

// fromTournaments demands that a migrated game of a tournament counts as a tournament's, in its rows and in the current
// ratings.
func fromTournaments(t *testing.T, s *Store, rows []ledger.Row) {
	t.Helper()
	var inTournament int64
	if err := s.reads.Model(&outbox.Row{}).Where("game_id = 'game-1' AND tournament_id IS NOT NULL").Count(&inTournament).
		Error; err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		now, err := s.Ratings().Current(t.Context(), r.List, []string{r.PlayerID})
		if err != nil || int64(r.FromTournaments) != inTournament || int64(now[r.PlayerID].FromTournaments) != inTournament {
			t.Errorf("%d and %d games of %s are from tournaments, not %d; %v", r.FromTournaments,
				now[r.PlayerID].FromTournaments, r.PlayerID, inTournament, err)
		}
	}
}

// restore makes a database file from a dump, and returns the dump's text.
func restore(t *testing.T, dump, path string) string {
	t.Helper()
	text, err := os.ReadFile(dump)
	if err != nil {
		t.Fatal(err)
	}
	db := dbtest.OpenFile(t, sqlite.FileDSN(path, nil))
	if _, err := db.Exec(string(text)); err != nil {
		t.Fatal(err)
	}
	return string(text)
}
