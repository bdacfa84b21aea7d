package swiss

import (
	"fmt"

	"quatuor/tournament/pairing"
)

// worseBy is what got worse with a candidate that was ruled out.
var worseBy = map[Criterion]string{
	C3:          "both must have the same colour (C3)",
	C4:          "the others could not all be paired then (C4)",
	C6:          "fewer pairs would be possible in the bracket (C6)",
	C7:          "players with a higher score would float down (C7)",
	C8:          "the following bracket would be worse off (C8)",
	C9:          "the bye would go to a player with more rounds without a game (C9)",
	C10:         "more would have one colour three times more often than the other (C10)",
	C11:         "more would have the same colour three times running (C11)",
	C12:         "more would not have the colour they are due (C12)",
	C13:         "more would not have the colour they are strongly due (C13)",
	C14:         "more who floated down in the last round would again (C14)",
	C15:         "more who floated up in the last round would again (C15)",
	C16:         "more who floated down two rounds ago would again (C16)",
	C17:         "more who floated up two rounds ago would again (C17)",
	C18:         "who floated down in the last round would be farther from the opponent (C18)",
	C19:         "who floated up in the last round would be farther from the opponent (C19)",
	C20:         "who floated down two rounds ago would be farther from the opponent (C20)",
	C21:         "who floated up two rounds ago would be farther from the opponent (C21)",
	Exchanges:   "more players would have to change halves",
	Differences: "players farther apart would have to change halves",
	Sequence:    "all else is equal, and the pairing taken comes first in order",
	Ban:         "the organiser keeps them apart",
	NotAllowed:  "they may not be paired with each other in this round",
}

// String returns in words what got worse.
func (b Because) String() string {
	if b.Criterion == C1 {
		return fmt.Sprintf("they met in round %d (C1)", b.Round)
	}
	return worseBy[b.Criterion]
}

// Words returns in words why two met and why with these colours; name returns a number's name.
func (r Reason) Words(name func(number int) string) string {
	return r.meeting(name) + " " + r.colours(name)
}

func (r Reason) meeting(name func(int) string) string {
	higher, lower := name(r.Higher), name(r.Lower)
	out := fmt.Sprintf("In the bracket with score %s, ", r.Bracket)
	switch r.Role {
	case MovedDown:
		out += fmt.Sprintf("%s, moved down with %s, gets the first opponent possible: %s.", higher, r.HigherScore, lower)
	case Exchanged:
		out += fmt.Sprintf("%s, exchanged into the upper half, gets the first of the lower half possible: %s.", higher, lower)
	default:
		out += fmt.Sprintf("%s of the upper half gets the first of the lower half possible: %s.", higher, lower)
	}
	if r.PassedOver.Number > 0 {
		out += fmt.Sprintf(" Not %s: %s.", name(r.PassedOver.Number), r.PassedOver.Because)
	}
	return out
}

func (r Reason) colours(name func(int) string) string {
	higher, lower := name(r.Higher), name(r.Lower)
	due := fmt.Sprintf("%s is due %s, %s %s", higher, r.HigherDue, lower, r.LowerDue)
	gets := fmt.Sprintf("so %s has %s", higher, colourName(r.HigherColour))
	end := ", " + gets + " (" + r.ColourRule.article() + ")."
	switch r.ColourRule {
	case BothDue:
		return due + ": both have what suits them (" + r.ColourRule.article() + ")."
	case StrongerDue:
		return due + ": the stronger claim counts" + end
	case Alternation:
		return due + ": as strongly; their colours change from the last time they differed" + end
	case HigherDue:
		return due + ": as strongly, and their colours were the same all along; the higher-ranked goes first" + end
	}
	return "Neither is due a colour: the place in the list decides" + end
}

// article returns the place of a colour rule within C.04.3.
func (r ColourRule) article() string { return fmt.Sprintf("5.2.%d", r) }

// String returns a due colour in words.
func (d Due) String() string {
	switch d.Strength {
	case Mildly:
		return "mildly " + colourName(d.Colour)
	case Strongly:
		return "strongly " + colourName(d.Colour)
	case Absolutely:
		return "absolutely " + colourName(d.Colour)
	}
	return "nothing"
}

func colourName(c pairing.Colour) string {
	if c == pairing.White {
		return "White"
	}
	return "Black"
}

// Words returns in words why a player was left over; name returns a number's name.
func (f Float) Words(name func(number int) string) string {
	if f.Bye {
		return fmt.Sprintf("%s has the bye: of the lowest score that leaves a legal pairing (C5), and otherwise %s.",
			name(f.Number), f.Because)
	}
	return fmt.Sprintf("%s floats down from the bracket with score %s: otherwise %s.", name(f.Number), f.Bracket, f.Because)
}
