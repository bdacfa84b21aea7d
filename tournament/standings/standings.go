// Package standings ranks the entries of a tournament: points first, then an ordered list of tie-breaks (FIDE Handbook
// C.07, edition of 1 March 2026).
//
// Within the group of those who are tied so far, each code orders the group; who is still tied goes on to the next
// code (article 4.2). When the list is exhausted the rest share a rank, unless the list ends with lots.
//
//	code  article  value                                                        printed
//	DE    6        games among the tied, repeated meetings averaged             place in the group, 0 if nothing was decided
//	WIN   7.1      rounds that brought a win's points, played or not            3
//	WON   7.2      games won at the board                                       3
//	BPG   7.3      games played with the second colour                          3
//	BWG   7.4      games won with the second colour                             3
//	PS    7.5      sum of the running totals                                    12.5
//	REP   7.6      rounds less half- and zero-point byes and forfeit losses     8
//	STD   7.7      1 a round scored higher than the opponent, ½ for the same    5.5
//	TPN   7.8      pairing number, the lowest first                             12
//	BH    8.1      sum of the opponents' adjusted scores                        38.5
//	AOB   8.2      mean BH of the opponents met at the board                    34.56
//	FB    8.3      BH with the last round's games as draws                      38.0
//	SB    9.1      sum of (opponent's adjusted score × points against them)     23.50
//	KS    9.2      points against those with half of the possible points        1.5
//	ARO   10.1     mean rating of the opponents met at the board, .5 up         2503
//	TPR   10.2     ARO + dp(share of the points)                                2598
//	PTP   10.3     the lowest rating that makes the points to be expected       2596
//	APRO  10.4     mean TPR of the opponents met at the board, .5 up            2544
//	APPO  10.5     mean PTP of the opponents met at the board, .5 up            2551
//	RTNG  10.6     the entry's own rating                                       2625
//	LOT   4.2      a lot drawn from the tournament's seed                       place in the drawing
//
// Modifiers follow the code after a slash (article 14). Cn (n being 1 or 2) cuts the n least significant values, or
// the first n rounds of PS; Mn cuts the n most significant, too. L+n and L-n move the limit of KS by n draws, Ln sets
// it to n per cent. P takes forfeits for games, F the last round's games for draws.
//
// Sums of nothing are printed as "0", what cannot be computed as [Undefined]; that ranks last.
//
// What a round is worth to a Swiss tournament's BH, FB and SB (article 16). VUR are the voluntarily unplayed rounds:
//
//	round                     VUR  to the opponents (16.3)             to oneself (16.4): a dummy with one's own score, at most
//	game                           the points                          – (the opponent's adjusted score)
//	forfeit win                    the points                          the adjusted score of who should have come
//	forfeit loss              yes  the points                          the adjusted score of who was there
//	bye PAB, FPB                   the points                          a draw times the rounds
//	bye HPB, ZPB, absent      yes  the points; a draw if only          a draw times the rounds
//	                               VURs follow, or nothing
//	no result yet                  –                                   –
//
// A cut (14.1) takes the value of the weakest opponent or dummy, of several the lowest. Instead it takes that of the
// weakest among one's VURs if it is not lower (16.5); this is repeated for each cut. Cuts at the top know no such rule.
// FB takes everybody who is paired in the tournament's last round to have drawn there, forfeits and open games
// included, so that this round is unplayed to nobody else than those with byes.
//
// Rating tie-breaks look at games at the board alone. Whatever wins and draws are worth in the tournament, they are 1
// and ½ to TPR and PTP, and PD has no limit at 400. If somebody has no rating, they are undefined for all; RTNG only
// for them. KS takes forfeits for games against who should have come, everywhere.
//
// Round-robins (article 15.2): forfeits are the only unplayed rounds there and count as regular games in DE, SB, KS,
// PS and STD, and as wins in WIN; WON, BPG and BWG name games at the board, so a forfeit is none there, won or lost.
// The free round of an odd field is no round of that entry: no points, no opponent, and not among those it could have
// scored in. Games of who withdrew with fewer than half of the games played count for nobody, and that entry has no
// rank (C.05, Annex). Buchholz in its forms is refused. DE leaves forfeits out elsewhere (6.1.1).
//
// In a knock-out the bracket gives the ranks (see Bracket.Ranks of package knockout), whatever points a round brought, and there
// are no tie-breaks: who lost in the same round shares the ranks.
//
// At tables of more than two, WIN counts first places, 2ND and 3RD those below; BH adds, round by round, the mean
// points of those at the table.
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
	Shared    int // the last of the ranks that those tied take up; Rank itself if nobody else has it
	Out       int // the round of a knock-out in which the entry lost, 0 if it has not
	Entry     tournament.Entry
	Points    tournament.Points
	TieBreaks []string // printed values, one a column
}

