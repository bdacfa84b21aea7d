package swiss

import (
	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// Line is a row of a check-list: the data that the pairing of a participating player is based on.
type Line struct {
	Number    int
	Score     tournament.Points // virtual points included
	Colours   []pairing.Colour
	Due       Due
	Floats    [2]int // one and two rounds ago: 1 down, -1 up
	MayBeFree bool   // may have the pairing-allocated bye (C2)
}

// Lines returns the rows of the check-list of a round, best first.
func (p Pairer) Lines(h pairing.History) ([]Line, error) {
	d, err := p.newDraw(h)
	if err != nil {
		return nil, err
	}
	direction := map[float]int{down: 1, up: -1}
	lines := make([]Line, len(d.players))
	for i, player := range d.players {
		lines[i] = Line{
			Number: player.number, Score: player.score, Colours: player.colours, Due: player.preference.due(),
			Floats: [2]int{direction[player.floats[0]], direction[player.floats[1]]}, MayBeFree: !player.barred,
		}
	}
	return lines, nil
}
