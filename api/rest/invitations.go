package rest

import (
	"context"
	"fmt"
	"net/http"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/engine/sentence"
	"quatuor/engine/table"
)

// VisitAcceptGameResponse writes the answer, as does its sibling.
func (g *gameAnswer) VisitAcceptGameResponse(w http.ResponseWriter) error { return g.write(w) }

// VisitDeclineGameResponse writes the answer.
func (g *gameAnswer) VisitDeclineGameResponse(w http.ResponseWriter) error { return g.write(w) }

// AcceptGame accepts an invitation for all seats of the asker's player.
func (a *API) AcceptGame(ctx context.Context, r gen.AcceptGameRequestObject) (gen.AcceptGameResponseObject, error) {
	who := auth.From(ctx)
	if err := who.Demand(who.Level(), auth.PlayGames); err != nil {
		return nil, err
	}
	s, err := a.Tables.AcceptInvitation(ctx, a.arrival(ctx, r.GameID), who.AccountID, who.PlayerID)
	if err != nil {
		return nil, err
	}
	a.Presence.Seen(s, who.PlayerID)
	return a.show(ctx, s, http.StatusOK)
}

// DeclineGame declines an invitation, which breaks the game off for all.
func (a *API) DeclineGame(ctx context.Context, r gen.DeclineGameRequestObject) (gen.DeclineGameResponseObject, error) {
	who := auth.From(ctx)
	if err := who.Demand(who.Level(), auth.PlayGames); err != nil {
		return nil, err
	}
	why, err := a.declining(ctx, who, r.Body)
	if err != nil {
		return nil, err
	}
	s, err := a.Tables.DeclineInvitation(ctx, a.arrival(ctx, r.GameID), who.AccountID, who.PlayerID, why)
	if err != nil {
		return nil, err
	}
	return a.show(ctx, s, http.StatusOK)
}

// declining returns the words of the log for a game that the asker's player declines or leaves.
func (a *API) declining(ctx context.Context, who auth.Identity, act *gen.DeclineAct) (sentence.Sentence, error) {
	names, err := a.playerNames(ctx, who.PlayerID)
	if err != nil {
		return sentence.Sentence{}, err
	}
	word := ""
	if act != nil {
		word = valueOf(act.Reason)
	}
	return table.DeclinedBy(names[who.PlayerID], word), nil
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

// setChallenges says whether the asker's player is open or closed to challenges, and to how many at once; nil leaves it as it is.
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
	return a.storePlayer(ctx, &p)
}
