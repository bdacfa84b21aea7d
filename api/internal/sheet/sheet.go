// Package sheet reads and writes lists as spreadsheets and other programs exchange them. It writes comma-separated
// values (RFC 4180, UTF-8). It reads them with any usual separator, tables in columns of fixed width, and XML with an
// element a line, in UTF-8, UTF-16 or Windows-1252.
package sheet

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"

	"quatuor/engine/sentence"
	"quatuor/tournament/trf"
)

// Limits of a list: enough for the players of a federation, too little to exhaust memory.
const (
	MaxRows    = 200_000
	MaxColumns = 60
	maxCells   = 4_000_000
	maxCell    = 1_000 // bytes
)

// Sheet is a list as it came.
type Sheet struct {
	Rows []Row // without empty rows
}

// Row is a line of a list.
type Row struct {
	Line  int // from 1; of XML, the head is 1, and elements follow
	Cells []string
}

// Width returns the number of columns.
func (s Sheet) Width() (n int) {
	for _, row := range s.Rows {
		n = max(n, len(row.Cells))
	}
	return n
}

// Text returns the list as a text that [Read] reads as the same rows with the same lines: with tabs in every line, no
// separator is guessed.
func (s Sheet) Text() (string, error) {
	var rows [][]string
	width := max(2, s.Width())
	for _, row := range s.Rows {
		for len(rows) < row.Line-1 {
			rows = append(rows, []string{""})
		}
		cells := make([]string, width)
		for k, cell := range row.Cells {
			cells[k] = Harmless(cell)
		}
		rows = append(rows, cells)
	}
	text, err := write(rows, '\t')
	return string(text), err
}

// Read reads a list. Quotes may occur anywhere within a cell. Errors are sentences, with the line where there is one.
func Read(file []byte) (s Sheet, err error) {
	text, _ := trf.Decode(file)
	text = strings.TrimLeft(text, "\ufeff")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	first := firstLine(text)
	// What [Sheet.Text] writes has a tab in each line; the first line of a file in PDF has none.
	if strings.ContainsRune(text, 0) || strings.HasPrefix(strings.TrimSpace(first), "%PDF") && !strings.ContainsRune(first, '\t') {
		return s, sentence.Errorf("the file is no text; save the list as CSV, unpacked, and send that")
	}
	switch {
	case first == "":
		return s, errEmpty
	case strings.HasPrefix(strings.TrimSpace(first), "<") && !strings.ContainsRune(first, '\t'):
		s.Rows, err = readXML(text)
	case fixed(first):
		s.Rows, err = readFixed(text, first)
	default:
		s.Rows, err = readSeparated(text)
	}
	switch {
	case err != nil:
	case s.Width() == 0:
		err = errEmpty
	case s.Width() > MaxColumns:
		err = sentence.Errorf("the list has %d columns; at most %d can be read", s.Width(), MaxColumns)
	}
	return s, err
}

var (
	errEmpty   = sentence.Errorf("the list is empty")
	errTooLong = sentence.Errorf("the list is too long; at most %d lines can be read, so send only those of your club", MaxRows)
)

// firstLine returns the first line that is not empty.
func firstLine(text string) string {
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(line) != "" {
			return strings.TrimRight(line, " ")
		}
	}
	return ""
}

// separators are the possible separators of cells, the surest first: commas occur in names, too.
var separators = []rune{'\t', ';', '|', ','}

// separator returns the first separator that all of the first lines have, or else the first line; a comma if none has.
func separator(text string) rune {
	const looked, width = 10, 4096
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(line) != "" {
			lines = append(lines, unquoted(line[:min(len(line), width)]))
		}
		if len(lines) == looked {
			break
		}
	}
	has := func(lines []string) int {
		return slices.IndexFunc(separators, func(r rune) bool {
			return !slices.ContainsFunc(lines, func(line string) bool { return !strings.ContainsRune(line, r) })
		})
	}
	for _, lines := range [][]string{lines, lines[:min(1, len(lines))]} {
		if i := has(lines); i >= 0 {
			return separators[i]
		}
	}
	return ','
}

// unquoted returns a line without its quoted parts.
func unquoted(line string) string {
	var b strings.Builder
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 0 {
			b.WriteString(part)
		}
	}
	return b.String()
}

func readSeparated(text string) (rows []Row, err error) {
	comma := separator(text)
	if strings.Count(text, string(comma))+strings.Count(text, "\n") > maxCells {
		return nil, errTooLong
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma = comma
	r.LazyQuotes = true
	r.FieldsPerRecord = -1
	r.TrimLeadingSpace = comma != '\t'
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		line, _ := r.FieldPos(0)
		if rows, err = add(rows, line, cells); err != nil {
			return nil, err
		}
	}
}

