package tournament

// Bonus adds points to the totals of a team, or takes them off as a penalty; an arbiter decides on it. It counts in the
// table after a round, in the pairing of the next round, and from then on.
type Bonus struct {
	Entry string `json:"entry"` // id
	MP    Points `json:"mp,omitempty"`
	GP    Points `json:"gp,omitempty"`
	After int    `json:"after,omitempty"` // round; 0 from the start
	Why   string `json:"why"`
}

// Totals returns both scores.
func (b Bonus) Totals() TeamTotals { return TeamTotals{b.MP, b.GP} }

// BonusOf returns what penalties and bonuses add to the totals of an entry in the table after a round.
func (t *Tournament) BonusOf(entry string, round int) (sum TeamTotals) {
	for _, b := range t.Bonuses {
		if b.Entry == entry && b.After <= round {
			sum = sum.Plus(b.Totals())
		}
	}
	return sum
}
