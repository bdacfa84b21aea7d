package prizes

// award hands out the prizes of one category to its members, who are in the order of their ranks.
func award(field []Contender, c Category, rules Rules) []Award {
	var out []Award
	for from := 0; from < len(field) && from < len(c.Prizes); {
		to := from + 1
		for to < len(field) && rules.tied(field[from], field[to]) {
			to++
		}
		for i, amount := range rules.shares(field[from:to], prizesOf(c, from, to)) {
			if amount > 0 {
				out = append(out, Award{
					Category: c.Name, ID: field[from+i].ID, Place: place(field, from+i), Amount: amount, Sharers: to - from,
				})
			}
		}
		from = to
	}
	return out
}

func (r Rules) tied(a, b Contender) bool {
	if r.Sharing == ByRank {
		return a.Rank == b.Rank
	}
	return a.Points == b.Points
}

// prizesOf gives the prizes of some places (from 0); there are none beyond the list.
func prizesOf(c Category, from, to int) []int64 {
	out := make([]int64, to-from)
	if from < len(c.Prizes) {
		copy(out, c.Prizes[from:])
	}
	return out
}

// place is the place in the category, from 1; who shares a rank shares it.
func place(field []Contender, i int) int {
	for i > 0 && field[i-1].Rank == field[i].Rank {
		i--
	}
	return i + 1
}

// shares divides the prizes of a group's places among the group.
func (r Rules) shares(group []Contender, prizes []int64) []int64 {
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

// divide gives everybody the mean, and the first a unit more where it does not come out even.
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
