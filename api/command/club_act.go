package command

import (
	"cmp"
	"context"

	"quatuor/api/auth"
)

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
