package keizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/exact"
)

// Example is a season of six after two evenings.
func Example() {
	s := Input{Rules: DefaultRules()}
	for number := 1; number <= 6; number++ {
		s.Players = append(s.Players, Player{number, 2000 - 100*number})
	}
	s.Rounds = []Round{
		{Games: []Game{{White: 1, Black: 2, Result: 0}, {White: 3, Black: 4, Result: 2}, {White: 5, Black: 6, Result: 1}}},
		{Games: []Game{{White: 2, Black: 3, Result: 1}, {White: 1, Black: 5, Result: 2}}, NoShow: []int{6}},
	}
	ranking, err := s.Rank()
	if err != nil {
		panic(err)
	}
	for _, st := range ranking.Standings() {
		fmt.Print(st.Number, " ", st.Total, " = ", st.Own)
		for _, line := range st.Lines {
			fmt.Print(" + ", line.Points, " ", line.Kind)
		}
		fmt.Println()
	}
	drawn, err := ranking.Pair([]int{1, 2, 3, 5, 6})
	if err != nil {
		panic(err)
	}
	fmt.Println(drawn)
	// Output:
	// 2 17.5 = 8 + 6 win + 3.5 draw
	// 3 14 = 7 + 3 win + 4 draw
	// 1 11 = 6 + 0 loss + 5 win
	// 5 7 = 5 + 2 draw + 0 loss
	// 6 6.5 = 4 + 2.5 draw + 0 noshow
	// 4 4 = 3 + 0 loss + 1 absent
	// {[{5 2 alternate} {3 1 balance}] 6 3 3}
}

// TestCircle computes seasons with rankings that lead to each other without an end, from different starts.
func TestCircle(t *testing.T) {
	quarter := Input{Rules: DefaultRules(), Players: []Player{{1, 1500}, {4, 1400}, {7, 1500}}}
	quarter.Own = exact.Decimal(250_000)
	quarter.Rounds = []Round{{Byes: []int{1}, Games: []Game{{White: 4, Black: 7, Result: 1}}}}
	whole := Input{Rules: Rules{Own: exact.Whole(1)}, Players: []Player{{1, 1500}, {4, 1500}, {7, 1500}}}
	whole.Rounds = []Round{
		{Byes: []int{1}, Games: []Game{{White: 4, Black: 7, Result: 2}}},
		{Byes: []int{7}, Games: []Game{{White: 1, Black: 4, Result: 2}}},
		{Byes: []int{4}, Games: []Game{{White: 1, Black: 7, Result: 0}}},
	}
	for _, tt := range []struct {
		Input
		circle string
		orders string
	}{
		{quarter, "[[1 4 7] [1 7 4]]", "[[1 7 4] [1 4 7]]"},
		{whole, "[[1 4 7] [1 7 4] [7 1 4] [7 4 1] [4 7 1] [4 1 7]]", "[[1 4 7] [1 4 7] [1 4 7] [1 4 7]]"},
	} {
		ranking, err := tt.Rank()
		if err != nil {
			t.Fatal(err)
		}
		var circle [][]int
		for order := ranking.last; len(circle) == 0 || !slices.Equal(order, ranking.last); {
			var numbers []int
			for _, i := range order {
				numbers = append(numbers, tt.Players[i].Number)
			}
			circle = append(circle, numbers)
			order = ranking.sorted(len(tt.Rounds), order)
		}
		if got := fmt.Sprint(circle); got != tt.circle {
			t.Errorf("the circle is %s, want %s", got, tt.circle)
		}
		if got := fmt.Sprint(ranking.Orders); got != tt.orders {
			t.Errorf("the rankings are %s, want %s", got, tt.orders)
		}
	}
}

// TestWithoutPlayers computes seasons at their edges.
func TestWithoutPlayers(t *testing.T) {
	ranking, err := Input{Rules: DefaultRules(), Rounds: make([]Round, 2)}.Rank()
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := ranking.Pair(nil)
	if err != nil || len(drawn.Pairs) > 0 || drawn.Bye != 0 || len(ranking.Standings()) > 0 {
		t.Errorf("a season without players is paired as %v, %v", drawn, err)
	}
	ranking, err = Input{Rules: DefaultRules(), Players: []Player{{1, 0}}, Rounds: make([]Round, 7)}.Rank()
	if err != nil {
		t.Fatal(err)
	}
	if got := ranking.Standings()[0]; got.Total.String() != "2.67" || got.Lines[5].Points.String() != "0" {
		t.Errorf("an only player that never came has %+v", got)
	}
	drawn, err = ranking.Pair([]int{1})
	if err != nil || drawn.Bye != 1 || len(drawn.Pairs) > 0 {
		t.Errorf("an only player is paired as %v, %v", drawn, err)
	}
}

