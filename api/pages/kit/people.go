package kit

import (
	"context"

	"quatuor/engine/botid"
)

// Person is a player's name and id; the zero Person is an open seat.
type Person struct{ ID, Name string }

// Bot returns the level of a bot, 0 for a player. A bot has no page.
func (p Person) Bot() int { return botid.Level(p.ID) }

// People maps ids to names.
type People map[string]string

// Look fetches the names of players in a single query. Empty and repeated ids, and those of bots, are skipped.
func (k *Kit) Look(ctx context.Context, ids ...string) (People, error) {
	found, err := k.Found(ctx, ids...)
	names := make(People, len(found))
	for id, p := range found {
		names[id] = p.Name
	}
	return names, err
}

// Person returns the player or bot with an id; the name of a player not found is the id.
func (l People) Person(id string) Person {
	if level := botid.Level(id); level > 0 {
		return Person{id, botid.Name(level)}
	}
	if name, ok := l[id]; ok {
		return Person{id, name}
	}
	return Person{id, id}
}

// LongestName is the maximum length of a name in a search, characters.
const LongestName = 200
