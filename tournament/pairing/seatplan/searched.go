package seatplan

// Bounds of the local search: sweeps without an improvement, and sweeps in all.
const (
	idleSweeps = 60
	allSweeps  = 600
)

// searched returns a plan by local search: exchanges of two players in a round that make no more meetings again. It
// begins with arbitrary rounds, and with as many rounds as possible without a second meeting; the better plan counts.
func searched(players, rounds int, sizes []int) Plan {
	s := newSearching(nil, players, rounds, sizes)
	best := s.run(0)
	for r := rounds - 1; r > 0 && r >= rounds-2; r-- {
		known := unrepeated(players, r, sizes)
		if known == nil {
			continue
		}
		s = newSearching(known, players, rounds, sizes)
		s.plan = s.run(r)
		if s.plan.Again() < best.Again() {
			best = s.plan
		}
		break
	}
	return best
}

// newSearching returns a search that begins with these rounds; the others are arbitrary.
func newSearching(known Plan, players, rounds int, sizes []int) *searching {
	s := &searching{plan: known, met: make([][]int, players+1), dice: 0x9E3779B97F4A7C15}
	for i := range s.met {
		s.met[i] = make([]int, players+1)
	}
	for r := len(known); r < rounds; r++ {
		var round [][]int
		next := 0
		for _, size := range sizes {
			t := make([]int, size)
			for k := range t {
				t[k] = (next*(r+1)+r)%players + 1
				next++
			}
			round = append(round, t)
		}
		s.plan = append(s.plan, distinct(round, players))
	}
	for _, round := range s.plan {
		for _, t := range round {
			for k, a := range t {
				for _, b := range t[:k] {
					s.meet(a, b, 1)
				}
			}
		}
	}
	return s
}

// run returns the best plan that it finds with exchanges in the rounds after the first few.
func (s *searching) run(first int) Plan {
	best, idle := s.copied(), 0
	least := best.Again()
	for range allSweeps {
		s.sweep(first)
		idle++
		if again := s.plan.Again(); again < least {
			best, least, idle = s.copied(), again, 0
		}
		if least == 0 || idle > idleSweeps {
			break
		}
	}
	return best
}

// distinct replaces duplicates in a round by the missing players.
func distinct(round [][]int, players int) [][]int {
	seen := make([]bool, players+1)
	for _, t := range round {
		for k, p := range t {
			if seen[p] {
				t[k] = 0
			}
			seen[p] = true
		}
	}
	next := 1
	for _, t := range round {
		for k := range t {
			if t[k] != 0 {
				continue
			}
			for seen[next] {
				next++
			}
			t[k], seen[next] = next, true
		}
	}
	return round
}

type searching struct {
	plan Plan
	met  [][]int
	dice uint64
}

func (s *searching) meet(a, b, by int) {
	s.met[a][b] += by
	s.met[b][a] += by
}

func (s *searching) copied() Plan {
	var out Plan
	for _, round := range s.plan {
		var tables [][]int
		for _, t := range round {
			tables = append(tables, append([]int(nil), t...))
		}
		out = append(out, tables)
	}
	return out
}

// sweep tries all exchanges of two players in each round after the first few once. Those that change nothing are made
// now and then.
func (s *searching) sweep(first int) {
	for _, round := range s.plan[first:] {
		for k, t := range round {
			for _, u := range round[:k] {
				for x := range t {
					for y := range u {
						s.dice ^= s.dice << 13
						s.dice ^= s.dice >> 7
						s.dice ^= s.dice << 17
						if change := s.change(t, u, x, y); change < 0 || change == 0 && s.dice%4 == 0 {
							s.exchange(t, u, x, y)
						}
					}
				}
			}
		}
	}
}

// change returns half the change of the sum, over all pairs, of squared meetings.
func (s *searching) change(t, u []int, x, y int) int {
	a, b, sum := t[x], u[y], 0
	for k, p := range t {
		if k != x {
			sum += s.met[b][p] - (s.met[a][p] - 1)
		}
	}
	for k, p := range u {
		if k != y {
			sum += s.met[a][p] - (s.met[b][p] - 1)
		}
	}
	return sum
}

func (s *searching) exchange(t, u []int, x, y int) {
	a, b := t[x], u[y]
	for k, p := range t {
		if k != x {
			s.meet(a, p, -1)
			s.meet(b, p, 1)
		}
	}
	for k, p := range u {
		if k != y {
			s.meet(b, p, -1)
			s.meet(a, p, 1)
		}
	}
	t[x], u[y] = b, a
}
