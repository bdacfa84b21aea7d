package prizes

import "strings"

// award returns the awards of a category to its members, ordered by rank.
func award(field []*Contender, c Category, rules Rules) []Award {
	var out []Award
	for from := 0; from < len(field) && from < len(c.Prizes); {
		to := from + 1
		for to < len(field) && rules.tied(field[from], field[to]) {
			to++
		}
		for i, amount := range rules.shares(field[from:to], prizesOf(c, from, to)) {
			at := place(field, from+i)
			level := levelWith(field, from+i)
			text := texts(c, at-1, at-1+level)
			if amount > 0 || text != "" {
				out = append(out, Award{
					Category: c.Name, ID: field[from+i].ID, Place: at, Amount: amount, Text: text, First: from + 1, Sharers: to - from,
					Level: level,
				})
			}
		}
		from = to
	}
	return out
}

func (r Rules) tied(a, b *Contender) bool {
	if r.Sharing == ByRank {
		return a.Rank == b.Rank
	}
	return a.Points == b.Points
}

// prizesOf returns the prizes of some places (from 0), none beyond the list.
func prizesOf(c Category, from, to int) []int64 {
	out := make([]int64, to-from)
	for i := from; i < min(to, len(c.Prizes)); i++ {
		out[i-from] = c.Prizes[i].Amount
	}
	return out
}

// texts joins the texts of some prizes (places from 0).
func texts(c Category, from, to int) string {
	var out []string
	for i := from; i < min(to, len(c.Prizes)); i++ {
		if c.Prizes[i].Text != "" {
			out = append(out, c.Prizes[i].Text)
		}
	}
	return strings.Join(out, "; ")
}

// levelWith returns the number of members that share the rank of a member of the field: they are neighbours.
func levelWith(field []*Contender, i int) int {
	from, to := place(field, i)-1, i+1
	for to < len(field) && field[to].Rank == field[i].Rank {
		to++
	}
	return to - from
}

// place returns the place in the category, from 1; members with the same rank share it.
func place(field []*Contender, i int) int {
	for i > 0 && field[i-1].Rank == field[i].Rank {
		i--
	}
	return i + 1
}

// shares divides the prizes of a group's places among the group.
func (r Rules) shares(group []*Contender, prizes []int64) []int64 {
	if r.Sharing != Hort {
		return r.divide(prizes)
	}
	own, common := make([]int64, len(prizes)), make([]int64, len(prizes))
	for i, prize := range prizes {
		own[i] = prize / 2 / r.Unit * r.Unit
		common[i] = prize - own[i]
	}
	out := r.divide(common)
	for from := 0; from < len(group); {
		to := from + 1
		for to < len(group) && group[to].Rank == group[from].Rank {
			to++
		}
		for i, amount := range r.divide(own[from:to]) {
			out[from+i] += amount
		}
		from = to
	}
	return out
}

// divide returns the mean for each member; a remainder goes to the first members, a unit each.
func (r Rules) divide(prizes []int64) []int64 {
	sum := int64(0)
	for _, prize := range prizes {
		sum += prize
	}
	n := int64(len(prizes))
	units := sum / r.Unit
	out := make([]int64, n)
	for i := range out {
		out[i] = units / n * r.Unit
		if int64(i) < units%n {
			out[i] += r.Unit
		}
	}
	return out
}
