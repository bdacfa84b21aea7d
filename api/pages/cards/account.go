package cards

import (
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/api/pages/results"
	"quatuor/tournament"
	"quatuor/tournament/standings"
)

// accountBody is the page of an entry's tie-breaks.
type accountBody struct {
	*tournament.Tournament
	Entry    tournament.Entry
	Round    int
	AsOf     results.AsOf
	Latest   bool // the round is the latest published round
	Points   tournament.Points
	Accounts []accountColumn
}

// accountColumn is the calculation of a value.
type accountColumn struct {
	*standings.Account
	Title string // meaning of the code
	Tied  []string
	Lines []accountLine
	Worth bool // some line has the opponent's worth
}

// accountLine is the contribution of a round.
type accountLine struct {
	standings.Term
	Against string // names
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
	t, _, err := p.VisibleTournament(c)
	if err != nil {
		return err
	}
	round, err := kit.RoundParam(c)
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
	body := accountBody{Tournament: t, Round: after, AsOf: results.AsOfRound(t, after), Latest: after == t.PublishedRounds()}
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
	column := accountColumn{Account: account, Title: results.TieBreakTitle(in, t.Format, account.Code)}
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
		if len(term.Others) > 1 {
			line.Against = names(entries, term.Others)
		}
		if !account.Scores {
			line.Strength = int64(line.Scored) // nothing was adjusted
		}
		column.Worth = column.Worth || term.Worth != ""
		column.Lines = append(column.Lines, line)
	}
	return column
}

// names returns the names of numbers.
func names(entries []tournament.Entry, numbers []int) string {
	list := make([]string, len(numbers))
	for i, n := range numbers {
		list[i] = entries[n-1].Name
	}
	return strings.Join(list, ", ")
}

// Sum adds the column up: "38.5 = 4.5 + 5.0 + …". Cut values are only in the lines.
func (c accountColumn) Sum() string {
	line, _, _ := strings.Cut(c.Account.String(), "; cut: ")
	return strings.Replace(line, " from ", " ← ", 1)
}
