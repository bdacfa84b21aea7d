package prizes

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quatuor/tournament"
	"quatuor/tournament/standings"
)

// field is a ranking of six: the first three have the same points, and the next two the same rank.
var field = []Contender{
	{ID: "ada", Rank: 1, Points: 50, Rating: 2100, Age: 40, Club: "Rook"},
	{ID: "bob", Rank: 2, Points: 50, Rating: 1500, Age: 12, Club: "Pawn"},
	{ID: "cyd", Rank: 3, Points: 50, Rating: 1900, Age: 67, Club: "Pawn"},
	{ID: "dan", Rank: 4, Points: 35, Age: 11, Club: "Rook"},
	{ID: "eve", Rank: 4, Points: 35, Rating: 1400, Club: "Rook"},
	{ID: "fay", Rank: 6, Points: 10, Rating: 1300, Age: 9, Club: "Pawn"},
	{ID: "gus", Points: 20, Rating: 1000, Age: 10},
}

// cash returns prizes of money alone.
func cash(amounts ...int64) []tournament.Prize {
	out := make([]tournament.Prize, len(amounts))
	for i, amount := range amounts {
		out[i].Amount = amount
	}
	return out
}

func list(d Distribution) string {
	var out []string
	for _, a := range d.Awards {
		out = append(out, fmt.Sprintf("%s: %d. %s %d/%d", a.Category, a.Place, a.ID, a.Amount, a.Sharers))
	}
	return strings.Join(out, ", ")
}

func TestSharing(t *testing.T) {
	tests := []struct {
		name     string
		rules    Rules
		category Category
		want     string
	}{
		{
			"equal division",
			Rules{Sharing: Equal},
			Category{Prizes: cash(600, 300, 150, 100)},
			"1. ada 350/3, 2. bob 350/3, 3. cyd 350/3, 4. dan 50/2, 4. eve 50/2",
		},
		{
			"what is left of a division",
			Rules{Sharing: Equal},
			Category{Prizes: cash(1000)},
			"1. ada 334/3, 2. bob 333/3, 3. cyd 333/3",
		},
		{
			"in hundreds",
			Rules{Sharing: Equal, Unit: 100},
			Category{Prizes: cash(1000)},
			"1. ada 400/3, 2. bob 300/3, 3. cyd 300/3",
		},
		{ // halves 300 150 75 50, and as much for all: 175 each of three, 25 each of two
			"Hort",
			Rules{Sharing: Hort},
			Category{Prizes: cash(600, 300, 150, 100)},
			"1. ada 475/3, 2. bob 325/3, 3. cyd 250/3, 4. dan 50/2, 4. eve 50/2",
		},
		{ // own 2, common 3
			"Hort with an odd coin", Rules{Sharing: Hort}, Category{Prizes: cash(5)}, "1. ada 3/3, 2. bob 1/3, 3. cyd 1/3",
		},
		{
			"by rank",
			Rules{Sharing: ByRank},
			Category{Prizes: cash(600, 300, 150, 100, 60, 10)},
			"1. ada 600/1, 2. bob 300/1, 3. cyd 150/1, 4. dan 80/2, 4. eve 80/2, 6. fay 10/1",
		},
		{
			"a rating band",
			Rules{Sharing: ByRank},
			Category{Prizes: cash(60, 40), RatingFrom: 1400, RatingTo: 1900},
			"1. bob 60/1, 2. cyd 40/1",
		},
		{
			"a band that takes the unrated",
			Rules{Sharing: ByRank},
			Category{Prizes: cash(60, 40), RatingTo: 1450, Unrated: true},
			"1. dan 50/2, 1. eve 50/2",
		},
		{"the young", Rules{Sharing: Equal}, Category{Prizes: cash(9, 6, 3), AgeTo: 12}, "1. bob 9/1, 2. dan 6/1, 3. fay 3/1"},
		{"the old", Rules{Sharing: Equal}, Category{Prizes: cash(9, 6, 3), AgeFrom: 60}, "1. cyd 9/1"},
		{"a club", Rules{Sharing: Hort}, Category{Prizes: cash(8, 4), Clubs: []string{"Pawn"}}, "1. bob 7/2, 2. cyd 5/2"},
		{"no member", Rules{Sharing: Hort}, Category{Prizes: cash(8), Clubs: []string{"King"}}, ""},
	}
	for _, test := range tests {
		test.category.Name = "x"
		awards, err := Distribute(field, []Category{test.category}, test.rules)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.ReplaceAll(list(awards), "x: ", ""); got != test.want {
			t.Errorf("%s: %s\nwant %s", test.name, got, test.want)
		}
	}
}

