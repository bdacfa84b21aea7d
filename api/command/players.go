package command

import (
	"cmp"
	"context"
	"errors"

	"github.com/google/uuid"

	"quatuor/api/auth"
	"quatuor/tournament/club"
)

// CreatePlayers stores new players, all or none. read returns them; its errors come after one for a missing right.
// Players have ids of the caller's choice, or all "": if the first id is known, an earlier request has stored them all,
// and nothing is done.
func (s *Service) CreatePlayers(ctx context.Context, read func() ([]club.Player, error)) ([]club.Player, error) {
	who := auth.From(ctx)
	if err := who.Demand(who.Level(), auth.CreatePlayers); err != nil {
		return nil, err
	}
	players, err := read()
	if err != nil {
		return nil, err
	}
	at, before := s.Now().UnixMilli(), false
	if id := players[0].ID; id != "" {
		first, err := s.People.Player(ctx, id)
		if before = err == nil; before {
			players[0], at = first, first.CreatedAt
		} else if !errors.Is(err, club.ErrNotFound) {
			return nil, err
		}
	}
	for i := range players {
		p := &players[i]
		if p.ID == "" {
			p.ID = uuid.Must(uuid.NewV7()).String()
		}
		p.CreatedBy, p.CreatedAt, p.Version = who.AccountID, at, max(p.Version, 1)
	}
	if before {
		return players, nil
	}
	return players, s.People.CreatePlayer(ctx, players...)
}

// CompletePlayers fills in years of birth and clubs that players do not have yet.
func (s *Service) CompletePlayers(ctx context.Context, list []club.Player) error {
	for _, with := range list {
		_, err := Players.Update(ctx, s, On{ID: with.ID, Seen: new("*")}, func(p *club.Player) error {
			p.BirthYear, p.Club = cmp.Or(p.BirthYear, with.BirthYear), cmp.Or(p.Club, with.Club)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Players are changed by their owners, and by those who may edit all of them.
var Players = Kept[club.Player]{
	Name: "player",
	Load: func(c ClubCall, id string) (club.Player, error) { return c.People.Player(c.Ctx, id) },
	Allow: func(c ClubCall, p club.Player) error {
		if Owns(c.Who, p) {
			return c.Demand(auth.EditOwnPlayer)
		}
		return c.Demand(auth.EditPlayers)
	},
	Version: func(p club.Player) int64 { return p.Version },
	Save: func(c ClubCall, _ *club.Player, now club.Player) (club.Player, error) {
		err := c.StorePlayer(c.Ctx, &now)
		return now, err
	},
}

// StorePlayer writes a player over the version it was read in.
func (s *Service) StorePlayer(ctx context.Context, p *club.Player) error {
	from := p.Version
	p.Version++
	if err := s.People.UpdatePlayer(ctx, *p, from); err != nil {
		return err
	}
	s.nameChanged(p.ID)
	return nil
}

// nameChanged invalidates a player's cached name, here and at other instances.
func (s *Service) nameChanged(player string) {
	s.ForgetName(player)
	if s.NameChanged != nil {
		s.NameChanged(player)
	}
}

// NamesEpoch returns a number that is another after each change of a player's name: part of the cache keys of pages with
// names.
func (s *Service) NamesEpoch() uint64 { return s.names.Epoch() }

// ForgetName invalidates a player's cached name.
func (s *Service) ForgetName(player string) { s.names.Forget(player) }

// Owns reports whether a player belongs to the identity's account.
func Owns(who auth.Identity, p club.Player) bool {
	return p.AccountID != "" && p.AccountID == who.AccountID
}

// OfferClaim makes a code with which an account claims a player; earlier codes of the player end.
func (s *Service) OfferClaim(ctx context.Context, id string) (p club.Player, code string, err error) {
	who := auth.From(ctx)
	if err := who.Demand(who.Level(), auth.OfferClaims); err != nil {
		return p, "", err
	}
	if p, err = s.People.Player(ctx, id); err != nil {
		return p, "", err
	}
	if p.AccountID != "" {
		return p, "", ErrClaimed
	}
	code, p.ClaimHash = auth.NewClaimCode()
	return p, code, s.StorePlayer(ctx, &p)
}
