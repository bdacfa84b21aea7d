// Package db has the parts of the store that need either database: columns that hold JSON, errors, advisory locks and
// the sizes of statements.
package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"reflect"
	"slices"
	"sync"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/schema"
	"quatuor/engine/table"
	"quatuor/store/internal/paging"
	"quatuor/store/internal/postgres"
	"quatuor/store/internal/sqlite"
)

// About wraps an error with the work that failed, and with [table.ErrUnavailable] if the database is unavailable at the
// moment; nil stays nil.
func About(what string, err error) error {
	switch {
	case err == nil:
		return nil
	case unavailable(err):
		return fmt.Errorf("store: %s: %w: %w", what, table.ErrUnavailable, err)
	}
	return fmt.Errorf("store: %s: %w", what, err)
}

// unavailable reports whether an error is not the fault of the request or of the data: a disk that is full or does not
// answer, a file that cannot be written now, another process that holds the lock, or a server that is away.
func unavailable(err error) bool {
	var network net.Error
	if postgres.Unavailable(err) {
		return true
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return false // the caller has given up
	}
	return sqlite.Unavailable(err) || errors.Is(err, driver.ErrBadConn) ||
		errors.Is(err, sql.ErrConnDone) || errors.As(err, &network) || errors.Is(err, io.ErrUnexpectedEOF)
}

// Duplicate reports whether a batch failed because a key is there already.
func Duplicate(err error) bool { return sqlite.Duplicate(err) || postgres.Duplicate(err) }

// Chunks cuts a list into parts that fit a statement.
func Chunks[T any](list []T) iter.Seq[[]T] { return slices.Chunk(list, 500) }

// Lock takes an advisory lock until the transaction ends; key is SQL for the lock's key. SQLite has a single writer and
// needs none.
func Lock(tx *gorm.DB, key string, args ...any) error {
	if tx.Name() == SQLite {
		return nil
	}
	return tx.Exec("SELECT pg_advisory_xact_lock("+key+")", args...).Error
}

// SQLite is gorm's name for SQLite.
const SQLite = "sqlite"

// Promised is Keep for a caller that is promised an error if a row was not found.
func Promised(what string, err, notFound error, others ...error) error {
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return notFound
	}
	return Keep(what, err, append(others, notFound)...)
}

// Keep returns the promised error that err is, and otherwise About it.
func Keep(what string, err error, promised ...error) error {
	for _, one := range promised {
		if errors.Is(err, one) {
			return one
		}
	}
	return About(what, err)
}

// inserts is the number of rows per inserting statement; SQLite takes 32,766 parameters.
const inserts = 200

// ServerTime is the time by the server's clock in microseconds. Statements of a transaction see it pass.
const ServerTime = `CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)`

// Map converts rows.
func Map[R, T any](rows []R, to func(*R) T) []T {
	list := make([]T, len(rows))
	for i := range rows {
		list[i] = to(&rows[i])
	}
	return list
}

// List returns the converted rows of a query.
func List[R, T any](what string, query *gorm.DB, to func(*R) T) ([]T, error) {
	var rows []R
	err := query.Find(&rows).Error
	return Map(rows, to), About(what, err)
}

// Collect returns the rows of a query past gorm; into lists the targets of a row's columns.
func Collect[R any](rows *sql.Rows, err error, into func(*R) []any) (list []R, _ error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var row R
	for fields := into(&row); rows.Next(); {
		row = *new(R)
		if err := rows.Scan(fields...); err != nil {
			return nil, err
		}
		list = append(list, row)
	}
	return list, rows.Err()
}

// Page returns a page of a query, of at least a row, and the cursor of the next page.
func Page[R, T any](list string, query *gorm.DB, limit int, place func(*R) any, to func(*R) T) ([]T, string, error) {
	var rows []R
	limit = max(limit, 1)
	if err := query.Limit(limit + 1).Find(&rows).Error; err != nil {
		return nil, "", About("list "+list, err)
	}
	rows, next := paging.Cut(list, rows, limit, place)
	return Map(rows, to), next, nil
}

// Create inserts rows.
func Create[R any](tx *gorm.DB, rows []R) error {
	if len(rows) == 0 {
		return nil
	}
	return tx.CreateInBatches(rows, inserts).Error
}

// Upsert inserts rows, in the place of those with the same keys.
func Upsert[R any](tx *gorm.DB, rows ...R) error {
	return Create(tx.Clauses(clause.OnConflict{UpdateAll: true}), rows)
}

