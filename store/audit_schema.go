package store

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	gormsqlite "gorm.io/driver/sqlite"
	"gorm.io/gorm"
	"quatuor/engine/table"
	"quatuor/store/internal/db"
	"quatuor/store/internal/outbox"
	"quatuor/store/internal/sqlite"
	"quatuor/store/migrations"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/adminlog"
	"quatuor/tournament/club"
	"quatuor/tournament/hook"
	"quatuor/tournament/ladder"
	"quatuor/tournament/slip"
)

// schemaParts are the tables, columns, keys, indexes and triggers of a database: each by its name (for example "column
// games.id") with a description in the same words on both databases.
type schemaParts map[string]string

// partsOnSQLite lists schemaParts.
const partsOnSQLite = `SELECT 'table ' || name AS name, '' AS detail FROM sqlite_master
		WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'goose%'
	UNION ALL SELECT 'column ' || m.name || '.' || c.name,
		lower(c.type) || CASE WHEN c."notnull" = 1 OR c.pk > 0 THEN '' ELSE ', may be null' END
		FROM sqlite_master m JOIN pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' AND m.name NOT LIKE 'goose%'
	UNION ALL SELECT 'primary key of ' || k.name, group_concat(k.column_name, ', ') FROM
		(SELECT m.name, c.name AS column_name FROM sqlite_master m JOIN pragma_table_info(m.name) c
			WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' AND m.name NOT LIKE 'goose%' AND c.pk > 0
			ORDER BY m.name, c.pk) k
		GROUP BY k.name
	UNION ALL SELECT 'unique key of ' || u.name || ' (' || u.columns || ')', '' FROM
		(SELECT m.name, (SELECT group_concat(i.name, ', ') FROM pragma_index_info(l.name) i) AS columns
			FROM sqlite_master m JOIN pragma_index_list(m.name) l WHERE m.type = 'table' AND l.origin = 'u') u
	UNION ALL SELECT 'index ' || l.name, m.name || CASE l."unique" WHEN 1 THEN ', unique' ELSE '' END
		FROM sqlite_master m JOIN pragma_index_list(m.name) l WHERE m.type = 'table' AND l.origin = 'c'
	UNION ALL SELECT 'foreign key of ' || f.name || ' (' || f.columns || ') to ' || f.parent, f.deleted FROM
		(SELECT m.name, k."table" AS parent, group_concat(k."from", ', ') AS columns, lower(k.on_delete) AS deleted
			FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) k WHERE m.type = 'table'
			GROUP BY m.name, k.id, k."table", k.on_delete) f`

// textsOnSQLite are the statements that made indexes and triggers; SQLite keeps their texts.
const textsOnSQLite = `SELECT CASE type WHEN 'index' THEN 'statement of index ' ELSE 'trigger ' END || name AS name, sql AS detail FROM sqlite_master
	WHERE type IN ('index', 'trigger') AND sql IS NOT NULL AND name NOT LIKE 'goose%'`

// partsOnPostgres lists schemaParts.
const partsOnPostgres = `WITH relations AS (SELECT c.oid, c.relname::text AS relname FROM pg_class c
		WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname NOT LIKE 'goose%')
	SELECT 'table ' || relname AS name, '' AS detail FROM relations
	UNION ALL SELECT 'column ' || r.relname || '.' || a.attname,
		CASE format_type(a.atttypid, NULL) WHEN 'bigint' THEN 'integer' WHEN 'smallint' THEN 'integer' WHEN 'boolean' THEN 'integer'
			WHEN 'double precision' THEN 'real' WHEN 'bytea' THEN 'blob' ELSE format_type(a.atttypid, NULL) END ||
		CASE WHEN a.attnotnull THEN '' ELSE ', may be null' END
		FROM relations r JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
	UNION ALL SELECT CASE c.contype WHEN 'p' THEN 'primary key of ' || r.relname
			WHEN 'u' THEN 'unique key of ' || r.relname || ' (' || k.columns || ')'
			ELSE 'foreign key of ' || r.relname || ' (' || k.columns || ') to ' || p.relname END,
		CASE c.contype WHEN 'p' THEN k.columns WHEN 'f' THEN CASE c.confdeltype WHEN 'c' THEN 'cascade' ELSE 'no action' END ELSE '' END
		FROM relations r JOIN pg_constraint c ON c.conrelid = r.oid AND c.contype IN ('p', 'u', 'f') LEFT JOIN relations p
			ON p.oid = c.confrelid CROSS JOIN LATERAL (SELECT string_agg(a.attname::text, ', ' ORDER BY u.at) AS columns
			FROM unnest(c.conkey) WITH ORDINALITY u (num, at) JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum = u.num) k
	UNION ALL SELECT 'index ' || i.relname, r.relname || CASE WHEN x.indisunique THEN ', unique' ELSE '' END
		FROM relations r JOIN pg_index x ON x.indrelid = r.oid AND x.indisvalid JOIN pg_class i ON i.oid = x.indexrelid
		WHERE NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = x.indexrelid AND c.conrelid = r.oid)
	UNION ALL SELECT 'trigger ' || t.tgname, CASE t.tgenabled WHEN 'D' THEN 'disabled' ELSE r.relname END
		FROM relations r JOIN pg_trigger t ON t.tgrelid = r.oid AND NOT t.tgisinternal`

