package organise

import (
	"math/bits"
	"strconv"
	"strings"

	"quatuor/api/pages/forms"
	"quatuor/tournament"
)

// hint advises on the format for a number of players and hours.
type hint struct {
	Players, Hours string // the texts typed
	Format         tournament.Format
	Rounds         int
	Each           int // minutes that a round takes, with a break
	Whole          int // minutes of all rounds
	Tight          bool
}

// advise returns a hint; nil if the numbers are not there.
func advise(players, hours, control string) *hint {
	n, err := strconv.Atoi(strings.TrimSpace(players))
	h, err2 := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(hours), ",", "."), 64)
	if err != nil || err2 != nil || n < 2 || n > 10_000 || !(h > 0 && h <= 1000) {
		return nil
	}
	out := &hint{Players: players, Hours: hours, Each: forms.RoundMinutes(control)}
	fit := int(h * 60 / float64(out.Each))
	all := n - 1 + n%2
	least := bits.Len(uint(n - 1)) // at most a single perfect score
	switch {
	case all <= fit && n <= 8 && 2*all <= fit && n <= 4:
		out.Format, out.Rounds = tournament.DoubleRoundRobin, 2*all
	case all <= fit && n <= 8:
		out.Format, out.Rounds = tournament.RoundRobin, all
	case fit < least:
		out.Format = tournament.Swiss
		out.Rounds = max(1, min(least, all))
		out.Tight = true
	default:
		out.Format, out.Rounds = tournament.Swiss, min(fit, least+2, all)
	}
	out.Whole = out.Rounds * out.Each
	return out
}
