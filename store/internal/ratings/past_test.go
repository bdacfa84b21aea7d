package ratings_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quatuor/rating/ledger"
	"quatuor/store/internal/outbox"
	"quatuor/store/internal/ratings"
)

// stored is all that is rated.
type stored struct {
	Rows    []ratings.Row
	Current []ratings.Current
	Lists   []ratings.List
	Cursor  int64
}

func (k *kept) stored(t *testing.T) (s stored) {
	t.Helper()
	var err error
	s.Cursor, err = outbox.CursorOf(k.orm, outbox.OfRatings)
	err = errors.Join(err, k.orm.Order("seq, seat").Find(&s.Rows).Error, k.orm.Order("list, player_id").Find(&s.Current).Error,
		k.orm.Order("list").Find(&s.Lists).Error)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRewrite corrects ratings from a place on: it leaves what recording the corrected games would have left.
func TestRewrite(t *testing.T) {
	k := open(t)
	rapid.Check(t, func(r *rapid.T) {
		const games = 5
		draw := func(from int) (rows []ledger.Row) {
			for seq := from; seq <= games; seq++ {
				if rapid.IntRange(0, 3).Draw(r, "skipped") == 0 {
					continue // it counts for no player
				}
				one := rapid.IntRange(0, 2).Draw(r, "player")
				value := float64(rapid.IntRange(1400, 1600).Draw(r, "value"))
				rows = append(rows, rated(int64(seq), 1, fmt.Sprint("player", one), value),
					rated(int64(seq), 2, fmt.Sprint("player", one+1), value-1))
			}
			return rows
		}
		start := rapid.IntRange(1, games).Draw(r, "start")
		before := draw(1)
		kept := slices.DeleteFunc(slices.Clone(before), func(row ledger.Row) bool { return row.Seq >= int64(start) })
		corrected := draw(start)
		k.empty(t)
		if err := k.Record(t.Context(), 0, games+1, slices.Concat(kept, corrected)); err != nil {
			r.Fatal(err)
		}
		want := k.stored(t)
		k.empty(t)
		if err := k.Record(t.Context(), 0, games, before); err != nil {
			r.Fatal(err)
		}
		if err := k.Rewrite(t.Context(), games, games+1, int64(start), []string{list}, corrected); err != nil {
			r.Fatal(err)
		}
		if got := k.stored(t); !reflect.DeepEqual(got, want) {
			r.Errorf("corrected from %d on:\n%+v\nwant\n%+v", start, got, want)
		}
		if err := k.Rewrite(t.Context(), games, games+1, 1, []string{list}, nil); !errors.Is(err, ledger.ErrBehind) {
			r.Errorf("corrected at a cursor that has moved: %v", err)
		}
	})
}

// TestRenew reads the past with the last result of each game, in the place of its first, and puts a draft in the place
// of what is stored, under the regulation that it follows.
func TestRenew(t *testing.T) {
	k := open(t)
	k.ended(t, 1, "ann", "bob", 100)
	k.ended(t, 2, "ann", "cid", 200)
	k.exec(t, `INSERT INTO outbox SELECT 3, game_id, variant, list, rated, players, sides, '[2,1]', reason, plies, aborted,
		tournament_id, round, board, finished_at, moved, 1, 1, fewest FROM outbox WHERE seq = 1`)
	if err := k.Record(t.Context(), 0, 3, []ledger.Row{rated(1, 1, "ann", 1500), rated(1, 2, "bob", 1500)}); err != nil {
		t.Fatal(err)
	}
	err := k.Look(t.Context(), func(p ledger.Past) error {
		games, to, err := p.Games(t.Context(), 0, nil)
		if err != nil || to != 3 || len(games) != 2 {
			t.Fatalf("%d games up to %d (%v), want 2 up to 3", len(games), to, err)
		}
		if first := games[0]; first.Seq != 1 || !slices.Equal(first.Ranks, []int{2, 1}) {
			t.Errorf("the corrected game is %+v", first)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	draft := func(d ledger.Draft) error {
		old, err := d.Rows(t.Context(), 0, d.Cursor(), nil)
		if err != nil || len(old) != 2 {
			t.Fatalf("old rows %+v (%v), want 2", old, err)
		}
		row := rated(1, 1, "ann", 1480)
		r := ledger.Standing{List: list, PlayerID: "ann", Rating: row.Rating(), Seq: 1, LastAt: 100}
		return errors.Join(d.SetRows(t.Context(), old, []ledger.Row{row}),
			d.SetStandings(t.Context(), []ledger.Standing{{List: list, PlayerID: "bob"}}, []ledger.Standing{r}),
			d.SetSums(t.Context(), []ledger.Sum{{List: list, Games: 1, LastAt: 100}}))
	}
	k.RateBy("new")
	if err := k.Renew(t.Context(), draft); !errors.Is(err, ledger.ErrRegulation) {
		t.Errorf("under another regulation: %v", err)
	}
	if err := k.Adopting().Renew(t.Context(), draft); err != nil {
		t.Fatal(err)
	}
	got := k.stored(t)
	if len(got.Rows) != 1 || got.Rows[0].After != 1480 || len(got.Current) != 1 || got.Current[0].Value != 1480 {
		t.Errorf("renewed: %+v, want the row of ann alone", got)
	}
	regulation, lists, err := k.Regulation(t.Context())
	if err != nil || regulation != "new" || !slices.Equal(lists, []string{list}) {
		t.Errorf("the ratings of %v follow %q (%v), want new", lists, regulation, err)
	}
	if err := k.Adopt(t.Context(), "third", "fourth"); !errors.Is(err, ledger.ErrRegulation) {
		t.Errorf("adopting from a regulation that is not stored: %v", err)
	}
}
