package director

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"quatuor/tournament"
	"quatuor/tournament/exchange"
	"quatuor/tournament/pairing/teamswiss"
	"quatuor/tournament/standings"
	"quatuor/tournament/standings/teams"
	"quatuor/tournament/team"
	"quatuor/tournament/trf"
	"quatuor/tournament/trf/check"
)

// teamsClub directs a tournament of teams.
type teamsClub struct {
	*Director
	t  *testing.T
	m  *memory
	at time.Time
	tm *tournament.Tournament

	ratedBefore int64 // at the last call of Ratings
}

var fourGames = []tournament.TeamBoard{{Game: "quixo/duel"}, {Game: "quits/duel"}, {Game: "quivive/duel"}, {Game: "quiwin/duel", Unrated: true}}

// newTeamsClub starts a tournament of n teams with six members each.
func newTeamsClub(t *testing.T, n, rounds int, change func(*tournament.Settings)) *teamsClub {
	t.Helper()
	c := &teamsClub{t: t, m: newMemory(), at: testTime}
	next := 0
	c.Director = New(Config{
		Store: c.m, Tables: c.m, Now: func() time.Time { return c.at },
		NewID: func() string { next++; return fmt.Sprintf("id%03d", next) },
		Variant: func(string, map[string]string) (tournament.Shape, error) {
			return tournament.Shape{Min: 2, Max: 2, Members: 1}, nil
		},
		TimeControl: func(text string) (string, error) { return text, nil },
		NewSeed:     func() string { return strings.Repeat("5e", 32) },
		Ratings: func(_ context.Context, _, _ string, players []string, before int64) (map[string]float64, error) {
			c.ratedBefore = before
			out := make(map[string]float64)
			for _, p := range players {
				out[p] = 1900 - 50*float64(p[1]-'0') - float64(p[3]-'0')
			}
			return out, nil
		},
	})
	s := tournament.Settings{
		Name: "League", Variant: "quixo/duel", Format: tournament.TeamSwiss, RoundCount: rounds, TimeControl: "300+3",
		Rated: true, Teams: &tournament.TeamRules{Boards: fourGames},
	}
	if change != nil {
		change(&s)
	}
	c.must(c.Create(t.Context(), "t", s, "olga"))
	for i := range n {
		e := tournament.Entry{Name: fmt.Sprint("Team ", i+1), Captain: fmt.Sprintf("p%d-1", i+1)}
		for k := range 6 {
			e.Members = append(e.Members, fmt.Sprintf("p%d-%d", i+1, k+1))
		}
		tm, _, err := c.AddEntry(t.Context(), "t", e, Order{By: "olga"})
		c.must(tm, err)
	}
	c.must(c.Do(t.Context(), "t", Start, Order{By: "olga"}))
	return c
}

func (c *teamsClub) must(tm *tournament.Tournament, err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
	c.tm = tm
}

func (c *teamsClub) reload() {
	c.t.Helper()
	tm, err := c.Store.Load(c.t.Context(), "t")
	c.must(tm, err)
}

func (c *teamsClub) file(round, match, side int, final bool, players ...string) error {
	e, _ := c.tm.Entry(c.tm.Rounds[round-1].Pairings[match-1].Seats[side])
	_, err := c.FileLineUp(c.t.Context(), "t", Filing{
		Round: round, Match: match, Player: e.Captain, Players: players, Final: final,
	}, Order{By: "by " + e.Captain})
	return err
}

// finishGames ends all open games: the game's number decides the winner.
func (c *teamsClub) finishGames() {
	for i, id := range c.m.order {
		if g := c.m.games[id]; !g.over {
			ranks := [][]int{{1, 2}, {1, 1}, {2, 1}, {1, 2}, {2, 1}}[i%5]
			c.m.finish(g, Finished{Ranks: ranks, Reason: "five", Plies: 9})
		}
	}
	if _, err := c.CatchUp(c.t.Context()); err != nil {
		c.t.Fatal(err)
	}
	c.reload()
}

