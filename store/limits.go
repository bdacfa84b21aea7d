package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"quatuor/engine/table"
	"quatuor/store/internal/db"
	"quatuor/store/internal/postgres"
)

// An invitation is stored by a batch with a guard that counts those of its creator in the same statement; only a
// refusal queries which limit was reached. SQLite has a single writer; on PostgreSQL the batch takes an advisory lock
// of the account.

// invitationLimit limits the games g of an account that match a condition. {created_by} and {created_at} are those of
// the new game, {player} is an invited player.
type invitationLimit struct {
	games string
	of    string // which new games are counted against it: all, those with open seats, or for each invited player
	limit int
	says  string // with the number of games, the limit and the player's seat
}

const (
	ofAll     = "all"
	ofOpen    = "open"
	ofPlayers = "players"

	waitsForPlayers = "g.created_by = {created_by} AND g.status = 'waiting' AND g.invited > 0" // index games_invitations
	withPlayer      = " AND EXISTS (SELECT 1 FROM game_players p " +
		"WHERE p.player_id = {player} AND p.created_at = g.created_at AND p.game_id = g.id)"
)

// notPlayed selects the games of the last hour that were not played, or not yet, by the index games_unplayed.
// PostgreSQL types a parameter beside a small number as 32 bits.
var notPlayed = "g.created_by = {created_by} AND g.created_at > CAST({created_at} AS bigint) - " +
	strconv.Itoa(table.UnplayedTime) +
	" AND g.started_at = 0 AND g.tournament_id IS NULL"

var invitationLimits = []invitationLimit{
	{
		waitsForPlayers, ofAll, table.MaxInvitations,
		"%[1]d games that you created wait for players to accept, and %[2]d is the limit; break one off, or wait",
	},
	{
		waitsForPlayers + " AND g.open", ofOpen, table.MaxOpenGames,
		"%[1]d open games that you created wait for players, and %[2]d is the limit; cancel one, or wait",
	},
	{
		waitsForPlayers + withPlayer, ofPlayers, table.MaxInvitationsTo,
		"%[1]d games that you created with the player of seat %[3]d wait to be accepted, and %[2]d is the limit for one " +
			"player",
	},
	{
		notPlayed + withPlayer, ofPlayers, table.MaxUnplayedTo,
		"within an hour %[1]d games that you created with the player of seat %[3]d were not played, and %[2]d is the " +
			"limit; wait",
	},
}

// addInvitation adds a game, unless it is there or its creator has reached a limit.
var addInvitation = prepare(insertOf(&gameRow{}, `ON CONFLICT (id) DO NOTHING`, mayInvite))

// mayInvite is the condition under which an invitation is stored: no limit is reached.
var mayInvite = &condition{
	onSQLite: belowLimits("SELECT value AS player, key AS place FROM json_each({players})"),
	onPG: belowLimits("SELECT value AS player, CAST(n - 1 AS integer) AS place " +
		"FROM jsonb_array_elements_text(CAST({players} AS jsonb)) WITH ORDINALITY AS listed (value, n)"),
}

// belowLimits returns the condition; players is a query for the players with their places, from 0.
func belowLimits(players string) string {
	var terms, each []string
	for _, l := range invitationLimits {
		count := "(SELECT count(*) FROM games g WHERE " + strings.ReplaceAll(l.games, "{player}", "invited.player") + ")"
		switch below := fmt.Sprintf("%s < %d", count, l.limit); l.of {
		case ofAll:
			terms = append(terms, below)
		case ofOpen:
			terms = append(terms, "(NOT {open} OR "+below+")")
		case ofPlayers:
			each = append(each, below)
		}
	}
	return strings.Join(append(terms, "NOT EXISTS (SELECT 1 FROM ("+players+") invited WHERE invited.player <> '' AND "+
		"({invited} >> invited.place) & 1 = 1 AND NOT ("+strings.Join(each, " AND ")+"))"), " AND ")
}

// reachedLimit returns table.ErrInvitations with the limit that the creator of a game has reached, nil for none.
func (s *Store) reachedLimit(ctx context.Context, game *table.Game) error {
	for _, l := range invitationLimits {
		for i, player := range game.Players {
			all := l.of != ofPlayers
			if all && (i > 0 || l.of == ofOpen && !game.Open) || !all && (player == "" || !game.Invited.Has(int8(i+1))) {
				continue
			}
			query := strings.NewReplacer("{created_by}", "@by", "{created_at}", "@at", "{player}", "@player").Replace(l.games)
			var games int
			err := s.reads.WithContext(ctx).Raw("SELECT count(*) FROM games g WHERE "+query, map[string]any{
				"by": game.CreatedBy, "at": game.CreatedAt, "player": player,
			}).Scan(&games).Error
			if err != nil {
				return db.About("count invitations", err)
			}
			if games >= l.limit {
				return fmt.Errorf("%w: %s", table.ErrInvitations, fmt.Sprintf(l.says, games, l.limit, i+1))
			}
		}
	}
	return nil
}

type quotaRow struct {
	Quota  string `gorm:"primaryKey"`
	N      int64  `gorm:"primaryKey;autoIncrement:false"`
	GameID string
	Seat   int8
}

func (quotaRow) TableName() string { return "quota_uses" }

var (
	addPlace  = prepare(insertOf(&quotaRow{}, `ON CONFLICT (quota, n) DO NOTHING`, nil))
	addQuota  = prepare(insertOf(&quotaRow{}, "", nil)) // an error if the place is taken
	dropQuota = prepare(sqlStatement{
		text: `DELETE FROM quota_uses WHERE quota = $1 AND n < $2`, takes: []postgres.Element{text, integer},
	})
)

// quotaStates looks up game by game whether a place still counts. For an EXISTS PostgreSQL may read all lines into a
// hash table; a scalar subquery prevents it.
const quotaStates = `SELECT quota, max(n) AS last, coalesce(min(CASE WHEN live THEN n END), max(n)) AS first,
		count(CASE WHEN live THEN 1 END) AS live
	FROM (SELECT quota, n, (SELECT l.game_id FROM live_games l WHERE l.game_id = u.game_id) IS NOT NULL AND (seat = 0 OR
			(SELECT m.n FROM lines m WHERE m.game_id = u.game_id AND m.seat = u.seat AND m.kind = 'move' LIMIT 1) IS NULL) AS live
		FROM quota_uses u WHERE quota IN ?) used
	GROUP BY quota`

// Quotas returns the state of quotas by their keys. A place that does not count now never does again: its game is over,
// or its seat has moved.
func (g *Games) Quotas(ctx context.Context, keys []string) (map[string]table.QuotaState, error) {
	var rows []struct {
		Quota string
		State table.QuotaState `gorm:"embedded"`
	}
	err := g.s.reads.WithContext(ctx).Raw(quotaStates, keys).Scan(&rows).Error
	states := make(map[string]table.QuotaState, len(rows))
	for _, r := range rows {
		states[r.Quota] = r.State
	}
	return states, db.About("read quotas", err)
}

// places adds the places of a game in its quotas, and drops earlier places that no longer count. If the first place
// guards the batch, a late game fails alone and not with its group.
func (b *batch) places(uses []table.QuotaUse, gameID string, guard bool) {
	for i, u := range uses {
		by := addQuota
		if i == 0 && guard {
			by = addPlace
		}
		b.insert(by, &quotaRow{Quota: u.Key, N: u.N, GameID: gameID, Seat: u.Seat})
	}
	for _, u := range uses {
		b.call(dropQuota, u.Key, u.First)
	}
}
