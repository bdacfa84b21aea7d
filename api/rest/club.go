package rest

import (
	"cmp"
	"context"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
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

// GetSettings shows what is in force.
func (a *API) GetSettings(ctx context.Context, _ gen.GetSettingsRequestObject) (gen.GetSettingsResponseObject, error) {
	s, err := a.settings(ctx)
	if err != nil {
		return nil, err
	}
	return gen.GetSettings200JSONResponse{Body: a.settingsBody(s), Headers: gen.GetSettings200ResponseHeaders{ETag: command.VersionTag(s.Version)}}, nil
}

// UpdateSettings changes the club's settings; what a client leaves out stays.
func (a *API) UpdateSettings(ctx context.Context, r gen.UpdateSettingsRequestObject) (gen.UpdateSettingsResponseObject, error) {
	s, err := a.settings(ctx)
	if err != nil {
		return nil, err
	}
	if err := command.CheckTag(r.Params.IfMatch, command.VersionTag(s.Version)); err != nil {
		return nil, err
	}
	s.Registration = cmp.Or(s.Registration, string(auth.RegistrationClosed))
	s.Reach = cmp.Or(s.Reach, club.ReachLocal)
	command.Set(&s.Name, r.Body.Name)
	command.Set(&s.Language, r.Body.Language)
	command.Set(&s.TimeZone, r.Body.TimeZone)
	if r.Body.Registration != nil {
		s.Registration = string(*r.Body.Registration)
	}
	if r.Body.Reach != nil {
		s.Reach = club.Reach(*r.Body.Reach)
	}
	command.Set(&s.Resets, r.Body.OrganisersReset)
	if err := a.Settings.Save(ctx, s); err != nil {
		return nil, err
	}
	if s, err = a.Settings.Stored(ctx); err != nil {
		return nil, err
	}
	return gen.UpdateSettings200JSONResponse{Body: a.settingsBody(s), Headers: gen.UpdateSettings200ResponseHeaders{ETag: command.VersionTag(s.Version)}}, nil
}

// settings returns the stored settings to those who may change them.
func (a *API) settings(ctx context.Context) (club.Settings, error) {
	who := auth.From(ctx)
	if err := who.Demand(who.Level(), auth.ChangeSettings); err != nil {
		return club.Settings{}, err
	}
	return a.Settings.Stored(ctx)
}

func (a *API) settingsBody(stored club.Settings) gen.ClubSettings {
	s := a.Settings.InForce(stored)
	fixed := []gen.ClubSettingsFixed{}
	for _, name := range a.Settings.Fixed() {
		fixed = append(fixed, gen.ClubSettingsFixed(name))
	}
	return gen.ClubSettings{
		Name: optional(s.Name), Language: optional(s.Language), TimeZone: optional(s.TimeZone), Fixed: &fixed,
		Registration: gen.Registration(s.Registration), Reach: gen.Reach(s.Reach), OrganisersReset: &s.Resets,
	}
}

// MergePlayers makes two records of one person one.
func (a *API) MergePlayers(ctx context.Context, r gen.MergePlayersRequestObject) (gen.MergePlayersResponseObject, error) {
	who := auth.From(ctx)
	if err := who.Demand(who.Level(), auth.MergePlayers); err != nil {
		return nil, err
	}
	err := a.Merger.MergePlayers(ctx, club.Merge{
		Keep: r.PlayerID, Gone: r.Body.PlayerID, BothAccounts: valueOf(r.Body.BothAccounts), By: who.AccountID, At: a.Now().UnixMilli(),
	})
	if err != nil {
		return nil, err
	}
	a.commands.ForgetName(r.Body.PlayerID)
	p, err := a.People.Player(ctx, r.PlayerID)
	return gen.MergePlayers200JSONResponse{
		Body: player(who, p), Headers: gen.MergePlayers200ResponseHeaders{ETag: command.VersionTag(p.Version)},
	}, err
}

// CreatePasswordReset makes a code with which the owner of an account sets a new password.
func (a *API) CreatePasswordReset(ctx context.Context, r gen.CreatePasswordResetRequestObject) (gen.CreatePasswordResetResponseObject, error) {
	code, expires, err := a.Guard.NewReset(ctx, auth.From(ctx), r.AccountID)
	if err != nil {
		return nil, err
	}
	return gen.CreatePasswordReset201JSONResponse{Code: code, ExpiresAt: command.Moment(expires.UnixMilli())}, nil
}
