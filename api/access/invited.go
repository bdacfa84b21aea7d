package access

import (
	"context"
	"slices"

	"quatuor/api/auth"
	"quatuor/engine/sentence"
	"quatuor/engine/table"
	"quatuor/tournament/club"
)

// People looks up players, and whether they accept or block each other.
type People interface {
	Players(ctx context.Context, ids []string) (map[string]club.Player, error)
	// Opponents returns players as seen by the inviter, the player with the id in asks.
	Opponents(ctx context.Context, ids []string, asks string) (map[string]club.Opponent, error)
	BlockedBy(ctx context.Context, players []string, blocked string) (map[string]bool, error)
}

// SeatFault is the reason why a player cannot take a seat of a casual game.
type SeatFault struct {
	Index  int // of the seat, from 0
	Detail sentence.Sentence
}

// Invited returns the seats with players that must accept a casual game before it starts: all but the inviter's own and
// those of players open to challenges, which count against those players' quotas instead. Unknown players, players
// unable to accept, and players closed to challenges are faults. An id of "" is an open seat, and waits.
func Invited(ctx context.Context, in People, who auth.Identity, ids []string) (
	invited table.SeatSet, quotas []table.Quota, faults []SeatFault, err error,
) {
	others := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == "" || id == who.PlayerID })
	players, err := in.Opponents(ctx, others, who.PlayerID)
	if err != nil {
		return 0, nil, nil, err
	}
	for i, id := range ids {
		if id == "" {
			invited = invited.With(int8(i + 1))
			continue
		}
		if id == who.PlayerID {
			continue
		}
		p, found := players[id]
		fault := sentence.New("there is no such player")
		if found {
			fault = unable(who, p)
		}
		if fault.IsZero() && (p.ClosedToChallenges || p.Blocks) {
			fault = sentence.New("%s takes no challenges at the moment", p.Name)
		}
		if !fault.IsZero() {
			faults = append(faults, SeatFault{i, fault})
		}
		if seat := int8(i + 1); p.OpenToChallenges {
			quotas = append(quotas, table.ChallengeQuota(p.ID, seat, p.ChallengesAtOnce))
		} else {
			invited = invited.With(seat)
		}
	}
	return invited, quotas, faults, nil
}

// Welcome returns club.ErrUnwelcome if a player may not sit down with others: any of them has blocked the player.
func Welcome(ctx context.Context, in People, player string, others []string) error {
	others = slices.DeleteFunc(slices.Clone(others), func(id string) bool { return id == "" || id == player })
	blocked, err := in.BlockedBy(ctx, others, player)
	if err == nil && len(blocked) > 0 {
		err = club.ErrUnwelcome
	}
	return err
}

// MaySit returns an error if a player may not take a seat in a game: club.ErrUnwelcome, or table.ErrInvitations for
// a player with seats in too many waiting games. It returns nil for a player already in the game.
func MaySit(ctx context.Context, in People, games table.Archive, player string, g table.Game) error {
	if slices.Contains(g.Players, player) {
		return nil
	}
	if err := Welcome(ctx, in, player, g.Players); err != nil {
		return err
	}
	waiting, _, err := games.List(ctx, table.Filter{Player: player, Invited: true},
		table.MaxInvitations+table.MaxSeatsTaken, "")
	if err != nil {
		return err
	}
	taken := 0
	for i := range waiting {
		if waiting[i].Open && !waiting[i].Invites(player) {
			taken++
		}
	}
	if taken >= table.MaxSeatsTaken {
		return sentence.Errorf("%w: you sit in %d games that wait for players, and %d is the limit; leave one first",
			table.ErrInvitations, taken, table.MaxSeatsTaken)
	}
	return nil
}

// Challenge returns club.ErrUnwelcome if a player may not challenge others: any of them takes no challenges, or has
// blocked the player.
func Challenge(ctx context.Context, in People, player string, others []string) error {
	if err := Welcome(ctx, in, player, others); err != nil {
		return err
	}
	players, err := in.Players(ctx, others)
	if err != nil {
		return err
	}
	for id, p := range players {
		if id != player && p.ClosedToChallenges {
			return club.ErrUnwelcome
		}
	}
	return nil
}

// unable returns the reason why a player cannot accept a game, the zero Sentence otherwise.
func unable(who auth.Identity, p club.Opponent) sentence.Sentence {
	switch {
	case p.ID == who.PlayerID:
		return sentence.Sentence{}
	case p.AccountID == "":
		return sentence.New("%s has no account, and so cannot accept a game; people without an account play in tournaments",
			p.Name)
	case p.Closed:
		return sentence.New("the account of %s is closed, and so cannot accept a game", p.Name)
	}
	return sentence.Sentence{}
}
