package desk

import (
	"strconv"

	"github.com/labstack/echo/v4"

	"quatuor/api/command"
	"quatuor/api/pages/kit"
	"quatuor/tournament"
)

// mountBots adds the form that enters a bot.
func (p *Pages) mountBots(e *echo.Echo) {
	p.Post(e, "/tournaments/:id/desk/bot", command.OnTournament, p.addBot)
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
