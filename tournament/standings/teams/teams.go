// Package teams ranks the teams of a tournament: the primary score first, then an ordered list of tie-breaks (FIDE
// Handbook C.07, edition of 1 March 2026, articles 6 to 8 and 11 to 16).
//
// Two scores count, match points (MP) and game points (GP); the regulations choose the primary score. A code with :MP
// or :GP uses that score for its opponents, else the primary score. The table of codes is in codes.go, with their
// articles.
//
// The worth of a round for BH and the extended Sonneborn-Berger systems in a Swiss (articles 15 and 16). VUR are the
// voluntarily unplayed rounds:
//
//	round              VUR  for the opponents (16.3)              for the team (16.4): a dummy of its own total, at most
//	match played            the points                            – (the opponent's adjusted total)
//	forfeit win             the points                            the adjusted total of the absent opponent
//	forfeit loss       yes  the points                            the adjusted total of the opponent
//	bye PAB, F              the points                            a drawn match times the rounds
//	bye H, Z           yes  the points; a drawn match if only     a drawn match times the rounds
//	                        VURs follow, or nothing
//
// In a round-robin a forfeited match is a match (15.2), and totals are not adjusted.
//
// A cut (14) takes the value of the weakest opponent or dummy, of several the lowest. Instead it takes the lowest value
// of a VUR if that is not lower (16.5); this is repeated for each cut.
//
// Boards that were forfeited count in BC, TBR and BBE; a pairing-allocated bye counts as a win on each board, and so
// does a match that was won by forfeit without a line-up (article 12).
package teams

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"quatuor/tournament"
	"quatuor/tournament/standings/ties"
	"quatuor/tournament/team"
	"quatuor/tournament/trf"
)

// Field is the input of the standings.
type Field struct {
	Table     bool // a round-robin: pairings known beforehand
	Rounds    int  // planned; 0 if that is not known
	Scoring   team.Scoring
	Primary   team.Score
	TieBreaks []string
	Seed      string // for drawing lots
	Teams     []Team
}

// Team is a team with its rounds, equally many for each.
type Team struct {
	ID       string // for drawing lots
	Number   int
	Name     string
	Bonus    team.Totals // bonuses less penalties
	Annulled bool        // withdrew early from a round-robin: its matches count for none, and it has no rank
	Rounds   []team.Outcome
}

// Row is a team's line.
type Row struct {
	Rank      int // from 1, shared by ties; 0 without a rank
	Shared    int // the last of the ranks that the tied teams take up; Rank itself without a tie
	Number    int
	Name      string
	Totals    team.Totals
	TieBreaks []string // printed values, by column
}

// Rank returns the lines by rank, ties by number, those without a rank last. Errors wrap tournament.ErrInvalid for a
// tie-break that does not exist or does not suit the format.
func Rank(f Field) ([]Row, error) {
	columns, err := parseAll(f)
	if err != nil {
		return nil, err
	}
	b := openBook(f)
	rows := make([]Row, len(b.pages))
	for i, p := range b.pages {
		rows[i] = Row{Number: p.Number, Name: p.Name, Totals: p.total, TieBreaks: make([]string, len(columns))}
	}
	groups := b.byPrimary()
	for i, column := range columns {
		groups = b.refine(groups, column, func(page int, text string) { rows[page].TieBreaks[i] = text })
	}
	out := make([]Row, 0, len(rows))
	for _, group := range groups {
		rank := len(out) + 1
		slices.SortFunc(group, func(x, y int) int { return cmp.Compare(rows[x].Number, rows[y].Number) })
		for _, page := range group {
			rows[page].Rank, rows[page].Shared = rank, rank+len(group)-1
			out = append(out, rows[page])
		}
	}
	for i, p := range b.pages {
		if p.Annulled {
			out = append(out, rows[i])
		}
	}
	return out, nil
}

// book holds a field as standings use it, with a page for each team.
type book struct {
	Field
	pages   []page
	held    int // rounds that count
	lots    []int
	inGroup []int // place of a page in the group at hand, from 1
}

// page is a team with its opponents and totals.
type page struct {
	Team
	opponents []int // by round: index of the page, −1 for none
	total     team.Totals
	adjusted  team.Totals // as its opponents see it (16.3)
}

