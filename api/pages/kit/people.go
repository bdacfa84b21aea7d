package kit

import (
	"context"
	"slices"

	"quatuor/engine/table"
	"quatuor/tournament/club"
)

// Person is a player's name and id; the zero Person is an open seat.
type Person struct{ ID, Name string }

// Bot returns the level of a bot, 0 for a player. A bot has no page.
func (p Person) Bot() int { return table.BotLevel(p.ID) }

// People maps ids to players.
type People map[string]club.Player

// Look fetches players in one query. Empty and repeated ids, and those of bots, are skipped.
func (k *Kit) Look(ctx context.Context, ids ...string) (People, error) {
	ids = slices.Clone(ids) // the slice may be a game's own, which is shared
	slices.Sort(ids)
	ids = slices.DeleteFunc(slices.Compact(ids), func(id string) bool { return id == "" || table.BotLevel(id) > 0 })
	if len(ids) == 0 {
		return People{}, nil
	}
	found, err := k.Players.Players(ctx, ids)
	return People(found), err
}

// Person returns the player or bot with an id; the name of a player not found is the id.
func (l People) Person(id string) Person {
	if level := table.BotLevel(id); level > 0 {
		return Person{id, table.BotName(level)}
	}
	if found, ok := l[id]; ok {
		return Person{id, found.Name}
	}
	return Person{id, id}
}

// LongestName is the maximum length of a name in a search, characters.
const LongestName = 200
