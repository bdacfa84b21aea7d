package arena

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"quatuor/tournament"
)

// Example is an evening of five.
func Example() {
	a := Arena{
		Players: []string{"a", "b", "c", "d", "e"}, Rules: DefaultRules(),
		Games: []Game{
			{At: 10, First: "a", Second: "b", Result: 2},
			{At: 20, First: "c", Second: "d", Result: 1},
			{At: 30, First: "a", Second: "c", Result: 2},
			{At: 40, First: "a", Second: "d", Result: 2, Berserk: []string{"a"}},
			{At: 50, First: "b", Second: "a", Result: 1},
			{At: 60, First: "e", Second: "c", Result: 2},
		},
	}
	standings, err := a.Rank()
	if err != nil {
		panic(err)
	}
	for _, st := range standings {
		fmt.Println(st.Rank, st.Player, st.Points, st.Sheet)
	}
	drawn, err := a.Pair(standings, []Idle{{"a", 100}, {"e", 100}, {"c", 95}, {"b", 90}, {"d", 80}})
	if err != nil {
		panic(err)
	}
	fmt.Println(drawn.Games, drawn.Waits, "wait")
	// Output:
	// 1 a 11 [2 2 5 2]
	// 2 e 2 [2]
	// 3 d 1 [1 0]
	// 4 b 1 [0 1]
	// 5 c 1 [1 0 0]
	// [[c a] [d b]] [e] wait
}

func TestTables(t *testing.T) {
	seats := func(places ...int) (table []Seat) {
		for k, place := range places {
			table = append(table, Seat{Player: string(rune('a' + k)), Place: place})
		}
		return table
	}
	for _, tt := range []struct {
		places []int
		points string
		wins   int
	}{
		{[]int{1, 2, 3}, "[2 1 0]", 1},
		{[]int{1, 2, 3, 4}, "[2 1.3 0.6 0]", 1},
		{[]int{1, 1, 3, 4}, "[1.6 1.6 0.6 0]", 0},
		{[]int{4, 1, 2, 2}, "[0 2 1 1]", 1},
		{[]int{1, 1, 1, 1}, "[1 1 1 1]", 0},
		{[]int{1, 2, 3, 4, 5}, "[2 1.5 1 0.5 0]", 1},
	} {
		var got []Points
		wins := 0
		for _, seat := range seats(tt.places...) {
			points, won := atTable(seats(tt.places...), seat)
			got = append(got, points)
			if won {
				wins++
			}
		}
		if fmt.Sprint(got) != tt.points || wins != tt.wins {
			t.Errorf("places %v: %v and %d wins, want %s and %d", tt.places, got, wins, tt.points, tt.wins)
		}
	}
	a := Arena{Players: []string{"a", "b", "c"}, Rules: DefaultRules()}
	for k := range 3 {
		a.Games = append(a.Games, Game{At: int64(k), Table: seats(1, 2, 3)})
	}
	standings, err := a.Rank()
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(standings[0].Sheet, standings[1].Sheet); got != "[2 2 4] [1 1 1]" {
		t.Errorf("three tables bring %s", got)
	}
}

func TestForfeit(t *testing.T) {
	zero := 0
	a := Arena{Players: []string{"a", "b"}, Rules: DefaultRules(), Games: []Game{
		{At: 1, First: "a", Second: "b", Result: 2},
		{At: 2, First: "a", Second: "b", Result: 2},
		{At: 3, First: "a", Second: "b", Result: 2, Moves: &zero, Berserk: []string{"a"}},
		{At: 4, First: "a", Second: "b", Result: 2},
	}}
	standings, err := a.Rank()
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(standings[0].Sheet, standings[0].Streak, standings[0].Scores[2].Forfeit); got != "[2 2 2 4] 3 true" {
		t.Errorf("a forfeit within a streak: %s", got)
	}
}

func TestDue(t *testing.T) {
	idle := func(since ...int64) (out []Idle) {
		for _, at := range since {
			out = append(out, Idle{Since: at})
		}
		return out
	}
	for _, tt := range []struct {
		inArena int
		idle    []Idle
		want    bool
	}{
		{10, nil, false},
		{2, idle(0), false},
		{2, idle(99, 99), true},
		{4, idle(99, 99), true},
		{5, idle(99, 99), false},
		{50, idle(86, 99), false},
		{50, idle(85, 99), true},
	} {
		if got := DefaultRules().Due(100, tt.inArena, tt.idle); got != tt.want {
			t.Errorf("%d in the arena, %v wait: %v", tt.inArena, tt.idle, got)
		}
	}
	if Grace(60) != 300 || Grace(600) != 600 {
		t.Errorf("games count for %d and %d seconds after the end", Grace(60), Grace(600))
	}
}