// TestOnePrizeEach: the best takes the best; where a winner leaves a category the others move up.
func TestOnePrizeEach(t *testing.T) {
	categories := []Category{
		{Name: "all", Prizes: cash(500, 200, 60)},
		{Name: "young", Prizes: cash(200, 90), AgeTo: 15},
		{Name: "club", Prizes: cash(100, 50, 20), Clubs: []string{"Pawn"}},
	}
	tests := map[bool]string{
		true: "all: 1. ada 500/1, all: 2. bob 200/1, all: 3. cyd 60/1, young: 1. bob 200/1, young: 2. dan 90/1, " +
			"club: 1. bob 100/1, club: 2. cyd 50/1, club: 3. fay 20/1",
		// bob takes the 200 listed first; cyd then has 60 in all and 100 in the club, and leaves the third place to dan and
		// eve; dan has better as the first of the young.
		false: "all: 1. ada 500/1, all: 2. bob 200/1, all: 3. eve 60/1, young: 1. dan 200/1, young: 2. fay 90/1, club: 1. " +
			"cyd 100/1",
	}
	for several, want := range tests {
		awards, err := Distribute(field, categories, Rules{Sharing: ByRank, Several: several})
		if err != nil {
			t.Fatal(err)
		}
		if got := list(awards); got != want {
			t.Errorf("several prizes %v: %s\nwant %s", several, got, want)
		}
	}
}

func TestRefused(t *testing.T) {
	fine := Category{Name: "x", Prizes: cash(10, 5)}
	tests := []struct {
		contenders []Contender
		categories []Category
		rules      Rules
		want       string
	}{
		{field, []Category{fine}, Rules{}, "not a way to share"},
		{field, []Category{fine}, Rules{Sharing: Equal, Unit: -1}, "multiples of -1"},
		{field, []Category{fine}, Rules{Sharing: Equal, Unit: 10}, "prize 2 of x is 5"},
		{field, []Category{{Name: "x", Prizes: cash(5, 10)}}, Rules{Sharing: Equal}, "more than the one before"},
		{field, []Category{{Name: "x", Prizes: cash(-5)}}, Rules{Sharing: Equal}, "not negative"},
		{field, []Category{{}}, Rules{Sharing: Equal}, "name of its own"},
		{field, []Category{{Name: "x", RatingFrom: 2000, RatingTo: 1900}}, Rules{Sharing: Equal}, "admit no one"},
		{field, []Category{{Name: "x", AgeFrom: 20, AgeTo: 12}}, Rules{Sharing: Equal}, "admit no one"},
		{field, []Category{fine, fine}, Rules{Sharing: Equal}, "name of its own"},
		{append(field[:1:1], field[0]), []Category{fine}, Rules{Sharing: Equal}, `"ada" is listed twice`},
	}
	for _, test := range tests {
		_, err := Distribute(test.contenders, test.categories, test.rules)
		if !errors.Is(err, tournament.ErrInvalid) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want ErrInvalid and %q", err, test.want)
		}
	}
}

func TestContenders(t *testing.T) {
	s := &standings.Standings{Rows: []standings.Row{
		{Rank: 1, Points: 15, Entry: tournament.Entry{ID: "ada", Rating: 1800, Club: "Rook"}},
		{Entry: tournament.Entry{ID: "gus"}},
		{Rank: 1, Points: 15, Entry: tournament.Entry{ID: "bot", Members: []string{"bot-2"}}},
	}}
	want := []Contender{{ID: "ada", Rank: 1, Points: 15, Rating: 1800, Age: 12, Club: "Rook"}, {ID: "gus"}}
	if got := Contenders(s, map[string]int{"ada": 12}); !slices.Equal(got, want) {
		t.Errorf("contenders %+v, want %+v", got, want)
	}
}

