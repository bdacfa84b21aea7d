package exchange

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quatuor/tournament"
	"quatuor/tournament/registration"
	"quatuor/tournament/scoring"
)

// withBot returns a Swiss of three players and a bot after three rounds: the bot lost to e1, drew with e2, and e3 never
// moved against it.
func withBot(t *testing.T) *tournament.Tournament {
	t.Helper()
	must := func(next *tournament.Revision, err error) *tournament.Tournament {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return next.Tournament
	}
	s := tournament.Settings{
		Name: "Beside a bot", Variant: "quixo/duel", Format: tournament.Swiss, TimeControl: "300+3", Rated: true,
	}
	s.Play.Bots = true
	tm, err := tournament.New("t", "olga", s, checks, 1_772_000_000_000)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		e := tournament.Entry{ID: fmt.Sprint("e", i+1), Name: fmt.Sprint("N", i+1), Members: []string{fmt.Sprint("p", i+1)}}
		tm = must(registration.AddEntry(tm, e, tournament.Shape{Members: 1}))
	}
	bot, err := tournament.Shape{Members: 1}.BotEntry(2, 0)
	if err != nil {
		t.Fatal(err)
	}
	bot.ID = "bot"
	tm = must(registration.AddEntry(tm, bot, tournament.Shape{Members: 1}))
	tm = must(tm.Start(3, seed, 1_772_000_000_000))
	games := 0
	newGame := func() string { games++; return fmt.Sprint("g", games) }
	for _, r := range []struct {
		seats [2][]string
		ranks [2][]int
		plies int
	}{
		{[2][]string{{"e1", "bot"}, {"e2", "e3"}}, [2][]int{{1, 2}, {1, 1}}, 30},
		{[2][]string{{"bot", "e2"}, {"e3", "e1"}}, [2][]int{{1, 1}, {1, 2}}, 30},
		{[2][]string{{"e3", "bot"}, {"e1", "e2"}}, [2][]int{{2, 1}, {2, 1}}, 0},
	} {
		tm = must(tm.AddRound([]tournament.Pairing{{Board: 1, Seats: r.seats[0]}, {Board: 2, Seats: r.seats[1]}}))
		tm = must(tm.Publish(newGame, 1_772_000_000_000))
		round := tm.PublishedRounds()
		tm = must(scoring.GameOver(tm, round, 1, r.ranks[0], r.plies, "", "", 1_772_000_001_000))
		tm = must(scoring.GameOver(tm, round, 2, r.ranks[1], 30, "", "", 1_772_000_002_000))
	}
	return tm
}

// TestGamesWithBotsAreNotRated: a report has the letters of unrated games for them, on both sides, and for no other
// game; a forfeit is a forfeit. Read back, the results are the same, and what is written of them as well.
func TestGamesWithBotsAreNotRated(t *testing.T) {
	tm := withBot(t)
	r, err := Export(tm, nil, Public)
	if err != nil {
		t.Fatal(err)
	}
	letters := make(map[string]string)
	for _, p := range r.Players {
		for _, c := range p.Cells {
			letters[p.Name] += string(byte(c.Result))
		}
	}
	for name, want := range map[string]string{"N1": "W00", "N2": "=D1", "N3": "=1-", "Bot (level 2)": "LD+"} {
		if letters[name] != want {
			t.Errorf("%s has %q, want %q", name, letters[name], want)
		}
	}
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	_, again, out := take(t, b.String(), Options{})
	for round := range tm.Rounds {
		if got, want := told(again, round), told(tm, round); !slices.Equal(got, want) {
			t.Errorf("round %d was read as %v, want %v", round+1, got, want)
		}
	}
	rows := func(text string) (out []string) {
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "001") {
				out = append(out, line)
			}
		}
		return out
	}
	if got, want := rows(out), rows(b.String()); !slices.Equal(got, want) {
		t.Errorf("written again:\n%s\nwant\n%s", got, want)
	}
}

