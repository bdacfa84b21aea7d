package director

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"quatuor/tournament"
	"quatuor/tournament/exchange"
	"quatuor/tournament/pairing"
	"quatuor/tournament/team"
	"quatuor/tournament/trf"
	"quatuor/tournament/trf/check"
)

func accelerated(s *tournament.Settings) { s.Rules.Acceleration = tournament.Baku }

// playAll plays rounds of matches that the players of side 0 win.
func (c *teamsClub) playAll(rounds int) {
	c.t.Helper()
	for range rounds {
		c.reveal()
		n := len(c.tm.Rounds)
		for i, p := range c.tm.Rounds[n-1].Pairings {
			if p.Bye == tournament.NoBye {
				c.enter(n, i+1, []string{"11=0", "1===", "0011", "0000"}[(i+n)%4])
			}
		}
	}
}

func (c *teamsClub) file192(want string) *trf.TeamReport {
	c.t.Helper()
	report, err := c.Export(c.t.Context(), c.tm, exchange.Staff)
	if err != nil {
		c.t.Fatal(err)
	}
	var out bytes.Buffer
	if err := report.Write(&out); err != nil {
		c.t.Fatal(err)
	}
	if !strings.Contains(out.String(), "\n"+want+"\n") {
		c.t.Errorf("%q is not in\n%s", want, out.String())
	}
	file, err := trf.ReadTeams(out.Bytes(), false)
	if err != nil {
		c.t.Fatal(err)
	}
	if found, err := check.Teams(file, check.Options{}); err != nil || len(found.Findings) > 0 || found.Rounds != len(c.tm.Rounds) {
		c.t.Errorf("check: %+v, %v in\n%s", found, err, out.String())
	}
	n := 0
	taken, err := exchange.Import(out.Bytes(), exchange.Options{Variant: "quixo/duel", TimeControl: "300+3"},
		func() string { n++; return fmt.Sprint("new", n) })
	if err != nil || taken.Settings.Rules.Acceleration != tournament.Baku || taken.Begun.GroupA != c.tm.GroupA() {
		c.t.Errorf("imported as %+v, %v", taken, err)
	}
	return file
}

// TestAnAcceleratedSwissOfTeams: group A meets itself at first, the reasons name the virtual points, and a report
// records the acceleration and pairs every round alike.
func TestAnAcceleratedSwissOfTeams(t *testing.T) {
	c := newTeamsClub(t, 9, 4, accelerated)
	if a := c.tm.GroupA(); a != 6 {
		t.Fatalf("group A has %d teams", a)
	}
	c.playAll(4)
	for _, p := range c.tm.Rounds[0].Pairings {
		first, _ := c.tm.Entry(p.Seats[0])
		if p.Bye != tournament.NoBye {
			continue
		}
		if second, _ := c.tm.Entry(p.Seats[1]); (first.Number <= 6) != (second.Number <= 6) {
			t.Errorf("numbers %d and %d meet in round 1", first.Number, second.Number)
		}
	}
	c.file192("192 FIDE_TEAM_TYPEA_MP_GP_BAKU")
	why, err := c.Explain(t.Context(), c.tm, 1, true)
	if err != nil {
		t.Fatal(err)
	}
	said := 0
	for _, b := range why.Boards {
		if strings.Contains(b.Meeting.String(), "virtual points of the acceleration") {
			said++
		}
		if b.Source != pairing.BySystem {
			t.Errorf("%+v", b)
		}
	}
	if said != 3 {
		t.Errorf("%d pairs of group A are explained by virtual points: %+v", said, why.Boards)
	}
	if why, err := c.Explain(t.Context(), c.tm, 3, true); err != nil || strings.Contains(fmt.Sprint(why.Boards), "virtual points") {
		t.Errorf("round 3: %+v, %v", why, err)
	}
}

// TestALateTeamInAnAcceleratedSwiss: group A keeps its last team, so that the report has virtual points.
func TestALateTeamInAnAcceleratedSwiss(t *testing.T) {
	c := newTeamsClub(t, 8, 4, accelerated)
	c.playAll(1)
	late := tournament.Entry{Name: "Late", Rating: 1}
	for k := range 4 {
		late.Members = append(late.Members, fmt.Sprintf("p9-%d", k+1))
	}
	tm, _, err := c.AddEntry(t.Context(), "t", late, Order{By: "olga"})
	c.must(tm, err)
	c.at = c.at.Add(time.Hour)
	c.playAll(2)
	if a := c.tm.GroupA(); a != 4 {
		t.Fatalf("group A has %d teams", a)
	}
	c.file192("192 FIDE_TEAM_TYPEA_MP_GP")
}

// TestATeamAwayInRoundOneOfAnAcceleratedSwiss: it does not count, neither here nor for readers of the report.
func TestATeamAwayInRoundOneOfAnAcceleratedSwiss(t *testing.T) {
	for _, test := range []struct{ away, last int }{{9, 4}, {2, 5}} {
		c := newTeamsClub(t, 9, 4, accelerated)
		byes := []tournament.RequestedBye{{Round: 1, Bye: tournament.ZeroPoint}}
		tm, err := c.Do(t.Context(), "t", RequestByes(c.tm.Numbered()[test.away-1].ID, byes), Order{By: "olga"})
		c.must(tm, err)
		for range 3 {
			if file := c.file192("192 FIDE_TEAM_TYPEA_MP_GP"); c.tm.GroupA() != test.last || file.GroupA() != test.last {
				t.Errorf("%d away: group A ends with %d, and with %d in the file", test.away, c.tm.GroupA(), file.GroupA())
			}
			c.playAll(1)
		}
	}
}

// TestAccelerationsOfTeamsAreRefused: it needs match points, and a Swiss.
func TestAccelerationsOfTeamsAreRefused(t *testing.T) {
	c := newTeamsClub(t, 2, 1, nil)
	for _, change := range []func(*tournament.Settings){
		func(s *tournament.Settings) { s.Teams.Primary = team.GP },
		func(s *tournament.Settings) { s.Format, s.RoundCount = tournament.TeamRoundRobin, 0 },
		func(s *tournament.Settings) { s.Rules.Acceleration = "burstein" },
	} {
		s := tournament.Settings{
			Name: "S", Variant: "quixo/duel", Format: tournament.TeamSwiss, RoundCount: 3, TimeControl: "300+3",
			Teams: &tournament.TeamRules{Boards: fourGames},
		}
		accelerated(&s)
		change(&s)
		var faults tournament.FieldErrors
		if _, err := c.Checked(s); !errors.As(err, &faults) || faults[0].Field != "pairing/acceleration" {
			t.Errorf("%+v: %v", s, err)
		}
	}
}
