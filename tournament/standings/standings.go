// Package standings ranks the entries of a tournament: points first, then an ordered list of tie-breaks (FIDE Handbook
// C.07, edition of 1 March 2026).
//
// Each code orders every group of entries that are tied so far; those still tied go on to the next code (article
// 4.2). When the list is exhausted the rest share a rank, unless the list ends with lots. The table of codes is
// in table.go, with their articles.
//
// Modifiers follow the code after a slash (article 14). Cn (n being 1 or 2) cuts the n least significant values,
// or the first n rounds of PS; Mn cuts the n most significant, too. L+n and L-n move the limit of KS by n draws,
// Ln sets it to n per cent. P counts forfeits as games, F the last round's games as draws.
//
// Empty sums are printed as "0", values that cannot be computed as [Undefined], which ranks last.
//
// The worth of a round for a Swiss tournament's BH, FB and SB (article 16). VUR are the voluntarily unplayed
// rounds:
//
//	round                     VUR  for the opponents (16.3)            for the entry (16.4): a dummy with its own score, at most
//	game                           the points                          – (the opponent's adjusted score)
//	forfeit win                    the points                          the adjusted score of the absent opponent
//	forfeit loss              yes  the points                          the adjusted score of the opponent
//	bye PAB, FPB                   the points                          a draw times the rounds
//	bye HPB, ZPB, absent      yes  the points; a draw if only          a draw times the rounds
//	                               VURs follow, or nothing
//	no result yet                  –                                   –
//
// A cut (14.1) takes the value of the weakest opponent or dummy, of several the lowest. Instead it takes that of the
// weakest among the entry's VURs if it is not lower (16.5); this is repeated for each cut. Cuts at the top do not
// follow this rule. FB counts all entries that are paired in the tournament's last round as having drawn there,
// forfeits and open games included, so that only entries with byes have not played this round.
//
// Rating tie-breaks use games at the board alone. Whatever wins and draws are worth in the tournament, they are 1 and
// ½ for TPR and PTP, and PD has no limit at 400. If any entry has no rating, they are undefined for all, except RTNG,
// which is undefined only for that entry. KS counts forfeits as games against the absent opponent, in all formats.
//
// Round-robins (article 15.2): forfeits are the only unplayed rounds there and count as regular games in DE, SB, KS, PS
// and STD, and as wins in WIN; WON, BPG and BWG are about games at the board, so a forfeit does not count there, won or
// lost. The free round of an odd field is no round of that entry: no points, no opponent, and no chance to score. If an
// entry withdrew with fewer than half of its games played, its games do not count for anyone, and it has no rank (C.05,
// Annex). Buchholz in its forms is refused. DE leaves forfeits out in other formats (6.1.1).
//
// In a knock-out the bracket decides the ranks (see Bracket.Ranks of package knockout), whatever points a round
// brought, without tie-breaks: entries that lost in the same round share the ranks.
//
// At tables of more than two, WIN counts first places, 2ND and 3RD the places below; BH is the sum, round by round, of
// the mean points of the others at the table, absent players left out. TSH is the sum of the own points over those
// given at the table; a round without a table counts as its points over the total of a table of the preferred size.
// SEAT is the mean number of the own seat, the greater first. Where partners change, WIN counts the rounds that the own
// side won.
//
// An arena is ranked by package arena, without tie-breaks; points are those of games, doubled and with berserk.
//
// A Keizer season is ranked by package keizer, whatever the tie-breaks: KZR shows the totals and VAL the values. Points
// are those of games there.
//
// Points are those really scored; virtual points of accelerated pairings never count.
package standings

import (
	"cmp"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/arena"
	"quatuor/tournament/standings/teams"
	"quatuor/tournament/standings/ties"
)

// Standings is a table of ranks.
type Standings struct {
	Round   int      // after this round
	Columns []string // tie-break codes in order of importance
	Rows    []Row    // by rank, ties by number; those without a rank last
}

// Row is an entry's line.
type Row struct {
	Rank      int // from 1, shared by ties; 0 for an entry that withdrew too early to be ranked
	Shared    int // the last of the ranks that the tied entries take up; Rank itself without a tie
	Out       int // the round of the entry's defeat in a knock-out, 0 for none
	Entry     tournament.Entry
	Points    tournament.Points
	Total     string                 // of a Keizer season, as printed; "" in other formats
	Team      *tournament.TeamTotals // match and game points of a team; nil in other formats
	TieBreaks []string               // printed values, by column
	Arena     *arena.Standing        // points of each game of an arena; nil in other formats
}

