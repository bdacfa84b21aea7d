package director

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"quatuor/tournament"
	"quatuor/tournament/exchange"
	"quatuor/tournament/standings"
	"quatuor/tournament/standings/teams"
	"quatuor/tournament/team"
	"quatuor/tournament/trf"
	"quatuor/tournament/trf/check"
)

func scheveningenOf(boards int) func(*tournament.Settings) {
	return func(s *tournament.Settings) {
		s.Format = tournament.TeamScheveningen
		s.TieBreaks = nil
		s.RoundCount = 0
		s.Teams = &tournament.TeamRules{Boards: make([]tournament.TeamBoard, boards)}
	}
}

// TestAScheveningen: all players of a team meet all of the other team in as many rounds as boards, seated by the table
// and without filed line-ups; the crosstable, the individual results and the standings follow, and its report is read
// back as the same tournament.
func TestAScheveningen(t *testing.T) {
	for _, test := range []struct {
		boards  int
		earlier bool
	}{{2, false}, {3, false}, {4, false}, {5, false}, {6, false}, {8, false}, {2, true}, {3, true}, {6, true}} {
		boards := test.boards
		t.Run(fmt.Sprint(test), func(t *testing.T) {
			c := newTeamsClub(t, 2, 0, func(s *tournament.Settings) {
				scheveningenOf(boards)(s)
				s.Teams.Squad.Least = 2
			})
			if test.earlier {
				c.beganEarlier()
			}
			if c.tm.RoundCount != boards || len(c.tm.TieBreaks) != 0 {
				t.Fatalf("%d rounds, tie-breaks %v", c.tm.RoundCount, c.tm.TieBreaks)
			}
			for round := 1; round <= boards; round++ {
				c.must(c.Do(t.Context(), "t", NextRound, Order{By: "olga"}))
				p := c.match(round, 1)
				if p.Boards == nil {
					t.Fatalf("round %d: nobody is seated: %+v", round, p)
				}
				c.seatsOfTheTable(round, p)
				if w := c.Review(c.tm, round); len(w) > 0 {
					t.Errorf("round %d: %+v", round, w)
				}
				if err := c.file(round, 1, 0, true, "p1-1"); !errors.Is(err, tournament.ErrState) {
					t.Errorf("a line-up was filed: %v", err)
				}
				if _, err := c.Do(t.Context(), "t", Reopen(round, 1, 5), Order{By: "olga"}); !errors.Is(err, tournament.ErrState) {
					t.Errorf("line-ups were opened again: %v", err)
				}
				for i, b := range p.Boards {
					v, _ := tournament.ParseVerdict([]string{"1-0", "1/2-1/2", "0-1"}[(i+round)%3])
					if b.Result == nil {
						c.must(c.Do(t.Context(), "t", SetBoard(MatchBoard{Round: round, Match: 1, Board: i + 1}, v), Order{By: "olga"}))
					}
				}
			}
			c.must(c.Do(t.Context(), "t", Finish, Order{By: "olga"}))
			c.sumsOfMeetings(boards)
			c.readBack()
		})
	}
}

// beganEarlier marks the tournament, like the migration, as begun under the earlier formula.
func (c *teamsClub) beganEarlier() {
	c.t.Helper()
	begun := *c.tm
	begun.EarlierSeats = true
	c.m.stored["t"], c.m.handed = &begun, map[string]handedOut{}
	c.reload()
}

// seatsOfTheTable compares the boards of a round with the table of 4.3.
func (c *teamsClub) seatsOfTheTable(round int, p tournament.Pairing) {
	c.t.Helper()
	names := c.tm.Numbered()
	for board, duel := range c.tm.Duels(p) {
		opponent, seatOne := team.Table(c.tm).Meeting(round, board+1)
		want := []string{"", ""}
		for n, place := range []int{board, opponent - 1} {
			if place < len(names[n].Members) {
				want[n] = names[n].Members[place]
			}
		}
		if !seatOne {
			slices.Reverse(want)
		}
		if !slices.Equal(duel.Players, want) {
			c.t.Errorf("round %d, board %d: %v, want %v", round, board+1, duel.Players, want)
		}
	}
}

