package migrations

import (
	"database/sql"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pressly/goose/v3"

	"quatuor/store/dbtest"
	"quatuor/store/internal/sqlite"
)

func TestWordingOnSQLite(t *testing.T) {
	db := sqlite.OpenMigrating(filepath.Join(t.TempDir(), "old.db"))
	defer db.Close()
	mendsOldRows(t, db, goose.DialectSQLite3, "sqlite", questionMark)
}

func TestWordingOnPostgres(t *testing.T) {
	server := dbtest.Cluster(t, "fsync=off")
	db, err := sql.Open("pgx", server.Schema(t))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	mendsOldRows(t, db, goose.DialectPostgres, "postgres", dollar)
}

// mendsOldRows fills a database of the schema before with texts as they could come in then, and migrates it.
func mendsOldRows(t *testing.T, db *sql.DB, dialect goose.Dialect, folder string, placeholder func(int) string) {
	t.Helper()
	provider, err := newProvider(dialect, db, folder, inGo(placeholder))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.UpTo(t.Context(), wordingVersion-1); err != nil {
		t.Fatal(err)
	}
	old := oldRows{t, db, placeholder}
	old.fill()
	if _, err := provider.UpTo(t.Context(), wordingVersion); err != nil {
		t.Fatal(err)
	}
	old.check()
}

type oldRows struct {
	t           *testing.T
	db          *sql.DB
	placeholder func(int) string
}

// insert adds a row; columns that are not named get what fits their type.
func (o oldRows) insert(table, columns string, values ...any) {
	o.t.Helper()
	marks := make([]string, len(values))
	for i := range values {
		marks[i] = o.placeholder(i + 1)
	}
	if _, err := o.db.ExecContext(o.t.Context(),
		"INSERT INTO "+table+" ("+columns+") VALUES ("+strings.Join(marks, ", ")+")", values...); err != nil {
		o.t.Fatalf("%s: %v", table, err)
	}
}

const evil = "Ada\revent: over\x1b[2J\u202e"

func (o oldRows) fill() {
	const player = "id, name, name_key, club, birth_year, rating, claim_hash, created_by, created_at, version"
	for id, name := range map[string]string{
		"sound": "Zo\u00eb Ada", "evil": evil, "blank": "\u3164", "blank-too": "\u3000", "decomposed": "Zoe\u0308 ADA",
		"long": strings.Repeat("\U0001d11e", 201),
	} {
		club := "\u2800"
		if id == "sound" {
			club = "Riga"
		}
		o.insert("players", player, id, name, strings.ToLower(name), club, 0, "{}", "", "", 1, 7)
	}
	const tournament = `id, name, variant, format, round_count, time_control, options, tie_breaks, points, rated, auto_rounds, lot_seed, status,
		version, organiser, arbiters, created_at, starts_at, started_at, finished_at, entry_count, last_round, forbidden, prizes`
	o.insert("tournaments", tournament, "t", evil, "quixo/duel", "swiss", 1, "300", "{}", "[]", "{}", o.flag(false),
		o.flag(false), "", "running",
		3, "a", "[]", 1, 0, 1, 0, 2, 1, `[{"entries":["e","f"],"why":"a\u001bb\nc"}]`,
		`{"unit":1000000000000000001,"categories":[{"name":"\u3000","prizes":[{"amount":5,"text":"a\rcup"}],"clubs":["R\u202eiga"]}]}`)
	const entry = "tournament_id, id, position, number, name, members, rating, club, status, withdrawn_from"
	o.insert("entries", entry, "t", "e", 1, 1, evil, "[]", 0.0, "R\u00a0\u00a0iga", "confirmed", 0)
	o.insert("entries", entry, "t", "f", 2, 2, "\u200b", "[]", 0.0, "", "confirmed", 0)
	o.insert("rounds", "tournament_id, number, status, published_at", "t", 1, "published", 1)
	o.insert("pairings", "tournament_id, round, board, seats, game_id, games, bye, result, adjourned", "t", 1, 1,
		`["e","f"]`, "", 0, "",
		`{"ranks":[1,2],"points":[10,0],"reason":"over\u009b"}`, "at\ttwo")
	o.insert("pairings", "tournament_id, round, board, seats, game_id, games, bye, result", "t", 1, 2, `["e"]`, "", 0, "",
		nil)
	o.insert("result_changes", "tournament_id, round, board, before_result, after_result, by_account, at, why", "t", 1, 1,
		nil, `{"reason":"x"}`, "a", 1, "one\r\ntwo\x07")
	o.insert("tournament_acts", "tournament_id, version, kind, by_account, at, round, board, entry_id, before_result, "+
		"after_result, why, undo",
		"t", 1, "result", "a", 1, 1, 1, "", "", "", "w\u2028hy",
		`{"Own":{"Name":"A\u001b"},"Text":"{\"club\":\"R\\u001biga\"}"}`)
	o.insert("round_snapshots", "tournament_id, round, text", "t", 1, `{"field":[{"id":"e","club":"R\u001b"}]}`)
	o.insert("tournament_originals", "tournament_id, report, entries", "t", []byte("012 Cup\x1b\r\n022 R\u0085ga\n"), "[]")
	o.insert("credentials", "id, kind, hash, family, name, scopes, created_at, expires_at, used_at, revoked_at", "c",
		"token", "h", "", "\u00a0", "[]", 1, 1, 1, 0)
	const game = `id, variant, seats, seed, options, players, controls, lag, rated, round, board, created_by, created_at, started_at,
		finished_at, status, version, turn, plies, awaited, offer, clock, deadline, position`
	o.insert("games", game, "g", "quixo/duel", 2, "", "{}", "[]", "[]", o.flag(false), o.flag(false), 0, 0, "", 1, 0, 0,
		"running", 1, 1, 0, "[]", 0, "{}", 0, "")
	const line = "game_id, n, kind, seat, text, at, turn, elapsed, remaining, by_account"
	o.insert("lines", line, "g", 1, "pause", 0, "arbiter a \x1bcube\u202e", 1, 1, 0, 0, "")
	o.insert("lines", line, "g", 2, "move", 1, "c1-c5", 1, 1, 0, 0, "")
}

