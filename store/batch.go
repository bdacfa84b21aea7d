package store

import (
	"cmp"
	"database/sql/driver"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gorm.io/gorm/schema"
)

// batch is a write made ready: calls of prepared statements with their arguments, so that the writer has only to carry
// them out. Everything that comes with every move and every game is written by batches; gorm, which the rest goes
// through, costs several times what the statements do (BenchmarkAppendStatements).
//
// The first statement guards the others: if it changes no row, none of them is carried out and the write is refused.
// After it every failure takes back the whole transaction.
type batch struct {
	calls   []call
	args    []driver.NamedValue // of all calls, one after the other
	refusal error               // where the guard does not hold
	urgent  bool                // goes before others that wait
}

// call is one statement of a batch.
type call struct {
	id       statementID
	from, to int // its arguments
}

// A move takes so many calls and arguments; more are made room for.
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
		b.args = append(b.args, driver.NamedValue{Ordinal: i + 1, Value: columnValue(fields.Field(field).Interface())})
	}
	b.calls = append(b.calls, call{id, from, len(b.args)})
}

// argsOf returns the arguments of a call.
func (b *batch) argsOf(c call) []driver.NamedValue { return b.args[c.from:c.to] }

// values returns the arguments of all calls.
func (b *batch) values() []any {
	out := make([]any, len(b.args))
	for i := range b.args {
		out[i] = b.args[i].Value
	}
	return out
}

// linesOfMove is how many lines a move writes at the most that goes as one statement: itself, what follows from it, and
// what it answers.
const linesOfMove = 3

// moveStatements are the statements that write a move with one line, two and so on: the guard, and the lines if it holds.
// They are for PostgreSQL: SQLite has no statement that changes several tables.
var moveStatements = sync.OnceValue(func() (texts [linesOfMove]string) {
	from := strings.Count(statements[moveGame].text, "$")
	for n := range texts {
		text := "WITH moved AS (" + statements[moveGame].text + " RETURNING 1)"
		for i := range n + 1 {
			line := insertFrom(&lineRow{}, "moved", from+i*len(statements[addLine].fields))
			if i < n {
				text += fmt.Sprintf(", line%d AS (%s)", i+1, line)
			} else {
				text += " " + line
			}
		}
		texts[n] = text
	}
	return texts
})

// moveStatement returns the one statement that does what the batch does, if that is an ordinary move; else "".
func (b *batch) moveStatement() string {
	lines := b.calls[1:]
	if b.calls[0].id != moveGame || len(lines) == 0 || len(lines) > linesOfMove {
		return ""
	}
	for _, c := range lines {
		if c.id != addLine {
			return ""
		}
	}
	return moveStatements()[len(lines)-1]
}

// columnValue converts a field of a row to what the drivers take.
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
	}
	panic(fmt.Sprintf("store: a column of %T", v)) // a mistake in the program, which a test of every row finds
}

// statementID names one of the statements of batches.
type statementID uint8

// The statements of batches. Where the comment names a row, batch.insert takes it.
const (
	moveGame     statementID = iota // an ordinary step of a running game
	changeGame                      // any step after which a game is not over; describeGame goes with it
	describeGame                    // what a move leaves alone
	endGame                         // the step after which a game is over; closeGame goes with it
	closeGame
	addLine // lineRow
	unseat
	seat      // gamePlayerRow
	addOutbox // outboxRow
	addGame   // gameRow; changes nothing if it is there
	addLive   // liveRow
	moveRatings
	addRating  // ratingRow
	setCurrent // currentRow; where a row of a later game is there already, that one stays
	countGames // listRow, added to what is there
	statementCount
)

// sqlStatement is one of them. A parameter may stand in several places.
type sqlStatement struct {
	text   string // on both databases
	fields []int  // of the row that it inserts, in the order of its parameters
	onPG   string // on PostgreSQL, where that differs
}

// forPostgres returns the text on PostgreSQL.
func (s *sqlStatement) forPostgres() string { return cmp.Or(s.onPG, s.text) }

