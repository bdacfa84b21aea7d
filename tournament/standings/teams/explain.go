package teams

import (
	"fmt"
	"slices"
	"strings"

	"quatuor/tournament"
	"quatuor/tournament/standings/ties"
	"quatuor/tournament/team"
)

// Account explains how a value of a tie-break came about.
type Account struct {
	Code   string
	Number int
	Text   string // the value as printed
	Terms  []Term // in the order of the rounds; nil for a value that is no sum
	Tied   []int  // numbers of all teams that the value compares, itself included; nil for values of a team alone
	Note   string // how the value follows from the terms, where it is not their sum
}

// Accounts explains the values of a team, with an account for each column. Errors wrap tournament.ErrNotFound for a
// team that is unknown or not ranked, and are otherwise those of [Rank].
func Accounts(f Field, number int) ([]Account, error) {
	columns, err := parseAll(f)
	if err != nil {
		return nil, err
	}
	b := openBook(f)
	group := b.groupOf(b.byPrimary(), number)
	if group == nil {
		return nil, tournament.Refuse(tournament.ErrNotFound, "a ranked team with the number %d", number)
	}
	out := make([]Account, len(columns))
	for i, column := range columns {
		out[i] = b.account(column, group, number)
		group = b.groupOf(b.refine([][]int{group}, column, func(int, string) {}), number)
	}
	return out, nil
}

// groupOf returns the group of a number, nil if it is in none.
func (b *book) groupOf(groups [][]int, number int) []int {
	for _, group := range groups {
		if slices.ContainsFunc(group, func(page int) bool { return b.pages[page].Number == number }) {
			return group
		}
	}
	return nil
}

// account explains the value of a team in a tied group.
func (b *book) account(t tieBreak, group []int, number int) Account {
	at := slices.IndexFunc(group, func(page int) bool { return b.pages[page].Number == number })
	v := t.values(b, group)[at]
	a := Account{Code: t.code, Number: number, Text: v.text, Terms: v.terms}
	if t.among != nil {
		for _, page := range group {
			a.Tied = append(a.Tied, b.pages[page].Number)
		}
		slices.Sort(a.Tied)
		a.Note = b.amongTied(t, group, group[at])
	}
	if t.Code == "SSSC" {
		k := t.factor
		if k == 0 {
			k = b.strengthFactor()
		}
		a.Note = fmt.Sprintf("%s + (%s) / %d", b.pages[group[at]].total.Of(b.Primary.Other()), counted(v.terms), k)
	}
	return a
}

// amongTied describes a team's score against the other teams of a tied group.
func (b *book) amongTied(t tieBreak, group []int, page int) string {
	scores := []team.Score{b.scoreOf(t.modifiers)}
	if t.Article == "13.3" {
		scores = []team.Score{b.Primary, b.Primary.Other()}
	}
	if t.Article != "13.3" && t.Code != "DE" {
		return fmt.Sprintf("%s on the boards", joined(b.onBoards(page)))
	}
	var parts []string
	for _, score := range scores {
		e := b.encounters(group, score)
		place := b.inGroup[page] - 1
		parts = append(parts, fmt.Sprintf("%s %s from %d of %d matches", decimal(e.Score[place], 10*ties.Fraction), score,
			e.Met[place], len(group)-1))
	}
	return strings.Join(parts, ", ")
}

// counted returns the terms that count, as a sum.
func counted(terms []Term) string {
	var texts []string
	for _, t := range terms {
		if t.Cut == Counted {
			texts = append(texts, t.Text)
		}
	}
	return strings.Join(texts, " + ")
}

// String returns the account as a line: "94 = 12 + 10 + …; cut: 4 (round 3, zero-point bye, not played by choice)".
func (a Account) String() string {
	line := a.Text
	switch {
	case a.Note != "" && a.Tied == nil:
		line += " = " + a.Note
	case a.Note != "":
		line += ": " + a.Note
	case counted(a.Terms) != "":
		line += " = " + counted(a.Terms)
	}
	var cut []string
	for _, t := range a.Terms {
		if t.Cut != Counted {
			cut = append(cut, fmt.Sprintf("%s (round %d, %s, %s)", t.Text, t.Round, t.occasion(), t.Cut))
		}
	}
	if cut != nil {
		line += "; cut: " + strings.Join(cut, ", ")
	}
	return line
}

// occasion describes the round of a term.
func (t Term) occasion() string {
	switch t.Kind {
	case team.Allocated:
		return "pairing-allocated bye"
	case team.FullPoint:
		return "full-point bye"
	case team.HalfPoint:
		return "half-point bye"
	case team.ZeroPoint:
		return "zero-point bye"
	case team.ForfeitWin:
		return fmt.Sprintf("forfeit win against %d", t.Opponent)
	case team.ForfeitLoss:
		return fmt.Sprintf("forfeit loss against %d", t.Opponent)
	}
	return fmt.Sprintf("against %d", t.Opponent)
}