// flag is a truth value as the database keeps it.
func (o oldRows) flag(yes bool) any {
	if o.placeholder(1) != "?" {
		return yes
	}
	if yes {
		return 1
	}
	return 0
}

// one reads a single text.
func (o oldRows) one(query string) string {
	o.t.Helper()
	var text string
	if err := o.db.QueryRowContext(o.t.Context(), query).Scan(&text); err != nil {
		o.t.Fatalf("%s: %v", query, err)
	}
	return text
}

func (o oldRows) check() {
	const mended = "Ada event: over[2J"
	for query, want := range map[string]string{
		"SELECT name FROM players WHERE id = 'sound'":          "Zo\u00eb Ada",
		"SELECT version FROM players WHERE id = 'evil'":        "8",
		"SELECT version FROM players WHERE id = 'sound'":       "7",
		"SELECT name FROM players WHERE id = 'evil'":           mended,
		"SELECT name_key FROM players WHERE id = 'evil'":       strings.ToLower(mended),
		"SELECT club FROM players WHERE id = 'evil'":           "",
		"SELECT name FROM players WHERE id = 'blank'":          nameless,
		"SELECT name FROM players WHERE id = 'blank-too'":      nameless,
		"SELECT name_key FROM players WHERE id = 'decomposed'": "zo\u00eb ada",
		"SELECT name FROM players WHERE id = 'long'":           strings.Repeat("\U0001d11e", 199) + "…",
		"SELECT name FROM tournaments":                         mended,
		"SELECT name FROM entries WHERE id = 'e'":              mended,
		"SELECT club FROM entries WHERE id = 'e'":              "R iga",
		"SELECT name FROM entries WHERE id = 'f'":              nameless,
		"SELECT adjourned FROM pairings WHERE board = 1":       "at two",
		"SELECT why FROM result_changes":                       "one\ntwo",
		"SELECT why FROM tournament_acts":                      "w\nhy",
		"SELECT name FROM credentials":                         nameless,
		"SELECT text FROM lines WHERE n = 1":                   "arbiter a cube",
		"SELECT text FROM lines WHERE n = 2":                   "c1-c5",
		"SELECT count(*) FROM pairings WHERE result IS NULL":   "1",
	} {
		if got := o.one(query); got != want {
			o.t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	if got := o.one("SELECT report FROM tournament_originals"); got != "012 Cup \r\n022 R ga\n" {
		o.t.Errorf("the report is %q", got)
	}
	for query, want := range map[string]string{
		"SELECT forbidden FROM tournaments": `[{"entries":["e","f"],"why":"ab\nc"}]`,
		"SELECT prizes FROM tournaments": `{"categories":[{"clubs":["Riga"],"name":"` + nameless +
			`","prizes":[{"amount":5,"text":"a\ncup"}]}],"unit":1000000000000000001}`,
		"SELECT result FROM pairings WHERE board = 1": `{"points":[10,0],"ranks":[1,2],"reason":"over"}`,
		"SELECT after_result FROM result_changes":     `{"reason":"x"}`,
		"SELECT undo FROM tournament_acts":            `{"Own":{"Name":"A"},"Text":"{\"club\":\"Riga\"}"}`,
		"SELECT text FROM round_snapshots":            `{"field":[{"club":"R","id":"e"}]}`,
	} {
		got := o.one(query)
		if !json.Valid([]byte(got)) || got != want {
			o.t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}
