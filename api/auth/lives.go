package auth

import (
	"time"

	"quatuor/tournament/account"
)

// Life bounds how long credentials of a kind last after they were made or used.
type Life struct {
	Kind          account.CredentialKind
	OneTournament bool // of API tokens: those for a single tournament
	Most          time.Duration
}

// Lives returns the bounds of all kinds of credentials that are bounded. API tokens for all tournaments may last for
// ever.
func Lives() []Life {
	return []Life{
		{account.RefreshToken, false, sessionLife},
		{account.PageSession, false, sessionLife},
		{account.PasswordReset, false, resetLife},
		{account.SetupCode, false, setupLife},
		{account.APIToken, true, maxTournamentTokenLife},
	}
}