// TestATournamentOfTeams: four games, from the entries to the standings, which are those of its own report file.
func TestATournamentOfTeams(t *testing.T) {
	c := newTeamsClub(t, 6, 4, nil)
	for round := 1; round <= 4; round++ {
		c.must(c.Do(t.Context(), "t", NextRound, Order{By: "olga"}))
		if round == 2 { // both captains of the first match are done: it is revealed at once
			p := c.tm.Rounds[1].Pairings[0]
			white, _ := c.tm.Entry(p.Seats[0])
			if err := errors.Join(c.file(2, 1, 0, true, white.Members[2:6]...), c.file(2, 1, 1, true)); err != nil {
				t.Fatal(err)
			}
			c.reload()
			if b := c.tm.Rounds[1].Pairings[0].Boards; len(b) != 4 || b[0].Players[0] != white.Members[2] {
				t.Errorf("not revealed: %+v", b)
			}
			if b := c.tm.Rounds[1].Pairings[1].Boards; b != nil {
				t.Errorf("revealed too early: %+v", b)
			}
		}
		c.at = c.at.Add(10 * time.Minute)
		if err := c.RevealDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.finishGames()
	}
	c.must(c.Do(t.Context(), "t", Finish, Order{By: "olga"}))
	if g := c.m.games[c.m.order[3]]; g.Variant != "quiwin/duel" || g.Rated || g.Board != 1 {
		t.Errorf("the fourth board: %+v", g.Opening)
	}
	if g := c.m.games[c.m.order[1]]; g.Variant != "quits/duel" || !g.Rated || g.Players[1][:2] != c.m.games[c.m.order[0]].Players[0][:2] {
		t.Errorf("the second board has the other colours: %+v", g.Opening)
	}
	report, err := c.Export(t.Context(), c.tm, exchange.Staff)
	if err != nil {
		t.Fatal(err)
	}
	checkReport(t, c.tm, report)
}

