package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/schema"

	"quatuor/store/internal/db"
	"quatuor/store/internal/outbox"
	"quatuor/store/internal/ratings"
	"quatuor/tournament/account"
)

// models are all rows of all tables.
var models = []any{
	&accountRow{}, &actRow{}, &adminLogRow{}, &attemptRow{}, &blockRow{}, &changeRow{}, &clubRow{}, &credentialRow{},
	&ratings.Current{}, &outbox.Cursor{}, &deadlineRow{}, &entryRow{}, &familiarRow{}, &gamePlayerRow{}, &gameRow{}, &leaderRow{},
	&hallRecordRow{}, &lineUpRow{}, &mailAddressRow{}, &mailMarkRow{}, &mailRow{}, &mailStateRow{},
	&heartbeatRow{}, &hookRow{}, &hookEventRow{}, &deliveryRow{}, &keyRow{}, &lineRow{}, &ratings.List{}, &liveRow{}, &ratings.MarkRow{}, &memberRow{}, &mergeRow{},
	&originalRow{}, &outageRow{}, &outbox.Row{}, &pairingRow{}, &playerRow{}, &quotaRow{},
	&ratings.Row{}, &replyRow{}, &callRow{}, &codeRow{}, &reportRow{}, &roundRow{}, &secretRow{}, &snapshotRow{},
	&tournamentRow{}, &erasureRow{}, &seriesRow{}, &ladderRow{}, &ladderActRow{}, &leagueRow{}, &leagueSeasonRow{}, &seasonRow{},
	&arenaBeatRow{},
}

// maxNamed is the maximum of rows of a table that are named for a reason; the others are counted.
const maxNamed = 5

// finding collects rows of a table with the same fault.
type finding struct {
	what  string
	named []string
	more  int
}

func (f *finding) add(row string) {
	if len(f.named) == maxNamed {
		f.more++
		return
	}
	f.named = append(f.named, row)
}

// faults returns a line for each named row, and a line for the others.
func (f *finding) faults() []string {
	faults := make([]string, 0, len(f.named)+1)
	for _, row := range f.named {
		faults = append(faults, row+": "+f.what)
	}
	if f.more > 0 {
		faults = append(faults, fmt.Sprintf("%d more rows: %s", f.more, f.what))
	}
	return faults
}

// tableOf returns the model of a table.
func tableOf(name string) *schema.Schema {
	for _, m := range models {
		if s := db.SchemaOf(m); s.Table == name {
			return s
		}
	}
	panic("store: there is no table " + name) // a mistake in the program that every test of the audit finds
}

// keyOf returns the columns of a table's primary key.
func keyOf(s *schema.Schema) []string { return s.PrimaryFieldDBNames }

// rowName names a row by its table and primary key, for example "entries cup/1".
func rowName(table string, key []any) string {
	parts := make([]string, len(key))
	for i, value := range key {
		parts[i] = textIn(value)
	}
	return table + " " + strings.Join(parts, "/")
}

// eachRow yields the primary key and some further columns of the rows of a query.
func eachRow(query *gorm.DB, key, columns []string, yield func(key, values []any)) error {
	rows, err := query.Select(append(slices.Clone(key), columns...)).Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	values := make([]any, len(key)+len(columns))
	into := make([]any, len(values))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		yield(values[:len(key)], values[len(key):])
	}
	return rows.Err()
}

// reference is a column that names a row of another table by its id, or columns that together name a row by its key.
type reference struct {
	from, columns string // a table, and its columns with commas between them
	to, keys      string
}

// references are those that no foreign key guards and no other rule looks at. Histories name rounds, boards and entries
// that may have been deleted, so their columns are not here.
var references = []reference{
	{"ladders", "organiser", "accounts", "id"},
	{"leagues", "organiser", "accounts", "id"},
	{"seasons", "organiser", "accounts", "id"},
	{"series", "organiser", "accounts", "id"},
	{"ladder_acts", "by", "accounts", "id"},
	{"line_ups", "by_account", "accounts", "id"},
	{"ladder_acts", "player", "players", "id"},
	{"ladder_acts", "other", "players", "id"},
	{"entry_leaders", "player_id", "players", "id"},
	{"entries", "captain", "players", "id"},
	{"line_ups", "tournament_id, entry_id", "entries", "tournament_id, id"},
	{"line_ups", "tournament_id, opponent_id", "entries", "tournament_id, id"},
	{"hook_deliveries", "hook_id", "hooks", "id"},
	{"mail_queue", "account_id", "accounts", "id"},
}

