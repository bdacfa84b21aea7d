package tournaments

import (
	"html/template"
	"slices"
	"strconv"
	"strings"

	"quatuor/api/pages/kit"
	"quatuor/tournament"
)

// Search is what a reader looks for in the lists of a tournament, and what was found.
type Search struct {
	Text    string // as it was typed, "" for the reader's own entry
	Asked   bool   // something was typed, or the reader wants nothing to be marked
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

// maxFound is how many entries are marked at most: a single letter finds half a field.
const maxFound = 20

// Find returns the entries that a text names: by their number, or by a part of the name, whatever its accents and
// capitals. Where nothing is asked for it is the player's own entry.
func Find(t *tournament.Tournament, text string, asked bool, player string) Search {
	s := Search{Text: strings.TrimSpace(text), Asked: asked}
	wanted := kit.Fold(s.Text)
	number, err := strconv.Atoi(s.Text)
	for _, line := range PlayerLines(t) {
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

// mark sets off the rows of some entries. Rows say in data-n whose they are, and have no class of their own.
func mark(html template.HTML, numbers []int) template.HTML {
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
	return template.HTML(out.String()) // what was fit to be shown, and a constant
}
