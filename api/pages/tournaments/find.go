package tournaments

import (
	"html/template"
	"slices"
	"strconv"
	"strings"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/results"
	"quatuor/tournament"
)

// Search is a search in the lists of a tournament, and its result.
type Search struct {
	Text    string // as it was typed, "" for the reader's own entry
	Asked   bool   // a text was sent, perhaps an empty text to clear the marks
	Numbers []int  // of the entries found, as the addresses of their cards have them
	Names   []string
}

// Marks returns the numbers as an attribute holds them.
func (s Search) Marks() string {
	texts := make([]string, len(s.Numbers))
	for i, n := range s.Numbers {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, " ")
}

// maxFound is the maximum number of entries marked: a single letter matches half a field.
const maxFound = 20

// Find returns the entries that match a text: by number, or by part of the name, ignoring accents and case. Without a
// search it is the player's own entry.
func Find(t *tournament.Tournament, text string, asked bool, player string) Search {
	s := Search{Text: strings.TrimSpace(text), Asked: asked}
	wanted := kit.Fold(s.Text)
	number, err := strconv.Atoi(s.Text)
	for _, line := range results.PlayerLines(t) {
		var found bool
		switch {
		case !asked:
			found = player != "" && slices.Contains(line.Members, player)
		case err == nil:
			found = line.Order == number
		case wanted != "":
			found = strings.Contains(kit.Fold(line.Name), wanted)
		}
		if found && len(s.Numbers) < maxFound {
			s.Numbers, s.Names = append(s.Numbers, line.Order), append(s.Names, line.Name)
		}
	}
	return s
}

// Mark highlights the rows of some entries. Rows have their entry's number in data-n, and no class.
func Mark(html template.HTML, numbers []int) template.HTML {
	if len(numbers) == 0 {
		return html
	}
	const attribute = ` data-n="`
	var out strings.Builder
	rest := string(html)
	for {
		at := strings.Index(rest, attribute)
		if at < 0 {
			break
		}
		from := at + len(attribute)
		end := strings.IndexByte(rest[from:], '"')
		if end < 0 {
			break
		}
		out.WriteString(rest[:at])
		if slices.ContainsFunc(strings.Fields(rest[from:from+end]), func(n string) bool {
			number, err := strconv.Atoi(n)
			return err == nil && slices.Contains(numbers, number)
		}) {
			out.WriteString(` class="me"`)
		}
		out.WriteString(rest[at : from+end+1])
		rest = rest[from+end+1:]
	}
	out.WriteString(rest)
	return template.HTML(out.String()) // escaped markup, and a constant
}
