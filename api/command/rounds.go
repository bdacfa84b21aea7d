package command

import (
	"quatuor/api/auth"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// Publication has the choices for the publication of a round.
type Publication struct {
	Round    int
	After    int64 // ms until the clocks start; 0 at once
	Together bool  // each game starts earlier once all its players are present
}

// Publish opens the games of the round that is drawn up.
var Publish = Command[Publication]{
	Name: "publish", May: auth.PairRounds, Blind: true,
	Part: func(t *tournament.Tournament, in Publication) ([]string, error) { return roundTags(t, in.Round) },
	Do: func(c Call, in Publication) (*tournament.Tournament, error) {
		if c.T.Rounds[in.Round-1].Status != tournament.Paired {
			return nil, tournament.NotNow("round %d is published already", in.Round)
		}
		return c.act(director.PublishStarting(in.After, in.Together))
	},
	Exact: true,
}

// RoundEdit is a change of a round's pairings by hand.
type RoundEdit struct {
	Round  int
	Edits  []tournament.Edit
	Why    string
	DryRun bool // nothing is stored
}

// EditRound changes the pairings of the latest round, or previews the change.
var EditRound = Command[RoundEdit]{
	Name: "edit", May: auth.PairRounds, Exact: true,
	Part: func(t *tournament.Tournament, in RoundEdit) ([]string, error) { return roundTags(t, in.Round) },
	Do: func(c Call, in RoundEdit) (*tournament.Tournament, error) {
		if in.DryRun {
			return c.TryEdit(c.Ctx, c.T.ID, in.Round, in.Edits, c.Order)
		}
		return c.act(director.EditRound(in.Round, in.Edits, in.Why))
	},
}

// DropRound deletes the latest round while nothing was played in it.
var DropRound = Command[int]{
	Name: "drop", May: auth.PairRounds, Part: roundTags,
	Do: func(c Call, round int) (*tournament.Tournament, error) {
		return c.act(director.DropRound(round))
	},
}

// RedrawRound deletes the latest round and draws it up again, after a change of entries or results.
var RedrawRound = Command[int]{
	Name: "redraw", May: auth.PairRounds, Part: roundTags,
	Do: func(c Call, round int) (*tournament.Tournament, error) {
		dropped, err := c.act(director.DropRound(round))
		if err != nil {
			return nil, err
		}
		return c.Do(c.Ctx, c.T.ID, director.DrawRound, director.Order{By: c.Order.By, Expect: dropped.Version})
	},
}

// roundTags returns the tags of a round, published or not.
func roundTags(t *tournament.Tournament, n int) ([]string, error) {
	if n < 1 || n > len(t.Rounds) {
		return nil, NoRound(n)
	}
	return []string{Tag(t.Rounds[n-1]), RoundTag(t.Rounds[n-1])}, nil
}

// NoRound returns tournament.ErrNotFound for a round.
func NoRound(n int) error { return tournament.Refuse(tournament.ErrNotFound, "round %d", n) }
