package command

import (
	"context"
	"errors"

	"quatuor/api/auth"
	"quatuor/tournament/club"
)

// OwnPlayer returns the player of the asker's account; ErrNoPlayer without one.
func (s *Service) OwnPlayer(ctx context.Context) (club.Player, error) {
	who := auth.From(ctx)
	if who.PlayerID == "" {
		return club.Player{}, ErrNoPlayer
	}
	p, err := s.People.Player(ctx, who.PlayerID)
	if err == nil && p.AccountID != who.AccountID {
		err = ErrNoPlayer // another account has claimed it just now
	}
	return p, err
}

// ownPlaying is OwnPlayer with the right to play.
func (s *Service) ownPlaying(ctx context.Context) (club.Player, error) {
	who := auth.From(ctx)
	if err := who.Demand(who.Level(), auth.PlayGames); err != nil {
		return club.Player{}, err
	}
	return s.OwnPlayer(ctx)
}

// Block takes no more challenges from a player.
func (s *Service) Block(ctx context.Context, other string) error {
	p, err := s.ownPlaying(ctx)
	if err != nil {
		return err
	}
	if other == p.ID {
		return Invalid("/player_id", "a player cannot block themselves")
	}
	err = s.People.Block(ctx, club.Block{Player: p.ID, Blocked: other, At: s.Now().UnixMilli()})
	if errors.Is(err, club.ErrNotFound) {
		return Invalid("/player_id", club.ErrNotFound.Error())
	}
	return err
}

// Unblock takes challenges from a player again.
func (s *Service) Unblock(ctx context.Context, other string) error {
	p, err := s.ownPlaying(ctx)
	if err != nil {
		return err
	}
	return s.People.Unblock(ctx, p.ID, other)
}

// Challenges is how a player takes challenges; nil leaves it as it is.
type Challenges struct {
	Open, Closed *bool
	AtOnce       *int32 // how many may be under way
}

// SetChallenges sets how the identity's player takes challenges.
func (s *Service) SetChallenges(ctx context.Context, in Challenges) error {
	p, err := s.ownPlaying(ctx)
	if err != nil {
		return err
	}
	before := p
	if in.Open != nil {
		p.OpenToChallenges = *in.Open
		p.ClosedToChallenges = p.ClosedToChallenges && !*in.Open
	}
	if in.Closed != nil {
		p.ClosedToChallenges = *in.Closed
		p.OpenToChallenges = p.OpenToChallenges && !*in.Closed
	}
	if in.AtOnce != nil {
		p.ChallengesAtOnce = int(*in.AtOnce)
	}
	if p.OpenToChallenges == before.OpenToChallenges && p.ClosedToChallenges == before.ClosedToChallenges &&
		p.ChallengesAtOnce == before.ChallengesAtOnce {
		return nil
	}
	return s.StorePlayer(ctx, &p)
}
