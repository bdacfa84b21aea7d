package rest

import (
	"context"
	"fmt"
	"net/http"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/engine/table"
)

// VisitAcceptGameResponse writes the answer, as does its sibling.
func (g *gameAnswer) VisitAcceptGameResponse(w http.ResponseWriter) error { return g.write(w) }

// VisitDeclineGameResponse writes the answer.
func (g *gameAnswer) VisitDeclineGameResponse(w http.ResponseWriter) error { return g.write(w) }

// AcceptGame accepts an invitation for all seats of the asker's player.
func (a *API) AcceptGame(ctx context.Context, r gen.AcceptGameRequestObject) (gen.AcceptGameResponseObject, error) {
	s, err := command.AcceptInvitation.Run(ctx, a.commands, a.at(ctx, r.GameID, nil), command.None{})
	return a.done(ctx, s, err)
}

// DeclineGame declines an invitation, which breaks the game off for all.
func (a *API) DeclineGame(ctx context.Context, r gen.DeclineGameRequestObject) (gen.DeclineGameResponseObject, error) {
	s, err := command.DeclineInvitation.Run(ctx, a.commands, a.at(ctx, r.GameID, nil), wordOf(r.Body))
	return a.done(ctx, s, err)
}

// wordOf returns the word to the others with an act; "" for none.
func wordOf(act *gen.DeclineAct) string {
	if act == nil {
		return ""
	}
	return valueOf(act.Reason)
}

// invited returns the seats whose players have to accept a game before it starts; see access.Invited.
func (a *API) invited(ctx context.Context, who auth.Identity, seats []gen.NewGameSeat) (table.SeatSet, []table.Quota, error) {
	ids := make([]string, len(seats))
	for i, seat := range seats {
		ids[i] = valueOf(seat.PlayerID)
	}
	invited, quotas, faults, err := access.Invited(ctx, a.People, who, ids)
	for i, seat := range seats {
		if seat.Bot != nil {
			invited = invited.Without(int8(i + 1)) // a bot is always ready
		}
	}
	if err != nil || len(faults) == 0 {
		return invited, quotas, err
	}
	refusal := &command.Refusal{Err: command.ErrInvalid}
	for _, f := range faults {
		refusal.Fields = append(refusal.Fields, command.FieldError{Pointer: fmt.Sprintf("/seats/%d/player_id", f.Index), Detail: f.Detail.String()})
	}
	return 0, nil, refusal
}

// setChallenges says whether the asker's player is open or closed to challenges, and to how many at once; nil leaves it
// as it is.
func (a *API) setChallenges(ctx context.Context, who auth.Identity, open, closed *bool, atOnce *int32) error {
	if err := who.Demand(who.Level(), auth.PlayGames); err != nil {
		return err
	}
	if who.PlayerID == "" {
		return command.ErrNoPlayer
	}
	p, err := a.People.Player(ctx, who.PlayerID)
	if err != nil {
		return err
	}
	if p.AccountID != who.AccountID {
		return command.ErrNoPlayer // another account has claimed it just now
	}
	before := p
	if open != nil {
		p.OpenToChallenges = *open
		p.ClosedToChallenges = p.ClosedToChallenges && !*open
	}
	if closed != nil {
		p.ClosedToChallenges = *closed
		p.OpenToChallenges = p.OpenToChallenges && !*closed
	}
	if atOnce != nil {
		p.ChallengesAtOnce = int(*atOnce)
	}
	if p.OpenToChallenges == before.OpenToChallenges && p.ClosedToChallenges == before.ClosedToChallenges &&
		p.ChallengesAtOnce == before.ChallengesAtOnce {
		return nil
	}
	return a.commands.StorePlayer(ctx, &p)
}