// Field is what standings are computed from.
type Field struct {
	Format    tournament.Format
	Points    tournament.PointSystem
	Rounds    int    // planned; 0 if that is not known
	Seed      string // for drawing lots
	TieBreaks []string
	Cards     []tournament.Card // those who take part, with the rounds that count, as many for each
	Annulled  map[int]bool      // numbers of those whose games do not count
	Third     bool              // the losers of the semi-finals of a knock-out play for the third place
}

// FieldOf returns the field of a tournament as it stood after the given round.
func FieldOf(t *tournament.Tournament, round int) Field {
	return Field{
		Format: t.Format, Points: t.Points, Rounds: t.RoundCount, Seed: t.LotSeed, TieBreaks: t.TieBreaks,
		Cards: t.Cards(round), Annulled: t.Annulled(round),
		Third: t.Rules.Match.ThirdPlace,
	}
}

// After ranks the entries as they stood after the given round, 0 meaning the last one published. Errors wrap
// tournament.ErrNotFound for a round that is not there, ErrInvalid for a tie-break that does not exist.
func After(t *tournament.Tournament, round int) (*Standings, error) {
	round, err := resolve(t, round)
	if err != nil {
		return nil, err
	}
	return Rank(FieldOf(t, round))
}

// Rank ranks a field. Errors wrap ErrInvalid for a tie-break that does not exist or does not suit the format.
func Rank(f Field) (*Standings, error) {
	if f.Format == tournament.Knockout {
		return rankKnockout(f), nil
	}
	columns, err := parseAll(f.Format, f.TieBreaks)
	if err != nil {
		return nil, err
	}
	b := openBook(f)
	rows := make([]Row, len(b.pages))
	texts := make([]string, len(b.pages)*len(columns))
	for i, p := range b.pages {
		rows[i] = Row{Entry: p.entry, Points: p.score, TieBreaks: texts[i*len(columns) : (i+1)*len(columns) : (i+1)*len(columns)]}
	}
	groups := b.byPoints()
	for i, column := range columns {
		groups = b.refine(groups, column, func(page int, text string) { rows[page].TieBreaks[i] = text })
	}
	return &Standings{Round: b.rounds, Columns: slices.Clone(f.TieBreaks), Rows: b.ranked(rows, groups)}, nil
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
func (b *book) refine(groups [][]int, column tieBreak, print func(page int, text string)) [][]int {
	out := make([][]int, 0, len(groups))
	key := make([]int64, len(b.pages))
	for _, group := range groups {
		for i, v := range b.compute(column, group) {
			key[group[i]] = v.key
			print(group[i], v.text)
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
	start := 0
	for i := 1; i <= len(sorted); i++ {
		if i == len(sorted) || key(sorted[i]) != key(sorted[start]) {
			out = append(out, sorted[start:i:i])
			start = i
		}
	}
	return out
}

// ranked puts the rows in order and gives them their ranks.
func (b *book) ranked(rows []Row, groups [][]int) []Row {
	out := make([]Row, 0, len(rows))
	for _, group := range groups {
		rank := len(out) + 1
		for _, page := range group {
			rows[page].Rank, rows[page].Shared = rank, rank+len(group)-1
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
