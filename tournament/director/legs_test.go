package director

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/knockout"
	"quatuor/tournament/standings"
	"quatuor/tournament/team"
)

func twoLegs(s *tournament.Settings) {
	teamCup(s)
	s.Teams.Legs = 2
}

// bothLegs plays a round of the bracket: results by White's points of each match, in the first leg and in the second.
func (c *teamsClub) bothLegs(stage int, first, second []string) {
	c.t.Helper()
	for leg, results := range [][]string{first, second} {
		c.reveal()
		for i, r := range results {
			c.enter(2*stage-1+leg, i+1, r)
		}
	}
}

func (c *teamsClub) winnerIs(round, match int, want string, by tournament.TeamDecider) {
	c.t.Helper()
	p := c.match(round, match)
	if p.Result == nil || c.tm.Winner(p) != want || p.Result.DecidedBy != by {
		c.t.Errorf("round %d, match %d: %q by %q, want %q by %q: %+v", round, match, c.tm.Winner(p), p.Result.DecidedBy, want, by, p.Result)
	}
}

// TestTwoLegs: colours and seats are exchanged in the second leg, match points of both legs decide, then game points,
// then the breaks over both; the bracket, the standings and the match for the third place follow.
func TestTwoLegs(t *testing.T) {
	c := newTeamsClub(t, 4, 0, twoLegs)
	if c.tm.RoundCount != 4 {
		t.Fatalf("%d rounds", c.tm.RoundCount)
	}
	c.reveal()
	first := [2]tournament.Pairing{c.match(1, 1), c.match(1, 2)}
	if _, err := c.Do(t.Context(), "t", NextRound, Order{By: "olga"}); !errors.Is(err, tournament.ErrState) {
		t.Fatalf("the second leg before the first is over: %v", err)
	}
	c.enter(1, 1, "1100") // level: the legs together decide
	c.enter(1, 2, "1111")
	for i := range first {
		if p := c.match(1, i+1); p.Result == nil || c.tm.Winner(p) != "" || len(p.Boards) != 4 || p.Result.GoesOn != tournament.NoneYet {
			t.Errorf("after a first leg: %+v", p.Result)
		}
		if said := team.Of(c.tm).Decision(c.tm, 1, c.match(1, i+1)); said.Winner != -1 || !said.Text.IsZero() {
			t.Errorf("a first leg decided: %+v", said)
		}
	}
	c.reveal()
	for i, p := range first {
		q := c.match(2, i+1)
		if q.Board != p.Board || !slices.Equal(q.Seats, []string{p.Seats[1], p.Seats[0]}) {
			t.Errorf("second leg of %v: %v", p.Seats, q.Seats)
		}
		for k, d := range c.tm.Duels(q) {
			if before := c.tm.Duels(first[i])[k]; d.Players[0] != before.Players[1] || d.Players[1] != before.Players[0] {
				t.Errorf("match %d, board %d: %v after %v", i+1, k+1, d.Players, before.Players)
			}
		}
	}
	c.enter(2, 1, "0==1") // 2–2 and 2–2: BC over both legs
	// Match 2: 4–0, then White of the second leg wins 3–1: a match point each, 5 to 3 game points.
	c.enter(2, 2, "1110")
	c.winnerIs(2, 2, first[1].Seats[0], "")
	d := team.Of(c.tm).Decision(c.tm, 2, c.match(2, 2))
	if text := d.Text.String(); text != "3 to 5 game points" {
		t.Errorf("said: %s", text)
	}
	// Boards of White of the first leg: 1 1 0 0 and 1 ½ ½ 0, BC 3 + 3½; of Black: 7 + 6½.
	c.winnerIs(2, 1, first[0].Seats[0], team.ByBoardCount)
	b := knockout.Of(pairing.HistoryOf(c.tm, 3))
	for _, m := range b.Rounds[0] {
		if m.Winner < 1 || m.Paired != 2 {
			t.Errorf("bracket: %+v", m)
		}
	}
	c.bothLegs(2, []string{"====", "1111"}, []string{"0===", "0000"})
	final, third := c.match(4, 1), c.match(4, 2)
	if !c.tm.ForThirdPlace(4, third) || !c.tm.ForThirdPlace(3, c.match(3, 2)) || c.tm.ForThirdPlace(4, final) || c.tm.ForThirdPlace(2, c.match(2, 1)) {
		t.Error("the match for the third place")
	}
	c.winnerIs(4, 1, final.Seats[1], "")
	c.must(c.Do(t.Context(), "t", Finish, Order{By: "olga"}))
	table, err := standings.After(c.tm, 0)
	if err != nil || table.Rows[0].Entry.ID != final.Seats[1] || table.Rows[1].Out != 4 || table.Rows[2].Out != 2 ||
		table.Rows[2].Rank != 3 || table.Rows[3].Rank != 4 {
		t.Errorf("%+v, %v", table, err)
	}
	for round := 1; round <= 4; round++ {
		why, err := c.Explain(t.Context(), c.tm, round, true)
		if err != nil || len(why.Boards) != 2 {
			t.Fatalf("round %d: %v", round, err)
		}
		for _, b := range why.Boards {
			if b.Meeting.IsZero() || b.Colours.IsZero() {
				t.Errorf("round %d: %+v", round, b)
			}
			if second := strings.Contains(b.Colours.String(), "second leg"); second != (round%2 == 0) {
				t.Errorf("round %d: %s", round, b.Colours)
			}
		}
	}
}

