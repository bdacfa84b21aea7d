package generate

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/swiss"
	"quatuor/tournament/pairing/teamswiss"
	"quatuor/tournament/standings/teams"
	"quatuor/tournament/team"
	"quatuor/tournament/trf"
)

// Teams returns the tournament of teams of a seed, paired by C.04.6 in its default reading and ranked by C.07. Errors
// are those of [Tournament].
func Teams(s Settings, seed uint64) (*trf.TeamReport, error) {
	if err := s.checkTeams(); err != nil {
		return nil, err
	}
	var last error
	for attempt := range uint64(attempts) {
		g := &teamGenerator{generator: generator{rand: rand.New(rand.NewPCG(seed, attempt)), settings: s}}
		if err := g.draw(); err != nil {
			return nil, err
		}
		err := g.play(seed)
		if err == nil {
			return g.report, nil
		} else if !errors.Is(err, tournament.ErrUnpairable) {
			return nil, err
		}
		last = err
	}
	return nil, fmt.Errorf("none of %d attempts could be paired to the end: %w", attempts, last)
}

// teamGenerator makes a tournament of teams. Its absences are those of teams.
type teamGenerator struct {
	generator // strength is of players

	report *trf.TeamReport
	pairer teamswiss.Pairer
}

// teamLists are the lists of tie-breaks to draw from.
var teamLists = []string{
	"MPvGP,DE,BH/C1", "MPvGP,EDE,BH/C1,EMGSB", "BH/C1,BH,SB,TPN", "DE,SSSC,BC,TBR", "EMMSB,BH/M1,BBE", "MPvGP,SB,BH:GP",
}

// draw draws the values that are not given.
func (g *teamGenerator) draw() error {
	g.drawNumbers(slices.Concat(keys, teamKeys))
	g.value["PlayersNumber"] = g.value["Teams"]
	g.fit()
	r := &trf.TeamReport{Report: trf.Report{
		Rounds: g.value["RoundsNumber"], Controller: "quatuor", Kind: "Team: Swiss-System",
	}}
	g.report = r
	g.squads()
	if err := g.scoring(); err != nil {
		return err
	}
	if err := g.regulations(); err != nil {
		return err
	}
	return g.plan()
}

// squads creates the teams with their players, in the order of their mean strength, or those of the model.
func (g *teamGenerator) squads() {
	for k := range g.value["Boards"] {
		g.report.Colours += "WB"[k%2 : k%2+1]
	}
	if m := g.settings.model; m != nil && m.size == g.value["Teams"] {
		g.modelled(m)
		return
	}
	members := g.value["Boards"] + g.value["Reserves"]
	low, high := g.value["LowestRating"], g.value["HighestRating"]
	means := make([]int, g.value["Teams"])
	for i := range means {
		means[i] = g.in(interval{low, high})
	}
	slices.SortFunc(means, func(a, b int) int { return b - a })
	for i, mean := range means {
		t := trf.TeamLine{
			Number: i + 1, Name: fmt.Sprintf("Team%03d", i+1), Short: fmt.Sprint("T", i+1), Strength: strconv.Itoa(mean),
		}
		ratings := make([]int, members)
		for k := range ratings {
			ratings[k] = max(low, min(high, mean+g.in(interval{-100, 100})))
		}
		slices.SortFunc(ratings, func(a, b int) int { return b - a })
		for _, rating := range ratings {
			p := trf.Player{Number: len(g.report.Players) + 1, Rating: strconv.Itoa(rating)}
			p.Name = fmt.Sprintf("Test%04d Team%03d", p.Number, t.Number)
			if g.rand.IntN(100) < g.value["UnratedPercentage"] || rating == 0 {
				p.Rating = ""
			}
			g.strength = append(g.strength, max(1, rating))
			t.Members = append(t.Members, p.Number)
			g.report.Players = append(g.report.Players, p)
		}
		g.report.Teams = append(g.report.Teams, t)
	}
}

