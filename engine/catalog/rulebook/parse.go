package rulebook

import (
	"fmt"
	"strings"
)

// parse reads a text in the subset of Markdown that the package comment describes.
func parse(source string) (Text, error) {
	head, rest, found := strings.Cut(source, "\n## ")
	title, ok := strings.CutPrefix(strings.TrimSpace(head), "# ")
	if !ok || !found || strings.Contains(title, "\n") {
		return Text{}, fmt.Errorf("it starts with %.40q; want a line with # and the title, then sections with ##", head)
	}
	t := Text{Title: title}
	for part := range strings.SplitSeq(rest, "\n## ") {
		s, err := parseSection(part)
		if err != nil {
			return Text{}, err
		}
		t.Sections = append(t.Sections, s)
	}
	return t, nil
}

// parseSection reads a heading (for example "Board {#board}") and its body.
func parseSection(source string) (Section, error) {
	heading, body, _ := strings.Cut(source, "\n")
	title, marks, ok := strings.Cut(strings.TrimSuffix(heading, "}"), " {#")
	words := strings.Fields(marks)
	if !ok || len(words) == 0 {
		return Section{}, fmt.Errorf("the heading %q lacks its anchor, as in Board {#board}", heading)
	}
	s := Section{Anchor: words[0], Title: title}
	if len(words) > 1 {
		s.Variants = words[1:]
	}
	var kept []string
	for part := range strings.SplitSeq(strings.TrimSpace(body), "\n\n") {
		b, err := parseBlock(part)
		if err != nil {
			return Section{}, fmt.Errorf("section %s: %w", s.Anchor, err)
		}
		s.Blocks = append(s.Blocks, b)
		if b.Figure == "" {
			kept = append(kept, part)
		}
	}
	s.source = strings.Join(kept, "\n\n")
	return s, nil
}

func parseBlock(source string) (b Block, err error) {
	if caption, ok := strings.CutPrefix(source, "!["); ok {
		text, name, found := strings.Cut(strings.TrimSuffix(caption, ")"), "](")
		if !found || strings.Contains(name, "\n") {
			return Block{}, fmt.Errorf("%q is not a figure; want ![caption](name)", source)
		}
		b.Figure = name
		b.Spans, err = parseSpans(text)
		return b, err
	}
	lines := strings.Split(source, "\n")
	for i, line := range lines {
		item, bullet := strings.CutPrefix(line, "- ")
		if !bullet {
			var numbered bool
			if item, numbered = strings.CutPrefix(line, fmt.Sprintf("%d. ", i+1)); !numbered {
				break
			}
			b.Ordered = true
		}
		spans, err := parseSpans(item)
		if err != nil {
			return Block{}, err
		}
		b.Items = append(b.Items, spans)
	}
	if b.Items != nil && len(b.Items) != len(lines) {
		return Block{}, fmt.Errorf("%q is half a list; each line of one begins with a dash or its number", source)
	}
	if b.Items == nil {
		b.Spans, err = parseSpans(source)
	}
	return b, err
}

// parseSpans splits a text into plain, bold and code spans, which do not nest.
func parseSpans(text string) (spans []Span, err error) {
	for text != "" {
		plain, mark := text, ""
		if i := strings.IndexAny(text, "*`"); i >= 0 {
			plain, mark = text[:i], text[i:i+1]
		}
		if plain != "" {
			spans = append(spans, Span{Text: plain})
		}
		text = text[len(plain):]
		if mark == "" {
			break
		}
		if mark == "*" {
			mark = "**"
		}
		inside, rest, closed := strings.Cut(strings.TrimPrefix(text, mark), mark)
		if !closed || !strings.HasPrefix(text, mark) || inside == "" {
			return nil, fmt.Errorf("%q: what opens with %s closes with it", text, mark)
		}
		spans = append(spans, Span{Text: inside, Bold: mark == "**", Code: mark == "`"})
		text = rest
	}
	return spans, nil
}
