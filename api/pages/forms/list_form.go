package forms

import (
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/internal/roster"
	"quatuor/api/internal/sheet"
	"quatuor/tournament"
)

// ListForm is a list of players that was pasted or sent as a file, with the meaning of its columns. It goes back and
// forth with every step of the form, so that nothing is stored before the last step.
type ListForm struct {
	roster.List
	Teams   bool     // a column has the names of teams
	Ratings string   // the rating list of the column of ratings
	Lists   []string // those that can be chosen; nil where there is no choice
}

// ListColumn is a column of the list in the form.
type ListColumn struct {
	Field    string // name of its field
	Name     string // as the list has it, "" if it has none
	Number   int    // from 1
	Examples []string
	Holds    roster.Column
}

// ReadList returns the list of a form, from the file or from the text of a field, with the columns that were chosen;
// nil if there is none. The error is tournament.FieldErrors of the field "list".
func ReadList(c echo.Context, field string, teams bool) (*ListForm, error) {
	read, fromFile, err := readSheet(c, field)
	if err != nil || read == nil {
		return nil, err
	}
	l := &ListForm{List: roster.Guess(*read), Teams: teams}
	form := c.Request().Form
	if !fromFile && form.Has(columnField(0)) {
		l.Head = form.Get("head") != ""
		for i := range l.Columns {
			l.Columns[i] = form.Get(columnField(i))
			if !slices.Contains(l.Choices(), l.Columns[i]) {
				l.Columns[i] = roster.Ignored
			}
		}
	}
	for i, holds := range l.Columns {
		if holds == roster.TeamName && !teams {
			l.Columns[i] = roster.Ignored
		}
	}
	return l, nil
}

// ReadSheet returns the contents of a form's file, or the text of a field; nil if there is nothing. The error is
// tournament.FieldErrors of the field "list".
func ReadSheet(c echo.Context, field string) (*sheet.Sheet, error) {
	read, _, err := readSheet(c, field)
	return read, err
}

func readSheet(c echo.Context, field string) (read *sheet.Sheet, fromFile bool, err error) {
	text, err := listText(c)
	fromFile = len(text) > 0
	if err == nil && !fromFile {
		text = []byte(c.FormValue(field))
	}
	if err != nil || strings.TrimSpace(string(text)) == "" {
		return nil, fromFile, err
	}
	s, err := sheet.Read(text)
	if err != nil {
		return nil, fromFile, tournament.Fault("list", "%v", err)
	}
	return &s, fromFile, nil
}

// listText returns the file of a form; nil if there is none.
func listText(c echo.Context) ([]byte, error) {
	file, err := c.FormFile("file")
	if err != nil || file.Size == 0 {
		return nil, nil //nolint:nilerr // a form without a file
	}
	opened, err := file.Open()
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	return io.ReadAll(opened)
}

func columnField(i int) string { return "column-" + strconv.Itoa(i) }

// Choices lists the possible contents of a column: not a rating list that no column of this list names.
func (l ListForm) Choices() []roster.Column {
	choices := []roster.Column{roster.Ignored}
	for _, c := range roster.Columns {
		if c != roster.TeamName || l.Teams {
			choices = append(choices, c)
		}
	}
	for _, cell := range l.Rows[0].Cells {
		if id := strings.ToLower(cell); roster.KnownList(id) && !slices.Contains(choices, id) {
			choices = append(choices, id)
		}
	}
	return choices
}

// examples is the number of cells of a column that the form shows.
const examples = 3

// Shown returns the columns as the form shows them.
func (l ListForm) Shown() []ListColumn {
	columns := make([]ListColumn, len(l.Columns))
	for i := range columns {
		columns[i] = ListColumn{Field: columnField(i), Number: i + 1, Holds: l.Columns[i]}
		if names := l.Rows[0].Cells; l.Head && i < len(names) {
			columns[i].Name = names[i]
		}
		for _, row := range l.Data() {
			if i < len(row.Cells) && row.Cells[i] != "" && len(columns[i].Examples) < examples {
				columns[i].Examples = append(columns[i].Examples, row.Cells[i])
			}
		}
	}
	return columns
}

// maxRefusedLines is the number of lines with faults that the form shows.
const maxRefusedLines = 20

// RefusedLines are the lines of a list that are left out.
type RefusedLines []roster.Fault

// Shown returns the first of them.
func (r RefusedLines) Shown() []roster.Fault { return r[:min(len(r), maxRefusedLines)] }

// More returns how many are not shown.
func (r RefusedLines) More() int { return len(r) - len(r.Shown()) }

// ListFaults turns the faults of a list into those of a field of a form.
func ListFaults(field string, err error) error {
	var faults roster.Faults
	if !errors.As(err, &faults) {
		return err
	}
	var fields tournament.FieldErrors
	for _, f := range faults[:min(len(faults), maxRefusedLines)] {
		fields = append(fields, tournament.FieldError{Field: field, Detail: f.Detail, Said: f.Said})
	}
	return fields
}
