package rest

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"quatuor/api/auth"
	"quatuor/api/gen"
	"quatuor/engine/table"
	"quatuor/tournament/club"
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
	names, err := a.playerNames(ctx, who.PlayerID)
	if err != nil {
		return nil, err
	}
	why := table.DeclinedBy(names[who.PlayerID])
	if r.Body != nil && r.Body.Reason != nil {
		why += ": " + strings.Join(strings.Fields(*r.Body.Reason), " ")
	}
	s, err := a.Tables.DeclineInvitation(ctx, a.arrival(ctx, r.GameID), who.AccountID, who.PlayerID, why)
	if err != nil {
		return nil, err
	}
	return a.show(ctx, s, http.StatusOK)
}

// invited returns the seats whose players have to accept a game before it starts: all but the asker's own, and those whose
// players are open to challenges. It refuses players that there are not, and those who cannot accept.
func (a *API) invited(ctx context.Context, who auth.Identity, seats []gen.NewGameSeat) (invited table.SeatSet, err error) {
	ids := make([]string, len(seats))
	for i, seat := range seats {
		ids[i] = seat.PlayerID
	}
	players, err := a.People.Players(ctx, ids)
	if err != nil {
		return 0, err
	}
	refusal := &Refusal{Err: ErrInvalid}
	for i, id := range ids {
		p, found := players[id]
		fault := "there is no such player"
		if found {
			if fault, err = a.unable(ctx, who, p); err != nil {
				return 0, err
			}
		}
		if fault != "" {
			refusal.Fields = append(refusal.Fields, FieldError{fmt.Sprintf("/seats/%d/player_id", i), fault})
		}
		if id != who.PlayerID && !p.OpenToChallenges {
			invited = invited.With(int8(i + 1))
		}
	}
	if len(refusal.Fields) > 0 {
		return 0, refusal
	}
	return invited, nil
}

// unable says why a player cannot agree to a game, "" for one who can.
func (a *API) unable(ctx context.Context, who auth.Identity, p club.Player) (string, error) {
	switch {
	case p.ID == who.PlayerID:
		return "", nil
	case p.AccountID == "":
		return p.Name + " has no account, and so cannot accept a game; people without an account play in tournaments", nil
	}
	account, err := a.People.Account(ctx, p.AccountID)
	if err != nil || account.DisabledAt == 0 {
		return "", err
	}
	return "the account of " + p.Name + " is closed, and so cannot accept a game", nil
}

// setChallenges says whether the asker's player is open to challenges.
func (a *API) setChallenges(ctx context.Context, who auth.Identity, open bool) error {
	if err := who.Demand(who.Level(), auth.PlayGames); err != nil {
		return err
	}
	if who.PlayerID == "" {
		return ErrNoPlayer
	}
	p, err := a.People.Player(ctx, who.PlayerID)
	if err != nil {
		return err
	}
	if p.AccountID != who.AccountID {
		return ErrNoPlayer // another account has claimed it just now
	}
	if p.OpenToChallenges == open {
		return nil
	}
	p.OpenToChallenges = open
	return a.storePlayer(ctx, &p)
}