// Field is the input of standings.
type Field struct {
	Format    tournament.Format
	Points    tournament.PointSystem
	Rounds    int    // planned; 0 if that is not known
	Seed      string // for drawing lots
	TieBreaks []string
	Cards     []tournament.Card // the entries that take part, with the rounds that count, equally many for each
	Annulled  map[int]bool      // numbers of the entries with annulled games
	Third     bool              // the losers of the semi-finals of a knock-out play for the third place
	Legs      int               // of a knock-out: matches between two opponents
	Tables    tournament.TableRules
	Keizer    tournament.KeizerRules
	Teams     *teams.Field // of a tournament of teams; of the rest only the cards are read then, and what a knock-out needs
	Arena     *arena.Arena // of an arena; of the rest only the cards are read then
}

// FieldOf returns the field of a tournament as it was after the given round.
func FieldOf(t *tournament.Tournament, round int) Field {
	if t.Teams != nil {
		f := teams.FieldOf(t, round)
		return Field{
			Format: t.Format, Rounds: t.RoundCount, TieBreaks: t.TieBreaks, Cards: t.Cards(round), Teams: &f,
			Third: t.Rules.Match.ThirdPlace, Legs: t.Legs(),
		}
	}
	if t.Format.Traits().Ranking == tournament.ByStreak {
		a := arena.Of(t)
		return Field{Format: t.Format, TieBreaks: t.TieBreaks, Cards: t.Cards(round), Arena: &a}
	}
	return Field{
		Format: t.Format, Points: t.Points, Rounds: t.RoundCount, Seed: t.LotSeed, TieBreaks: t.TieBreaks,
		Cards: t.Cards(round), Annulled: t.Annulled(round),
		Third: t.Rules.Match.ThirdPlace, Legs: t.Legs(), Tables: t.Rules.Tables, Keizer: t.Rules.Keizer,
	}
}

// After returns the standings after the given round, 0 meaning the last published round. Errors wrap
// tournament.ErrNotFound for a round that does not exist, ErrInvalid for a tie-break that does not exist.
func After(t *tournament.Tournament, round int) (*Standings, error) {
	round, err := resolve(t, round)
	if err != nil {
		return nil, err
	}
	return Rank(FieldOf(t, round))
}

// Rank returns the standings of a field. Errors wrap ErrInvalid for a tie-break that does not exist or does not
// suit the format.
func Rank(f Field) (*Standings, error) {
	if f.Format.Eliminates() {
		return rankKnockout(f)
	}
	if f.Arena != nil {
		return rankArena(f)
	}
	if f.Teams != nil {
		return rankTeams(f)
	}
	columns, err := parseAll(f.Format, f.TieBreaks)
	if err != nil {
		return nil, err
	}
	b, err := bookOf(f)
	if err != nil {
		return nil, err
	}
	rows := make([]Row, len(b.pages))
	texts := make([]string, len(b.pages)*len(columns))
	for i, p := range b.pages {
		rows[i] = Row{
			Entry: p.entry, Points: p.score, TieBreaks: texts[i*len(columns) : (i+1)*len(columns) : (i+1)*len(columns)],
		}
		if b.season != nil {
			rows[i].Total = b.season[i].Total.String()
		}
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
		return 0, tournament.Refuse(tournament.ErrNotFound, "standings after round %d; %d rounds have been published", round,
			last)
	}
	return round, nil
}

// byPoints splits the ranked pages into groups of equal points, best first; in a Keizer season each is a group.
func (b *book) byPoints() [][]int {
	if b.season != nil {
		return b.bySeason()
	}
	var all []int
	for i, p := range b.pages {
		if !p.annulled {
			all = append(all, i)
		}
	}
	return ties.Split(all, func(page int) tournament.Points { return b.pages[page].score }, cmp.Compare)
}

// refine splits every group by a tie-break.
func (b *book) refine(groups [][]int, column tieBreak, print func(page int, text string)) [][]int {
	out := make([][]int, 0, len(groups))
	key := make([]int64, len(b.pages))
	for _, group := range groups {
		for i, v := range b.compute(column, group) {
			key[group[i]] = v.key
			print(group[i], v.text)
		}
		out = append(out, ties.Split(group, func(page int) int64 { return key[page] }, cmp.Compare)...)
	}
	return out
}

// ranked returns the rows in order, with their ranks.
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
