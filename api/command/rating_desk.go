package command

import (
	"context"

	"github.com/google/uuid"

	"quatuor/api/auth"
	"quatuor/rating/ledger"
	"quatuor/rating/systems"
)

// ratings returns the desk of ratings. It takes the right to change ratings.
func (s *Service) ratings(ctx context.Context) (auth.Identity, *ledger.Desk, error) {
	who := auth.From(ctx)
	return who, &s.RatingDesk, who.Demand(who.Level(), auth.RecomputeRatings)
}

// RatingMarks lists the marks of players.
func (s *Service) RatingMarks(ctx context.Context) ([]ledger.Mark, error) {
	_, desk, err := s.ratings(ctx)
	if err != nil {
		return nil, err
	}
	return desk.Marks(ctx, "")
}

// MarkPlayer marks a player in a tournament or a time; the mark's author and time follow from the request.
func (s *Service) MarkPlayer(ctx context.Context, m ledger.Mark) (ledger.Mark, error) {
	who, desk, err := s.ratings(ctx)
	if err != nil {
		return m, err
	}
	if _, err := s.People.Player(ctx, m.PlayerID); err != nil {
		return m, err
	}
	if m.TournamentID != "" {
		if _, err := s.Tournament(ctx, m.TournamentID); err != nil {
			return m, err
		}
	}
	m.ID, m.By, m.At = uuid.Must(uuid.NewV7()).String(), who.AccountID, s.Now().UnixMilli()
	return m, desk.Mark(ctx, m)
}

// LiftMark lifts a mark.
func (s *Service) LiftMark(ctx context.Context, id string) (ledger.Mark, error) {
	who, desk, err := s.ratings(ctx)
	if err != nil {
		return ledger.Mark{}, err
	}
	return desk.Lift(ctx, id, who.AccountID, s.Now().UnixMilli())
}

// GiveRatings takes over a table of ratings to start with, all or none; try only returns what would become of each
// line.
func (s *Service) GiveRatings(ctx context.Context, table []byte, try bool) ([]ledger.GivenOutcome, error) {
	_, desk, err := s.ratings(ctx)
	if err != nil {
		return nil, err
	}
	given, err := ledger.ReadGiven(table, systems.Known)
	if err != nil {
		return nil, err
	}
	return desk.Give(ctx, given, s.Now().UnixMilli(), try)
}
