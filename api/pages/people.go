package pages

import (
	"context"
	"slices"

	"quatuor/engine/table"
	"quatuor/tournament/club"
)

// person is a player's name with the id for a link; the zero person is an open seat.
type person struct{ ID, Name string }

// Bot returns the level of a bot, 0 for a player: a bot has no page.
func (p person) Bot() int { return table.BotLevel(p.ID) }

// people are players by id.
type people map[string]club.Player

// look fetches the players with these ids in one go; empty and repeated ids do no harm.
func (p *Pages) look(ctx context.Context, ids ...string) (people, error) {
	ids = slices.Clone(ids) // they may be a game's own, which is shared
	slices.Sort(ids)
	ids = slices.DeleteFunc(slices.Compact(ids), func(id string) bool { return id == "" || table.BotLevel(id) > 0 })
	if len(ids) == 0 {
		return people{}, nil
	}
	found, err := p.Players.Players(ctx, ids)
	return people(found), err
}

// person names a player or a bot; a player that was not found is shown by the id.
func (l people) person(id string) person {
	if level := table.BotLevel(id); level > 0 {
		return person{id, table.BotName(level)}
	}
	if found, ok := l[id]; ok {
		return person{id, found.Name}
	}
	return person{id, id}
}
