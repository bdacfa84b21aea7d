package tables

// prove returns the best round found and how far it is proved.
func (p *problem) prove() ([][]int, Certificate) {
	s := p.good()
	return s.tables, p.certify(s.tables)
}

// good returns a local search at the best round it found.
func (p *problem) good() *search {
	reach := 10
	var best *search
	for _, start := range p.starts() {
		s := newSearch(p, start)
		s.improve(reach)
		if best == nil || p.less(s.sum(), best.sum()) {
			best = s
		}
	}
	best.shake(2_000_000)
	best.improve(reach)
	return best
}

// certify compares a round with bounds that need no search.
func (p *problem) certify(tables [][]int) Certificate {
	for _, c := range p.criteria {
		if v := p.total(c, tables); v > c.low {
			return p.gap(c, v, c.low)
		}
	}
	return Certificate{Criterion: "T"}
}

// gap returns a certificate that is not "optimal"; the criterion has this value and this bound.
func (p *problem) gap(c criterion, value, bound int64) Certificate {
	return Certificate{Criterion: c.name, Value: []int64{value}, Bound: []int64{bound}}
}