// scoring sets the points of boards, matches and byes.
func (g *teamGenerator) scoring() error {
	worth := func(name string, otherwise tournament.Points) tournament.Points {
		if said, ok := g.settings.given[name]; ok {
			return said.worth
		}
		return otherwise
	}
	r, board, match := g.report, team.StandardGamePoints, team.StandardMatchPoints
	if g.rand.IntN(4) == 0 {
		match = team.MatchPoints{Win: 30, Draw: 10}
	}
	allocated := g.allocated
	if m := g.settings.model; m != nil {
		board, match = m.teams.scoring.Game, m.teams.scoring.Match
		allocated = func(team.Scoring) *trf.AllocatedLine { return m.teams.allocated() }
	}
	r.GamePoints = []trf.SymbolPoints{
		{Symbol: "W", Points: worth("PointsForWin", board.Win)},
		{Symbol: "D", Points: worth("PointsForDraw", board.Draw)},
		{Symbol: "L", Points: worth("PointsForLoss", board.Loss)},
	}
	r.MatchWorth = []trf.SymbolPoints{
		{Symbol: "TW", Points: worth("PointsForMatchWin", match.Win)},
		{Symbol: "TD", Points: worth("PointsForMatchDraw", match.Draw)},
		{Symbol: "TL", Points: worth("PointsForMatchLoss", match.Loss)},
	}
	s := r.Scoring()
	for _, three := range [][3]tournament.Points{
		{s.Game.Win, s.Game.Draw, s.Game.Loss}, {s.Match.Win, s.Match.Draw, s.Match.Loss},
	} {
		if three[0] < three[1] || three[1] < three[2] || three[0] == three[2] {
			return errors.New("a win must be worth more than a loss, and a draw not less than a loss nor more than a win")
		}
	}
	r.Allocated = allocated(s)
	return nil
}

// allocated draws what a pairing-allocated bye brings; nil for the usual.
func (g *teamGenerator) allocated(s team.Scoring) *trf.AllocatedLine {
	switch said, won := g.rand.IntN(2) == 0, g.rand.IntN(2) == 0; {
	case !said:
		return nil
	case won:
		return &trf.AllocatedLine{Totals: s.Won()}
	}
	return &trf.AllocatedLine{Totals: s.Drawn()}
}

// regulations sets system, colour, tie-breaks and forbidden pairs.
func (g *teamGenerator) regulations() error {
	r, given := g.report, g.settings.given
	word := func(name string, of ...string) string {
		drawn := of[g.rand.IntN(len(of))]
		return strings.ToUpper(cmp.Or(given[name].text, g.settings.modelWord(name), drawn))
	}
	r.Initial = map[string]pairing.Colour{"W": pairing.White, "B": pairing.Black}[word("InitialColour", "W", "B")]
	preference, primary := word("Preference", "A", "B", "none"), word("Primary", "MP", "GP")
	r.System = "FIDE_TEAM"
	if preference != "NONE" {
		r.System += "_TYPE" + preference
	}
	r.System += "_" + primary
	if word("Secondary", "other", "other", "none") == "OTHER" {
		r.System += "_" + string(team.Score(primary).Other())
	}
	if strings.EqualFold(cmp.Or(given["Acceleration"].text, g.settings.modelWord("Acceleration")), "baku") {
		if primary == "GP" {
			return errors.New("the Baku Acceleration of teams needs match points as the primary score: Primary=MP")
		}
		r.System += "_BAKU"
	}
	r.TieBreaks = teamLists[g.rand.IntN(len(teamLists))]
	if m := g.settings.model; m != nil && m.tieBreaks != "" {
		r.TieBreaks = m.tieBreaks
	}
	if said := given["TieBreaks"].codes; len(said) > 0 {
		r.TieBreaks = strings.Join(said, ",")
	}
	r.Standings = "PTS," + r.TieBreaks
	return nil
}

// plan draws absences and forbidden pairs of teams, as if each team were a player.
func (g *teamGenerator) plan() error {
	g.generator.report = &trf.Report{Rounds: g.report.Rounds, Players: make([]trf.Player, len(g.report.Teams))}
	g.value["ReturnRate"], g.value["HalfPointByeRate"] = never, never
	g.absences()
	if err := g.bans(); err != nil {
		return err
	}
	g.report.Apart = g.generator.report.Forbidden
	return nil
}

// play pairs and plays all rounds, and ranks the teams.
func (g *teamGenerator) play(seed uint64) error {
	r := g.report
	r.Name = fmt.Sprintf("quatuor trf generate, seed %d", seed)
	if err := r.SetTotals(); err != nil {
		return err
	}
	g.pairer = teamswiss.Pairer{
		Preference: teamswiss.Preference(r.Preference()), NoSecondary: r.Secondary() == team.NoScore,
	}
	for round := 1; round <= g.value["PlayedRounds"]; round++ {
		if err := g.round(round); err != nil {
			return fmt.Errorf("round %d: %w", round, err)
		}
	}
	if next := g.value["PlayedRounds"] + 1; next <= r.Rounds {
		g.requests(next)
	}
	if said := g.settings.text(); said != "" {
		r.Other = append(r.Other, trf.Other{Text: "### settings " + said})
	}
	return g.rank()
}

var byeKinds = map[trf.Result]team.Kind{
	trf.ZeroPoint: team.ZeroPoint, trf.HalfPoint: team.HalfPoint, trf.FullPoint: team.FullPoint,
}

