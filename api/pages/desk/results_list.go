package desk

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/internal/roster"
	"quatuor/api/internal/sheet"
	"quatuor/api/pages/forms"
	"quatuor/api/pages/kit"
	"quatuor/api/problem"
	"quatuor/engine/sentence"
	"quatuor/tournament"
)

// resultsList is a list of results that was pasted or sent as a file, with a preview of its effect. It goes back and
// forth with the form, so that nothing is stored before the arbiter has seen it.
type resultsList struct {
	Text    string // of the list
	Columns [2]int // those of the boards and of the results, from 1
	Lines   []listedResult
	Same    int // boards that have their result already
	Refused forms.RefusedLines
	Changes bool // replaces a present result, which needs a reason
}

// listedResult is a line of the list with its board's present state.
type listedResult struct {
	resultRow
	Wanted  string // as score sheets write it
	verdict tournament.Verdict
}

// Field is the name of the field that holds the board's tag.
func (l listedResult) Field() string { return "seen-" + strconv.Itoa(l.Board) }

// enterList shows a preview of a list of results, or enters it.
func (p *Pages) enterList(c echo.Context) error {
	t, err := p.StaffTournament(c, auth.EnterResults)
	if t == nil {
		return err
	}
	round, err := roundNumber(c, t)
	if err == nil && round == 0 {
		err = kit.ErrMissing
	}
	if err != nil {
		return err
	}
	list, err := p.readResults(c, t, round)
	if err == nil && c.FormValue("do") != "enter" {
		return p.showDesk(c, http.StatusOK, t, &deskBody{Tab: "results", Part: list})
	}
	in := &command.RoundResults{Round: round}
	if err == nil {
		in.Results, err = list.results(c)
	}
	if err == nil {
		_, err = command.EnterListedResults.Run(c.Request().Context(), p.Commands, command.On{ID: t.ID, Read: t}, in)
	}
	if err == nil {
		err = listed(in)
	}
	if err != nil {
		return p.refused(c, "results", 0, err)
	}
	return p.Back(c, saving{t: t, round: round}.address(), "results")
}

// results returns the results to enter, each with the board as the arbiter has seen it.
func (l *resultsList) results(c echo.Context) ([]command.ListedResult, error) {
	why, err := forms.Reason(c.FormValue("reason"))
	if err == nil && l.Changes {
		why, err = needReason(why)
	}
	if err == nil && len(l.Lines) == 0 {
		err = tournament.Fault("list", "there is no new result in the list")
	}
	var out []command.ListedResult
	for _, line := range l.Lines {
		one := command.ListedResult{
			Board: line.Board, Verdict: line.verdict, Seen: new(strconv.Quote(c.FormValue(line.Field()))),
		}
		if line.Result != "" {
			one.Why = why
		}
		out = append(out, one)
	}
	return out, err
}

// listed returns why results of a list were not entered; nil if all were.
func listed(in *command.RoundResults) error {
	var faults tournament.FieldErrors
	for i, err := range in.Refused {
		if err != nil {
			_, said := problem.MessageOf(err)
			said = sentence.New("at board %d: %v", in.Results[i].Board, said)
			faults = append(faults, tournament.FieldError{Field: "list", Detail: said.String(), Said: said})
		}
	}
	if faults == nil {
		return nil
	}
	return faults
}

