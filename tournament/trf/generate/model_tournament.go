package generate

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"quatuor/tournament"
	"quatuor/tournament/trf"
)

// model holds the traits that a tournament takes from another: players, rules, and frequencies of events.
type model struct {
	report    []byte       // as it was, for the seed
	size      int          // players, or teams
	players   []trf.Player // without rounds
	ratings   []int
	values    map[string]int
	points    tournament.PointSystem
	abnormal  []trf.Abnormal
	forbidden []trf.Forbidden
	tieBreaks string
	baku      bool
	teams     *modelTeams // nil for a tournament of players
}

// Model takes the tournament of a report as the model: its players, ratings, rounds and rules, and its frequencies of
// draws, forfeits and byes. Given settings take precedence. Players are numbered from 1.
func (s *Settings) Model(r *trf.Report) {
	m := &model{
		points: r.Points, abnormal: r.Abnormal, tieBreaks: r.TieBreaks, baku: r.Baku() || len(r.Virtual) > 0,
		values: make(map[string]int),
	}
	var written bytes.Buffer
	_ = r.Write(&written) // a buffer takes everything
	m.report = written.Bytes()
	players := slices.Clone(r.Players)
	slices.SortFunc(players, func(a, b trf.Player) int { return cmp.Compare(a.Number, b.Number) })
	number := make(map[int]int, len(players))
	for i, p := range players {
		rating, _ := strconv.Atoi(p.Rating)
		m.ratings = append(m.ratings, rating)
		number[p.Number] = i + 1
		p.Number = i + 1
		p.Cells = nil
		p.Points = 0
		p.Rank = 0
		p.NoPoints = false
		m.players = append(m.players, p)
	}
	for _, f := range r.Forbidden {
		f.Numbers = slices.Clone(f.Numbers)
		for i, n := range f.Numbers {
			f.Numbers[i] = number[n]
		}
		m.forbidden = append(m.forbidden, f)
	}
	m.size = len(m.players)
	m.abnormal = slices.DeleteFunc(slices.Clone(m.abnormal), func(a trf.Abnormal) bool { return a.Numbers != nil || a.Round > 0 })
	m.measure(r, r.NextRound()-1)
	m.values["RoundsNumber"] = max(1, r.Rounds, r.NextRound()-1)
	s.model = m
}

// measure counts what happened in the rounds of a report.
func (m *model) measure(r *trf.Report, rounds int) {
	count := make(map[trf.Result]int)
	games, cells, halves, retired := 0, 0, 0, 0
	for i := range r.Players {
		half := false
		for round := 1; round <= rounds; round++ {
			c := r.Players[i].Cell(round)
			cells++
			if c.Opponent > 0 {
				games++
			}
			count[c.Result]++
			half = half || c.Result == trf.HalfPoint
		}
		halves += map[bool]int{true: 1}[half]
		if last := r.Players[i].Cell(rounds); rounds > 0 && last.Opponent == 0 && last.Result != trf.Allocated {
			retired++
		}
	}
	forfeits := (count[trf.ForfeitWin] + count[trf.ForfeitLoss]) / 2
	played := max(1, games-2*forfeits)
	m.values["DrawPercentage"] = 100 * (count[trf.Draw] + count[trf.ShortDraw]) / played
	m.values["ForfeitRate"] = rate(games/2, forfeits)
	m.values["HalfPointByeRate"] = rate(len(r.Players), halves)
	m.values["RetiredRate"] = rate(len(r.Players), retired)
	m.values["QuickgameRate"] = 1000 * (count[trf.ShortWin] + count[trf.ShortDraw] + count[trf.ShortLoss]) / played
	m.values["FPBRate"] = 1000 * count[trf.FullPoint] / max(1, cells)
	for _, none := range []string{
		"ZPBRate", "HPBRate", "UnratedPercentage", "ForbiddenPairs", "BothLoseRate", "HalfLossRate",
	} {
		m.values[none] = 0
	}
	for _, none := range []string{"ReturnRate", "LateEntryRate"} {
		m.values[none] = never
	}
}

// rate returns n for an event that happened to 1 in n; never if it did not happen.
func rate(all, happened int) int {
	if happened == 0 {
		return never
	}
	return max(1, all/happened)
}
