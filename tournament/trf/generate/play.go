package generate

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/swiss"
	"quatuor/tournament/standings"
	"quatuor/tournament/trf"
)

// play pairs and plays all rounds, and returns the finished report.
func (g *generator) play(seed uint64) (*trf.Report, error) {
	r := g.report
	r.Name = fmt.Sprintf("quatuor trf generate, seed %d", seed)
	for round := 1; round <= g.value["PlayedRounds"]; round++ {
		if err := g.round(round); err != nil {
			return nil, fmt.Errorf("round %d: %w", round, err)
		}
	}
	if next := g.value["PlayedRounds"] + 1; next <= r.Rounds {
		g.requests(next)
	}
	if err := g.rank(); err != nil {
		return nil, err
	}
	if said := g.settings.text(); said != "" {
		r.Other = append(r.Other, trf.Other{Text: "### settings " + said})
	}
	return r, nil
}

// text returns the settings on a single line.
func (s Settings) text() string {
	var out []string
	for _, k := range slices.Concat(keys, teamKeys) {
		if said, ok := s.given[k.name]; ok {
			out = append(out, k.name+"="+said.text)
		}
	}
	if s.model != nil {
		out = append(out, "and a model")
	}
	return strings.Join(out, " ")
}

// Seed returns the default seed of settings; equal settings have the same seed.
func (s Settings) Seed() uint64 {
	h := sha256.New()
	h.Write([]byte(s.text()))
	if s.model != nil {
		h.Write(s.model.report)
	}
	return binary.LittleEndian.Uint64(h.Sum(nil)) >> 1 // fits into a signed number, as other programs have it
}

// round adds the cells of a round to all players.
func (g *generator) round(round int) error {
	r := g.report
	for i := range r.Players {
		r.Players[i].Cells = append(r.Players[i].Cells, trf.Cell{Result: g.away[i][round-1]})
	}
	h := r.Drawn(round)
	g.accelerate(&h)
	drawn, err := g.pairer.Draw(h)
	if err != nil {
		return err
	}
	for _, game := range drawn.Games {
		white, black := g.result(game)
		r.Players[game.White-1].Cells[round-1] = trf.Cell{Opponent: game.Black, Colour: pairing.White, Result: white}
		r.Players[game.Black-1].Cells[round-1] = trf.Cell{Opponent: game.White, Colour: pairing.Black, Result: black}
	}
	if drawn.Bye > 0 {
		r.Players[drawn.Bye-1].Cells[round-1].Result = trf.Allocated
	}
	return nil
}

// accelerate writes the virtual points into the report, once group A is known.
func (g *generator) accelerate(h *pairing.History) {
	r := g.report
	if !r.Baku() || g.pairer.Virtual != nil {
		return
	}
	group := swiss.GroupA(*h)
	points := swiss.Baku(group, r.Rounds, r.Points)
	for round := 1; round <= r.Rounds && group > 0; round++ {
		worth := points(1, round)
		last := len(r.Virtual) - 1
		switch {
		case worth == 0:
		case last >= 0 && r.Virtual[last].Points == worth:
			r.Virtual[last].Last = round
		default:
			r.Virtual = append(r.Virtual, trf.Virtual{Points: worth, First: round, Last: round, From: 1, To: group})
		}
	}
	g.pairer.Virtual = r.VirtualPoints
}

// result draws the result of a game, for White and for Black.
func (g *generator) result(game swiss.Game) (white, black trf.Result) {
	forfeit, both, first := g.one("ForfeitRate"), g.thousandth("DoubleForfeitRate"), g.rand.IntN(2) == 0
	white, black = g.played(game)
	allLose, oneLoses, quick := g.thousandth("BothLoseRate"), g.thousandth("HalfLossRate"), g.thousandth("QuickgameRate")
	switch {
	case forfeit && both:
		return trf.ForfeitLoss, trf.ForfeitLoss
	case forfeit && first:
		return trf.ForfeitWin, trf.ForfeitLoss
	case forfeit:
		return trf.ForfeitLoss, trf.ForfeitWin
	case allLose:
		return trf.Loss, trf.Loss
	case oneLoses && first:
		return trf.Draw, trf.Loss
	case oneLoses:
		return trf.Loss, trf.Draw
	case quick:
		return white.Unrated(), black.Unrated()
	}
	return white, black
}

