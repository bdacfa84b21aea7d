package db_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	gormsqlite "gorm.io/driver/sqlite"
	"gorm.io/gorm"
	"pgregory.net/rapid"

	"quatuor/engine/table"
	"quatuor/store/internal/db"
	"quatuor/store/internal/sqlite"
)

// thing is a row with each kind of column.
type thing struct {
	ID    string         `gorm:"primaryKey"`
	List  []int          `gorm:"serializer:text"`
	Map   map[string]int `gorm:"serializer:text"`
	Name  string         `gorm:"serializer:null"`
	Ranks []int          `gorm:"serializer:null"`
	Size  int
}

// open returns an empty database with a table of things.
func open(t *testing.T) *gorm.DB {
	t.Helper()
	pool := sqlite.OpenPlain(filepath.Join(t.TempDir(), "test.db"))
	t.Cleanup(func() { _ = pool.Close() })
	orm, err := gorm.Open(gormsqlite.New(gormsqlite.Config{Conn: pool}), &gorm.Config{SkipDefaultTransaction: true})
	if err != nil {
		t.Fatal(err)
	}
	const things = `CREATE TABLE things (id TEXT PRIMARY KEY, list TEXT NOT NULL, map TEXT NOT NULL, name TEXT UNIQUE,
		ranks TEXT, size INTEGER NOT NULL)`
	if err := orm.Exec(things).Error; err != nil {
		t.Fatal(err)
	}
	return orm
}

// ids returns the ids of things.
func ids(things []thing) []string { return db.Map(things, func(one *thing) string { return one.ID }) }

// TestColumnsComeBack stores things and reads them again, by gorm and past it.
func TestColumnsComeBack(t *testing.T) {
	orm := open(t)
	rapid.Check(t, func(r *rapid.T) {
		if err := orm.Where("1 = 1").Delete(&thing{}).Error; err != nil {
			r.Fatal(err)
		}
		numbers := rapid.SliceOf(rapid.Int())
		stored := thing{
			ID: "a", List: numbers.Draw(r, "list"), Map: rapid.MapOf(rapid.String(), rapid.Int()).Draw(r, "map"),
			Name: rapid.StringN(0, 20, -1).Filter(func(s string) bool { return !strings.ContainsRune(s, 0) }).Draw(r, "name"),
		}
		if rapid.Bool().Draw(r, "ranked") {
			stored.Ranks = numbers.Draw(r, "ranks")
		}
		if err := orm.Create(&stored).Error; err != nil {
			r.Fatal(err)
		}
		var read thing
		if err := orm.Take(&read).Error; err != nil {
			r.Fatal(err)
		}
		if !reflect.DeepEqual(read, stored) {
			r.Errorf("stored %+v, read %+v", stored, read)
		}
		var list, ranks []int
		into := []any{db.FromText{Into: &list}, db.FromText{Into: &ranks}}
		if err := orm.Raw("SELECT list, ranks FROM things").Row().Scan(into...); err != nil {
			r.Fatal(err)
		}
		if !reflect.DeepEqual(list, stored.List) || !reflect.DeepEqual(ranks, stored.Ranks) {
			r.Errorf("stored %v and %v, scanned %v and %v", stored.List, stored.Ranks, list, ranks)
		}
	})
}

// TestNullColumns checks that zero values of a column "null" are NULL, so that a unique index takes any number of them.
func TestNullColumns(t *testing.T) {
	orm := open(t)
	if err := db.Create(orm, []thing{{ID: "a"}, {ID: "b"}, {ID: "c", Name: "named", Ranks: []int{2, 1}}}); err != nil {
		t.Fatal(err)
	}
	var nameless []string
	err := orm.Model(&thing{}).Where("name IS NULL AND ranks IS NULL AND list = 'null'").Order("id").Pluck("id", &nameless).Error
	if want := []string{"a", "b"}; err != nil || !slices.Equal(nameless, want) {
		t.Errorf("NULL in %v (%v), want %v", nameless, err, want)
	}
	if err := orm.Create(&thing{ID: "d", Name: "named"}).Error; !db.Duplicate(err) {
		t.Errorf("a second thing with the name: %v, want a duplicate", err)
	}
}

