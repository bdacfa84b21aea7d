package tables

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"quatuor/tournament"
)

// Difference is a departure of a given round from the round that the regulation draws.
type Difference struct {
	Criterion string `json:"criterion"` // byes, sizes, forbidden, P to T, seats, numbers or cost
	Tables    []int  `json:"tables,omitempty"`
	Text      string `json:"text"`
}

// DrawnRound is a case with the round that was drawn from it, in JSON a line: that of a [Case] with an answer.
type DrawnRound struct {
	Case
	Byes   []int
	Tables [][]int
	Cost   *Cost  // nil if it was not given
	Error  string // that no entry could be seated
}

// answerGiven is the JSON of an answer to be compared.
type answerGiven struct {
	ID     string  `json:"id"`
	Byes   []int   `json:"byes"`
	Tables [][]int `json:"tables"`
	Cost   *Cost   `json:"cost"`
	Error  string  `json:"error"`
}

// ReadDrawn reads a case and its answer: a member answer of the case, or a line of its own.
func ReadDrawn(line, answer []byte) (DrawnRound, error) {
	c, err := ReadCase(line)
	if err != nil {
		return DrawnRound{}, err
	}
	if answer == nil {
		var within struct {
			Answer json.RawMessage `json:"answer"`
		}
		if err := json.Unmarshal(line, &within); err != nil || within.Answer == nil {
			return DrawnRound{}, fmt.Errorf("case %s: it has no answer to compare", c.ID)
		}
		answer = within.Answer
	}
	var given answerGiven
	if err := json.Unmarshal(answer, &given); err != nil {
		return DrawnRound{}, fmt.Errorf("case %s: the answer is not in JSON: %w", c.ID, err)
	}
	return DrawnRound{c, given.Byes, given.Tables, given.Cost, given.Error}, nil
}

