package storetest

import (
	"context"
	"errors"
	"testing"

	"quatuor/engine/table"
	"quatuor/rating/elo"
	"quatuor/rating/ledger"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// mergePlayers merges a record without an account into one with, and back along the chain: whole, or not at all where the
// ratings cannot be computed.
func mergePlayers(t *testing.T, p Ports) {
	ctx := t.Context()
	must(t, p.People.CreateAccount(ctx, account.Account{ID: "a", Login: "a"}, &club.Player{ID: "double", Name: "Ada L.", Version: 1}))
	must(t, p.People.CreatePlayer(ctx,
		club.Player{ID: "ada", Name: "Ada", Version: 1, Rating: map[string]float64{"quixo-blitz": 1700}},
		club.Player{ID: "third", Name: "Ada Lovelace", Version: 1, ClaimHash: "code"},
	))
	game := newGame(t, "open", "double", "bob")
	must(t, p.Games.Create(ctx, []table.Game{game}))
	recompute := func(ctx context.Context, in ledger.Store) error {
		_, err := ledger.New(in, elo.Club{}).Recompute(ctx)
		return err
	}
	merge := func(keep, gone string) error {
		return p.People.MergePlayers(ctx, club.Merge{Keep: keep, Gone: gone, By: "a", At: 1}, recompute)
	}
	refused(t, "merging one with itself", merge("ada", "ada"), club.ErrMergeSame)
	refused(t, "merging one that is not there", merge("ada", "nobody"), club.ErrNotFound)
	refused(t, "merging one who plays", merge("ada", "double"), club.ErrMergePlaying)
	broken := errors.New("broken")
	err := p.People.MergePlayers(ctx, club.Merge{Keep: "double", Gone: "ada"}, func(context.Context, ledger.Store) error { return broken })
	if !errors.Is(err, broken) {
		t.Errorf("a merge without ratings: %v", err)
	}
	before, err := p.People.Player(ctx, "ada")
	must(t, err)
	equal(t, "the player after a failed merge", before.ID, "ada")
	must(t, merge("double", "ada"))
	kept, err := p.People.Player(ctx, "ada")
	must(t, err)
	equal(t, "the player that the id leads to", kept.ID, "double")
	equal(t, "the rating to start with", kept.Rating["quixo-blitz"], 1700)
	equal(t, "the account", kept.AccountID, "a")
	refused(t, "merging what went", merge("third", "ada"), club.ErrNotFound)
	must(t, merge("double", "third"))
	all, err := p.People.Players(ctx, []string{"ada", "third", "double", "nobody"})
	must(t, err)
	equal(t, "players found", len(all), 3)
	equal(t, "the third", all["third"].ID, "double")
}
