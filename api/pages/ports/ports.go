// Package ports is the interface of all pages to the domain, for reading.
package ports

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"quatuor/api/auth"
	"quatuor/engine/botid"
	"quatuor/engine/catalog"
	"quatuor/engine/table"
	"quatuor/rating/ledger"
	"quatuor/rating/systems"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
	"quatuor/tournament/director"
)

// Ports are the sources of the pages' data. Those without a nil case are required.
type Ports struct {
	Games          *table.Tables
	GameList       table.Archive
	Tournaments    *director.Director
	TournamentList director.Lister
	Players        Players
	Ratings        ledger.Reader
	Lists          *systems.Config // rating systems of the lists; nil for Elo in club mode
	Guard          Guard           // nil for pages without login, and without all that requires it
	Variants       []string        // ids of the variants offered; nil for all
}

// Guard logs users in and out; *auth.Guard implements it.
type Guard interface {
	OriginOf(r *http.Request, address string) auth.Origin
	CheckLogin(ctx context.Context, login, password string, from auth.Origin) (account.Account, error)
	SignIn(ctx context.Context, w http.ResponseWriter, a account.Account, from auth.Origin) error
	SignOut(ctx context.Context, w http.ResponseWriter, who auth.Identity) error
	// UnknownCode counts a failed attempt with a code against the client's address. It returns refusal, or an
	// *auth.LimitError after too many.
	UnknownCode(ctx context.Context, address string, refusal error) error
}

// Players reads players, their accounts and their blocks.
type Players interface {
	Player(ctx context.Context, id string) (club.Player, error)
	Players(ctx context.Context, ids []string) (map[string]club.Player, error)
	ListPlayers(ctx context.Context, f club.PlayerFilter, limit int, cursor string) ([]club.Player, string, error)
	Account(ctx context.Context, id string) (account.Account, error)
	Blocks(ctx context.Context, player string) ([]club.Block, error)
}

// Found fetches players in a single query. Empty and repeated ids, and those of bots, are skipped.
func (p *Ports) Found(ctx context.Context, ids ...string) (map[string]club.Player, error) {
	ids = slices.Clone(ids) // the slice may be a game's own, which is shared
	slices.Sort(ids)
	ids = slices.DeleteFunc(slices.Compact(ids), func(id string) bool { return id == "" || botid.Level(id) > 0 })
	if len(ids) == 0 {
		return nil, nil
	}
	return p.Players.Players(ctx, ids)
}

// Offered lists the ids of a game's variants that the installation offers.
func (p *Ports) Offered(game string) (ids []string) {
	for _, id := range catalog.IDs() {
		if game == id[:strings.IndexAny(id+"/", "/-")] && (p.Variants == nil || slices.Contains(p.Variants, id)) {
			ids = append(ids, id)
		}
	}
	return ids
}
