package storetest

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"testing"

	"quatuor/engine/table"
	"quatuor/tournament/director"
)

// GameLists tests lists of games.
func GameLists(t *testing.T, open Open) {
	cases(t, open, []testCase{
		{"filters and order", listGames},
		{"pages are stable while games are added", pageGames},
		{"a cursor from elsewhere is refused", foreignCursor},
	})
}

func listGames(t *testing.T, p Ports) {
	create(t, p, "t1")
	end := func(g table.Game) table.Step { return finish(g, 9000) }
	for i, steps := range [][]func(table.Game) table.Step{{}, {start}, {start, end}, {start, end}, {start}} {
		g := newGame(t, fmt.Sprintf("g%d", i), "ann", fmt.Sprintf("opponent%d", i%2))
		g.CreatedAt = int64(1000 * (i / 2)) // two games each at the same time
		if i == 3 {
			g.Variant, g.Players = "quits/duel", []string{"bob", "bob"}
		}
		if i == 4 {
			g.Tournament = &table.Place{ID: "t1", Round: 2, Board: 3}
		}
		do(t, p, g, steps...)
	}
	for _, c := range []struct {
		name string
		f    table.Filter
		want []string
	}{
		{"all", table.Filter{}, []string{"g4", "g3", "g2", "g1", "g0"}},
		{"one status", table.Filter{Status: []table.Status{table.Finished}}, []string{"g3", "g2"}},
		{"three", table.Filter{Status: []table.Status{table.Waiting, table.Running, table.Paused, table.Waiting}}, []string{"g4", "g1", "g0"}},
		{"player", table.Filter{Player: "ann"}, []string{"g4", "g2", "g1", "g0"}},
		{"player at two seats", table.Filter{Player: "bob"}, []string{"g3"}},
		{"player, status", table.Filter{Player: "ann", Status: []table.Status{table.Running}}, []string{"g4", "g1"}},
		{"variant", table.Filter{Variant: "quits/duel"}, []string{"g3"}},
		{
			"variants",
			table.Filter{Variants: []string{"quits/duel", "quits/duel", "quixo/duel"}},
			[]string{"g4", "g3", "g2", "g1", "g0"},
		},
		{
			"variants, status",
			table.Filter{
				Variants: []string{"quits/duel", "quixo/duel"}, Status: []table.Status{table.Finished},
			},
			[]string{"g3", "g2"},
		},
		{"variant, status", table.Filter{Variant: "quixo/duel", Status: []table.Status{table.Finished}}, []string{"g2"}},
		{"tournament", table.Filter{Tournament: "t1"}, []string{"g4"}},
		{"tournament, status", table.Filter{Tournament: "t1", Status: []table.Status{table.Waiting}}, []string{}},
		{"nobody", table.Filter{Player: "zoe"}, []string{}},
	} {
		got, next, err := p.Games.List(t.Context(), c.f, 10, "")
		must(t, err)
		equal(t, c.name, ids(got), c.want)
		equal(t, c.name+": next", next, "")
	}
	page, _, err := p.Games.List(t.Context(), table.Filter{Tournament: "t1"}, 10, "")
	must(t, err)
	stored, _, err := p.Games.Load(t.Context(), "g4")
	must(t, err)
	sameGame(t, page[0], stored)
}

func pageGames(t *testing.T, p Ports) {
	var want []string
	for i := range 20 {
		g := newGame(t, fmt.Sprintf("g%02d", i), "ann", "bob")
		g.CreatedAt = int64(1000 + i/3)
		do(t, p, g, start)
		want = append(want, g.ID)
	}
	slices.Reverse(want)
	filters := map[string]table.Filter{
		"all": {}, "by player": {Player: "bob"}, "by status": {Status: []table.Status{table.Running, table.Waiting}},
	}
	for name, f := range filters {
		var got []string
		cursor := ""
		for page := 0; ; page++ {
			if page > len(want) {
				t.Fatal("the list does not end")
			}
			games, next, err := p.Games.List(t.Context(), f, 7, cursor)
			must(t, err)
			got = append(got, ids(games)...)
			newer := newGame(t, fmt.Sprintf("newer %s %d", name, page), "ann", "bob")
			newer.CreatedAt = 9000
			do(t, p, newer)
			cursor = next
			if next == "" {
				break
			}
		}
		got = slices.DeleteFunc(got, func(id string) bool { return id[0] == 'n' }) // of the lists before
		equal(t, name, got, want)
	}
}

func foreignCursor(t *testing.T, p Ports) {
	for i := range 3 {
		do(t, p, newGame(t, fmt.Sprint("g", i), "ann", "bob"))
	}
	_, next, err := p.Games.List(t.Context(), table.Filter{}, 2, "")
	must(t, err)
	zero := base64.RawURLEncoding.EncodeToString([]byte(`["games",{"ID":"a\u0000","id":"a\u0000","at":1,"status":"\u0000"}]`))
	for _, cursor := range []string{"nonsense", "!", next + "x", next[1:], zero} {
		_, _, err := p.Games.List(t.Context(), table.Filter{}, 2, cursor)
		invalidCursor(t, cursor, err)
	}
	_, _, err = p.Tournaments.List(t.Context(), director.Filter{}, 2, next)
	invalidCursor(t, "of games, for tournaments", err)
}

func invalidCursor(t *testing.T, cursor string, err error) {
	t.Helper()
	var bad interface{ InvalidCursor() }
	if !errors.As(err, &bad) {
		t.Errorf("cursor %q: error %v, want one with the method InvalidCursor", cursor, err)
	}
}
