package check

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quatuor/tournament/standings"
	"quatuor/tournament/trf"
)

// ranks compares the ranks of the file with those by its list of tie-breaks.
func (c *checker) ranks(instead []string) error {
	players := c.ranked()
	if len(players) == 0 {
		c.note("the file has no ranks")
		return nil
	}
	codes, listErr := c.tieBreaks(instead, func(code string) (string, error) {
		return standings.Canonical(c.report.Format(), code)
	})
	findings, err := c.rankFindings(c.report, players, codes)
	if err != nil {
		return errors.Join(err, listErr)
	}
	if earlier := c.beforeOpenRound(); len(findings) > 0 && earlier != nil {
		// while a round is under way, ranks may still be those before it
		if before, err := c.rankFindings(earlier, players, codes); err == nil && len(before) == 0 {
			findings = nil
		}
	}
	if len(findings) > 0 && !slices.ContainsFunc(players, func(p *trf.Player) bool { return p.Rank != p.Number }) {
		c.note("the ranks are the players' own numbers; they are taken for those of the start and not compared")
		return listErr
	}
	c.result.Ranks = len(players)
	for _, f := range findings {
		c.find(f)
	}
	return listErr
}

// ranked returns the players that have a rank.
func (c *checker) ranked() []*trf.Player {
	var out []*trf.Player
	for i := range c.report.Players {
		if p := &c.report.Players[i]; p.Rank > 0 {
			out = append(out, p)
		}
	}
	if n := len(c.report.Players) - len(out); n > 0 && len(out) > 0 {
		c.note("%d players have no rank; the others are compared among themselves", n)
	}
	return out
}

// tieBreaks returns the file's list up to the first that cannot be recomputed, and an error if that is not the drawing
// of lots.
func (c *checker) tieBreaks(instead []string, canonical func(code string) (string, error)) ([]string, error) {
	text, where := c.report.Standings, "line 212"
	if text == "" {
		text, where = c.report.TieBreaks, "line 202"
	}
	words := splitCodes(text)
	if len(instead) > 0 {
		words, where = splitCodes(strings.Join(instead, ",")), "the list"
	}
	var codes []string
	for _, word := range words {
		if word == "PTS" {
			continue
		}
		code, err := canonical(word)
		if err != nil {
			return codes, fmt.Errorf("ranks beyond %s: %s: %w", cmp.Or(strings.Join(codes, ", "), "points"), where, err)
		}
		if code == "LOT" {
			c.note("lots cannot be drawn again: who is level before them may have any of the ranks")
			return codes, nil
		}
		codes = append(codes, code)
	}
	if len(codes) == 0 {
		c.note("the file has no list of tie-breaks (202, 212): only the order of points is compared")
	}
	return codes, nil
}

// splitCodes splits a list at commas and semicolons, or at blanks if it has neither.
func splitCodes(text string) []string {
	separators := ",;"
	if !strings.ContainsAny(text, separators) {
		separators = " \t"
	}
	words := strings.FieldsFunc(strings.ToUpper(text), func(r rune) bool { return strings.ContainsRune(separators, r) })
	for i := range words {
		words[i] = strings.TrimSpace(words[i])
	}
	return slices.DeleteFunc(words, func(word string) bool { return word == "" })
}

// beforeOpenRound returns the report without a last round that is under way; nil if none is.
func (c *checker) beforeOpenRound() *trf.Report {
	round := c.report.NextRound() - 1
	if round < 1 {
		return nil
	}
	open := slices.ContainsFunc(c.report.Players, func(p trf.Player) bool {
		cell := p.Cell(round)
		return cell.Opponent > 0 && cell.Result == trf.NoResult
	})
	if !open {
		return nil
	}
	out := *c.report
	out.Players = slices.Clone(out.Players)
	for i := range out.Players {
		p := &out.Players[i]
		p.Cells = p.Cells[:min(len(p.Cells), round-1)]
	}
	return &out
}

// rankFindings compares ranks with the standings of a report.
func (c *checker) rankFindings(r *trf.Report, players []*trf.Player, codes []string) ([]Finding, error) {
	field := standings.FieldOfReport(r)
	field.TieBreaks = codes
	table, err := standings.Rank(field)
	if err != nil {
		return nil, err
	}
	given := make(map[int]int, len(players))
	for _, p := range players {
		given[p.Number] = p.Rank
	}
	var rows []row
	for _, computed := range table.Rows {
		points := fmt.Sprintf("%d.%d points", computed.Points/10, computed.Points%10)
		rows = append(rows, row{
			number: computed.Entry.Number, rank: computed.Rank, given: given[computed.Entry.Number],
			values: append([]string{points}, computed.TieBreaks...),
		})
	}
	return compareRanks(rows, append([]string{"PTS"}, codes...)), nil
}

// row is a line of the standings, and the rank that the file has.
type row struct {
	number, rank, given int      // ranks are 0 for none
	values              []string // points and tie-breaks
}

// group is a set of rows that the points and tie-breaks leave level.
type group []row

// compareRanks returns the ranks that are not those of the standings, best first; codes are those of the values. Rows
// without a rank in either are left out.
func compareRanks(rows []row, codes []string) (out []Finding) {
	var groups []group
	last := -1
	for _, r := range rows {
		if r.rank == 0 || r.given == 0 {
			continue
		}
		if r.rank != last {
			groups, last = append(groups, nil), r.rank
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], r)
	}
	place := 1
	for i, g := range groups {
		out = append(out, g.findings(place, codes, beside(groups, i))...)
		place += len(g)
	}
	return out
}

// beside returns the group before another, or the group behind the first; nil if it is alone.
func beside(groups []group, at int) group {
	switch {
	case at > 0:
		return groups[at-1]
	case len(groups) > 1:
		return groups[1]
	}
	return nil
}

// findings compares the ranks of a group, which take up the places from first on.
func (g group) findings(first int, codes []string, beside group) (out []Finding) {
	last := first + len(g) - 1
	for _, r := range g {
		f := Finding{Kind: "rank", Players: []int{r.number}, Article: "C.07 4.2"}
		switch {
		case r.given < first || r.given > last:
			f.Text = fmt.Sprintf("%d has rank %d, and should have %s: %s", r.number, r.given, span(first, last),
				r.text(codes))
			f.Criterion = g.decisive(beside, codes)
		case g.crowded(first, r.given):
			f.Text = fmt.Sprintf("%d has rank %d, which others have taken up: %s", r.number, r.given, r.text(codes))
		default:
			continue
		}
		out = append(out, f)
	}
	return out
}

// crowded reports whether a rank within the group is impossible: the entries with it and with better ranks must fill
// the ranks up to the next.
func (g group) crowded(first, rank int) bool {
	better, same := 0, 0
	for _, r := range g {
		better += b2i(r.given < rank)
		same += b2i(r.given == rank)
	}
	return first+better != rank && first+better+same-1 != rank
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func span(first, last int) string {
	if first == last {
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("one from %d to %d", first, last)
}

// text returns points and tie-breaks in words.
func (r row) text(codes []string) string {
	parts := r.values[:1:1]
	for i, code := range codes[1:] {
		parts = append(parts, code+" "+r.values[i+1])
	}
	return strings.Join(parts, ", ")
}

// decisive returns the code of the value that separates two groups; "" if none does.
func (g group) decisive(beside group, codes []string) string {
	for i, code := range codes {
		if beside != nil && g[0].values[i] != beside[0].values[i] {
			return code
		}
	}
	return ""
}
