package tournament

import "slices"

// Empty reports whether a change wrote the tournament's own fields only.
func (d Delta) Empty() bool {
	return len(d.Entries) == 0 && len(d.RemovedEntry) == 0 && len(d.Rounds) == 0 && len(d.RemovedRounds) == 0 &&
		len(d.Pairings) == 0 && len(d.Changes) == 0 && len(d.Inputs) == 0 && len(d.Acts) == 0 && len(d.Records) == 0
}

// Then merges a later change into d, so that both can be stored at once: of parts that both wrote, the later value wins.
func (d Delta) Then(later Delta) Delta {
	out := Delta{
		Entries:       replace(d.Entries, later.Entries, func(a, b Entry) bool { return a.ID == b.ID }),
		RemovedEntry:  append(slices.Clone(d.RemovedEntry), later.RemovedEntry...),
		Rounds:        replace(d.Rounds, later.Rounds, func(a, b Round) bool { return a.Number == b.Number }),
		RemovedRounds: append(slices.Clone(d.RemovedRounds), later.RemovedRounds...),
		Changes:       append(slices.Clone(d.Changes), later.Changes...),
		Inputs:        append(slices.Clone(d.Inputs), later.Inputs...),
		Acts:          append(slices.Clone(d.Acts), later.Acts...),
		Records:       append(slices.Clone(d.Records), later.Records...),
	}
	// A single pairing that changed after its whole round had been listed belongs into that round.
	for _, p := range later.Pairings {
		if i := slices.IndexFunc(out.Rounds, func(r Round) bool { return r.Number == p.Round }); i >= 0 {
			out.Rounds[i].Pairings = slices.Clone(out.Rounds[i].Pairings)
			out.Rounds[i].Pairings[p.Pairing.Board-1] = p.Pairing
		}
	}
	same := func(a, b RoundPairing) bool { return a.Round == b.Round && a.Pairing.Board == b.Pairing.Board }
	out.Pairings = slices.DeleteFunc(replace(d.Pairings, later.Pairings, same), func(p RoundPairing) bool {
		return slices.ContainsFunc(out.Rounds, func(r Round) bool { return r.Number == p.Round })
	})
	return out
}

// replace returns the earlier items that have no successor among the later ones, then the later ones.
func replace[T any](earlier, later []T, same func(a, b T) bool) []T {
	var out []T
	for _, a := range earlier {
		if !slices.ContainsFunc(later, func(b T) bool { return same(a, b) }) {
			out = append(out, a)
		}
	}
	return append(out, later...)
}
