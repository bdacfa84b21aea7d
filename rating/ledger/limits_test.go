package ledger

import (
	"fmt"
	"testing"
	"time"

	"quatuor/rating"
	"quatuor/rating/elo"
)

// TestCasualGamesThatCount: only a number of casual games of a pair counts per day, and per month, by the calendar in
// UTC; tournaments have no limit, nor have games that ended before the moves were counted. A recomputation agrees.
func TestCasualGamesThatCount(t *testing.T) {
	noon := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	m := newMemory()
	want := map[string]bool{}
	add := func(id string, at time.Time, rated bool, change func(*Finished)) {
		f := duel(id, "ada", "bob")
		f.FinishedAt = at.UnixMilli()
		f.Fewest = 9
		f.Moved = []bool{true, true}
		if change != nil {
			change(&f)
		}
		m.finish(f)
		want[id] = rated
	}
	add("early", noon, false, func(f *Finished) { f.Reason, f.Fewest = "resignation", 3 })
	add("drawn early", noon, false, func(f *Finished) { f.Reason, f.Fewest = "agreement", 1 })
	add("on time", noon, true, func(f *Finished) { f.Reason, f.Fewest = "time", 1 })
	add("just long enough", noon, true, func(f *Finished) { f.Reason, f.Fewest = "resignation", 4 })
	add("of a tournament", noon, true, func(f *Finished) {
		f.Reason = "resignation"
		f.Fewest = 1
		f.Tournament = true
	})
	add("third", noon, true, nil)
	add("fourth", noon, false, nil)
	add("of a full table", noon, false, func(f *Finished) {
		f.Players = []string{"cyd", "bob", "ada"}
		f.Sides = []int{1, 2, 3}
		f.Ranks = []int{1, 2, 3}
		f.Moved = []bool{true, true, true}
	})
	add("as partners", noon, true, func(f *Finished) {
		f.Players = []string{"ada", "cyd", "bob", "dan"}
		f.Sides = []int{1, 2, 1, 2}
		f.Ranks = []int{1, 2, 1, 2}
		f.Moved = []bool{true, true, true, true}
	})
	add("from before", noon, true, func(f *Finished) { f.Reason, f.Fewest = "resignation", NotCounted })
	add("before midnight", time.Date(2026, 3, 10, 23, 59, 59, 0, time.UTC), false, nil)
	add("after midnight", time.Date(2026, 3, 11, 0, 0, 0, 0, time.UTC), true, nil)
	counted := 5 // of the month: with "from before"
	for day := 12; day < 31; day++ {
		add(fmt.Sprint("day ", day), time.Date(2026, 3, day, 0, 0, 0, 0, time.UTC), counted < 10, nil)
		counted++
	}
	add("the next month", time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC), true, nil)
	list := m.outbox[0].List
	by := lists{list: Rules{System: elo.Club{}, MinMoves: 4, Limits: []PairLimit{
		{Games: 3, Period: rating.Day, Casual: true}, {Games: 10, Period: rating.Month, Casual: true},
	}}}
	l := NewBy(m, by)
	if _, err := l.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	rated, tournaments := map[string]bool{}, 0
	for _, r := range m.rows {
		rated[r.GameID] = true
		if r.PlayerID == "ada" {
			tournaments = r.FromTournaments
		}
	}
	for id, is := range want {
		if rated[id] != is {
			t.Errorf("%s is rated: %v, want %v", id, rated[id], is)
		}
	}
	if tournaments != 1 {
		t.Errorf("%d games from tournaments", tournaments)
	}
	if report, err := l.Verify(t.Context()); err != nil || !report.OK() {
		t.Errorf("%+v, %v", report, err)
	}
}
