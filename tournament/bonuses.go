package tournament

// Bonus is points that an arbiter adds to the totals of a team, or takes off as a penalty. They count in the table
// after a round and in the pairing of the next one, and from then on.
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
