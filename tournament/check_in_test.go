package tournament

import (
	"errors"
	"strings"
	"testing"
)

// arriving returns a Swiss of four entries that is being prepared.
func arriving(t *testing.T, format Format) *Tournament {
	t.Helper()
	s := testSettings()
	s.Format, s.RoundCount = format, 3
	if format == Knockout {
		s.TieBreaks, s.Rules.Match = nil, KnockoutRules{Replays: 1, Decision: ByLot}
	}
	tm, err := New("t", "ada", s, testChecks, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i <= 4; i++ {
		tm = must(t)(tm.AddEntry(seeded(i, float64(2000-i)), Shape{Members: 1}))
	}
	return tm
}

func away(tm *Tournament, round int) string {
	var out []string
	for _, e := range tm.Entries {
		if bye := tm.Away(e, round); bye != NoBye {
			out = append(out, e.ID+" "+string(bye))
		}
	}
	return strings.Join(out, ", ")
}

func refused(t *testing.T, what string, err error, kind error) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("%s: %v, want %v", what, err, kind)
	}
}

// TestCheckIn keeps absent entries from being paired in a Swiss, until they come.
func TestCheckIn(t *testing.T) {
	tm := arriving(t, Swiss)
	_, _, err := tm.SetPresent("e1", true)
	refused(t, "checking in before the check-in", err, ErrState)
	_, _, err = tm.CloseCheckIn()
	refused(t, "closing what was not opened", err, ErrState)
	if away(tm, 1) != "" {
		t.Errorf("without a check-in these are away: %s", away(tm, 1))
	}
	tm = must(t)(tm.OpenCheckIn(false))
	for _, id := range []string{"e1", "e2"} {
		tm = must(t)(tm.SetPresent(id, true))
	}
	if again, _, err := tm.SetPresent("e1", true); err != nil || again != tm {
		t.Errorf("checking in twice: %v", err)
	}
	if away(tm, 1) != "" {
		t.Errorf("while the check-in is open these are away: %s", away(tm, 1))
	}
	_, _, err = tm.Start(3, testSeed, 1)
	refused(t, "starting while the check-in is open", err, ErrState)
	tm = must(t)(tm.CloseCheckIn())
	tm = must(t)(tm.RequestByes("e4", []RequestedBye{{1, HalfPoint}}))
	tm = must(t)(tm.Start(3, testSeed, 1))
	if got := away(tm, 1); got != "e3 ZPB, e4 HPB" || len(tm.Numbered()) != 4 {
		t.Errorf("away in round 1: %s; %d have numbers", got, len(tm.Numbered()))
	}
	tm = inRound(t, tm,
		Pairing{Board: 1, Seats: []string{"e1", "e2"}}, Pairing{Board: 2, Seats: []string{"e3"}, Bye: ZeroPoint},
		Pairing{Board: 3, Seats: []string{"e4"}, Bye: HalfPoint})
	if got := away(tm, 1); got != "e4 HPB" {
		t.Errorf("of a published round it says that these are away: %s", got)
	}
	if got := away(tm, 2); got != "e3 ZPB, e4 ZPB" {
		t.Errorf("away in round 2: %s", got)
	}
	tm = must(t)(tm.SetPresent("e3", true)) // late, while the check-in is closed
	if got := away(tm, 2); got != "e4 ZPB" {
		t.Errorf("after e3 came: %s", got)
	}
	tm = must(t)(tm.AddEntry(seeded(5, 0), Shape{Members: 1}))
	if got := away(tm, 2); got != "e4 ZPB" {
		t.Errorf("after a late entry: %s", got)
	}
	tm = must(t)(tm.SetResult(1, 1, Verdict{Ranks: []int{1, 2}}, "x", "", 1))
	tm = must(t)(tm.OpenCheckIn(false))
	refused(t, "pairing while the check-in is open", tm.CanPair(), ErrState)
	if tm.Present() != 5 {
		t.Errorf("%d can be paired while the check-in is open", tm.Present())
	}
	tm = must(t)(tm.CloseCheckIn())
	if tm.Present() != 4 || tm.CanPair() != nil {
		t.Errorf("%d are there, and pairing says %v", tm.Present(), tm.CanPair())
	}
	tm = must(t)(tm.OpenCheckIn(true))
	tm = must(t)(tm.SetPresent("e2", true))
	tm = must(t)(tm.CloseCheckIn())
	refused(t, "pairing one entry", tm.CanPair(), ErrState)
	tm = must(t)(tm.CancelCheckIn())
	if got := away(tm, 2); got != "" || tm.CanPair() != nil {
		t.Errorf("without a check-in these are away: %s; pairing says %v", got, tm.CanPair())
	}
	for _, e := range tm.Entries {
		if e.Present {
			t.Errorf("%s is still checked in", e.ID)
		}
	}
}

