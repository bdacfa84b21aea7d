package command

import (
	"github.com/google/uuid"

	"quatuor/api/auth"
	"quatuor/rating/ledger"
	"quatuor/rating/systems"
)

// RatingMarks lists the marks of players.
var RatingMarks = ClubAct[None, []ledger.Mark]{
	Name: "marks", May: auth.RecomputeRatings,
	Do: func(c ClubCall, _ None) ([]ledger.Mark, error) { return c.RatingDesk.Marks(c.Ctx, "") },
}

// MarkPlayer marks a player in a tournament or a time; the mark's author and time follow from the request.
var MarkPlayer = ClubAct[ledger.Mark, ledger.Mark]{
	Name: "mark", May: auth.RecomputeRatings,
	Do: func(c ClubCall, m ledger.Mark) (ledger.Mark, error) {
		if _, err := c.People.Player(c.Ctx, m.PlayerID); err != nil {
			return m, err
		}
		if m.TournamentID != "" {
			if _, err := c.Tournament(c.Ctx, m.TournamentID); err != nil {
				return m, err
			}
		}
		m.ID = uuid.Must(uuid.NewV7()).String()
		m.By = c.Who.AccountID
		m.At = c.Now().UnixMilli()
		return m, c.RatingDesk.Mark(c.Ctx, m)
	},
}

// LiftMark lifts the mark of an id.
var LiftMark = ClubAct[string, ledger.Mark]{
	Name: "lift-mark", May: auth.RecomputeRatings,
	Do: func(c ClubCall, id string) (ledger.Mark, error) {
		return c.RatingDesk.Lift(c.Ctx, id, c.Who.AccountID, c.Now().UnixMilli())
	},
}

// RatingTable is a table of ratings to start with.
type RatingTable struct {
	Text []byte
	Try  bool // return what would become of each line, and store nothing
}

// GiveRatings takes over a table of ratings to start with, all or none.
var GiveRatings = ClubAct[RatingTable, []ledger.GivenOutcome]{
	Name: "give-ratings", May: auth.RecomputeRatings,
	Do: func(c ClubCall, in RatingTable) ([]ledger.GivenOutcome, error) {
		given, err := ledger.ReadGiven(in.Text, systems.Known)
		if err != nil {
			return nil, err
		}
		return c.RatingDesk.Give(c.Ctx, given, c.Now().UnixMilli(), in.Try)
	},
}

// RecomputeRatings computes a rating list again from its games.
var RecomputeRatings = ClubAct[string, ledger.Report]{
	Name: "recompute-ratings", May: auth.RecomputeRatings,
	Do: func(c ClubCall, list string) (ledger.Report, error) { return c.RatingDesk.Ledger.Repair(c.Ctx, list) },
}