// round pairs and plays a round.
func (g *teamGenerator) round(round int) error {
	h := g.report.Drawn(round)
	byes := make(map[int]team.Kind)
	for i, t := range g.report.Teams {
		h.Field[t.Number-1].Away = tournament.NoBye
		if kind, away := byeKinds[g.away[i][round-1]]; away {
			byes[t.Number] = kind
			h.Field[t.Number-1].Away = tournament.ZeroPoint
		}
	}
	if h.GroupA > 0 {
		h.GroupA = swiss.GroupA(h) // now that absences are known
	}
	drawn, err := g.pairer.Draw(h)
	if err != nil {
		return err
	}
	if drawn.Bye > 0 {
		byes[drawn.Bye] = team.Allocated
	}
	var matches []trf.Encounter
	for _, game := range drawn.Games {
		matches = append(matches, g.match(game))
	}
	g.report.AddRound(matches, byes)
	return g.report.SetTotals()
}

// match draws the boards of a match.
func (g *teamGenerator) match(game swiss.Game) trf.Encounter {
	e := trf.Encounter{White: game.White, Black: game.Black}
	lineUps := [2][]int{g.lineUp(game.White), g.lineUp(game.Black)}
	forfeited, both, first := g.one("MatchForfeitRate"), g.thousandth("DoubleForfeitRate"), g.rand.IntN(2) == 0
	bare := g.rand.IntN(2) == 0
	switch {
	case forfeited && both:
		e.Ruling = team.GoesToNone
	case forfeited && first:
		e.Ruling = team.GoesTo
	case forfeited:
		e.Ruling = team.GoesAway
	}
	for k := range g.value["Boards"] {
		b := trf.BoardGame{Players: [2]int{lineUps[0][k], lineUps[1][k]}}
		if forfeited && (bare || b.Players[0] == 0 || b.Players[1] == 0) {
			continue
		}
		g.board(&b, e.Ruling, k)
		e.Boards = append(e.Boards, b)
	}
	return e
}

// lineUp draws the players of a team on its boards, 0 for an empty board; the first board is never empty.
func (g *teamGenerator) lineUp(number int) []int {
	members := slices.Clone(g.report.Teams[number-1].Members)
	for len(members) > g.value["Boards"] {
		at := g.rand.IntN(len(members))
		members = slices.Delete(members, at, at+1)
	}
	if g.thousandth("OrderRate") {
		g.rand.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	}
	for len(members) < g.value["Boards"] {
		members = append(members, 0)
	}
	for k := range members {
		if empty := g.thousandth("EmptyBoardRate"); empty && k > 0 {
			members[k] = 0
		}
	}
	return members
}

// board draws the result of a board, from 0.
func (g *teamGenerator) board(b *trf.BoardGame, ruling team.Ruling, board int) {
	won, lost := trf.ForfeitWin, trf.ForfeitLoss
	switch {
	case ruling == team.GoesTo || b.Players[1] == 0:
		b.Results = [2]trf.Result{won, lost}
	case ruling == team.GoesAway || b.Players[0] == 0:
		b.Results = [2]trf.Result{lost, won}
	case ruling == team.GoesToNone:
		b.Results = [2]trf.Result{lost, lost}
	default:
		white := 0 // which side has White on this board
		if g.report.Colours[board] != 'W' {
			white = 1
		}
		b.Results[white], b.Results[1-white] = g.result(swiss.Game{White: b.Players[white], Black: b.Players[1-white]})
	}
	if b.Players[0] == 0 && b.Players[1] == 0 {
		b.Results = [2]trf.Result{}
	}
}

// requests writes the byes of the round to be paired.
func (g *teamGenerator) requests(round int) {
	for _, kind := range []trf.Result{trf.FullPoint, trf.HalfPoint, trf.ZeroPoint} {
		bye := trf.Bye{Type: kind, Round: round}
		for i, t := range g.report.Teams {
			if g.away[i][round-1] == kind {
				bye.Numbers = append(bye.Numbers, t.Number)
			}
		}
		if len(bye.Numbers) > 0 {
			g.report.TeamByes = append(g.report.TeamByes, bye)
		}
	}
}

// rank writes the ranks.
func (g *teamGenerator) rank() error {
	field := teams.FieldOfReport(g.report)
	field.TieBreaks = strings.Split(g.report.TieBreaks, ",")
	rows, err := teams.Rank(field)
	if err != nil {
		return err
	}
	for _, row := range rows {
		g.report.Teams[row.Number-1].Rank = strconv.Itoa(row.Rank)
	}
	return nil
}
