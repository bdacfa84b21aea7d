// Package botid names bots: their ids as players at seats and in tournaments, and their names.
//
// Bots of the service have a level: no account acts for them, and package bots makes their moves. Accounts that declare
// themselves bots have players like all others, with marked ids, so that every id of a player shows whether it is a
// bot.
//
// A level has the same id in all its games and seats. It cannot be the id of a player, since those have a UUID.
package botid

import (
	"fmt"
	"strings"
)

// MaxLevel is the greatest level of a bot; 1 is the least.
const MaxLevel = 3

const prefix = "bot-"

// Of returns the id of the bots of a level, 1 to MaxLevel.
func Of(level int) string { return prefix + string(rune('0'+level)) }

// Level returns the level of the bot with an id; 0 for a player's id.
func Level(id string) int {
	level, ok := strings.CutPrefix(id, prefix)
	if !ok || len(level) != 1 || level[0] < '1' || level[0] > '0'+MaxLevel {
		return 0
	}
	return int(level[0] - '0')
}

// OfAccount returns the id of the player of a bot's account, from a UUID.
func OfAccount(uuid string) string { return prefix + uuid }

// HasAccount reports whether an id is that of the player of a bot's account.
func HasAccount(id string) bool {
	const uuid = 36
	return len(id) == len(prefix)+uuid && strings.HasPrefix(id, prefix)
}

// Name returns the name of a bot of a level, shown in the place of a player's.
func Name(level int) string { return fmt.Sprintf("Bot (level %d)", level) }

// botMark ends the name of every player of a bot's account, and of no other.
const botMark = " (bot)"

// MarkedName returns the name of a player as it is stored: it shows on every page whether the player is a bot.
func MarkedName(id, name string) string {
	for strings.HasSuffix(strings.ToLower(name), botMark) {
		name = strings.TrimSpace(name[:len(name)-len(botMark)])
	}
	if HasAccount(id) {
		name += botMark
	}
	return name
}
