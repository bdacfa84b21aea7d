package table

import (
	"fmt"
	"strings"
)

// A bot sits at a seat under an id of its own, which is no player's: players' ids are UUIDs. There is one id for each level,
// and any number of games and seats has it. No account acts for it; package bots makes its moves.

// MaxBotLevel is the greatest level of a bot; 1 is the least.
const MaxBotLevel = 3

const botPrefix = "bot-"

// BotID returns the id under which bots of a level, 1 to MaxBotLevel, sit at a seat.
func BotID(level int) string { return botPrefix + string(rune('0'+level)) }

// BotLevel returns the level of the bot with an id; 0 for a player's id.
func BotLevel(id string) int {
	level, ok := strings.CutPrefix(id, botPrefix)
	if !ok || len(level) != 1 || level[0] < '1' || level[0] > '0'+MaxBotLevel {
		return 0
	}
	return int(level[0] - '0')
}

// BotName returns what a bot of a level is called wherever a player's name stands.
func BotName(level int) string { return fmt.Sprintf("Bot (level %d)", level) }

// Bots returns the seats of bots.
func (g *Game) Bots() (seats SeatSet) {
	for i, p := range g.Players {
		if BotLevel(p) > 0 {
			seats = seats.With(int8(i + 1))
		}
	}
	return seats
}

// checkBots refuses bots where they have no place: in rated and in tournament games, and in games without a person.
func checkBots(g Game) error {
	bots := g.Bots()
	switch {
	case bots == 0:
		return nil
	case g.Tournament != nil:
		return fault("/seats", "a bot takes no part in a tournament")
	case g.Rated:
		return fault("/rated", "a game with a bot is not rated")
	case bots == 1<<g.Seats-1:
		return fault("/seats", "a game needs a player beside the bots")
	}
	return nil
}