// Compare draws the round of a case and returns the most important difference of the given round; note names undecided
// criteria, because the drawn round is not proved to be the best.
func (d DrawnRound) Compare() (differences []Difference, note string, err error) {
	p, err := problemOf(d.Field)
	if errors.Is(err, tournament.ErrUnpairable) {
		if d.Error == "" {
			return []Difference{{Criterion: "sizes", Text: err.Error()}}, "", nil
		}
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	if d.Error != "" {
		return []Difference{{Criterion: "sizes", Text: "the round can be drawn, though the answer says: " + d.Error}}, "", nil
	}
	given, fault := p.placed(d)
	if fault == nil {
		fault = p.shape(given)
	}
	if fault != nil {
		return []Difference{*fault}, "", nil
	}
	best, err := newDraw(d.Field)
	if err != nil {
		return nil, "", err
	}
	fault, note = best.compare(given)
	if fault == nil && d.Cost != nil {
		fault = best.compareCost(given, *d.Cost)
	}
	if fault != nil {
		differences = []Difference{*fault}
	}
	return differences, note, nil
}

// placed returns the tables as indices of the problem, or the fault that makes that impossible.
func (p *problem) placed(d DrawnRound) ([][]int, *Difference) {
	if got, want := slices.Sorted(slices.Values(d.Byes)), p.byes(); !slices.Equal(got, want) {
		return nil, &Difference{Criterion: "byes", Text: fmt.Sprintf("the byes are %v, and should be %v", got, want)}
	}
	at := make(map[int]int)
	for i := range p.seated {
		at[p.entry(i).Number] = i
	}
	out := make([][]int, len(d.Tables))
	for t, numbers := range d.Tables {
		for _, number := range numbers {
			i, ok := at[number]
			if !ok {
				return nil, &Difference{Criterion: "byes", Tables: []int{t + 1}, Text: fmt.Sprintf(
					"table %d: %d is not to be seated, or sits at two tables", t+1, number)}
			}
			delete(at, number)
			out[t] = append(out[t], i)
		}
	}
	for number := range at {
		return nil, &Difference{Criterion: "byes", Text: fmt.Sprintf("%d is at no table", number)}
	}
	return out, nil
}

// shape compares the sizes of tables, and finds forbidden pairs.
func (p *problem) shape(given [][]int) *Difference {
	var sizes []int
	for t, table := range given {
		sizes = append(sizes, len(table))
		for _, i := range table {
			for _, j := range table {
				if p.barred[i][j] {
					return &Difference{Criterion: "forbidden", Tables: []int{t + 1}, Text: fmt.Sprintf(
						"table %d: %d and %d must not meet", t+1, p.entry(i).Number, p.entry(j).Number)}
				}
			}
		}
	}
	want := slices.Clone(p.sizes)
	slices.Sort(sizes)
	slices.Sort(want)
	if !slices.Equal(sizes, want) {
		return &Difference{Criterion: "sizes", Text: fmt.Sprintf("the tables have the sizes %v, and should have %v", sizes, want)}
	}
	return nil
}

// compare compares the groups at the tables, then the seats, then the numbers of the tables.
func (d *draw) compare(given [][]int) (fault *Difference, note string) {
	together := func(tables [][]int) [][]int {
		out := make([][]int, len(tables))
		for i, t := range tables {
			out[i] = slices.Sorted(slices.Values(t))
		}
		slices.SortFunc(out, slices.Compare[[]int])
		return out
	}
	if a, b := together(given), together(d.best); !slices.EqualFunc(a, b, slices.Equal[[]int]) {
		return d.compareTables(given)
	}
	for t, table := range given {
		if seats := d.seat(table); !slices.Equal(seats, table) {
			return &Difference{Criterion: "seats", Tables: []int{t + 1}, Text: fmt.Sprintf(
				"table %d: the order of seats is %v, and should be %v", t+1, d.numbers(table), d.numbers(seats))}, ""
		}
	}
	for t := range given {
		if !slices.Equal(given[t], d.best[t]) {
			return &Difference{Criterion: "numbers", Tables: []int{t + 1}, Text: fmt.Sprintf(
				"table %d has %v, and should have %v", t+1, d.numbers(given[t]), d.numbers(d.best[t]))}, ""
		}
	}
	return nil, ""
}

// compareTables returns the first criterion that makes the given tables worse than the drawn tables.
func (d *draw) compareTables(given [][]int) (*Difference, string) {
	for _, c := range d.criteria {
		got, want := d.total(c, given), d.total(c, d.best)
		switch {
		case c.name == "" || got == want:
		case got > want:
			return &Difference{Criterion: c.name, Text: fmt.Sprintf(
				"other tables are better by %s: these cost %d, and %v cost %d", c.name, got, d.round().Tables, want)}, ""
		default:
			return nil, fmt.Sprintf("the tables are better than those drawn here by %s, which are not proved", c.name)
		}
	}
	if !d.proof.Optimal() {
		return nil, "the tables are as good as those drawn here, which are not proved to be the first"
	}
	return &Difference{Criterion: "T", Text: fmt.Sprintf("%v cost the same and come first in order", d.round().Tables)}, ""
}

// compareCost compares a stated cost with that of the tables.
func (d *draw) compareCost(given [][]int, stated Cost) *Difference {
	got, err := json.Marshal(stated)
	want, err2 := json.Marshal(d.costOf(given))
	if err != nil || err2 != nil || string(got) == string(want) {
		return nil
	}
	return &Difference{Criterion: "cost", Text: fmt.Sprintf("the cost is stated as %s, and is %s", got, want)}
}

// Text returns a case with an answer as a line of JSON, as [ReadDrawn] reads it.
func (c Case) Text(answer []byte) ([]byte, error) {
	second := func(is bool, first, other string) string {
		if is {
			return other
		}
		return first
	}
	out := struct {
		caseText
		Answer json.RawMessage `json:"answer,omitempty"`
	}{caseText{
		ID: &c.ID, Sizes: c.Sizes, Preferred: &c.Preferred, Meetings: second(c.MeetingsSecond, "first", "second"),
		Clubs: c.Clubs, Seeding: second(c.Unseeded, "balanced", "off"), Partners: second(c.Rotate(), "off", "rotate"),
		Sides: c.Sides, Entries: c.Entries, Rounds: slices.Clone(c.Rounds),
	}, answer}
	for _, pair := range c.Forbidden {
		out.Forbidden = append(out.Forbidden, pair[:])
	}
	return json.Marshal(out)
}
