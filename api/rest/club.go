package rest

import (
	"cmp"
	"context"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/tournament/club"
)

// GetSettings returns the settings in force.
func (a *API) GetSettings(ctx context.Context, _ gen.GetSettingsIn) (gen.GetSettingsOut, error) {
	s, err := command.ClubSettings.Read(ctx, a.commands, "")
	return a.settingsAnswer(s), err
}

// UpdateSettings changes the club's settings; members that are left out stay unchanged.
func (a *API) UpdateSettings(ctx context.Context, r gen.UpdateSettingsIn) (gen.UpdateSettingsOut, error) {
	s, err := command.ClubSettings.Update(ctx, a.commands, command.On{Seen: r.Params.IfMatch}, func(s *club.Settings) error {
		s.Registration = cmp.Or(s.Registration, string(auth.RegistrationClosed))
		s.Reach = cmp.Or(s.Reach, club.ReachLocal)
		command.Set(&s.Name, r.Body.Name)
		command.Set(&s.Welcome, r.Body.Welcome)
		command.Set(&s.Imprint, r.Body.Imprint)
		command.Set(&s.Language, r.Body.Language)
		command.Set(&s.TimeZone, r.Body.TimeZone)
		if r.Body.Registration != nil {
			s.Registration = string(*r.Body.Registration)
		}
		if r.Body.Reach != nil {
			s.Reach = club.Reach(*r.Body.Reach)
		}
		command.Set(&s.Resets, r.Body.OrganisersReset)
		return nil
	})
	return a.settingsAnswer(s), err
}

func (a *API) settingsAnswer(stored club.Settings) gen.TaggedClubSettingsJSON {
	s := a.commands.Settings.InForce(stored)
	return gen.TaggedClubSettingsJSON{Body: gen.ClubSettings{
		Name: optional(s.Name), Welcome: optional(s.Welcome), Imprint: optional(s.Imprint), Language: optional(s.Language),
		TimeZone: optional(s.TimeZone), Fixed: new(retyped[gen.ClubSettingsFixed](a.commands.Settings.Fixed())),
		Registration: gen.Registration(s.Registration), Reach: gen.Reach(s.Reach), OrganisersReset: &s.Resets,
	}, Headers: gen.Tagged{ETag: command.VersionTag(stored.Version)}}
}

// MergePlayers merges two records of the same person.
func (a *API) MergePlayers(ctx context.Context, r gen.MergePlayersIn) (gen.MergePlayersOut, error) {
	merge := club.Merge{Keep: r.PlayerID, Gone: r.Body.PlayerID, BothAccounts: valueOf(r.Body.BothAccounts)}
	if _, err := command.MergePlayers.Run(ctx, a.commands, merge); err != nil {
		return nil, err
	}
	p, err := a.People.Player(ctx, r.PlayerID)
	return gen.TaggedPlayerJSON{
		Body: player(auth.From(ctx), p), Headers: gen.Tagged{ETag: command.VersionTag(p.Version)},
	}, err
}

// CreatePasswordReset creates a code that lets an account's owner set a new password.
func (a *API) CreatePasswordReset(
	ctx context.Context, r gen.CreatePasswordResetIn,
) (gen.CreatePasswordResetOut, error) {
	code, err := command.OfferReset.Run(ctx, a.commands, r.AccountID)
	return gen.PasswordReset{Code: code.Text, ExpiresAt: command.Moment(code.Expires.UnixMilli())}, err
}