// TestRelaxed pairs two players evening after evening.
func TestRelaxed(t *testing.T) {
	s := Input{Rules: DefaultRules(), Players: []Player{{1, 0}, {2, 0}}}
	for round, want := range []string{
		"{[{1 2 first}] 0 3 3}", "{[{2 1 balance}] 0 0 3}", "{[{1 2 alternate}] 0 0 3}", "{[{2 1 balance}] 0 0 4}",
	} {
		ranking, err := s.Rank()
		if err != nil {
			t.Fatal(err)
		}
		drawn, err := ranking.Pair([]int{2, 1})
		if got := fmt.Sprint(drawn); err != nil || got != want {
			t.Fatalf("round %d: %s, %v, want %s", round+1, got, err, want)
		}
		p := drawn.Pairs[0]
		s.Rounds = append(s.Rounds, Round{Games: []Game{{White: p.White, Black: p.Black, Result: 1}}})
	}
}

func TestColours(t *testing.T) {
	colours := func(text string) (out []bool) {
		for _, c := range text {
			out = append(out, c == 'W')
		}
		return out
	}
	for _, tt := range []struct {
		higher, lower string
		round         int
		white         bool
		why           ColourReason
	}{
		{"", "", 1, true, FirstColour},
		{"", "", 2, false, FirstColour},
		{"", "", 3, true, FirstColour},
		{"W", "", 2, false, FewerWhites},
		{"B", "", 2, true, FewerWhites},
		{"", "B", 2, false, FewerWhites},
		{"WB", "BW", 3, true, Alternating},
		{"WBW", "BWW", 4, true, Alternating},
		{"WBBW", "BW", 5, false, HigherRank},
		{"WB", "", 3, true, HigherRank},
		{"", "WB", 3, true, FirstColour},
		{"", "WB", 4, false, FirstColour},
		{"BWWB", "WB", 5, true, HigherRank},
	} {
		white, why := whiteFirst(colours(tt.higher), colours(tt.lower), tt.round)
		if white != tt.white || why != tt.why {
			t.Errorf("%q and %q in round %d: %v by %s", tt.higher, tt.lower, tt.round, white, why)
		}
	}
}

