package lobby

import (
	"context"
	"slices"
	"strconv"

	"quatuor/api/pages/message"
	"quatuor/engine/catalog"
	"quatuor/engine/table"
)

// The settings of the quick games.
const (
	usualGames     = 20 // the latest games, which show a player's usual game
	defaultControl = "300+3"
	mediumBot      = 2
)

// quickGame is a game that a button opens.
type quickGame struct {
	Variant, Control string
	Rest             string // how the other seat is filled
	Key              string // makes the game once, however often the form is sent
}

// Game is the value of the choice of a game and its seats.
func (q quickGame) Game() string { return q.Variant + ":" + strconv.Itoa(duelSeats) }

const duelSeats = 2

// quickGames returns a game against a bot and, for players with games behind them, an open game at the usual time
// control; none if no game of two is offered.
func (p *Pages) quickGames(ctx context.Context, player, key string) (bot, open *quickGame, err error) {
	duels := p.duels()
	if player == "" || len(duels) == 0 {
		return nil, nil, nil
	}
	rows, _, err := p.GameList.List(ctx, table.Filter{Player: player}, usualGames, "")
	if err != nil {
		return nil, nil, err
	}
	usual, played := usualGame(rows, duels)
	bot = &quickGame{usual.Variant, usual.Control, table.BotID(mediumBot), key + "-bot"}
	if played {
		open = &quickGame{usual.Variant, usual.Control, restOpen, key + "-open"}
	}
	return bot, open, nil
}

// duels lists the variants on offer that two can play.
func (p *Pages) duels() (ids []string) {
	for _, id := range catalog.IDs() {
		rules, err := catalog.Find(id)
		if err == nil && slices.Contains(p.Offered(message.Family(id)), id) &&
			slices.Contains(rules.Info().Seats, duelSeats) {
			ids = append(ids, id)
		}
	}
	return ids
}

// usualGame returns the variant and time control played most often of games, the newest first; with none the first
// variant and the default, and false.
func usualGame(games []table.Game, duels []string) (usual quickGame, played bool) {
	usual = quickGame{Variant: duels[0], Control: defaultControl}
	times, most := map[quickGame]int{}, 0
	for _, g := range slices.Backward(games) { // of two as frequent, the newer
		if !slices.Contains(duels, g.Variant) || len(g.Controls) == 0 || g.Hall ||
			!slices.Contains(ChallengeControls, g.Controls[0]) {
			continue
		}
		one := quickGame{Variant: g.Variant, Control: g.Controls[0]}
		if times[one]++; times[one] >= most {
			usual, most = one, times[one]
		}
	}
	return usual, most > 0
}
