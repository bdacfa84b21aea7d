package tournaments

import (
	"html/template"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/tournament"
	"quatuor/tournament/standings"
)

// accountBody is the page of an entry's tie-breaks.
type accountBody struct {
	*tournament.Tournament
	Entry    tournament.Entry
	Round    int
	AsOf     AsOf
	Latest   bool // the round is the latest one published
	Points   tournament.Points
	Accounts []accountColumn
}

// accountColumn is how one value came about.
type accountColumn struct {
	*standings.Account
	Title string // meaning of the code
	Tied  []string
	Lines []accountLine
	Worth bool // some line has the opponent's worth
}

// accountLine is what one round contributes.
type accountLine struct {
	standings.Term
	Against string // name
}

// cutReasons name the texts of why a line does not count.
var cutReasons = map[standings.Cut]string{
	standings.CutLowest: "account.cut_lowest", standings.CutVoluntary: "account.cut_voluntary",
	standings.CutHighest: "account.cut_highest",
	standings.CutEarly:   "account.cut_early", standings.BelowLimit: "account.cut_limit",
}

// Reason names the text of why the line does not count, "" if it does.
func (l accountLine) Reason() string { return cutReasons[l.Cut] }

// Adjusted reports whether the opponent counts for something else than its score, in the tie-breaks that look at
// scores.
func (l accountLine) Adjusted() bool {
	return l.Opponent > 0 && !l.Dummy && l.Worth != "" && l.Strength != int64(l.Scored)
}

// Unplayed reports whether the round brought no game at the board.
func (l accountLine) Unplayed() bool {
	return l.Kind != tournament.Played && l.Kind != tournament.Pending
}

// ByForfeit reports whether the round was won or lost without a game.
func (l accountLine) ByForfeit() bool {
	return l.Kind == tournament.ForfeitWin || l.Kind == tournament.ForfeitLoss
}

func (p *Pages) account(c echo.Context) error {
	t, _, err := p.known(c)
	if err != nil {
		return err
	}
	round, err := RoundParam(c)
	if err != nil {
		return err
	}
	number, err := strconv.Atoi(c.Param("number"))
	if err != nil || number < 1 || t.PublishedRounds() == 0 {
		return kit.ErrMissing
	}
	after, accounts, err := standings.AccountsAfter(t, round, number)
	if err != nil {
		return err
	}
	body := accountBody{Tournament: t, Round: after, AsOf: AsOfRound(t, after), Latest: after == t.PublishedRounds()}
	entries := t.Numbered()
	body.Entry = entries[number-1]
	for _, card := range t.Cards(after)[number-1].Cells {
		body.Points += card.Points
	}
	for _, account := range accounts {
		body.Accounts = append(body.Accounts, columnOf(t, account, entries, p.Reader(c)))
	}
	return p.Show(c, "account", "tournaments", body)
}

func columnOf(
	t *tournament.Tournament, account *standings.Account, entries []tournament.Entry, in *message.Printer,
) accountColumn {
	column := accountColumn{Account: account, Title: tieBreakTitle(in, t.Format, account.Code)}
	if len(account.Tied) > 1 {
		for _, n := range account.Tied {
			column.Tied = append(column.Tied, entries[n-1].Name)
		}
	}
	for _, term := range account.Terms {
		line := accountLine{Term: term}
		if term.Opponent > 0 {
			line.Against = entries[term.Opponent-1].Name
		}
		if !account.Scores {
			line.Strength = int64(line.Scored) // nothing was adjusted
		}
		column.Worth = column.Worth || term.Worth != ""
		column.Lines = append(column.Lines, line)
	}
	return column
}

// Sum adds the column up: "38.5 = 4.5 + 5.0 + …". Cut values are only in the lines.
func (c accountColumn) Sum() string {
	line, _, _ := strings.Cut(c.Account.String(), "; cut: ")
	return strings.Replace(line, " from ", " ← ", 1)
}

// Heading is the heading of a column of tie-breaks.
type Heading struct{ Code, Title string }

// Headings returns the headings of the standings' tie-breaks.
func (b TournamentBody) Headings() []Heading {
	if b.Knockout() {
		return nil
	}
	out := make([]Heading, len(b.TieBreaks))
	for i, code := range b.TieBreaks {
		out[i] = Heading{code, tieBreakTitle(b.In, b.Format, code)}
	}
	return out
}

// Values returns the cells of a row with its tie-breaks, each a link to how it came about. They are built without a
// template because a large table has thousands; every part is known to need no escaping.
func (b TournamentBody) Values(row standings.Row, sign string) template.HTML {
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
		cells = append(cells, before...)
		if row.Rank > 0 {
			cells = append(strconv.AppendInt(cells, int64(i+1), 10), `">`...)
		}
		cells = append(cells, template.HTMLEscapeString(strings.ReplaceAll(text, ".", sign))...)
		cells = append(cells, after...)
	}
	return template.HTML(cells)
}
