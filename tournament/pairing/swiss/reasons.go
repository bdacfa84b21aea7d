package swiss

import (
	"strconv"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

var _ pairing.Explainer = Pairer{}

// chapter is the place of the Dutch system in the FIDE Handbook.
const chapter = "C.04.3 "

// Reasons returns, for every board, why these two and why these colours, and why a player has the bye.
func (p Pairer) Reasons(h pairing.History, a pairing.Audience) (pairing.Reasons, error) {
	round, why, err := p.Explain(h)
	if err != nil {
		return pairing.Reasons{}, err
	}
	id := func(number int) string { return h.Field[number-1].Entry.ID }
	var out pairing.Reasons
	for i, g := range round.Games {
		out.Boards = append(out.Boards, why.Pairs[i].reason(a, id, id(g.White), id(g.Black)))
	}
	for _, f := range why.Floats {
		if f.Bye {
			out.Boards = append(out.Boards, pairing.Reason{
				Seats: []string{id(f.Number)}, Bye: tournament.PairingAllocated, Meeting: f.sentence(a.Name),
				Articles: []string{chapter + "C2", chapter + "C5"}, Criterion: criterion(f.Criterion),
			})
			continue
		}
		float := pairing.Float{Entry: id(f.Number), Bracket: f.Bracket.String(), Text: f.sentence(a.Name)}
		out.Floats = append(out.Floats, float)
	}
	for _, away := range round.Away {
		out.Boards = append(out.Boards, pairing.Reason{
			Seats: []string{id(away.Number)}, Bye: away.Bye, Meeting: awayWords(a.Name(away.Number), away.Bye),
			Articles: []string{"C.04.2"},
		})
	}
	return out, nil
}

// reason returns the reason for a pair in words for an audience.
func (r Reason) reason(a pairing.Audience, id func(int) string, seats ...string) pairing.Reason {
	if r.PassedOver.Criterion == Ban && !a.Staff {
		r.PassedOver.Criterion = NotAllowed
	}
	out := pairing.Reason{
		Seats: seats, Meeting: r.meeting(a.Name), Colours: r.colours(a.Name), Bracket: r.Bracket.String(),
		Articles: []string{chapter + r.ColourRule.article()},
	}
	if n := r.PassedOver.Number; n > 0 {
		out.PassedOver, out.Criterion = id(n), criterion(r.PassedOver.Criterion)
		if c := r.PassedOver.Criterion; c >= C1 && c <= C21 {
			out.Articles = append([]string{chapter + out.Criterion}, out.Articles...)
		}
	}
	return out
}

// criterion returns a criterion's name in the Handbook, or a word for what else decided.
func criterion(c Criterion) string {
	switch c {
	case Exchanges:
		return "exchanges"
	case Differences:
		return "differences"
	case Sequence:
		return "sequence"
	case Ban:
		return "forbidden"
	case NotAllowed:
		return "not-allowed"
	}
	return "C" + strconv.Itoa(int(c))
}

// awayWords returns the sentence why an entry is not paired.
func awayWords(name string, bye tournament.Bye) sentence.Sentence {
	switch bye {
	case tournament.HalfPoint:
		return sentence.New("%s asked not to be paired and has a half-point bye.", name)
	case tournament.FullPoint:
		return sentence.New("%s has a full-point bye on request.", name)
	}
	return sentence.New("%s is not paired: withdrawn, or away on request.", name)
}
