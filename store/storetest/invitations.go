package storetest

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"quatuor/engine/table"
)

// invitation is a game by an account that waits for the player of seat 2.
func invitation(t *testing.T, id, by, invited string) table.Game {
	t.Helper()
	g := newGame(t, id, "ann", invited)
	g.CreatedBy = by
	g.Invited = g.Invited.With(2)
	g.Deadline = 86_401_000
	return g
}

// accept is the step of seat 2's acceptance, which starts the game.
func accept(g table.Game) table.Step {
	return step(g, func(g *table.Game) {
		g.Invited = 0
		g.Status = table.Running
		g.StartedAt = 2000
		g.Deadline = 302_000
	}, table.Line{Kind: table.LineAccept, Seat: 2, At: 2000, Turn: 1})
}

func invitations(t *testing.T, p Ports) {
	create := func(g table.Game) error { return p.Games.Create(t.Context(), []table.Game{g}) }
	for i := range table.MaxInvitations {
		must(t, create(invitation(t, fmt.Sprint("g", i), "a", fmt.Sprint("p", i))))
	}
	refused(t, "one more", create(invitation(t, "more", "a", "bob")), table.ErrInvitations)
	_, _, err := p.Games.Load(t.Context(), "more")
	refused(t, "what was refused", err, table.ErrNotFound)
	must(t, create(invitation(t, "g0", "a", "p0"))) // is there already
	must(t, create(invitation(t, "other", "b", "bob")))
	must(t, create(newGame(t, "waits for nobody", "ann", "bob")))

	must(t, p.Games.Append(t.Context(), accept(invitation(t, "g0", "a", "p0"))))
	must(t, create(invitation(t, "first for bob", "a", "bob")))
	refused(t, "one more after one was accepted", create(invitation(t, "more", "a", "cid")), table.ErrInvitations)
	for i := range 5 {
		must(t, p.Games.Append(t.Context(), abort(invitation(t, fmt.Sprint("g", 1+i), "a", fmt.Sprint("p", 1+i)), 3000)))
	}
	must(t, create(invitation(t, "second for bob", "a", "bob")))
	p = p.Reopen(t)
	must(t, create(invitation(t, "third for bob", "a", "bob")))
	refused(t, "the fourth for one player", create(invitation(t, "fourth for bob", "a", "bob")), table.ErrInvitations)
	must(t, create(invitation(t, "for cid", "a", "cid")))
	must(t, create(invitation(t, "for bob by another", "b", "bob")))
}

// invitationRace lets an account send more invitations at the same moment than it may.
func invitationRace(t *testing.T, p Ports) {
	many := func(n int, player func(i int) string) (stored int64) {
		var made atomic.Int64
		var group sync.WaitGroup
		for i := range n {
			group.Go(func() {
				g := invitation(t, player(i)+fmt.Sprint(" ", i), "a", player(i))
				switch err := p.Games.Create(t.Context(), []table.Game{g}); {
				case err == nil:
					made.Add(1)
				case !errors.Is(err, table.ErrInvitations):
					t.Error(err)
				}
			})
		}
		group.Wait()
		return made.Load()
	}
	equal(t, "invitations of one player", many(12, func(int) string { return "bob" }), table.MaxInvitationsTo)
	equal(t, "invitations of others", many(40, func(i int) string {
		return fmt.Sprint("p", i)
	}), table.MaxInvitations-table.MaxInvitationsTo)
}
