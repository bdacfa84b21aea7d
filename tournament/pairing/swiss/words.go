package swiss

import (
	"fmt"

	"quatuor/engine/sentence"
	"quatuor/tournament/pairing"
)

// worseBy describes the loss by each criterion that ruled a candidate out.
var worseBy = map[Criterion]sentence.Sentence{
	C3:          sentence.New("both must have the same seat (C3)"),
	C4:          sentence.New("the others could not all be paired then (C4)"),
	C6:          sentence.New("fewer pairs would be possible in the bracket (C6)"),
	C7:          sentence.New("players with a higher score would float down (C7)"),
	C8:          sentence.New("the following bracket would be worse off (C8)"),
	C9:          sentence.New("the bye would go to a player with more rounds without a game (C9)"),
	C10:         sentence.New("more would have one seat three times more often than the other (C10)"),
	C11:         sentence.New("more would have the same seat three times running (C11)"),
	C12:         sentence.New("more would not have the seat they are due (C12)"),
	C13:         sentence.New("more would not have the seat they are strongly due (C13)"),
	C14:         sentence.New("more who floated down in the last round would again (C14)"),
	C15:         sentence.New("more who floated up in the last round would again (C15)"),
	C16:         sentence.New("more who floated down two rounds ago would again (C16)"),
	C17:         sentence.New("more who floated up two rounds ago would again (C17)"),
	C18:         sentence.New("who floated down in the last round would be farther from the opponent (C18)"),
	C19:         sentence.New("who floated up in the last round would be farther from the opponent (C19)"),
	C20:         sentence.New("who floated down two rounds ago would be farther from the opponent (C20)"),
	C21:         sentence.New("who floated up two rounds ago would be farther from the opponent (C21)"),
	Exchanges:   sentence.New("more players would have to change halves"),
	Differences: sentence.New("players farther apart would have to change halves"),
	Sequence:    sentence.New("all else is equal, and the pairing taken comes first in order"),
	Ban:         sentence.New("the organiser keeps them apart"),
	NotAllowed:  sentence.New("they may not be paired with each other in this round"),
}

// String returns in words what got worse.
func (b Because) String() string { return b.sentence().String() }

func (b Because) sentence() sentence.Sentence {
	if b.Criterion == C1 {
		return sentence.New("they met in round %d (C1)", b.Round)
	}
	return worseBy[b.Criterion]
}

// Words returns in words why two met and why with these colours; name returns a number's name.
func (r Reason) Words(name func(number int) string) string {
	return r.meeting(name).String() + " " + r.colours(name).String()
}

func (r Reason) meeting(name func(int) string) sentence.Sentence {
	higher, lower := name(r.Higher), name(r.Lower)
	var met, not sentence.Sentence
	switch r.Role {
	case MovedDown:
		met = sentence.New("In the bracket with score %s, %s, moved down with %s, gets the first opponent possible: %s.",
			r.Bracket, higher, r.HigherScore, lower)
	case Exchanged:
		met = sentence.New("In the bracket with score %s, %s, exchanged into the upper half, gets the first of the lower "+
			"half possible: %s.", r.Bracket, higher, lower)
	default:
		met = sentence.New("In the bracket with score %s, %s of the upper half gets the first of the lower half possible: "+
			"%s.", r.Bracket, higher, lower)
	}
	if r.PassedOver.Number > 0 {
		not = sentence.New("Not %s: %s.", name(r.PassedOver.Number), r.PassedOver.Because.sentence())
	}
	return sentence.Join(" ", met, not)
}

func (r Reason) colours(name func(int) string) sentence.Sentence {
	higher, lower := name(r.Higher), name(r.Lower)
	due := sentence.New("%s is due %s, %s %s", higher, r.HigherDue.sentence(), lower, r.LowerDue.sentence())
	gets := sentence.New("%s has %s", higher, pairing.SeatWord(r.HigherColour))
	article := r.ColourRule.article()
	switch r.ColourRule {
	case BothDue:
		return sentence.New("%v: both have what suits them (%s).", due, article)
	case StrongerDue:
		return sentence.New("%v: the stronger claim counts, so %v (%s).", due, gets, article)
	case Alternation:
		return sentence.New("%v: as strongly; their seats change from the last time they differed, so %v (%s).", due, gets,
			article)
	case HigherDue:
		return sentence.New("%v: as strongly, and their seats were the same all along; the higher-ranked goes first, so "+
			"%v (%s).", due, gets, article)
	}
	return sentence.New("Neither is due a seat: the place in the list decides, so %v (%s).", gets, article)
}

// article returns the place of a colour rule within C.04.3.
func (r ColourRule) article() string { return fmt.Sprintf("5.2.%d", r) }

// String returns a due colour in words.
func (d Due) String() string { return d.sentence().String() }

func (d Due) sentence() sentence.Sentence {
	switch d.Strength {
	case Mildly:
		return sentence.New("mildly %s", pairing.SeatWord(d.Colour))
	case Strongly:
		return sentence.New("strongly %s", pairing.SeatWord(d.Colour))
	case Absolutely:
		return sentence.New("absolutely %s", pairing.SeatWord(d.Colour))
	}
	return sentence.New("nothing")
}

// Words returns in words why a player was left over; name returns a number's name.
func (f Float) Words(name func(number int) string) string { return f.sentence(name).String() }

func (f Float) sentence(name func(number int) string) sentence.Sentence {
	if f.Bye {
		return sentence.New("%s has the bye: of the lowest score that leaves a legal pairing (C5), and otherwise %s.",
			name(f.Number), f.Because.sentence())
	}
	return sentence.New("%s floats down from the bracket with score %s: otherwise %s.", name(f.Number), f.Bracket,
		f.Because.sentence())
}
