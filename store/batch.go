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
	"time"

	"gorm.io/gorm/schema"

	"quatuor/store/internal/outbox"
	"quatuor/store/internal/postgres"
	"quatuor/store/internal/ratings"
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
	ends    bool                // a game, and whoever ended it waits for its ratings
	inviter string              // account whose invitations the guard counts, on PostgreSQL one after the other; "" for none
	until   time.Time           // when it is too late, on PostgreSQL, and refused; zero for never
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

func (s *sqlStatement) inserts() bool { return s.insert != nil }

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
	seat          // those who sit in a game
	addOutbox     // outboxRow
	addGame       // gameRow; changes nothing if it is there
	addInvitation // gameRow; changes nothing if it is there, or its creator has reached a limit
	addLive       // liveRow
	moveRatings
	addRating      // ratingRow
	setCurrent     // currentRow; where a row of a later game is there already, that one stays
	countGames     // listRow, added to what is there
	addCountedGame // gameRow; an error if it is there
	addPlace       // quotaRow; changes nothing if the place is taken
	addQuota       // quotaRow; an error if the place is taken
	dropQuota
	statementCount
)

// sqlStatement is one of them. A parameter may stand in several places.
type sqlStatement struct {
	text   string     // on both databases
	onPG   string     // on PostgreSQL, where that differs
	insert *insertion // of one that inserts a row, whose text on PostgreSQL is made of it
	fields []int      // of that row, in the order of its parameters
	takes  []postgres.Element
}

// insertion is a statement that inserts a row, in parts.
type insertion struct {
	into     string   // the table and its columns
	key      []string // the columns of its primary key, which are its first parameters where it guards a batch
	onPG     string   // the values on PostgreSQL
	onlyOnPG string   // what stands between the rows of arguments and the end on PostgreSQL, such as a condition
	end      string   // what to do if the row is there
}

// forPostgres returns the text on PostgreSQL.
func (s *sqlStatement) forPostgres() string { return cmp.Or(s.onPG, s.text) }

const (
	text    = postgres.Text
	integer = postgres.Integer
)

