package command

import (
	"context"

	"quatuor/api/auth"
	"quatuor/tournament/club"
)

// Settings keeps the settings of the club; *settings.Club implements it.
type Settings interface {
	Stored(ctx context.Context) (club.Settings, error)
	// InForce returns what is in force where the club has decided s, and Fixed the settings that it has not to decide.
	InForce(s club.Settings) club.Settings
	Fixed() []string
	// Save stores settings over those of their version; club.ErrStale if they have changed since.
	Save(ctx context.Context, s club.Settings) error
}

// Merger merges two records of a person; its errors are package club's.
type Merger interface {
	MergePlayers(ctx context.Context, m club.Merge) error
}

// ClubSettings are the club's settings; they have no id, and are never created or deleted.
var ClubSettings = Kept[club.Settings]{
	Name:    "club-settings",
	Load:    func(c ClubCall, _ On) (club.Settings, error) { return c.Settings.Stored(c.Ctx) },
	Allow:   func(c ClubCall, _ club.Settings) error { return c.Demand(auth.ChangeSettings) },
	Version: func(s club.Settings) int64 { return s.Version },
	Save: func(c ClubCall, _ *club.Settings, now club.Settings) (club.Settings, error) {
		if err := c.Settings.Save(c.Ctx, now); err != nil {
			return now, err
		}
		return c.Settings.Stored(c.Ctx)
	},
}

// MergePlayers merges two records of a person: the player Gone goes, the player Keep stays.
var MergePlayers = plain("merge", auth.MergePlayers, func(c ClubCall, m club.Merge) error {
	defer c.Names.changed(m.Gone)
	m.By, m.At = c.Who.AccountID, c.Now().UnixMilli()
	return c.Merger.MergePlayers(c.Ctx, m)
})
