package command

import (
	"context"

	"quatuor/api/auth"
	"quatuor/tournament/club"
)

// Settings are what the club has decided; *settings.Club is it.
type Settings interface {
	Stored(ctx context.Context) (club.Settings, error)
	// InForce returns what is in force where the club has decided s, and Fixed the settings that it has not to decide.
	InForce(s club.Settings) club.Settings
	Fixed() []string
	// Save stores settings over those of their version; club.ErrStale if they have changed since.
	Save(ctx context.Context, s club.Settings) error
}

// Merger makes two records of one person one; its errors are package club's.
type Merger interface {
	MergePlayers(ctx context.Context, m club.Merge) error
}

// ClubSettings returns the stored settings. It takes the right to change them.
func (s *Service) ClubSettings(ctx context.Context) (club.Settings, error) {
	who := auth.From(ctx)
	if err := who.Demand(who.Level(), auth.ChangeSettings); err != nil {
		return club.Settings{}, err
	}
	return s.Settings.Stored(ctx)
}

// UpdateClub changes the club's settings. seen is what the caller has read, as an If-Match header.
func (s *Service) UpdateClub(ctx context.Context, seen *string, change func(*club.Settings) error) (
	club.Settings, error,
) {
	c, err := s.ClubSettings(ctx)
	if err != nil {
		return c, err
	}
	if err := CheckTag(seen, VersionTag(c.Version)); err != nil {
		return c, err
	}
	if err := change(&c); err != nil {
		return c, err
	}
	if err := s.Settings.Save(ctx, c); err != nil {
		return c, err
	}
	return s.Settings.Stored(ctx)
}

// MergePlayers makes two records of one person one: the player gone goes, the player keep stays.
func (s *Service) MergePlayers(ctx context.Context, keep, gone string, bothAccounts bool) error {
	who := auth.From(ctx)
	if err := who.Demand(who.Level(), auth.MergePlayers); err != nil {
		return err
	}
	defer s.nameChanged(gone)
	return s.Merger.MergePlayers(ctx, club.Merge{
		Keep: keep, Gone: gone, BothAccounts: bothAccounts, By: who.AccountID, At: s.Now().UnixMilli(),
	})
}
