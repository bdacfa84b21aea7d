package command

import (
	"context"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/tournament/account"
)

// NewToken is an API token that was just made. Its secret is shown only now.
type NewToken struct {
	account.Credential
	Secret string
}

// CreateToken makes an API token. A token for a single tournament takes the right to make tokens there.
var CreateToken = ClubAct[auth.NewToken, NewToken]{
	Name: "create-token",
	Do: func(c ClubCall, in auth.NewToken) (made NewToken, err error) {
		if in.Tournament != "" {
			t, _, err := access.Tournament(c.Ctx, c, in.Tournament, c.Who)
			if err == nil {
				err = c.Who.Demand(c.Who.LevelIn(t), auth.MakeTokens)
			}
			if err != nil {
				return made, err
			}
		}
		made.Secret, made.Credential, err = c.Guard.NewAPIToken(c.Ctx, c.Who, in)
		return made, err
	},
}

// TournamentName returns the name of a tournament, "" if the identity in the context may not see it.
func (s *Service) TournamentName(ctx context.Context, tournament string) string {
	t, _, err := access.Tournament(ctx, s, tournament, auth.From(ctx))
	if err != nil {
		return ""
	}
	return t.Name
}