// sumsOfMeetings holds the crosstable to the totals of the teams.
func (c *teamsClub) sumsOfMeetings(boards int) {
	c.t.Helper()
	table, err := standings.After(c.tm, 0)
	if err != nil {
		c.t.Fatal(err)
	}
	m := team.MeetingsOf(c.tm, boards)
	for side, players := range m.Players {
		var sum tournament.Points
		for i, p := range players {
			sum += p.Points
			met := 0
			for j := range m.Players[1-side] {
				met += len(m.Between(side, i, j))
			}
			if most := len(m.Players[1-side]); met != most {
				c.t.Errorf("%s has met %d of %d", p.Player, met, most)
			}
		}
		for _, row := range table.Rows {
			if row.Entry.ID == m.Teams[side].ID && row.Team.GP != sum {
				c.t.Errorf("%s: %v in the standings, %v of its players", row.Entry.Name, row.Team.GP, sum)
			}
		}
	}
	if table.Rows[0].Points < table.Rows[1].Points {
		c.t.Errorf("game points decide: %+v", table.Rows)
	}
	for _, row := range teams.Boards(c.tm, boards) {
		if e := c.tm.Numbered()[row.Team-1]; e.Members[row.Board-1] != row.Player {
			c.t.Errorf("%s has board %d among the best of the boards", row.Player, row.Board)
		}
	}
}

// readBack writes the tournament as a report, imports that, and writes the same.
func (c *teamsClub) readBack() {
	c.t.Helper()
	report, err := c.Export(c.t.Context(), c.tm, exchange.Staff)
	if err != nil {
		c.t.Fatal(err)
	}
	var out bytes.Buffer
	if err := report.Write(&out); err != nil {
		c.t.Fatal(err)
	}
	file, err := trf.ReadTeams(out.Bytes(), false)
	if err != nil || !file.Scheveningen() {
		c.t.Fatalf("%v in\n%s", err, out.String())
	}
	if found, err := check.Teams(file, check.Options{}); err != nil || len(found.Findings) > 0 || found.Rounds != len(c.tm.Rounds) {
		c.t.Errorf("check: %+v, %v in\n%s", found, err, out.String())
	}
	n := 0
	taken, err := exchange.Import(out.Bytes(), exchange.Options{Variant: "quixo/duel", TimeControl: "300+3"},
		func() string { n++; return fmt.Sprint("new", n) })
	if err != nil {
		c.t.Fatalf("%v in\n%s", err, out.String())
	}
	if taken.Settings.Format != tournament.TeamScheveningen || taken.Settings.Teams.Primary != team.GP || !taken.Begun.Finished {
		c.t.Errorf("taken as %+v", taken.Settings)
	}
	taken.Begun.Seed = strings.Repeat("5e", 32)
	back, err := exchange.Imported("u", "olga", taken.Settings, taken.Begun, c.checks(), c.at.UnixMilli())
	if err != nil {
		c.t.Fatal(err)
	}
	if back.EarlierSeats != c.tm.EarlierSeats {
		c.t.Errorf("by the earlier formula: %v, and %v as imported", c.tm.EarlierSeats, back.EarlierSeats)
	}
	for round, r := range c.tm.Rounds {
		for i, b := range r.Pairings[0].Boards {
			q := back.Rounds[round].Pairings[0]
			if b.Players[0] == "" && b.Players[1] == "" {
				continue // the file has no seats of it
			}
			if is, was := back.Teams.SeatOne(i+1, q.Boards[i]), c.tm.Teams.SeatOne(i+1, b); is != was {
				c.t.Errorf("round %d, board %d: seat 1 is of side %d, and was of %d", round+1, i+1, is, was)
			}
		}
	}
	m, again := team.MeetingsOf(c.tm, len(c.tm.Rounds)), team.MeetingsOf(back, len(back.Rounds))
	for side := range m.Players {
		for i, p := range m.Players[side] {
			if q := again.Players[side][i]; p.Points != q.Points || p.Games != q.Games || p.Place != q.Place {
				c.t.Errorf("%+v became %+v", p, q)
			}
		}
	}
}

