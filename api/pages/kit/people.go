package kit

import (
	"context"
	"slices"

	"quatuor/engine/table"
	"quatuor/tournament/club"
)

// Person is a player's name with the id for a link; the zero person is an open seat.
type Person struct{ ID, Name string }

// Bot returns the level of a bot, 0 for a player: a bot has no page.
func (p Person) Bot() int { return table.BotLevel(p.ID) }

// People are players by id.
type People map[string]club.Player

// Look fetches the players with these ids in one go; empty and repeated ids do no harm.
func (k *Kit) Look(ctx context.Context, ids ...string) (People, error) {
	ids = slices.Clone(ids) // they may be a game's own, which is shared
	slices.Sort(ids)
	ids = slices.DeleteFunc(slices.Compact(ids), func(id string) bool { return id == "" || table.BotLevel(id) > 0 })
	if len(ids) == 0 {
		return People{}, nil
	}
	found, err := k.Players.Players(ctx, ids)
	return People(found), err
}

// Person names a player or a bot; a player that was not found is shown by the id.
func (l People) Person(id string) Person {
	if level := table.BotLevel(id); level > 0 {
		return Person{id, table.BotName(level)}
	}
	if found, ok := l[id]; ok {
		return Person{id, found.Name}
	}
	return Person{id, id}
}

// LongestName is how many characters of a name can be searched for.
const LongestName = 200