var statements = [statementCount]sqlStatement{
	moveGame: {
		text:  `UPDATE live_games SET ` + progress + ` WHERE game_id = $1 AND version = $2 AND status = 'running'`,
		takes: progressTakes(integer),
	},
	changeGame: {
		text:  `UPDATE live_games SET ` + progress + `, status = $11 WHERE game_id = $1 AND version = $2`,
		takes: progressTakes(integer, text),
	},
	describeGame: {
		text: `UPDATE games SET status = $2, players = $3, started_at = $4, finished_at = $5, outcome = $6, invited = $7
			WHERE id = $1`,
		takes: []postgres.Element{text, text, text, integer, integer, text, integer},
	},
	endGame: {text: `DELETE FROM live_games WHERE game_id = $1 AND version = $2`, takes: []postgres.Element{text, integer}},
	closeGame: {
		text: `UPDATE games SET ` + progress + `, status = $2, players = $11, started_at = $12, finished_at = $13,
			outcome = $14, invited = $15 WHERE id = $1`,
		takes: progressTakes(text, text, integer, integer, text, integer),
	},
	addLine: insertOf(&lineRow{}, "", nil),
	unseat: {
		text:  `DELETE FROM game_players WHERE game_id = $1 AND player_id NOT IN (SELECT value FROM json_each($2) WHERE value IS NOT NULL)`,
		onPG:  `DELETE FROM game_players WHERE game_id = $1 AND NOT CAST($2 AS jsonb) ? player_id`,
		takes: []postgres.Element{text, text},
	},
	seat: {
		text: `INSERT INTO game_players (player_id, created_at, game_id) SELECT value, $2, $1 FROM json_each($3) WHERE value <> ''
			ON CONFLICT (player_id, created_at, game_id) DO NOTHING`,
		insert: &insertion{
			into: `INSERT INTO game_players (player_id, created_at, game_id)`, onPG: `player, $2, $1`,
			onlyOnPG: `, jsonb_array_elements_text(CAST($3 AS jsonb)) AS player WHERE player <> ''`,
			end:      `ON CONFLICT (player_id, created_at, game_id) DO NOTHING`,
		},
		takes: []postgres.Element{text, integer, text},
	},
	addOutbox: insertOf(&outbox.Row{}, "", nil, foundValue{
		name: "seq", onSQLite: `(SELECT coalesce(max(seq), 0) + 1 FROM outbox)`, onPG: `nextval('outbox_ended')`,
	}),
	addGame:       insertOf(&gameRow{}, `ON CONFLICT (id) DO NOTHING`, nil),
	addInvitation: insertOf(&gameRow{}, `ON CONFLICT (id) DO NOTHING`, mayInvite),
	addLive:       insertOf(&liveRow{}, "", nil),
	moveRatings:   {text: `UPDATE cursors SET seq = $2 WHERE consumer = '` + outbox.OfRatings + `' AND seq = $1 AND regulation = $3`},
	addRating:     insertOf(&ratings.Row{}, "", nil),
	setCurrent: insertOf(&ratings.Current{}, `ON CONFLICT (list, player_id) DO UPDATE SET value = excluded.value,
		games = excluded.games, reached = excluded.reached, seq = excluded.seq, last_at = excluded.last_at,
		deviation = excluded.deviation, volatility = excluded.volatility, unrated = excluded.unrated, period = excluded.period,
		from_tournaments = excluded.from_tournaments
		WHERE current_ratings.seq < excluded.seq`, nil),
	addCountedGame: insertOf(&gameRow{}, "", nil),
	addPlace:       insertOf(&quotaRow{}, `ON CONFLICT (quota, n) DO NOTHING`, nil),
	addQuota:       insertOf(&quotaRow{}, "", nil),
	dropQuota:      {text: `DELETE FROM quota_uses WHERE quota = $1 AND n < $2`, takes: []postgres.Element{text, integer}},
	countGames: insertOf(&ratings.List{}, `ON CONFLICT (list) DO UPDATE SET games = rating_lists.games + excluded.games,
		last_at = CASE WHEN excluded.last_at > rating_lists.last_at THEN excluded.last_at ELSE rating_lists.last_at END`, nil),
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

// progressTakes are the types of the arguments of batch.progress.
func progressTakes(second postgres.Element, more ...postgres.Element) []postgres.Element {
	return append([]postgres.Element{text, second, integer, integer, integer, text, integer, text, integer, text}, more...)
}

// foundValue is what a database finds for a column by itself.
type foundValue struct{ name, onSQLite, onPG string }

// condition is under which a row is inserted, on both databases; {column} stands for the parameter of a column.
type condition struct{ onSQLite, onPG string }

// insertOf inserts a row, a parameter for each of its columns in the order of its fields, but those that are found: the
// struct alone says which columns there are. Without a condition it always does.
func insertOf(row any, end string, only *condition, found ...foundValue) sqlStatement {
	s, err := schema.Parse(row, &sync.Map{}, schema.NamingStrategy{})
	if err != nil {
		panic(fmt.Sprintf("store: a row that is none: %v", err)) // a mistake in the program, seen at its start
	}
	var out sqlStatement
	var values, onPG, named []string
	for _, name := range s.DBNames {
		if i := slices.IndexFunc(found, func(c foundValue) bool { return c.name == name }); i >= 0 {
			values, onPG = append(values, found[i].onSQLite), append(onPG, found[i].onPG)
			continue
		}
		field := s.FieldsByDBName[name]
		out.fields, out.takes = append(out.fields, field.StructField.Index[0]), append(out.takes, elementOf(field))
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
		out.text = i.into + " SELECT " + strings.Join(values, ", ") + " WHERE " + parameters.Replace(only.onSQLite) + " " + end
		i.onlyOnPG = " WHERE " + parameters.Replace(only.onPG)
	}
	out.insert = &i
	return out
}

// elementOf returns the type of a field in PostgreSQL.
func elementOf(f *schema.Field) postgres.Element {
	switch f.DataType {
	case schema.Int:
		return integer
	case schema.Bool:
		return postgres.Boolean
	case schema.Float:
		return postgres.Float
	}
	return text
}