// TestGamesInTheHallThatAreNotRated: of a rated tournament in the hall, the games of players that the arbiter took out
// of the ratings have the letters of unrated games, and no others. Read back, the results are the same.
func TestGamesInTheHallThatAreNotRated(t *testing.T) {
	yes, no := true, false
	for _, c := range []struct {
		name    string
		rated   bool // the tournament
		guests  bool
		verdict tournament.Verdict
		why     string
		want    string
	}{
		{"as usual", true, false, tournament.Verdict{Ranks: []int{1, 2}}, "", "10"},
		{"said to be rated", true, false, tournament.Verdict{Ranks: []int{2, 1}, Rated: &yes}, "", "01"},
		{"taken out", true, false, tournament.Verdict{Ranks: []int{1, 2}, Rated: &no}, "", "WL"},
		{"drawn and taken out", true, false, tournament.Verdict{Ranks: []int{1, 1}, Rated: &no}, "", "DD"},
		{"adjudicated", true, false, tournament.Verdict{Ranks: []int{2, 1}, Adjudicated: true}, "late", "LW"},
		{"not played", true, false, tournament.Verdict{Ranks: []int{1, 2}, Forfeit: true}, "", "+-"},
		{"of guests", true, true, tournament.Verdict{Ranks: []int{1, 2}}, "", "10"},
		{"of a tournament without ratings", false, false, tournament.Verdict{Ranks: []int{1, 2}}, "", "10"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tm := hallGame(t, c.rated, c.guests, c.verdict, c.why)
			r, err := Export(tm, nil, Public)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]byte{}
			for _, p := range r.Players {
				got[p.Name] = byte(p.Cells[0].Result)
			}
			if letters := string([]byte{got["N1"], got["N2"]}); letters != c.want {
				t.Errorf("letters %q, want %q", letters, c.want)
			}
			var b bytes.Buffer
			if err := r.Write(&b); err != nil {
				t.Fatal(err)
			}
			if _, again, _ := take(t, b.String(), Options{}); !slices.Equal(told(again, 0), told(tm, 0)) {
				t.Errorf("read as %v, want %v", told(again, 0), told(tm, 0))
			}
		})
	}
}

// hallGame returns a tournament in the hall of N1 and N2 (players unless they are guests), with the result of their
// game.
func hallGame(t *testing.T, rated, guests bool, v tournament.Verdict, why string) *tournament.Tournament {
	t.Helper()
	must := func(next *tournament.Revision, err error) *tournament.Tournament {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return next.Tournament
	}
	s := tournament.Settings{
		Name: "Hall", Variant: "quixo/duel", Format: tournament.Swiss, TimeControl: "none", Rated: rated,
		Venue: tournament.InHall, RoundCount: 1,
	}
	tm, err := tournament.New("t", "olga", s, checks, 1_772_000_000_000)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []string{"1", "2"} {
		e := tournament.Entry{ID: "e" + n, Name: "N" + n}
		if !guests {
			e.Members = []string{"p" + n}
		}
		tm = must(registration.AddEntry(tm, e, tournament.Shape{Members: 1}))
	}
	tm = must(tm.Start(1, seed, 1_772_000_000_000))
	tm = must(tm.AddRound([]tournament.Pairing{{Board: 1, Seats: []string{"e1", "e2"}}}))
	tm = must(tm.Publish(func() string { return "g1" }, 1_772_000_000_000))
	return must(scoring.SetResult(tm, 1, 1, v, "olga", why, 1_772_000_001_000))
}

// told returns the pairings of a round, from 0: names, ranks and points.
func told(tm *tournament.Tournament, round int) []string {
	var out []string
	for _, p := range tm.Rounds[round].Pairings {
		a, _ := tm.Entry(p.Seats[0])
		b, _ := tm.Entry(p.Seats[1])
		out = append(out, fmt.Sprint(a.Name, " ", b.Name, " ", p.Result.Ranks, p.Result.Points, p.Result.Forfeit))
	}
	slices.Sort(out)
	return out
}

// TestResultsInEveryWay: whatever two results a game ends with, and whatever counts for the ratings alone, is the same
// after an import and an export.
func TestResultsInEveryWay(t *testing.T) {
	pairs := [][2]string{{"1", "0"}, {"0", "1"}, {"=", "="}, {"=", "0"}, {"0", "="}, {"0", "0"}}
	rapid.Check(t, func(r *rapid.T) {
		played, rated := rapid.SampledFrom(pairs).Draw(r, "played"), rapid.SampledFrom(pairs).Draw(r, "rated")
		worth := map[string]string{"1": "1.0", "=": "0.5", "0": "0.0"}
		text := "012 Results\n142 2\n152 W\n### quatuor rating round 1 player 1 " + rated[0] +
			"\n### quatuor rating round 1 player 2 " + rated[1] + "\n" +
			row(1, worth[played[0]], "   2 w "+played[0]) + row(2, worth[played[1]], "   1 b "+played[1])
		_, tm, out := take(t, text, Options{})
		for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
			kept := strings.Contains(out, strings.TrimSpace(line)+"\n")
			if event := strings.HasPrefix(line, "###"); kept != (!event || played != rated) {
				r.Fatalf("the line %q is kept: %v\n%s", line, kept, out)
			}
		}
		p := tm.Rounds[0].Pairings[0]
		if same := played == rated; p.Result.Forfeit || same != (p.Result.RatedText() == "") {
			r.Fatalf("it is %+v", p.Result)
		}
	})
}
