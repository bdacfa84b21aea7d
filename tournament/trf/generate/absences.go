package generate

import (
	"slices"

	"quatuor/tournament/trf"
)

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
