package rest

import (
	"context"
	"time"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/tournament/account"
)

// CreateSession logs in.
func (a *API) CreateSession(ctx context.Context, r gen.CreateSessionIn) (gen.CreateSessionOut, error) {
	account, err := a.Guard.CheckLogin(ctx, r.Body.Login, r.Body.Password, auth.Origin{Address: auth.From(ctx).Address})
	if err != nil {
		return nil, err
	}
	t, err := a.Guard.OpenSession(ctx, account)
	return tokens(t), err
}

// RefreshSession exchanges a refresh token for new tokens.
func (a *API) RefreshSession(ctx context.Context, r gen.RefreshSessionIn) (gen.RefreshSessionOut, error) {
	t, err := a.Guard.Refresh(ctx, r.Body.RefreshToken)
	return tokens(t), err
}

func tokens(t auth.Tokens) gen.Tokens {
	return gen.Tokens{
		AccessToken: t.Access, TokenType: gen.Bearer, ExpiresIn: int(t.Expires.Seconds()), RefreshToken: t.Refresh,
	}
}

// DeleteSession logs out.
func (a *API) DeleteSession(ctx context.Context, _ gen.DeleteSessionIn) (gen.DeleteSessionOut, error) {
	return gen.Executed{}, a.Guard.EndSession(ctx, auth.From(ctx))
}

// ListSessions lists the account's sessions.
func (a *API) ListSessions(ctx context.Context, r gen.ListSessionsIn) (gen.ListSessionsOut, error) {
	open, err := a.Guard.Sessions(ctx, auth.From(ctx))
	if err != nil {
		return nil, err
	}
	page, next, err := cut(open, r.Params.Limit, r.Params.Cursor, func(s auth.OpenSession) string { return s.ID })
	return gen.ListSessions200JSON{
		Body: gen.SessionList{Items: each(page, sessionView), NextCursor: optional(next)}, Headers: a.linked(next),
	}, err
}

func sessionView(s auth.OpenSession) gen.Session {
	return gen.Session{
		ID: s.ID, Pages: s.Pages, Device: optional(s.Device), Since: command.Moment(s.Since), Current: s.Current,
	}
}

// DeleteSessions logs out everywhere.
func (a *API) DeleteSessions(ctx context.Context, _ gen.DeleteSessionsIn) (gen.DeleteSessionsOut, error) {
	return done(command.EndSessions.Run(ctx, a.commands, command.None{}))
}

// DeleteOneSession ends a session of the account.
func (a *API) DeleteOneSession(ctx context.Context, r gen.DeleteOneSessionIn) (gen.DeleteOneSessionOut, error) {
	return done(command.EndSession.Run(ctx, a.commands, r.SessionID))
}

// GetMe returns the identity of the client.
func (a *API) GetMe(ctx context.Context, _ gen.GetMeIn) (gen.GetMeOut, error) {
	return a.me(ctx)
}

// UpdateMe changes the password, which ends the sessions opened with the old password, or how the player takes
// challenges.
func (a *API) UpdateMe(ctx context.Context, r gen.UpdateMeIn) (gen.UpdateMeOut, error) {
	present, next := r.Body.CurrentPassword, r.Body.Password
	open, closed, atOnce := r.Body.OpenToChallenges, r.Body.ClosedToChallenges, r.Body.ChallengesAtOnce
	seen, email := valueOf(r.Body.PasswordResetSeen), r.Body.Email
	challenges := open != nil || closed != nil || atOnce != nil
	switch {
	case present == nil && next != nil:
		return nil, command.Invalid("/current_password", "send the present password along with a new one")
	case email != nil && a.Mail == nil:
		return nil, command.Invalid("/email", "this service sends no e-mail")
	case email != nil && email.Address != nil && present == nil:
		return nil, command.Invalid("/current_password", "send the present password along with an address")
	case next == nil && (present != nil && (email == nil || email.Address == nil) || !challenges && !seen && email == nil):
		return nil, command.Invalid(
			"/password",
			"send a new password with the present one, or open_to_challenges, challenges_at_once or closed_to_challenges",
		)
	case valueOf(open) && valueOf(closed):
		return nil, command.Invalid("/closed_to_challenges", "a player is open to challenges, or closed, and not both")
	}
	if email != nil {
		if err := a.setEmail(ctx, *email, valueOf(present)); err != nil {
			return nil, err
		}
	}
	if next != nil {
		change := auth.NewPassword{Present: *present, Next: *next, EndTokens: valueOf(r.Body.EndTokens)}
		if _, err := command.ChangePassword.Run(ctx, a.commands, change); err != nil {
			return nil, err
		}
	}
	if seen {
		if _, err := command.ResetSeen.Run(ctx, a.commands, command.None{}); err != nil {
			return nil, err
		}
	}
	if challenges {
		how := command.Challenges{Open: open, Closed: closed, AtOnce: atOnce}
		if _, err := command.SetChallenges.Run(ctx, a.commands, how); err != nil {
			return nil, err
		}
	}
	return a.me(ctx)
}