// TestLaws: the awards add up to the prizes of the places that are taken; no contender gets less than a lower-ranked
// contender in the same category; each gets a single prize if so ruled; and the order of the contenders changes
// nothing.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		contenders, categories := anyContenders(t), anyCategories(t)
		rules := Rules{
			Sharing: rapid.SampledFrom([]Sharing{Equal, Hort, ByRank}).Draw(t, "sharing"), Unit: 10,
			Several: rapid.Bool().Draw(t, "several"),
		}
		awards, err := Distribute(contenders, categories, rules)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Distribute(rapid.Permutation(contenders).Draw(t, "order"), categories, rules); err != nil ||
			!reflect.DeepEqual(again, awards) {
			t.Fatalf("in another order %s (%v), not %s", list(again), err, list(awards))
		}
		winners, total := make(map[string]int), make(map[string]int64)
		for i, a := range awards.Awards {
			winners[a.ID]++
			total[a.Category] += a.Amount
			if i > 0 && awards.Awards[i-1].Category == a.Category &&
				(awards.Awards[i-1].Amount < a.Amount || awards.Awards[i-1].Place > a.Place) {
				t.Fatalf("%s", list(awards))
			}
		}
		if n := slices.Max(append(slices.Collect(maps.Values(winners)), 0)); n > 1 && !rules.Several {
			t.Fatalf("%d prizes for one: %s", n, list(awards))
		}
		for _, c := range categories {
			want := int64(0)
			for place, prize := range c.Prizes {
				if place < members(contenders, c, awards.Awards, rules) {
					want += prize.Amount
				}
			}
			if total[c.Name] != want {
				t.Fatalf("%s hands out %d, want %d: %s", c.Name, total[c.Name], want, list(awards))
			}
		}
	})
}

// members counts the candidates for a category's prizes: without winners of other categories, if each gets a single
// prize.
func members(contenders []Contender, c Category, awards []Award, rules Rules) int {
	n := 0
	for _, who := range contenders {
		elsewhere := slices.ContainsFunc(awards, func(a Award) bool { return a.ID == who.ID && a.Category != c.Name })
		if Admits(c, who) && (rules.Several || !elsewhere) {
			n++
		}
	}
	return n
}

func anyContenders(t *rapid.T) []Contender {
	points := rapid.SliceOfN(rapid.IntRange(0, 4), 1, 12).Draw(t, "points")
	slices.Sort(points)
	slices.Reverse(points)
	out := make([]Contender, len(points))
	for i, p := range points {
		out[i] = Contender{ID: fmt.Sprintf("%02d", i), Rank: i + 1, Points: tournament.Points(p), Age: 10 + i%3}
		if i > 0 && p == points[i-1] && rapid.Bool().Draw(t, "level") {
			out[i].Rank = out[i-1].Rank
		}
	}
	return out
}

func anyCategories(t *rapid.T) []Category {
	out := []Category{{Name: "all"}, {Name: "10", AgeTo: 10}, {Name: "11", AgeTo: 11}}
	for i := range out {
		units := rapid.SliceOfN(rapid.Int64Range(1, 20), 0, 5).Draw(t, out[i].Name)
		slices.Sort(units)
		slices.Reverse(units)
		for _, u := range units {
			out[i].Prizes = append(out[i].Prizes, tournament.Prize{Amount: 10 * u})
		}
	}
	return out
}

// TestThings: prizes that are no money go by rank; where a rank is shared, all of its places' are listed for each.
func TestThings(t *testing.T) {
	categories := []Category{
		{Name: "all", Prizes: []tournament.Prize{{Amount: 60, Text: "a cup"}, {Amount: 30}, {}, {Text: "a book"}, {Text: "a pen"}}},
		{Name: "Pawn", Prizes: []tournament.Prize{{Text: "a plate"}, {Text: "a spoon"}}, Clubs: []string{" pawn"}},
	}
	d, err := Distribute(field, categories, Rules{Sharing: Equal})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range d.Awards {
		got = append(got, fmt.Sprintf("%s %s %d %s", a.Category, a.ID, a.Amount, a.Text))
	}
	want := "all ada 30 a cup, all bob 30 , all cyd 30 , all dan 0 a book; a pen, all eve 0 a book; a pen, Pawn fay 0 " +
		"a plate"
	if strings.Join(got, ", ") != want {
		t.Errorf("%s\nwant %s", strings.Join(got, ", "), want)
	}
	waived := fmt.Sprint(d.Waived)
	if waived != "[{Pawn bob 0 all} {Pawn cyd 0 all}]" {
		t.Errorf("waived: %s", waived)
	}
}

