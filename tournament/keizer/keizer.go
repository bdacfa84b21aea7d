// Package keizer ranks and pairs a Keizer season: evenings that not every player attends, where a win is worth the value
// of the opponent. Values follow the ranking, back to the first round.
//
// With n players entered, the first of the ranking has the value top = max(n, ⌈3(n−1)/2⌉), and each next player 1 less. A
// player's total is the own value (times Rules.Own) and, for every round:
//
//	win             the opponent's value
//	draw            half of it
//	loss            0
//	bye             2/3 of the own value, for being odd
//	duty            2/3, for a match of the club on that evening
//	forfeit         2/3, because the opponent did not come
//	absent          1/3 for the first Rules.Absences rounds missed, then 0
//	no-show         0; it is no absence that counts towards Rules.Absences
//	table of n      mean value of the others × own points ÷ most points of the table
//
// All sums are exact: whole numbers of a unit that divides all these shares.
package keizer

import (
	"quatuor/tournament/exact"
)

// Player is a participant of the season.
type Player struct {
	Number int `json:"n"` // unique, 1 or more
	Rating int `json:"rating"`
}

// Game is a game of two that was played; Result is White's score: 2, 1 or 0 half points.
type Game struct {
	White  int `json:"w"`
	Black  int `json:"b"`
	Result int `json:"r"`
}

// Table is a game of three to five that was played: players and their points.
type Table struct {
	Players []int           `json:"players"`
	Points  []exact.Decimal `json:"points"`
}

// Round is an evening. Players that are not named were absent.
type Round struct {
	Games   []Game  `json:"games"`
	Tables  []Table `json:"tables,omitempty"`
	Byes    []int   `json:"bye"`
	Duty    []int   `json:"duty"`    // played for the club
	Forfeit []int   `json:"forfeit"` // had an opponent that did not come
	NoShow  []int   `json:"noshow"`  // stayed away without notice
}

// Rules are the numbers of a season's regulations.
type Rules struct {
	Top      int           `json:"top,omitempty"` // value of the first; 0 means max(n, ⌈3(n−1)/2⌉)
	Own      exact.Decimal `json:"own"`           // how often the own value counts
	Absences int           `json:"absences"`      // rounds missed that still count 1/3
	Gap      int           `json:"gap"`           // whole rounds between two games of the same players
	Meetings int           `json:"meetings"`      // games of the same two players in the season
}

// DefaultRules returns the rules of a season without settings of its own.
func DefaultRules() Rules {
	return Rules{Own: exact.Whole(1), Absences: 5, Gap: 3, Meetings: 3}
}

// Input is the input of a season's ranking.
type Input struct {
	Players []Player `json:"players"`
	Rounds  []Round  `json:"rounds"`
	Rules
}

// Kind is a player's part in a round: the result of a game, or the reason for none.
type Kind string

// The kinds of rounds.
const (
	Win     Kind = "win"
	Draw    Kind = "draw"
	Loss    Kind = "loss"
	AtTable Kind = "table"
	Bye     Kind = "bye"
	Duty    Kind = "duty"
	Forfeit Kind = "forfeit"
	Absent  Kind = "absent"
	NoShow  Kind = "noshow"
)

// Standing is a player's place with the sum behind the total: Own and the points of all rounds.
type Standing struct {
	Rank   int       `json:"rank"`
	Number int       `json:"n"`
	Value  int       `json:"value"`
	Total  exact.Sum `json:"total"`
	Own    exact.Sum `json:"own"` // the own value, as often as it counts
	Lines  []Line    `json:"lines"`
}

// Line is a player's line for a round, with the points that it brought.
type Line struct {
	Round     int        `json:"round"`
	Kind      Kind       `json:"kind"`
	Opponents []Opponent `json:"opponents,omitempty"`
	Points    exact.Sum  `json:"points"`
}

// Opponent is another player of a game, with the value that counts in the present ranking.
type Opponent struct {
	Number int `json:"n"`
	Value  int `json:"value"`
}

// Ranking is a computed season.
type Ranking struct {
	Orders [][]int // the players' numbers, best first: at the start and after each round
	input  Input
	index  map[int]int // of each number in input.Players
	top    int
	unit   int64      // of all points: the least common denominator of the shares
	sheets [][]credit // by round and player
	last   []int      // the present order, as indexes
	work   int        // results looked at so far
}

// Rank checks the input and computes its ranking after every round.
func (s Input) Rank() (*Ranking, error) {
	index, err := s.check()
	if err != nil {
		return nil, err
	}
	r := &Ranking{input: s, index: index, top: s.top()}
	r.unit, err = s.unit(r.top)
	if err != nil {
		return nil, err
	}
	r.sheets = r.credits()
	order := make([]int, len(s.Players))
	for i := range order {
		order[i] = i
	}
	r.start(order)
	r.record(order)
	for round := range s.Rounds {
		order, err = r.after(round+1, order)
		if err != nil {
			return nil, err
		}
		r.record(order)
	}
	return r, nil
}

func (r *Ranking) record(order []int) {
	numbers := make([]int, len(order))
	for k, i := range order {
		numbers[k] = r.input.Players[i].Number
	}
	r.Orders, r.last = append(r.Orders, numbers), order
}

// top returns the value of the first.
func (s Input) top() int {
	n := len(s.Players)
	if s.Top != 0 {
		return s.Top
	}
	return max(n, (3*(n-1)+1)/2)
}

// Standings returns the present ranking with every number that it rests on.
func (r *Ranking) Standings() []Standing {
	values := r.values(r.last)
	out := make([]Standing, len(r.last))
	for k, i := range r.last {
		own := int64(values[i]) * r.own()
		st := Standing{Rank: k + 1, Number: r.input.Players[i].Number, Value: values[i], Own: exact.Ratio(own, r.unit)}
		total := own
		for round, credits := range r.sheets {
			points := credits[i].points(values, i)
			total += points
			line := Line{Round: round + 1, Kind: credits[i].kind, Points: exact.Ratio(points, r.unit)}
			for _, j := range credits[i].opponents {
				line.Opponents = append(line.Opponents, Opponent{r.input.Players[j].Number, values[j]})
			}
			st.Lines = append(st.Lines, line)
		}
		st.Total = exact.Ratio(total, r.unit)
		out[k] = st
	}
	return out
}
