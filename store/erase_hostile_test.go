package store

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"gorm.io/gorm"

	"quatuor/engine"
	"quatuor/engine/sentence"
	"quatuor/engine/table"
	"quatuor/store/dbtest"
	"quatuor/store/internal/db"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/adminlog"
	"quatuor/tournament/club"
)

func TestHostileNamesOnSQLite(t *testing.T) {
	erasesNothingElse(t, open(t, Config{Dir: t.TempDir()}), 200)
}

func TestHostileNamesOnPostgres(t *testing.T) {
	erasesNothingElse(t, open(t, Config{DSN: dbtest.Cluster(t, "fsync=off").Schema(t)}), 60)
}

// erasesNothingElse deletes persons with the most awkward names, each beside another person of the same name, and
// compares every column of every table before and after: only those of the person may differ.
func erasesNothingElse(t *testing.T, s *Store, most int) {
	t.Helper()
	leaveTraces(t, s)
	leaveGame(t, s)
	seed := rand.Uint64()
	if os.Getenv("QUATUOR_LONG") == "" {
		most /= 4
	}
	found := storedTexts(t, s)
	list := slices.Concat(awkward, found)
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(found), func(i, j int) {
		list[len(awkward)+i], list[len(awkward)+j] = list[len(awkward)+j], list[len(awkward)+i]
	})
	list = list[:min(len(list), most)]
	compared := 0
	for i, name := range list {
		p := newHostile(t, s, i, name)
		before := allColumns(t, s)
		if _, err := s.People().Erase(t.Context(), club.Erasure{Account: p.account, At: 1000 + int64(i)}); err != nil {
			t.Fatalf("seed %d: %q: %v", seed, name, err)
		}
		after := allColumns(t, s)
		for place, value := range before {
			compared++
			if now, there := after[place]; (!there || now != value) && !p.owns(place) {
				t.Errorf("seed %d: %q: %v was %.300s and is %.300s", seed, name, place, value, now)
			}
		}
		for place, value := range after {
			noted := place.table == "admin_log" && after[columnOf{"admin_log", place.row, "about_id"}] == p.player
			if _, there := before[place]; !there && !p.owns(place) && !noted {
				t.Errorf("seed %d: %q: %v is new: %.300s", seed, name, place, value)
			}
		}
		if t.Failed() {
			return
		}
	}
	if damages, err := s.Damages(t.Context()); err != nil || len(damages) > 0 {
		t.Errorf("seed %d: %v, %v", seed, damages, err)
	}
	for _, id := range []string{"cup", "next", "now", "own0"} {
		if _, err := s.Tournaments().Load(t.Context(), id); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
	t.Logf("seed %d: %d names, of them %d out of %d stored texts; %d columns of rows compared", seed, len(list),
		max(0, len(list)-len(awkward)), len(found), compared)
}

// awkward are names that the database itself does not have.
var awkward = []string{
	"null", "true", "false", "ranks", "points", "rated", "id", "1-0", "0.5", "½", "1", "0", "-1", "1,2", "a", "Hall", "Fire alarm", "root",
	"admin", "server", "Bob", "bob", "Zyxelinde Quorg", "player", "player 1", "1001", ".*", "^$", "(", "[a-z]+", `\`, `\d+ \w`, "%", "_", "!", "%s",
	`"`, `","`, `{"a":1}`, "[]", "{}", "'", "' OR '1'='1", "--", "Ünï Cödé", "Ärzte Übel", "ﬁ", "名前", "\u00a0x", "x\u200by", "<b>", "&amp;", "a, b", "A B",
	"in time", "from the report file", "not rated", "arbiter", "line", "quixo", "quits/duel", "open", "finished", "confirmed", "values", "format",
}

