package keizer

import (
	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// awayWords are the reasons of entries that are not paired.
var awayWords = map[tournament.Bye]sentence.Sentence{
	tournament.ZeroPoint: sentence.Fixed("Absent on this evening."),
	tournament.ClubDuty:  sentence.Fixed("Plays for the club on this evening."),
	tournament.NoShow:    sentence.Fixed("Absent without notice."),
}

// explainer explains the pairs of a round in turn, from the top.
type explainer struct {
	h         pairing.History
	a         pairing.Audience
	drawn     Pairings
	rules     tournament.KeizerRules
	order     []int        // numbers by rank
	rank      map[int]int  // by number
	free      map[int]bool // numbers that are yet to be paired
	histories []history    // by index, which is the number less 1, as in their maps
}

// pair explains a pair and marks both players as paired.
func (e *explainer) pair(p Pairing, r *pairing.Reason) {
	high, low := p.White, p.Black
	if e.rank[low] < e.rank[high] {
		high, low = low, high
	}
	e.free[high], e.free[low] = false, false
	r.Meeting = sentence.New("%s (%d) meets the highest-ranked opponent with whom all others can be paired, %s (%d).",
		e.a.Name(high), e.rank[high], e.a.Name(low), e.rank[low])
	for _, n := range e.order[e.rank[high] : e.rank[low]-1] {
		if e.free[n] {
			r.PassedOver = e.h.Field[n-1].Entry.ID
			r.Meeting = sentence.Join(" ", r.Meeting, e.against(high, n))
			break
		}
	}
	if !e.may(high, low, e.rules.Gap, e.rules.Meetings) {
		_, last := e.met(high, low)
		r.Meeting = sentence.Join(" ", r.Meeting, sentence.New(
			"They met last in round %d; without an exception not all could be paired.", last))
	}
	r.Colours = e.colours(p)
}

// met returns the number of meetings of two players, and the round of the last.
func (e *explainer) met(a, b int) (times, last int) {
	h := e.histories[a-1]
	return h.met[b-1], h.last[b-1]
}

// may reports whether two may meet by their earlier games.
func (e *explainer) may(a, b, gap, meetings int) bool {
	times, last := e.met(a, b)
	return times < meetings && (times == 0 || e.h.Round-1-last >= gap)
}

// against returns the reason why a player is not paired with the player next above the opponent.
func (e *explainer) against(a, b int) sentence.Sentence {
	name := e.a.Name(b)
	times, last := e.met(a, b)
	switch {
	case times >= e.drawn.Meetings:
		return sentence.New("Not with %s: they have met %d times.", name, times)
	case !e.may(a, b, e.drawn.Gap, e.drawn.Meetings):
		return sentence.New("Not with %s: they met in round %d.", name, last)
	case e.h.Barred(a, b) && e.a.Staff:
		return sentence.New("Not with %s: they are not to meet.", name)
	}
	return sentence.New("Not with %s: then not all could be paired.", name)
}

// colours returns why the seats are so.
func (e *explainer) colours(p Pairing) sentence.Sentence {
	white, name := pairing.SeatWord(pairing.White), e.a.Name(p.White)
	switch p.Why {
	case FewerWhites:
		return sentence.New("%s has %v, having had it less often, on balance, than %s.", name, white, e.a.Name(p.Black))
	case Alternating:
		return sentence.New("%s has %v: where their seats last differed, it was the other way round.", name, white)
	case HigherRank:
		return sentence.New("%s has %v: the higher-ranked has the other seat than in the last game.", name, white)
	case FirstColour:
	}
	return sentence.New("%s has %v: in their first game the higher-ranked has it in odd rounds.", name, white)
}

// Review returns the irregularities in the present pairs of a round: two players that may not meet yet, or are kept
// apart, and players that are absent.
func (p Pairer) Review(h pairing.History, round []tournament.Pairing, unpaired []tournament.Entry) []pairing.Warning {
	ranking, err := p.ranking(h)
	if err != nil {
		return nil
	}
	e := explainer{h: h, histories: ranking.histories()}
	return pairing.ReviewPresence(h, round, unpaired, func(a, b int) bool {
		return e.may(a, b, p.Rules.Keizer.Gap, p.Rules.Keizer.Meetings)
	})
}
