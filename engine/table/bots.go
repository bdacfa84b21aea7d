package table

import (
	"slices"

	"quatuor/engine/botid"
)

// MaxBotLevel is the greatest level of a bot; 1 is the least.
const MaxBotLevel = botid.MaxLevel

// BotID returns the id of bots of a level, 1 to MaxBotLevel, at a seat.
func BotID(level int) string { return botid.Of(level) }

// BotLevel returns the level of the bot with an id; 0 for a player's id.
func BotLevel(id string) int { return botid.Level(id) }

// BotName returns the displayed name of a bot of a level.
func BotName(level int) string { return botid.Name(level) }

// Bots returns the seats of bots.
func (g *Game) Bots() (seats SeatSet) {
	for i, p := range g.Players {
		if BotLevel(p) > 0 {
			seats = seats.With(int8(i + 1))
		}
	}
	return seats
}

// mixed reports whether players of bots' accounts and people sit at a game.
func (g *Game) mixed() bool {
	person := func(id string) bool { return id != "" && !botid.HasAccount(id) && BotLevel(id) == 0 }
	return slices.ContainsFunc(g.Players, botid.HasAccount) && slices.ContainsFunc(g.Players, person)
}

// checkMixed refuses rated games of bots' accounts with people, unless the list takes them. A tournament's are played
// unrated.
func (t *Tables) checkMixed(g *Game) error {
	if !g.Rated || !g.mixed() || t.RatesBots(g) {
		return nil
	}
	if g.Tournament == nil {
		return fault("/rated", "a game of a bot with a person is not rated")
	}
	g.Rated = false
	return nil
}

// checkBots refuses bots in rated games and in games without a person. Whether they may take part in a tournament is
// the tournament's decision.
func checkBots(g Game) error {
	bots := g.Bots()
	switch {
	case bots == 0:
		return nil
	case g.Rated:
		return fault("/rated", "a game with a bot is not rated")
	case bots == 1<<g.Seats-1:
		return fault("/seats", "a game needs a player beside the bots")
	}
	return nil
}