var statements = [statementCount]sqlStatement{
	moveGame:   {text: `UPDATE live_games SET ` + progress + ` WHERE game_id = $1 AND version = $2 AND status = 'running'`},
	changeGame: {text: `UPDATE live_games SET ` + progress + `, status = $11 WHERE game_id = $1 AND version = $2`},
	describeGame: {text: `UPDATE games SET status = $2, players = $3, started_at = $4, finished_at = $5, outcome = $6, invited = $7
		WHERE id = $1`},
	endGame: {text: `DELETE FROM live_games WHERE game_id = $1 AND version = $2`},
	closeGame: {text: `UPDATE games SET ` + progress + `, status = $2, players = $11, started_at = $12, finished_at = $13,
		outcome = $14, invited = $15 WHERE id = $1`},
	addLine: insertOf(&lineRow{}, ""),
	unseat:  {text: `DELETE FROM game_players WHERE game_id = $1`},
	seat:    insertOf(&gamePlayerRow{}, `ON CONFLICT (player_id, created_at, game_id) DO NOTHING`),
	addOutbox: {
		text:   insertOf(&outboxRow{}, "", foundValue{"seq", `(SELECT coalesce(max(seq), 0) + 1 FROM outbox)`}).text,
		onPG:   insertOf(&outboxRow{}, "", foundValue{"seq", `nextval('outbox_ended')`}).text,
		fields: insertOf(&outboxRow{}, "", foundValue{"seq", ""}).fields,
	},
	addGame:     insertOf(&gameRow{}, `ON CONFLICT (id) DO NOTHING`),
	addLive:     insertOf(&liveRow{}, ""),
	moveRatings: {text: `UPDATE cursors SET seq = $2 WHERE consumer = '` + ofRatings + `' AND seq = $1 AND regulation = $3`},
	addRating:   insertOf(&ratingRow{}, ""),
	setCurrent: insertOf(&currentRow{}, `ON CONFLICT (list, player_id) DO UPDATE SET value = excluded.value,
		games = excluded.games, reached = excluded.reached, seq = excluded.seq, last_at = excluded.last_at,
		deviation = excluded.deviation, volatility = excluded.volatility, unrated = excluded.unrated, period = excluded.period
		WHERE current_ratings.seq < excluded.seq`),
	countGames: insertOf(&listRow{}, `ON CONFLICT (list) DO UPDATE SET games = rating_lists.games + excluded.games,
		last_at = CASE WHEN excluded.last_at > rating_lists.last_at THEN excluded.last_at ELSE rating_lists.last_at END`),
}

// statementTexts returns the texts in the order of their ids.
func statementTexts() []string {
	texts := make([]string, statementCount)
	for id, s := range statements {
		texts[id] = s.text
	}
	return texts
}

// progress sets what every step of a game changes.
const progress = `version = $3, turn = $4, plies = $5, awaited = $6, offer = $7, clock = $8, deadline = $9, position = $10`

// foundValue is what the database finds for a column by itself.
type foundValue struct{ name, value string }

// insertOf inserts a row, a parameter for each of its columns in the order of its fields, but those that are found: the
// struct alone says which columns there are.
func insertOf(row any, end string, found ...foundValue) sqlStatement {
	s, err := schema.Parse(row, &sync.Map{}, schema.NamingStrategy{})
	if err != nil {
		panic(fmt.Sprintf("store: a row that is none: %v", err)) // a mistake in the program, seen at its start
	}
	values, fields := valuesOf(s, found, 0)
	text := "INSERT INTO " + s.Table + ` ("` + strings.Join(s.DBNames, `", "`) + `") VALUES (` + strings.Join(values, ", ") + ") " + end
	return sqlStatement{text: text, fields: fields}
}

// insertFrom inserts a row like insertOf, if a table expression has one, with the parameters after a number of others.
func insertFrom(row any, from string, after int) string {
	s, err := schema.Parse(row, &sync.Map{}, schema.NamingStrategy{})
	if err != nil {
		panic(fmt.Sprintf("store: a row that is none: %v", err))
	}
	values, _ := valuesOf(s, nil, after)
	return "INSERT INTO " + s.Table + ` ("` + strings.Join(s.DBNames, `", "`) + `") SELECT ` + strings.Join(values, ", ") + " FROM " + from
}

// valuesOf returns what stands for the columns of a row, and the fields of its parameters in their order.
func valuesOf(s *schema.Schema, found []foundValue, after int) (values []string, fields []int) {
	for _, name := range s.DBNames {
		if i := slices.IndexFunc(found, func(c foundValue) bool { return c.name == name }); i >= 0 {
			values = append(values, found[i].value)
			continue
		}
		fields = append(fields, s.FieldsByDBName[name].StructField.Index[0])
		values = append(values, "$"+strconv.Itoa(after+len(fields)))
	}
	return values, fields
}