// readResults reads the list of the form.
func (p *Pages) readResults(c echo.Context, t *tournament.Tournament, round int) (*resultsList, error) {
	read, err := forms.ReadSheet(c, "list")
	if err != nil {
		return nil, err
	}
	if read == nil {
		return nil, tournament.Fault("list", "paste a list, or choose a file")
	}
	list := &resultsList{}
	if list.Text, err = read.Text(); err != nil {
		return nil, err
	}
	rows, err := list.findColumns(read.Rows)
	if err != nil {
		return nil, err
	}
	boards := resultRows(t, round)
	for _, row := range rows {
		board, result := cell(row, list.Columns[0]), cell(row, list.Columns[1])
		if result == "" { // the board is open still
			continue
		}
		at := slices.IndexFunc(boards, func(r resultRow) bool { return strconv.Itoa(r.Board) == board })
		if at < 0 {
			err = sentence.Errorf("there is no board %q left in round %d", board, round)
		} else {
			err = p.addResult(c, t, round, list, boards[at], result)
			boards = slices.Delete(boards, at, at+1) // a board is listed once
		}
		if err != nil {
			list.Refused = append(list.Refused, roster.Fault{Said: sentence.New("line %d: %v", row.Line, err)})
		}
	}
	return list, nil
}

// heads are the titles of the column of boards and of that of results, folded.
var heads = [2][]string{
	{"board", "bd.", "table", "no.", "brett", "tisch", "nr.", "plateau", "echiquier", "n°"},
	{"result", "res.", "score", "ergebnis", "erg.", "resultat"},
}

// findColumns finds the columns by their names in the first row, and returns the rows below. Without names the boards
// are in the first column and the results in the last.
func (l *resultsList) findColumns(rows []sheet.Row) ([]sheet.Row, error) {
	first := rows[0].Cells
	if _, err := strconv.Atoi(strings.TrimSpace(first[0])); err == nil && len(first) > 1 {
		l.Columns = [2]int{1, len(first)}
		return rows, nil
	}
	for i, names := range heads {
		l.Columns[i] = 1 + slices.IndexFunc(first, func(cell string) bool {
			return slices.Contains(names, kit.Fold(strings.TrimSpace(cell)))
		})
	}
	if l.Columns[0] == 0 || l.Columns[1] == 0 {
		return nil, tournament.Fault("list", "write a board and its result in each line, such as %q, or call two columns Board "+
			"and Result", "1,1-0")
	}
	return rows[1:], nil
}

// cell returns a cell of a row, by the number of its column from 1.
func cell(row sheet.Row, column int) string {
	if column > len(row.Cells) {
		return ""
	}
	return strings.TrimSpace(row.Cells[column-1])
}

// addResult adds the result of a board. The error is why it is left out.
func (p *Pages) addResult(
	c echo.Context, t *tournament.Tournament, round int, list *resultsList, row resultRow, text string,
) error {
	pair, err := t.Pairing(round, row.Board)
	if err != nil {
		return err
	}
	verdict, err := typedVerdict(t, pair, resultFields(text, row.Duel()))
	if err != nil {
		return err
	}
	if row.Result == verdict.String() {
		list.Same++
		return nil
	}
	if running, err := p.Commands.Playing(c.Request().Context(), pair); err != nil || running {
		return cmp.Or(err, sentence.Errorf("the game at board %d is being played on the server; enter its result at the board",
			row.Board))
	}
	list.Changes = list.Changes || row.Result != ""
	list.Lines = append(list.Lines, listedResult{row, kit.PrettyResult(verdict.String()), verdict})
	return nil
}

// resultSigns turns signs in use for results into those of this service.
var resultSigns = strings.NewReplacer(
	" ", "", "\u00a0", "", "–", "-", "—", "-", "−", "-", ":", "-", "½", "1/2", "0.5", "1/2", "0,5", "1/2", "=", "1/2",
)

// shortResults are results that leave something out.
var shortResults = map[string]string{"1/2": "1/2-1/2", "+-": "+--", "-+": "--+", "--": "---"}

// resultFields returns a result of a list as a form about its board has it: a duel's, or ranks by seat.
func resultFields(text string, duel bool) url.Values {
	if duel {
		text = resultSigns.Replace(text)
		return url.Values{"result": {cmp.Or(shortResults[text], text)}}
	}
	fields := url.Values{}
	for i, rank := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == ';' || r == '/' }) {
		fields.Set("rank"+strconv.Itoa(i+1), rank)
	}
	return fields
}