func TestWords(t *testing.T) {
	for _, test := range []struct {
		award   Award
		sharing Sharing
		want    string
	}{
		{Award{Place: 1, First: 1, Sharers: 1, Level: 1, Amount: 5}, Hort, "Place 1."},
		{
			Award{Place: 2, First: 1, Sharers: 3, Level: 1, Amount: 5},
			Equal,
			"Place 2. 3 with the same points take the places 1 to 3 and share their prizes equally.",
		},
		{
			Award{Place: 2, First: 1, Sharers: 3, Level: 2, Amount: 5, Text: "a cup"},
			Hort,
			"Place 2, shared by 2. 3 with the same points " +
				"take the places 1 to 3: half of the prize of one’s own place, and an equal part of the other halves (Hort " +
				"system). " +
				"What cannot be shared is drawn by lot among them.",
		},
		{
			Award{Place: 4, First: 4, Sharers: 2, Level: 2, Amount: 5},
			ByRank,
			"Place 4, shared by 2. 2 with the same rank take the places 4 to 5 and share their prizes equally.",
		},
	} {
		if got := test.award.Words(Rules{Sharing: test.sharing}); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
	if got := (Waiver{Category: "young", Amount: 8750, For: "all"}).
		Words(); got != "87.50 in young goes to the next: one prize each, and the one in all is kept." {
		t.Error(got)
	}
}

// TestOfATournament: ages are counted in the year of the start, and required only where they decide.
func TestOfATournament(t *testing.T) {
	entries := []tournament.Entry{
		{ID: "a", Members: []string{"p"}}, {ID: "b", Members: []string{"q"}}, {ID: "c", Members: []string{"p", "q"}},
	}
	event := &tournament.Tournament{
		StartedAt: 1_800_000_000_000, Entries: entries, // January 2027
		Prizes: tournament.Prizes{Sharing: "equal", Categories: []Category{{Name: "U12", Prizes: cash(100), AgeTo: 11}}},
	}
	table := &standings.Standings{}
	for i, e := range entries {
		table.Rows = append(table.Rows, standings.Row{Rank: i + 1, Entry: e, Points: tournament.Points(30 - 10*i)})
	}
	d, err := Of(event, table, map[string]int{"p": 2015, "q": 2016})
	if err != nil || len(d.Awards) != 1 || d.Awards[0].ID != "b" {
		t.Errorf("%+v, %v", d, err)
	}
	if ids := Aged(event); !slices.Equal(ids, []string{"p", "q"}) {
		t.Errorf("asked for %v", ids)
	}
	event.Prizes.Categories[0].AgeTo = 0
	if ids := Aged(event); ids != nil {
		t.Errorf("asked for %v", ids)
	}
}

// TestOfAKnockout: the loser of the final and the third have as many points, and share nothing; losers of the
// semi-finals without a match for the third place do.
func TestOfAKnockout(t *testing.T) {
	entries := []tournament.Entry{{ID: "a"}, {ID: "b"}, {ID: "c"}, {ID: "d"}}
	for _, sharing := range []Sharing{Equal, Hort, ByRank} {
		event := &tournament.Tournament{
			Format: tournament.Knockout, Entries: entries,
			Prizes: tournament.Prizes{
				Sharing: string(sharing), Categories: []Category{{Name: "All", Prizes: cash(100, 60, 30, 10)}},
			},
		}
		for ranks, want := range map[[4]int][]int64{{1, 2, 3, 4}: {100, 60, 30, 10}, {1, 2, 3, 3}: {100, 60, 20, 20}} {
			table := &standings.Standings{}
			for i, e := range entries {
				table.Rows = append(table.Rows, standings.Row{
					Rank: ranks[i], Entry: e, Points: []tournament.Points{20, 10, 10, 0}[i],
				})
			}
			d, err := Of(event, table, nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []int64
			for _, a := range d.Awards {
				got = append(got, a.Amount)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, ranks %v: %v, want %v", sharing, ranks, got, want)
			}
		}
	}
}

// BenchmarkDistribute distributes as many prizes as can be set to 1,000 entries in every category.
func BenchmarkDistribute(b *testing.B) {
	var contenders []Contender
	for i := range 1000 {
		contenders = append(contenders, Contender{
			ID: fmt.Sprintf("%04d", i), Rank: i + 1, Points: tournament.Points(1000-i) / 10,
		})
	}
	var categories []Category
	for c := range 20 {
		category := Category{Name: fmt.Sprint(c)}
		for p := range 50 {
			category.Prizes = append(category.Prizes, tournament.Prize{Amount: int64(5000 - 100*p - c)})
		}
		categories = append(categories, category)
	}
	for b.Loop() {
		if _, err := Distribute(contenders, categories, Rules{Sharing: Hort}); err != nil {
			b.Fatal(err)
		}
	}
}
