package teamswiss

import (
	"fmt"
	"strconv"
	"strings"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

var (
	_ pairing.Pairer    = Pairer{}
	_ pairing.Adviser   = Pairer{}
	_ pairing.Explainer = Pairer{}
)

// chapter is the place of the system in the FIDE Handbook.
const chapter = "C.04.6 "

// worseBy describes the loss by each criterion that ruled a candidate out.
var worseBy = map[Criterion]sentence.Sentence{
	C3:         sentence.New("the others could not all be paired then (C3)"),
	C4:         sentence.New("more upfloaters would be needed (C4)"),
	C5:         sentence.New("upfloaters with lower scores would be needed (C5)"),
	C6:         sentence.New("the next scoregroup would need more upfloaters (C6)"),
	C7:         sentence.New("more upfloaters would have floated in the round before, too (C7)"),
	C8:         sentence.New("more would not have the seat that they prefer (C8)"),
	C9:         sentence.New("more would not have the seat that they strongly prefer (C9)"),
	C10:        sentence.New("more opponents of upfloaters would have floated in the round before (C10)"),
	Order:      sentence.New("all else is equal, and the pairing taken comes first in order"),
	Inside:     sentence.New("the bracket could not be paired then"),
	Ban:        sentence.New("the organiser keeps them apart"),
	ByeScore:   sentence.New("its score is higher (3.4.2)"),
	ByePlays:   sentence.New("it has played fewer matches (3.4.3)"),
	ByeOrder:   sentence.New("its number is smaller (3.4.4)"),
	NotAllowed: sentence.New("they may not be paired with each other in this round"),
}

// String returns in words what got worse.
func (b Because) String() string { return b.sentence().String() }

func (b Because) sentence() sentence.Sentence {
	if b.Criterion == C1 {
		return sentence.New("they met in round %d (C1)", b.Round)
	}
	return worseBy[b.Criterion]
}

// code returns a criterion's name in the Handbook, or a word for what else decided.
func (b Because) code() string {
	switch c := b.Criterion; c {
	case Order:
		return "sequence"
	case Inside:
		return "bracket"
	case Ban:
		return "forbidden"
	case NotAllowed:
		return "not-allowed"
	case ByeScore, ByePlays, ByeOrder:
		return fmt.Sprintf("3.4.%d", 2+c-ByeScore)
	default:
		return "C" + strconv.Itoa(int(c))
	}
}

// Words returns in words why two met and why with these colours; name returns a number's name.
func (r Reason) Words(name func(number int) string) string {
	return r.meeting(name).String() + " " + r.colours(name).String()
}

func (r Reason) meeting(name func(int) string) sentence.Sentence {
	other := r.First + r.Second - r.Top
	parts := []sentence.Sentence{
		sentence.New("In the bracket with score %s, %s meets the first opponent possible: %s.", r.Bracket, name(r.Top),
			name(other)),
	}
	if r.Virtual != [2]tournament.Points{} {
		parts = append(parts, sentence.New("Scores have virtual points of the acceleration: %s has %s, %s has %s (C.04.7).",
			name(r.First), r.Virtual[0], name(r.Second), r.Virtual[1]))
	}
	if r.NotMet.Number > 0 {
		parts = append(parts, sentence.New("Not %s: %s.", name(r.NotMet.Number), r.NotMet.sentence()))
	}
	if len(r.Upfloaters) > 0 {
		names := make([]string, len(r.Upfloaters))
		for i, number := range r.Upfloaters {
			names[i] = name(number)
		}
		parts = append(parts, sentence.New("Upfloaters of the bracket: %s.", strings.Join(names, ", ")))
		if r.NotFloated.Number > 0 {
			parts = append(parts, sentence.New("Not %s: %s.", name(r.NotFloated.Number), r.NotFloated.sentence()))
		}
	}
	return sentence.Join(" ", parts...)
}

// ByeWords returns in words why a team has the bye.
func (r Reason) ByeWords(name func(number int) string) string { return r.bye(name).String() }

func (r Reason) bye(name func(int) string) sentence.Sentence {
	out := sentence.New("%s has the bye: of the teams that leave the others a pairing, by the lowest score, most matches "+
		"played, the largest number (3.4).", name(r.First))
	if r.NotFloated.Number == 0 {
		return out
	}
	return sentence.Join(" ", out, sentence.New("Not %s: %s.", name(r.NotFloated.Number), r.NotFloated.sentence()))
}

func (r Reason) colours(name func(int) string) sentence.Sentence {
	gets := sentence.New("%s has %s", name(r.First), pairing.SeatWord(r.FirstColour))
	article := r.ColourRule.article()
	switch r.ColourRule {
	case InitialLot:
		return sentence.New("Neither has played: the number of the first-team decides, so %v (%s).", gets, article)
	case OnePreference:
		return sentence.New("Only one of them prefers a seat, so %v (%s).", gets, article)
	case BothPreferred:
		return sentence.New("They prefer different seats, so %v (%s).", gets, article)
	case OnlyStrong:
		return sentence.New("Only one of them strongly prefers a seat, so %v (%s).", gets, article)
	case LowerDifference:
		return sentence.New("The team that had it less often goes first, so %v (%s).", gets, article)
	case Alternation:
		return sentence.New("Their seats change from the last time they differed, so %v (%s).", gets, article)
	case FirstTeam:
		return sentence.New("The preference of the first-team counts, so %v (%s).", gets, article)
	case FirstChanges:
		return sentence.New("The first-team changes its last seat, so %v (%s).", gets, article)
	}
	return sentence.New("The other team changes its last seat, so %v (%s).", gets, article)
}

// article returns the place of a colour rule within C.04.6.
func (r ColourRule) article() string { return fmt.Sprintf("4.3.%d", r) }

// Reasons returns, for every match, why these two and why these colours, and why a team has the bye.
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
	if why.Bye != nil {
		out.Boards = append(out.Boards, pairing.Reason{
			Seats: []string{id(round.Bye)}, Bye: tournament.PairingAllocated, Meeting: why.Bye.bye(a.Name),
			Articles: []string{chapter + "3.4"}, Criterion: why.Bye.NotFloated.codeIfAny(),
		})
	}
	for _, away := range round.Away {
		out.Boards = append(out.Boards, pairing.Reason{
			Seats: []string{id(away.Number)}, Bye: away.Bye, Articles: []string{"C.04.2"},
			Meeting: sentence.New("%s is not paired: withdrawn, or away on request.", a.Name(away.Number)),
		})
	}
	return out, nil
}

func (p PassedOver) codeIfAny() string {
	if p.Number == 0 {
		return ""
	}
	return p.code()
}

// reason returns the reason for a pair in words for an audience.
func (r Reason) reason(a pairing.Audience, id func(int) string, seats ...string) pairing.Reason {
	if r.NotMet.Criterion == Ban && !a.Staff {
		r.NotMet.Criterion = NotAllowed
	}
	out := pairing.Reason{
		Seats: seats, Meeting: r.meeting(a.Name), Colours: r.colours(a.Name), Bracket: r.Bracket.String(),
		Articles: []string{chapter + r.ColourRule.article()}, Criterion: r.NotMet.codeIfAny(),
	}
	if n := r.NotMet.Number; n > 0 {
		out.PassedOver = id(n)
		if c := r.NotMet.Criterion; c <= C10 {
			out.Articles = append([]string{chapter + out.Criterion}, out.Articles...)
		}
	}
	return out
}
