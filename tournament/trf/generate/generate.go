// Package generate makes tournaments by chance, paired by the FIDE (Dutch) System and ranked by their own list of
// tie-breaks, as report files. What is not set is drawn; the same seed and settings always make the same file.
// A seed that is not given follows from the settings.
//
// Results follow the rating expectation (FIDE Rating Regulations B.02, 8.1.2, differences over 400 counting as 400):
// the stronger player of a pair scores what the table expects in the long run. Players without a rating have a
// strength of their own that is not written.
package generate

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/swiss"
	"quatuor/tournament/trf"
)

// attempts is the number of tournaments begun for a seed before giving up, if a round cannot be paired.
const attempts = 25

// Tournament returns the tournament of a seed. Errors wrap tournament.ErrUnpairable if the settings leave no way to
// pair all rounds.
func Tournament(s Settings, seed uint64) (*trf.Report, error) {
	if err := s.checkPlayers(); err != nil {
		return nil, err
	}
	var last error
	for attempt := range uint64(attempts) {
		g := &generator{rand: rand.New(rand.NewPCG(seed, attempt)), settings: s}
		if err := g.draw(); err != nil {
			return nil, err
		}
		report, err := g.play(seed)
		if err == nil || !errors.Is(err, tournament.ErrUnpairable) {
			return report, err
		}
		last = err
	}
	return nil, fmt.Errorf("none of %d attempts could be paired to the end: %w", attempts, last)
}

// generator makes a tournament.
type generator struct {
	rand     *rand.Rand
	settings Settings
	value    map[string]int // of the whole numbers
	strength []int
	away     [][]trf.Result // by player and round: the bye on request, NoResult for none
	pairer   swiss.Pairer
	report   *trf.Report
}

// draw draws the values that are not given. Everything is drawn in any case, so that a setting changes as little as
// possible of a seed's tournament.
func (g *generator) draw() error {
	g.drawNumbers(keys)
	g.fit()
	g.report = &trf.Report{Rounds: g.value["RoundsNumber"], Controller: "quatuor", Kind: "Individual: Swiss-System"}
	if err := g.players(); err != nil {
		return err
	}
	g.points()
	if err := g.rules(); err != nil {
		return err
	}
	g.absences()
	return nil
}

// drawNumbers draws the whole numbers that neither the settings nor the model has.
func (g *generator) drawNumbers(keys []key) {
	g.value = make(map[string]int)
	for _, k := range keys {
		if k.kind != whole {
			continue
		}
		drawn := g.in(k.usual)
		if said, ok := g.settings.given[k.name]; ok {
			drawn = g.in(said.whole)
		} else if m := g.settings.model; m != nil {
			if n, ok := m.values[k.name]; ok {
				drawn = n
			}
		}
		g.value[k.name] = drawn
	}
}

func (g *generator) in(i interval) int { return i.low + g.rand.IntN(i.high-i.low+1) }

// fit keeps what was drawn within what is given: rounds that the players can play, ratings in their order.
func (g *generator) fit() {
	v := g.value
	if list := g.settings.given["Ratings"].list; len(list) > 0 {
		v["PlayersNumber"] = len(list)
	} else if m := g.settings.model; m != nil && !g.has("PlayersNumber") {
		v["PlayersNumber"] = m.size
	}
	if limit := max(1, (v["PlayersNumber"]-1)/2); !g.has("RoundsNumber") && v["RoundsNumber"] > limit {
		v["RoundsNumber"] = limit
	}
	v["PlayedRounds"] = min(v["PlayedRounds"], v["RoundsNumber"])
	if v["LowestRating"] > v["HighestRating"] {
		if g.has("HighestRating") {
			v["LowestRating"] = v["HighestRating"]
		} else {
			v["HighestRating"] = v["LowestRating"]
		}
	}
}

// has reports whether a key is given, by the settings or the model.
func (g *generator) has(name string) bool {
	_, ok := g.settings.given[name]
	if m := g.settings.model; m != nil && !ok {
		_, ok = m.values[name]
	}
	return ok
}

// players creates the players in the order of their ratings.
func (g *generator) players() error {
	given := g.settings.given
	if given["LowestRating"].whole.low > given["HighestRating"].whole.high && given["HighestRating"].name != "" {
		return errors.New("LowestRating is higher than HighestRating")
	}
	ratings := g.ratings()
	for i, rating := range ratings {
		p := trf.Player{Number: i + 1, Name: fmt.Sprintf("Test%04d Player%04d", i+1, i+1)}
		if m := g.settings.model; m != nil && i < len(m.players) && len(m.players) == len(ratings) {
			p = m.players[i]
		}
		if rating > 0 {
			p.Rating = strconv.Itoa(rating)
		}
		g.report.Players = append(g.report.Players, p)
		if rating == 0 {
			rating = max(1, g.in(interval{min(1400, g.value["LowestRating"]), max(1400, g.value["LowestRating"])}))
		}
		g.strength = append(g.strength, rating)
	}
	return nil
}

