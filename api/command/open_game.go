package command

import (
	"fmt"
	"slices"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/engine/table"
)

// OpenGame opens a casual game, which starts once all its players have accepted. The identity chooses part of g:
// players may open games with a seat of their own, organisers any. A seat of a bot names the bot's id, an open seat "".
var OpenGame = ClubAct[table.NewGame, *table.Snapshot]{
	Name: "open-game", May: auth.SeatOthers,
	Own: func(who auth.Identity, g table.NewGame) auth.Action {
		if who.PlayerID != "" && slices.Contains(g.Players, who.PlayerID) {
			return auth.PlayGames
		}
		return ""
	},
	Do: func(c ClubCall, g table.NewGame) (*table.Snapshot, error) {
		if err := invite(c, &g); err != nil {
			return nil, err
		}
		if err := c.Offer.Check(g.Variant); err != nil {
			return nil, err
		}
		if g.Private && !g.Open {
			return nil, Invalid("/private", "a private game has a seat that is open, for those who know its code")
		}
		g.Seats = len(g.Players)
		g.CreatedBy = c.Who.AccountID
		g.Start = true
		games, err := c.Tables.Open(c.Ctx, g)
		if err != nil {
			return nil, err
		}
		return games[0], nil
	},
}

// invite sets the seats with players that have to accept before the game starts; see access.Invited. A bot is always
// ready.
func invite(c ClubCall, g *table.NewGame) error {
	people := slices.Clone(g.Players)
	for i, id := range people {
		if table.BotLevel(id) > 0 {
			people[i] = ""
		}
	}
	invited, quotas, faults, err := access.Invited(c.Ctx, c.People, c.Who, people)
	if err != nil {
		return err
	}
	for i, id := range g.Players {
		if table.BotLevel(id) > 0 {
			invited = invited.Without(int8(i + 1))
		}
	}
	g.Invited, g.Quotas = invited, quotas
	refusal := &Refusal{Err: ErrInvalid}
	for _, f := range faults {
		refusal.Fields = append(refusal.Fields, FieldError{
			Pointer: fmt.Sprintf("/seats/%d/player_id", f.Index), Detail: f.Detail.String(), Said: f.Detail,
		})
	}
	return refusal.or()
}
