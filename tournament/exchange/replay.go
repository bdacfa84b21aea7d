package exchange

import (
	"quatuor/tournament/pairing/swiss"
	"quatuor/tournament/trf"
	"quatuor/tournament/trf/check"
)

// maxReplay bounds the work of comparing rounds: players times rounds.
const maxReplay = 20_000

// differences returns the differences of a round from the rules, except pairs that an arbiter may have set by hand.
func differences(r *trf.Report, round int) (found []swiss.Difference, err error) {
	rebuilt, err := check.Rebuild(r, round)
	for _, d := range rebuilt.Differences {
		if !r.HandPaired(round) || !d.Allowed() {
			found = append(found, d)
		}
	}
	return found, err
}

// replay notes the rounds of a Swiss that are not as the rules pair them. Rounds that the file calls set by hand may
// differ, as long as no pair breaks an absolute rule.
func (i *importer) replay() {
	if !i.swiss() || i.report.Followed() != nil {
		return
	}
	if len(i.players)*i.played > maxReplay {
		i.note("the rounds are too large to be compared with the rules here; quatuor trf check does")
		return
	}
	unbanned := *i.report
	unbanned.Forbidden = nil // pairs may have been forbidden after they met
	for round := 1; round < i.report.NextRound(); round++ {
		found, err := differences(i.report, round)
		if len(found) > 0 && len(i.report.Forbidden) > 0 {
			if without, err := differences(&unbanned, round); err == nil && len(without) == 0 {
				continue
			}
		}
		i.absolute(round, found)
		switch {
		case len(found) == 0 && err == nil:
		case len(found) == 0:
			i.note("round %d cannot be compared with the rules", round)
		case found[0].Black == 0:
			i.note("round %d is not as the rules pair it (%d boards differ): player %d has no game there", round, len(found),
				found[0].White)
		default:
			i.note("round %d is not as the rules pair it (%d boards differ): players %d and %d meet there", round, len(found),
				found[0].White, found[0].Black)
		}
	}
}

// absolute notes byes and colours of a round that no arbiter may set (C2, C3); repeated pairs have notes of their own.
func (i *importer) absolute(round int, found []swiss.Difference) {
	for _, d := range found {
		switch d.Because.Criterion {
		case swiss.C2:
			i.note("round %d: player %d has the bye, and had one or a win without playing before (C2)", round, d.White)
		case swiss.C3:
			i.note("round %d: players %d and %d must both have the same colour, and meet (C3)", round, d.White, d.Black)
		default:
		}
	}
}
