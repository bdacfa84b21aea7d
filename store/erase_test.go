package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"gorm.io/gorm"

	"quatuor/engine/sentence"
	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/store/dbtest"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/adminlog"
	"quatuor/tournament/club"
	"quatuor/tournament/director"
	"quatuor/tournament/exchange"
	"quatuor/tournament/pairing"
	"quatuor/tournament/slip"
)

// traces are the names of the person in the tests, in lower case: name, earlier names, login, club and device.
var traces = []string{"zyxel", "quorg", "vroxel"}

func TestEraseOnSQLite(t *testing.T) {
	dir := t.TempDir()
	s := open(t, Config{Dir: dir})
	erasesEverywhere(t, s)
	if err := s.Rewrite(t.Context()); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) < 3 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, trace := range traces {
			if bytes.Contains(bytes.ToLower(content), []byte(trace)) {
				t.Errorf("%s holds %q", name, trace)
			}
		}
	}
	if err := s.Rewrite(t.Context()); err != nil { // nothing is due
		t.Error(err)
	}
}

func TestEraseOnPostgres(t *testing.T) {
	erasesEverywhere(t, open(t, Config{DSN: dbtest.Cluster(t, "fsync=off").Schema(t)}))
}

// erasesEverywhere stores a person in every table that may name people, deletes the person from two sides at once, and
// goes through all columns of all tables.
func erasesEverywhere(t *testing.T, s *Store) {
	t.Helper()
	leaveTraces(t, s)
	everyColumnIsLookedAt(t, s, tracesIn(t, s))
	people := s.People()
	ctx := adminlog.With(t.Context(), adminlog.Actor{Via: adminlog.ViaRequest, Account: "z", Name: "zyxelinde"})
	var group sync.WaitGroup
	var done [2]club.Erased
	for i, e := range []club.Erasure{{Player: "zyx", At: 90}, {Account: "z", At: 91}} {
		group.Go(func() {
			var err error
			if done[i], err = people.Erase(ctx, e); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if done[0].Number != club.FirstGone || done[1].Number != club.FirstGone || done[0].Player != "zyx" {
		t.Errorf("%+v", done)
	}
	if found := tracesIn(t, s); len(found) > 0 {
		t.Errorf("still there: %v", found)
	}
	checkRemains(t, s)
}

// checkRemains looks at what is left of the person: a number in the place of the name.
func checkRemains(t *testing.T, s *Store) {
	t.Helper()
	ctx, people := t.Context(), s.People()
	p, err := people.Player(ctx, "old") // which was merged
	if err != nil || p.ID != "zyx" || p.Name != "player 1001" || p.Club != "" || p.BirthYear != 0 || p.Rating["quixo"] != 1500 {
		t.Errorf("%+v, %v", p, err)
	}
	p.Name = "Back"
	refusal(t, "a change", people.UpdatePlayer(ctx, p, p.Version), club.ErrDeleted)
	list, _, err := people.ListPlayers(ctx, club.PlayerFilter{}, 10, "")
	if err != nil || len(list) != 2 || list[0].ID != "bob" {
		t.Errorf("listed: %v, %v", list, err)
	}
	a, err := people.Account(ctx, "z")
	if err != nil || a.Login != "player 1001" || a.DisabledAt == 0 || a.PasswordHash != "" || a.PlayerID != "" {
		t.Errorf("%+v, %v", a, err)
	}
	_, err = people.AddLogin(ctx, account.Credential{ID: "late", Kind: account.PageSession, Hash: "late", AccountID: "z"}, "x", 5)
	refusal(t, "a login", err, account.ErrStale)
	cup, err := s.Tournaments().Load(ctx, "cup")
	if err != nil || cup.Version != 3 || cup.Entries[0].Name != "player 1001" || cup.Entries[0].Club != "" {
		t.Errorf("%+v, %v", cup, err)
	}
	next, err := s.Tournaments().Load(ctx, "next")
	if err != nil || next.Entries[0].Status != tournament.Withdrawn {
		t.Errorf("%+v, %v", next, err)
	}
	now, err := s.Tournaments().Load(ctx, "now")
	if err != nil {
		t.Fatal(err)
	}
	again := *now
	again.Version++
	late := tournament.Delta{Entries: []tournament.Entry{{ID: "again", Name: "player 1001", Members: []string{"zyx"}}}}
	refusal(t, "an entry", s.Tournaments().Save(ctx, &again, now.Version, late), club.ErrDeleted)
	record, err := s.Tournaments().HallRecord(ctx, "cup", cup.Rounds[0].Pairings[0].Record)
	if err != nil || record != tournament.NewRecordText(`White "player 1001"`) {
		t.Errorf("%+v, %v", record, err)
	}
	original, err := s.Tournaments().Original(ctx, "cup")
	if err != nil || !strings.Contains(string(original.Text), "player 1001") || !strings.Contains(string(original.Text), "Bob, B.") {
		t.Errorf("%s, %v", original.Text, err)
	}
	log, _, err := people.AdminLog(ctx, adminlog.Filter{}, 50, "")
	if err != nil || log[0].Kind != adminlog.PersonDeleted || log[0].By.Name != "player 1001" || log[0].About.Name != "player 1001" {
		t.Errorf("%+v, %v", log[0], err)
	}
	for _, change := range []string{"UPDATE admin_log SET was = '{}'", "DELETE FROM admin_log"} {
		if err := s.backend.write(ctx, func(tx *gorm.DB) error { return tx.Exec(change).Error }); err == nil {
			t.Errorf("%s: the log was changed", change)
		}
	}
	_, err = people.Erase(ctx, club.Erasure{Account: "root"})
	refusal(t, "the last admin", err, account.ErrLastAdmin)
	_, err = people.Erase(ctx, club.Erasure{Player: "nobody"})
	refusal(t, "an unknown player", err, club.ErrNotFound)
	_, err = people.Erase(ctx, club.Erasure{Player: "bob"})
	refusal(t, "a player of a running tournament", err, club.ErrEraseEntered)
}

// refusal demands an error.
func refusal(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, want %v", what, err, want)
	}
}

// leaveTraces stores the person.
func leaveTraces(t *testing.T, s *Store) {
	t.Helper()
	people, cups := s.People(), s.Tournaments()
	root := adminlog.With(t.Context(), adminlog.Actor{Via: adminlog.ViaRequest, Account: "root", Name: "root"})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(people.CreateAccount(root, account.Account{ID: "root", Login: "root", Role: account.RoleAdmin, ResetBy: "zyxelinde"}, nil))
	must(people.CreateAccount(root, account.Account{ID: "z", Login: "zyxelinde", Role: account.RoleOrganiser, PasswordHash: "x"},
		&club.Player{ID: "zyx", Name: "Zyxelinde Early", Club: "Vroxel Club", BirthYear: 1917, Version: 1, Rating: map[string]float64{"quixo": 1500}}))
	must(people.CreatePlayer(root, club.Player{ID: "old", Name: "Quorgstein", Version: 1}, club.Player{ID: "bob", Name: "Bob", Version: 1}))
	p, err := people.Player(root, "zyx")
	must(err)
	p.Name = `Zyxelinde "Zet" Quorg`
	must(people.UpdatePlayer(root, p, 1))
	must(people.MergePlayers(root, club.Merge{Keep: "zyx", Gone: "old", By: "root", At: 5}, func(context.Context, ledger.Store) error { return nil }))
	must(people.AddCredential(root, account.Credential{ID: "c", Kind: account.APIToken, Hash: "h", AccountID: "z", Name: "zyxelinde's phone"}))
	must(people.Block(root, club.Block{Player: "bob", Blocked: "zyx", At: 1}))
	must(s.Ratings().Mark(root, ledger.Mark{ID: "m", PlayerID: "bob", Reason: `against Zyxelinde "Zet" Quorg: an engine`, By: "root", At: 6}))

	entry := func(id, name, player string, number int) tournament.Entry {
		return tournament.Entry{ID: id, Name: name, Members: []string{player}, Club: "Vroxel Club", Status: tournament.Confirmed, Number: number}
	}
	cup := &tournament.Tournament{ID: "cup", Status: tournament.Finished, Entries: []tournament.Entry{
		entry("e1", "Zyxelinde Quorg", "zyx", 1), {ID: "e2", Name: "Bob", Members: []string{"bob"}, Number: 2},
	}}
	cup.Name = "Cup"
	must(cups.Import(root, cup, director.Imported{
		Original: exchange.Original{Text: []byte(
			"012 Cup\n102 Zyxelinde Quorg\n" +
				"001    1 f    Quorg, Zyxelinde                  1500 VRX   123456789 1917/01/01  1.0    1\n" +
				"001    2      Bob, B.                           1500                             0.0    2\n"), Entries: []string{"e1", "e2"}},
		Act: tournament.Act{Version: 1, Kind: tournament.ActImport, By: "root"},
	}))
	input := pairing.History{Field: []pairing.Entrant{{Card: tournament.Card{Entry: cup.Entries[0]}}, {Card: tournament.Card{Entry: cup.Entries[1]}}}}
	record := tournament.NewRecordText(`White "Zyxelinde Quorg"`)
	worded := func(why string) *tournament.Result {
		return &tournament.Result{Ranks: []int{1, 2}, Points: []tournament.Points{2, 0}, Source: tournament.ByArbiter, Reason: why}
	}
	round := tournament.Round{Number: 1, Status: tournament.Complete, Pairings: []tournament.Pairing{
		{Board: 1, Seats: []string{"e1", "e2"}, Record: record.Digest, Result: worded("Zyxelinde Quorg was late")},
		{
			Board: 2, Seats: []string{"e1", "e2"}, Adjourned: "until Zyxelinde Quorg is back",
			Boards:  []tournament.MatchBoard{{Players: [2]string{"zyx", "bob"}, Result: worded("Quorg, Zyxelinde")}},
			Earlier: []tournament.EarlierGame{{ID: "g0", Number: 1, Seats: []string{"e1", "e2"}, Reason: "a guest of Zyxelinde Quorg"}},
		},
	}}
	cup.Version, cup.Rounds = 2, []tournament.Round{round}
	cup.Bonuses = []tournament.Bonus{{Entry: "e2", MP: 1, Why: "Zyxelinde Quorg was late"}}
	cup.Forbidden = []tournament.Ban{{Entries: []string{"e1", "e2"}, Why: "Zyxelinde Quorg asked"}}
	named := sentence.New("%s has withdrawn from round %d on", "Zyxelinde Quorg", 2)
	must(cups.Save(root, cup, 1, tournament.Delta{
		Rounds: cup.Rounds, Inputs: []tournament.PairingInput{{Round: 1, Text: input.Text()}}, Records: []tournament.RecordText{record},
		Acts: []tournament.Act{
			tournament.Act{Version: 2, Kind: tournament.ActWithdraw, By: "root"}.Because(named),
			{Version: 2, Kind: tournament.ActArbiters, By: "z", Why: "Zyxelinde Quorg, too late", Undo: `{"name":"Zyxelinde Quorg"}`},
		},
		Changes: []tournament.Change{
			{Round: 1, Board: 1, By: "z", Why: "says ZYXELINDE QUORG", Before: worded("zyxelinde quorg"), After: worded("Zyxelinde Quorg")},
			tournament.Change{Round: 1, Board: 1, By: "server"}.Because(named),
		},
	}))
	next := &tournament.Tournament{ID: "next", Status: tournament.Open, Entries: []tournament.Entry{entry("n1", "Zyxelinde Quorg", "zyx", 0)}}
	next.Name = "Next"
	must(cups.Create(root, next))
	running := &tournament.Tournament{ID: "now", Status: tournament.Running, Entries: []tournament.Entry{{ID: "r1", Name: "Bob", Members: []string{"bob"}, Number: 1}, {ID: "r2", Name: "Cy", Number: 2}}}
	running.Rounds = []tournament.Round{{Number: 1, Status: tournament.Published, Pairings: []tournament.Pairing{{Board: 1, Seats: []string{"r1", "r2"}}}}}
	running.Name = "Now"
	must(cups.Create(root, running))
	_, err = s.Slips().AddCall(root, slip.Call{ID: "call", Place: slip.Place{Tournament: "cup", Round: 1, Board: 1, Seat: 2}, Kind: "call", Word: "zyxelinde quorg talks", Status: "open"})
	must(err)
	_, _, err = s.Replies().BeginReply(root, account.Request{Owner: "root", Key: "k", Fingerprint: "f", At: 1})
	must(err)
	must(s.backend.write(root, func(tx *gorm.DB) error {
		err := tx.Create(&hookRow{ID: "h", AccountID: "z", Name: "Zyxelinde's", URL: "https://quorg.example", Secret: []byte("x"), OldSecret: []byte{}}).Error
		if err != nil {
			return err
		}
		g := toGameRow(&table.Game{ID: "played", Variant: "quixo/duel", Seats: 2, Players: []string{"zyx", "bob"}, Status: table.Finished})
		if err := tx.Create(&g).Error; err != nil {
			return err
		}
		if err := tx.Create(&gamePlayerRow{PlayerID: "zyx", GameID: "played"}).Error; err != nil {
			return err
		}
		return tx.Create([]lineRow{
			{"played", table.Line{N: 1, Kind: table.LineAdjudication, Text: "1,2 Zyxelinde Quorg has left", By: "root"}},
			{"played", table.Line{N: 2, Kind: table.LineStand, Text: named.String(), Said: named.Stored()}},
		}).Error
	}))
	must(s.Mail().SetAddress(root, "z", "zyxelinde@mail.example", account.Mail{ID: "m1", Kind: account.MailConfirm, AccountID: "z", CreatedAt: 1, NextAt: 1}))
	must(s.backend.write(root, func(tx *gorm.DB) error {
		return tx.Model(&mailAddressRow{}).Where("account_id = 'z'").Update("address", "quorg@mail.example").Error
	}))
	own := adminlog.With(t.Context(), adminlog.Actor{Via: adminlog.ViaRequest, Account: "z", Name: "zyxelinde"})
	must(people.CreatePlayer(own, club.Player{ID: "made", Name: "Made", Version: 1, CreatedBy: "z"}))
	must(s.Mail().Queue(root, account.Mail{ID: "m2", Kind: account.MailForgotten, Data: account.MailData{Typed: "Zyxelinde"}, CreatedAt: 1, NextAt: 1}))
	must(s.Replies().FinishReply(root, "root", "k", account.Reply{Status: 200, Header: "{}", Body: []byte(`{"id":"zyx","name":"Zyxelinde \"Zet\" Quorg","club":"x"}`)}))
}

// tracesIn returns the columns of all tables that hold a trace of the person.
func tracesIn(t *testing.T, s *Store) (found []string) {
	t.Helper()
	tables, err := s.reads.Migrator().GetTables()
	if err != nil || len(tables) < 40 {
		t.Fatalf("%v, %v", tables, err)
	}
	for _, name := range tables {
		var rows []map[string]any
		if err := s.reads.Table(name).Find(&rows).Error; err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			for column, value := range row {
				if b, is := value.([]byte); is {
					value = string(b)
				}
				text := strings.ToLower(fmt.Sprint(value))
				place := name + "." + column
				if slices.ContainsFunc(traces, func(trace string) bool { return strings.Contains(text, trace) }) && !slices.Contains(found, place) {
					found = append(found, place)
				}
			}
		}
	}
	slices.Sort(found)
	return found
}

// The reasons why columns of text never hold the name of a deleted person, or keep it.
const (
	ids       = "ids, which stay, so that everything fits together"
	codes     = "codes and numbers of the service"
	secrets   = "digests, keys and codes, drawn by chance"
	ofGames   = "positions, moves and clocks by seat"
	ofClub    = "the club's own words: names of events, of series and of the club, and its settings"
	ofOthers  = "another person's own words, for its own eyes: the name of its token or webhook, and its address"
	unlinked  = "members of leagues and series are ids, or names that were never connected to a player"
	ofServers = "what the instances know of each other"
)

// nameless are the columns that the name is not written into, by table.
var nameless = map[string]map[string]string{
	"accounts":             {codes: "role language", ids: "id player_id", secrets: "password_hash"},
	"admin_log":            {codes: "kind via request about_kind", ids: "id by_account about_id"},
	"arbiter_calls":        {codes: "kind basis status", ids: "id tournament_id by_account"},
	"arena_beats":          {ids: "tournament_id"},
	"attempts":             {secrets: "key"},
	"club_settings":        {ofClub: "name language time_zone registration reach welcome imprint"},
	"credentials":          {codes: "kind scopes role", ids: "id account_id tournament_id", secrets: "hash family"},
	"current_ratings":      {codes: "list period", ids: "player_id"},
	"cursors":              {codes: "consumer regulation"},
	"deadlines":            {ids: "game_id"},
	"entries":              {codes: "status byes", ids: "tournament_id id members awaiting captain deputies"},
	"entry_leaders":        {ids: "tournament_id entry_id player_id"},
	"entry_members":        {ids: "tournament_id entry_id player_id"},
	"familiar":             {ids: "account_id", secrets: "hash"},
	"game_players":         {ids: "player_id game_id"},
	"games":                {codes: "variant options controls status outcome", ids: "id players tournament_id created_by", secrets: "seed code", ofGames: "awaited clock position"},
	"hall_records":         {ids: "tournament_id", secrets: "digest"},
	"heartbeats":           {ofServers: "instance address"},
	"hook_deliveries":      {codes: "kind state error", ids: "id hook_id tournament_id data"},
	"hook_events":          {ids: "tournament_id data"},
	"hooks":                {codes: "kinds format disabled_why", ids: "id account_id tournament_id", secrets: "secret old_secret"},
	"ladder_acts":          {codes: "kind", ids: "ladder_id challenge player other game by"},
	"ladders":              {codes: "variant time_control rules", ids: "id organiser", ofClub: "name"},
	"league_seasons":       {ids: "league_id", unlinked: "state"},
	"leagues":              {ids: "id organiser", ofClub: "name"},
	"line_ups":             {ids: "tournament_id entry_id opponent_id players by_account"},
	"lines":                {codes: "kind", ids: "game_id by_account"},
	"live_games":           {codes: "status", ids: "game_id", ofGames: "awaited clock position"},
	"mail_addresses":       {ids: "account_id", codes: "off"},
	"mail_marks":           {ids: "account_id subject"},
	"mail_queue":           {codes: "kind", ids: "id account_id"},
	"mail_state":           {secrets: "secret", codes: "error"},
	"outbox":               {codes: "variant list reason", ids: "game_id players tournament_id", ofGames: "sides ranks"},
	"pairings":             {codes: "bye scores venue arena date", ids: "tournament_id seats game_id hall_game", secrets: "record"},
	"player_blocks":        {ids: "player_id blocked"},
	"player_merges":        {ids: "gone_id kept_id by_account"},
	"players":              {codes: "rating deviation given_at", ids: "id account_id created_by", secrets: "claim_hash"},
	"quota_uses":           {codes: "quota", ids: "game_id"},
	"rating_lists":         {codes: "list"},
	"rating_marks":         {ids: "id player_id tournament_id made_by lifted_by"},
	"rating_rows":          {codes: "list system period", ids: "game_id player_id"},
	"replies":              {codes: "header", ids: "owner instance boot", secrets: "key fingerprint"},
	"result_changes":       {ids: "tournament_id by_account"},
	"round_snapshots":      {ids: "tournament_id"},
	"rounds":               {ids: "tournament_id", codes: "status"},
	"seasons":              {ids: "id organiser", codes: "first_day last_day rules", ofClub: "name parts"},
	"series":               {ids: "id organiser", codes: "rules", unlinked: "parts", ofClub: "name"},
	"signing_keys":         {secrets: "id private_key"},
	"slip_codes":           {secrets: "hash", ids: "tournament_id"},
	"slip_reports":         {ids: "tournament_id", codes: "basis verdict"},
	"slip_secrets":         {secrets: "secret", ids: "tournament_id"},
	"tournament_acts":      {codes: "kind before_result after_result", ids: "tournament_id by_account entry_id"},
	"tournament_originals": {ids: "tournament_id entries"},
	"tournaments": {
		codes:   "variant format time_control options tie_breaks points status rules last_of_a play venue check_in teams",
		ids:     "id organiser arbiters",
		secrets: "lot_seed", ofClub: "name prizes",
	},
}

// everyColumnIsLookedAt demands of every column of text in the schema that the name was written into it, or that there
// is a reason not to.
func everyColumnIsLookedAt(t *testing.T, s *Store, written []string) {
	t.Helper()
	tables, err := s.reads.Migrator().GetTables()
	if err != nil {
		t.Fatal(err)
	}
	excused := map[string]bool{}
	for name, reasons := range nameless {
		for _, columns := range reasons {
			for column := range strings.FieldsSeq(columns) {
				excused[name+"."+column] = true
			}
		}
	}
	count := 0
	for _, name := range tables {
		if strings.HasPrefix(name, "goose") || strings.HasPrefix(name, "sqlite") {
			continue
		}
		columns, err := s.reads.Migrator().ColumnTypes(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range columns {
			kind := strings.ToLower(c.DatabaseTypeName())
			if kind != "text" && kind != "blob" && kind != "bytea" {
				continue
			}
			count++
			place := name + "." + c.Name()
			switch is := slices.Contains(written, place); {
			case is && excused[place]:
				t.Errorf("%s holds the name, and is listed as a column that does not", place)
			case !is && !excused[place]:
				t.Errorf("%s is neither written the name into nor listed with a reason", place)
			}
			delete(excused, place)
		}
	}
	for place := range excused {
		t.Errorf("%s is listed, and is no column of text", place)
	}
	t.Logf("%d columns of text, the name written into %d of them", count, len(written))
}