// checkReport compares a tournament with its report: each round is paired alike from it, it ranks alike, and it is
// written as it was read.
func checkReport(t *testing.T, tm *tournament.Tournament, report Report) {
	t.Helper()
	var text, again bytes.Buffer
	if err := report.Write(&text); err != nil {
		t.Fatal(err)
	}
	r, err := trf.ReadTeams(text.Bytes(), false)
	if err != nil {
		t.Fatalf("%v\n%s", err, text.String())
	}
	if err := r.Write(&again); err != nil || again.String() != text.String() {
		t.Errorf("written again: %v\n%s\n%s", err, text.String(), again.String())
	}
	for round := 1; round <= len(tm.Rounds) && !r.Table(); round++ {
		pairer := teamswiss.Pairer{Preference: teamswiss.Preference(r.Preference()), NoSecondary: r.Secondary() == team.NoScore}
		if len(r.Boosts) > 0 {
			pairer.Virtual = r.VirtualPoints
		}
		drawn, err := pairer.Draw(r.Drawn(round))
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		for i, g := range drawn.Games {
			want := []string{tm.Numbered()[g.White-1].ID, tm.Numbered()[g.Black-1].ID}
			if is := tm.Rounds[round-1].Pairings[i].Seats; !slices.Equal(want, is) {
				t.Errorf("round %d, match %d: %v, in the file %v\n%s", round, i+1, is, want, text.String())
			}
		}
	}
	f := teams.FieldOfReport(r)
	f.TieBreaks = tm.TieBreaks
	want, err := teams.Rank(f)
	if err != nil {
		t.Fatal(err)
	}
	got, err := standings.After(tm, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range got.Rows {
		w := want[i]
		if row.Entry.Number != w.Number || row.Rank != w.Rank || *row.Team != w.Totals || !slices.Equal(row.TieBreaks, w.TieBreaks) {
			t.Errorf("rank %d: %d %+v %v, by the file %+v", row.Rank, row.Entry.Number, *row.Team, row.TieBreaks, w)
		}
	}
}

// TestForfeitsOfTeams: fewer than half of the boards, a withdrawal, byes, boards left empty, results by hand, and their
// undo. The standings are those of the report file.
func TestForfeitsOfTeams(t *testing.T) {
	c := newTeamsClub(t, 7, 3, func(s *tournament.Settings) {
		s.Venue = tournament.InHall
		s.Teams.Gaps = team.GapsAny
	})
	for round := 1; round <= 3; round++ {
		if round == 2 {
			c.must(c.Do(t.Context(), "t", Withdraw(c.tm.Entries[0].ID), Order{By: "olga"}))
		}
		if round == 3 {
			byes := []tournament.RequestedBye{{Round: 3, Bye: tournament.HalfPoint}}
			c.must(c.Do(t.Context(), "t", RequestByes(c.tm.Entries[1].ID, byes), Order{By: "olga"}))
		}
		c.must(c.Do(t.Context(), "t", NextRound, Order{By: "olga"}))
		p := c.tm.Rounds[round-1].Pairings[0]
		white, _ := c.tm.Entry(p.Seats[0])
		lineUp := []string{white.Members[0], "", "", ""}
		if round > 1 {
			lineUp = []string{white.Members[0], "", white.Members[3], ""}
		}
		if err := c.file(round, 1, 0, false, lineUp...); err != nil {
			t.Fatal(err)
		}
		c.at = c.at.Add(10 * time.Minute)
		if err := c.RevealDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.reload()
		p = c.tm.Rounds[round-1].Pairings[0]
		if forfeit := p.Result != nil; forfeit != (round == 1) {
			t.Errorf("round %d: %+v", round, p)
		}
		for _, p := range c.tm.Rounds[round-1].Pairings {
			for i, b := range p.Boards {
				if b.Result == nil {
					v := []string{"1-0", "1/2-1/2", "0-1", "+--", "---"}[(i+p.Board+round)%5]
					verdict, _ := tournament.ParseVerdict(v)
					at := MatchBoard{Round: round, Match: p.Board, Board: i + 1}
					c.must(c.Do(t.Context(), "t", SetBoard(at, verdict), Order{By: "olga"}))
				}
			}
		}
		if c.tm.Rounds[round-1].Status != tournament.Complete {
			t.Fatalf("round %d is %s", round, c.tm.Rounds[round-1].Status)
		}
	}
	acts, err := c.Acts(t.Context(), "t")
	if err != nil {
		t.Fatal(err)
	}
	version := c.Undoable(c.tm, acts)
	undone, err := c.Undo(t.Context(), "t", version, Order{By: "olga"})
	if err != nil || undone.Rounds[2].Status != tournament.Published {
		t.Fatalf("undo of %d: %v", version, err)
	}
	report, err := c.Export(t.Context(), c.tm, exchange.Public)
	if err != nil {
		t.Fatal(err)
	}
	checkReport(t, c.tm, report)
}

// TestLineUpsAreRefused: strangers, twice, late, and what the order forbids.
func TestLineUpsAreRefused(t *testing.T) {
	c := newTeamsClub(t, 4, 2, func(s *tournament.Settings) { s.Teams.Order = team.FixedOrder })
	c.must(c.Do(t.Context(), "t", NextRound, Order{By: "olga"}))
	p := c.tm.Rounds[0].Pairings[0]
	white, _ := c.tm.Entry(p.Seats[0])
	m := white.Members
	for want, players := range map[string][]string{
		"is on board 1 and on board 2": {m[0], m[0]},
		"is not in the squad":          {m[0], "p9-1"},
		"is registered after":          {m[1], m[0]},
		"5 places":                     {m[0], m[1], m[2], m[3], m[4]},
	} {
		if err := c.file(1, 1, 0, false, players...); !errors.Is(err, tournament.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	seen := 0
	filing := Filing{Round: 1, Match: 1, Player: "olga", Players: m[1:5], Seen: &seen}
	if _, err := c.FileLineUp(t.Context(), "t", filing, Order{}); !errors.Is(err, tournament.ErrNotFound) {
		t.Errorf("a stranger: %v", err)
	}
	filing.Player = white.Captain
	before := c.tm.PublicVersion
	published := c.at.UnixMilli()
	c.at = c.at.Add(time.Minute)
	c.must(c.FileLineUp(t.Context(), "t", filing, Order{By: "w"}))
	if c.ratedBefore != published {
		t.Errorf("filed by the ratings of %d, and the round was published at %d", c.ratedBefore, published)
	}
	if c.tm.PublicVersion != before {
		t.Error("the public sees that a line-up was filed")
	}
	if _, err := c.FileLineUp(t.Context(), "t", filing, Order{}); err == nil {
		_, err = c.FileLineUp(t.Context(), "t", Filing{Round: 1, Match: 1, Player: white.Captain, Players: m[0:4], Seen: &seen}, Order{})
		if !errors.Is(err, tournament.ErrStale) {
			t.Errorf("made on another version: %v", err)
		}
	}
	black, _ := c.tm.Entry(p.Seats[1])
	if own, err := c.OwnLineUp(t.Context(), c.tm, 1, 1, black.Captain); err != nil || own.N != 0 || own.Players[0] != black.Members[0] {
		t.Errorf("the other captain sees %+v, %v", own, err)
	}
	if list, err := c.LineUpHistory(t.Context(), c.tm, 1, 1); err != nil || list != nil {
		t.Errorf("before the reveal: %v, %v", list, err)
	}
	c.at = c.at.Add(10 * time.Minute)
	if err := c.file(1, 1, 0, false, m[0:4]...); !errors.Is(err, tournament.ErrState) || !strings.Contains(err.Error(), "T") {
		t.Errorf("too late: %v", err)
	}
	if err := errors.Join(c.RevealDue(t.Context()), c.RevealDue(t.Context())); err != nil {
		t.Fatal(err)
	}
	c.reload()
	if list, err := c.LineUpHistory(t.Context(), c.tm, 1, 1); err != nil || len(list) != 1 || list[0].By != "w" {
		t.Errorf("after the reveal: %v, %v", list, err)
	}
	if len(c.m.order) != 8 {
		t.Errorf("%d games were opened", len(c.m.order))
	}
	// The reserve takes the place of the first: with the fixed order all below move up.
	at := MatchBoard{Round: 1, Match: 1, Board: 1}
	if _, err := c.Do(t.Context(), "t", Substitute(at, white.ID, m[4]), Order{By: "olga"}); !errors.Is(err, tournament.ErrInvalid) {
		t.Errorf("who sits there already: %v", err)
	}
	c.m.games[c.tm.Rounds[0].Pairings[0].Boards[3].GameID].moved = true
	if _, err := c.Do(t.Context(), "t", Substitute(at, white.ID, m[5]), Order{By: "olga"}); !errors.Is(err, tournament.ErrState) {
		t.Errorf("after a move: %v", err)
	}
	c.must(c.Do(t.Context(), "t", Substitute(at, white.ID, m[0]), Order{By: "olga"}))
	if b := c.tm.Rounds[0].Pairings[0].Boards; b[0].Players[0] != m[0] || b[1].Players[0] != m[2] || b[0].GameID == b[1].GameID {
		t.Errorf("after the substitution: %+v", b)
	}
}

// TestPenaltiesOfTeams: they count from the table after a round on, in the pairings too, are in the history and in the
// report file, and those that a round was paired with stay.
func TestPenaltiesOfTeams(t *testing.T) {
	c := newTeamsClub(t, 6, 4, nil)
	order := Order{By: "olga"}
	set := func(list ...tournament.Bonus) error {
		_, err := c.Do(t.Context(), "t", SetBonuses(list), order)
		c.reload()
		return err
	}
	ids := func(n int) string { return c.tm.Numbered()[n-1].ID }
	first := tournament.Bonus{Entry: ids(1), MP: -10, GP: -5, Why: "late"}
	if err := set(first); err != nil {
		t.Fatal(err)
	}
	for round := 1; round <= 4; round++ {
		c.reveal()
		c.finishGames()
		if round == 2 {
			if err := set(first, tournament.Bonus{Entry: ids(6), MP: 30, After: 2, Why: "as the jury ruled"},
				tournament.Bonus{Entry: ids(2), GP: -25, After: 3, Why: "phone"}); err != nil {
				t.Fatal(err)
			}
		}
	}
	six := slices.Index(c.tm.Rounds[2].Pairings[0].Seats, ids(6))
	if six < 0 || c.tm.Rounds[2].Pairings[0].Scores[six] < 30 {
		t.Errorf("the bonus did not count in the pairing of round 3: %+v", c.tm.Rounds[2].Pairings)
	}
	for name, list := range map[string][]tournament.Bonus{
		"a removed one that counted": c.tm.Bonuses[1:],
		"one that came too late":     append(slices.Clone(c.tm.Bonuses), tournament.Bonus{Entry: ids(3), MP: -10, After: 2, Why: "late"}),
	} {
		if err := set(list...); !errors.Is(err, tournament.ErrState) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, b := range map[string]tournament.Bonus{
		"nobody": {Entry: "x", MP: 10, After: 4, Why: "w"}, "nothing": {Entry: ids(1), After: 4, Why: "w"}, "no reason": {Entry: ids(1), MP: 5, After: 4},
		"too much": {Entry: ids(1), MP: -100, After: 4, Why: "w"}, "no round": {Entry: ids(1), MP: 5, After: 5, Why: "w"},
	} {
		if err := set(append(slices.Clone(c.tm.Bonuses), b)...); !errors.Is(err, tournament.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := set(append(slices.Clone(c.tm.Bonuses), tournament.Bonus{Entry: ids(3), MP: -10, After: 4, Why: "shouted"})...); err != nil {
		t.Error(err)
	}
	acts, err := c.Acts(t.Context(), "t")
	if err != nil {
		t.Fatal(err)
	}
	acts = slices.DeleteFunc(acts, func(a tournament.Act) bool { return a.Kind == tournament.ActResult })
	if last := acts[len(acts)-1]; last.Kind != tournament.ActBonuses || !strings.Contains(last.Why, "Team 3: -1 MP and 0 GP from the table after round 4 on (shouted)") {
		t.Errorf("the history has %+v", last)
	}
	c.must(c.Undo(t.Context(), "t", c.Undoable(c.tm, acts), order))
	if len(c.tm.Bonuses) != 3 {
		t.Errorf("after the undo: %+v", c.tm.Bonuses)
	}
	report, err := c.Export(t.Context(), c.tm, exchange.Public)
	if err != nil {
		t.Fatal(err)
	}
	checkReport(t, c.tm, report)
	if _, err := team.SetBonuses((&tournament.Tournament{Format: tournament.Swiss}), nil); !errors.Is(err, tournament.ErrState) {
		t.Errorf("without teams: %v", err)
	}
}

// TestLineUpsAreOpenedAgain: before the first move, for a limited time, both captains may file again; undo reveals the
// former line-ups.
func TestLineUpsAreOpenedAgain(t *testing.T) {
	c := newTeamsClub(t, 4, 2, nil)
	order := Order{By: "olga"}
	c.must(c.Do(t.Context(), "t", NextRound, order))
	if err := errors.Join(c.file(1, 1, 0, true), c.file(1, 1, 1, true)); err != nil {
		t.Fatal(err)
	}
	c.reload()
	games := slices.Clone(c.m.order)
	c.must(c.Do(t.Context(), "t", Reopen(1, 1, 30), order))
	p := c.match(1, 1)
	if !c.tm.Sealed(p) || team.LineUpsDue(c.tm, 1, p) != c.at.Add(30*time.Minute).UnixMilli() || !c.m.games[games[0]].over {
		t.Fatalf("opened again: %+v", p)
	}
	if _, err := c.Do(t.Context(), "t", Reopen(1, 1, 20), order); !errors.Is(err, tournament.ErrState) {
		t.Errorf("for less time: %v", err)
	}
	white, _ := c.tm.Entry(p.Seats[0])
	if err := c.file(1, 1, 0, true, white.Members[5], white.Members[1], white.Members[2], white.Members[3]); err != nil {
		t.Fatal(err)
	}
	c.at = c.at.Add(15 * time.Minute)
	if err := c.RevealDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.reload()
	if c.tm.Sealed(c.match(1, 2)) || !c.tm.Sealed(c.match(1, 1)) {
		t.Error("only the other match was due")
	}
	c.at = c.at.Add(15 * time.Minute)
	if err := c.RevealDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.reload()
	if b := c.match(1, 1).Boards; len(b) != 4 || b[0].Players[0] != white.Members[5] || b[0].GameID == games[0] {
		t.Errorf("revealed: %+v", b)
	}
	c.must(c.Do(t.Context(), "t", Reopen(1, 2, 5), order))
	acts, err := c.Acts(t.Context(), "t")
	if err != nil {
		t.Fatal(err)
	}
	c.must(c.Undo(t.Context(), "t", c.Undoable(c.tm, acts), order))
	if p := c.match(1, 2); len(p.Boards) != 4 || c.m.games[p.Boards[0].GameID].over {
		t.Errorf("taken back: %+v", p)
	}
	c.m.games[c.match(1, 2).Boards[2].GameID].moved = true
	if _, err := c.Do(t.Context(), "t", Reopen(1, 2, 5), order); !errors.Is(err, tournament.ErrState) {
		t.Errorf("after a move: %v", err)
	}
	c.enter(1, 1, "1")
	if _, err := c.Do(t.Context(), "t", Reopen(1, 1, 5), order); !errors.Is(err, tournament.ErrState) {
		t.Errorf("after a result: %v", err)
	}
}

// TestRegulationsThatOnlyEarlierTournamentsHave: colours that begin with B, and an absence worth more than a loss, are
// refused for new tournaments; those that have them keep them, and can change the rest.
func TestRegulationsThatOnlyEarlierTournamentsHave(t *testing.T) {
	absent := &tournament.GamePoints{Win: 10, Draw: 5, Absence: 5}
	for field, change := range map[string]func(*tournament.TeamRules){
		"teams/colours":     func(r *tournament.TeamRules) { r.Colours = "BWWB" },
		"teams/game_points": func(r *tournament.TeamRules) { r.GamePoints = absent },
	} {
		for _, start := range []bool{false, true} {
			c := newTeamsClub(t, 2, 0, func(s *tournament.Settings) { s.Format, s.TieBreaks = tournament.TeamRoundRobin, nil })
			old := *c.tm
			rules := *old.Teams
			change(&rules)
			s := old.Settings()
			s.Teams = &rules
			var faults tournament.FieldErrors
			if _, err := c.Checked(s); !errors.As(err, &faults) || faults[0].Field != field {
				t.Errorf("%s, new: %v", field, err)
			}
			if _, err := c.Do(t.Context(), "t", Update(s), Order{By: "olga"}); !errors.As(err, &faults) || faults[0].Field != field {
				t.Errorf("%s, changed: %v", field, err)
			}
			old.Teams = &rules
			c.m.stored["t"], c.m.handed = &old, map[string]handedOut{}
			c.reload()
			if start {
				c.must(c.Do(t.Context(), "t", NextRound, Order{By: "olga"}))
			}
			s = c.tm.Settings()
			s.Name = "Renamed"
			c.must(c.Do(t.Context(), "t", Update(s), Order{By: "olga"}))
			if r := c.tm.Teams; c.tm.Name != "Renamed" || field == "teams/colours" && r.Colours != "BWWB" ||
				field == "teams/game_points" && *r.GamePoints != *absent {
				t.Errorf("%s: kept as %+v", field, r)
			}
		}
	}
}

// TestTheReportOfColoursThatBeginWithB: a round-robin of before has nothing wrong with its Berger colours, and its report
// is read back as the same tournament.
func TestTheReportOfColoursThatBeginWithB(t *testing.T) {
	c := newTeamsClub(t, 4, 0, func(s *tournament.Settings) { s.Format, s.TieBreaks = tournament.TeamRoundRobin, nil })
	old := *c.tm
	rules := *old.Teams
	rules.Colours = "BWWB"
	old.Teams = &rules
	c.m.stored["t"], c.m.handed = &old, map[string]handedOut{}
	c.reload()
	for range 3 {
		c.must(c.Do(t.Context(), "t", NextRound, Order{By: "olga"}))
		c.at = c.at.Add(10 * time.Minute)
		if err := c.RevealDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.finishGames()
	}
	report, err := c.Export(t.Context(), c.tm, exchange.Staff)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := report.Write(&out); err != nil {
		t.Fatal(err)
	}
	file, err := trf.ReadTeams(out.Bytes(), false)
	if err != nil || !bytes.Contains(out.Bytes(), []byte("352 WBBW\n")) || !bytes.Contains(out.Bytes(), []byte("### quatuor colours B\n")) {
		t.Fatalf("%v in\n%s", err, out.String())
	}
	if found, err := check.Teams(file, check.Options{}); err != nil || len(found.Findings) > 0 || found.Rounds != 3 {
		t.Errorf("check: %+v, %v in\n%s", found, err, out.String())
	}
	n := 0
	taken, err := exchange.Import(out.Bytes(), exchange.Options{Variant: "quixo/duel", TimeControl: "300+3"},
		func() string { n++; return fmt.Sprint("new", n) })
	if err != nil {
		t.Fatal(err)
	}
	taken.Begun.Seed = strings.Repeat("5e", 32)
	back, err := exchange.Imported("u", "olga", taken.Settings, taken.Begun, c.checks(), c.at.UnixMilli())
	if err != nil || back.Teams.Colours != "BWWB" {
		t.Fatalf("%+v, %v", taken.Settings.Teams, err)
	}
	if err := continuable(back); err != nil {
		t.Error(err)
	}
	whites := func(tm *tournament.Tournament, round int) (numbers []int) {
		for _, p := range tm.Rounds[round].Pairings {
			e, _ := tm.Entry(p.Seats[0])
			numbers = append(numbers, e.Number)
		}
		slices.Sort(numbers)
		return numbers
	}
	for round := range c.tm.Rounds {
		if is, was := whites(back, round), whites(c.tm, round); !slices.Equal(is, was) {
			t.Errorf("round %d: White are numbers %v, and were %v", round+1, is, was)
		}
	}
}

// TestTheLastLineUpHasItsSubstitutes: without a new line-up, a substitute plays in the next match too.
func TestTheLastLineUpHasItsSubstitutes(t *testing.T) {
	c := newTeamsClub(t, 2, 0, func(s *tournament.Settings) { s.Format, s.TieBreaks = tournament.TeamDoubleRoundRobin, nil })
	for round := 1; round <= 2; round++ {
		c.must(c.Do(t.Context(), "t", NextRound, Order{By: "olga"}))
		c.at = c.at.Add(10 * time.Minute)
		if err := c.RevealDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.reload()
		first := c.tm.Numbered()[0]
		p := c.match(round, 1)
		side := slices.Index(p.Seats, first.ID)
		if round == 1 {
			at := MatchBoard{Round: 1, Match: 1, Board: 3}
			c.must(c.Do(t.Context(), "t", Substitute(at, first.ID, first.Members[5]), Order{By: "olga"}))
			c.finishGames()
		} else if sits := p.Boards[2].Players[side]; sits != first.Members[5] {
			t.Errorf("%s sits on board 3, not the substitute", sits)
		}
	}
}

// TestRatingsOfAReportAreThoseOfTheStart: in the list of the member's own board, whatever has been played since.
func TestRatingsOfAReportAreThoseOfTheStart(t *testing.T) {
	c := newTeamsClub(t, 2, 0, func(s *tournament.Settings) {
		s.Format, s.TieBreaks = tournament.TeamRoundRobin, nil
		s.Teams = &tournament.TeamRules{Boards: []tournament.TeamBoard{{}, {TimeControl: "60+1"}}}
	})
	started := c.tm.StartedAt
	c.at = c.at.Add(time.Hour)
	c.List = func(variant, control string) string { return variant + " " + control }
	c.Ratings = func(_ context.Context, _, control string, players []string, before int64) (map[string]float64, error) {
		out := make(map[string]float64)
		for i, p := range players {
			out[p] = 1000 + float64(i)
			if control == "60+1" {
				out[p] += 500
			}
			if before != started {
				out[p] += 1000
			}
		}
		return out, nil
	}
	report, err := c.Export(t.Context(), c.tm, exchange.Staff)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range report.(*trf.TeamReport).Players[:3] {
		got = append(got, p.Rating)
	}
	if want := []string{"1000", "1501", "1002"}; !slices.Equal(got, want) {
		t.Errorf("ratings %v, want %v", got, want)
	}
}

// TestRefilingMovesNoVersion: staff see only whether a line-up is filed, so filing again moves neither version and
// notifies no reader. An operation on line-ups that have been replaced in between is judged again: two captains that
// finish at the same time, and a reveal, lose none.
func TestRefilingMovesNoVersion(t *testing.T) {
	c := newTeamsClub(t, 4, 3, nil)
	c.must(c.Do(t.Context(), "t", NextRound, Order{By: "olga"}))
	file := func(side int, final bool, players ...string) {
		t.Helper()
		if err := c.file(1, 1, side, final, players...); err != nil {
			t.Fatal(err)
		}
	}
	pair := c.tm.Rounds[0].Pairings[0]
	white, _ := c.tm.Entry(pair.Seats[0])
	before := c.tm.Version
	file(0, false, white.Members[:4]...)
	c.reload()
	if c.tm.Version != before+1 {
		t.Errorf("the first line-up: version %d after %d", c.tm.Version, before)
	}
	news := &newsCount{}
	c.Notifier = news
	file(0, false, white.Members[1:5]...)
	file(0, true, white.Members[1:5]...)
	file(0, false, white.Members[2:6]...)
	c.reload()
	if c.tm.Version != before+1 || news.n > 0 {
		t.Errorf("filed again: version %d after %d, %d notices", c.tm.Version, before+1, news.n)
	}

	file(1, false) // both have filed; now Black is done at the same time as White
	black, _ := c.tm.Entry(pair.Seats[1])
	once := true
	c.m.step = func(name string) error {
		if name == "save" && once {
			once = false
			file := c.m.lineUps["t"]
			last := file[len(file)-1]
			for _, l := range file {
				if l.Entry == white.ID {
					last = l
				}
			}
			last.N, last.Final = last.N+1, true
			c.m.mu.Lock()
			c.m.lineUps["t"] = append(c.m.lineUps["t"], last)
			c.m.mu.Unlock()
		}
		return nil
	}
	if _, err := c.FileLineUp(t.Context(), "t", Filing{
		Round: 1, Match: 1, Player: black.Captain, Final: true,
	}, Order{By: "by " + black.Captain}); err != nil {
		t.Fatal(err)
	}
	c.reload()
	if once || c.tm.Rounds[0].Pairings[0].Boards == nil {
		t.Error("both are done, and the match is not revealed")
	}
}

// newsCount counts notices.
type newsCount struct{ n int }

func (c *newsCount) TournamentChanged(*tournament.Tournament, Topic, Audience) { c.n++ }
