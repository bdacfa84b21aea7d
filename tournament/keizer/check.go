package keizer

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/exact"
)

// Bounds of a season; those of a club are far below them.
const (
	maxPlayers = 1_000
	maxRounds  = 100
	maxRule    = 1_000_000
	maxPoints  = 1 << 62
)

// UnmarshalJSON reads a game. A game without a result has -1, which is refused.
func (g *Game) UnmarshalJSON(data []byte) error {
	type plain Game
	read := plain{Result: -1}
	err := json.Unmarshal(data, &read)
	*g = Game(read)
	return err
}

// check refuses an invalid season, and returns the index of each number.
func (s Input) check() (map[int]int, error) {
	if err := s.Rules.check(); err != nil {
		return nil, err
	}
	if len(s.Players) > maxPlayers {
		return nil, tournament.Fault("players", "there are %d, and at most %d can be computed", len(s.Players), maxPlayers)
	}
	if len(s.Rounds) > maxRounds {
		return nil, tournament.Fault("rounds", "there are %d, and at most %d can be computed", len(s.Rounds), maxRounds)
	}
	index := make(map[int]int, len(s.Players))
	for i, p := range s.Players {
		if _, twice := index[p.Number]; twice || p.Number < 1 {
			return nil, tournament.Fault(fmt.Sprintf("players[%d].n", i), "numbers are 1 or more, each once, not %d", p.Number)
		}
		index[p.Number] = i
	}
	for k, round := range s.Rounds {
		if err := round.check(fmt.Sprintf("rounds[%d]", k), index); err != nil {
			return nil, err
		}
	}
	return index, nil
}

// check refuses rules out of bounds.
func (r Rules) check() error {
	for _, rule := range []struct {
		name  string
		value int
	}{{"top", r.Top}, {"absences", r.Absences}, {"gap", r.Gap}, {"meetings", r.Meetings}} {
		if rule.value < 0 || rule.value > maxRule {
			return tournament.Fault(rule.name, "from 0 to %d, not %d", maxRule, rule.value)
		}
	}
	if r.Own < 0 || r.Own > exact.Whole(1000) {
		return tournament.Fault("own", "from 0 to %d, not %v", 1000, r.Own.Sum())
	}
	return nil
}

// check refuses unknown players, players that a round names twice, and impossible results.
func (r Round) check(place string, index map[int]int) error {
	var names roll
	for k, g := range r.Games {
		at := fmt.Sprintf("%s.games[%d]", place, k)
		names.add(at+".w", g.White)
		names.add(at+".b", g.Black)
	}
	for k, t := range r.Tables {
		at := fmt.Sprintf("%s.tables[%d]", place, k)
		if len(t.Players) < 3 || len(t.Players) > 5 || len(t.Points) != len(t.Players) {
			return tournament.Fault(at, "a table has three to five players, and points for each")
		}
		if slices.Min(t.Points) < 0 {
			return tournament.Fault(at+".points", "points are 0 or more")
		}
		names.addAll(at+".players", t.Players)
	}
	names.addAll(place+".bye", r.Byes)
	names.addAll(place+".duty", r.Duty)
	names.addAll(place+".forfeit", r.Forfeit)
	names.addAll(place+".noshow", r.NoShow)
	if err := names.check(index); err != nil {
		return err
	}
	for k, g := range r.Games {
		if g.Result < 0 || g.Result > 2 {
			return tournament.Fault(fmt.Sprintf("%s.games[%d].r", place, k),
				"a result is 2, 1 or 0 half points of the first player, not %d", g.Result)
		}
	}
	return nil
}

// roll is the list of players that a round names, and where.
type roll []named

type named struct {
	place  string
	number int
}

func (r *roll) add(place string, number int) { *r = append(*r, named{place, number}) }

func (r *roll) addAll(place string, numbers []int) {
	for k, number := range numbers {
		r.add(fmt.Sprintf("%s[%d]", place, k), number)
	}
}

// check refuses numbers that are unknown or come twice.
func (r roll) check(index map[int]int) error {
	first := make(map[int]string, len(r))
	for _, n := range r {
		if _, known := index[n.number]; !known {
			return tournament.Fault(n.place, "there is no player %d", n.number)
		}
		if before, twice := first[n.number]; twice {
			return tournament.Fault(n.place, "player %d has been named at %s already", n.number, before)
		}
		first[n.number] = n.place
	}
	return nil
}

// unit returns the least common denominator of all shares; it refuses a season if its sums could overflow.
func (s Input) unit(top int) (int64, error) {
	unit := big.NewInt(6)
	grow := func(denominator int64) {
		d := big.NewInt(denominator)
		unit.Mul(unit, d.Div(d, new(big.Int).GCD(nil, nil, unit, d)))
	}
	grow(denominator(s.Own, exact.Whole(1)))
	for _, round := range s.Rounds {
		for _, t := range round.Tables {
			for _, points := range t.Points {
				grow(denominator(points, slices.Max(t.Points)) * int64(len(t.Points)-1))
			}
			if unit.BitLen() > 62 {
				return 0, errTooFine
			}
		}
	}
	worth := float64(max(top, len(s.Players))) * (float64(len(s.Rounds)) + float64(s.Own)/float64(exact.Whole(1)) + 1)
	if float64(unit.Int64())*worth > maxPoints {
		return 0, errTooFine
	}
	return unit.Int64(), nil
}

// errTooFine refuses shares that have no common denominator small enough.
var errTooFine = tournament.Fault("rounds", "these values and shares are more than can be added up exactly")

// denominator returns the denominator of a ÷ b in lowest terms, 1 for b = 0.
func denominator(a, b exact.Decimal) int64 {
	if b == 0 {
		return 1
	}
	return int64(b) / gcd(int64(a), int64(b))
}

// share returns unit × a ÷ b, a whole number; 0 for b = 0.
func share(unit int64, a, b exact.Decimal) int64 {
	if b == 0 {
		return 0
	}
	d := gcd(int64(a), int64(b))
	return unit / (int64(b) / d) * (int64(a) / d)
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
