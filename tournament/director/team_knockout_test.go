package director

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"quatuor/tournament"
	"quatuor/tournament/standings"
	"quatuor/tournament/team"
)

func teamCup(s *tournament.Settings) {
	s.Format = tournament.TeamKnockout
	s.TieBreaks = nil
	s.RoundCount = 0
	s.Rules.Match.ThirdPlace = true
	s.Teams.TiebreakClock = "60+1"
}

// reveal publishes the next round and lets its line-ups become due.
func (c *teamsClub) reveal() {
	c.t.Helper()
	c.must(c.Do(c.t.Context(), "t", NextRound, Order{By: "olga"}))
	c.at = c.at.Add(10 * time.Minute)
	if err := c.RevealDue(c.t.Context()); err != nil {
		c.t.Fatal(err)
	}
	c.reload()
}

// enter sets the results of the open boards of a match by White's points: 1, = or 0.
func (c *teamsClub) enter(round, match int, results string) {
	c.t.Helper()
	from := 0
	for i, b := range c.tm.Rounds[round-1].Pairings[match-1].Boards {
		if b.Result == nil {
			from = i
			break
		}
	}
	for i, r := range results {
		v, _ := tournament.ParseVerdict(map[rune]string{'1': "1-0", '=': "1/2-1/2", '0': "0-1"}[r])
		c.must(c.Do(c.t.Context(), "t", SetBoard(MatchBoard{Round: round, Match: match, Board: from + i + 1}, v), Order{By: "olga"}))
	}
}

func (c *teamsClub) match(round, match int) tournament.Pairing {
	return c.tm.Rounds[round-1].Pairings[match-1]
}