// unowned are the values of an account's id that name no account: none, the server, and the players of a board.
const unowned = "'', 'server', 'players'"

// dangling finds rows that name others that are not there. Bots have ids and no rows.
func (s *Store) dangling(ctx context.Context) (faults []string, err error) {
	for _, r := range references {
		columns, keys := strings.Split(r.columns, ", "), strings.Split(r.keys, ", ")
		same := make([]string, len(columns))
		for i := range columns {
			same[i] = "named." + keys[i] + " = " + r.from + "." + columns[i]
		}
		last := r.from + "." + columns[len(columns)-1]
		query := s.reads.WithContext(ctx).Table(r.from).Where(last + " NOT IN (" + unowned + ") AND " + last +
			" NOT LIKE 'bot-_' AND NOT EXISTS (SELECT 1 FROM " + r.to + " AS named WHERE " + strings.Join(same, " AND ") + ")")
		f := finding{what: "its " + columns[len(columns)-1] + " names a row of " + r.to + " that is not there"}
		err := eachRow(query, keyOf(tableOf(r.from)), nil, func(key, _ []any) { f.add(rowName(r.from, key)) })
		if err != nil {
			return faults, fmt.Errorf("look for what %s of %s names: %w", r.columns, r.from, err)
		}
		faults = append(faults, f.faults()...)
	}
	return faults, nil
}

// unknownValues finds rows with a value that a column cannot have; see enumerations.
func (s *Store) unknownValues(ctx context.Context) (faults []string, err error) {
	for _, c := range enumerations() {
		query := s.reads.WithContext(ctx).Table(c.table).Where(c.column+" NOT IN ?", c.values)
		found := map[string]*finding{}
		var order []*finding
		err := eachRow(query, keyOf(tableOf(c.table)), []string{c.column}, func(key, values []any) {
			value := strings.TrimPrefix(rowName("", values), " ")
			if found[value] == nil {
				found[value] = &finding{what: fmt.Sprintf("its %s %q is unknown", c.column, value)}
				order = append(order, found[value])
			}
			found[value].add(rowName(c.table, key))
		})
		if err != nil {
			return faults, fmt.Errorf("look for the values of %s of %s: %w", c.column, c.table, err)
		}
		for _, one := range order {
			faults = append(faults, one.faults()...)
		}
	}
	return faults, nil
}

// unknownInLists finds rows with lists of ids that name rows that do not exist; see lists.
func (s *Store) unknownInLists(ctx context.Context) (faults []string, err error) {
	for _, c := range lists {
		query, key := s.reads.WithContext(ctx).Table(c.table), keyOf(tableOf(c.table))
		err := eachRow(query, key, []string{c.column}, func(key, values []any) {
			var list []string
			if err := (db.FromText{Into: &list}).Scan(values[0]); err != nil {
				return // damaged names the row
			}
			for _, value := range list {
				if !slices.Contains(c.values, value) {
					faults = append(faults, fmt.Sprintf("%s: its %s have %q, which is unknown", rowName(c.table, key), c.column, value))
				}
			}
		})
		if err != nil {
			return faults, fmt.Errorf("look for the values of %s of %s: %w", c.column, c.table, err)
		}
	}
	return faults, nil
}

// LongLived names credentials of a kind, those for a single tournament or the others, that last longer than credentials
// of their kind may after they were made or used.
func (s *Store) LongLived(
	ctx context.Context, kind account.CredentialKind, oneTournament bool, most time.Duration,
) ([]string, error) {
	query := s.reads.WithContext(ctx).Model(&credentialRow{}).
		Where("kind = ? AND (tournament_id IS NOT NULL) = ?", kind, oneTournament).
		Where("expires_at = 0 OR expires_at - CASE WHEN used_at > created_at THEN used_at ELSE created_at END > ?",
			most.Milliseconds())
	f := finding{what: fmt.Sprintf("it lasts longer than the %s that it may", most)}
	err := eachRow(query, []string{"id"}, nil, func(key, _ []any) { f.add(rowName("credentials", key)) })
	return f.faults(), db.About("look at credentials", err)
}

// IDs returns the ids of all rows of a table.
func (s *Store) IDs(ctx context.Context, table string) (ids []string, err error) {
	err = s.reads.WithContext(ctx).Table(table).Order("id").Pluck("id", &ids).Error
	return ids, db.About("list "+table, err)
}

// Has reports whether a table has a row with an id.
func (s *Store) Has(ctx context.Context, table, id string) (bool, error) {
	has, err := db.Any(s.reads.WithContext(ctx).Table(table).Where("id = ?", id))
	return has, db.About("look into "+table, err)
}
