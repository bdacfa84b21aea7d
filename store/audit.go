package store

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gorm.io/gorm"

	"quatuor/engine/table"
	"quatuor/store/internal/db"
	"quatuor/store/internal/outbox"
)

// StoredGame is a game with all that the database holds of it.
type StoredGame struct {
	Game   table.Game
	Lines  []table.Line
	Seq    int64    // its place in the outbox, negative where it has none yet, 0 if it is not there
	Faults []string // contradictions between its rows, in plain words
}

// auditPage is the number of games read at once.
const auditPage = 100

// CountGames counts all games.
func (s *Store) CountGames(ctx context.Context) (n int64, err error) {
	err = s.reads.WithContext(ctx).Model(&gameRow{}).Count(&n).Error
	return n, db.About("count the games", err)
}

// EachGame yields all games, by id, each as of a single moment. A game that cannot be read has nothing but its id and a
// fault with the reason.
func (s *Store) EachGame(ctx context.Context, yield func(StoredGame) error) error {
	for last, more := "", true; more; {
		var ids []string
		query := s.reads.WithContext(ctx).Model(&gameRow{}).Where("id > ?", last).Order("id").Limit(auditPage)
		if err := query.Pluck("id", &ids).Error; err != nil {
			return db.About("list the games", err)
		}
		page, err := s.storedGames(ctx, ids)
		if err != nil && ctx.Err() != nil {
			return db.About("read the games", err)
		}
		if err != nil {
			page = s.oneByOne(ctx, ids)
		}
		for i := range page {
			if err := yield(page[i]); err != nil {
				return err
			}
		}
		if more = len(ids) == auditPage; more {
			last = ids[len(ids)-1]
		}
	}
	return nil
}

// storedGames reads games with all that the database holds of them.
func (s *Store) storedGames(ctx context.Context, ids []string) (page []StoredGame, err error) {
	return page, s.snapshot(ctx, func(tx *gorm.DB) (err error) {
		page, err = gamesOf(tx, ids)
		return err
	})
}

// oneByOne reads games separately, after a read of all of them failed.
func (s *Store) oneByOne(ctx context.Context, ids []string) []StoredGame {
	var all []StoredGame
	for _, id := range ids {
		page, err := s.storedGames(ctx, []string{id})
		if err != nil {
			page = []StoredGame{{Game: table.Game{ID: id}, Faults: []string{fmt.Sprintf("it cannot be read: %v", err)}}}
		}
		all = append(all, page...)
	}
	return all
}

func gamesOf(tx *gorm.DB, ids []string) ([]StoredGame, error) {
	var rows []gameRow
	if err := games(tx).Where("games.id IN ?", ids).Order("games.id").Find(&rows).Error; err != nil {
		return nil, err
	}
	page, place := make([]StoredGame, len(rows)), map[string]*StoredGame{}
	for i := range rows {
		page[i].Game = rows[i].game()
		place[rows[i].ID] = &page[i]
	}
	var lines []lineRow
	if err := tx.Where("game_id IN ?", ids).Order("game_id, n").Find(&lines).Error; err != nil {
		return nil, err
	}
	for i := range lines {
		g := place[lines[i].GameID]
		g.Lines = append(g.Lines, lines[i].line())
	}
	var players []gamePlayerRow
	if err := tx.Where("game_id IN ?", ids).Find(&players).Error; err != nil {
		return nil, err
	}
	for _, g := range place {
		g.checkPlayers(players)
	}
	var ends []outbox.Row
	if err := tx.Where("game_id IN ?", ids).Order("seq").Find(&ends).Error; err != nil {
		return nil, err
	}
	counts := map[string]*outbox.Row{} // the last row of each game
	for i := range ends {
		place[ends[i].GameID].checkRevision(&ends[i], counts[ends[i].GameID])
		counts[ends[i].GameID] = &ends[i]
	}
	for id, row := range counts {
		place[id].checkOutbox(row)
	}
	for i := range page {
		if g := &page[i]; g.Seq == 0 && g.Game.Status.Over() {
			g.fault("its end is not in the outbox")
		}
	}
	return page, nil
}

func (g *StoredGame) fault(format string, args ...any) {
	g.Faults = append(g.Faults, fmt.Sprintf(format, args...))
}

// checkPlayers checks that exactly the players of the game list it among their games.
func (g *StoredGame) checkPlayers(all []gamePlayerRow) {
	found := 0
	for _, row := range all {
		if row.GameID == g.Game.ID {
			found++
		}
	}
	want := playersOf(&g.Game)
	for _, row := range want {
		if !slices.Contains(all, row) {
			g.fault("it is missing among the games of player %s", row.PlayerID)
		}
	}
	if found > len(want) {
		g.fault("it stands among the games of %d players, and %d sit in it", found, len(want))
	}
}

