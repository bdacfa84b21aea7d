package store

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gorm.io/gorm/schema"
)

// statementID names one of the statements of scripts.
type statementID uint8

// The statements of scripts. Where the comment names a row, its put method gives the arguments.
const (
	moveGame   statementID = iota // an ordinary step of a running game
	changeGame                    // any step: also writes what a move leaves alone
	addLine                       // lineRow
	unseat
	seat      // gamePlayerRow
	addOutbox // outboxRow
	addGame   // gameRow; changes nothing if it is there
	moveRatings
	addRating  // ratingRow
	setCurrent // currentRow; where a row of a later game is there already, that one stays
	countGames // listRow, added to what is there
	beginRound // this and the next on SQLite only, and in no script
	commitRound
	statementCount
)

// statementTexts run on both databases, but for those that say otherwise. A parameter may stand in several places.
var statementTexts = [statementCount]string{
	moveGame: `UPDATE games SET version = $3, turn = $4, plies = $5, awaited = $6, offer = $7, clock = $8,
		deadline = $9, position = $10 WHERE id = $1 AND version = $2 AND status = 'running'`,
	changeGame: `UPDATE games SET version = $3, turn = $4, plies = $5, awaited = $6, offer = $7, clock = $8,
		deadline = $9, position = $10, status = $11, players = $12, started_at = $13, finished_at = $14, outcome = $15, invited = $16
		WHERE id = $1 AND version = $2 AND status NOT IN ('finished', 'aborted')`,
	addLine:     insertOf(&lineRow{}),
	unseat:      `DELETE FROM game_players WHERE game_id = $1`,
	seat:        insertOf(&gamePlayerRow{}) + ` ON CONFLICT (player_id, created_at, game_id) DO NOTHING`,
	addOutbox:   insertOf(&outboxRow{}, foundValue{"seq", `(SELECT coalesce(max(seq), 0) + 1 FROM outbox)`}),
	addGame:     insertOf(&gameRow{}) + ` ON CONFLICT (id) DO NOTHING`,
	moveRatings: `UPDATE cursors SET seq = $2 WHERE consumer = '` + ofRatings + `' AND seq = $1`,
	addRating:   insertOf(&ratingRow{}),
	setCurrent: insertOf(&currentRow{}) + ` ON CONFLICT (list, player_id) DO UPDATE SET value = excluded.value,
		games = excluded.games, reached = excluded.reached, seq = excluded.seq, last_at = excluded.last_at
		WHERE current_ratings.seq < excluded.seq`,
	countGames: insertOf(&listRow{}) + ` ON CONFLICT (list) DO UPDATE SET games = rating_lists.games + excluded.games,
		last_at = CASE WHEN excluded.last_at > rating_lists.last_at THEN excluded.last_at ELSE rating_lists.last_at END`,
	beginRound:  `BEGIN IMMEDIATE`,
	commitRound: `COMMIT`,
}

// foundValue is what the database finds for a column by itself.
type foundValue struct{ name, value string }

// insertOf inserts a row, a parameter for each of its columns in the order of its fields, but those that are found: the
// struct alone says which columns there are.
func insertOf(row any, found ...foundValue) string {
	s, err := schema.Parse(row, &sync.Map{}, schema.NamingStrategy{})
	if err != nil {
		panic(fmt.Sprintf("store: a row that is none: %v", err)) // a mistake in the program, seen at its start
	}
	var values []string
	places := 0
	for _, name := range s.DBNames {
		if i := slices.IndexFunc(found, func(c foundValue) bool { return c.name == name }); i >= 0 {
			values = append(values, found[i].value)
			continue
		}
		places++
		values = append(values, "$"+strconv.Itoa(places))
	}
	return "INSERT INTO " + s.Table + ` ("` + strings.Join(s.DBNames, `", "`) + `") VALUES (` + strings.Join(values, ", ") + ")"
}

// statementPlaces is how many parameters each statement has.
var statementPlaces = func() (count [statementCount]int) {
	for id, text := range statementTexts {
		for _, place := range regexp.MustCompile(`\$(\d+)`).FindAllStringSubmatch(text, -1) {
			n, err := strconv.Atoi(place[1])
			if err != nil {
				panic(err) // it consists of digits
			}
			count[id] = max(count[id], n)
		}
	}
	return count
}()
