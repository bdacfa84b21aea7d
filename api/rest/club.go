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
	if err != nil {
		return nil, err
	}
	return gen.GetSettings200JSON{
		Body: a.settingsBody(s), Headers: gen.GetSettings200Headers{ETag: command.VersionTag(s.Version)},
	}, nil
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
	if err != nil {
		return nil, err
	}
	return gen.UpdateSettings200JSON{
		Body: a.settingsBody(s), Headers: gen.UpdateSettings200Headers{ETag: command.VersionTag(s.Version)},
	}, nil
}

func (a *API) settingsBody(stored club.Settings) gen.ClubSettings {
	s := a.commands.Settings.InForce(stored)
	fixed := []gen.ClubSettingsFixed{}
	for _, name := range a.commands.Settings.Fixed() {
		fixed = append(fixed, gen.ClubSettingsFixed(name))
	}
	return gen.ClubSettings{
		Name: optional(s.Name), Welcome: optional(s.Welcome), Imprint: optional(s.Imprint), Language: optional(s.Language),
		TimeZone: optional(s.TimeZone), Fixed: &fixed,
		Registration: gen.Registration(s.Registration), Reach: gen.Reach(s.Reach), OrganisersReset: &s.Resets,
	}
}

// MergePlayers merges two records of the same person.
func (a *API) MergePlayers(ctx context.Context, r gen.MergePlayersIn) (gen.MergePlayersOut, error) {
	merge := club.Merge{Keep: r.PlayerID, Gone: r.Body.PlayerID, BothAccounts: valueOf(r.Body.BothAccounts)}
	if _, err := command.MergePlayers.Run(ctx, a.commands, merge); err != nil {
		return nil, err
	}
	p, err := a.People.Player(ctx, r.PlayerID)
	return gen.MergePlayers200JSON{
		Body: player(auth.From(ctx), p), Headers: gen.MergePlayers200Headers{ETag: command.VersionTag(p.Version)},
	}, err
}

// CreatePasswordReset creates a code that lets an account's owner set a new password.
func (a *API) CreatePasswordReset(
	ctx context.Context, r gen.CreatePasswordResetIn,
) (gen.CreatePasswordResetOut, error) {
	code, err := command.OfferReset.Run(ctx, a.commands, r.AccountID)
	if err != nil {
		return nil, err
	}
	return gen.CreatePasswordReset201JSON{Code: code.Text, ExpiresAt: command.Moment(code.Expires.UnixMilli())}, nil
}