// storedTexts returns the short texts of all columns, and the keys and values of all JSON documents.
func storedTexts(t *testing.T, s *Store) []string {
	t.Helper()
	found := map[string]bool{}
	var walk func(value any)
	walk = func(value any) {
		switch value := value.(type) {
		case string:
			found[value] = true
		case float64, bool, nil:
			found[fmt.Sprint(value)] = true
		case []any:
			for _, item := range value {
				walk(item)
			}
		case map[string]any:
			for key, item := range value {
				found[key] = true
				walk(item)
			}
		}
	}
	for _, text := range allColumns(t, s) {
		var value any
		if json.Unmarshal([]byte(text), &value) == nil {
			walk(value)
		}
		walk(text)
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(found)), func(text string) bool {
		return text == "" || len(text) > 60 || !utf8.ValidString(text) || slices.Contains(awkward, text) ||
			strings.TrimSpace(text) != text || strings.ContainsAny(text, "\n\x00") || strings.HasPrefix(text, "player 100")
	})
}

// columnOf is a column of a row.
type columnOf struct{ table, row, column string }

// allColumns returns every column of every row of every table of the schema.
func allColumns(t *testing.T, s *Store) map[columnOf]string {
	t.Helper()
	keys := map[string][]string{}
	for _, model := range models {
		is := db.SchemaOf(model)
		for _, f := range is.PrimaryFields {
			keys[is.Table] = append(keys[is.Table], f.DBName)
		}
	}
	tables, err := s.reads.Migrator().GetTables()
	if err != nil || len(tables) < 40 {
		t.Fatalf("%v, %v", tables, err)
	}
	all := map[columnOf]string{}
	for _, name := range tables {
		if strings.HasPrefix(name, "goose") || strings.HasPrefix(name, "sqlite") {
			continue
		}
		if len(keys[name]) == 0 {
			t.Fatalf("table %s has no key", name)
		}
		var rows []map[string]any
		if err := s.reads.Table(name).Find(&rows).Error; err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			var id []string
			for _, key := range keys[name] {
				id = append(id, textIn(row[key]))
			}
			for column, value := range row {
				all[columnOf{name, strings.Join(id, "/"), column}] = textIn(value)
			}
		}
	}
	return all
}

// hostile is a person with an awkward name.
type hostile struct {
	n                                  int
	player, account, tournament, entry string
	acts                               []int
	log                                []string // ids of entries of the admin log about or by the person
}

