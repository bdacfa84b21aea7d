package command

import (
	"context"

	"quatuor/api/access"
	"quatuor/api/auth"
)

// MayMakeToken checks that the identity in the context may make a token for one tournament.
func (s *Service) MayMakeToken(ctx context.Context, tournament string) error {
	who := auth.From(ctx)
	t, _, err := access.Tournament(ctx, s, tournament, who)
	if err != nil {
		return err
	}
	return who.Demand(who.LevelIn(t), auth.MakeTokens)
}

// TournamentName returns the name of a tournament, "" for one that the identity in the context may not see.
func (s *Service) TournamentName(ctx context.Context, tournament string) string {
	t, _, err := access.Tournament(ctx, s, tournament, auth.From(ctx))
	if err != nil {
		return ""
	}
	return t.Name
}
