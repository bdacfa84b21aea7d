package lobby

import (
	"testing"

	"quatuor/engine/table"
)

func TestTheUsualGame(t *testing.T) {
	game := func(variant, control string) table.Game {
		return table.Game{Variant: variant, Controls: []string{control}}
	}
	duels := []string{"quixo/duel", "quits/duel"}
	for name, c := range map[string]struct {
		games  []table.Game
		want   quickGame
		played bool
	}{
		"no game": {nil, quickGame{Variant: "quixo/duel", Control: "300+3"}, false},
		"games that the form does not offer": {
			[]table.Game{game("quivive/melee", "300+3"), game("quits/duel", "60y3x10"), {Variant: "quits/duel"}},
			quickGame{Variant: "quixo/duel", Control: "300+3"},
			false,
		},
		"the most frequent": {
			[]table.Game{game("quixo/duel", "1800"), game("quits/duel", "180+2"), game("quits/duel", "180+2")},
			quickGame{Variant: "quits/duel", Control: "180+2"},
			true,
		},
		"the newest of two": {
			[]table.Game{game("quixo/duel", "1800"), game("quits/duel", "180+2")},
			quickGame{Variant: "quixo/duel", Control: "1800"},
			true,
		},
	} {
		if got, played := usualGame(c.games, duels); got != c.want || played != c.played {
			t.Errorf("%s: %+v, %v", name, got, played)
		}
	}
}