// ratings returns the ratings of all players, highest first, 0 for unrated players at the end.
func (g *generator) ratings() []int {
	if list := g.settings.given["Ratings"].list; len(list) > 0 {
		out := slices.Clone(list)
		slices.SortFunc(out, func(a, b int) int { return b - a })
		return out
	}
	if m := g.settings.model; m != nil && len(m.players) == g.value["PlayersNumber"] {
		return m.ratings
	}
	out := make([]int, g.value["PlayersNumber"])
	low, high, groups := g.value["LowestRating"], g.value["HighestRating"], g.value["Groups"]
	for i := range out {
		drawn := g.in(interval{low, high})
		if groups > 1 {
			group := g.rand.IntN(groups)
			width := max(1, (high-low-(groups-1)*g.value["Separator"])/groups)
			drawn = min(high, low+group*(width+g.value["Separator"])+g.rand.IntN(width))
		}
		if step := g.value["RatingStep"]; step > 0 {
			drawn = max(1, high-i*step)
		}
		if g.rand.IntN(100) < g.value["UnratedPercentage"] {
			drawn = 0
		}
		out[i] = drawn
	}
	slices.SortFunc(out, func(a, b int) int { return b - a })
	return out
}

// points sets the point system, and lines 299 for what it cannot express.
func (g *generator) points() {
	r := g.report
	worth := func(name string, otherwise tournament.Points) tournament.Points {
		if said, ok := g.settings.given[name]; ok {
			return said.worth
		}
		return otherwise
	}
	s := tournament.StandardPoints
	if m := g.settings.model; m != nil {
		s = m.points
		r.Abnormal = slices.Clone(m.abnormal)
	}
	s.Win = worth("PointsForWin", s.Win)
	s.Draw = worth("PointsForDraw", s.Draw)
	s.Loss = worth("PointsForLoss", s.Loss)
	lost := worth("PointsForForfeitLoss", s.ForfeitLoss)
	s.ForfeitWin, s.ForfeitLoss = s.Win, worth("PointsForZPB", lost)
	if _, set := g.settings.given["PointsForWin"]; set || g.settings.model == nil {
		s.Bye = s.Win
	}
	s.Bye = worth("PointsForPAB", s.Bye)
	r.Points, r.Unknown = s, s.Draw
	for _, special := range []trf.Abnormal{
		{Type: trf.ForfeitLoss, Points: lost},
		{Type: trf.ForfeitWin, Points: worth("PointsForForfeitWin", s.Win)},
		{Type: trf.HalfPoint, Points: worth("PointsForHPB", s.Draw)},
		{Type: trf.FullPoint, Points: worth("PointsForFPB", s.Win)},
	} {
		if special.Points != r.Worth(trf.Cell{Result: special.Type}) {
			r.Abnormal = append(r.Abnormal, special)
		}
	}
}

// lists are the lists of tie-breaks to draw from.
var lists = []string{
	"BH/C1,BH,DE,SB,WIN", "BH/C1,BH,SB,PS", "DE,WIN,BH/C1,BH", "BH,BH/M1,DE,WON,BPG", "BH/C2,BH/C1,SB/C1,REP",
	"DE,BH,FB,STD,BWG", "WIN,BH/C1,AOB,SB",
}

// rules sets colour, acceleration, tie-breaks and forbidden pairs.
func (g *generator) rules() error {
	r, given, m := g.report, g.settings.given, g.settings.model
	r.Initial = pairing.White + pairing.Colour(g.rand.IntN(2))*(pairing.Black-pairing.White)
	if said := given["InitialColour"].text; said != "" {
		r.Initial = map[string]pairing.Colour{"W": pairing.White, "B": pairing.Black}[strings.ToUpper(said)]
	}
	r.System = "FIDE_DUTCH"
	r.TieBreaks = lists[g.rand.IntN(len(lists))]
	if m != nil && m.tieBreaks != "" {
		r.TieBreaks = m.tieBreaks
	}
	if said := given["TieBreaks"].codes; len(said) > 0 {
		r.TieBreaks = strings.Join(said, ",")
	}
	r.Standings = "PTS," + r.TieBreaks
	baku := strings.EqualFold(given["Acceleration"].text, "baku") || given["Acceleration"].text == "" && m != nil && m.baku
	if p := r.Points; baku && (p.Loss != 0 || 2*p.Draw != p.Win) {
		return errors.New("the Baku Acceleration needs a win worth two draws, and a loss worth nothing")
	}
	if baku {
		r.System += "_BAKU"
	}
	return g.bans()
}

// bans sets the forbidden pairs.
func (g *generator) bans() error {
	n, r := len(g.report.Players), g.report
	said := g.settings.given["Forbidden"].lists
	for _, numbers := range said {
		if most := slices.Max(numbers); most > n {
			return fmt.Errorf("there is no player %d to be forbidden", most)
		}
		r.Forbidden = append(r.Forbidden, trf.Forbidden{First: 1, Last: trf.EveryRound, Numbers: numbers})
	}
	if m := g.settings.model; m != nil && said == nil && m.size == n {
		r.Forbidden = append(r.Forbidden, m.forbidden...)
	}
	for range g.value["ForbiddenPairs"] {
		a, b := g.rand.IntN(n)+1, g.rand.IntN(n)+1
		if a != b && said == nil && n > 7 {
			r.Forbidden = append(r.Forbidden, trf.Forbidden{First: 1, Last: trf.EveryRound, Numbers: []int{min(a, b), max(a, b)}})
		}
	}
	return nil
}
