package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/schema"

	"quatuor/engine/sentence"
	"quatuor/store/internal/db"
	"quatuor/tournament/club"
	"quatuor/tournament/exchange"
	"quatuor/tournament/pairing"
)

// Damage is a column of a row that cannot be read, or that holds the name of a deleted person where no name can be: a
// deletion by an earlier version replaced names as text.
type Damage struct {
	Table, Row, Column string
	Tournament         string // id; "" for a row of none
	Fault              string
}

// String returns the place of the damage, and its kind.
func (d Damage) String() string {
	place := fmt.Sprintf("table %s, row %s, column %s: %s", d.Table, d.Row, d.Column, d.Fault)
	if d.Tournament != "" {
		return "tournament " + d.Tournament + ", " + place
	}
	return place
}

// Damages lists unreadable parts of the database. A table that cannot be queried, because a column is missing, does not
// stop the others.
func (s *Store) Damages(ctx context.Context) (found []Damage, err error) {
	for _, row := range models {
		of, failed := damagesOf(s.reads.WithContext(ctx), row)
		found = append(found, of...)
		err = errors.Join(err, failed)
	}
	return found, db.About("read the rows", err)
}

// damaged returns a line for each damage of the database.
func (s *Store) damaged(ctx context.Context) (faults []string, err error) {
	found, err := s.Damages(ctx)
	for _, d := range found {
		faults = append(faults, d.String())
	}
	return faults, err
}

// damagesOf returns the damages of a table.
func damagesOf(tx *gorm.DB, row any) (found []Damage, err error) {
	is := db.SchemaOf(row)
	keys, columns := readColumns(is)
	if len(columns) == 0 {
		return nil, nil
	}
	query := tx.Table(is.Table)
	if len(columns) == 1 && is.FieldsByDBName[columns[0]].FieldType == reflect.TypeFor[sentence.Stored]() {
		query = query.Where(columns[0] + " <> ''") // most lines of games have no sentence
	}
	err = eachRow(query, keys, columns, func(key, values []any) {
		for i, column := range columns {
			fault := faultOf(is, column, values[i])
			if fault == "" {
				continue
			}
			d := Damage{Table: is.Table, Column: column, Fault: fault}
			for k, name := range keys {
				text := textIn(key[k])
				switch {
				case name == "tournament_id", name == "id" && is.Table == "tournaments":
					d.Tournament = text
				case d.Row != "":
					d.Row += "/" + text
				default:
					d.Row = text
				}
			}
			if d.Row == "" {
				d.Row = d.Tournament
			}
			found = append(found, d)
		}
	})
	return found, err
}

// readColumns returns the columns that name a row of a table, and those that are decoded.
func readColumns(is *schema.Schema) (keys, columns []string) {
	for _, name := range is.DBNames {
		field := is.FieldsByDBName[name]
		text := field.FieldType == reflect.TypeFor[sentence.Stored]() || field.FieldType.Kind() == reflect.String &&
			slices.Contains([]string{"undo", "before_result", "after_result"}, name)
		switch {
		case field.PrimaryKey || name == "tournament_id":
			keys = append(keys, name)
		case field.Serializer != nil && field.FieldType.Kind() != reflect.String, text,
			is.Table == "round_snapshots" && name == "text", is.Table == "tournament_originals" && name == "report":
			columns = append(columns, name)
		}
	}
	return keys, columns
}

// faultOf returns the fault of a stored column, "" for none.
func faultOf(is *schema.Schema, column string, stored any) string {
	if stored == nil {
		return ""
	}
	field, text := is.FieldsByDBName[column], textIn(stored)
	switch {
	case field.FieldType == reflect.TypeFor[sentence.Stored]():
		if err := checkSaid(sentence.Stored(text)); err != nil {
			return err.Error()
		}
	case column == "undo":
		if text != "" && !json.Valid([]byte(text)) {
			return "it is not JSON"
		}
	case is.Table == "round_snapshots":
		if _, err := pairing.Read(text, ""); err != nil {
			return err.Error()
		}
	case is.Table == "tournament_originals" && column == "report":
		if err := (&exchange.Original{Text: []byte(text)}).Check(); err != nil {
			return err.Error()
		}
		return ""
	case field.Serializer != nil:
		into := reflect.New(is.ModelType).Elem()
		if err := field.Serializer.Scan(context.Background(), field, into, stored); err != nil {
			return "it cannot be read: " + err.Error()
		}
	default: // a result, or the choice of an act
		if _, gone := club.GoneNumber(text); gone {
			return fmt.Sprintf("it holds %q, which is no result", text)
		}
		return ""
	}
	var value any
	if json.Unmarshal([]byte(text), &value) != nil {
		return ""
	}
	return misplaced(value)
}

// worded are the members of JSON objects that may hold the name of a deleted person.
var worded = []string{
	"name", "reason", "why", "values", "was", "became", "about", "by", "arbiters", "players", "merged", "adjourned", "text",
}

// misplaced describes a deleted person's replacement name where a JSON value holds neither names nor people's words; ""
// for none.
func misplaced(value any) string {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			if fault := misplaced(item); fault != "" {
				return fault
			}
		}
	case map[string]any:
		for key, item := range value {
			if _, gone := club.GoneNumber(key); gone {
				return fmt.Sprintf("a member of it is called %q", key)
			}
			text, is := item.(string)
			if _, gone := club.GoneNumber(text); is && gone && !slices.Contains(worded, strings.ToLower(key)) {
				return fmt.Sprintf("its member %q holds %q", key, text)
			}
			if fault := misplaced(item); fault != "" {
				return fault
			}
		}
	}
	return ""
}

// textIn returns a stored value as a text.
func textIn(stored any) string {
	if text, is := stored.([]byte); is {
		return string(text)
	}
	return fmt.Sprint(stored)
}
