package generate

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"quatuor/tournament"
	"quatuor/tournament/team"
	"quatuor/tournament/trf"
)

// modelTeams is the part of a model that only tournaments of teams have.
type modelTeams struct {
	teams   []trf.TeamLine
	scoring team.Scoring
	bye     *trf.AllocatedLine // nil for the usual
	colours string             // of the boards
	words   map[string]string  // by key
}

// ModelTeams takes the tournament of a report of teams as the model: its teams, squads, boards, rounds and regulations,
// and its frequencies of draws, forfeits, empty boards and withdrawals. Given settings take precedence. Teams and
// players are numbered from 1.
func (s *Settings) ModelTeams(r *trf.TeamReport) {
	m := &model{size: len(r.Teams), tieBreaks: r.TieBreaks, values: make(map[string]int)}
	var written bytes.Buffer
	_ = r.Write(&written) // a buffer takes everything
	m.report = written.Bytes()
	m.teams = &modelTeams{scoring: r.Scoring(), bye: r.Allocated, colours: tournament.WhiteFirst(r.Colours), words: wordsOf(r)}
	teams, number := slices.Clone(r.Teams), make(map[int]int)
	slices.SortFunc(teams, func(a, b trf.TeamLine) int { return cmp.Compare(a.Number, b.Number) })
	for i, t := range teams {
		number[t.Number] = i + 1
		line := trf.TeamLine{Number: i + 1, Name: t.Name, Short: t.Short, Strength: t.Strength}
		for _, n := range t.Members {
			at := slices.IndexFunc(r.Players, func(p trf.Player) bool { return p.Number == n })
			p := r.Players[at]
			p.Number = len(m.players) + 1
			p.Cells = nil
			p.Points = 0
			p.Rank = 0
			p.NoPoints = false
			m.players = append(m.players, p)
			line.Members = append(line.Members, p.Number)
		}
		m.teams.teams = append(m.teams.teams, line)
	}
	for _, f := range r.Apart {
		f.Numbers = slices.Clone(f.Numbers)
		for i, n := range f.Numbers {
			f.Numbers[i] = number[n]
		}
		m.forbidden = append(m.forbidden, f)
	}
	m.measure(&r.Report, r.NextRound()-1)
	m.measureTeams(r)
	s.model = m
}

// wordsOf returns the regulations of a report that are words.
func wordsOf(r *trf.TeamReport) map[string]string {
	words := map[string]string{
		"Preference": r.Preference(), "Primary": string(r.Primary()), "Secondary": "other", "Acceleration": "none",
	}
	if r.Secondary() == team.NoScore {
		words["Secondary"] = "none"
	}
	if r.Accelerated() {
		words["Acceleration"] = "baku"
	}
	return words
}

// measureTeams counts what happened to teams and their boards in the rounds of a report.
func (m *model) measureTeams(r *trf.TeamReport) {
	boards, away, left, full, matches, forfeited, empty := r.BoardCount(), 0, 0, 0, 0, 0, 0
	for i, rounds := range r.Outcomes() {
		for at, o := range rounds {
			switch {
			case o.Kind == team.ForfeitWin || o.Kind == team.ForfeitLoss:
				matches, forfeited = matches+1, forfeited+1
			case o.Kind.Met():
				matches++
				empty += boards - manned(r, i, at+1)
			case o.Kind == team.FullPoint:
				full++
			case o.Kind == team.HalfPoint || o.Kind == team.ZeroPoint:
				away++
				left += map[bool]int{true: 1}[at == len(rounds)-1]
			}
		}
	}
	all := max(1, len(r.Teams)*(r.NextRound()-1))
	m.values["Teams"], m.values["PlayersNumber"], m.values["Boards"] = m.size, m.size, boards
	m.values["RoundsNumber"] = max(1, r.Rounds, r.NextRound()-1)
	m.values["MatchForfeitRate"] = rate(matches/2, forfeited/2)
	m.values["EmptyBoardRate"] = min(1000, 1000*empty/max(1, boards*(matches-forfeited)))
	m.values["OrderRate"] = min(1000, 1000*len(r.LineUps)/max(1, matches))
	m.values["RetiredRate"] = rate(len(r.Teams), left)
	m.values["HPBRate"] = 1000 * max(0, away-left) / all
	m.values["FPBRate"] = 1000 * full / all
}

// manned counts a team's boards with a player in a round.
func manned(r *trf.TeamReport, i, round int) (n int) {
	for _, member := range r.Teams[i].Members {
		at := slices.IndexFunc(r.Players, func(p trf.Player) bool { return p.Number == member })
		c := r.Players[at].Cell(round)
		if c.Opponent > 0 || c.Result == trf.ForfeitWin || c.Result == trf.ForfeitLoss {
			n++
		}
	}
	return n
}

// modelWord returns the model's word for a key of teams; "" without a model.
func (s Settings) modelWord(name string) string {
	if s.model == nil || s.model.teams == nil {
		return ""
	}
	return s.model.teams.words[name]
}

// allocated returns the line of the pairing-allocated bye, before any round.
func (m *modelTeams) allocated() *trf.AllocatedLine {
	if m.bye == nil {
		return nil
	}
	return &trf.AllocatedLine{Totals: m.bye.Totals}
}

// modelled takes the teams and players of the model over.
func (g *teamGenerator) modelled(m *model) {
	g.report.Players = slices.Clone(m.players)
	g.report.Teams = slices.Clone(m.teams.teams)
	if len(m.teams.colours) == g.value["Boards"] {
		g.report.Colours = m.teams.colours
	}
	for _, p := range m.players {
		rating, _ := strconv.Atoi(strings.TrimSpace(p.Rating))
		if rating <= 0 {
			rating = max(1, g.value["LowestRating"])
		}
		g.strength = append(g.strength, rating)
	}
}
