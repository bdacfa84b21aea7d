package standings

import (
	"fmt"
	"slices"
	"strings"

	"quatuor/tournament"
)

// Account explains how a value of a tie-break came about.
type Account struct {
	Code   string
	Entry  tournament.Entry
	Text   string // the value as printed
	Terms  []Term // in the order of the rounds; nil for a value that is no sum
	Mean   bool   // the value is the mean of the terms that count, not their sum
	Scores bool   // the opponents are as strong as their scores, adjusted or not
	Tied   []int  // numbers of all entries that the value compares, itself included; nil for values of an entry alone
	sum    bool
}

// Term is a contribution to a tie-break.
type Term struct {
	Round    int // 0 for the own value of a Keizer season
	Opponent int // number of the entry that was met or should have been; 0 for byes
	Kind     tournament.Kind
	Bye      tournament.Bye
	Points   tournament.Points // points of the round
	Dummy    bool              // the strength is not the opponent's but that of a dummy (16.4)
	Strength int64             // worth of the opponent or dummy: in tenths of a point, or a rating
	Worth    string            // the same as printed; "" where the strength of the opponent does not count
	Scored   tournament.Points // the real score of the opponent
	Text     string            // the contribution as printed
	Cut      Cut
	Own      bool  // no round, but the own value
	Others   []int // numbers of several opponents, in a Keizer season
}

// Accounts explains the values of an entry, with an account for each column of the standings. Errors wrap
// tournament.ErrNotFound for an entry that is unknown or not ranked, and are otherwise those of [Rank].
func Accounts(f Field, number int) ([]*Account, error) {
	if f.Teams != nil {
		return accountsOfTeams(f, number)
	}
	if f.Arena != nil {
		return []*Account{}, nil
	}
	columns, err := parseAll(f.Format, f.TieBreaks)
	if err != nil {
		return nil, err
	}
	b, err := bookOf(f)
	if err != nil {
		return nil, err
	}
	group := b.groupOf(b.byPoints(), number)
	if group == nil {
		return nil, tournament.Refuse(tournament.ErrNotFound, "a ranked entry with the number %d", number)
	}
	accounts := make([]*Account, len(columns))
	for i, column := range columns {
		accounts[i] = b.account(column, group, b.placeIn(group, number))
		group = b.groupOf(b.refine([][]int{group}, column, func(int, string) {}), number)
	}
	return accounts, nil
}

// groupOf returns the group of a number, nil if it is in none.
func (b *book) groupOf(groups [][]int, number int) []int {
	for _, group := range groups {
		if b.placeIn(group, number) >= 0 {
			return group
		}
	}
	return nil
}

func (b *book) placeIn(group []int, number int) int {
	return slices.IndexFunc(group, func(page int) bool { return b.pages[page].entry.Number == number })
}

// account explains the value of a member of a group of tied pages.
func (b *book) account(t tieBreak, group []int, member int) *Account {
	a := &Account{Code: t.code, Entry: b.pages[group[member]].entry, Mean: t.mean, Scores: t.scores}
	if t.among != nil {
		a.Text = b.compute(t, group)[member].text
		b.among(group, member, t.modifiers)
		for _, page := range group {
			a.Tied = append(a.Tied, b.pages[page].entry.Number)
		}
	} else {
		a.Text = b.compute(t, group[member:member+1])[0].text
	}
	for _, x := range b.terms {
		a.Terms = append(a.Terms, b.publish(x, group[member], t))
	}
	a.sum = !a.Mean && !t.derived && len(a.Terms) > 0
	return a
}

// publish returns a page's term with all its details.
func (b *book) publish(x term, page int, t tieBreak) Term {
	if x.round < 0 {
		return Term{Own: true, Text: x.text, Worth: t.worth(x.strength)}
	}
	r := &b.pages[page].rounds[x.round]
	out := Term{
		Round: int(x.round) + 1, Kind: r.kind, Bye: r.bye, Points: x.points, Dummy: x.dummy, Strength: x.strength,
		Text: x.text, Cut: x.cut,
	}
	if b.season != nil && len(r.opponents) > 1 {
		for _, other := range r.opponents {
			out.Others = append(out.Others, b.pages[other].entry.Number)
		}
	}
	if x.text == "" {
		out.Text = t.print(x.value)
	}
	if t.worth != nil {
		out.Worth = t.worth(x.strength)
	}
	if x.opponent >= 0 {
		out.Opponent, out.Scored = b.pages[x.opponent].entry.Number, b.pages[x.opponent].score
	}
	return out
}

// among records the games of a member of a group against the others.
func (b *book) among(group []int, member int, m modifiers) {
	b.terms = b.terms[:0]
	b.encounters(group, m) // marks the group
	b.record(group[member], func(_ int, r *round, t *term) bool {
		t.value = int64(r.points)
		return b.encountered(r, m) && b.inGroup[r.opponent] > 0
	})
}

// String returns the account as a line: "38.5 = 4.5 + 5.0 + …; cut: 2.0 (round 3, half-point bye)".
func (a *Account) String() string {
	var counted, cut []string
	for _, t := range a.Terms {
		if t.Cut == Counted {
			counted = append(counted, t.Text)
		} else {
			cut = append(cut, fmt.Sprintf("%s (round %d, %s)", t.Text, t.Round, t.occasion()))
		}
	}
	line := a.Text
	switch {
	case len(counted) == 0:
	case a.Mean:
		line += fmt.Sprintf(" = (%s) / %d", strings.Join(counted, " + "), len(counted))
	case a.sum:
		line += " = " + strings.Join(counted, " + ")
	default:
		line += " from " + strings.Join(counted, ", ")
	}
	if len(cut) > 0 {
		line += "; cut: " + strings.Join(cut, ", ")
	}
	return line
}

var byeWords = map[tournament.Bye]string{
	tournament.PairingAllocated: "pairing-allocated bye", tournament.HalfPoint: "half-point bye",
	tournament.FullPoint: "full-point bye", tournament.ZeroPoint: "zero-point bye",
	tournament.ClubDuty: "match for the club", tournament.NoShow: "absent without notice",
}

// occasion describes the round of a term.
func (t Term) occasion() string {
	switch t.Kind {
	case tournament.Absent:
		return "absent"
	case tournament.Unpaired:
		return byeWords[t.Bye]
	case tournament.ForfeitWin:
		return fmt.Sprintf("forfeit win against %d", t.Opponent)
	case tournament.ForfeitLoss:
		return fmt.Sprintf("forfeit loss against %d", t.Opponent)
	}
	return fmt.Sprintf("against %d", t.Opponent)
}

// AccountsAfter explains the values of the entry with a number after a round, 0 meaning the last published round.
// Errors as in [After], and tournament.ErrNotFound for an entry without a rank.
func AccountsAfter(t *tournament.Tournament, round, number int) (after int, accounts []*Account, err error) {
	if t.Format.Eliminates() {
		return 0, nil, tournament.Refuse(tournament.ErrNotFound, "tie-breaks; in a %s its matches decide", t.Format)
	}
	after, err = resolve(t, round)
	if err != nil {
		return 0, nil, err
	}
	accounts, err = Accounts(FieldOf(t, after), number)
	return after, accounts, err
}
