package rest

import (
	"slices"

	"quatuor/tournament/league"
)

// seasons writes the player's matches on ladders, and the divisions of leagues that had the player, or a squad with the
// player, as a member.
func (d *ownData) seasons() error {
	if d.who.PlayerID == "" {
		return nil
	}
	ladders, err := d.commands.Seasons.ListLadders(d.ctx)
	if err != nil {
		return err
	}
	head := []string{"ladder", "name", "at", "act", "challenge", "player", "other", "score", "game", "until"}
	err = d.table("ladders.csv", head, func(add func(...any) error) error {
		for _, l := range ladders {
			_, acts, err := d.commands.Seasons.Ladder(d.ctx, l.ID)
			if err != nil {
				return err
			}
			challenges := map[string]bool{}
			for _, a := range acts {
				if a.Player == d.who.PlayerID || a.Other == d.who.PlayerID {
					challenges[a.Challenge] = a.Challenge != ""
				} else if !challenges[a.Challenge] {
					continue
				}
				err := add(l.ID, l.Name, moment(a.At), a.Kind, a.Challenge, a.Player, a.Other, a.Score, a.Game, moment(a.Until))
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	leagues, err := d.commands.Seasons.ListLeagues(d.ctx, "")
	if err != nil {
		return err
	}
	head = []string{"league", "name", "season", "division", "member"}
	return d.table("leagues.csv", head, func(add func(...any) error) error {
		for _, l := range leagues {
			_, plans, err := d.commands.Seasons.League(d.ctx, l.ID)
			if err != nil {
				return err
			}
			for _, p := range plans {
				if err := d.divisions(l, p, add); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// divisions adds the player's places in a confirmed season of a league.
func (d *ownData) divisions(l league.Settings, p league.Plan, add func(...any) error) error {
	if !p.Confirmed {
		return nil
	}
	for i, division := range p.State.Divisions {
		for _, m := range division.Members {
			if m.Name == d.who.PlayerID || slices.Contains(p.State.Squads[m.Name], d.who.PlayerID) {
				if err := add(l.ID, l.Name, p.State.Name, i+1, m.Name); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
