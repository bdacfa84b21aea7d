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
	codes, listErr := c.tieBreaks(instead)
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
func (c *checker) tieBreaks(instead []string) ([]string, error) {
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
		code, err := standings.Canonical(c.report.Format(), word)
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
	groups := groupsOf(table, players)
	var out []Finding
	place := 1
	for _, group := range groups {
		out = append(out, group.findings(place, codes, groups)...)
		place += len(group.players)
	}
	return out, nil
}

// group is players that the points and tie-breaks leave level.
type group struct {
	players []*trf.Player
	rows    []standings.Row
}

// groupsOf returns the players in groups of equal rank, best first. Players without a rank in the file are left out.
func groupsOf(table *standings.Standings, players []*trf.Player) (out []group) {
	byNumber := make(map[int]*trf.Player, len(players))
	for _, p := range players {
		byNumber[p.Number] = p
	}
	last := -1
	for _, row := range table.Rows {
		p := byNumber[row.Entry.Number]
		if p == nil || row.Rank == 0 {
			continue
		}
		if row.Rank != last {
			out, last = append(out, group{}), row.Rank
		}
		g := &out[len(out)-1]
		g.players, g.rows = append(g.players, p), append(g.rows, row)
	}
	return out
}

// findings compares the ranks of a group, which take up the places from this one on.
func (g group) findings(first int, codes []string, all []group) (out []Finding) {
	last := first + len(g.players) - 1
	for i, p := range g.players {
		f := Finding{Kind: "rank", Players: []int{p.Number}, Article: "C.07 4.2"}
		row := g.rows[i]
		switch {
		case p.Rank < first || p.Rank > last:
			f.Text = fmt.Sprintf("%d has rank %d, and should have %s: %s", p.Number, p.Rank, span(first, last),
				valuesOf(row, codes))
			f.Criterion = decisive(all, g, codes)
		case g.crowded(first, p.Rank):
			f.Text = fmt.Sprintf("%d has rank %d, which others have taken up: %s", p.Number, p.Rank, valuesOf(row, codes))
		default:
			continue
		}
		out = append(out, f)
	}
	return out
}

// crowded reports whether a rank within the group cannot be: as many as it and the better ones have players must be the
// ranks up to the next one.
func (g group) crowded(first, rank int) bool {
	better, same := 0, 0
	for _, p := range g.players {
		better += b2i(p.Rank < rank)
		same += b2i(p.Rank == rank)
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

// valuesOf returns points and tie-breaks in words.
func valuesOf(row standings.Row, codes []string) string {
	parts := []string{fmt.Sprintf("%d.%d points", row.Points/10, row.Points%10)}
	for i, code := range codes {
		parts = append(parts, code+" "+row.TieBreaks[i])
	}
	return strings.Join(parts, ", ")
}

// decisive returns the value that separates a group from the group before it, or behind it for the first: PTS, or the
// code of a tie-break.
func decisive(all []group, g group, codes []string) string {
	at := slices.IndexFunc(all, func(o group) bool { return o.players[0] == g.players[0] })
	beside := at - 1
	if beside < 0 {
		beside = at + 1
	}
	if beside >= len(all) {
		return ""
	}
	a, b := g.rows[0], all[beside].rows[0]
	if a.Points != b.Points {
		return "PTS"
	}
	for i, code := range codes {
		if a.TieBreaks[i] != b.TieBreaks[i] {
			return code
		}
	}
	return ""
}
