package desk

import (
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"quatuor/api/command"
	"quatuor/api/pages/kit"
	"quatuor/engine/botid"
	"quatuor/tournament"
)

// mountBots adds the form that enters a bot.
func (p *Pages) mountBots(e *echo.Echo) {
	p.Post(e, "/tournaments/:id/desk/bot", command.OnTournament, p.addBot)
}

// BotLevels returns the levels of the bots that can be entered now.
func (b *deskBody) BotLevels() (levels []int) {
	there := b.Bots()
	if !b.Play.Bots || len(there) >= b.MaxBots() {
		return nil
	}
	for level := 1; level <= botid.MaxLevel; level++ {
		if !slices.ContainsFunc(there, func(e tournament.Entry) bool { return e.Bot() == level }) {
			levels = append(levels, level)
		}
	}
	return levels
}

// addBot enters a bot.
func (p *Pages) addBot(c echo.Context) error {
	level, err := strconv.Atoi(c.FormValue("level"))
	if err != nil {
		return kit.ErrUnreadable
	}
	bot := command.Bot{Level: level, Entry: new(tournament.Entry)}
	return deskRun(p, c, deskForm{tab: "entries", said: "bot_added"}, command.AddBot, given(bot))
}
