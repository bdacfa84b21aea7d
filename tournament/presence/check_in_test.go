package presence_test

import (
	"errors"
	"strings"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/presence"
	"quatuor/tournament/registration"
	"quatuor/tournament/scoring"
	"quatuor/tournament/tournamenttest"
)

// arriving returns a Swiss of four entries that is being prepared.
func arriving(t *testing.T, format tournament.Format) *tournament.Tournament {
	t.Helper()
	s := tournamenttest.Settings()
	s.Format, s.RoundCount = format, 3
	if format == tournament.Knockout {
		s.TieBreaks, s.Rules.Match = nil, tournament.KnockoutRules{Replays: 1, Decision: tournament.ByLot}
	}
	tm, err := tournament.New("t", "ada", s, tournamenttest.Checks, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i <= 4; i++ {
		tm = tournamenttest.Must(t)(registration.AddEntry(tm, tournamenttest.Seeded(i, float64(2000-i)),
			tournament.Shape{Members: 1}))
	}
	return tm
}

func away(tm *tournament.Tournament, round int) string {
	var out []string
	for _, e := range tm.Entries {
		if bye := tm.Away(e, round); bye != tournament.NoBye {
			out = append(out, e.ID+" "+string(bye))
		}
	}
	return strings.Join(out, ", ")
}

// TestCheckIn checks that absent entries are not paired in a Swiss until they come.
func TestCheckIn(t *testing.T) {
	tm := arriving(t, tournament.Swiss)
	_, err := presence.SetPresent(tm, "e1", true)
	tournamenttest.Refused(t, "checking in before the check-in", err, tournament.ErrState)
	_, err = presence.CloseCheckIn(tm)
	tournamenttest.Refused(t, "closing what was not opened", err, tournament.ErrState)
	if away(tm, 1) != "" {
		t.Errorf("without a check-in these are away: %s", away(tm, 1))
	}
	tm = tournamenttest.Must(t)(presence.OpenCheckIn(tm, false))
	for _, id := range []string{"e1", "e2"} {
		tm = tournamenttest.Must(t)(presence.SetPresent(tm, id, true))
	}
	if again, err := presence.SetPresent(tm, "e1", true); err != nil || again.Tournament != tm {
		t.Errorf("checking in twice: %v", err)
	}
	if away(tm, 1) != "" {
		t.Errorf("while the check-in is open these are away: %s", away(tm, 1))
	}
	_, err = tm.Start(3, tournamenttest.Seed, 1)
	tournamenttest.Refused(t, "starting while the check-in is open", err, tournament.ErrState)
	tm = tournamenttest.Must(t)(presence.CloseCheckIn(tm))
	tm = tournamenttest.Must(t)(tm.RequestByes("e4", []tournament.RequestedBye{{Round: 1, Bye: tournament.HalfPoint}}))
	tm = tournamenttest.Must(t)(tm.Start(3, tournamenttest.Seed, 1))
	if got := away(tm, 1); got != "e3 ZPB, e4 HPB" || len(tm.Numbered()) != 4 {
		t.Errorf("away in round 1: %s; %d have numbers", got, len(tm.Numbered()))
	}
	tm = tournamenttest.InRound(t, tm, tournament.Pairing{Board: 1, Seats: []string{"e1", "e2"}},
		tournament.Pairing{Board: 2, Seats: []string{"e3"}, Bye: tournament.ZeroPoint},
		tournament.Pairing{Board: 3, Seats: []string{"e4"}, Bye: tournament.HalfPoint})
	if got := away(tm, 1); got != "e4 HPB" {
		t.Errorf("of a published round it says that these are away: %s", got)
	}
	if got := away(tm, 2); got != "e3 ZPB, e4 ZPB" {
		t.Errorf("away in round 2: %s", got)
	}
	tm = tournamenttest.Must(t)(presence.SetPresent(tm, "e3", true)) // late, while the check-in is closed
	if got := away(tm, 2); got != "e4 ZPB" {
		t.Errorf("after e3 came: %s", got)
	}
	tm = tournamenttest.Must(t)(registration.AddEntry(tm, tournamenttest.Seeded(5, 0), tournament.Shape{Members: 1}))
	if got := away(tm, 2); got != "e4 ZPB" {
		t.Errorf("after a late entry: %s", got)
	}
	tm = tournamenttest.Must(t)(scoring.SetResult(tm, 1, 1, tournament.Verdict{Ranks: []int{1, 2}}, "x", "", 1))
	tm = tournamenttest.Must(t)(presence.OpenCheckIn(tm, false))
	tournamenttest.Refused(t, "pairing while the check-in is open", tm.CanPair(), tournament.ErrState)
	if tm.Present() != 5 {
		t.Errorf("%d can be paired while the check-in is open", tm.Present())
	}
	tm = tournamenttest.Must(t)(presence.CloseCheckIn(tm))
	if tm.Present() != 4 || tm.CanPair() != nil {
		t.Errorf("%d are there, and pairing says %v", tm.Present(), tm.CanPair())
	}
	tm = tournamenttest.Must(t)(presence.OpenCheckIn(tm, true))
	tm = tournamenttest.Must(t)(presence.SetPresent(tm, "e2", true))
	tm = tournamenttest.Must(t)(presence.CloseCheckIn(tm))
	tournamenttest.Refused(t, "pairing one entry", tm.CanPair(), tournament.ErrState)
	tm = tournamenttest.Must(t)(presence.CancelCheckIn(tm))
	if got := away(tm, 2); got != "" || tm.CanPair() != nil {
		t.Errorf("without a check-in these are away: %s; pairing says %v", got, tm.CanPair())
	}
	for _, e := range tm.Entries {
		if e.Present {
			t.Errorf("%s is still checked in", e.ID)
		}
	}
}

// TestCheckInWithTables checks that tables and brackets leave absent entries out and do not wait for them.
func TestCheckInWithTables(t *testing.T) {
	for _, format := range []tournament.Format{tournament.RoundRobin, tournament.Knockout} {
		tm := tournamenttest.Must(t)(presence.OpenCheckIn(arriving(t, format), false))
		for _, id := range []string{"e1", "e3", "e4"} {
			tm = tournamenttest.Must(t)(presence.SetPresent(tm, id, true))
		}
		tm = tournamenttest.Must(t)(presence.CloseCheckIn(tm))
		if tm.Field() != 3 || len(tm.Taking()) != 3 {
			t.Errorf("%s: %d take part", format, tm.Field())
		}
		started := tournamenttest.Must(t)(tm.Start(3, tournamenttest.Seed, 1))
		if e, _ := started.Entry("e2"); tournamenttest.InOrder(started) != "e1 e3 e4" || e.Status != tournament.Withdrawn {
			t.Errorf("%s: numbers for %s, and e2 is %s", format, tournamenttest.InOrder(started), e.Status)
		}
		_, err := presence.SetPresent(started, "e2", true)
		tournamenttest.Refused(t, string(format)+": checking in after the start", err, tournament.ErrState)
		_, err = presence.OpenCheckIn(started, false)
		tournamenttest.Refused(t, string(format)+": a check-in after the start", err, tournament.ErrState)
		tm = tournamenttest.Must(t)(presence.SetPresent(tm, "e3", false))
		tm = tournamenttest.Must(t)(presence.SetPresent(tm, "e4", false))
		_, err = tm.Start(3, tournamenttest.Seed, 1)
		tournamenttest.Refused(t, string(format)+": starting with one", err, tournament.ErrInvalid)
	}
}

func TestCheckInOfOneself(t *testing.T) {
	tm := tournamenttest.Must(t)(presence.OpenCheckIn(arriving(t, tournament.Swiss), false))
	_, err := presence.CheckSelfIn(tm, "e1", "p2", true)
	tournamenttest.Refused(t, "checking another in", err, tournament.ErrInvalid)
	tm = tournamenttest.Must(t)(presence.CheckSelfIn(tm, "e1", "p1", true))
	tm = tournamenttest.Must(t)(registration.Withdraw(tm, "e2"))
	_, err = presence.CheckSelfIn(tm, "e2", "p2", true)
	tournamenttest.Refused(t, "checking in after a withdrawal", err, tournament.ErrState)
	tm = tournamenttest.Must(t)(presence.CloseCheckIn(tm))
	_, err = presence.CheckSelfIn(tm, "e3", "p3", true)
	tournamenttest.Refused(t, "checking in after the end", err, tournament.ErrState)
	if tm.Present() != 1 {
		t.Errorf("%d are there", tm.Present())
	}
}

// TestPresentEntriesAreNotPublic shows the public the check-in, but not the entries checked in; players see themselves.
func TestPresentEntriesAreNotPublic(t *testing.T) {
	tm := tournamenttest.Must(t)(arriving(t, tournament.Swiss).Open())
	open, err := presence.OpenCheckIn(tm, false)
	open.Succeed(tm)
	if err != nil || open.PublicVersion == tm.PublicVersion || open.Public().CheckIn != tournament.CheckInOpen {
		t.Errorf("the public does not learn that the check-in is open: %v", err)
	}
	here, err := presence.SetPresent(open.Tournament, "e1", true)
	here.Succeed(open.Tournament)
	if err != nil || here.PublicVersion != open.PublicVersion {
		t.Errorf("the public learns who is there: %v", err)
	}
	for player, want := range map[string]bool{"": false, "p2": false, "p1": true} {
		if e, _ := here.PublicTo(player).Entry("e1"); e.Present != want {
			t.Errorf("shown to %q: %v", player, e.Present)
		}
	}
}

// TestAddEntries checks that AddEntries adds all entries or none, and names the faulty entries.
func TestAddEntries(t *testing.T) {
	tm := arriving(t, tournament.Swiss)
	_, err := registration.AddEntries(tm, []tournament.Entry{
		tournamenttest.Seeded(5, 0),
		{ID: "e6"},
		tournamenttest.Seeded(7, 9000),
		{ID: "e8", Name: "N8", Members: []string{"p1"}},
	}, tournament.Shape{Members: 1})
	var faults tournament.FieldErrors
	if !errors.As(err, &faults) || len(faults) != 3 || faults[0].Field != "entries/1/name" ||
		faults[1].Field != "entries/2/rating" || faults[2].Field != "entries/3/members" {
		t.Errorf("faults %+v", err)
	}
	next, err := registration.AddEntries(tm,
		[]tournament.Entry{tournamenttest.Seeded(5, 0), tournamenttest.Seeded(6, 0)}, tournament.Shape{Members: 1})
	if err != nil || len(next.Entries) != 6 || len(next.Delta.Entries) != 2 {
		t.Errorf("%d entries, %d written, %v", len(next.Entries), len(next.Delta.Entries), err)
	}
	back, err := next.Undo(tournament.UndoOf(tm, next.Tournament, next.Delta), tournamenttest.Games(), "x", 1)
	if err != nil || len(back.Entries) != 4 {
		t.Errorf("undone: %d entries, %v", len(back.Entries), err)
	}
}