// TestUnreadableColumns reads what no column of this kind may hold.
func TestUnreadableColumns(t *testing.T) {
	orm := open(t)
	for _, stored := range []string{"'['", "'{}'", "7"} {
		if err := orm.Exec("INSERT OR REPLACE INTO things (id, list, map, size) VALUES ('a', " + stored + ", 'null', 0)").Error; err != nil {
			t.Fatal(err)
		}
		if err := orm.Take(&thing{}).Error; err == nil {
			t.Errorf("a list that is stored as %s is read", stored)
		}
	}
	var into []int
	if err := (db.FromText{Into: &into}).Scan(7); err == nil {
		t.Error("a number is scanned as text")
	}
}

// TestColumnsOf lists the columns in the order of the fields.
func TestColumnsOf(t *testing.T) {
	want := []string{"id", "list", "map", "name", "ranks", "size"}
	got := db.ColumnsOf(&thing{})
	if !slices.Equal(got, want) {
		t.Errorf("columns %v, want %v", got, want)
	}
	got[0] = "changed"
	if again := db.ColumnsOf(&thing{}); !slices.Equal(again, want) {
		t.Errorf("a caller has changed the columns to %v", again)
	}
	if text := db.Text(map[string]int{"b": 2, "a": 1}); text != `{"a":1,"b":2}` {
		t.Errorf("a map is stored as %s", text)
	}
}

// TestAbout distinguishes a database that is away from a request that fails or is given up.
func TestAbout(t *testing.T) {
	refused := &net.OpError{Op: "dial", Err: errors.New("connection refused")}
	for _, tt := range []struct {
		name string
		err  error
		away bool
	}{
		{"a broken connection", driver.ErrBadConn, true},
		{"a closed connection", sql.ErrConnDone, true},
		{"a server that refuses", fmt.Errorf("dial: %w", refused), true},
		{"an answer cut off", io.ErrUnexpectedEOF, true},
		{"a caller that has given up", context.Canceled, false},
		{"a caller whose time is up", context.DeadlineExceeded, false},
		{"no row", gorm.ErrRecordNotFound, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := db.About("look", tt.err)
			if away := errors.Is(err, table.ErrUnavailable); away != tt.away {
				t.Errorf("the database is unavailable: %v, want %v", away, tt.away)
			}
			if !errors.Is(err, tt.err) || !strings.HasPrefix(err.Error(), "store: look: ") {
				t.Errorf("%q hides what was done, or the cause", err)
			}
		})
	}
	if err := db.About("look", nil); err != nil {
		t.Errorf("no error becomes %v", err)
	}
}

// TestPromised keeps the errors that a caller is promised, and wraps the others.
func TestPromised(t *testing.T) {
	missing, taken, other := errors.New("missing"), errors.New("taken"), errors.New("other")
	for _, tt := range []struct {
		name           string
		err, promised  error
		kept, wrapping bool
	}{
		{"no row", gorm.ErrRecordNotFound, missing, true, false},
		{"a promised error, wrapped", fmt.Errorf("at the key: %w", taken), taken, true, false},
		{"the error of no row itself", missing, missing, true, false},
		{"any other", other, other, false, true},
	} {
		got := db.Promised("look", tt.err, missing, taken)
		if kept := got == tt.promised; kept != tt.kept || !errors.Is(got, tt.promised) {
			t.Errorf("%s: %v, want %v as it is: %v", tt.name, got, tt.promised, tt.kept)
		}
		if wrapped := strings.HasPrefix(got.Error(), "store: look: "); wrapped != tt.wrapping {
			t.Errorf("%s: %q names what was done: %v, want %v", tt.name, got, wrapped, tt.wrapping)
		}
	}
	if err := db.Promised("look", nil, missing); err != nil {
		t.Errorf("no error becomes %v", err)
	}
}

