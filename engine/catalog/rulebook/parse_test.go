package rulebook

import (
	"reflect"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	text, err := parse("# Game\n\n## One {#one}\nA **bold** `word`.\n\n- a\n- `b`\n\n![c `d`](fig)\n\n1. x\n2. y\n\n## " +
		"Two {#two g/a g/b}\nEnd\nof it.\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []Section{
		{
			Anchor: "one", Title: "One", Blocks: []Block{
				{Spans: []Span{{Text: "A "}, {Text: "bold", Bold: true}, {Text: " "}, {Text: "word", Code: true}, {Text: "."}}},
				{Items: [][]Span{{{Text: "a"}}, {{Text: "b", Code: true}}}},
				{Figure: "fig", Spans: []Span{{Text: "c "}, {Text: "d", Code: true}}},
				{Ordered: true, Items: [][]Span{{{Text: "x"}}, {{Text: "y"}}}},
			},
			source: "A **bold** `word`.\n\n- a\n- `b`\n\n1. x\n2. y",
		},
		{Anchor: "two", Title: "Two", Variants: []string{"g/a", "g/b"}, Blocks: []Block{{Spans: []Span{{Text: "End\nof it."}}}}, source: "End\nof it."},
	}
	if text.Title != "Game" || !reflect.DeepEqual(text.Sections, want) {
		t.Errorf("got %q, %+v", text.Title, text.Sections)
	}
}

func TestParseRefuses(t *testing.T) {
	for source, want := range map[string]string{
		"":                             "want a line with #",
		"# A\ntext":                    "want a line with #",
		"A\n\n## B {#b}\ntext":         "want a line with #",
		"# A\n\n## B\ntext":            "lacks its anchor",
		"# A\n\n## B {#}\ntext":        "lacks its anchor",
		"# A\n\n## B {#b}\n**text":     "closes with it",
		"# A\n\n## B {#b}\n*text*":     "closes with it",
		"# A\n\n## B {#b}\n`text":      "closes with it",
		"# A\n\n## B {#b}\n- x\ny":     "half a list",
		"# A\n\n## B {#b}\n1. x\n3. y": "half a list",
		"# A\n\n## B {#b}\n![x]":       "is not a figure",
		"# A\n\n## B {#b}\n![**x](y)":  "closes with it",
		"# A\n\n## B {#b}\n- **x":      "closes with it",
	} {
		if text, err := parse(source); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q reads as %+v, error %v; want one with %q", source, text, err, want)
		}
	}
}
