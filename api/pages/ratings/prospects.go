package ratings

import (
	"context"

	"quatuor/api/internal/roster"
	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/rating/systems"
	"quatuor/tournament"
)

// Prospect is the possible change of a rating by a game.
type Prospect struct {
	systems.Prospect
	Name string // the player; "" where that is clear
}

// prospect returns how a game would change a player's rating; nil if it would not be rated.
func (p *Pages) prospect(ctx context.Context, list string, sides [][]string, player string) (*Prospect, error) {
	would, rated, err := p.Lists.Prospect(ctx, p.Ratings, list, sides, player, p.Now())
	if err != nil || !rated {
		return nil, err
	}
	return &Prospect{Prospect: would}, nil
}

// Prospects returns how an entry's game at a board of a round would change its members' ratings.
func (p *Pages) Prospects(
	ctx context.Context, t *tournament.Tournament, entry tournament.Entry, round, board int,
) ([]Prospect, error) {
	list, ok := roster.ListOf(t)
	rules, err := catalog.Find(t.Variant)
	if err != nil || !ok || !t.Rated || board == 0 {
		return nil, nil //nolint:nilerr // the variant is no longer offered
	}
	pair, err := t.Pairing(round, board)
	if err != nil {
		return nil, err
	}
	info := rules.Info()
	var sides [][]string
	for i, player := range t.Players(pair) {
		side := int(info.SideOf(engine.Seat(i + 1)))
		for len(sides) < side {
			sides = append(sides, nil)
		}
		sides[side-1] = append(sides[side-1], player)
	}
	named, err := p.Look(ctx, entry.Members...)
	if err != nil {
		return nil, err
	}
	var out []Prospect
	for _, member := range entry.Members {
		would, err := p.prospect(ctx, list, sides, member)
		if err != nil {
			return nil, err
		}
		if would == nil {
			continue
		}
		if len(entry.Members) > 1 {
			would.Name = named.Person(member).Name
		}
		out = append(out, *would)
	}
	return out, nil
}