func openBook(f Field) *book {
	b := &book{Field: f, pages: make([]page, len(f.Teams)), inGroup: make([]int, len(f.Teams))}
	index := make(map[int]int, len(f.Teams))
	for i, t := range f.Teams {
		index[t.Number] = i
		b.held = max(b.held, len(t.Rounds))
	}
	for i, t := range f.Teams {
		b.pages[i] = b.newPage(t, index)
	}
	return b
}

func (b *book) newPage(t Team, index map[int]int) page {
	p := page{Team: t, opponents: make([]int, len(t.Rounds)), total: t.Bonus}
	p.Rounds = slices.Clone(t.Rounds)
	for i := range p.Rounds {
		r := &p.Rounds[i]
		p.opponents[i] = -1
		if at, ok := index[r.Opponent]; ok && r.Kind.Met() {
			p.opponents[i] = at
			if b.Teams[at].Annulled && !t.Annulled {
				*r, p.opponents[i] = team.Outcome{}, -1
			}
		}
		p.total = p.total.Plus(r.Totals)
	}
	p.adjusted = p.total
	if b.Table {
		return p
	}
	for i := len(p.Rounds) - 1; i >= 0 && voluntary(p.Rounds[i].Kind); i-- {
		if r := p.Rounds[i]; !r.Kind.Met() {
			drawn := b.Scoring.Drawn()
			p.adjusted.MP += drawn.MP - r.MP
			p.adjusted.GP += drawn.GP - r.GP
		}
	}
	return p
}

// voluntary reports whether a round is a VUR (16.2).
func voluntary(k team.Kind) bool {
	return k == team.ZeroPoint || k == team.HalfPoint || k == team.ForfeitLoss
}

// counts reports whether a round counts as a match with its opponent: played, in a round-robin also forfeited.
func (b *book) counts(p *page, round int) bool {
	k := p.Rounds[round].Kind
	return p.opponents[round] >= 0 && (k == team.Played || b.Table && k.Met() && k != team.Underway)
}

// byPrimary splits the ranked pages into groups of equal primary scores, best first.
func (b *book) byPrimary() [][]int {
	var all []int
	for i, p := range b.pages {
		if !p.Annulled {
			all = append(all, i)
		}
	}
	return ties.Split(all, func(page int) tournament.Points { return b.pages[page].total.Of(b.Primary) }, cmp.Compare)
}

// refine splits every group by a tie-break.
func (b *book) refine(groups [][]int, column tieBreak, print func(page int, text string)) [][]int {
	var out [][]int
	keys := make([][]int64, len(b.pages))
	for _, group := range groups {
		for i, v := range column.values(b, group) {
			keys[group[i]] = v.key
			print(group[i], v.text)
		}
		out = append(out, ties.Split(group, func(page int) []int64 { return keys[page] }, slices.Compare)...)
	}
	return out
}

// value is a team's value of a tie-break: the greater key, word by word, ranks first.
type value struct {
	key   []int64
	text  string
	terms []Term
}

// decimal prints n/parts with at most two decimals, half up, without zeros at the end.
func decimal(n, parts int64) string {
	if n < 0 {
		return "-" + decimal(-n, parts)
	}
	hundredths := (200*n + parts) / (2 * parts)
	text := fmt.Sprintf("%d.%02d", hundredths/100, hundredths%100)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

func tenths(n int64) string     { return decimal(n, 10) }
func hundredths(n int64) string { return decimal(n, 100) }

// FieldOfReport returns the field of a report of teams: after all rounds that are over or under way.
func FieldOfReport(r *trf.TeamReport) Field {
	f := Field{Table: r.Table(), Rounds: r.Rounds, Scoring: r.Scoring(), Primary: r.Primary()}
	unranked := 0
	for i, outcomes := range r.Outcomes() {
		line := r.Teams[i]
		if line.Rank == "" {
			unranked++
		}
		f.Teams = append(f.Teams, Team{
			ID: fmt.Sprint(line.Number), Number: line.Number, Name: line.Name,
			Bonus: r.BonusOf(line.Number, trf.EveryRound), Rounds: outcomes,
		})
	}
	if f.Table && unranked < len(f.Teams) {
		for i := range f.Teams {
			f.Teams[i].Annulled = r.Teams[i].Rank == "" && 2*played(f.Teams[i]) < r.Format().Cycles()*(len(f.Teams)-1)
		}
	}
	return f
}

// played returns the number of matches that a team played.
func played(t Team) (n int) {
	for _, o := range t.Rounds {
		if o.Kind == team.Played {
			n++
		}
	}
	return n
}
