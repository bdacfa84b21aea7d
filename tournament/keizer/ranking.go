package keizer

import (
	"cmp"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/exact"
)

// credit is a player's credit for a round, as factors: units for each point of the own value, and for each point of the
// opponents' values.
type credit struct {
	kind      Kind
	own       int64
	opponents []int
	theirs    int64
	score     int64 // of games won and drawn, in units
}

// points returns the units that a round brings player i.
func (c credit) points(values []int, i int) int64 {
	points := c.own * int64(values[i])
	for _, j := range c.opponents {
		points += c.theirs * int64(values[j])
	}
	return points
}

// own returns the units for each point of the own value.
func (r *Ranking) own() int64 { return share(r.unit, r.input.Own, exact.Whole(1)) }

// credits returns the credits of all players, by round.
func (r *Ranking) credits() [][]credit {
	missed := make([]int, len(r.input.Players))
	out := make([][]credit, len(r.input.Rounds))
	for k, round := range r.input.Rounds {
		credits := make([]credit, len(missed))
		r.played(round, credits)
		for _, list := range []struct {
			numbers []int
			kind    Kind
			own     int64
		}{
			{round.Byes, Bye, r.unit / 3 * 2},
			{round.Duty, Duty, r.unit / 3 * 2},
			{round.Forfeit, Forfeit, r.unit / 3 * 2},
			{round.NoShow, NoShow, 0},
		} {
			for _, number := range list.numbers {
				credits[r.index[number]] = credit{kind: list.kind, own: list.own}
			}
		}
		for i := range credits {
			if credits[i].kind != "" {
				continue
			}
			credits[i].kind = Absent
			missed[i]++
			if missed[i] <= r.input.Absences {
				credits[i].own = r.unit / 3
			}
		}
		out[k] = credits
	}
	return out
}

// played enters the games and tables of a round.
func (r *Ranking) played(round Round, credits []credit) {
	kinds := [3]Kind{Loss, Draw, Win}
	for _, g := range round.Games {
		w, b := r.index[g.White], r.index[g.Black]
		white, black := int64(g.Result)*(r.unit/2), int64(2-g.Result)*(r.unit/2)
		credits[w] = credit{kind: kinds[g.Result], opponents: []int{b}, theirs: white, score: white}
		credits[b] = credit{kind: kinds[2-g.Result], opponents: []int{w}, theirs: black, score: black}
	}
	for _, t := range round.Tables {
		most := slices.Max(t.Points)
		for k, number := range t.Players {
			c := credit{kind: AtTable, score: share(r.unit, t.Points[k], most)}
			c.theirs = c.score / int64(len(t.Players)-1)
			for _, other := range t.Players {
				if other != number {
					c.opponents = append(c.opponents, r.index[other])
				}
			}
			credits[r.index[number]] = c
		}
	}
}

// values returns the value of each player in an order.
func (r *Ranking) values(order []int) []int {
	values := make([]int, len(order))
	for k, i := range order {
		values[i] = r.top - k
	}
	return values
}

// start sorts by rating, then number.
func (r *Ranking) start(order []int) {
	slices.SortFunc(order, r.byRating)
}

func (r *Ranking) byRating(i, j int) int {
	a, b := r.input.Players[i], r.input.Players[j]
	return cmp.Or(cmp.Compare(b.Rating, a.Rating), cmp.Compare(a.Number, b.Number))
}

// after returns the order after a number of rounds, starting from the order of the round before: it computes values and
// totals in turn until an order comes up again. If several orders then form a cycle (usually it is a single order), the
// order with the lexicographically least sequence of numbers counts. Brent's method finds the cycle: each order is
// compared with a mark, which moves on after 1, 2, 4, 8 … steps.
func (r *Ranking) after(rounds int, order []int) ([]int, error) {
	mark := order
	for steps, until := 0, 1; ; steps++ {
		if steps == until {
			mark, steps, until = order, 0, 2*until
		}
		next, err := r.step(rounds, order)
		if err != nil || slices.Equal(next, order) {
			return next, err
		}
		order = next
		if slices.Equal(order, mark) {
			return r.leastOf(rounds, order)
		}
	}
}

// leastOf returns the order that counts in a cycle; first is any order of it.
func (r *Ranking) leastOf(rounds int, first []int) ([]int, error) {
	least := first
	order, err := r.step(rounds, first)
	for ; err == nil && !slices.Equal(order, first); order, err = r.step(rounds, order) {
		if r.compareNumbers(order, least) < 0 {
			least = order
		}
	}
	return least, err
}

// maxWork is the maximum number of results looked at for all rankings of a season: it takes seconds. With the default
// rules 200 players and 40 rounds need some millions; with an own value of 0 a large field may go through very many
// orders.
const maxWork = 200_000_000

// step is sorted, while the work for the season is within bounds.
func (r *Ranking) step(rounds int, order []int) ([]int, error) {
	r.work += len(order) * rounds
	if r.work > maxWork {
		return nil, tournament.Fault("own", "the ranking of round %d goes through too many orders: "+
			"a greater own value makes them fewer", rounds)
	}
	return r.sorted(rounds, order), nil
}

func (r *Ranking) compareNumbers(a, b []int) int {
	return slices.CompareFunc(a, b, func(i, j int) int {
		return cmp.Compare(r.input.Players[i].Number, r.input.Players[j].Number)
	})
}

// sorted returns the order by the totals of the first rounds, with the values of an order.
func (r *Ranking) sorted(rounds int, order []int) []int {
	values := r.values(order)
	totals, scores := make([]int64, len(order)), make([]int64, len(order))
	for i := range totals {
		totals[i] = r.own() * int64(values[i])
		for _, credits := range r.sheets[:rounds] {
			totals[i] += credits[i].points(values, i)
			scores[i] += credits[i].score
		}
	}
	next := slices.Clone(order)
	slices.SortFunc(next, func(i, j int) int {
		return cmp.Or(cmp.Compare(totals[j], totals[i]), cmp.Compare(scores[j], scores[i]), r.byRating(i, j))
	})
	return next
}
