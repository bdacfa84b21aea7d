package engine

import (
	"strconv"
	"strings"

	"quatuor/engine/sentence"
)

// ParseToken reads a token of a record: a move with or without its seat ("c1-c5", "2:g22"), a leaving
// ("3:!resignation"), an agreed draw ("!agreement") or an arbiter's decision ("!adjudication=1,2"). Whether a move's
// own text is a token of the variant is left to [State.Apply]. Errors are *MoveError of kind ErrNotation.
func ParseToken(info Info, seats int, text string) (Event, error) {
	seat, rest, err := cutSeat(seats, text)
	if err != nil {
		return Event{}, err
	}
	if word, ok := strings.CutPrefix(rest, "!"); ok {
		return parseWord(seat, word)
	}
	if seat == 0 && info.SeatPrefix {
		return Event{}, Refuse(ErrNotation, "a move of %s names its seat, as in 1:%s", info.ID, Clip(rest))
	}
	return Event{Kind: Moved, Seat: seat, Text: rest}, nil
}

func cutSeat(seats int, text string) (Seat, string, error) {
	prefix, rest, found := strings.Cut(text, ":")
	if !found {
		return 0, text, nil
	}
	n, err := strconv.Atoi(prefix)
	if err != nil || n < 1 || n > seats || strconv.Itoa(n) != prefix {
		return 0, "", Refuse(ErrNotation, "%q names no seat of this game; seats are 1 to %d", Clip(text), seats)
	}
	return Seat(n), rest, nil
}

func parseWord(seat Seat, word string) (Event, error) {
	reason := Reason(word)
	ranks, decision := strings.CutPrefix(word, string(ReasonAdjudication)+"=")
	switch {
	case decision && seat == 0:
		return Event{Kind: Decided, Text: ranks}, nil
	case decision:
		return Event{}, Refuse(ErrNotation, "an arbiter's decision is for all seats: write !%s, with no seat before it",
			Clip(word))
	case word == string(ReasonAgreement) && seat == 0:
		return Event{Kind: Agreed}, nil
	case word == string(ReasonAgreement):
		return Event{}, Refuse(ErrNotation, "an agreed draw is both sides' and names no seat: !agreement")
	case reason.Leaving() && seat != 0:
		return Event{Kind: Left, Seat: seat, Text: word}, nil
	case reason.Leaving():
		return Event{}, Refuse(ErrNotation, "!%s needs the seat that leaves, as in 1:!%s", word, word)
	}
	return Event{}, Refuse(ErrNotation, "%q is no event; there are N:!resignation, N:!time, N:!forfeit, !agreement and "+
		"!adjudication=1,2", "!"+Clip(word))
}

// Token returns an event as a record spells it. A move names its seat where prefix is set.
func (e Event) Token(prefix bool) string {
	switch e.Kind {
	case Left:
		return strconv.Itoa(int(e.Seat)) + ":!" + e.Text
	case Agreed:
		return "!" + string(ReasonAgreement)
	case Decided:
		return "!" + string(ReasonAdjudication) + "=" + e.Text
	}
	if prefix {
		return strconv.Itoa(int(e.Seat)) + ":" + e.Text
	}
	return e.Text
}

// Clip shortens a text sent by a client, so that it cannot flood a message.
func Clip(s string) string {
	const limit = 40
	if len(s) > limit {
		return s[:limit] + "…"
	}
	return s
}

// Mover returns the seat of a move event, or a refusal of kind ErrTurn. A game calls it once it knows
// that the text is a token.
func Mover(p Pending, e Event) (Seat, error) {
	seat := e.Seat
	if seat == 0 && len(p.Awaited) == 1 {
		seat = p.Awaited[0]
	}
	if !p.Awaits(seat) {
		return 0, Refuse(ErrTurn, "seat %d is not awaited now; %s", seat, awaitedText(p))
	}
	return seat, nil
}

// Leaver returns the seat that leaves a game, and its reason, or a refusal of kind ErrNotation: for an unknown
// seat or reason, and for an event of another kind, since states apply only moves and leavings.
func Leaver(e Event, seats int) (Seat, Reason, error) {
	reason := Reason(e.Text)
	switch {
	case e.Kind != Left:
		return 0, "", Refuse(ErrNotation, "a game takes moves and leavings, and nothing else")
	case e.Seat < 1 || int(e.Seat) > seats:
		return 0, "", Refuse(ErrNotation, "there is no seat %d in this game; seats are 1 to %d", e.Seat, seats)
	case !reason.Leaving():
		return 0, "", Refuse(ErrNotation, "%q is not a reason to leave; the reasons are resignation, time and forfeit",
			Clip(e.Text))
	}
	return e.Seat, reason, nil
}

func awaitedText(p Pending) sentence.Sentence {
	if len(p.Awaited) == 1 {
		return sentence.New("it is seat %s's turn", Numbers(p.Awaited, ""))
	}
	return sentence.New("the game waits for seats %s", Numbers(p.Awaited, ", "))
}
