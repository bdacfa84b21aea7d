package tables

import "quatuor/engine/sentence"

// Advice returns a warning for the organiser of a field with this number of entries and rounds, or "". If meetings
// count before scores and each entry meets more than half of the field, the last rounds seat leaders with the tail,
// because entries of equal scores have met. A single round has no leaders.
func (r Rules) Advice(entries, rounds int) sentence.Sentence {
	met := rounds * (r.Preferred - 1)
	if r.MeetingsSecond || rounds < 2 || 2*met <= entries {
		return sentence.Sentence{}
	}
	fit := entries / 2 / (r.Preferred - 1)
	if fit < 2 { // fewer rounds are no way out
		return sentence.New("in %d rounds each of %d entries meets %d others, more than half of the field: the last "+
			"rounds will seat leaders with the tail. Choose meetings: second, so that scores count first", rounds, entries, met)
	}
	return sentence.New("in %d rounds each of %d entries meets %d others, more than half of the field: the last rounds "+
		"will seat leaders with the tail. Choose meetings: second, so that scores count first, or at most %d rounds", rounds, entries, met, fit)
}