// add appends a row that is not empty, with its cells trimmed and without line breaks.
func add(rows []Row, line int, cells []string) ([]Row, error) {
	empty := true
	for i, cell := range cells {
		if strings.ContainsRune(cell, '\n') {
			cell = strings.ReplaceAll(cell, "\n", " ")
		}
		cells[i] = plain(strings.TrimSpace(cell))
		empty = empty && cells[i] == ""
		if len(cells[i]) > maxCell {
			return nil, sentence.Errorf("line %d: a cell has more than %d characters; perhaps a quotation mark is not closed",
				line, maxCell)
		}
	}
	switch {
	case empty:
		return rows, nil
	case len(rows) == MaxRows:
		return nil, errTooLong
	}
	for len(cells) > 1 && cells[len(cells)-1] == "" { // separators at the end of lines
		cells = cells[:len(cells)-1]
	}
	return append(rows, Row{line, cells}), nil
}

// fixed reports whether a first line names columns of fixed width, as in FIDE's player lists.
func fixed(first string) bool {
	head := strings.ToLower(strings.TrimSpace(first))
	return (strings.HasPrefix(head, "id number ") || strings.HasPrefix(head, "id_number ")) && !strings.ContainsAny(first, "\t;,|")
}

// readFixed reads columns that begin where the words of the first line do.
func readFixed(text, first string) (rows []Row, err error) {
	head := []rune(strings.Replace(first, "ID Number", "ID_Number", 1))
	var starts []int
	for i, c := range head {
		if c != ' ' && (i == 0 || head[i-1] == ' ') || i == 0 {
			starts = append(starts, i)
		}
	}
	if strings.Count(text, "\n")*len(starts) > maxCells {
		return nil, errTooLong
	}
	number := 0
	for line := range strings.SplitSeq(text, "\n") {
		number++
		cells := make([]string, len(starts))
		for i := range starts {
			cells[i], line = line, ""
			if i+1 < len(starts) {
				cells[i], line = cutAt(cells[i], starts[i+1]-starts[i])
			}
		}
		if rows, err = add(rows, number, cells); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// cutAt cuts a text after a number of characters.
func cutAt(text string, characters int) (before, after string) {
	for i := range text {
		if characters == 0 {
			return text[:i], text[i:]
		}
		characters--
	}
	return text, ""
}

// readXML reads the elements below the root as lines, and theirs as cells under their names, in the order of the first.
func readXML(text string) ([]Row, error) {
	d := xml.NewDecoder(strings.NewReader(text))
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // it is decoded already
	r := xmlReader{column: map[string]int{}, rows: []Row{{Line: 1}}}
	for {
		token, err := d.Token()
		switch {
		case errors.Is(err, io.EOF) && len(r.column) == 0:
			return nil, errEmpty
		case errors.Is(err, io.EOF):
			return r.rows, nil
		case err != nil:
			return nil, sentence.Errorf("the file is no XML that can be read: %v", err)
		}
		if err := r.take(token); err != nil {
			return nil, err
		}
	}
}

// xmlReader collects the rows of a file in XML.
type xmlReader struct {
	rows   []Row          // the first names the columns
	column map[string]int // by the name of the element
	depth  int
	lines  int
	total  int            // of cells
	at     int            // column of the cell that is read
	cells  map[int]string // of the line that is read
}

// The depths of elements.
const xmlLine, xmlCell = 2, 3

func (r *xmlReader) take(token xml.Token) (err error) {
	switch token := token.(type) {
	case xml.StartElement:
		switch r.depth++; r.depth {
		case xmlLine:
			r.lines++
			r.cells = map[int]string{}
		case xmlCell:
			return r.cell(token.Name.Local)
		}
	case xml.CharData:
		if r.depth != xmlCell {
			break
		}
		if r.cells[r.at] += string(token); len(r.cells[r.at]) > maxCell {
			return errTooLong
		}
	case xml.EndElement:
		if r.depth == xmlLine {
			cells := make([]string, len(r.column))
			for i, cell := range r.cells {
				cells[i] = cell
			}
			r.rows, err = add(r.rows, r.lines+1, cells)
		}
		r.depth--
	}
	return err
}

// cell begins a cell.
func (r *xmlReader) cell(name string) error {
	at, known := r.column[name]
	if !known {
		at = len(r.column)
		r.column[name], r.rows[0].Cells = at, append(r.rows[0].Cells, name)
	}
	r.at = at
	if r.total++; len(r.column) > MaxColumns || r.total > maxCells {
		return errTooLong
	}
	return nil
}

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
