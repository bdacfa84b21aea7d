package swiss

import "quatuor/tournament/pairing"

// DrawWhole draws up a round with every bracket solved in view of all entries not yet paired.
func (p Pairer) DrawWhole(h pairing.History) (Round, error) {
	d, err := p.newDraw(h)
	if err != nil {
		return Round{}, err
	}
	if err := d.complete(); err != nil {
		return Round{}, err
	}
	d.pairBrackets(d.bestOfAll)
	return d.round(), nil
}
