package ratings

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gorm.io/gorm"

	"quatuor/engine/table"
	"quatuor/rating"
	"quatuor/rating/ledger"
	"quatuor/store/internal/db"
	"quatuor/store/internal/outbox"
)

// SetRows removes rating rows by their places and adds others.
func (p *past) SetRows(ctx context.Context, remove, add []ledger.Row) error {
	for part := range db.Chunks(remove) {
		places := make([][]any, len(part))
		for i, r := range part {
			places[i] = []any{r.Seq, r.Seat}
		}
		if err := p.tx.Where("(seq, seat) IN ?", places).Delete(&Row{}).Error; err != nil {
			return db.About("remove rating rows", err)
		}
	}
	for part := range slices.Chunk(add, rowsOfInsert) {
		if err := addRatings(ctx, p.tx, part); err != nil {
			return db.About("write rating rows", err)
		}
	}
	return nil
}

// rowsOfInsert is the number of rating rows per statement. Few texts of statements, so that each is prepared once.
const rowsOfInsert = 128

// insertRatings returns the statement that writes a number of rows.
var insertRatings = func() func(rows int) string {
	names := db.ColumnsOf(&Row{})
	row := func(n int) string {
		params := make([]string, len(names))
		for i := range params {
			params[i] = "$" + strconv.Itoa(n*len(names)+i+1)
		}
		return "(" + strings.Join(params, ", ") + ")"
	}
	values := make([]string, rowsOfInsert)
	for n := range values {
		values[n] = row(n)
	}
	var set []string
	for _, name := range names {
		if name != "game_id" && name != "player_id" {
			set = append(set, `"`+name+`" = excluded."`+name+`"`)
		}
	}
	before := `INSERT INTO rating_rows ("` + strings.Join(names, `", "`) + `") VALUES `
	after := " ON CONFLICT (game_id, player_id) DO UPDATE SET " + strings.Join(set, ", ")
	full := before + strings.Join(values, ", ") + after
	return func(rows int) string {
		if rows == rowsOfInsert {
			return full
		}
		return before + strings.Join(values[:rows], ", ") + after
	}
}()

// addRatings writes rating rows past gorm, which costs more than the statement.
func addRatings(ctx context.Context, tx *gorm.DB, rows []ledger.Row) error {
	var args []any
	s := db.SchemaOf(&Row{})
	for i := range rows {
		row := reflect.ValueOf(toRatingRow(&rows[i]))
		for _, field := range s.Fields {
			var value any = "{}" // of no period: most systems have none
			if field.Name != "Period" || rows[i].Period != (rating.Period{}) {
				value, _ = field.ValueOf(ctx, row)
			}
			args = append(args, value)
		}
	}
	_, err := tx.Statement.ConnPool.ExecContext(ctx, insertRatings(len(rows)), args...)
	return err
}

// SetStandings removes current ratings and sets others.
func (p *past) SetStandings(_ context.Context, remove, add []ledger.Standing) error {
	for _, s := range remove {
		if err := p.tx.Delete(&Current{}, "list = ? AND player_id = ?", s.List, s.PlayerID).Error; err != nil {
			return db.About("remove current ratings", err)
		}
	}
	rows := db.Map(add, func(s *ledger.Standing) Current { return currentOf(*s) })
	return db.About("write current ratings", db.Upsert(p.tx, rows...))
}

// SetSums replaces the sums of all lists.
func (p *past) SetSums(_ context.Context, sums []ledger.Sum) error {
	if err := p.tx.Where("1 = 1").Delete(&List{}).Error; err != nil {
		return db.About("remove the sums of lists", err)
	}
	return db.About("write the sums of lists", db.Create(p.tx, db.Map(sums, func(s *ledger.Sum) List { return List(*s) })))
}

// columns is a row as the driver hands it out, read from left to right. This spares the look-up of the types of each
// field of each row in database/sql and gorm; millions of them are read where ratings are verified.
type columns struct {
	words  *words
	values []any // of the row
	into   []any // pointers to them
	next   int
	err    error
}

// value returns the next column.
func (c *columns) value() any {
	v := c.values[c.next]
	c.next++
	return v
}

// as returns a column as a type, and notes a value of a type that it cannot have.
func as[T any](c *columns, v any) T {
	value, is := v.(T)
	if !is && c.err == nil {
		c.err = fmt.Errorf("column %d holds %T, not %T", c.next, v, value)
	}
	return value
}

