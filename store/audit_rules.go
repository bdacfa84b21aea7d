package store

import "strings"

// peopleRules are the rules on players and accounts that others refer to. Bots have ids of their own and no rows, and
// the server and the players of a board stand in a history by fixed names. MEMBERS stands for the members of an entry
// e, as rows of a table j, which each database spells in its own way.
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

// rule is a sentence on the database as a whole, with a query that counts what breaks it.
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
		"%d games in the hall count and belong to no board",
		`SELECT count(*) FROM games g WHERE hall AND status = 'finished' AND NOT EXISTS (SELECT 1 FROM pairings p
			WHERE p.tournament_id = g.tournament_id AND p.round = g.round AND p.board = g.board AND p.hall_game = g.id)`,
	},
}