// played draws a result by the rating expectation. Draws are as many as set, unless the stronger player's expectation
// leaves no room for them.
func (g *generator) played(game swiss.Game) (white, black trf.Result) {
	const cap = 400
	lead := g.strength[game.White-1] - g.strength[game.Black-1]
	expected := standings.Expectation(max(-cap, min(cap, lead))) // of White, in hundredths
	draws := min(g.value["DrawPercentage"], 2*expected, 2*(100-expected))
	switch drawn := g.rand.IntN(200); {
	case drawn < 2*draws:
		return trf.Draw, trf.Draw
	case drawn < 2*draws+2*expected-draws:
		return trf.Win, trf.Loss
	}
	return trf.Loss, trf.Win
}

// requests writes the byes of the round to be paired.
func (g *generator) requests(round int) {
	for i := range g.report.Players {
		p := &g.report.Players[i]
		if bye := g.away[i][round-1]; bye != trf.NoResult {
			p.Cells = append(p.Cells, trf.Cell{Result: bye})
		}
	}
}

// rank writes points and ranks.
func (g *generator) rank() error {
	r := g.report
	field := standings.FieldOfReport(r)
	field.TieBreaks = strings.Split(r.TieBreaks, ",")
	table, err := standings.Rank(field)
	if err != nil {
		return err
	}
	for _, row := range table.Rows {
		p := &r.Players[row.Entry.Number-1]
		p.Points, p.Rank = row.Points, row.Rank
	}
	rated := slices.DeleteFunc(slices.Clone(r.Players), func(p trf.Player) bool { return p.Rating == "" })
	r.RatedPlayers = fmt.Sprint(len(rated))
	return nil
}

// absences draws the rounds that players miss: late entries, withdrawals, returns and byes on request.
func (g *generator) absences() {
	rounds := g.report.Rounds
	g.away = make([][]trf.Result, len(g.report.Players))
	for i := range g.away {
		g.away[i] = slices.Repeat([]trf.Result{trf.NoResult}, rounds)
		arrives, leaves, returns := 0, rounds, rounds
		if rounds > 2 && g.one("LateEntryRate") {
			arrives = 1 + g.rand.IntN(min(3, rounds-1))
		}
		if rounds > 2 && g.one("RetiredRate") {
			leaves = 1 + g.rand.IntN(rounds-1)
		} else if rounds > 3 && g.one("ReturnRate") {
			leaves = 1 + g.rand.IntN(rounds-2)
			returns = leaves + 1 + g.rand.IntN(rounds-leaves)
		}
		half := -1
		if rounds > 2 && g.one("HalfPointByeRate") {
			half = g.rand.IntN(rounds - 1)
		}
		for round := range rounds {
			g.away[i][round] = g.bye(round, rounds, half)
			if round < arrives || round >= leaves && (round < returns || returns == rounds) {
				g.away[i][round] = trf.ZeroPoint
			}
		}
	}
}

// bye draws a bye on request. No half-point bye is given in the last round.
func (g *generator) bye(round, rounds, half int) trf.Result {
	zero, full, halves := g.thousandth("ZPBRate"), g.thousandth("FPBRate"), g.thousandth("HPBRate")
	switch {
	case zero:
		return trf.ZeroPoint
	case full:
		return trf.FullPoint
	case (halves || round == half) && round < rounds-1:
		return trf.HalfPoint
	}
	return trf.NoResult
}

// one draws an event with a rate of 1 in n; never for the rate never.
func (g *generator) one(key string) bool {
	drawn := g.rand.IntN(never)
	return g.value[key] < never && drawn < never/max(1, g.value[key])
}

// thousandth draws an event with a rate in a thousand.
func (g *generator) thousandth(key string) bool { return g.rand.IntN(1000) < g.value[key] }
