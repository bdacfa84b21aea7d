package registration_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/registration"
	"quatuor/tournament/tournamenttest"
)

var pairShape = tournament.Shape{Min: 2, Max: 2, Members: 2}

// teams registers teams of two, each entered by its first member.
func teams(t *testing.T, members ...[2]string) *tournament.Tournament {
	t.Helper()
	tm := &tournament.Tournament{
		ID: "t", Variant: "quixo/teams", Format: tournament.Swiss, RoundCount: 2, Points: tournament.StandardPoints, Status: tournament.Open, Version: 1,
		PublicVersion: 1,
	}
	for i, m := range members {
		tm = registered(t, tm, fmt.Sprint("e", i+1), m)
	}
	return tm
}

func registered(t *testing.T, tm *tournament.Tournament, id string, members [2]string) *tournament.Tournament {
	t.Helper()
	next, err := registration.Register(tm,
		tournament.Entry{ID: id, Name: "Team " + id, Members: members[:], Awaiting: members[1:]}, pairShape)
	if err != nil {
		t.Fatal(err)
	}
	return next.Tournament
}

func TestATeamTakesNoPartBeforeItsMembersAgree(t *testing.T) {
	tm := teams(t, [2]string{"a", "b"}, [2]string{"c", "d"}, [2]string{"e", "f"}, [2]string{"g", "h"})
	if tm.Field() != 0 {
		t.Fatalf("%d entries take part", tm.Field())
	}
	tm = tournamenttest.Must(t)(registration.Agree(tm, "e1", "b"))
	tm = tournamenttest.Must(t)(registration.Agree(tm, "e2", "d"))
	again, err := registration.Agree(tm, "e2", "d")
	if err != nil || again.Tournament != tm || tm.Field() != 2 {
		t.Errorf("agreeing again: %v, %d take part", err, tm.Field())
	}
	tm = tournamenttest.Must(t)(registration.ConfirmEntry(tm, "e3")) // the organiser answers for f
	if e, _ := tm.Entry("e3"); e.Waits() || e.Status != tournament.Confirmed {
		t.Errorf("confirmed: %+v", e)
	}
	tm = tournamenttest.Must(t)(tm.Start(2, strings.Repeat("00", 32), 1))
	if e, _ := tm.Entry("e4"); len(tm.Numbered()) != 3 || e.Status != tournament.Withdrawn || e.Number != 0 {
		t.Errorf("%d entries have a number, and of the one that waited there is %+v", len(tm.Numbered()), e)
	}
	if _, err := registration.Agree(tm, "e4", "h"); !errors.Is(err, tournament.ErrState) {
		t.Errorf("agreeing after the start: %v", err)
	}
	tm = tournamenttest.Must(t)(registration.Reinstate(tm, "e4"))
	if e, _ := tm.Entry("e4"); e.Waits() || e.Number != 4 || e.Status != tournament.Confirmed {
		t.Errorf("taken back by the organiser: %+v", e)
	}
}

func TestADecliningMemberEndsTheEntry(t *testing.T) {
	tm := teams(t, [2]string{"a", "b"})
	if _, err := registration.Decline(tm, "e1", "a"); !errors.Is(err, tournament.ErrState) {
		t.Errorf("whoever entered the team declines: %v", err)
	}
	if _, err := registration.Decline(tm, "e1", "x"); !errors.Is(err, tournament.ErrInvalid) {
		t.Errorf("a stranger declines: %v", err)
	}
	tm = tournamenttest.Must(t)(registration.Decline(tm, "e1", "b"))
	if e, _ := tm.Entry("e1"); e.Status != tournament.Withdrawn {
		t.Errorf("%+v", e)
	}
	if _, err := registration.Agree(tm, "e1", "b"); !errors.Is(err, tournament.ErrState) {
		t.Errorf("agreeing after all: %v", err)
	}
}

// TestNamingAPlayerDoesNotBind checks that a player named for a team by others may play for another team, but then for
// no second team.
func TestNamingAPlayerDoesNotBind(t *testing.T) {
	tm := teams(t, [2]string{"a", "b"}, [2]string{"c", "b"})
	tm = registered(t, tm, "e3", [2]string{"b", "d"})
	if _, err := registration.Agree(tm, "e1", "b"); !errors.Is(err, tournament.ErrState) ||
		!strings.Contains(err.Error(), "as Team e3") {
		t.Errorf("agreeing to a second team: %v", err)
	}
	if _, err := registration.ConfirmEntry(tm, "e2"); !errors.Is(err, tournament.ErrInvalid) {
		t.Errorf("confirming a second team: %v", err)
	}
	_, err := registration.Register(tm,
		tournament.Entry{ID: "e4", Name: "N", Members: []string{"x", "b"}, Awaiting: []string{"b"}}, pairShape)
	if !errors.Is(err, tournament.ErrInvalid) {
		t.Errorf("naming a player who plays already: %v", err)
	}
}

// TestAgreementsAreForTheTeam: the public sees the team, its members see which answers are missing, and agreeing is not
// public.
func TestAgreementsAreForTheTeam(t *testing.T) {
	tm := teams(t, [2]string{"a", "b"})
	for player, want := range map[string]bool{"": false, "x": false, "a": true, "b": true} {
		if e, _ := tm.PublicTo(player).Entry("e1"); e.Waits() != want {
			t.Errorf("%q sees %v awaited", player, e.Awaiting)
		}
	}
	next, err := registration.Agree(tm, "e1", "b")
	if err != nil {
		t.Fatal(err)
	}
	next.Succeed(tm)
	if next.Version != 2 || next.PublicVersion != 1 {
		t.Errorf("versions %d and %d in public", next.Version, next.PublicVersion)
	}
	if e, _ := tm.Entry("e1"); !slices.Equal(e.Awaiting, []string{"b"}) {
		t.Errorf("what was there before has changed: %v", e.Awaiting)
	}
}

// TestInside checks that leaders are inside their team wherever they play, and members once they have agreed.
func TestInside(t *testing.T) {
	e := tournament.Entry{ID: "e", Members: []string{"a", "b"}, Awaiting: []string{"b"}, Captain: "c", Deputies: []string{"d"}}
	x := &tournament.Tournament{Entries: []tournament.Entry{e, {ID: "f", Members: []string{"x"}}}}
	for player, want := range map[string]bool{"a": true, "b": false, "c": true, "d": true, "x": false, "": false} {
		if got := e.Inside(player); got != want {
			t.Errorf("%q: %v", player, got)
		}
		if got := x.InsideMatch(tournament.Pairing{Seats: []string{"e", "f"}}, player); got != (want || player == "x") {
			t.Errorf("%q in the match: %v", player, got)
		}
	}
}
