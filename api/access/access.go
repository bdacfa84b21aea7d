// Package access decides who may see what: drafts of tournaments, rounds that are not published, what only those who
// run a tournament know, and games that spectators see with a delay. Every operation, page and stream asks it.
//
// What it returns is already limited to what the viewer may know ([Tournament]), so that nothing made of it, not even
// its version, can tell more. What a viewer may not know of looks as if it did not exist: the error is that of an
// unknown id, word for word.
package access

import (
	"context"
	"slices"

	"quatuor/api/auth"
	"quatuor/engine/table"
	"quatuor/tournament"
)

// Tournaments loads tournaments as they stand.
type Tournaments interface {
	Tournament(ctx context.Context, id string) (*tournament.Tournament, error)
}

// Staff reports whether who is one of those who run the tournament: its organiser, its arbiters, and admins. A token of
// theirs counts if it may read or organise.
func Staff(who auth.Identity, t *tournament.Tournament) bool {
	return who.Can(who.LevelIn(t), auth.SeeDrafts)
}

// Tournament loads a tournament whole, as far as who may know of it: tournament.ErrNotFound otherwise, and staff says
// whether who is one of its staff.
func Tournament(ctx context.Context, in Tournaments, id string, who auth.Identity) (t *tournament.Tournament, staff bool, err error) {
	if t, err = in.Tournament(ctx, id); err != nil {
		return nil, false, err
	}
	staff = Staff(who, t)
	if t.Status == tournament.Draft && !staff {
		return nil, false, tournament.ErrNotFound
	}
	return t, staff, nil
}

// Doing returns what an act takes, and so what it takes to undo it.
func Doing(kind tournament.ActKind) auth.Action {
	switch kind {
	case tournament.ActResult, tournament.ActAdjourn, tournament.ActPlayAgain, tournament.ActClear, tournament.ActVenue,
		tournament.ActRecord:
		return auth.EnterResults
	case tournament.ActPair, tournament.ActDraw, tournament.ActPublish, tournament.ActEdit, tournament.ActDrop,
		tournament.ActByes, tournament.ActForbid, tournament.ActCorrect, tournament.ActOpenCheckIn, tournament.ActCloseCheckIn,
		tournament.ActCancelCheckIn, tournament.ActPresent, tournament.ActAbsent:
		return auth.PairRounds
	}
	return auth.RunTournament
}

// View returns a tournament as who may know it: as it is to its staff, its public part to all others.
func View(who auth.Identity, t *tournament.Tournament) *tournament.Tournament {
	if Staff(who, t) {
		return t
	}
	return t.PublicTo(who.PlayerID)
}

// Arbitrate returns an error unless who may act on a game as its arbiter: one who runs the tournament that it belongs
// to, or an admin where it belongs to none.
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

// Delayed reports whether who sees a game with its delay: spectators do, but not its players, those who run its
// tournament, and admins.
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

// Lasting returns what reports whether who asks still sees a delayed game as it stands, because that right can be taken
// away; nil where it cannot, for those who play it.
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