func (a *API) me(ctx context.Context) (gen.Me, error) {
	who := auth.From(ctx)
	account, err := a.People.Account(ctx, who.AccountID)
	if err != nil {
		return gen.Me{}, err
	}
	names, err := a.commands.Names.Of(ctx, who.PlayerID)
	if err != nil {
		return gen.Me{}, err
	}
	me := gen.Me{
		AccountID: account.ID, Login: account.Login, Role: gen.Role(account.Role),
		Scopes: retyped[gen.ShownScope](who.Scopes), Player: playerRef(who.PlayerID, names),
		CreatedAt: command.Moment(account.CreatedAt),
	}
	if account.ResetAt != 0 {
		me.PasswordReset = &gen.PasswordResetNotice{By: account.ResetBy, At: command.Moment(account.ResetAt)}
	}
	if who.PlayerID != "" {
		p, err := a.People.Player(ctx, who.PlayerID)
		if err != nil {
			return gen.Me{}, err
		}
		atOnce := int32(max(p.ChallengesAtOnce, 1))
		me.OpenToChallenges = &p.OpenToChallenges
		me.ClosedToChallenges = &p.ClosedToChallenges
		me.ChallengesAtOnce = &atOnce
	}
	if a.Mail != nil {
		if me.Email, err = a.email(ctx, who.AccountID); err != nil {
			return gen.Me{}, err
		}
	}
	return me, nil
}

// ListTokens lists the account's API tokens.
func (a *API) ListTokens(ctx context.Context, _ gen.ListTokensIn) (gen.ListTokensOut, error) {
	have, err := a.Guard.APITokens(ctx, auth.From(ctx).AccountID)
	return gen.TokenList{Items: each(have, func(c account.Credential) gen.Token {
		return gen.Token{
			ID: c.ID, Name: c.Name, Scopes: scopes(c), Tournament: a.tournamentRef(ctx, c.Tournament),
			CreatedAt: command.Moment(c.CreatedAt), ExpiresAt: command.OptionalMoment(c.ExpiresAt),
			UsedAt: command.OptionalMoment(c.UsedAt),
		}
	})}, err
}

// CreateToken creates an API token.
func (a *API) CreateToken(ctx context.Context, r gen.CreateTokenIn) (gen.CreateTokenOut, error) {
	var expires time.Time
	if r.Body.ExpiresAt != nil {
		ms, err := command.ReadMoment(*r.Body.ExpiresAt, "/expires_at")
		if err != nil {
			return nil, err
		}
		expires = time.UnixMilli(ms)
	}
	made, err := command.CreateToken.Run(ctx, a.commands, auth.NewToken{
		Name: r.Body.Name, Scopes: retyped[auth.Scope](r.Body.Scopes), Expires: expires,
		Tournament: valueOf(r.Body.TournamentID),
	})
	return gen.TokenCreated{
		ID: made.ID, Token: made.Secret, Name: made.Name, Scopes: scopes(made.Credential),
		CreatedAt: command.Moment(made.CreatedAt), ExpiresAt: command.OptionalMoment(made.ExpiresAt),
		Tournament: a.tournamentRef(ctx, made.Credential.Tournament),
	}, err
}

// tournamentRef names the only tournament that a token or a webhook is for; nil for all others.
func (a *API) tournamentRef(ctx context.Context, id string) *gen.TokenTournament {
	if id == "" {
		return nil
	}
	return &gen.TokenTournament{ID: id, Name: optional(a.commands.TournamentName(ctx, id))}
}

// DeleteToken revokes an API token.
func (a *API) DeleteToken(ctx context.Context, r gen.DeleteTokenIn) (gen.DeleteTokenOut, error) {
	return done(command.DeleteToken.Run(ctx, a.commands, r.TokenID))
}

func scopes(c account.Credential) []gen.ShownScope {
	return append([]gen.ShownScope{}, c.Scopes...) // a list, also if there is none
}