// newHostile stores the person, with a tournament that another person of the same name plays in, too, and answers to
// both.
func newHostile(t *testing.T, s *Store, n int, name string) *hostile {
	t.Helper()
	p := &hostile{
		n: n, player: fmt.Sprintf("p%dx", n), account: fmt.Sprintf("acc%dx", n), tournament: fmt.Sprintf("own%d", n), entry: fmt.Sprintf("e%dx", n),
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%q: %v", name, err)
		}
	}
	login := name
	if slices.Contains([]string{"root", "zyxelinde"}, strings.ToLower(name)) { // others have it
		login += "x"
	}
	people := s.People()
	twin := p.player + "twin"
	by := adminlog.With(t.Context(), adminlog.Actor{Via: adminlog.ViaRequest, Account: "root", Name: "root", At: int64(n) * 1_000_000})
	must(people.CreatePlayer(by, club.Player{ID: twin, Name: name, Version: 1, CreatedBy: "root", CreatedAt: int64(n) * 1_000_000},
		club.Player{ID: twin + "2", Name: "Somebody", Version: 1, CreatedBy: "root", CreatedAt: int64(n) * 1_000_000}))
	must(people.CreateAccount(by, account.Account{ID: p.account, Login: login, Role: account.RoleOrganiser, CreatedAt: int64(n)*1_000_000 + 500_000},
		&club.Player{ID: p.player, Name: name, Version: 1, CreatedAt: int64(n)*1_000_000 + 500_000}))
	must(people.AddCredential(by, account.Credential{ID: p.account + "c", Kind: account.APIToken, Hash: p.account, AccountID: p.account, Name: name}))
	own := &tournament.Tournament{ID: p.tournament, Status: tournament.Finished, Entries: []tournament.Entry{
		{ID: p.entry, Name: name, Members: []string{p.player}, Number: 1, Status: tournament.Confirmed},
		{ID: twin, Name: name, Members: []string{twin}, Number: 2, Status: tournament.Confirmed},
	}}
	own.Name = name
	must(s.Tournaments().Create(by, own))
	own.Version++
	own.Rounds = []tournament.Round{{Number: 1, Status: tournament.Complete, Pairings: []tournament.Pairing{{
		Board: 1, Seats: []string{p.entry, twin},
		Result: &tournament.Result{Ranks: []int{1, 2}, Points: []tournament.Points{2, 0}, Source: tournament.ByServer, Reason: "line"},
	}}}}
	must(s.Tournaments().Save(by, own, own.Version-1, tournament.Delta{
		Rounds: own.Rounds,
		Inputs: []tournament.PairingInput{{Round: 1, Text: `{"field":[]}`}},
		Acts: []tournament.Act{{
			Version: own.Version, Kind: tournament.ActResult, By: p.account, Round: 1, Board: 1, After: "1-0", Why: name, Undo: `{"Form":2}`,
		}},
		Changes: []tournament.Change{{Round: 1, Board: 1, By: "server", Why: "line", After: own.Rounds[0].Pairings[0].Result}},
	}))
	for key, body := range map[string]any{
		"mine": map[string]any{"player_id": p.player, "name": name}, "twin": map[string]any{"id": twin, "name": name, "rated": true},
		"word": map[string]any{"status": name, name: nil},
	} {
		text, err := json.Marshal(body)
		must(err)
		key += fmt.Sprint(n)
		_, _, err = s.Replies().BeginReply(by, account.Request{Owner: "account/root", Key: key, Fingerprint: "f", At: 1})
		must(err)
		must(s.Replies().FinishReply(by, "account/root", key, account.Reply{Status: 201, Header: "ETag: 1", Body: text}))
	}
	var rows []adminLogRow
	must(s.reads.Find(&rows, "about_id IN ? OR by_account = ?", []string{p.player, p.account}, p.account).Error)
	must(s.reads.Model(&actRow{}).Where("tournament_id = ?", p.tournament).Pluck("id", &p.acts).Error)
	for _, r := range rows {
		p.log = append(p.log, r.ID)
	}
	return p
}

// owns reports whether a deletion of the person may change a column.
func (p *hostile) owns(at columnOf) bool {
	in := strings.HasPrefix(at.row, p.tournament+"/") || at.row == p.tournament
	switch at.table {
	case "players":
		return at.row == p.player
	case "accounts":
		return at.row == p.account
	case "credentials":
		return at.row == p.account+"c"
	case "erasures":
		return true
	case "entries":
		return at.row == p.tournament+"/"+p.entry
	case "tournaments":
		return in && slices.Contains([]string{"version", "public_version"}, at.column)
	case "tournament_acts":
		own := slices.ContainsFunc(p.acts, func(id int) bool { return at.row == fmt.Sprint(id) })
		return own && slices.Contains([]string{"why", "undo"}, at.column)
	case "admin_log":
		return slices.Contains(p.log, at.row) && slices.Contains([]string{"by_name", "about_name", "names", "was", "became"}, at.column)
	case "replies":
		return at.row == fmt.Sprintf("account/root/mine%d", p.n) && slices.Contains([]string{"status", "header", "body"}, at.column)
	}
	return false
}