func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		`{"players":["a","a"]}`:                                                                         `players[1]: "a" is no name, or comes twice`,
		`{"players":["a",""]}`:                                                                          `players[1]: "" is no name, or comes twice`,
		`{"berserk_moves":-1}`:                                                                          `berserk_moves: 0 or more, not -1`,
		`{"players":["a"],"games":[{"w":"a","b":"x"}]}`:                                                 `games[0]: there is no player "x"`,
		`{"players":["a"],"games":[{"w":"a","b":"a"}]}`:                                                 `games[0]: "a" is no name, or comes twice`,
		`{"players":["a","b"],"games":[{"w":"a","b":"b","r":3}]}`:                                       `games[0].r: a result is 2, 1 or 0 half points`,
		`{"players":["a","b"],"games":[{"w":"a","b":"b","moves":-1}]}`:                                  `games[0].moves: 0 or more, not -1`,
		`{"players":["a","b"],"games":[{"w":"a","b":"b","berserk":["c"]}]}`:                             `games[0].berserk: "c" does not play`,
		`{"players":["a","b"],"games":[{"at":2,"w":"a","b":"b","r":2},{"at":1,"w":"a","b":"b"}]}`:       `games[1].at: games come in the order`,
		`{"players":["a","b"],"games":[{"table":[{"player":"a","place":1},{"player":"b","place":2}]}]}`: `games[0].table: a table has three`,
		`{"players":["a","b"],"games":[{"table":[{"player":"a","place":2}]}]}`:                          `games[0].table: places are 1 to 1, not 2`,
	} {
		var a Arena
		if err := json.Unmarshal([]byte(text), &a); err != nil {
			t.Fatal(err)
		}
		if _, err := a.Rank(); !errors.Is(err, tournament.ErrInvalid) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	standings := []Standing{{Player: "a", Rank: 1}}
	for want, idle := range map[string][]Idle{
		`idle[0]: there is no player "b"`:         {{"b", 1}},
		`idle[1]: "a" is no name, or comes twice`: {{"a", 1}, {"a", 2}},
	} {
		if _, err := DefaultRules().Pair(standings, idle); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: %v, want %s", idle, err, want)
		}
	}
	var idle Idle
	for _, text := range []string{`["a"]`, `["a",1,2]`, `{}`, `[1,2]`, `["a","b"]`} {
		if err := json.Unmarshal([]byte(text), &idle); err == nil {
			t.Errorf("%s is read as %v", text, idle)
		}
	}
	if text, err := json.Marshal(Idle{"a", 7}); err != nil || string(text) != `["a",7]` {
		t.Errorf("written as %s, %v", text, err)
	}
}

// crowd returns an arena of so many players after some games, all of whom wait.
func crowd(players int) (Arena, []Idle) {
	random := rand.New(rand.NewPCG(1, 2))
	a := Arena{Rules: DefaultRules()}
	var idle []Idle
	for k := range players {
		a.Players = append(a.Players, fmt.Sprintf("p%04d", k))
		idle = append(idle, Idle{a.Players[k], int64(random.IntN(20))})
	}
	for at := range 10 * players {
		x := random.IntN(players)
		a.Games = append(a.Games, Game{
			At: int64(at), First: a.Players[x], Second: a.Players[(x+1+random.IntN(players-1))%players], Result: random.IntN(3),
		})
	}
	return a, idle
}

// TestWindows pairs 500: each window of 12 by itself, as if the others were not there.
func TestWindows(t *testing.T) {
	for _, players := range []int{13, 24, 26, 499, 500} {
		testWindows(t, players)
	}
	for _, players := range []int{24, 492} {
		testWindows(t, players, 3, 4, 5)
	}
}

func testWindows(t *testing.T, players int, sizes ...int) {
	a, idle := crowd(players)
	a.Sizes = sizes
	if sizes != nil {
		a.Preferred = 4
	}
	standings, err := a.Rank()
	if err != nil {
		t.Fatal(err)
	}
	whole, err := a.Pair(standings, idle)
	if err != nil {
		t.Fatal(err)
	}
	since := map[string]Idle{}
	for _, i := range idle {
		since[i.Player] = i
	}
	var field []Idle
	for _, st := range standings {
		if !slices.Contains(whole.Waits, st.Player) {
			field = append(field, since[st.Player])
		}
	}
	var parts [][]string
	for len(field) > 0 {
		part := field[:min(12, len(field))]
		drawn, err := a.Pair(standings, part)
		if err != nil || len(drawn.Waits) > 0 {
			t.Fatal(drawn, err)
		}
		parts = append(parts, drawn.Games...)
		field = field[len(part):]
	}
	if len(whole.Waits) != players%2 || !reflect.DeepEqual(whole.Games, parts) {
		t.Errorf("%d players: %v waits, pairs\n%v\nwant\n%v", players, whole.Waits, whole.Games, parts)
	}
}

// BenchmarkTick pairs 500 waiting players, with the ranking of 5,000 games before it.
func BenchmarkTick(b *testing.B) {
	a, idle := crowd(500)
	for b.Loop() {
		standings, err := a.Rank()
		if err != nil {
			b.Fatal(err)
		}
		if _, err := a.Pair(standings, idle); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTickOfTables seats 498 waiting players at tables of three to five.
func BenchmarkTickOfTables(b *testing.B) {
	a, idle := crowd(498)
	a.Sizes, a.Preferred = []int{3, 4, 5}, 4
	standings, err := a.Rank()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := a.Pair(standings, idle); err != nil {
			b.Fatal(err)
		}
	}
}
