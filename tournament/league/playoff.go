package league

import (
	"fmt"
	"slices"

	"quatuor/tournament"
)

// PlayOff is the match between two divisions: the worst that is not relegated and the best that is not promoted.
type PlayOff struct {
	Border int    `json:"border"` // 1 between the first and the second division
	Upper  string `json:"upper"`
	Lower  string `json:"lower"`
}

// PlayOffs returns the matches that the rules provide for, by border.
func (s Season) PlayOffs() ([]PlayOff, error) {
	m, err := s.begin()
	if err != nil {
		return nil, err
	}
	var out []PlayOff
	for d := range len(m.next) - 1 {
		if p, ok := m.playoff(d); ok {
			out = append(out, p)
		}
	}
	return out, nil
}

// playoff returns the match at the border below a division.
func (m *move) playoff(d int) (PlayOff, bool) {
	upper, lower := m.stay[d][:len(m.stay[d])-m.relegated(d)], m.stay[d+1][m.promoted(d+1):]
	if !m.Playoff || len(upper) == 0 || len(lower) == 0 {
		return PlayOff{}, false
	}
	return PlayOff{d + 1, upper[len(upper)-1].Name, lower[0].Name}, true
}

// playoffs carries out the results of play-offs: a winner from below changes places with the loser. It returns the
// borders that rule 3 leaves alone.
func (m *move) playoffs() ([]bool, error) {
	decided := make([]bool, len(m.next))
	for d, winner := range m.Winners {
		if winner == "" {
			continue
		}
		var p PlayOff
		ok := d < len(m.next)-1
		if ok {
			p, ok = m.playoff(d)
		}
		if !ok || winner != p.Upper && winner != p.Lower {
			return nil, tournament.Fault(fmt.Sprintf("winners[%d]", d), "%q is in no play-off at this border", winner)
		}
		decided[d] = len(m.Leaving) == 0
		up, down := placeOf(m.next[d], p.Upper), placeOf(m.next[d+1], p.Lower)
		if winner == p.Lower && up >= 0 && down >= 0 {
			upper, lower := &m.next[d][up], &m.next[d+1][down]
			*upper, *lower = *lower, *upper
			upper.Because, lower.Because = WonUp, LostDown
		}
	}
	return decided, nil
}

func placeOf(members []Member, name string) int {
	return slices.IndexFunc(members, func(m Member) bool { return m.Name == name })
}
