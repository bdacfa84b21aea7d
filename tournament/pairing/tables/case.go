package tables

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"quatuor/tournament"
)

// Case is the input of `quatuor pair --tables`: a draw as a line of JSON.
type Case struct {
	ID string
	Field
}

// caseText is the JSON of a case. Nil pointers are omitted values.
type caseText struct {
	ID        *string `json:"id"`
	Sizes     []int   `json:"sizes"`
	Preferred *int    `json:"preferred"`
	Meetings  string  `json:"meetings"`
	Clubs     bool    `json:"clubs"`
	Seeding   string  `json:"seeding"`
	Partners  string  `json:"partners"`
	Sides     [][]int `json:"sides"`
	Forbidden [][]int `json:"forbidden"`
	Entries   []Entry `json:"entries"`
	Rounds    []Past  `json:"rounds"`
}

// ReadCase reads a line of JSON. Errors wrap tournament.ErrInvalid and explain what was wrong.
func ReadCase(line []byte) (Case, error) {
	var text caseText
	decoder := json.NewDecoder(bytes.NewReader(line))
	if err := decoder.Decode(&text); err != nil {
		return Case{}, tournament.NotValid("not a case in JSON: %v", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return Case{}, tournament.NotValid("more than one case on a line")
	}
	if text.ID == nil {
		return Case{}, tournament.NotValid("the case has no id")
	}
	c := Case{ID: *text.ID, Field: Field{Entries: text.Entries, Rounds: text.Rounds}}
	c.Clubs = text.Clubs
	var err error
	c.MeetingsSecond, err = choice("meetings", text.Meetings, "first", "second")
	if err != nil {
		return c, err
	}
	c.Unseeded, err = choice("seeding", text.Seeding, "balanced", "off")
	if err != nil {
		return c, err
	}
	rotate, err := choice("partners", text.Partners, "off", "rotate")
	if err != nil {
		return c, err
	}
	text.sizes(&c, rotate)
	for _, pair := range text.Forbidden {
		if len(pair) != 2 {
			return c, tournament.NotValid("forbidden: a pair is two numbers, not %v", pair)
		}
		c.Forbidden = append(c.Forbidden, [2]int{pair[0], pair[1]})
	}
	return c, c.check()
}

// sizes fills in sizes, the preferred size and sides.
func (t caseText) sizes(c *Case, rotate bool) {
	c.Sizes, c.Preferred = t.Sizes, 4
	if c.Sizes == nil && rotate {
		c.Sizes = []int{4}
	} else if c.Sizes == nil {
		c.Sizes = []int{3, 4, 5}
	}
	if t.Preferred != nil {
		c.Preferred = *t.Preferred
	} else if len(c.Sizes) == 1 {
		c.Preferred = c.Sizes[0]
	}
	if !rotate {
		return
	}
	c.Sides = t.Sides
	if len(c.Sides) == 0 {
		c.Sides = [][]int{{1, 3}, {2, 4}}
	}
}

// choice reports whether a text is the second of two; "" is the first.
func choice(field, text, first, second string) (bool, error) {
	switch text {
	case "", first:
		return false, nil
	case second:
		return true, nil
	}
	return false, tournament.NotValid("%s: %q or %q, not %q", field, first, second, text)
}

// answerText is the answer to a case.
type answerText struct {
	ID          string  `json:"id"`
	Byes        []int   `json:"byes"`
	Tables      [][]int `json:"tables"`
	Cost        Cost    `json:"cost"`
	Certificate any     `json:"certificate"`
	Explain     any     `json:"explain,omitempty"`
}

// gapText is a certificate that is not "optimal".
type gapText struct {
	Criterion string `json:"criterion"`
	Value     any    `json:"value,omitempty"`
	Bound     any    `json:"bound,omitempty"`
}

// Answer draws the round of a case and returns the answer as a line of JSON without its end; explain adds the reasons.
// A field that cannot be seated is an answer; any other error is returned.
func (c Case) Answer(explain bool) ([]byte, error) {
	d, err := newDraw(c.Field)
	if errors.Is(err, tournament.ErrUnpairable) {
		return json.Marshal(struct {
			ID    string `json:"id"`
			Error string `json:"error"`
		}{c.ID, err.Error()})
	}
	if err != nil {
		return nil, err
	}
	r := d.round()
	answer := answerText{ID: c.ID, Byes: r.Byes, Tables: r.Tables, Cost: r.Cost, Certificate: r.Certificate.text()}
	if explain {
		name := func(number int) string { return fmt.Sprint("No. ", number) }
		var lines []string
		for _, t := range d.explain().Tables {
			lines = append(lines, t.Words(name))
		}
		answer.Explain = lines
	}
	return json.Marshal(answer)
}

// text returns the certificate as it is written.
func (c Certificate) text() any {
	switch {
	case c.Optimal():
		return "optimal"
	case c.Criterion == "T":
		return gapText{Criterion: c.Criterion}
	case c.Criterion == "P" || c.Criterion == "M":
		return gapText{Criterion: c.Criterion, Value: c.Value, Bound: c.Bound}
	}
	return gapText{Criterion: c.Criterion, Value: c.Value[0], Bound: c.Bound[0]}
}
