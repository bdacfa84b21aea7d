package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"gorm.io/gorm"

	"quatuor/engine/table"
	"quatuor/rating"
	"quatuor/rating/ledger"
	"quatuor/store/internal/paging"
	"quatuor/store/internal/ratings"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
	"quatuor/tournament/director"
)

// asked records every statement that gorm sends, with its arguments.
type asked struct {
	mu         sync.Mutex
	statements []statement
}

type statement struct {
	text string
	args []any
}

// listen records a gorm handle's statements from now on.
func (a *asked) listen(t *testing.T, orm *gorm.DB) {
	t.Helper()
	note := func(tx *gorm.DB) {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.statements = append(a.statements, statement{tx.Statement.SQL.String(), append([]any(nil), tx.Statement.Vars...)})
	}
	callbacks := orm.Callback()
	for _, err := range []error{
		callbacks.Query().After("gorm:query").Register("plans", note),
		callbacks.Row().After("gorm:row").Register("plans", note),
		callbacks.Raw().After("gorm:raw").Register("plans", note),
		callbacks.Update().After("gorm:update").Register("plans", note),
		callbacks.Delete().After("gorm:delete").Register("plans", note),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// take returns the statements since the last call.
func (a *asked) take() []statement {
	a.mu.Lock()
	defer a.mu.Unlock()
	took := a.statements
	a.statements = nil
	return took
}

// plan returns SQLite's query plan for a statement, a line a step.
func (s statement) plan(ctx context.Context, t *testing.T, db *sql.DB) []string {
	t.Helper()
	rows, err := db.QueryContext(ctx, "EXPLAIN QUERY PLAN "+s.text, s.args...)
	if err != nil {
		t.Fatalf("%s: %v", s.text, err)
	}
	defer rows.Close()
	var steps []string
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, step)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return steps
}

// smallTables have a row for each instance, list, key or the like: going through them costs nothing that grows.
// CONSTANT is no table but a row of arguments.
var smallTables = []string{
	"rating_lists", "signing_keys", "heartbeats", "outages", "cursors", "rating_marks", "json_each", "CONSTANT",
}

// faults returns the parts of a plan that grow with the data: a table that is gone through, or an answer that is
// sorted.
func (s statement) faults(plan []string) (faults []string) {
	for _, step := range plan {
		table, scan := strings.CutPrefix(step, "SCAN ")
		table, by, _ := strings.Cut(table, " ")
		first := strings.HasPrefix(by, "USING") && strings.Contains(s.text, "LIMIT") && !strings.Contains(s.text, "WHERE")
		switch {
		case scan && !first && !slices.Contains(smallTables, table):
			faults = append(faults, "goes through all of "+table)
		case strings.HasPrefix(step, "USE TEMP B-TREE"):
			faults = append(faults, "sorts")
		}
	}
	return faults
}

// openToPlan opens an empty store, and a function that returns its plans.
func openToPlan(t *testing.T) (*Store, *sql.DB) {
	t.Helper()
	s, err := Open(t.Context(), Config{Dir: folder(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	db, err := s.reads.DB()
	if err != nil {
		t.Fatal(err)
	}
	return s, db
}

// TestNothingGoesThroughABigTable explains every query that the service makes while people use it, and demands that
// SQLite answers each from an index, in the index's order, or from few rows, so that it costs the same however many
// games, players and tournaments are stored. Exceptions have their reason.
func TestNothingGoesThroughABigTable(t *testing.T) {
	s, db := openToPlan(t)
	var heard asked
	heard.listen(t, s.reads)
	heard.listen(t, s.backend.(*file).orm)
	for _, q := range questions {
		heard.take()
		err := q.ask(t.Context(), s)
		told := heard.take()
		if len(told) == 0 {
			t.Errorf("%s: nothing was asked; error %v", q.name, err)
		}
		found, by := []string(nil), false
		for _, statement := range told {
			plan := statement.plan(t.Context(), t, db)
			by = by || strings.Contains(strings.Join(plan, "\n"), q.by)
			if faults := statement.faults(plan); len(faults) > 0 {
				found = append(found, fmt.Sprintf("%s\n\t%s\n\t%s", statement.text, strings.Join(faults, ", "),
					strings.Join(plan, "; ")))
			}
		}
		if !by {
			t.Errorf("%s: not answered by %q", q.name, q.by)
		}
		if len(found) > 0 && q.except == "" {
			t.Errorf("%s: %s", q.name, strings.Join(found, "\n"))
		}
		if len(found) == 0 && q.except != "" {
			t.Errorf("%s: is fine, and excepted because %s", q.name, q.except)
		}
	}
}

// question is a query that the service makes while people use it.
type question struct {
	name   string
	by     string // what SQLite must look for in an index
	except string // why it may go through a table or sort; "" if it may not
	ask    func(context.Context, *Store) error
}

// questions are all of them, with every filter; cursors are those of a second page.
var questions = []question{
	{"games", "", "", listed(table.Filter{})},
	{"games of one status", "status=?", "", listed(table.Filter{Status: []table.Status{table.Running}})},
	{"games of some statuses", "status=? AND (created_at,id)<(?,?)", "", listed(table.Filter{Status: []table.Status{table.Running, table.Paused}})},
	{"games of a variant", "variant=?", "", listed(table.Filter{Variant: "quixo/duel"})},
	{"games of a variant and status", "status=? AND variant=? AND (created_at,id)<(?,?)", "", listed(table.Filter{Variant: "quixo/duel", Status: []table.Status{table.Finished}})},
	{"games of a player", "player_id=?", "", listed(table.Filter{Player: "p"})},
	{"games of a player by all else", "player_id=?", "", listed(table.Filter{Player: "p", Variant: "quixo/duel", Tournament: "t", Status: []table.Status{table.Finished}})},
	{"games of a tournament", "tournament_id=?", "", listed(table.Filter{Tournament: "t"})},
	{"games of a tournament by status", "tournament_id=? AND (created_at,id)<(?,?)", "", listed(table.Filter{Tournament: "t", Variant: "quixo/duel", Status: []table.Status{table.Finished}})},
	{"open games", "status=? AND (created_at,id)<(?,?)", "", listed(table.Filter{Invited: true, Listed: true, Status: []table.Status{table.Waiting}})},
	{"players whom one has blocked", "player_id=?", "one player has blocked few", func(ctx context.Context, s *Store) error {
		_, err := s.People().Blocks(ctx, "p")
		return err
	}},
	{"who has blocked one", "", "", func(ctx context.Context, s *Store) error {
		_, err := s.People().BlockedBy(ctx, []string{"p", "q"}, "r")
		return err
	}},
	{"opponents", "", "", func(ctx context.Context, s *Store) error {
		_, err := s.People().Opponents(ctx, []string{"p", "q"}, "r")
		return err
	}},
	{"a game", "", "", func(ctx context.Context, s *Store) error { _, _, err := s.Games().Load(ctx, "g"); return err }},
	{"a game's version", "", "", func(ctx context.Context, s *Store) error { _, err := s.Games().Version(ctx, "g"); return err }},
	{"some games' rows", "", "", func(ctx context.Context, s *Store) error {
		_, err := s.Games().Rows(ctx, []string{"a", "b"})
		return err
	}},
	{"running games", "", "all games that are not over are looked at, once with each start", func(ctx context.Context, s *Store) error { _, err := s.Games().Armed(ctx, nil); return err }},
	{"how many games run", "status=?", "", func(ctx context.Context, s *Store) error { _, err := s.Games().CountRunning(ctx); return err }},
	{"overdue games", "", "only running games are looked at, and only where several instances work", func(ctx context.Context, s *Store) error { _, err := s.Games().Overdue(ctx, 1, 256); return err }},
	{"outages", "", "there are hardly ever two", func(ctx context.Context, s *Store) error { _, err := s.Games().Outages(ctx); return err }},
	{"the latest time of the open games", "", "", func(ctx context.Context, s *Store) error { _, err := s.Games().LastEntry(ctx); return err }},
	{"the last heartbeat", "", "", func(ctx context.Context, s *Store) error { _, err := s.Games().LastBeat(ctx); return err }},

	{"tournaments", "", "", cups(director.Filter{})},
	{"tournaments of one status", "status=? AND (created_at,id)<(?,?)", "", cups(director.Filter{Status: []tournament.Status{tournament.Running}})},
	{"tournaments of some statuses", "status=? AND (created_at,id)<(?,?)", "", cups(director.Filter{Status: []tournament.Status{tournament.Open, tournament.Closed}})},
	{"tournaments of a variant and status", "status=? AND variant=? AND (created_at,id)<(?,?)", "", cups(director.Filter{
		Variant: "quixo/duel", Status: []tournament.Status{tournament.Running, tournament.Finished},
	})},
	{"tournaments of an organiser by status", "organiser=?", "", cups(director.Filter{
		Organiser: "a", Variant: "quixo/duel", Status: []tournament.Status{tournament.Finished},
	})},
	{"tournaments of a variant", "variant=? AND (created_at,id)<(?,?)", "", cups(director.Filter{Variant: "quixo/duel"})},
	{"tournaments of an organiser", "organiser=? AND (created_at,id)<(?,?)", "", cups(director.Filter{Organiser: "a"})},
	{"tournaments by name", "status=?", "a club has few, and few readers sort them", cups(director.Filter{
		Status: []tournament.Status{tournament.Open, tournament.Finished}, Order: director.ByName,
	})},
	{"tournaments by date", "status=?", "a club has few, and few readers sort them", cups(director.Filter{
		Status: []tournament.Status{tournament.Open, tournament.Finished}, Order: director.ByDate,
	})},
	{"tournaments of a player", "player_id=?", "one person plays few tournaments", cups(director.Filter{Player: "p"})},
	{"a tournament", "", "", func(ctx context.Context, s *Store) error { _, err := s.Tournaments().Load(ctx, "t"); return err }},
	{"running tournaments", "", "", func(ctx context.Context, s *Store) error { _, err := s.Tournaments().Running(ctx); return err }},
	{"ended games of tournaments", "", "", func(ctx context.Context, s *Store) error { _, err := s.Tournaments().Pending(ctx, 100); return err }},
	{"a tournament's corrections", "", "", func(ctx context.Context, s *Store) error { _, err := s.Tournaments().History(ctx, "t"); return err }},
	{"a tournament's acts", "", "", func(ctx context.Context, s *Store) error { _, err := s.Tournaments().Acts(ctx, "t"); return err }},
	{"what a round was drawn from", "", "", func(ctx context.Context, s *Store) error {
		_, err := s.Tournaments().PairingInput(ctx, "t", 1)
		return err
	}},
	{"a tournament's file", "", "", func(ctx context.Context, s *Store) error { _, err := s.Tournaments().Original(ctx, "t"); return err }},

	{"an account", "", "", func(ctx context.Context, s *Store) error { _, err := s.People().Account(ctx, "a"); return err }},
	{"an account by login", "", "", func(ctx context.Context, s *Store) error { _, err := s.People().AccountByLogin(ctx, "a"); return err }},
	{"a player", "", "", func(ctx context.Context, s *Store) error { _, err := s.People().Player(ctx, "p"); return err }},
	{"some players", "", "", func(ctx context.Context, s *Store) error {
		_, err := s.People().Players(ctx, []string{"p", "q"})
		return err
	}},
	{"players", "", "", people(club.PlayerFilter{})},
	{"players by part of a name", "", "any part of a name may be asked for, and no index finds those", people(club.PlayerFilter{Name: "an"})},
	{"players of a club", "club=? AND (name_key,id)>(?,?)", "", people(club.PlayerFilter{Club: "c"})},
	{"a credential", "", "", func(ctx context.Context, s *Store) error {
		_, err := s.People().CredentialByHash(ctx, account.RefreshToken, "h")
		return err
	}},
	{"an account's credentials", "", "one account has few", func(ctx context.Context, s *Store) error {
		_, err := s.People().Credentials(ctx, "a", account.RefreshToken)
		return err
	}},
	{"an account's open sessions", "", "one account has few", func(ctx context.Context, s *Store) error {
		return s.backend.write(ctx, func(tx *gorm.DB) error { _, err := endOldest(tx, "a", 99, 1); return err })
	}},
	{"signing keys", "", "there is one a month", func(ctx context.Context, s *Store) error { _, err := s.People().Keys(ctx); return err }},

	{"games to rate", "", "", func(ctx context.Context, s *Store) error {
		_, _, err := s.Ratings().Pending(ctx, 256)
		return err
	}},
	{"ratings of some players", "", "", func(ctx context.Context, s *Store) error {
		_, err := s.Ratings().Current(ctx, "l", []string{"p", "q"})
		return err
	}},
	{"games that are rated", "", "", func(ctx context.Context, s *Store) error {
		_, err := s.Ratings().Recorded(ctx, []string{"g", "h"})
		return err
	}},
	{"rating lists", "", "", func(ctx context.Context, s *Store) error { _, err := s.Ratings().Lists(ctx); return err }},
	{"a player's way in a list", "", "", func(ctx context.Context, s *Store) error { _, err := s.Ratings().History(ctx, "l", "p"); return err }},
	{"ratings of a game", "", "a game has few seats", func(ctx context.Context, s *Store) error { _, err := s.Ratings().Changes(ctx, "g"); return err }},
	{"a ranking", "list=? AND value<?", "", ranking},
	{"a player's places", "", "", func(ctx context.Context, s *Store) error { _, err := s.Ratings().OfPlayer(ctx, "p"); return err }},
	{"given ratings", "", "", func(ctx context.Context, s *Store) error {
		return s.Ratings().Look(ctx, func(p ledger.Past) error {
			return p.Given(ctx, func(string, string, rating.Rating) error { return nil })
		})
	}},
	{"all finished games", "", "", func(ctx context.Context, s *Store) error {
		return s.Ratings().Between(ctx, 0, 9, func(ledger.Finished) error { return nil })
	}},
	{"the past of the ratings", "", "", func(ctx context.Context, s *Store) error {
		return s.Ratings().Look(ctx, func(p ledger.Past) error {
			_, _, err := p.Games(ctx, 0, nil)
			_, rows := p.Rows(ctx, 1, 9, nil)
			_, standings := p.Standings(ctx, "l", "p", nil)
			_, sums := p.Sums(ctx)
			return errors.Join(err, rows, standings, sums)
		})
	}},

	{"a change of a player", "id=?", "", func(ctx context.Context, s *Store) error {
		return s.People().UpdatePlayer(ctx, club.Player{ID: "p"}, 1)
	}},
	{"the player of a code", "claim_hash=?", "", func(ctx context.Context, s *Store) error { _, err := s.People().PlayerByClaim(ctx, "h"); return err }},
	{"a claim", "claim_hash=?", "", func(ctx context.Context, s *Store) error { _, err := s.People().Claim(ctx, "h", "a"); return err }},
	{"the end of a session", "family=?", "", func(ctx context.Context, s *Store) error { return s.People().RevokeFamily(ctx, "f", 1) }},
	{"the end of a token", "id=?", "", func(ctx context.Context, s *Store) error { return s.People().RevokeCredential(ctx, "a", "c", 1) }},
	{"a change of a tournament", "id=?", "", func(ctx context.Context, s *Store) error {
		return s.Tournaments().Save(ctx, &tournament.Tournament{ID: "t"}, 1, tournament.Delta{})
	}},
	{"a reply", "", "", func(ctx context.Context, s *Store) error {
		return s.Replies().FinishReply(ctx, "o", "k", account.Reply{Status: 200})
	}},
	{"old replies", "begun_at<?", "", func(ctx context.Context, s *Store) error { _, err := s.Replies().ForgetReplies(ctx, 1); return err }},
}

// TestNoBatchGoesThroughABigTable demands the same of the statements of batches.
func TestNoBatchGoesThroughABigTable(t *testing.T) {
	_, db := openToPlan(t)
	for _, prepared := range statements {
		text := strings.ReplaceAll(prepared.text, "$", "?")
		places := 0
		for _, place := range regexp.MustCompile(`\?(\d+)`).FindAllStringSubmatch(text, -1) {
			n, err := strconv.Atoi(place[1])
			if err != nil {
				t.Fatal(err)
			}
			places = max(places, n)
		}
		asked := statement{text, make([]any, places)}
		plan := asked.plan(t.Context(), t, db)
		if faults := asked.faults(plan); len(faults) > 0 {
			t.Errorf("%s\n\t%s\n\t%s", text, strings.Join(faults, ", "), strings.Join(plan, "; "))
		}
	}
}

// listed reads the first page of games and the page after it.
func listed(f table.Filter) func(context.Context, *Store) error {
	return func(ctx context.Context, s *Store) error {
		_, _, err := s.Games().List(ctx, f, 50, "")
		if err == nil {
			_, _, err = s.Games().List(ctx, f, 50, paging.Cursor("games", newest{1, "g"}))
		}
		return err
	}
}

func cups(f director.Filter) func(context.Context, *Store) error {
	return func(ctx context.Context, s *Store) error {
		_, _, err := s.Tournaments().List(ctx, f, 50, "")
		if err == nil {
			_, _, err = s.Tournaments().List(ctx, f, 50, paging.Cursor("tournaments", newest{1, "t"}))
		}
		return err
	}
}

func people(f club.PlayerFilter) func(context.Context, *Store) error {
	return func(ctx context.Context, s *Store) error {
		_, _, err := s.People().ListPlayers(ctx, f, 50, "")
		if err == nil {
			_, _, err = s.People().ListPlayers(ctx, f, 50, paging.Cursor("players", byName{"a", "p"}))
		}
		return err
	}
}

func ranking(ctx context.Context, s *Store) error {
	_, _, err := s.Ratings().Ranking(ctx, "l", 0, 50, "")
	if err == nil {
		_, _, err = s.Ratings().Ranking(ctx, "l", 0, 50,
			paging.Cursor("ratings", ratings.Strength{List: "l", PlayerID: "p", Value: 1500}))
	}
	return err
}