// checkRevision checks that a row of the outbox follows the previous row of the same game, nil for none.
func (g *StoredGame) checkRevision(row, before *outbox.Row) {
	if before == nil {
		g.Seq = row.Seq
		if row.Revision != 0 || row.Corrects != 0 {
			g.fault("its first row in the outbox corrects another")
		}
		return
	}
	if row.Revision != before.Revision+1 || row.Corrects != g.Seq {
		g.fault("row %d of the outbox does not take the place of its row %d", row.Seq, g.Seq)
	}
}

// checkOutbox compares the outbox row with the game.
func (g *StoredGame) checkOutbox(row *outbox.Row) {
	if !g.Game.Status.Over() {
		g.fault("the outbox says that it is over, and it is %s", g.Game.Status)
		return
	}
	want, err := outbox.RowOf(&g.Game, table.MovedIn(g.Lines), table.FewestMoves(g.Lines))
	if err != nil {
		g.fault("what the outbox should say of it cannot be told: %v", err)
		return
	}
	want.Seq = row.Seq
	want.Corrects = row.Corrects
	want.Revision = row.Revision
	if row.Moved == nil {
		want.Moved = nil // it ended before this was stored
	}
	if row.Fewest == nil {
		want.Fewest = nil // likewise
	}
	is, should := reflect.ValueOf(*row), reflect.ValueOf(want)
	for i := range is.NumField() {
		if !reflect.DeepEqual(is.Field(i).Interface(), should.Field(i).Interface()) {
			g.fault("the outbox tells its end with another %s", is.Type().Field(i).Name)
		}
	}
}

// Followed returns the position of the tournaments' consumer in the outbox: games up to there are counted.
func (s *Store) Followed(ctx context.Context) (int64, error) {
	seq, err := outbox.CursorOf(s.reads.WithContext(ctx), outbox.OfTournaments)
	return seq, db.About("read a cursor", err)
}

// audits are the checks of the database as a whole, each with its name.
var audits = []struct {
	name string
	find func(*Store, context.Context) ([]string, error)
}{
	{"the file", (*Store).fileFaults},
	{"the schema", (*Store).schemaFaults},
	{"the rules on rows", (*Store).brokenRules},
	{"rows", (*Store).damaged},
	{"references", (*Store).dangling},
	{"values", (*Store).unknownValues},
	{"lists of values", (*Store).unknownInLists},
}

// Faults checks the database as a whole: pages and foreign keys (by SQLite itself), the schema, gaps in the outbox, sums,
// references, and values. It returns nothing if all is well. A check that cannot be carried out is a fault, too; an error
// means that the database does not answer.
func (s *Store) Faults(ctx context.Context) (faults []string, err error) {
	for _, a := range audits {
		found, err := a.find(s, ctx)
		faults = append(faults, found...)
		if err = db.About("check "+a.name, err); err != nil {
			if ctx.Err() != nil || errors.Is(err, table.ErrUnavailable) {
				return faults, err
			}
			faults = append(faults, fmt.Sprintf("%s cannot be checked: %v", a.name, err))
		}
	}
	return faults, nil
}

// fileFaults has SQLite check its file.
func (s *Store) fileFaults(ctx context.Context) ([]string, error) {
	if s.dir == "" {
		return nil, nil
	}
	return pragmas(s.reads.WithContext(ctx))
}

// brokenRules counts violations of the rules on rows. A rule that cannot be checked, because a column is missing, does
// not stop the others.
func (s *Store) brokenRules(ctx context.Context) (faults []string, err error) {
	for _, r := range slices.Concat(rules, peopleRules) {
		var n int64
		failed := s.reads.WithContext(ctx).Raw(r.spelled(s.dir != "")).Scan(&n).Error
		if failed == nil && n != 0 {
			faults = append(faults, fmt.Sprintf(r.broken, n))
		}
		err = errors.Join(err, failed)
	}
	return faults, err
}