// leaveGame stores a game of Bob with a ruling, and its end.
func leaveGame(t *testing.T, s *Store) {
	t.Helper()
	said := sentence.New("%s forfeits board %d", "Bob", 3)
	err := s.backend.write(t.Context(), func(tx *gorm.DB) error {
		g := table.Game{
			ID: "game", Variant: "quixo/duel", Seats: 2, Players: []string{"bob", "zyx"}, Status: table.Finished, Version: 2,
			Options: map[string]string{"ranks": "null"}, Outcome: &engine.Outcome{Ranks: []int{1, 2}, Reason: engine.ReasonLine},
		}
		row := toGameRow(&g)
		if err := tx.Create(&row).Error; err != nil {
			return err
		}
		for _, id := range g.Players {
			if err := tx.Create(&gamePlayerRow{PlayerID: id, GameID: g.ID}).Error; err != nil {
				return err
			}
		}
		return tx.Create([]lineRow{
			{g.ID, table.Line{N: 1, Kind: table.LineMove, Seat: 1, Text: "c1-c5", By: "root"}},
			{g.ID, table.Line{N: 2, Kind: table.LineAdjudication, Text: "1,2 Zyxelinde Quorg was late", By: "root"}},
			{g.ID, table.Line{N: 3, Kind: table.LineLeft, Seat: 1, Text: "forfeit " + said.String(), Said: said.Stored(), By: "root"}},
		}).Error
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestErasureIsRefusedWhereItCannotBeReadAfterwards plants damage in a tournament of the person: nothing is stored.
func TestErasureIsRefusedWhereItCannotBeReadAfterwards(t *testing.T) {
	for _, damage := range []string{
		`UPDATE pairings SET result = '{"ranks":' WHERE tournament_id = 'own0'`,
		`UPDATE entries SET byes = 'player 1001' WHERE tournament_id = 'own0' AND number = 1`,
		`UPDATE tournaments SET points = 'x' WHERE id = 'own0'`,
		`UPDATE round_snapshots SET text = '{' WHERE tournament_id = 'own0'`,
		`UPDATE result_changes SET after_result = '[' WHERE tournament_id = 'own0'`,
	} {
		s := open(t, Config{Dir: t.TempDir()})
		leaveTraces(t, s)
		p := newHostile(t, s, 0, "Ada Quorum")
		if err := s.backend.write(t.Context(), func(tx *gorm.DB) error { return tx.Exec(damage).Error }); err != nil {
			t.Fatal(err)
		}
		before := allColumns(t, s)
		if _, err := s.People().Erase(t.Context(), club.Erasure{Account: p.account, At: 5}); err == nil {
			t.Errorf("%s: the deletion was carried out", damage)
		}
		if !reflect.DeepEqual(allColumns(t, s), before) {
			t.Errorf("%s: something was stored", damage)
		}
		found, err := s.Damages(t.Context())
		if err != nil || len(found) != 1 || found[0].Tournament != "own0" || !strings.Contains(damage, found[0].Table) ||
			!strings.Contains(damage, found[0].Column) {
			t.Errorf("%s: found %v, %v", damage, found, err)
		}
	}
}

// TestEarlierDamageIsFound plants what deletions by earlier versions have left.
func TestEarlierDamageIsFound(t *testing.T) {
	for _, damage := range []string{
		`UPDATE pairings SET result = '{"player 1001":[1,2],"points":[2,0],"source":"server"}' WHERE tournament_id = 'own0'`,
		`UPDATE pairings SET result = '{"ranks":[1,2],"points":[2,0],"source":"player 1001"}' WHERE tournament_id = 'own0'`,
		`UPDATE tournament_acts SET after_result = 'player 1001' WHERE tournament_id = 'own0'`,
		`UPDATE tournament_acts SET undo = '{player 1001}' WHERE tournament_id = 'own0'`,
	} {
		s := open(t, Config{Dir: t.TempDir()})
		leaveTraces(t, s)
		newHostile(t, s, 0, "Ada Quorum")
		if found, err := s.Damages(t.Context()); err != nil || len(found) > 0 {
			t.Fatalf("before: %v, %v", found, err)
		}
		if err := s.backend.write(t.Context(), func(tx *gorm.DB) error { return tx.Exec(damage).Error }); err != nil {
			t.Fatal(err)
		}
		found, err := s.Damages(t.Context())
		if err != nil || len(found) != 1 || found[0].Tournament != "own0" ||
			!strings.Contains(damage, found[0].Table) || !strings.Contains(damage, found[0].Column) {
			t.Errorf("%s: found %v, %v", damage, found, err)
		}
	}
}
