// Package prizes distributes the prizes of a tournament: by place, in the general ranking and in categories: rating
// bands, ages, clubs.
//
// Within a category its members keep the order of the general ranking; place n has prize n. Tied members share:
//
//	sharing  tied are             each gets
//	equal    equal points         the mean of the prizes of the places they take
//	hort     equal points         half the prize of the own place, and the mean of the other halves
//	rank     a shared rank        the mean of the prizes of the places they take, so the tie-breaks decide
//
// Under hort, members of a shared rank have the mean of their own places' halves. A remainder that cannot be
// divided goes, a unit each, to the first sharers, so that exactly the available sum is distributed.
//
// Unless the rules allow several prizes, each contender gets a single prize: the most valuable, if equal that of the
// category listed first; prizes without money are worth nothing in this comparison. The contender with the most
// valuable prize of all chooses first and leaves the other categories, where the others move up; then the choice goes
// on with the prizes that they have now.
package prizes

import (
	"cmp"
	"slices"
	"strings"

	"quatuor/tournament"
	"quatuor/tournament/standings"
)

// Contender is an entry that may win prizes.
type Contender struct {
	ID     string
	Rank   int // in the general ranking, from 1; 0 wins nothing
	Points tournament.Points
	Rating float64 // 0 if unknown
	Age    int     // in years, as the regulations count them; 0 if unknown
	Club   string
}

// Contenders returns the contenders of the standings; ages are by entry id. Bots win no prizes: those after them move
// up.
func Contenders(s *standings.Standings, ages map[string]int) []Contender {
	out := make([]Contender, 0, len(s.Rows))
	for _, row := range s.Rows {
		if row.Entry.Bot() > 0 {
			continue
		}
		out = append(out, Contender{
			ID: row.Entry.ID, Rank: row.Rank, Points: row.Points, Rating: row.Entry.Rating, Age: ages[row.Entry.ID],
			Club: row.Entry.Club,
		})
	}
	return out
}

// Category is a list of prizes and the conditions for winning them.
type Category = tournament.PrizeCategory

// Admits reports whether a contender belongs to a category. A contender without a rating or a known age belongs to
// no band of them, unless the category takes the unrated.
func Admits(c Category, who Contender) bool {
	band := c.RatingFrom > 0 || c.RatingTo > 0
	switch {
	case band && who.Rating <= 0:
		if !c.Unrated {
			return false
		}
	case c.RatingFrom > 0 && who.Rating < c.RatingFrom || c.RatingTo > 0 && who.Rating > c.RatingTo:
		return false
	}
	if (c.AgeFrom > 0 || c.AgeTo > 0) && who.Age <= 0 || who.Age < c.AgeFrom || c.AgeTo > 0 && who.Age > c.AgeTo {
		return false
	}
	return len(c.Clubs) == 0 || slices.ContainsFunc(c.Clubs, func(club string) bool { return sameClub(club, who.Club) })
}

// sameClub reports whether two names of clubs are equal but for case and blanks around them.
func sameClub(a, b string) bool {
	return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
}

// Sharing is the rule that divides prizes among tied contenders.
type Sharing string

// The ways of sharing.
const (
	Equal  Sharing = "equal"
	Hort   Sharing = "hort"
	ByRank Sharing = "rank"
)

// Rules are the rules for distributing prizes.
type Rules struct {
	Sharing Sharing
	Unit    int64 // amounts are multiples of it; 0 means 1, the smallest coin
	Several bool  // a contender may win in several categories
}

// Award is a prize won.
type Award struct {
	Category string
	ID       string // of the contender
	Place    int    // in the category, shared by ties of the general ranking
	Amount   int64  // in the smallest coin
	Text     string // the part of the prize beside money; that of all places, if a rank is shared
	First    int    // the first of the places with shared prizes
	Sharers  int    // how many were tied, the winner included; they take the places from First on
	Level    int    // number of entries at the rank, the winner included: lots decide among them which text each has
}

// Waiver is a prize that a contender did not get because of a better prize.
type Waiver struct {
	Category string
	ID       string
	Amount   int64
	For      string // the category of the better prize
}

// Distribution is the result of distributing the prizes.
type Distribution struct {
	Awards []Award  // by category in their order, within it by place
	Waived []Waiver // in the order of the choice of the better prizes
}

