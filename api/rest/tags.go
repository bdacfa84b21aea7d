package rest

import (
	"context"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/tournament"
)

// tournamentTag returns the entity tag of a tournament as the client sees it.
func tournamentTag(ctx context.Context, t *tournament.Tournament) string {
	return command.TournamentTag(auth.From(ctx), t)
}
