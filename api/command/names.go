package command

import (
	"context"
	"time"

	"quatuor/engine/table"
)

const (
	// namesFresh is how long a player's changed name may go unnoticed where another instance changed it and its hint is lost.
	namesFresh = 10 * time.Second
	namesHeld  = 20_000
)

// SeatNames returns the names of a game's players by seat, "" for an open seat.
func (s *Service) SeatNames(ctx context.Context, players []string, now time.Time) ([]string, error) {
	names := make([]string, 0, len(players))
	for _, id := range players {
		name, known := s.names.GetAt(id, now)
		if !known && id != "" {
			return s.readSeatNames(ctx, players)
		}
		names = append(names, name)
	}
	return names, nil
}

// readSeatNames is SeatNames where some have to be read.
func (s *Service) readSeatNames(ctx context.Context, players []string) ([]string, error) {
	byID, err := s.PlayerNames(ctx, players...)
	names := make([]string, len(players))
	for i, id := range players {
		names[i] = byID[id]
	}
	return names, err
}

// PlayerNames returns the names of players by id; unknown ids are missing. Names lately read are remembered.
func (s *Service) PlayerNames(ctx context.Context, ids ...string) (map[string]string, error) {
	names := make(map[string]string, len(ids))
	var unknown []string
	for _, id := range ids {
		if id == "" {
			continue
		}
		if level := table.BotLevel(id); level > 0 {
			names[id] = table.BotName(level)
		} else if name, ok := s.names.Get(id); ok {
			names[id] = name
		} else {
			unknown = append(unknown, id)
		}
	}
	if len(unknown) == 0 {
		return names, nil
	}
	epoch := s.names.Epoch()
	found, err := s.People.Players(ctx, unknown)
	if err != nil {
		return nil, err
	}
	until := s.Now().Add(namesFresh)
	for id, p := range found {
		names[id] = p.Name
		s.names.Keep(epoch, id, p.Name, until)
	}
	return names, nil
}