// Distribute distributes the prizes. Awards of nothing are left out. Errors wrap tournament.ErrInvalid.
func Distribute(contenders []Contender, categories []Category, rules Rules) (Distribution, error) {
	if rules.Unit == 0 {
		rules.Unit = 1
	}
	if err := check(contenders, categories, rules); err != nil {
		return Distribution{}, err
	}
	ranked := slices.DeleteFunc(slices.Clone(contenders), func(c Contender) bool { return c.Rank == 0 })
	slices.SortFunc(ranked, func(a, b Contender) int { return byRank(&a, &b) })
	fields := make([][]*Contender, len(categories))
	for i, category := range categories {
		for n := range ranked {
			if Admits(category, ranked[n]) {
				fields[i] = append(fields[i], &ranked[n])
			}
		}
	}
	awards := awardAll(fields, categories, rules)
	var out Distribution
	for !rules.Several {
		id, kept, found := firstChoice(awards)
		if !found {
			break
		}
		winner := ranked[slices.IndexFunc(ranked, func(c Contender) bool { return c.ID == id })]
		for i := range fields {
			if i == kept {
				continue
			}
			if n := slices.IndexFunc(awards[i], func(a Award) bool { return a.ID == id }); n >= 0 {
				out.Waived = append(out.Waived, Waiver{
					Category: categories[i].Name, ID: id, Amount: awards[i][n].Amount,
					For: categories[kept].Name,
				})
			}
			if n, there := slices.BinarySearchFunc(fields[i], &winner, byRank); there {
				fields[i] = slices.Delete(fields[i], n, n+1)
				awards[i] = award(fields[i], categories[i], rules)
			}
		}
	}
	out.Awards = slices.Concat(awards...)
	return out, nil
}

// byRank is the order of the general ranking.
func byRank(a, b *Contender) int { return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.ID, b.ID)) }

func awardAll(fields [][]*Contender, categories []Category, rules Rules) [][]Award {
	out := make([][]Award, len(categories))
	for i := range categories {
		out[i] = award(fields[i], categories[i], rules)
	}
	return out
}

// firstChoice returns the contender with the greatest award among those with several, and its category.
func firstChoice(awards [][]Award) (id string, category int, found bool) {
	won := make(map[string]int)
	for _, list := range awards {
		for _, a := range list {
			won[a.ID]++
		}
	}
	var best Award
	for i, list := range awards {
		for _, a := range list {
			if won[a.ID] > 1 && (!found || a.Amount > best.Amount) {
				best, category, found = a, i, true
			}
		}
	}
	return best.ID, category, found
}

// maxAmount keeps sums from overflowing.
const maxAmount = 1_000_000_000_000

// Check refuses prizes that cannot be distributed. Errors wrap tournament.ErrInvalid.
func Check(p tournament.Prizes) error {
	if len(p.Categories) == 0 && p.Sharing == "" {
		return nil
	}
	return check(nil, p.Categories, RulesOf(p))
}

// RulesOf returns the rules of the distribution of a tournament's prizes.
func RulesOf(p tournament.Prizes) Rules {
	return Rules{Sharing: Sharing(p.Sharing), Unit: max(p.Unit, 1), Several: p.Several}
}

// RulesFor returns the rules in force in a tournament. In a knock-out, points do not matter: whatever was chosen,
// entries that share a rank share the prizes.
func RulesFor(t *tournament.Tournament) Rules {
	r := RulesOf(t.Prizes)
	if t.Format.Eliminates() && r.Sharing != "" {
		r.Sharing = ByRank
	}
	return r
}

func check(contenders []Contender, categories []Category, rules Rules) error {
	if !slices.Contains([]Sharing{Equal, Hort, ByRank}, rules.Sharing) {
		return tournament.NotValid("%q is not a way to share prizes; use %s, %s or %s", rules.Sharing, Equal, Hort, ByRank)
	}
	if rules.Unit < 0 {
		return tournament.NotValid("prizes cannot be multiples of %d; 1 is the smallest coin", rules.Unit)
	}
	for i, c := range contenders {
		if slices.ContainsFunc(contenders[:i], func(o Contender) bool { return o.ID == c.ID }) {
			return tournament.NotValid("contender %q is listed twice", c.ID)
		}
	}
	for i, c := range categories {
		if c.Name == "" || slices.ContainsFunc(categories[:i], func(o Category) bool { return o.Name == c.Name }) {
			return tournament.NotValid("category %d is called %q; each needs a name of its own", i+1, c.Name)
		}
		if c.RatingTo > 0 && c.RatingFrom > c.RatingTo || c.AgeTo > 0 && c.AgeFrom > c.AgeTo {
			return tournament.NotValid("the limits of %s admit no one: the lower one is above the upper one", c.Name)
		}
		for n, prize := range c.Prizes {
			switch {
			case prize.Amount < 0 || prize.Amount > maxAmount || prize.Amount%rules.Unit != 0:
				return tournament.NotValid("prize %d of %s is %d; it must be a multiple of %d, not negative, and at most %d",
					n+1, c.Name, prize.Amount, rules.Unit, int64(maxAmount))
			case n > 0 && prize.Amount > c.Prizes[n-1].Amount:
				return tournament.NotValid("prize %d of %s is more than the one before it", n+1, c.Name)
			}
		}
	}
	return nil
}
