// Package series ranks a series of events: each counts by place or by score, and the best results of each player are
// added up. A season of the club counts its parts in the same way.
package series

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"quatuor/tournament/exact"
)

// Source is the origin of the points of an event.
type Source string

// The sources: a table of points by place, the event's own points, or the share of the best score in hundredths, rounded
// down to tenths. Each is multiplied by the event's factor.
const (
	ByPlace Source = "table"
	ByScore Source = "score"
	ByShare Source = "share"
)

// Event is a finished event: its players from the first on, with those that share a place in the same group. Players
// that withdrew or played nothing are not named.
type Event struct {
	Ranking [][]string               `json:"ranking"`
	Scores  map[string]exact.Decimal `json:"scores,omitempty"` // the event's own points, where they count
	Factor  exact.Decimal            `json:"factor"`
}

// UnmarshalJSON reads an event; the factor is 1 where none is written.
func (e *Event) UnmarshalJSON(data []byte) error { return unmarshalEvent(data, e) }

// Rules are the numbers of a series' regulations.
type Rules struct {
	Table  []exact.Decimal `json:"table"`  // points by place; 0 beyond
	Best   int             `json:"best"`   // how many results count; 0: all
	Least  int             `json:"least"`  // events that a player needs for a rank
	Source Source          `json:"source"` // ByPlace if empty
}

// DefaultRules returns the rules of a series without settings.
func DefaultRules() Rules {
	var table []exact.Decimal
	for _, points := range []int{25, 18, 15, 12, 10, 8, 6, 4, 2, 1} {
		table = append(table, exact.Whole(points))
	}
	return Rules{Table: table, Least: 1, Source: ByPlace}
}

// Series is the input of its standings.
type Series struct {
	Events []Event `json:"events"`
	Rules
}

// Score is a player's score in an event.
type Score struct {
	Event  int       `json:"event"`  // index in Series.Events
	Place  int       `json:"place"`  // the best of those that are shared
	Shared int       `json:"shared"` // how many share it, the player included
	Points exact.Sum `json:"points"`
}

// Standing is a player's place with the points behind it. Counted and Dropped are sorted by points, most first.
type Standing struct {
	Player  string    `json:"player"`
	Rank    int       `json:"rank"` // 0 with fewer events than Rules.Least
	Points  exact.Sum `json:"points"`
	Counted []Score   `json:"counted"`
	Dropped []Score   `json:"dropped"`
}

// Results returns all results, the best first: those that count, then those that are dropped.
func (s Standing) Results() []Score { return slices.Concat(s.Counted, s.Dropped) }

// Standings checks a series and returns its standings.
func (s Series) Standings() ([]Standing, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	scores := map[string][]Score{}
	for k, e := range s.Events {
		s.count(k, e, scores)
	}
	out := make([]Standing, 0, len(scores))
	for player, own := range scores {
		slices.SortFunc(own, func(a, b Score) int { return cmp.Or(b.Points.Cmp(a.Points), cmp.Compare(b.Event, a.Event)) })
		counted := len(own)
		if s.Best > 0 {
			counted = min(counted, s.Best)
		}
		st := Standing{Player: player, Counted: own[:counted:counted], Dropped: own[counted:]}
		for _, score := range st.Counted {
			st.Points = st.Points.Add(score.Points)
		}
		out = append(out, st)
	}
	slices.SortFunc(out, func(a, b Standing) int { return cmp.Or(s.compare(a, b), cmp.Compare(a.Player, b.Player)) })
	for k := range out {
		switch {
		case !s.ranked(out[k]):
		case k > 0 && s.compare(out[k-1], out[k]) == 0:
			out[k].Rank = out[k-1].Rank
		default:
			out[k].Rank = k + 1
		}
	}
	return out, nil
}

// count enters an event.
func (s Series) count(index int, e Event, scores map[string][]Score) {
	best := e.best()
	place := 1
	for _, group := range e.Ranking {
		for _, player := range group {
			points := s.points(place, len(group), e.Scores[player], best)
			scores[player] = append(scores[player], Score{index, place, len(group), points.Times(e.Factor.Sum())})
		}
		place += len(group)
	}
}

// best returns the best score of an event.
func (e Event) best() exact.Decimal {
	var best exact.Decimal
	for _, score := range e.Scores {
		best = max(best, score)
	}
	return best
}

// points returns the points of a place or score before the factor; players that share places get their mean.
func (s Series) points(place, shared int, score, best exact.Decimal) exact.Sum {
	switch {
	case s.Source == ByScore:
		return score.Sum()
	case s.Source == ByShare && best == 0:
		return exact.Sum{}
	case s.Source == ByShare:
		return exact.Ratio(100, 1).Times(score.Sum()).Over(best.Sum()).Floor(10)
	}
	var sum exact.Sum
	for p := place; p < place+shared && p <= len(s.Table); p++ {
		sum = sum.Add(s.Table[p-1].Sum())
	}
	return sum.Over(exact.Ratio(int64(shared), 1))
}

// Formula returns the computation of a player's result: "(18 + 15) ÷ 2 × 1.5 = 24.75".
func (s Series) Formula(player string, score Score) string {
	e := s.Events[score.Event]
	var text string
	switch own := e.Scores[player]; s.Source {
	case ByScore:
		text = own.Text()
	case ByShare:
		text = "100 × " + own.Text() + " ÷ " + e.best().Text()
	default:
		var values []string
		for p := score.Place; p < score.Place+score.Shared; p++ {
			points := exact.Decimal(0)
			if p <= len(s.Table) {
				points = s.Table[p-1]
			}
			values = append(values, points.Text())
		}
		text = strings.Join(values, " + ")
		if score.Shared > 1 {
			text = "(" + text + ") ÷ " + strconv.Itoa(score.Shared)
		}
	}
	if e.Factor != exact.Whole(1) {
		text += " × " + e.Factor.Text()
	}
	if result := score.Points.String(); text != result {
		text += " = " + result
	}
	return text
}

// ranked reports whether a player took part in enough events.
func (s Series) ranked(st Standing) bool { return len(st.Counted)+len(st.Dropped) >= s.Least }

// compare orders two standings: enough events, points, single results from the best on, the dropped too, and the later
// event of the best result.
func (s Series) compare(a, b Standing) int {
	if x, y := s.ranked(a), s.ranked(b); x != y {
		if x {
			return -1
		}
		return 1
	}
	if c := b.Points.Cmp(a.Points); c != 0 {
		return c
	}
	x, y := a.Results(), b.Results()
	for k := range max(len(x), len(y)) {
		if c := result(y, k).Cmp(result(x, k)); c != 0 {
			return c
		}
	}
	return cmp.Compare(y[0].Event, x[0].Event)
}

// result returns the points of a result; 0 for a missing result.
func result(scores []Score, k int) exact.Sum {
	if k < len(scores) {
		return scores[k].Points
	}
	return exact.Sum{}
}