// TestInserts writes more rows than a statement takes, and again over those that are there.
func TestInserts(t *testing.T) {
	orm := open(t)
	things := make([]thing, 450)
	for i := range things {
		things[i] = thing{ID: fmt.Sprintf("%03d", i), Size: 1}
	}
	if err := db.Create(orm, things); err != nil {
		t.Fatal(err)
	}
	if err := db.Create(orm, things[:1]); !db.Duplicate(err) {
		t.Errorf("a row inserted twice: %v, want a duplicate", err)
	}
	if err := db.CreateMissing(orm, thing{ID: "000", Size: 2}, thing{ID: "new", Size: 2}); err != nil {
		t.Fatal(err)
	}
	if err := db.Upsert(orm, thing{ID: "001", Size: 3}, thing{ID: "newer", Size: 3}); err != nil {
		t.Fatal(err)
	}
	if err := db.Create(orm, []thing{}); err != nil {
		t.Errorf("no rows: %v", err)
	}
	var changed []thing
	if err := orm.Where("size <> 1").Order("id").Find(&changed).Error; err != nil {
		t.Fatal(err)
	}
	sizes := db.Map(changed, func(one *thing) string { return fmt.Sprint(one.ID, " ", one.Size) })
	if want := []string{"001 3", "new 2", "newer 3"}; !slices.Equal(sizes, want) {
		t.Errorf("changed or added: %v, want %v", sizes, want)
	}
	known, err := db.Known(orm.Model(&thing{}), "id", append(ids(things), "unknown", "new"))
	if err != nil || len(known) != 451 || known["unknown"] || !known["new"] || !known["449"] {
		t.Errorf("%d ids are known (%v), want all but one", len(known), err)
	}
}

// TestPage reads all things page by page, of any size.
func TestPage(t *testing.T) {
	orm := open(t)
	var all []string
	for i := range 7 {
		all = append(all, fmt.Sprint(i))
		if err := orm.Create(&thing{ID: all[i]}).Error; err != nil {
			t.Fatal(err)
		}
	}
	for limit := range 9 {
		var read []string
		last, pages := "", 0
		for more := true; more; pages++ {
			query := orm.Order("id").Where("id > ?", last)
			page, next, err := db.Page("things", query, limit, func(one *thing) any { return one.ID },
				func(one *thing) string { return one.ID })
			if err != nil {
				t.Fatal(err)
			}
			if len(page) > max(limit, 1) {
				t.Errorf("a page of %d has %v", limit, page)
			}
			read = append(read, page...)
			last, more = page[len(page)-1], next != ""
		}
		if want := (len(all) + max(limit, 1) - 1) / max(limit, 1); !slices.Equal(read, all) || pages != want {
			t.Errorf("pages of %d: %v on %d pages, want %v on %d", limit, read, pages, all, want)
		}
	}
}

// TestStatements reports on statements: whether they have changed a row, and whether a query finds any.
func TestStatements(t *testing.T) {
	orm := open(t)
	otherwise := errors.New("no row")
	if err := orm.Create(&thing{ID: "a"}).Error; err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		id   string
		want error
	}{{"a", nil}, {"b", otherwise}} {
		update := orm.Model(&thing{}).Where("id = ?", tt.id).Update("size", 5)
		if err := db.Changed(update, otherwise); !errors.Is(err, tt.want) || tt.want == nil && err != nil {
			t.Errorf("changing %s: %v, want %v", tt.id, err, tt.want)
		}
		found, err := db.Any(orm.Model(&thing{}).Where("id = ?", tt.id))
		if err != nil || found != (tt.want == nil) {
			t.Errorf("%s is found: %v (%v)", tt.id, found, err)
		}
	}
	if err := db.Changed(orm.Exec("UPDATE nothing SET size = 1"), otherwise); err == nil || errors.Is(err, otherwise) {
		t.Errorf("a statement that fails: %v, want its own error", err)
	}
	if err := db.Lock(orm, "pg_only(1)"); err != nil {
		t.Errorf("SQLite needs no lock: %v", err)
	}
	rows, err := orm.Raw("SELECT id, size FROM things").Rows()
	read, err := db.Collect(rows, err, func(one *thing) []any { return []any{&one.ID, &one.Size} })
	if err != nil || len(read) != 1 || read[0].Size != 5 {
		t.Errorf("collected %+v (%v), want a thing of size 5", read, err)
	}
	list, err := db.List("list things", orm.Order("id"), func(one *thing) string { return one.ID })
	if err != nil || !slices.Equal(list, []string{"a"}) {
		t.Errorf("listed %v (%v)", list, err)
	}
}
