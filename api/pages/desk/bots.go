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

// mountDeskBots adds the form that enters a bot.
func (p *Pages) mountDeskBots(e *echo.Echo) {
	p.Post(e, "/tournaments/:id/desk/bot", command.OnTournament, p.deskBot)
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

// deskBot enters a bot.
func (p *Pages) deskBot(c echo.Context) error {
	level, err := strconv.Atoi(c.FormValue("level"))
	if err != nil {
		return kit.ErrUnreadable
	}
	return deskRun(p, c, deskForm{tab: "entries", said: "bot_added"}, command.AddBot, given(command.Bot{Level: level, Entry: new(tournament.Entry)}))
}