func TestRefused(t *testing.T) {
	players := `"players":[{"n":1},{"n":2},{"n":3}],`
	for text, want := range map[string]string{
		`"players":[{"n":1},{"n":1}]`:                       `players[1].n: numbers are 1 or more, each once, not 1`,
		`"players":[{"rating":7}]`:                          `players[0].n: numbers are 1 or more, each once, not 0`,
		`"players":[` + strings.Repeat("{},", 1000) + `{}]`: `players: there are 1001, and at most 1000 can`,
		`"rounds":[` + strings.Repeat("{},", 100) + `{}]`:   `rounds: there are 101, and at most 100 can`,
		`"top":-1`:       `top: from 0 to 1000000, not -1`,
		`"gap":-1`:       `gap: from 0 to 1000000, not -1`,
		`"meetings":-1`:  `meetings: from 0 to 1000000, not -1`,
		`"absences":-1`:  `absences: from 0 to 1000000, not -1`,
		`"own":-1`:       `own: from 0 to 1000, not -1`,
		`"own":"1000.5"`: `own: from 0 to 1000, not 1000.5`,
		players + `"rounds":[{},{"games":[{"w":1,"b":4}]}]`:                       `rounds[1].games[0].b: there is no player 4`,
		players + `"rounds":[{"games":[{"w":1,"b":1}]}]`:                          `rounds[0].games[0].b: player 1 has been named at rounds[0].games[0].w already`,
		players + `"rounds":[{"games":[{"w":1,"b":2,"r":3}]}]`:                    `rounds[0].games[0].r: a result is 2, 1 or 0`,
		players + `"rounds":[{"games":[{"w":1,"b":2},{"w":2,"b":1}]}]`:            `rounds[0].games[1].w: player 2 has been named at rounds[0].games[0].b`,
		players + `"rounds":[{"bye":[1],"duty":[2],"forfeit":[3],"noshow":[2]}]`:  `rounds[0].noshow[0]: player 2 has been named at rounds[0].duty[0]`,
		players + `"rounds":[{"bye":[9]}]`:                                        `rounds[0].bye[0]: there is no player 9`,
		players + `"rounds":[{"tables":[{"players":[1,2],"points":[1,0]}]}]`:      `rounds[0].tables[0]: a table has three to five`,
		players + `"rounds":[{"tables":[{"players":[1,2,3],"points":[1,0]}]}]`:    `rounds[0].tables[0]: a table has three to five`,
		players + `"rounds":[{"tables":[{"players":[1,2,3],"points":[1,0,-1]}]}]`: `rounds[0].tables[0].points: points are 0`,
		players + `"rounds":[{"tables":[{"players":[1,2,2],"points":[1,0,0]}]}]`:  `rounds[0].tables[0].players[2]: player 2`,
		players + `"rounds":[{"tables":[{"players":[1,2,3],"points":[0.000001,7,123456789.654321]}]},
			{"tables":[{"players":[1,2,3],"points":[0.000001,7,12345677.654321]}]}]`: `rounds: these values and shares`,
	} {
		s := Input{Rules: DefaultRules()}
		if err := json.Unmarshal([]byte("{"+text+"}"), &s); err != nil {
			t.Fatal(text, err)
		}
		if _, err := s.Rank(); !errors.Is(err, tournament.ErrInvalid) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	ranking, err := Input{Players: []Player{{1, 0}}}.Rank()
	if err != nil {
		t.Fatal(err)
	}
	for want, present := range map[string][]int{
		"present[0]: there is no player 2": {2}, "present[1]: player 1 has been named at present[0] already": {1, 1},
	} {
		if _, err := ranking.Pair(present); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: %v, want %s", present, err, want)
		}
	}
}

// TestEndless refuses a season once its rankings have gone through too many orders.
func TestEndless(t *testing.T) {
	s := Input{Players: []Player{{1, 1500}, {2, 1500}}}
	s.Rounds = []Round{{Games: []Game{{White: 1, Black: 2, Result: 0}}}}
	ranking, err := s.Rank()
	if err != nil || ranking.work == 0 {
		t.Fatal(ranking, err)
	}
	ranking.work = maxWork
	if _, err := ranking.after(1, ranking.last); !errors.Is(err, tournament.ErrInvalid) ||
		!strings.Contains(err.Error(), "the ranking of round 1 goes through too many orders") {
		t.Errorf("ranked with %v", err)
	}
}

// longSeason returns a season paired by the rules; each evening a quarter of the players stays away.
func longSeason(tb testing.TB, players, rounds int) Input {
	tb.Helper()
	random := rand.New(rand.NewPCG(3, 4))
	s := Input{Rules: DefaultRules()}
	for number := 1; number <= players; number++ {
		s.Players = append(s.Players, Player{number, 1200 + random.IntN(1000)})
	}
	for range rounds {
		ranking, err := s.Rank()
		if err != nil {
			tb.Fatal(err)
		}
		var present []int
		for _, p := range s.Players {
			if random.IntN(4) > 0 {
				present = append(present, p.Number)
			}
		}
		drawn, err := ranking.Pair(present)
		if err != nil {
			tb.Fatal(err)
		}
		var round Round
		for _, p := range drawn.Pairs {
			round.Games = append(round.Games, Game{p.White, p.Black, random.IntN(3)})
		}
		if drawn.Bye > 0 {
			round.Byes = []int{drawn.Bye}
		}
		s.Rounds = append(s.Rounds, round)
	}
	return s
}

// BenchmarkSeason recomputes 40 rounds of 200 players, and pairs the next round.
func BenchmarkSeason(b *testing.B) {
	s := longSeason(b, 200, 40)
	var everyone []int
	for _, p := range s.Players {
		everyone = append(everyone, p.Number)
	}
	b.Run("rank", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Rank(); err != nil {
				b.Fatal(err)
			}
		}
	})
	ranking, err := s.Rank()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("pair", func(b *testing.B) {
		for b.Loop() {
			if _, err := ranking.Pair(everyone); err != nil {
				b.Fatal(err)
			}
		}
	})
}
