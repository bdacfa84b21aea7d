package pairing

import (
	"slices"

	"quatuor/engine/sentence"
	"quatuor/tournament"
)

// Explainer is a pairing system that can explain its pairings.
type Explainer interface {
	// Reasons explains the round that h.Found holds, or pairs it again. Errors are those of Pair.
	Reasons(h History, a Audience) (Reasons, error)
}

// Audience is the reader of the reasons.
type Audience struct {
	Name  func(number int) string // returns the name of an entry
	Staff bool                    // may know which entries the organiser keeps apart
}

// Reasons explains the pairings of a round by a system.
type Reasons struct {
	Boards []Reason // for each pairing of Pair, in its order
	Floats []Float  // the entries that were left over in a bracket and went on to the next, from the top
}

// Reason explains a pairing, in sentences.
type Reason struct {
	Seats      []string // entry ids in seat order
	Bye        tournament.Bye
	Meeting    sentence.Sentence // why these entries meet, or why the entry has the bye
	Colours    sentence.Sentence // why they have these seats; the zero value if no choice was left
	Articles   []string          // of the FIDE Handbook, for example "C.04.3 5.2.1"
	Bracket    string            // score of their bracket, as printed; "" without brackets
	PassedOver string            // id of the candidate next above that was not taken; "" for none
	Criterion  string            // against that candidate, for example "C12"
}

// Float is an entry that was left over in a bracket.
type Float struct {
	Entry   string // id
	Bracket string // its score, as printed
	Text    sentence.Sentence
}

// SeatWords is the set of the words for the two seats of a duel. Pages put the game's own in their place.
const SeatWords = "seat"

// SeatWord returns the word for a seat in reasons: as chess and the FIDE Handbook name the colours.
func SeatWord(c Colour) sentence.Word {
	if c == White {
		return sentence.Word{Set: SeatWords, Word: "White"}
	}
	return sentence.Word{Set: SeatWords, Word: "Black"}
}

// Source is the origin of a pairing.
type Source string

// The sources.
const (
	BySystem   Source = "system"  // as the system paired it
	ByHand     Source = "arbiter" // other entries than the system's, set by the arbiter
	SeatsMoved Source = "seats"   // the system's entries in other seats
)

// BoardReason explains a board of a round as it is now.
type BoardReason struct {
	Reason
	Board  int
	Source Source
}

// Explanation explains a round as it is now.
type Explanation struct {
	Round  int
	Boards []BoardReason
	Floats []Float
	// Reconstructed is set if the history that the round was paired from was not kept, so that the reasons are
	// those of the results of earlier rounds as they are now.
	Reconstructed bool
}

// Explain compares a round as it is now with what the system paired, and returns the reasons board by board.
func Explain(r tournament.Round, reasons Reasons, reconstructed bool, name func(id string) string) *Explanation {
	out := &Explanation{Round: r.Number, Floats: reasons.Floats, Reconstructed: reconstructed}
	of := make(map[string]*Reason) // by entry id
	for i := range reasons.Boards {
		for _, id := range reasons.Boards[i].Seats {
			of[id] = &reasons.Boards[i]
		}
	}
	for _, p := range r.Pairings {
		out.Boards = append(out.Boards, explainBoard(p, of, reconstructed, name))
	}
	return out
}

func explainBoard(
	p tournament.Pairing, of map[string]*Reason, reconstructed bool, name func(string) string,
) BoardReason {
	b := BoardReason{Board: p.Board, Source: BySystem, Reason: Reason{Seats: p.Seats, Bye: p.Bye}}
	drawn := of[p.Seats[0]]
	switch {
	case drawn == nil || drawn.Bye != p.Bye || !sameEntries(drawn.Seats, p.Seats):
		b.Source, b.Meeting = ByHand, byHand(p, of, reconstructed, name)
		return b
	case slices.Equal(drawn.Seats, p.Seats):
		b.Reason = *drawn
		return b
	}
	b.Reason, b.Source = *drawn, SeatsMoved
	b.Seats = p.Seats
	by := sentence.New("But the arbiter exchanged the seats.")
	switch {
	case slices.ContainsFunc(p.Earlier, func(g tournament.EarlierGame) bool { return g.Ranks != nil }):
		by = sentence.New("But these are the seats of the last game of the match.")
	case p.Games > 1:
		by = sentence.New("But a void game was started anew with the seats exchanged.")
	case reconstructed:
		by = sentence.New("But by today’s results they would sit the other way round.")
	}
	b.Colours = sentence.Join(" ", drawn.Colours, by)
	return b
}

func sameEntries(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// byHand returns the sentence that a board is not the system's, and what the system had instead.
func byHand(
	p tournament.Pairing, of map[string]*Reason, reconstructed bool, name func(string) string,
) sentence.Sentence {
	var instead []sentence.Sentence
	for _, id := range p.Seats {
		drawn := of[id]
		if drawn == nil {
			continue
		}
		others := slices.DeleteFunc(slices.Clone(drawn.Seats), func(other string) bool { return other == id })
		switch {
		case len(others) > 0:
			for i, other := range others {
				others[i] = name(other)
			}
			instead = append(instead, sentence.New("%s with %s", name(id), enumerate(others)))
		default:
			instead = append(instead, sentence.New("%s with a bye", name(id)))
		}
	}
	out := sentence.New("Set by the arbiter.")
	if reconstructed {
		out = sentence.New("By today’s results the system would not pair so: the arbiter set it, or a result was " +
			"corrected since.")
	}
	var had sentence.Sentence
	if len(instead) > 0 {
		had = instead[0]
		for _, one := range instead[1:] {
			had = sentence.New("%v, and %v", had, one)
		}
		had = sentence.New("The system had %v.", had)
	}
	return sentence.Join(" ", out, had)
}

// enumerate joins names.
func enumerate(names []string) sentence.Sentence {
	out := sentence.New("%s", names[0])
	for _, name := range names[1:] {
		out = sentence.New("%v and %s", out, name)
	}
	return out
}
