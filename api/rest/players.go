package rest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"

	"github.com/google/uuid"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/api/internal/roster"
	"quatuor/engine/botid"
	"quatuor/tournament/club"
)

// ListPlayers lists players by name.
func (a *API) ListPlayers(ctx context.Context, r gen.ListPlayersIn) (gen.ListPlayersOut, error) {
	p := r.Params
	filter := club.PlayerFilter{Name: valueOf(p.Name), Club: valueOf(p.Club)}
	page, next, err := a.People.ListPlayers(ctx, filter, pageLength(p.Limit), valueOf(p.Cursor))
	items := each(page, func(p club.Player) gen.Player { return player(auth.From(ctx), p) })
	return gen.ListPlayers200JSON{
		Body: gen.PlayerList{Items: items, NextCursor: optional(next)}, Headers: a.linked(next),
	}, err
}

// player returns a player's view, with the year of birth only for the player and for organisers.
func player(who auth.Identity, p club.Player) gen.Player {
	shown := gen.Player{
		ID: p.ID, Name: p.Name, Club: optional(p.Club), Claimed: p.AccountID != "", CreatedAt: command.Moment(p.CreatedAt),
	}
	shown.OpenToChallenges, shown.Bot = optional(p.OpenToChallenges), optional(botid.HasAccount(p.ID))
	if len(p.Rating) > 0 {
		shown.Rating = new(gen.GivenRatings(maps.Clone(p.Rating)))
	}
	if seesBirthYear(who, p) {
		shown.BirthYear = optional(p.BirthYear)
	}
	return shown
}

func seesBirthYear(who auth.Identity, p club.Player) bool {
	return command.Owns(who, p) || who.Can(who.Level(), auth.SeeBirthYears)
}

// taggedPlayer returns a player as the client sees it.
func taggedPlayer(ctx context.Context, p club.Player) gen.TaggedPlayerJSON {
	who := auth.From(ctx)
	v := player(who, p)
	tag := command.ShownTag(seesBirthYear(who, p), p.Version, v)
	return gen.TaggedPlayerJSON{Body: v, Headers: gen.Tagged{ETag: tag}}
}

// GetPlayer shows a player.
func (a *API) GetPlayer(ctx context.Context, r gen.GetPlayerIn) (gen.GetPlayerOut, error) {
	p, err := a.People.Player(ctx, r.PlayerID)
	return taggedPlayer(ctx, p), err
}

// CreatePlayer creates a player without an account.
func (a *API) CreatePlayer(ctx context.Context, r gen.CreatePlayerIn) (gen.CreatePlayerOut, error) {
	b := r.Body
	p, err := command.CreatePlayers.Run(ctx, a.commands, []club.Player{{
		ID: idOf(auth.From(ctx), "player", r.Params.IdempotencyKey, b), Name: strings.TrimSpace(b.Name),
		Club: strings.TrimSpace(valueOf(b.Club)), BirthYear: valueOf(b.BirthYear), Rating: valueOf(b.Rating),
	}})
	if err != nil {
		return nil, err
	}
	return taggedPlayer(ctx, p[0]), nil
}

// UpdatePlayer changes a player's particulars.
func (a *API) UpdatePlayer(ctx context.Context, r gen.UpdatePlayerIn) (gen.UpdatePlayerOut, error) {
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
	return taggedPlayer(ctx, p), err
}

// CreateClaimCode creates a code that lets an account claim the player.
func (a *API) CreateClaimCode(ctx context.Context, r gen.CreateClaimCodeIn) (gen.CreateClaimCodeOut, error) {
	offer, err := command.OfferClaim.Run(ctx, a.commands, r.PlayerID)
	return gen.ClaimCode{Code: offer.Code}, err
}

// ClaimPlayer assigns a player to the account that has its code.
func (a *API) ClaimPlayer(ctx context.Context, r gen.ClaimPlayerIn) (gen.ClaimPlayerOut, error) {
	p, err := command.ClaimPlayer.Run(ctx, a.commands, command.PlayerCode{Player: r.PlayerID, Code: r.Body.Code})
	return taggedPlayer(ctx, p), err
}

// maxLineFaults is the maximum number of invalid lines listed in a response.
const maxLineFaults = 100

// ImportPlayers creates many players, all or none.
func (a *API) ImportPlayers(ctx context.Context, r gen.ImportPlayersIn) (gen.ImportPlayersOut, error) {
	who := auth.From(ctx)
	if err := command.CreatePlayers.Check(ctx, a.commands, nil); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	players, err := roster.ReadTable(text)
	var faults roster.Faults
	if errors.As(err, &faults) {
		return nil, refusedLines(faults)
	}
	if err != nil {
		return nil, err
	}
	if base := idOf(who, "players", r.Params.IdempotencyKey, string(text)); base != "" {
		for i := range players {
			players[i].ID = uuid.NewSHA1(uuid.NameSpaceOID, fmt.Append(nil, base, i)).String()
		}
	}
	if players, err = command.CreatePlayers.Run(ctx, a.commands, players); err != nil {
		return nil, err
	}
	return gen.ImportedPlayers{Items: each(players, func(p club.Player) gen.Player { return player(who, p) })}, nil
}

// refusedLines returns the error for a table of players with invalid lines.
func refusedLines(faults roster.Faults) error {
	if len(faults) == 1 && !strings.HasPrefix(faults[0].Detail, "line ") {
		return command.Invalid(faults[0].Pointer, faults[0].Detail)
	}
	refusal := &command.Refusal{Err: fmt.Errorf("%w: %w", command.ErrInvalid, faults)}
	for _, f := range faults[:min(len(faults), maxLineFaults)] {
		refusal.Fields = append(refusal.Fields, command.FieldError{Pointer: f.Pointer, Detail: f.Detail})
	}
	return refusal
}