// CreateMissing inserts rows, except those with a key that exists.
func CreateMissing[R any](tx *gorm.DB, rows ...R) error {
	return Create(tx.Clauses(clause.OnConflict{DoNothing: true}), rows)
}

// Known returns those of some values that a column has among the rows of a query.
func Known(query *gorm.DB, column string, values []string) (map[string]bool, error) {
	known := map[string]bool{}
	for part := range Chunks(values) {
		var found []string
		rows := query.Session(&gorm.Session{}).Where(column+" IN ?", part).Distinct()
		if err := rows.Pluck(column, &found).Error; err != nil {
			return nil, err
		}
		for _, value := range found {
			known[value] = true
		}
	}
	return known, nil
}

// Changed returns the error of a statement, or otherwise if it has changed no row.
func Changed(r *gorm.DB, otherwise error) error {
	if r.Error == nil && r.RowsAffected == 0 {
		return otherwise
	}
	return r.Error
}

// Any reports whether a query finds a row.
func Any(query *gorm.DB) (bool, error) {
	var found []int
	err := query.Select("1").Limit(1).Scan(&found).Error
	return len(found) > 0, err
}

// Fields of rows that are no plain columns name either of two serializers in their tags: "text" stores any value as
// JSON text, nil as null, which comes back as nil; "null" stores the zero value as NULL, where a foreign key or a
// unique index must not see it, a text as it is and anything else as JSON text.
func init() {
	schema.RegisterSerializer("text", column{})
	schema.RegisterSerializer("null", column{orNull: true})
}

type column struct{ orNull bool }

// Value returns the text to store.
func (c column) Value(_ context.Context, _ *schema.Field, _ reflect.Value, value any) (any, error) {
	if c.orNull && reflect.ValueOf(value).IsZero() {
		return nil, nil //nolint:nilnil // this is how a driver is given NULL
	}
	if text, plain := value.(string); plain {
		return text, nil
	}
	b, err := json.Marshal(value)
	return string(b), err
}

// Scan reads the stored text.
func (c column) Scan(ctx context.Context, field *schema.Field, row reflect.Value, stored any) error {
	into := field.ReflectValueOf(ctx, row)
	into.SetZero()
	text, err := textOf(stored)
	switch {
	case c.orNull && stored == nil:
		return nil
	case err == nil && field.FieldType.Kind() == reflect.String:
		into.SetString(string(text))
	case err == nil:
		err = json.Unmarshal(text, into.Addr().Interface())
	}
	return err
}

// textOf returns the text of a column as a driver hands it out.
func textOf(stored any) ([]byte, error) {
	switch text := stored.(type) {
	case string:
		return []byte(text), nil
	case []byte:
		return text, nil
	}
	return nil, fmt.Errorf("store: a column of text holds %T", stored)
}

// Text returns value as JSON text; it consists of lists and maps of numbers and texts.
func Text(value any) string {
	b, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("store: a column that cannot be encoded: %v", err))
	}
	return string(b)
}

// FromText scans a column of JSON text into a value, and NULL into none.
type FromText struct{ Into any }

// Scan reads the stored text.
func (f FromText) Scan(stored any) error {
	if stored == nil {
		return nil
	}
	text, err := textOf(stored)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, f.Into)
}

// schemas are those of rows, by their types.
var schemas sync.Map

// SchemaOf returns gorm's schema of a row.
func SchemaOf(row any) *schema.Schema {
	s, err := schema.Parse(row, &schemas, schema.NamingStrategy{})
	if err != nil {
		panic(fmt.Sprintf("store: a row that is none: %v", err)) // a mistake in the program, seen at its start
	}
	return s
}

// ColumnsOf returns the names of a row's columns, in the order of its fields.
func ColumnsOf(row any) []string { return slices.Clone(SchemaOf(row).DBNames) }

// FieldsOf returns where to scan a row's columns into, in the order of ColumnsOf.
func FieldsOf(row any) []any {
	s, fields := SchemaOf(row), reflect.ValueOf(row).Elem()
	into := make([]any, len(s.DBNames))
	for i, name := range s.DBNames {
		field := s.FieldsByDBName[name]
		into[i] = field.ReflectValueOf(context.Background(), fields).Addr().Interface()
		if field.Serializer != nil {
			into[i] = scanner{field, fields}
		}
	}
	return into
}

// scanner scans a column into a field of a row by the field's serializer.
type scanner struct {
	field *schema.Field
	row   reflect.Value
}

func (s scanner) Scan(stored any) error {
	return s.field.Serializer.Scan(context.Background(), s.field, s.row, stored)
}
