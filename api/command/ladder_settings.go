package command

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"quatuor/api/auth"
	"quatuor/api/gen"
	"quatuor/engine/catalog"
	"quatuor/engine/clock"
	"quatuor/tournament"
	"quatuor/tournament/ladder"
)

// CreateLadder creates a ladder with an id of the caller's choice, "" for any; a second one of the same id is the
// first.
func (s *Service) CreateLadder(ctx context.Context, id string, l ladder.Settings) (string, error) {
	who := auth.From(ctx)
	if err := who.Demand(who.Level(), auth.CreateTournaments); err != nil {
		return "", err
	}
	if err := s.CheckVariant(l.Variant); err != nil {
		return "", err
	}
	if rules, err := catalog.Find(l.Variant); err != nil || !slices.Contains(rules.Info().Seats, 2) {
		return "", tournament.Fault("variant", "a ladder needs a game for two")
	}
	if _, err := clock.Parse(l.TimeControl); err != nil {
		return "", tournament.Fault("time_control", "%v", err)
	}
	if err := l.Check(); err != nil {
		return "", err
	}
	if id == "" {
		id = uuid.Must(uuid.NewV7()).String()
	}
	l.ID, l.Organiser, l.CreatedAt = id, who.AccountID, s.Now().UnixMilli()
	return id, s.Seasons.CreateLadder(ctx, l)
}

// RenameLadder changes a ladder's name. seen is what the caller has read, as an If-Match header.
func (s *Service) RenameLadder(ctx context.Context, id string, seen *string, name string) error {
	l, err := s.ownLadder(ctx, id, seen)
	if err == nil {
		l.Name, err = ladder.CheckName(name)
	}
	if err == nil {
		err = s.Seasons.SaveLadder(ctx, l)
	}
	return s.onLadder(id, err)
}

// DeleteLadder deletes a ladder on which nobody was challenged.
func (s *Service) DeleteLadder(ctx context.Context, id string, seen *string) error {
	l, err := s.ownLadder(ctx, id, seen)
	if err == nil {
		err = s.Seasons.DeleteLadder(ctx, id, l.Version)
	}
	return s.onLadder(id, err)
}

// ownLadder returns the settings of a ladder that the caller runs and has seen as it is.
func (s *Service) ownLadder(ctx context.Context, id string, seen *string) (ladder.Settings, error) {
	l, _, err := s.Seasons.Ladder(ctx, id)
	if err == nil {
		err = runs(auth.From(ctx), l.Organiser)
	}
	if err != nil {
		return l, err
	}
	return l, CheckTag(seen, VersionTag(l.Version))
}

// onLadder notifies the readers of a ladder of what was done, unless that failed.
func (s *Service) onLadder(id string, err error) error {
	if err == nil && s.LadderChanged != nil {
		s.LadderChanged(id)
	}
	return err
}

// LadderSettings returns the settings of a new ladder; what is left out has the default.
func LadderSettings(b gen.NewLadder) ladder.Settings {
	l := ladder.Settings{
		Name: b.Name, Variant: b.Variant, TimeControl: b.TimeControl, Rated: true, Rules: ladder.DefaultRules(),
		Hall: b.Venue != nil && *b.Venue == gen.VenueHall,
	}
	Set(&l.Rated, b.Rated)
	Set(&l.Rules.Reach, b.Reach)
	Set(&l.Rules.Accept, b.Accept)
	Set(&l.Rules.Play, b.Play)
	Set(&l.Rules.Again, b.Again)
	return l
}