// onlyOnPostgres are parts that the migrations make on PostgreSQL alone. No trigger is the same on both.
var onlyOnPostgres = schemaParts{
	"trigger admin_log_unaltered": "admin_log",
	"trigger admin_log_unchanged": "admin_log",
	"index deadlines_due_at":      "deadlines",
}

// schemaFaults compares the schema of the database with that of an empty database, migrated in a temporary directory.
// Further indexes are no fault.
func (s *Store) schemaFaults(ctx context.Context) (faults []string, err error) {
	want, err := migratedParts()
	if err != nil {
		return nil, fmt.Errorf("migrate an empty database to compare with: %w", err)
	}
	queries := []string{partsOnSQLite, textsOnSQLite}
	if s.reads.Name() != db.SQLite {
		want, queries = onPostgres(want), []string{partsOnPostgres}
	}
	is, err := partsOf(s.reads.WithContext(ctx), queries...)
	if err != nil {
		return nil, db.About("read the schema", err)
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if detail, there := is[name]; !there {
			faults = append(faults, "the schema of the database has lost the "+name)
		} else if detail != want[name] {
			faults = append(faults, fmt.Sprintf("the schema of the database has another %s than the migrations make", name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if _, known := want[name]; !known && strings.HasPrefix(name, "trigger ") {
			faults = append(faults, fmt.Sprintf("the schema of the database has a %s that the migrations do not make", name))
		}
	}
	return faults, nil
}

// onPostgres returns the migrated schema on PostgreSQL, from that on SQLite.
func onPostgres(parts schemaParts) schemaParts {
	out := maps.Clone(onlyOnPostgres)
	for name, detail := range parts {
		if kind, _, _ := strings.Cut(name, " "); kind != "statement" && kind != "trigger" {
			out[name] = detail
		}
	}
	return out
}

// partsOf returns the results of queries for parts of a schema.
func partsOf(reads *gorm.DB, queries ...string) (schemaParts, error) {
	parts := schemaParts{}
	for _, query := range queries {
		var rows []struct{ Name, Detail string }
		if err := reads.Raw(query).Scan(&rows).Error; err != nil {
			return nil, err
		}
		for _, r := range rows {
			plain := strings.ReplaceAll(r.Detail, `"`, "") // SQLite puts quotes around a table's name when it is renamed
			parts[r.Name] = strings.Join(strings.Fields(plain), " ")
		}
	}
	return parts, nil
}

// migratedParts returns the migrated schema on SQLite.
var migratedParts = sync.OnceValues(func() (schemaParts, error) { return migrated(partsOnSQLite, textsOnSQLite) })

// migrated returns the results of queries on an empty database that was migrated.
func migrated(queries ...string) (parts schemaParts, err error) {
	dir, err := os.MkdirTemp("", "quatuor-schema-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, databaseFile)
	if err := migrations.SQLite(context.Background(), sqlite.OpenMigrating(path)); err != nil {
		return nil, err
	}
	pool := sqlite.OpenReaders(path)
	defer pool.Close()
	reads, err := openORM(gormsqlite.New(gormsqlite.Config{Conn: pool}))
	if err != nil {
		return nil, err
	}
	return partsOf(reads, queries...)
}

// enumeration is a column with a few allowed texts.
type enumeration struct {
	table, column string
	values        []string
}

// texts returns values of a domain's type as texts.
func texts[T ~string](values ...T) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}

// statuses are those of games.
var statuses = texts(table.Waiting, table.Running, table.Paused, table.Finished, table.Aborted)

// news are the kinds of news, and of the deliveries that webhooks are sent.
var news = texts(tournament.NewsRound, tournament.NewsResult, tournament.NewsGame, tournament.NewsStandings,
	tournament.NewsFinished, tournament.NewsEntry, tournament.NewsCall, tournament.NewsLineUp, tournament.NewsRevealed,
	tournament.NewsMatch, tournament.NewsDated, tournament.NewsBoardStarted, tournament.NewsBoardFinished, hook.Test)

// enumerations returns the columns with few values.
func enumerations() []enumeration {
	return []enumeration{
		{"accounts", "role", texts(account.RolePlayer, account.RoleOrganiser, account.RoleAdmin)},
		{"credentials", "role", texts("", account.RolePlayer, account.RoleOrganiser, account.RoleAdmin)},
		{"credentials", "kind", texts(account.RefreshToken, account.APIToken, account.PageSession, account.Invitation,
			account.PasswordReset, account.SetupCode)},
		{"games", "status", statuses},
		{"live_games", "status", statuses},
		{"lines", "kind", texts(table.LineStart, table.LineMove, table.LineLeft, table.LineAgreed, table.LineOffer,
			table.LineDecline, table.LinePause, table.LineResume, table.LineOutage, table.LineAbort, table.LineSet, table.LineAdd,
			table.LineAdjudication, table.LineBerserk, table.LineTakeback, table.LineTakebackOffer, table.LineTakebackDecline,
			table.LineCommitment, table.LineNonce, table.LineLapse, table.LineAccept, table.LineStand, table.LineRefuse)},
		{"tournaments", "format", texts(tournament.FormatsWith(nil)...)},
		{"tournaments", "status", texts(tournament.Draft, tournament.Open, tournament.Closed, tournament.Running,
			tournament.Finished, tournament.Archived)},
		{"tournaments", "venue", texts("", tournament.OnServer, tournament.InHall)},
		{"tournaments", "check_in", texts(tournament.NoCheckIn, tournament.CheckInOpen, tournament.CheckInClosed)},
		{"entries", "status", texts(tournament.Registered, tournament.Confirmed, tournament.Withdrawn)},
		{"rounds", "status", texts(tournament.Paired, tournament.Published, tournament.Complete)},
		{"pairings", "venue", texts("", tournament.OnServer, tournament.InHall)},
		{"pairings", "bye", texts(tournament.NoBye, tournament.PairingAllocated, tournament.HalfPoint, tournament.FullPoint,
			tournament.ZeroPoint, tournament.ClubDuty, tournament.NoShow)},
		{"tournament_acts", "kind", texts(tournament.ActCreate, tournament.ActSettings, tournament.ActArbiters, tournament.ActOpen,
			tournament.ActClose, tournament.ActStart, tournament.ActFinish, tournament.ActArchive, tournament.ActRegister,
			tournament.ActEnter, tournament.ActCorrect, tournament.ActConfirm, tournament.ActAgree, tournament.ActDecline,
			tournament.ActWithdraw, tournament.ActReinstate, tournament.ActRemove, tournament.ActByes, tournament.ActForbid,
			tournament.ActBonuses, tournament.ActEnterAll, tournament.ActOpenCheckIn, tournament.ActCloseCheckIn,
			tournament.ActCancelCheckIn, tournament.ActPresent, tournament.ActAbsent, tournament.ActPrizes, tournament.ActPair,
			tournament.ActDraw, tournament.ActPublish, tournament.ActEdit, tournament.ActDrop, tournament.ActResult,
			tournament.ActResults, tournament.ActAdjourn, tournament.ActPlayAgain, tournament.ActClear, tournament.ActRating,
			tournament.ActVenue, tournament.ActRecord, tournament.ActReveal, tournament.ActBoard, tournament.ActSubstitute,
			tournament.ActReopen, tournament.ActDate, tournament.ActUndo, tournament.ActImport)},
		{"arbiter_calls", "kind", texts(slip.CallHelp, slip.CallDispute)},
		{"arbiter_calls", "status", texts(slip.CallOpen, slip.CallSeen, slip.CallSettled)},
		{"ladder_acts", "kind", texts(ladder.ActJoin, ladder.ActLeave, ladder.ActChallenge, ladder.ActAccept, ladder.ActDecline,
			ladder.ActGame, ladder.ActReport, ladder.ActResult, ladder.ActHoliday)},
		{"hooks", "format", texts(hook.Formats()...)},
		{"hook_deliveries", "state", texts(hook.Waiting, hook.Sent, hook.Failed, hook.Dropped)},
		{"hook_deliveries", "kind", news},
		{"mail_queue", "kind", texts(account.MailConfirm, account.MailTest, account.MailForgotten, account.MailReset,
			account.MailInvited, account.MailRound, account.MailDate, account.MailMatch, account.MailHook, account.MailTurn)},
		{"admin_log", "via", texts(adminlog.ViaRequest, adminlog.ViaCommandLine, adminlog.ViaService)},
		{"admin_log", "about_kind", texts(adminlog.OfInstallation, adminlog.OfAccount, adminlog.OfPlayer, adminlog.OfRatings,
			adminlog.OfTournament)},
		{"cursors", "consumer", texts(outbox.OfRatings, outbox.OfTournaments)},
		{"club_settings", "reach", texts("", club.ReachLocal, club.ReachNetwork)},
	}
}

// lists are columns with lists of values of an enumeration.
var lists = []enumeration{
	{"credentials", "scopes", []string{"read", "play", "organise", "admin", "display", "board", "helper"}},
	{"hooks", "kinds", news},
	{"mail_addresses", "off", texts(account.MailChoices()...)},
}
