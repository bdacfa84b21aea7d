package store

import (
	"cmp"
	"context"
	"database/sql/driver"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm/schema"

	"quatuor/store/internal/db"
	"quatuor/store/internal/postgres"
)

// batch is a prepared write: calls of prepared statements with their arguments. Every move and every game is written by
// batches; gorm, which the rest goes through, costs several times as much as the statements
// (BenchmarkAppendStatements).
//
// The first statement guards the others: if it changes no row, none of them is carried out and the write is refused. A
// later failure rolls back the whole transaction.
type batch struct {
	calls   []call
	args    []driver.NamedValue // of all calls, in their order
	refusal error               // where the guard does not hold
	urgent  bool                // goes before others that wait
	ends    bool                // a game; its request waits for its ratings anyway
	inviter string              // account; the guard counts its invitations, serialized on PostgreSQL; "" for none
	until   time.Time           // deadline after which PostgreSQL refuses it; zero for none
}

// call is a statement of a batch.
type call struct {
	id       statementID
	from, to int // its arguments
}

// The calls and arguments that a move takes; batches with more allocate.
const (
	callsOfMove = 2
	argsOfMove  = 24
)

func newBatch(refusal error) *batch {
	return &batch{calls: make([]call, 0, callsOfMove), args: make([]driver.NamedValue, 0, argsOfMove), refusal: refusal}
}

// call adds a statement with its arguments.
func (b *batch) call(id statementID, args ...any) {
	from := len(b.args)
	for i, arg := range args {
		b.args = append(b.args, driver.NamedValue{Ordinal: i + 1, Value: columnValue(arg)})
	}
	b.calls = append(b.calls, call{id, from, len(b.args)})
}

// insert adds a statement that inserts a row, with the fields of the row as its arguments.
func (b *batch) insert(id statementID, row any) {
	from := len(b.args)
	fields := reflect.Indirect(reflect.ValueOf(row))
	for i, field := range statements[id].fields {
		value, _ := field.ValueOf(context.Background(), fields)
		b.args = append(b.args, driver.NamedValue{Ordinal: i + 1, Value: columnValue(value)})
	}
	b.calls = append(b.calls, call{id, from, len(b.args)})
}

// argsOf returns the arguments of a call.
func (b *batch) argsOf(c call) []driver.NamedValue { return b.args[c.from:c.to] }

func (s *sqlStatement) inserts() bool { return s.insert != nil }

// columnValue converts a field of a row to a value for the drivers.
func columnValue(v any) driver.Value {
	switch v := v.(type) {
	case string, int64, bool, float64, nil:
		return v
	case int:
		return int64(v)
	case driver.Valuer:
		text, err := v.Value()
		if err != nil {
			panic(fmt.Sprintf("store: a column that cannot be encoded: %v", err)) // lists and maps of numbers and texts
		}
		return text
	}
	field := reflect.ValueOf(v)
	if field.Kind() == reflect.Pointer {
		if field.IsNil() {
			return nil
		}
		return columnValue(field.Elem().Interface())
	}
	switch {
	case field.Kind() == reflect.String:
		return field.String()
	case field.CanInt():
		return field.Int()
	case field.CanUint():
		return int64(field.Uint())
	}
	panic(fmt.Sprintf("store: a column of %T", v)) // a mistake in the program, which a test of every row finds
}

// statementID names a statement of batches.
type statementID uint8

// statements are those of batches, by their ids; each is declared beside its caller.
var statements []sqlStatement

// prepare adds a statement. It is called while the program's variables are initialized.
func prepare(s sqlStatement) statementID {
	statements = append(statements, s)
	return statementID(len(statements) - 1)
}

// sqlStatement is a statement of batches. A parameter may occur several times.
type sqlStatement struct {
	text   string          // on both databases
	onPG   string          // on PostgreSQL, where that differs
	insert *insertion      // of an insertion, the parts of its text on PostgreSQL
	fields []*schema.Field // of that row, in the order of its parameters
	takes  []postgres.Element
}

// insertion is a statement that inserts a row, in parts.
type insertion struct {
	into     string   // the table and its columns
	key      []string // the columns of its primary key, which are its first parameters where it guards a batch
	onPG     string   // the values on PostgreSQL
	onlyOnPG string   // a clause between the rows of arguments and the end, for example a condition
	end      string   // the action if the row is there
}

// forPostgres returns the text on PostgreSQL.
func (s *sqlStatement) forPostgres() string { return cmp.Or(s.onPG, s.text) }

const (
	text    = postgres.Text
	integer = postgres.Integer
)

// statementTexts returns the texts in the order of their ids.
func statementTexts() []string {
	texts := make([]string, len(statements))
	for id, s := range statements {
		texts[id] = s.text
	}
	return texts
}

// foundValue is a column that the database computes.
type foundValue struct{ name, onSQLite, onPG string }

// condition limits an insertion, on both databases; {column} is replaced by the parameter of a column.
type condition struct{ onSQLite, onPG string }

// insertOf inserts a row, with a parameter for each of its columns in the order of its fields, except those the
// database computes. Without a condition it always does.
func insertOf(row any, end string, only *condition, found ...foundValue) sqlStatement {
	s := db.SchemaOf(row)
	var out sqlStatement
	var values, onPG, named []string
	for _, name := range s.DBNames {
		if i := slices.IndexFunc(found, func(c foundValue) bool { return c.name == name }); i >= 0 {
			values, onPG = append(values, found[i].onSQLite), append(onPG, found[i].onPG)
			continue
		}
		field := s.FieldsByDBName[name]
		out.fields, out.takes = append(out.fields, field), append(out.takes, elementOf(field))
		parameter := "$" + strconv.Itoa(len(out.fields))
		values, onPG, named = append(values, parameter), append(onPG, parameter), append(named, "{"+name+"}", parameter)
	}
	i := insertion{
		into: "INSERT INTO " + s.Table + ` ("` + strings.Join(s.DBNames, `", "`) + `")`, key: s.PrimaryFieldDBNames,
		onPG: strings.Join(onPG, ", "), end: end,
	}
	out.text = i.into + " VALUES (" + strings.Join(values, ", ") + ") " + end
	if len(found) > 0 {
		out.onPG = i.into + " VALUES (" + i.onPG + ") " + end
	}
	if only != nil {
		parameters := strings.NewReplacer(named...)
		out.text = i.into + " SELECT " + strings.Join(values, ", ") + " WHERE " + parameters.Replace(only.onSQLite) + " " +
			end
		i.onlyOnPG = " WHERE " + parameters.Replace(only.onPG)
	}
	out.insert = &i
	return out
}

// elementOf returns the type of a field in PostgreSQL.
func elementOf(f *schema.Field) postgres.Element {
	switch f.DataType {
	case schema.Int, schema.Uint:
		return integer
	case schema.Bool:
		return postgres.Boolean
	case schema.Float:
		return postgres.Float
	}
	return text
}
