package dutch

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/swiss"
)

// checkList writes a check-list if the arguments have a file for it. A file that cannot be written is named, and is no
// failure.
func (e Runner) checkList(a arguments, write func(*bytes.Buffer) error) error {
	if !a.list {
		return nil
	}
	name := strings.TrimSuffix(a.input, filepath.Ext(a.input)) + ".list"
	if a.listFile != "" {
		name = beside(a.listFile, a.input)
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	b.WriteString(e.Version)
	if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil { //nolint:gosec // for other programs
		fmt.Fprintf(e.Err, "The checklist file (%s) could not be opened.\n", a.listFile)
	}
	return nil
}

// writeList writes the check-list of a round as bbpPairings does: a row for each player, with a line between scores.
func writeList(b *bytes.Buffer, p swiss.Pairer, h pairing.History, drawn swiss.Round) error {
	lines, err := p.Lines(h)
	if err != nil {
		return err
	}
	header := []string{"ID", "Pts", strings.Repeat("-", h.Round), "Pref", "C2", "C14", "C16", "Cur", ""}
	for round := range h.Round - 1 {
		header = append(header, fmt.Sprint("R", round+1))
	}
	rows := [][]string{header}
	now := current(drawn)
	for _, l := range lines {
		rows = append(rows, row(l, now[l.Number], h))
	}
	widths := make([]int, len(header))
	for _, row := range rows {
		for i, text := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(text))
		}
	}
	for i, row := range rows {
		b.WriteByte('\n')
		if i == 1 || i > 1 && lines[i-1].Score != lines[i-2].Score {
			b.WriteByte('\n')
		}
		for column, text := range row {
			fmt.Fprintf(b, "%*s\t", widths[column], text)
		}
	}
	b.WriteString("\n\n\n")
	return nil
}

// current returns what each player has in the round: (12W), (bye), or nothing if none could be paired.
func current(drawn swiss.Round) map[int]string {
	out := make(map[int]string)
	for _, g := range drawn.Games {
		out[g.White], out[g.Black] = fmt.Sprintf("(%dW)", g.Black), fmt.Sprintf("(%dB)", g.White)
	}
	if drawn.Bye > 0 {
		out[drawn.Bye] = "(bye)"
	}
	return out
}

// row returns the row of a player.
func row(l swiss.Line, now string, h pairing.History) []string {
	letter := map[pairing.Colour]string{pairing.White: "W", pairing.Black: "B"}
	colours := ""
	for _, c := range l.Colours {
		colours += letter[c]
	}
	due := letter[l.Due.Colour]
	preference := map[swiss.Strength]string{
		swiss.NotDue: "A ", swiss.Mildly: strings.ToLower(due) + " ", swiss.Strongly: "(" + due + ")",
		swiss.Absolutely: due + " ",
	}[l.Due.Strength]
	free := map[bool]string{true: "Y", false: "N"}[l.MayBeFree]
	float := map[int]string{1: "D", -1: "U", 0: " "}
	out := []string{
		fmt.Sprint(l.Number), fmt.Sprintf("%d.%d", l.Score/10, l.Score%10), colours, preference, free,
		float[l.Floats[0]], float[l.Floats[1]], now, "",
	}
	for _, c := range h.Field[l.Number-1].Cells[:h.Round-1] {
		opponent := ""
		if c.Kind == tournament.Played {
			opponent = fmt.Sprint(c.Opponents[0])
		}
		out = append(out, opponent)
	}
	return out
}
