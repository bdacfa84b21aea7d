// Package standings ranks the entries of a tournament: points first, then an ordered list of tie-breaks (FIDE Handbook
// C.07, edition of 1 March 2026).
//
// Within the group of those who are tied so far, each code orders the group; who is still tied goes on to the next
// code (article 4.2). When the list is exhausted the rest share a rank, unless the list ends with lots.
//
//	code  article  value                                                       printed
//	DE    6        games among the tied, repeated meetings averaged            place in the group, 0 if nothing was decided
//	WIN   7.1      rounds that brought a win's points, played or not           3
//	WON   7.2      games won at the board                                      3
//	BPG   7.3      games played with the second colour                         3
//	BWG   7.4      games won with the second colour                            3
//	PS    7.5      sum of the running totals                                   12.5
//	SB    9.1      sum of (opponent's score × points against them)             9.25
//	KS    9.2      points against those with half of the possible points       1.5
//	LOT   4.2      a lot drawn from the tournament's seed                      place in the drawing
//
// Unplayed rounds in a round-robin (article 15.2): forfeits are the only ones, and count as regular games in DE, SB, KS
// and PS; 7.2, 7.3 and 7.4 name games at the board, so a forfeit is none there, won or lost. The free round of an odd
// field is no round of that entry: no points, no opponent, and not among those it could have scored in. Games of who
// withdrew with fewer than half of the games played count for nobody, and that entry has no rank (C.05, Annex).
// Elsewhere DE leaves forfeits out (6.1.1); SB there needs the adjustments of article 16 and is not offered yet.
//
// Points are what was really scored; virtual points of accelerated pairings never count.
package standings

import (
	"cmp"
	"slices"

	"quatuor/tournament"
)

// Standings is a table of ranks.
type Standings struct {
	Round   int      // after this round
	Columns []string // tie-break codes in order of importance
	Rows    []Row    // by rank, ties by number; those without a rank last
}

// Row is one entry's line.
type Row struct {
	Rank      int // from 1, shared by ties; 0 for who withdrew too early to be ranked
	Entry     tournament.Entry
	Points    tournament.Points
	TieBreaks []string // printed values, one a column
}

// After ranks the entries as they stood after the given round, 0 meaning the last one published. Errors wrap
// tournament.ErrNotFound for a round that is not there, ErrInvalid for a tie-break that does not exist.
func After(t *tournament.Tournament, round int) (*Standings, error) {
	round, err := resolve(t, round)
	if err != nil {
		return nil, err
	}
	b := openBook(t, round)
	rows := make([]Row, len(b.pages))
	for i, p := range b.pages {
		rows[i] = Row{Entry: p.entry, Points: p.score, TieBreaks: make([]string, len(t.TieBreaks))}
	}
	groups := b.byPoints()
	for column, code := range t.TieBreaks {
		breaker, err := find(t.Format, code)
		if err != nil {
			return nil, err
		}
		groups = b.refine(groups, breaker, func(page int, text string) { rows[page].TieBreaks[column] = text })
	}
	return &Standings{Round: round, Columns: slices.Clone(t.TieBreaks), Rows: b.ranked(rows, groups)}, nil
}

func resolve(t *tournament.Tournament, round int) (int, error) {
	last := t.PublishedRounds()
	switch {
	case round == 0:
		return last, nil
	case round < 0 || round > last:
		return 0, tournament.Refuse(tournament.ErrNotFound, "standings after round %d; %d rounds have been published", round, last)
	}
	return round, nil
}

// byPoints splits the ranked pages into groups of equal points, best first.
func (b *book) byPoints() [][]int {
	var all []int
	for i, p := range b.pages {
		if !p.annulled {
			all = append(all, i)
		}
	}
	return split(all, func(page int) int64 { return int64(b.pages[page].score) })
}

// refine splits every group by one tie-break.
func (b *book) refine(groups [][]int, breaker breaker, print func(page int, text string)) [][]int {
	var out [][]int
	for _, group := range groups {
		values := breaker(b, group)
		key := make(map[int]int64, len(group))
		for i, page := range group {
			key[page] = values[i].key
			print(page, values[i].text)
		}
		out = append(out, split(group, func(page int) int64 { return key[page] })...)
	}
	return out
}

// split sorts a group by key, highest first, and cuts it where the key changes.
func split(group []int, key func(int) int64) [][]int {
	sorted := slices.Clone(group)
	slices.SortStableFunc(sorted, func(a, b int) int { return cmp.Compare(key(b), key(a)) })
	var out [][]int
	for i, page := range sorted {
		if i == 0 || key(page) != key(sorted[i-1]) {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], page)
	}
	return out
}

// ranked puts the rows in order and gives them their ranks.
func (b *book) ranked(rows []Row, groups [][]int) []Row {
	out := make([]Row, 0, len(rows))
	for _, group := range groups {
		rank := len(out) + 1
		for _, page := range group {
			rows[page].Rank = rank
			out = append(out, rows[page])
		}
	}
	for i, p := range b.pages {
		if p.annulled {
			out = append(out, rows[i])
		}
	}
	return out
}