// TestASubstituteInAScheveningen: before the first move an arbiter puts in a member, which keeps the place until
// replaced; the crosstable has a line for each player used.
func TestASubstituteInAScheveningen(t *testing.T) {
	c := newTeamsClub(t, 2, 0, scheveningenOf(3))
	c.must(c.Do(t.Context(), "t", NextRound, Order{By: "olga"}))
	b := c.tm.Numbered()[1]
	at := MatchBoard{Round: 1, Match: 1, Board: 2}
	c.must(c.Do(t.Context(), "t", Substitute(at, b.ID, b.Members[4]), Order{By: "olga"}))
	if p := c.match(1, 1); p.Boards[1].Players[1] != b.Members[4] || p.Boards[0].Players[1] != b.Members[0] ||
		p.Boards[2].Players[1] != b.Members[2] {
		t.Fatalf("%+v", p.Boards)
	}
	c.enter(1, 1, "100")
	c.must(c.Do(t.Context(), "t", NextRound, Order{By: "olga"}))
	// Round 2: A is Black; on boards 1, 2, 3 sit places 2, 3, 1 of B.
	p := c.match(2, 1)
	for i, player := range []string{b.Members[4], b.Members[2], b.Members[0]} {
		if p.Boards[i].Players[0] != player {
			t.Errorf("round 2, board %d: %s, want %s", i+1, p.Boards[i].Players[0], player)
		}
	}
	c.must(c.Do(t.Context(), "t", Substitute(MatchBoard{Round: 2, Match: 1, Board: 1}, b.ID, b.Members[1]), Order{By: "olga"}))
	c.enter(2, 1, "111")
	m := team.MeetingsOf(c.tm, 2)
	var lines []string
	for _, p := range m.Players[1] {
		lines = append(lines, fmt.Sprintf("%d %s %v %d", p.Place, p.Player, p.Points, p.Games))
	}
	if got := strings.Join(lines, ", "); got != fmt.Sprintf("1 %s 1 2, 2 %s 1 1, 2 %s 1 1, 3 %s 2 2", b.Members[0], b.Members[1],
		b.Members[4], b.Members[2]) {
		t.Errorf("players of B: %s", got)
	}
}

// TestAScheveningenIsRefused: settings and fields that are no match of two teams.
func TestAScheveningenIsRefused(t *testing.T) {
	c := newTeamsClub(t, 2, 0, scheveningenOf(3))
	for _, test := range []struct {
		say    string
		change func(*tournament.TeamRules)
	}{
		{"teams/primary", func(r *tournament.TeamRules) { r.Primary = team.MP }},
		{"teams/order", func(r *tournament.TeamRules) { r.Order = team.FixedOrder }},
		{"teams/order", func(r *tournament.TeamRules) { r.Gaps = team.GapsBottom }},
		{"teams", func(r *tournament.TeamRules) { r.TiebreakClock = "60+1" }},
	} {
		s := tournament.Settings{Name: "S", Variant: "quixo/duel", TimeControl: "300+3"}
		scheveningenOf(3)(&s)
		test.change(s.Teams)
		var faults tournament.FieldErrors
		if _, err := c.Checked(s); !errors.As(err, &faults) || faults[0].Field != test.say {
			t.Errorf("%s: %v", test.say, err)
		}
	}
	third := newMemory()
	c.Director.Store, c.Director.Tables = third, third
	s := tournament.Settings{Name: "S", Variant: "quixo/duel", TimeControl: "300+3"}
	scheveningenOf(2)(&s)
	c.must(c.Create(t.Context(), "t", s, "olga"))
	for i := range 3 {
		tm, _, err := c.AddEntry(t.Context(), "t", tournament.Entry{
			Name: fmt.Sprint("Team ", i), Members: []string{fmt.Sprintf("p%d-1", i+1), fmt.Sprintf("p%d-2", i+1)},
		}, Order{By: "olga"})
		c.must(tm, err)
	}
	if advice := c.Advice(c.tm); len(advice) == 0 || !strings.Contains(advice[0].Text.String(), "2 teams") {
		t.Errorf("advice: %+v", advice)
	}
	if _, err := c.Do(t.Context(), "t", Start, Order{By: "olga"}); !errors.Is(err, tournament.ErrInvalid) {
		t.Errorf("three teams started: %v", err)
	}
}

// TestAScheveningenWithoutATeam: what a team that withdraws leaves is forfeited, and nothing is annulled.
func TestAScheveningenWithoutATeam(t *testing.T) {
	c := newTeamsClub(t, 2, 0, scheveningenOf(3))
	c.must(c.Do(t.Context(), "t", NextRound, Order{By: "olga"}))
	c.enter(1, 1, "000")
	a := c.tm.Numbered()[0]
	c.must(c.Do(t.Context(), "t", Withdraw(a.ID), Order{By: "olga"}))
	for range 2 {
		c.must(c.Do(t.Context(), "t", NextRound, Order{By: "olga"}))
		c.at = c.at.Add(time.Minute)
	}
	c.must(c.Do(t.Context(), "t", Finish, Order{By: "olga"}))
	table, err := standings.After(c.tm, 0)
	if err != nil || table.Rows[0].Entry.ID == a.ID || table.Rows[0].Points != 90 || table.Rows[1].Rank != 2 {
		t.Errorf("%+v, %v", table, err)
	}
}