// TestCheckInWithTables leaves absent entries out of tables and brackets, which do not wait for them.
func TestCheckInWithTables(t *testing.T) {
	for _, format := range []Format{RoundRobin, Knockout} {
		tm := must(t)(arriving(t, format).OpenCheckIn(false))
		for _, id := range []string{"e1", "e3", "e4"} {
			tm = must(t)(tm.SetPresent(id, true))
		}
		tm = must(t)(tm.CloseCheckIn())
		if tm.Field() != 3 || len(tm.Taking()) != 3 {
			t.Errorf("%s: %d take part", format, tm.Field())
		}
		started := must(t)(tm.Start(3, testSeed, 1))
		if e, _ := started.Entry("e2"); inOrder(started) != "e1 e3 e4" || e.Status != Withdrawn {
			t.Errorf("%s: numbers for %s, and e2 is %s", format, inOrder(started), e.Status)
		}
		_, _, err := started.SetPresent("e2", true)
		refused(t, string(format)+": checking in after the start", err, ErrState)
		_, _, err = started.OpenCheckIn(false)
		refused(t, string(format)+": a check-in after the start", err, ErrState)
		tm = must(t)(tm.SetPresent("e3", false))
		tm = must(t)(tm.SetPresent("e4", false))
		_, _, err = tm.Start(3, testSeed, 1)
		refused(t, string(format)+": starting with one", err, ErrInvalid)
	}
}

func TestCheckInOfOneself(t *testing.T) {
	tm := must(t)(arriving(t, Swiss).OpenCheckIn(false))
	_, _, err := tm.CheckSelfIn("e1", "p2", true)
	refused(t, "checking another in", err, ErrInvalid)
	tm = must(t)(tm.CheckSelfIn("e1", "p1", true))
	tm = must(t)(tm.Withdraw("e2"))
	_, _, err = tm.CheckSelfIn("e2", "p2", true)
	refused(t, "checking in after a withdrawal", err, ErrState)
	tm = must(t)(tm.CloseCheckIn())
	_, _, err = tm.CheckSelfIn("e3", "p3", true)
	refused(t, "checking in after the end", err, ErrState)
	if tm.Present() != 1 {
		t.Errorf("%d are there", tm.Present())
	}
}

// TestPresentEntriesAreNotPublic shows the public the check-in, but not the entries checked in; players see themselves.
func TestPresentEntriesAreNotPublic(t *testing.T) {
	tm := must(t)(arriving(t, Swiss).Open())
	open, delta, err := tm.OpenCheckIn(false)
	open.Succeed(tm, delta)
	if err != nil || open.PublicVersion == tm.PublicVersion || open.Public().CheckIn != CheckInOpen {
		t.Errorf("the public does not learn that the check-in is open: %v", err)
	}
	here, delta, err := open.SetPresent("e1", true)
	here.Succeed(open, delta)
	if err != nil || here.PublicVersion != open.PublicVersion {
		t.Errorf("the public learns who is there: %v", err)
	}
	for player, want := range map[string]bool{"": false, "p2": false, "p1": true} {
		if e, _ := here.PublicTo(player).Entry("e1"); e.Present != want {
			t.Errorf("shown to %q: %v", player, e.Present)
		}
	}
}

// TestAddEntries adds all or none, and names the faulty ones.
func TestAddEntries(t *testing.T) {
	tm := arriving(t, Swiss)
	_, _, err := tm.AddEntries([]Entry{
		seeded(5, 0),
		{ID: "e6"},
		seeded(7, 9000),
		{ID: "e8", Name: "N8", Members: []string{"p1"}},
	}, Shape{Members: 1})
	var faults FieldErrors
	if !errors.As(err, &faults) || len(faults) != 3 || faults[0].Field != "entries/1/name" ||
		faults[1].Field != "entries/2/rating" || faults[2].Field != "entries/3/members" {
		t.Errorf("faults %+v", err)
	}
	next, delta, err := tm.AddEntries([]Entry{seeded(5, 0), seeded(6, 0)}, Shape{Members: 1})
	if err != nil || len(next.Entries) != 6 || len(delta.Entries) != 2 {
		t.Errorf("%d entries, %d written, %v", len(next.Entries), len(delta.Entries), err)
	}
	back, _, err := next.Undo(UndoOf(tm, next, delta), games(), "x", 1)
	if err != nil || len(back.Entries) != 4 {
		t.Errorf("undone: %d entries, %v", len(back.Entries), err)
	}
}