// TestAKnockoutOfTeams: level matches are decided by the board count, by second matches with the seats exchanged, and
// by lot; the winner is derived, and nothing can change it once the next round is paired.
func TestAKnockoutOfTeams(t *testing.T) {
	c := newTeamsClub(t, 4, 0, teamCup)
	c.reveal()
	c.enter(1, 1, "1100")
	p := c.match(1, 1)
	if r := p.Result; r == nil || r.GoesOn != 1 || r.DecidedBy != team.ByBoardCount || !slices.Equal(r.Ranks, []int{1, 1}) ||
		c.tm.Winner(p) != p.Seats[0] {
		t.Fatalf("by the board count: %+v", p.Result)
	}
	c.enter(1, 2, "====")
	p = c.match(1, 2)
	if p.Result != nil || len(p.Boards) != 8 || c.tm.Rounds[0].Status != tournament.Published {
		t.Fatalf("a second match was to be played: %+v", p)
	}
	duels := c.tm.Duels(p)
	for i, d := range duels[4:] {
		if g := c.m.games[d.ID]; g == nil || d.TimeControl != "60+1" || d.Variant != duels[i].Variant ||
			g.Players[0] != duels[i].Players[1] || d.Rated != duels[i].Rated {
			t.Errorf("board %d of the second match: %+v after %+v", i+1, d, duels[i])
		}
	}
	white, _ := c.tm.Entry(p.Seats[0])
	at := MatchBoard{Round: 1, Match: 2, Board: 5}
	if _, err := c.Do(t.Context(), "t", Substitute(at, white.ID, white.Members[5]), Order{By: "olga"}); !errors.Is(err, tournament.ErrState) {
		t.Errorf("a substitute in the second match: %v", err)
	}
	// A correction that decides the match takes its second match back, provided nothing was played there.
	lost, _ := tournament.ParseVerdict("0-1")
	drawn, _ := tournament.ParseVerdict("1/2-1/2")
	c.must(c.Do(t.Context(), "t", SetBoard(MatchBoard{Round: 1, Match: 2, Board: 1}, lost), Order{By: "olga"}))
	p = c.match(1, 2)
	if p.Result == nil || len(p.Boards) != 4 || !c.m.games[duels[4].ID].over {
		t.Fatalf("corrected: %+v", p)
	}
	c.must(c.Do(t.Context(), "t", SetBoard(MatchBoard{Round: 1, Match: 2, Board: 1}, drawn), Order{By: "olga"}))
	c.m.games[c.match(1, 2).Boards[4].GameID].moved = true
	if _, err := c.Do(t.Context(), "t", SetBoard(MatchBoard{Round: 1, Match: 2, Board: 1}, lost), Order{By: "olga"}); !errors.Is(err, tournament.ErrState) {
		t.Errorf("after a move in the second match: %v", err)
	}
	c.enter(1, 2, "====")
	c.enter(1, 2, "=0=1")
	p = c.match(1, 2)
	if r := p.Result; len(p.Boards) != 12 || r == nil || r.GoesOn == 0 || r.DecidedBy != team.ByLot || r.Points[0] != 10 {
		t.Fatalf("by lot: %+v", p)
	}
	table, err := standings.After(c.tm, 0)
	if err != nil || table.Rows[0].Team == nil || table.Rows[0].Team.GP != 20 || table.Rows[0].Shared != 2 {
		t.Errorf("standings: %+v, %v", table, err)
	}
	c.reveal()
	if got := len(c.tm.Rounds[1].Pairings); got != 2 || !c.tm.ForThirdPlace(2, c.match(2, 2)) || c.tm.ForThirdPlace(2, c.match(2, 1)) {
		t.Errorf("%d matches in the last round", got)
	}
	other := tournament.Verdict{Ranks: []int{1, 2}}
	if p.Result.GoesOn == 1 {
		other = lost
	}
	if _, err := c.Do(t.Context(), "t", SetBoard(MatchBoard{Round: 1, Match: 2, Board: 1}, other), Order{By: "olga"}); !errors.Is(err, tournament.ErrState) {
		t.Errorf("another winner after the next round was paired: %v", err)
	}
	c.enter(2, 1, "1===")
	c.enter(2, 2, "===0")
	c.must(c.Do(t.Context(), "t", Finish, Order{By: "olga"}))
	table, err = standings.After(c.tm, 0)
	if err != nil || table.Rows[0].Rank != 1 || table.Rows[3].Rank != 4 {
		t.Errorf("at the end: %+v, %v", table, err)
	}
	changes, err := c.History(t.Context(), "t")
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, change := range changes {
		said = append(said, change.Why)
	}
	for _, want := range []string{"goes on: board count 3 to 7, the lower goes on (BC)", "another match decides", "drawn by lot"} {
		if !strings.Contains(strings.Join(said, "\n"), want) {
			t.Errorf("the history does not say %q:\n%s", want, strings.Join(said, "\n"))
		}
	}
}

// TestTheServerDecidesMatchesOfTeams: games of the server bring a second match, and undo takes an entry by hand back.
func TestTheServerDecidesMatchesOfTeams(t *testing.T) {
	c := newTeamsClub(t, 2, 0, func(s *tournament.Settings) {
		teamCup(s)
		s.Teams.Boards = slices.Repeat([]tournament.TeamBoard{{}}, 2)
		s.Teams.KnockoutBreaks = []tournament.TeamDecider{team.ByRapid}
	})
	c.reveal()
	for n := 1; n <= 3; n++ {
		for _, id := range slices.Clone(c.m.order) {
			if g := c.m.games[id]; !g.over {
				c.m.finish(g, Finished{Ranks: []int{1, 1}, Reason: "agreement", Plies: 9})
			}
		}
		if _, err := c.CatchUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.reload()
		if p := c.match(1, 1); len(p.Boards) != min(2*n+2, 6) || (p.Result != nil) != (n == 3) {
			t.Fatalf("after %d matches: %+v", n, p)
		}
	}
	if r := c.match(1, 1).Result; r.DecidedBy != team.ByLot {
		t.Errorf("a lot comes last: %+v", r)
	}
	if len(c.m.order) != 6 {
		t.Errorf("%d games", len(c.m.order))
	}
}
