package command

import (
	"cmp"
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

// ClubAct is an act on what belongs to the club as a whole: its players, accounts, settings, ratings and backups.
type ClubAct[In, Out any] struct {
	Name string
	May  auth.Action // the right that it takes in the club; "" where Do checks the rights itself
	// Own returns the right required of identities that act for themselves, "" for all others; nil if that is not possible.
	Own func(auth.Identity, In) auth.Action
	Do  func(ClubCall, In) (Out, error)
}

// ClubCall is an execution of a club act.
type ClubCall struct {
	*Service
	Ctx context.Context //nolint:containedctx // a call is as short as a request
	Who auth.Identity
}

func (s *Service) clubCall(ctx context.Context) ClubCall { return ClubCall{s, ctx, auth.From(ctx)} }

// Demand returns an error of package auth unless the identity has a right in the club.
func (c ClubCall) Demand(right auth.Action) error { return c.Who.Demand(c.Who.Level(), right) }

// Run executes an act for the identity in the context. It returns an error of package auth for a missing right.
func (a ClubAct[In, Out]) Run(ctx context.Context, s *Service, in In) (Out, error) {
	if err := a.Check(ctx, s, in); err != nil {
		var none Out
		return none, err
	}
	return a.Do(s.clubCall(ctx), in)
}

// Check returns an error of package auth unless the identity in the context may run the act.
func (a ClubAct[In, Out]) Check(ctx context.Context, s *Service, in In) error {
	c, right := s.clubCall(ctx), a.May
	if a.Own != nil {
		right = cmp.Or(a.Own(c.Who, in), right)
	}
	if right == "" {
		return nil
	}
	return c.Demand(right)
}

// plain describes an act without an outcome of its own.
func plain[In any](name string, may auth.Action, do func(ClubCall, In) error) ClubAct[In, None] {
	return ClubAct[In, None]{Name: name, May: may, Do: func(c ClubCall, in In) (None, error) { return None{}, do(c, in) }}
}
