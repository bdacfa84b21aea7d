// Package access controls what each viewer may see: drafts of tournaments, unpublished rounds, the data of a
// tournament's staff, and games that spectators see with a delay. Every operation, page and stream goes through it.
//
// Its results are already limited to the viewer ([Tournament]), so that nothing derived from it, not even its version,
// can leak more. Hidden things look non-existent: the error is that of an unknown id, word for word.
package access

import (
	"context"
	"slices"

	"quatuor/api/auth"
	"quatuor/engine/table"
	"quatuor/tournament"
)

// Tournaments loads tournaments in their current version.
type Tournaments interface {
	Tournament(ctx context.Context, id string) (*tournament.Tournament, error)
}

// Staff reports whether an identity belongs to the tournament's staff: its organiser, its arbiters, and admins. An
// API token of theirs counts if its scope is reading or organising.
func Staff(who auth.Identity, t *tournament.Tournament) bool {
	return who.Can(who.LevelIn(t), auth.SeeDrafts)
}

// Tournament loads a tournament, whole, and reports whether the viewer is staff. A draft is tournament.ErrNotFound
// to anyone else.
func Tournament(ctx context.Context, in Tournaments, id string, who auth.Identity) (
	t *tournament.Tournament, staff bool, err error,
) {
	if t, err = in.Tournament(ctx, id); err != nil {
		return nil, false, err
	}
	staff = Staff(who, t)
	if t.Status == tournament.Draft && !staff {
		return nil, false, tournament.ErrNotFound
	}
	return t, staff, nil
}

// Doing returns the right that an act takes; undoing it takes the same.
func Doing(kind tournament.ActKind) auth.Action {
	switch kind {
	case tournament.ActResult, tournament.ActResults, tournament.ActRating, tournament.ActAdjourn, tournament.ActPlayAgain, tournament.ActClear, tournament.ActVenue,
		tournament.ActRecord, tournament.ActBoard, tournament.ActSubstitute:
		return auth.EnterResults
	case tournament.ActPair, tournament.ActDraw, tournament.ActPublish, tournament.ActEdit, tournament.ActDrop,
		tournament.ActByes, tournament.ActForbid, tournament.ActBonuses, tournament.ActReopen,
		tournament.ActDate, tournament.ActCorrect, tournament.ActOpenCheckIn,
		tournament.ActCloseCheckIn,
		tournament.ActCancelCheckIn, tournament.ActPresent, tournament.ActAbsent:
		return auth.PairRounds
	}
	return auth.RunTournament
}

// View returns a tournament as the viewer may see it: whole for its staff, the public part for all others.
func View(who auth.Identity, t *tournament.Tournament) *tournament.Tournament {
	if Staff(who, t) {
		return t
	}
	return t.PublicTo(who.PlayerID)
}

// History reads the acts on a tournament.
type History interface {
	History(ctx context.Context, id string) ([]tournament.Change, error)
	Acts(ctx context.Context, id string) ([]tournament.Act, error)
}

// Acts returns the acts of a tournament that staff, or others, may see, oldest first.
func Acts(ctx context.Context, in History, t *tournament.Tournament, staff bool) ([]tournament.Act, error) {
	if staff {
		return in.Acts(ctx, t.ID)
	}
	changes, err := in.History(ctx, t.ID)
	if err != nil {
		return nil, err
	}
	return t.PublicActs(changes), nil
}

// Arbitrate returns an error unless the identity may act on a game as its arbiter: staff of the game's tournament,
// or an admin for a game outside tournaments.
func Arbitrate(ctx context.Context, in Tournaments, who auth.Identity, place *table.Place) error {
	if place == nil {
		return who.Demand(who.Level(), auth.ArbitrateCasual)
	}
	level := who.Level()
	if !who.Anonymous() {
		t, err := in.Tournament(ctx, place.ID)
		if err != nil {
			return err
		}
		level = who.LevelIn(t)
	}
	return who.Demand(level, auth.ArbitrateGames)
}

// Delayed reports whether the viewer sees a game with its delay: spectators do; its players, its tournament's staff
// and admins do not.
func Delayed(ctx context.Context, in Tournaments, g table.Game) (bool, error) {
	who := auth.From(ctx)
	switch {
	case !g.Delayed(), who.PlayerID != "" && slices.Contains(g.Players, who.PlayerID):
		return false, nil
	case g.Tournament == nil || who.Anonymous():
		return true, nil
	}
	t, err := in.Tournament(ctx, g.Tournament.ID)
	if err != nil {
		return true, err
	}
	return !Staff(who, t), nil
}

// Lasting returns a re-check of the viewer's right to see the game undelayed; nil if it cannot be revoked, as for
// the game's players.
func Lasting(ctx context.Context, in Tournaments, g table.Game) func(context.Context) bool {
	who := auth.From(ctx)
	if !g.Delayed() || (who.PlayerID != "" && slices.Contains(g.Players, who.PlayerID)) {
		return nil
	}
	return func(ctx context.Context) bool {
		behind, err := Delayed(ctx, in, g)
		return err == nil && !behind
	}
}
