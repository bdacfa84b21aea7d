package rest

import (
	"context"
	"time"

	"quatuor/api/gen"
	"quatuor/engine/table"
)

// seatNames returns the names of a game's players by seat, "" for an open seat.
func (a *API) seatNames(ctx context.Context, players []string, now time.Time) ([]string, error) {
	names := make([]string, 0, len(players))
	for _, id := range players {
		name, known := a.names.GetAt(id, now)
		if !known && id != "" {
			return a.readSeatNames(ctx, players)
		}
		names = append(names, name)
	}
	return names, nil
}

// readSeatNames is seatNames where some have to be read.
func (a *API) readSeatNames(ctx context.Context, players []string) ([]string, error) {
	byID, err := a.playerNames(ctx, players...)
	names := make([]string, len(players))
	for i, id := range players {
		names[i] = byID[id]
	}
	return names, err
}

// playerNames returns the names of players by id; unknown ids are missing. Names lately read are remembered.
func (a *API) playerNames(ctx context.Context, ids ...string) (map[string]string, error) {
	names := make(map[string]string, len(ids))
	var unknown []string
	for _, id := range ids {
		if id == "" {
			continue
		}
		if level := table.BotLevel(id); level > 0 {
			names[id] = table.BotName(level)
		} else if name, ok := a.names.Get(id); ok {
			names[id] = name
		} else {
			unknown = append(unknown, id)
		}
	}
	if len(unknown) == 0 {
		return names, nil
	}
	epoch := a.names.Epoch()
	found, err := a.People.Players(ctx, unknown)
	if err != nil {
		return nil, err
	}
	until := a.Now().Add(namesFresh)
	for id, p := range found {
		names[id] = p.Name
		a.names.Keep(epoch, id, p.Name, until)
	}
	return names, nil
}

// playerRef names a player; nil for an open seat.
func playerRef(id string, names map[string]string) *gen.PlayerRef {
	if id == "" {
		return nil
	}
	return &gen.PlayerRef{ID: id, Name: nameOf(id, names)}
}

// nameOf returns a player's name; one whose name is not known goes by its id.
func nameOf(id string, names map[string]string) string {
	if name, ok := names[id]; ok {
		return name
	}
	return id
}