// peopleRules are the rules on players and accounts that others refer to. Bots have ids but no rows, and histories name
// the server and the players of a board by fixed names. MEMBERS is replaced by the members of an entry e, as rows of a
// table j.
var peopleRules = []rule{
	{
		"%d players that games, entries, ratings or accounts name are not there",
		`SELECT count(*) FROM (
			SELECT player_id AS id FROM game_players UNION SELECT player_id FROM entry_members UNION
			SELECT player_id FROM rating_rows UNION SELECT player_id FROM current_ratings UNION
			SELECT player_id FROM accounts WHERE player_id IS NOT NULL) named
			WHERE id NOT LIKE 'bot-_' AND id NOT IN (SELECT id FROM players)`,
	},
	{
		"%d accounts that others name are not there",
		`SELECT count(*) FROM (
			SELECT created_by AS id FROM games UNION SELECT created_by FROM players UNION
			SELECT organiser FROM tournaments UNION SELECT by_account FROM lines UNION
			SELECT by_account FROM result_changes UNION SELECT by_account FROM tournament_acts UNION
			SELECT by_account FROM arbiter_calls UNION SELECT by_account FROM player_merges UNION
			SELECT made_by FROM rating_marks UNION SELECT lifted_by FROM rating_marks UNION
			SELECT account_id FROM players WHERE account_id IS NOT NULL) named
			WHERE id NOT IN ('', 'server', 'players') AND id NOT IN (SELECT id FROM accounts)`,
	},
	{
		"%d accounts have a player who does not name them, or the other way round",
		`SELECT (SELECT count(*) FROM accounts a WHERE player_id IS NOT NULL AND NOT EXISTS
				(SELECT 1 FROM players p WHERE p.id = a.player_id AND p.account_id = a.id)) +
			(SELECT count(*) FROM players p WHERE account_id IS NOT NULL AND NOT EXISTS
				(SELECT 1 FROM accounts a WHERE a.id = p.account_id AND a.player_id = p.id))`,
	},
	{
		"%d members of entries are missing among the entries of a player, or are no members",
		`SELECT (SELECT count(*) FROM entries e, MEMBERS WHERE j.value IS NOT NULL AND NOT EXISTS
				(SELECT 1 FROM entry_members m WHERE m.tournament_id = e.tournament_id AND m.entry_id = e.id AND m.player_id = j.value)) +
			(SELECT count(*) FROM entry_members m WHERE NOT EXISTS (SELECT 1 FROM entries e, MEMBERS
				WHERE e.tournament_id = m.tournament_id AND e.id = m.entry_id AND j.value = m.player_id))`,
	},
	{
		"%d players were merged into one who is not there",
		`SELECT count(*) FROM player_merges
			WHERE kept_id NOT IN (SELECT id FROM players) AND kept_id NOT IN (SELECT gone_id FROM player_merges)`,
	},
}

// spelled returns the query of a rule for SQLite or PostgreSQL.
func (r rule) spelled(onSQLite bool) string {
	members := `jsonb_array_elements_text(
		CASE jsonb_typeof(e.members::jsonb) WHEN 'array' THEN e.members::jsonb ELSE '[]' END) AS j (value)`
	if onSQLite {
		members = `json_each(e.members) j`
	}
	return strings.ReplaceAll(r.query, "MEMBERS", members)
}

// rule is a message and a query that counts violations.
type rule struct{ broken, query string }

// rules are those that hold everywhere; see also peopleRules.
var rules = []rule{
	{
		"%d places in the outbox are missing",
		`SELECT coalesce(max(seq), 0) - count(*) FROM outbox WHERE seq > 0`,
	},
	{
		"%d consumers have counted games that the outbox does not have",
		`SELECT count(*) FROM cursors WHERE seq > (SELECT coalesce(max(seq), 0) FROM outbox WHERE seq > 0)`,
	},
	{
		"%d tournaments name another number of entries or rounds than they have",
		`SELECT count(*) FROM tournaments t WHERE
			entry_count <> (SELECT count(*) FROM entries e WHERE e.tournament_id = t.id) OR
			last_round <> (SELECT coalesce(max(number), 0) FROM rounds r WHERE r.tournament_id = t.id AND r.status <> 'paired')`,
	},
	{
		"%d games have another status than where their moves are kept",
		`SELECT count(*) FROM games g LEFT JOIN live_games l ON l.game_id = g.id
			WHERE coalesce(l.status, '') <> CASE WHEN g.status IN ('finished', 'aborted') THEN '' ELSE g.status END`,
	},
	{
		"%d games belong to no pairing of their tournament's round",
		`SELECT count(*) FROM games g WHERE tournament_id IS NOT NULL AND status <> 'aborted' AND NOT EXISTS
			(SELECT 1 FROM pairings p WHERE p.tournament_id = g.tournament_id AND p.round = g.round AND p.board = g.board)`,
	},
	{
		"%d ladders miss something that was done on them",
		`SELECT count(*) FROM (SELECT ladder_id FROM ladder_acts GROUP BY ladder_id HAVING max(n) <> count(*)) AS gaps`,
	},
	{
		"%d games in the hall count and belong to no board",
		`SELECT count(*) FROM games g WHERE hall AND status = 'finished' AND NOT EXISTS (SELECT 1 FROM pairings p
			WHERE p.tournament_id = g.tournament_id AND p.round = g.round AND p.board = g.board AND
			(p.hall_game = g.id OR p.boards LIKE '%"' || g.id || '"%'))`,
	},
	{
		"%d acts have a version that their tournament has not come to",
		`SELECT count(*) FROM tournament_acts a JOIN tournaments t ON t.id = a.tournament_id WHERE a.version > t.version`,
	},
	{
		"%d webhooks have deliveries that wait, and no time at which they are tried",
		`SELECT count(*) FROM hooks h WHERE disabled_at = 0 AND next_at = 0 AND EXISTS
			(SELECT 1 FROM hook_deliveries d WHERE d.hook_id = h.id AND d.state = 'waiting')`,
	},
}
