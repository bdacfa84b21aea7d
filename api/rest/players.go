package rest

import (
	"context"
	"crypto/subtle"
	"errors"
	"maps"
	"strings"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/engine/botid"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// ListPlayers lists players by name.
func (a *API) ListPlayers(ctx context.Context, r gen.ListPlayersRequestObject) (gen.ListPlayersResponseObject, error) {
	p := r.Params
	filter := club.PlayerFilter{Name: valueOf(p.Name), Club: valueOf(p.Club)}
	page, next, err := a.People.ListPlayers(ctx, filter, pageLength(p.Limit), valueOf(p.Cursor))
	if err != nil {
		return nil, err
	}
	list := gen.PlayerList{Items: make([]gen.Player, len(page)), NextCursor: optional(next)}
	for i := range page {
		list.Items[i] = player(auth.From(ctx), page[i])
	}
	return gen.ListPlayers200JSONResponse{Body: list, Headers: gen.ListPlayers200ResponseHeaders{
		Link: nextLink("/players", next, p.Limit, map[string]string{"name": filter.Name, "club": filter.Club}),
	}}, nil
}

// player returns a player's view, with the year of birth only for the player and for organisers.
func player(who auth.Identity, p club.Player) gen.Player {
	shown := gen.Player{
		ID: p.ID, Name: p.Name, Club: optional(p.Club), Claimed: p.AccountID != "", CreatedAt: command.Moment(p.CreatedAt),
	}
	shown.OpenToChallenges, shown.Bot = optional(p.OpenToChallenges), optional(botid.HasAccount(p.ID))
	if len(p.Rating) > 0 {
		given := gen.GivenRatings(maps.Clone(p.Rating))
		shown.Rating = &given
	}
	if seesBirthYear(who, p) {
		shown.BirthYear = optional(p.BirthYear)
	}
	return shown
}

func seesBirthYear(who auth.Identity, p club.Player) bool {
	return command.Owns(who, p) || who.Can(who.Level(), auth.SeeBirthYears)
}

// playerTag returns the entity tag of a player as an identity sees it.
func playerTag(who auth.Identity, p club.Player) string {
	return command.ShownTag(seesBirthYear(who, p), p.Version, player(who, p))
}

// GetPlayer shows a player.
func (a *API) GetPlayer(ctx context.Context, r gen.GetPlayerRequestObject) (gen.GetPlayerResponseObject, error) {
	p, err := a.People.Player(ctx, r.PlayerID)
	if err != nil {
		return nil, err
	}
	return gen.GetPlayer200JSONResponse{
		Body: player(auth.From(ctx), p), Headers: gen.GetPlayer200ResponseHeaders{ETag: playerTag(auth.From(ctx), p)},
	}, nil
}

// CreatePlayer creates a player without an account.
func (a *API) CreatePlayer(
	ctx context.Context, r gen.CreatePlayerRequestObject,
) (gen.CreatePlayerResponseObject, error) {
	who, b := auth.From(ctx), r.Body
	p, err := a.commands.CreatePlayers(ctx, func() ([]club.Player, error) {
		return []club.Player{{
			ID: idOf(who, "player", r.Params.IdempotencyKey, b), Name: strings.TrimSpace(b.Name),
			Club: strings.TrimSpace(valueOf(b.Club)), BirthYear: valueOf(b.BirthYear), Rating: valueOf(b.Rating),
		}}, nil
	})
	if err != nil {
		return nil, err
	}
	return gen.CreatePlayer201JSONResponse{
		Body: player(who, p[0]), Headers: gen.CreatePlayer201ResponseHeaders{ETag: command.VersionTag(p[0].Version)},
	}, nil
}

// UpdatePlayer changes a player's particulars.
func (a *API) UpdatePlayer(
	ctx context.Context, r gen.UpdatePlayerRequestObject,
) (gen.UpdatePlayerResponseObject, error) {
	p, err := command.Players.Update(ctx, a.commands, command.On{ID: r.PlayerID, Seen: r.Params.IfMatch}, func(p *club.Player) error {
		if r.Body.Name != nil {
			p.Name = strings.TrimSpace(*r.Body.Name)
		}
		if r.Body.Club != nil {
			p.Club = strings.TrimSpace(*r.Body.Club)
		}
		command.Set(&p.BirthYear, r.Body.BirthYear)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdatePlayer200JSONResponse{
		Body: player(auth.From(ctx), p), Headers: gen.UpdatePlayer200ResponseHeaders{ETag: playerTag(auth.From(ctx), p)},
	}, nil
}

// CreateClaimCode creates a code with which an account can claim the player.
func (a *API) CreateClaimCode(
	ctx context.Context, r gen.CreateClaimCodeRequestObject,
) (gen.CreateClaimCodeResponseObject, error) {
	_, code, err := a.commands.OfferClaim(ctx, r.PlayerID)
	if err != nil {
		return nil, err
	}
	return gen.CreateClaimCode201JSONResponse{Code: code}, nil
}

// ClaimPlayer assigns a player to the account that has its code.
func (a *API) ClaimPlayer(ctx context.Context, r gen.ClaimPlayerRequestObject) (gen.ClaimPlayerResponseObject, error) {
	who := auth.From(ctx)
	if err := who.Demand(who.Level(), auth.ClaimPlayer); err != nil {
		return nil, err
	}
	p, err := a.People.Player(ctx, r.PlayerID)
	if err != nil {
		return nil, err
	}
	hash := auth.HashClaimCode(r.Body.Code)
	switch {
	case command.Owns(who, p):
		return claimed(who, p), nil // the response to an earlier claim was lost
	case who.PlayerID != "":
		return nil, account.ErrHasPlayer
	case p.AccountID != "":
		return nil, command.ErrClaimed
	case p.ClaimHash == "" || subtle.ConstantTimeCompare([]byte(hash), []byte(p.ClaimHash)) != 1:
		return nil, a.Guard.UnknownCode(ctx, auth.From(ctx).Address, command.ErrWrongCode)
	}
	p, err = a.People.Claim(ctx, hash, who.AccountID)
	switch {
	case errors.Is(err, account.ErrHasPlayer), errors.Is(err, club.ErrNotFound):
		return a.claimedMeanwhile(ctx, who, r.PlayerID, err)
	case err != nil:
		return nil, err
	}
	a.Guard.AccountChanged(who.AccountID)
	return claimed(who, p), nil
}

// claimedMeanwhile handles a claim that lost a race: if the same account won it, the response is the same.
func (a *API) claimedMeanwhile(
	ctx context.Context, who auth.Identity, id string, refusal error,
) (gen.ClaimPlayerResponseObject, error) {
	p, err := a.People.Player(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case command.Owns(who, p):
		a.Guard.AccountChanged(who.AccountID)
		return claimed(who, p), nil
	case errors.Is(refusal, club.ErrNotFound) && p.AccountID != "":
		return nil, command.ErrClaimed
	case errors.Is(refusal, club.ErrNotFound):
		return nil, command.ErrWrongCode // its code has changed
	}
	return nil, refusal
}

func claimed(who auth.Identity, p club.Player) gen.ClaimPlayer200JSONResponse {
	return gen.ClaimPlayer200JSONResponse{
		Body: player(who, p), Headers: gen.ClaimPlayer200ResponseHeaders{ETag: command.VersionTag(p.Version)},
	}
}
