package migrations

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"quatuor/tournament/wording"
)

// Migration 15 brings the texts that people wrote before there was a rule for them into the form that package wording
// describes: without control characters and the like, composed, and with something to see in names. SQL cannot, so it
// is in Go, the same for both databases. Nothing refers to a text, and no text has to be unique, so rows keep their
// places.
const wordingVersion = 15

// longestName is the maximum number of characters of a name or a club.
const longestName = 200

// nameless replaces a name without visible characters.
const nameless = "(no name)"

// textColumn is a column with texts of people.
type textColumn struct {
	name string
	mend func(string) string
}

// textTable is a table with columns of texts, the columns of its primary key, and those that change with the texts.
type textTable struct {
	name    string
	where   string
	keys    []string
	columns []textColumn
	set     string
}

func mendName(text string) string { return wording.Line.Mend(text, longestName, nameless) }
func mendClub(text string) string { return wording.Line.Mend(text, longestName, "") }

// mendNote mends a reason or the like; arbiters' words are not cut.
func mendNote(text string) string {
	return wording.Paragraph.Mend(text, len(text)+1, "")
}

var textTables = []textTable{
	{
		name: "players", keys: []string{"id"}, set: ", version = version + 1",
		columns: []textColumn{{"name", mendName}, {"name_key", mendKey}, {"club", mendClub}},
	},
	{name: "entries", keys: []string{"tournament_id", "id"}, columns: []textColumn{{"name", mendName}, {"club", mendClub}}},
	{
		name: "tournaments", keys: []string{"id"},
		columns: []textColumn{{"name", mendName}, {"forbidden", mendJSON}, {"prizes", mendJSON}},
	},
	{
		name: "pairings", keys: []string{"tournament_id", "round", "board"},
		columns: []textColumn{{"result", mendJSON}, {"adjourned", mendNote}, {"earlier", mendJSON}},
	},
	{
		name: "result_changes", keys: []string{"id"},
		columns: []textColumn{{"before_result", mendJSON}, {"after_result", mendJSON}, {"why", mendNote}},
	},
	{name: "tournament_acts", keys: []string{"id"}, columns: []textColumn{{"why", mendNote}, {"undo", mendJSON}}},
	{name: "round_snapshots", keys: []string{"tournament_id", "round"}, columns: []textColumn{{"text", mendJSON}}},
	{name: "tournament_originals", keys: []string{"tournament_id"}, columns: []textColumn{{"report", wording.MendFile}}},
	{name: "credentials", keys: []string{"id"}, where: " WHERE name <> ''", columns: []textColumn{{"name", mendName}}},
	{name: "lines", keys: []string{"game_id", "n"}, where: " WHERE kind <> 'move'", columns: []textColumn{{"text", mendLine}}},
}

// mendKey mends the key that finds a name: the name in lower case.
func mendKey(key string) string { return strings.ToLower(mendName(key)) }

// mendLine mends a line of a game's log, which is a word and a reason.
func mendLine(text string) string { return wording.Line.Mend(text, len(text)+1, "") }

// mendWording carries the migration out.
func mendWording(ctx context.Context, tx *sql.Tx, placeholder func(n int) string) error {
	for _, t := range textTables {
		if err := t.mend(ctx, tx, placeholder); err != nil {
			return fmt.Errorf("the texts of %s: %w", t.name, err)
		}
	}
	return nil
}

// mended is a row with a text that changes: the values of the columns, then of the key.
type mended []any

// mend reads a whole table, and then writes those rows of it that change.
func (t *textTable) mend(ctx context.Context, tx *sql.Tx, placeholder func(n int) string) error {
	changed, err := t.read(ctx, tx)
	if err != nil || len(changed) == 0 {
		return err
	}
	var query strings.Builder
	query.WriteString("UPDATE " + t.name + " SET ")
	for i, c := range t.columns {
		if i > 0 {
			query.WriteString(", ")
		}
		query.WriteString(c.name + " = " + placeholder(i+1))
	}
	query.WriteString(t.set + " WHERE ")
	for i, key := range t.keys {
		if i > 0 {
			query.WriteString(" AND ")
		}
		query.WriteString(key + " = " + placeholder(len(t.columns)+i+1))
	}
	update, err := tx.PrepareContext(ctx, query.String())
	if err != nil {
		return err
	}
	defer update.Close()
	for _, row := range changed {
		if _, err := update.ExecContext(ctx, row...); err != nil {
			return err
		}
	}
	return nil
}

// read returns the rows that change.
func (t *textTable) read(ctx context.Context, tx *sql.Tx) (changed []mended, err error) {
	columns := make([]string, 0, len(t.columns)+len(t.keys))
	for _, c := range t.columns {
		columns = append(columns, c.name)
	}
	columns = append(columns, t.keys...)
	rows, err := tx.QueryContext(ctx, "SELECT "+strings.Join(columns, ", ")+" FROM "+t.name+t.where)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	values := make([]any, len(columns))
	into := make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		if row := t.mendRow(values); row != nil {
			changed = append(changed, row)
		}
	}
	return changed, rows.Err()
}

// mendRow returns the values of a row with its texts mended; nil where nothing changes.
func (t *textTable) mendRow(values []any) mended {
	row, changes := append(mended(nil), values...), false
	for i, value := range values {
		var text string
		bytes, blob := value.([]byte)
		text = string(bytes)
		if !blob {
			var there bool
			if text, there = value.(string); !there { // a number, or no value
				continue
			}
		}
		if i < len(t.columns) {
			fresh := t.columns[i].mend(text)
			changes = changes || fresh != text
			text = fresh
		}
		row[i] = text
		if blob {
			row[i] = []byte(text)
		}
	}
	if !changes {
		return nil
	}
	return row
}

// mendJSON mends the texts in a JSON document; also in documents that it keeps as texts. Documents that need no change,
// and other texts, stay unchanged.
func mendJSON(document string) string {
	var value any
	d := json.NewDecoder(strings.NewReader(document))
	d.UseNumber()
	if d.Decode(&value) != nil {
		return document
	}
	changed := false
	value = mendValue("", value, &changed)
	if !changed {
		return document
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if e.Encode(value) != nil {
		return document
	}
	return strings.TrimSuffix(out.String(), "\n")
}

func mendValue(name string, value any, changed *bool) any {
	switch v := value.(type) {
	case map[string]any:
		for key, member := range v {
			v[key] = mendValue(key, member, changed)
		}
	case []any:
		for i, item := range v {
			v[i] = mendValue(name, item, changed)
		}
	case string:
		fresh := mendMember(name, v)
		*changed = *changed || fresh != v
		return fresh
	}
	return value
}

// mendMember mends a text in a document, by the name of its member.
func mendMember(name, text string) string {
	switch {
	case text == "":
		return text
	case text[0] == '{' || text[0] == '[':
		if json.Valid([]byte(text)) {
			return mendJSON(text)
		}
	case name == "name", name == "Name":
		return mendName(text)
	}
	return mendNote(text)
}

// questionMark and dollar spell the parameters of a statement as the databases do.
func questionMark(int) string { return "?" }
func dollar(n int) string     { return "$" + strconv.Itoa(n) }
