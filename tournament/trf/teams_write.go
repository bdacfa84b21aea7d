package trf

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// canonical is the order of records in a report that was not read from a file.
var canonical = []string{
	"012", "022", "032", "042", "052", "062", "072", "082", "092", "102", "112", "122", "132", "142", "152", "182", "192",
	"202", "212", "222", "162", "352", "362", "260", "250", "240", "330", "320", "300", "299", comment, kept, "310", "001",
}

// Write writes the report, lines ending in "\n": each in the place that it had in the file, others in their canonical
// place. Errors are w's.
func (r *TeamReport) Write(w io.Writer) error {
	var b bytes.Buffer
	place := make(map[recordAt]int, len(r.order))
	for i, at := range r.order {
		place[at] = i
	}
	for _, at := range r.records(place) {
		line := r.text(at)
		switch i, read := place[at]; {
		case read && line == r.asRead[i]:
			line = r.raw[i]
		case !read && at.code == "062" && len(r.order) > 0: // a file without it remains so
			line = ""
		}
		if line != "" {
			fmt.Fprintln(&b, line)
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// records returns all records in the order of writing; place has those that were read.
func (r *TeamReport) records(place map[recordAt]int) []recordAt {
	var all []recordAt
	var keys []int
	last := -1
	for _, code := range canonical {
		for i := range r.count(code) {
			at := recordAt{code, i}
			if known, ok := place[at]; ok {
				last = known
			}
			all, keys = append(all, at), append(keys, last)
		}
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return keys[a] - keys[b] })
	out := make([]recordAt, len(all))
	for i, at := range order {
		out[i] = all[at]
	}
	return out
}

// count returns the number of records of a code.
func (r *TeamReport) count(code string) int {
	switch code {
	case "112":
		return len(r.Deputies)
	case "240":
		return len(r.TeamByes)
	case "250":
		return len(r.Boosts)
	case "260":
		return len(r.Apart)
	case "299":
		return len(r.Bonuses)
	case "300":
		return len(r.LineUps)
	case "310":
		if len(r.old) > 0 && r.fromOld {
			return 0
		}
		return len(r.Teams)
	case "330":
		return len(r.Forfeits)
	case comment:
		return len(r.Events)
	case "001":
		return len(r.Players)
	case kept:
		return len(r.Other)
	}
	return 1
}

// text returns the line of a record; "" for none.
func (r *TeamReport) text(at recordAt) string {
	switch at.code {
	case kept:
		return r.Other[at.index].Text
	case "001":
		return r.Players[at.index].write()
	case "062":
		return fmt.Sprint("062 ", len(r.Players))
	case "112":
		return "112 " + r.Deputies[at.index]
	case "132":
		if r.RoundDates == "" {
			return ""
		}
		return fmt.Sprintf("%-*s%s", dateColumn-1, "132", r.RoundDates)
	case "142":
		if r.Rounds == 0 {
			return ""
		}
		return fmt.Sprint("142 ", r.Rounds)
	case "152":
		return map[pairing.Colour]string{pairing.White: "152 W", pairing.Black: "152 B"}[r.Initial]
	case "310":
		return r.Teams[at.index].write()
	case comment:
		return r.Events[at.index].write()
	}
	if field := r.textField(at.code); field != nil {
		if *field == "" {
			return ""
		}
		return at.code + " " + *field
	}
	return r.teamText(at)
}

// teamText returns the line of a record that only reports of teams have.
func (r *TeamReport) teamText(at recordAt) string {
	switch at.code {
	case "162":
		return writeSymbols("162  ", r.GamePoints, 4)
	case "362":
		return writeSymbols("362 ", r.MatchWorth, 3)
	case "352":
		if r.Colours == "" {
			return ""
		}
		return "352 " + r.Colours
	case "240":
		b := r.TeamByes[at.index]
		return fmt.Sprintf("240 %c %03d%s", b.Type, b.Round, writeTeams(b.Numbers))
	case "250":
		v := r.Boosts[at.index]
		return fmt.Sprintf("250 %4s %4s %3d %3d %4d %4d", signed(v.MP), signed(v.GP), v.First, v.Last, v.From, v.To)
	case "260":
		f := r.Apart[at.index]
		return fmt.Sprintf("260 %03d %03d%s", f.First, f.Last, writeTeams(f.Numbers))
	case "299":
		b := r.Bonuses[at.index]
		return fmt.Sprintf("299   %5s %5s  %03d%s", signed(b.MP), signed(b.GP), b.Round, writeTeams(b.Teams))
	case "300":
		l := r.LineUps[at.index]
		return fmt.Sprintf("300 %3d %3d %3d%s", l.Round, l.Team, l.Opponent, writeNumbers(l.Players))
	case "320":
		return r.Allocated.write()
	case "330":
		f := r.Forfeits[at.index]
		return fmt.Sprintf("330 %s %3d %3d %3d", f.Result, f.Round, f.White, f.Black)
	}
	return ""
}

func (t TeamLine) write() string {
	mp, gp := "", ""
	if t.HasMP {
		mp = signed(&t.Totals.MP)
	}
	if t.HasGP {
		gp = signed(&t.Totals.GP)
	}
	line := fmt.Sprintf("310 %3d %-32s %-5s %6s %6s %6s %3s", t.Number, t.Name, t.Short, t.Strength, mp, gp, t.Rank)
	if len(t.Members) > 0 {
		line += " " + writeTeams(t.Members)
	}
	return strings.TrimRight(line, " ")
}

func (a *AllocatedLine) write() string {
	if a == nil {
		return ""
	}
	line := fmt.Sprintf("320 %4s %4s", decimal(a.Totals.MP), decimal(a.Totals.GP))
	for _, n := range a.Teams {
		if n == 0 {
			line += " 000"
			continue
		}
		line += fmt.Sprintf(" %3d", n)
	}
	return line
}

func writeSymbols(start string, points []SymbolPoints, gap int) string {
	var parts []string
	for _, p := range points {
		parts = append(parts, fmt.Sprintf("%s%4s", p.Symbol, decimal(p.Points)))
	}
	if parts == nil {
		return ""
	}
	return start + strings.Join(parts, strings.Repeat(" ", gap))
}

// writeTeams writes numbers in four columns, a blank before each.
func writeTeams(numbers []int) string {
	var b strings.Builder
	for _, n := range numbers {
		fmt.Fprintf(&b, " %4d", n)
	}
	return b.String()
}

// signed formats points that may be negative, or are not given.
func signed(p *tournament.Points) string {
	switch {
	case p == nil:
		return ""
	case *p < 0:
		return "-" + decimal(-*p)
	}
	return decimal(*p)
}