func (c *columns) text() string {
	v := c.value()
	if b, raw := v.([]byte); raw {
		return string(b)
	}
	return as[string](c, v)
}

func (c *columns) integer() int64 { return as[int64](c, c.value()) }

func (c *columns) float() float64 {
	v := c.value()
	if n, whole := v.(int64); whole {
		return float64(n)
	}
	return as[float64](c, v)
}

func (c *columns) truth() bool {
	v := c.value()
	if n, number := v.(int64); number {
		return n != 0
	}
	return as[bool](c, v)
}

// word is text for a column with few values.
func (c *columns) word() string { return c.words.one(c.text()) }

// numbers reads a list of numbers from a column with few values; nil for NULL.
func (c *columns) numbers() []int {
	if c.values[c.next] == nil {
		c.next++
		return nil
	}
	list, err := c.words.list(c.text())
	if c.err == nil {
		c.err = err
	}
	return list
}

// rating reads a row of ratingsOf.
func (c *columns) rating() (r ledger.Row, err error) {
	r = ledger.Row{
		GameID: c.text(), PlayerID: c.text(), List: c.text(), Seat: int(c.integer()), Seq: c.integer(), System: c.text(),
		Before: c.float(), After: c.float(), Change: c.float(), Expected: c.float(), Score: c.float(),
		GamesAfter: int(c.integer()), K: c.float(), Reached: c.truth(), At: c.integer(),
		DeviationBefore: c.float(), Deviation: c.float(), Volatility: c.float(), Unrated: c.truth(), Refunded: c.truth(),
	}
	if text := c.text(); text != "{}" { // most systems have no periods
		var period rating.Period
		err = json.Unmarshal([]byte(text), &period)
		r.Period = period
	}
	r.FromTournaments = int(c.integer())
	if c.err != nil {
		err = c.err
	}
	return r, err
}

// finished reads a row of finishedOf.
func (c *columns) finished() (f ledger.Finished, err error) {
	f = ledger.Finished{Seq: c.integer(), GameID: c.text(), Variant: c.word(), List: c.word(), Rated: c.truth()}
	f.Players, err = c.words.texts(c.text())
	f.Sides = c.numbers()
	f.Ranks = c.numbers()
	f.Reason = c.word()
	f.Plies, f.FinishedAt = int(c.integer()), c.integer()
	if moved := c.value(); moved != nil {
		c.next--
		f.Moved = c.words.seats(c.integer(), len(f.Players))
	}
	f.Corrects = c.integer()
	f.Tournament, f.Fewest = c.truth() || f.Reason == outbox.ReasonHall, int(c.integer())
	if c.err != nil {
		err = c.err
	}
	return f, err
}

// words keeps once the values that repeat in rows: the names of players and of lists, and lists of sides and ranks.
// Values that grow with the games are not among them.
type words struct {
	known map[string]string
	lists map[string][]int
	moved map[[2]int64][]bool
}

func newWords() *words {
	return &words{map[string]string{}, map[string][]int{}, map[[2]int64][]bool{}}
}

// one interns a word.
func (w *words) one(text string) string {
	if known, ok := w.known[text]; ok {
		return known
	}
	text = strings.Clone(text)
	w.known[text] = text
	return text
}

// list returns the numbers of a JSON list, to be read only.
func (w *words) list(text string) (list []int, err error) {
	list, ok := w.lists[text]
	if !ok {
		if err = json.Unmarshal([]byte(text), &list); err == nil {
			w.lists[strings.Clone(text)] = list
		}
	}
	return list, err
}

// texts returns the texts of a JSON list.
func (w *words) texts(text string) (list []string, err error) {
	inner, plain := strings.CutPrefix(text, `["`)
	if plain {
		inner, plain = strings.CutSuffix(inner, `"]`)
	}
	if !plain || strings.ContainsAny(inner, "\\ \n\t") {
		err = json.Unmarshal([]byte(text), &list)
		return list, err
	}
	list = make([]string, 0, strings.Count(inner, `","`)+1)
	for more := true; more; {
		var one string
		one, inner, more = strings.Cut(inner, `","`)
		list = append(list, w.one(one))
	}
	return list, nil
}

// seats returns by seat whether it is in a set, to be read only.
func (w *words) seats(set int64, seats int) []bool {
	key := [2]int64{set, int64(seats)}
	list, ok := w.moved[key]
	if !ok {
		list = make([]bool, seats)
		for i := range list {
			list[i] = table.SeatSet(set).Has(int8(i + 1))
		}
		w.moved[key] = list
	}
	return list
}
