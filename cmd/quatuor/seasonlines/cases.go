package seasonlines

import (
	"strings"

	"quatuor/tournament/arena"
	"quatuor/tournament/exact"
	"quatuor/tournament/keizer"
	"quatuor/tournament/ladder"
	"quatuor/tournament/league"
	"quatuor/tournament/series"
)

// keizerAnswer ranks a Keizer season, and pairs its next round if the case has `present`.
func keizerAnswer(line []byte) (any, error) {
	in := struct {
		ID string `json:"id"`
		keizer.Input
		Present []int `json:"present"`
	}{Input: keizer.Input{Rules: keizer.DefaultRules()}}
	if err := decode(line, &in); err != nil {
		return nil, err
	}
	ranking, err := in.Rank()
	if err != nil {
		return nil, err
	}
	type ranked struct {
		ID     string      `json:"id"`
		Order  []int       `json:"order"`
		Values []int       `json:"values"`
		Totals []exact.Sum `json:"totals"`
	}
	out := ranked{in.ID, []int{}, []int{}, []exact.Sum{}}
	for _, st := range ranking.Standings() {
		out.Order = append(out.Order, st.Number)
		out.Values = append(out.Values, st.Value)
		out.Totals = append(out.Totals, st.Total)
	}
	if in.Present == nil {
		return out, nil
	}
	drawn, err := ranking.Pair(in.Present)
	if err != nil {
		return nil, err
	}
	pairs := [][2]int{}
	for _, p := range drawn.Pairs {
		pairs = append(pairs, [2]int{p.White, p.Black})
	}
	return struct {
		ranked
		Pairs [][2]int `json:"pairs"`
		Bye   *int     `json:"bye"`
	}{out, pairs, orNull(drawn.Bye)}, nil
}

// ladderAnswer runs a ladder.
func ladderAnswer(line []byte) (any, error) {
	in := struct {
		ID     string         `json:"id"`
		Order  []string       `json:"order"`
		Events []ladder.Event `json:"events"`
		Until  *int64         `json:"until"`
		ladder.Rules
	}{Rules: ladder.DefaultRules()}
	if err := decode(line, &in); err != nil {
		return nil, err
	}
	state, err := ladder.New(in.Order, in.Rules)
	if err != nil {
		return nil, err
	}
	if err := state.Run(in.Events); err != nil {
		return nil, err
	}
	if in.Until != nil {
		state.Until(*in.Until)
	}
	type entry struct {
		At        int64          `json:"at"`
		Challenge string         `json:"challenge,omitempty"`
		End       ladder.End     `json:"end,omitempty"`
		Order     []string       `json:"order,omitempty"`
		Refused   ladder.Refusal `json:"refused,omitempty"`
	}
	log := []entry{}
	for _, e := range state.Log() {
		log = append(log, entry{e.At, e.ID, e.End, e.Order, e.Refused})
	}
	return struct {
		ID    string   `json:"id"`
		Log   []entry  `json:"log"`
		Order []string `json:"order"`
	}{in.ID, log, append([]string{}, state.Order()...)}, nil
}

// arenaAnswer ranks an arena and pairs those that wait.
func arenaAnswer(line []byte) (any, error) {
	in := struct {
		ID string `json:"id"`
		arena.Arena
		Idle []arena.Idle `json:"idle"`
	}{Arena: arena.Arena{Rules: arena.DefaultRules()}}
	if err := decode(line, &in); err != nil {
		return nil, err
	}
	standings, err := in.Rank()
	if err != nil {
		return nil, err
	}
	drawn, err := in.Pair(standings, in.Idle)
	if err != nil {
		return nil, err
	}
	out := struct {
		ID     string           `json:"id"`
		Order  []string         `json:"order"`
		Points []arena.Points   `json:"points"`
		Sheets [][]arena.Points `json:"sheets"`
		Pairs  [][]string       `json:"pairs"`
		Waits  any              `json:"waits"`
	}{in.ID, []string{}, []arena.Points{}, [][]arena.Points{}, drawn.Games, drawn.Waits}
	if in.Boards == nil && in.Sizes == nil {
		out.Waits = orNull(strings.Join(drawn.Waits, "")) // at most a single name
	}
	for _, st := range standings {
		out.Order = append(out.Order, st.Player)
		out.Points = append(out.Points, st.Points)
		out.Sheets = append(out.Sheets, st.Sheet)
	}
	return out, nil
}

// leagueAnswer moves a league to its next season.
func leagueAnswer(line []byte) (any, error) {
	in := struct {
		ID string `json:"id"`
		league.Season
	}{Season: league.Season{Rules: league.DefaultRules()}}
	if err := decode(line, &in); err != nil {
		return nil, err
	}
	next, err := in.Next()
	if err != nil {
		return nil, err
	}
	out := struct {
		ID        string     `json:"id"`
		Divisions [][]string `json:"divisions"`
	}{in.ID, make([][]string, len(next))}
	for d, members := range next {
		out.Divisions[d] = []string{}
		for _, m := range members {
			out.Divisions[d] = append(out.Divisions[d], m.Name)
		}
	}
	return out, nil
}

// prixAnswer ranks a series of events.
func prixAnswer(line []byte) (any, error) {
	in := struct {
		ID string `json:"id"`
		series.Series
	}{Series: series.Series{Rules: series.DefaultRules()}}
	if err := decode(line, &in); err != nil {
		return nil, err
	}
	standings, err := in.Standings()
	if err != nil {
		return nil, err
	}
	type standing struct {
		Player  string      `json:"player"`
		Rank    *int        `json:"rank"`
		Points  exact.Sum   `json:"points"`
		Counted []exact.Sum `json:"counted"`
		Dropped []exact.Sum `json:"dropped"`
	}
	out := []standing{}
	for _, st := range standings {
		out = append(out, standing{st.Player, orNull(st.Rank), st.Points, pointsOf(st.Counted), pointsOf(st.Dropped)})
	}
	return struct {
		ID        string     `json:"id"`
		Standings []standing `json:"standings"`
	}{in.ID, out}, nil
}

func pointsOf(scores []series.Score) []exact.Sum {
	out := make([]exact.Sum, len(scores))
	for k, score := range scores {
		out[k] = score.Points
	}
	return out
}

// orNull returns nil for the zero value, which is written as null.
func orNull[T comparable](value T) *T {
	if value == *new(T) {
		return nil
	}
	return &value
}
