package rating_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"quatuor/rating"
	"quatuor/rating/elo"
	"quatuor/rating/glicko2"
	"quatuor/rating/sequence"
)

func TestPeriodsOfTheCalendar(t *testing.T) {
	for _, tt := range []struct {
		length   rating.Length
		at       string
		from, to string
	}{
		{rating.Month, "2026-12-31T23:59:59Z", "2026-12-01", "2027-01-01"},
		{rating.Month, "2027-01-01T00:30:00+01:00", "2026-12-01", "2027-01-01"},
		{rating.Quarter, "2026-05-05T00:00:00Z", "2026-04-01", "2026-07-01"},
		{rating.Year, "2026-12-31T00:00:00Z", "2026-01-01", "2027-01-01"},
		{rating.Day, "2026-12-31T23:59:59Z", "2026-12-31", "2027-01-01"},
		{rating.Day, "2027-01-01T00:30:00+01:00", "2026-12-31", "2027-01-01"},
	} {
		at, err := time.Parse(time.RFC3339, tt.at)
		if err != nil {
			t.Fatal(err)
		}
		from, to := tt.length.Bounds(tt.length.Number(at))
		if from.Format(time.DateOnly) != tt.from || to.Format(time.DateOnly) != tt.to {
			t.Errorf("%s lies from %s to %s", tt.at, from, to)
		}
	}
}

// TestLiveEndsWhereThePeriodsEnd: after the last game of each period, ratings are those that closing the period at once
// would have led to.
func TestLiveEndsWhereThePeriodsEnd(t *testing.T) {
	systems := []rating.PeriodSystem{
		elo.FIDE{}, elo.FIDE{Settings: elo.Settings{Start: rating.Set(1500)}}, glicko2.Periods{},
	}
	rapid.Check(t, func(t *rapid.T) {
		by := rapid.SampledFrom(systems).Draw(t, "system")
		live, closed := rating.Live{By: by}, sequence.ByPeriod(by)
		now, entered := map[string]rating.Rating{}, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		for _, name := range []string{"ada", "bob", "cyd", "dan"} {
			start := live.Start()
			if rapid.Bool().Draw(t, "rated") { // with a deviation, which grows from then on
				value := float64(rapid.IntRange(1400, 2500).Draw(t, "rating"))
				deviation := float64(rapid.IntRange(30, 400).Draw(t, "deviation"))
				if err := closed.Enter(sequence.Player{Name: name, Rating: &value, Deviation: deviation}); err != nil {
					t.Fatal(err)
				}
				start.Value = value
				start.Unrated = false
				start.Since = entered.UnixMilli()
				if start.Deviation > 0 {
					start.Deviation = deviation
				}
			}
			now[name] = start
		}
		for month := range rapid.IntRange(1, 4).Draw(t, "months") {
			at := time.Date(2026, time.Month(month+1), 3, 0, 0, 0, 0, time.UTC)
			for range rapid.IntRange(0, 12).Draw(t, "games") {
				two := rapid.Permutation([]string{"ada", "bob", "cyd", "dan"}).Draw(t, "players")[:2]
				ranks := rapid.SampledFrom([][]int{{1, 2}, {2, 1}, {1, 1}}).Draw(t, "ranks")
				changes, err := live.On(at).Update([]rating.Seat{
					{Rating: now[two[0]], Side: 1, Rank: ranks[0]}, {Rating: now[two[1]], Side: 2, Rank: ranks[1]},
				})
				if err != nil {
					t.Fatal(err)
				}
				for i, name := range two {
					if c := changes[i]; c.After.Value-c.Before.Value != c.Delta || c.Before != now[name] {
						t.Fatalf("%s: %+v", name, c)
					}
					now[name] = changes[i].After
				}
				if _, err := closed.Play(sequence.Game{ID: "g", Sides: [][]string{{two[0]}, {two[1]}}, Ranks: ranks}); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := closed.Close(at.Format("2006-01")); err != nil {
				t.Fatal(err)
			}
			for name, r := range now {
				want := closed.Rating(name)
				r = live.On(at.AddDate(0, 1, 0)).(rating.Live).Opening(r)
				r.Period, r.Since = rating.Period{}, 0
				if r != want {
					t.Fatalf("month %d, %s has %+v, not %+v", month, name, r, want)
				}
			}
		}
	})
}
