package storetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"quatuor/rating"
	"quatuor/rating/elo"
	"quatuor/rating/ledger"
	"quatuor/tournament/club"
)

// look lets read see the past of the ratings.
func look(t *testing.T, p Ports, read func(ledger.Past) error) {
	t.Helper()
	must(t, p.Ratings.Look(t.Context(), read))
}

// eachFinished returns the games after a place, and the end.
func eachFinished(t *testing.T, p Ports, after int64) (games []ledger.Finished, end int64) {
	t.Helper()
	look(t, p, func(past ledger.Past) (err error) {
		games, end, err = past.Games(t.Context(), after, nil)
		return err
	})
	return games, end
}

func allRows(t *testing.T, p Ports) (rows []ledger.Row) {
	t.Helper()
	look(t, p, func(past ledger.Past) (err error) {
		rows, err = past.Rows(t.Context(), math.MinInt64, math.MaxInt64, nil)
		return err
	})
	return rows
}

// pastPages reads parts of the rows, and current ratings and sums as they follow from them.
func pastPages(t *testing.T, p Ports) {
	rows := recordable(t, p, 3)
	must(t, p.Ratings.Record(t.Context(), 0, 2, append(rows[0], rows[1]...)))
	look(t, p, func(past ledger.Past) error {
		equal(t, "cursor", past.Cursor(), 2)
		some, err := past.Rows(t.Context(), 1, 2, nil)
		must(t, err)
		equal(t, "rows of the second game", some, rows[1])
		some, err = past.Rows(t.Context(), 0, 1, some[:1])
		must(t, err)
		equal(t, "rows after one", some, append(rows[1][:1:1], rows[0]...))
		games, to, err := past.Games(t.Context(), 2, nil)
		must(t, err)
		equal(t, "games after the cursor", len(games), 0)
		equal(t, "up to", to, 2)
		standings, err := past.Standings(t.Context(), "", "", nil)
		must(t, err)
		want := make([]ledger.Standing, 2)
		for i, r := range rows[1] {
			want[i] = ledger.Standing{List: r.List, PlayerID: r.PlayerID, Rating: r.Rating(), Seq: 2, LastAt: r.At}
		}
		equal(t, "standings", standings, want)
		standings, err = past.Standings(t.Context(), "quixo-blitz", "ann", nil)
		must(t, err)
		equal(t, "standings after the first", standings, want[1:])
		sums, err := past.Sums(t.Context())
		must(t, err)
		equal(t, "sums", sums, []ledger.Sum{{List: "quixo-blitz", Games: 2, LastAt: 9001}})
		return nil
	})
}

func draft(t *testing.T, p Ports) {
	rows := recordable(t, p, 3)
	must(t, p.Ratings.Record(t.Context(), 0, 3, slices.Concat(rows...)))
	anew := append(rows[0], rows[1]...)
	for i := range anew {
		anew[i].List, anew[i].After = "quixo-rapid", anew[i].After+1
	}
	moved := rows[2][0]
	moved.Seq, moved.Seat = 3, 2 // in the place of another, which goes
	now := ledger.Standing{
		List: "quixo-rapid", PlayerID: "bob", Rating: rating.Rating{Value: 1.5, Games: 2, Reached2400: true}, Seq: 2,
		LastAt: 7,
	}
	must(t, p.Ratings.Renew(t.Context(), func(d ledger.Draft) error {
		old, err := d.Standings(t.Context(), "", "", nil)
		must(t, err)
		return errors.Join(
			d.SetRows(t.Context(), slices.Concat(rows...)[:5:5], nil),
			d.SetRows(t.Context(), rows[2][1:], append(anew, moved)),
			d.SetStandings(t.Context(), old, []ledger.Standing{now}),
			d.SetSums(t.Context(), []ledger.Sum{{List: "quixo-rapid", Games: 2, LastAt: 9001}}),
		)
	}))
	equal(t, "rows", allRows(t, p), append(anew, moved))
	lists, err := p.Ratings.Lists(t.Context())
	must(t, err)
	equal(t, "lists", lists, []ledger.ListSummary{{List: "quixo-rapid", Players: 1, Games: 2, LastAt: 9001}})
	current, err := p.Ratings.Current(t.Context(), "quixo-blitz", []string{"ann"})
	must(t, err)
	equal(t, "current in the list that is gone", len(current), 0)
	current, err = p.Ratings.Current(t.Context(), "quixo-rapid", []string{"ann", "bob"})
	must(t, err)
	equal(t, "current in the new list", current, map[string]rating.Rating{"bob": now.Rating})
	cursor, games, err := p.Ratings.Pending(t.Context(), 10)
	must(t, err)
	equal(t, "cursor", cursor, 3)
	equal(t, "pending", len(games), 0)
	verifies(t, p, false)
	_, err = ledger.New(p.Ratings, elo.Club{}).Recompute(t.Context())
	must(t, err)
	verifies(t, p, true)
}

func verifies(t *testing.T, p Ports, want bool) {
	t.Helper()
	report, err := ledger.New(p.Ratings, elo.Club{}).Verify(t.Context())
	must(t, err)
	if report.OK() != want {
		t.Errorf("verified: %+v", report)
	}
}

// draftFails ends a draft by an error and by the end of its context.
func draftFails(t *testing.T, p Ports) {
	rows := recordable(t, p, 2)
	must(t, p.Ratings.Record(t.Context(), 0, 1, rows[0]))
	broken := errors.New("broken")
	spoil := func(d ledger.Draft) {
		must(t, d.SetRows(t.Context(), rows[0], rows[1]))
		must(t, d.SetSums(t.Context(), nil))
	}
	refused(t, "a draft that fails", p.Ratings.Renew(t.Context(), func(d ledger.Draft) error {
		spoil(d)
		return broken
	}), broken)
	ctx, cancel := context.WithCancel(t.Context())
	err := p.Ratings.Renew(ctx, func(d ledger.Draft) error {
		spoil(d)
		cancel()
		_, err := d.Rows(ctx, 0, 9, nil)
		return err
	})
	refused(t, "a draft that is broken off", err, context.Canceled)
	equal(t, "rows", allRows(t, p), rows[0])
	must(t, p.Ratings.Record(t.Context(), 1, 2, rows[1])) // and others can write
}

func stopReading(t *testing.T, p Ports) {
	must(t, p.Players.CreatePlayer(t.Context(),
		club.Player{ID: "x", Rating: map[string]float64{"a": 1}}, club.Player{ID: "y", Rating: map[string]float64{"a": 1}}))
	stop := errors.New("enough")
	calls := 0
	err := p.Ratings.Look(t.Context(), func(past ledger.Past) error {
		return past.Given(t.Context(), func(string, string, rating.Rating) error { calls++; return stop })
	})
	refused(t, "given", err, stop)
	equal(t, "calls", calls, 1)
	for i := range 2 {
		finished(t, p, fmt.Sprint("g", i), "", 0, 0)
	}
	_, _, err = p.Ratings.Pending(t.Context(), 9) // which assigns them their places
	must(t, err)
	calls = 0
	err = p.Ratings.Between(t.Context(), 0, 2, func(ledger.Finished) error { calls++; return stop })
	refused(t, "games", err, stop)
	equal(t, "calls for games", calls, 1)
}
