package rest

import (
	"quatuor/api/gen"
	"quatuor/engine/botid"
)

// playerRef names a player; nil for an open seat.
func playerRef(id string, names map[string]string) *gen.PlayerRef {
	if id == "" {
		return nil
	}
	return &gen.PlayerRef{ID: id, Name: nameOf(id, names), Bot: optional(botid.HasAccount(id))}
}

// playerRefs returns references to players, none of them "".
func playerRefs(ids []string, names map[string]string) []gen.PlayerRef {
	refs := make([]gen.PlayerRef, len(ids))
	for i, id := range ids {
		refs[i] = *playerRef(id, names)
	}
	return refs
}

// nameOf returns a player's name, or the id if the name is unknown.
func nameOf(id string, names map[string]string) string {
	if name, ok := names[id]; ok {
		return name
	}
	return id
}
