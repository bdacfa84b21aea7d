package store

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// TestInvitationReadsWhatItCounts demands of SQLite's plan that an invitation reads the open and the unplayed games of
// its creator, and of each whether the player sits in it: not the player's games of the last hour, which may be
// hundreds.
func TestInvitationReadsWhatItCounts(t *testing.T) {
	_, db := openToPlan(t)
	text := strings.ReplaceAll(statements[addInvitation].text, "$", "?")
	steps := statement{text, make([]any, len(statements[addInvitation].fields))}.plan(t.Context(), t, db)
	for _, step := range steps {
		if strings.Contains(step, "SEARCH p ") && !strings.Contains(step, "game_id=? AND player_id=? AND created_at=?") {
			t.Errorf("it reads more of a player than one seat: %s", step)
		}
	}
	plan := strings.Join(steps, "\n")
	for _, by := range []string{"games_invitations (created_by=?)", "games_unplayed (created_by=? AND created_at>?)"} {
		if !strings.Contains(plan, by) {
			t.Errorf("it does not use %s:\n%s", by, plan)
		}
	}
}

// invitationPlan demands the same of PostgreSQL, where a player has played thousands of games, and few are not played.
func invitationPlan(t *testing.T, dsn string) {
	s := open(t, Config{DSN: dsn})
	c := s.backend.(*cluster)
	conn, err := c.db.Pool().DB.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	exec := func(statement string) {
		t.Helper()
		if _, err := conn.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	exec(`INSERT INTO games (id, variant, seats, seed, options, players, controls, lag, rated, round, board, created_by, created_at, started_at,
		finished_at, status, version, turn, plies, awaited, offer, clock, deadline, position)
		SELECT 'g' || n, 'quixo/duel', 2, '', '{}', '["ann","bob"]', '[]', FALSE, TRUE, 0, 0, 'a', n, CASE n % 100 WHEN 0 THEN 0 ELSE n END, n, 'aborted', 0, 0, 0, '[]', 0, '{}', 0, ''
		FROM generate_series(1, 5000) n`)
	exec(`INSERT INTO game_players (player_id, created_at, game_id) SELECT p, n, 'g' || n FROM generate_series(1, 5000) n, unnest(ARRAY['ann', 'bob']) p`)
	exec("ANALYZE")
	for name, value := range map[string]string{
		"plan_cache_mode": "force_generic_plan", "enable_hashjoin": "off", "enable_mergejoin": "off", "enable_seqscan": "off",
		"enable_material": "off",
	} {
		exec(fmt.Sprintf("SET %s = %s", name, value))
	}
	group := together([]byte{'a' + byte(addInvitation), 'a' + byte(addLive), 'a' + byte(seat)})
	exec("PREPARE invite AS " + group.Text)
	none := strings.TrimSuffix(strings.Repeat("NULL, ", len(group.Arrays)), ", ")
	rows, err := conn.QueryContext(t.Context(), "EXPLAIN EXECUTE invite ("+none+")")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var plan string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		plan += line + "\n"
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for _, by := range []string{
		`using games_unplayed on games g\w*[^\n]*\n\s+Index Cond: \(\(created_by = [^\n]* AND \(created_at >`,
		`on game_players p\w*[^\n]*\n\s+Index Cond: \(\(player_id = [^\n]* AND \(created_at = [^\n]* AND \(game_id = `,
	} {
		if !regexp.MustCompile(by).MatchString(plan) {
			t.Errorf("it does not use %s:\n%s", by, plan)
		}
	}
	if strings.Contains(plan, "Seq Scan on game") {
		t.Errorf("it goes through a table:\n%s", plan)
	}
}
