package results

import (
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/tournament"
	"quatuor/tournament/standings"
)

// TieBreakTitle returns the title of a tie-break: its name, its modifiers, and the articles of C.07; "" for a code
// unknown to the format.
func TieBreakTitle(in *message.Printer, f tournament.Format, code string) string {
	o, modifiers, known := standings.Describe(f, code)
	if !known {
		return ""
	}
	title := kit.Say(in, "tie_breaks."+o.Text)
	for _, m := range modifiers {
		title += ", " + kit.Say(in, "tie_breaks."+m.Text, "Limit", m.Code[1:])
	}
	return title + standings.Articles(append(modifiers, o)...)
}

// Heading is the heading of a column of tie-breaks.
type Heading struct{ Code, Title string }

// Headings returns the headings of the standings' tie-breaks.
func (b Body) Headings() []Heading {
	if b.Knockout() {
		return nil
	}
	out := make([]Heading, len(b.TieBreaks))
	for i, code := range b.TieBreaks {
		out[i] = Heading{code, TieBreakTitle(b.In, b.Format, code)}
	}
	return out
}

// Columns returns the headings of the tie-breaks that have a column of their own.
func (b Body) Columns() []Heading {
	return slices.DeleteFunc(b.Headings(), func(h Heading) bool { return b.scored(h.Code) })
}

// scored reports whether the standings of teams show a tie-break already, in the two scores.
func (b Body) scored(code string) bool {
	code = strings.ToUpper(code)
	return b.Teams != nil && (code == "MPVGP" || code == string(tournament.MP) || code == string(tournament.GP))
}

// Values returns the cells of a row with its tie-breaks, each a link to how it came about. They are built without a
// template because a large table has thousands; every part is known to need no escaping.
func (b Body) Values(row standings.Row, sign string) template.HTML {
	before, after := `<td class="number">`, `</td>`
	if row.Rank > 0 {
		before += `<a href="/tournaments/` + template.HTMLEscapeString(
			url.PathEscape(b.ID),
		) + `/standings/` + strconv.Itoa(row.Entry.Number)
		if b.Shown != b.Latest {
			before += `?round=` + strconv.Itoa(b.Standings.Round)
		}
		before, after = before+`#c`, `</a></td>`
	}
	cells := make([]byte, 0, len(row.TieBreaks)*(len(before)+len(after)+12))
	for i, text := range row.TieBreaks {
		if i < len(b.TieBreaks) && b.scored(b.TieBreaks[i]) {
			continue
		}
		cells = append(cells, before...)
		if row.Rank > 0 {
			cells = append(strconv.AppendInt(cells, int64(i+1), 10), `">`...)
		}
		total := i == 0 && row.Total != "" // of a Keizer season, where a win is worth whole points or halves, too
		if total {
			cells = append(append(append(cells, `<span class="`...), kit.HalfClass(text)...), `">`...)
			text = kit.Halves(text)
		}
		cells = append(cells, template.HTMLEscapeString(strings.ReplaceAll(text, ".", sign))...)
		if total {
			cells = append(cells, `</span>`...)
		}
		cells = append(cells, after...)
	}
	return template.HTML(cells)
}
