// Package sheet reads and writes lists as spreadsheets and other programs exchange them. It writes comma-separated
// values (RFC 4180, UTF-8). It reads them with any usual separator, tables in columns of fixed width, and XML with an
// element a line, in UTF-8, UTF-16 or Windows-1252.
package sheet

import (
	"bytes"
	"encoding/csv"
	"regexp"
	"strings"
)

// Kind is the media type of the output of [CSV].
const Kind = "text/csv; charset=utf-8; header=present"

// CSV returns rows as comma-separated values. Cells that a spreadsheet would take for a formula are escaped.
func CSV(rows [][]string) ([]byte, error) {
	for _, row := range rows {
		for i, cell := range row {
			row[i] = Harmless(cell)
		}
	}
	return write(rows, ',')
}

func write(rows [][]string, separator rune) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Comma, w.UseCRLF = separator, separator == ','
	err := w.WriteAll(rows)
	return b.Bytes(), err
}

// A spreadsheet takes a cell for a formula by its first character. Negative numbers are only numbers. Cells that look
// escaped already are escaped once more, so that reading exactly reverses writing.
var (
	formula  = regexp.MustCompile("^'*[=+\\-@\t\r\n＝＋－＠]")
	escaped  = regexp.MustCompile("^'+[=+\\-@\t\r\n＝＋－＠]")
	negative = regexp.MustCompile(`^-[0-9]+(\.[0-9]+)?$`)
)

// Harmless escapes a cell that a spreadsheet would take for a formula, with an apostrophe in front.
func Harmless(cell string) string {
	if formula.MatchString(cell) && !negative.MatchString(cell) {
		return "'" + cell
	}
	return cell
}

// plain reverses [Harmless].
func plain(cell string) string {
	if strings.HasPrefix(cell, "'") && escaped.MatchString(cell) {
		return cell[1:]
	}
	return cell
}