// TestMatchPointsDecideTwoLegs: they come before game points.
func TestMatchPointsDecideTwoLegs(t *testing.T) {
	c := newTeamsClub(t, 2, 0, twoLegs)
	c.bothLegs(1, []string{"1111"}, []string{"===="})
	c.winnerIs(2, 1, c.match(1, 1).Seats[0], "")
	if said := team.Of(c.tm).Decision(c.tm, 2, c.match(2, 1)).Text.String(); said != "1 to 3 match points" {
		t.Errorf("said: %s", said)
	}
}

// TestASecondLegIsPlayedOn: after two legs level in everything come a rapid match and the lot.
func TestASecondLegIsPlayedOn(t *testing.T) {
	c := newTeamsClub(t, 2, 0, twoLegs)
	c.bothLegs(1, []string{"===="}, []string{"===="})
	if p := c.match(2, 1); p.Result != nil || len(p.Boards) != 8 || len(c.match(1, 1).Boards) != 4 {
		t.Fatalf("%+v", p)
	}
	duels := c.tm.Duels(c.match(2, 1))
	if duels[4].Players[0] != duels[0].Players[1] || duels[4].TimeControl != "60+1" {
		t.Errorf("the rapid match: %+v after %+v", duels[4], duels[0])
	}
	c.enter(2, 1, "1===")
	c.winnerIs(2, 1, c.match(2, 1).Seats[0], team.ByRapid)
	// A correction of the first leg decides it: the rapid match was played and stays, the reason is another.
	v, _ := tournament.ParseVerdict("1-0")
	c.must(c.Do(t.Context(), "t", SetBoard(MatchBoard{Round: 1, Match: 1, Board: 1, Why: "seen"}, v), Order{By: "olga"}))
	c.winnerIs(2, 1, c.match(1, 1).Seats[0], "")
	acts, err := c.History(t.Context(), "t")
	if err != nil || !strings.Contains(fmt.Sprint(acts), "the first leg was corrected; "+name(c, c.match(1, 1).Seats[0])+" goes on") {
		t.Errorf("history: %v, %v", acts, err)
	}
}

func name(c *teamsClub, id string) string {
	e, _ := c.tm.Entry(id)
	return e.Name
}

// TestAFirstLegIsCorrectedTooLate: once the next round of the bracket is paired, neither leg can change the winner.
func TestAFirstLegIsCorrectedTooLate(t *testing.T) {
	c := newTeamsClub(t, 4, 0, twoLegs)
	c.bothLegs(1, []string{"1000", "1111"}, []string{"====", "===="})
	c.reveal()
	v, _ := tournament.ParseVerdict("1-0")
	was := c.match(1, 1)
	for board := 2; board <= 4; board++ {
		_, err := c.Do(t.Context(), "t", SetBoard(MatchBoard{Round: 1, Match: 1, Board: board}, v), Order{By: "olga"})
		if err == nil && board == 2 {
			c.reload() // 2–2 with a draw: the board count
			continue
		}
		if !errors.Is(err, tournament.ErrState) {
			t.Errorf("board %d: %v", board, err)
		}
		break
	}
	c.reload()
	if c.tm.Winner(c.match(2, 1)) != was.Seats[1] {
		t.Errorf("%+v", c.match(2, 1).Result)
	}
}

// TestATeamWithdrawsBetweenLegs: the second leg is forfeited, and the opponent goes on whatever the first leg was.
func TestATeamWithdrawsBetweenLegs(t *testing.T) {
	c := newTeamsClub(t, 3, 0, twoLegs)
	c.reveal()
	bye, match := c.match(1, 2), c.match(1, 1)
	if bye.Bye != tournament.PairingAllocated {
		t.Fatalf("%+v", bye)
	}
	c.enter(1, 1, "1111")
	c.must(c.Do(t.Context(), "t", Withdraw(match.Seats[0]), Order{By: "olga"}))
	c.must(c.Do(t.Context(), "t", NextRound, Order{By: "olga"}))
	if p := c.match(2, 1); c.tm.Winner(p) != match.Seats[1] || p.Boards != nil || c.match(2, 2).Bye != tournament.PairingAllocated {
		t.Errorf("%+v", c.tm.Rounds[1])
	}
	c.must(c.Do(t.Context(), "t", NextRound, Order{By: "olga"}))
	if p := c.match(3, 1); !slices.Contains(p.Seats, bye.Seats[0]) || !slices.Contains(p.Seats, match.Seats[1]) {
		t.Errorf("final: %+v", p)
	}
}

// TestAForfeitedLegCounts: a team that mans too few boards in a leg loses that leg, not the match.
func TestAForfeitedLegCounts(t *testing.T) {
	c := newTeamsClub(t, 2, 0, twoLegs)
	c.must(c.Do(t.Context(), "t", NextRound, Order{By: "olga"}))
	e, _ := c.tm.Entry(c.match(1, 1).Seats[0])
	if err := c.file(1, 1, 0, true, e.Members[0]); err != nil {
		t.Fatal(err)
	}
	if err := c.file(1, 1, 1, true); err != nil {
		t.Fatal(err)
	}
	c.reload()
	if p := c.match(1, 1); p.Result == nil || !p.Result.Forfeit || c.tm.Winner(p) != "" {
		t.Fatalf("%+v", p.Result)
	}
	c.must(c.Do(t.Context(), "t", NextRound, Order{By: "olga"}))
	if err := c.file(2, 1, 1, true, e.Members[:4]...); err != nil {
		t.Fatal(err)
	}
	if err := c.file(2, 1, 0, true); err != nil {
		t.Fatal(err)
	}
	c.reload()
	c.enter(2, 1, "0000") // Black of the second leg lost the first 0–4, and wins 4–0: the board counts are equal
	p := c.match(2, 1)
	if p.Result != nil || len(p.Boards) != 8 {
		t.Errorf("%+v", p)
	}
}
