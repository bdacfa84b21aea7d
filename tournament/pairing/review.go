package pairing

import (
	"fmt"
	"slices"

	"quatuor/engine/sentence"
	"quatuor/tournament"
)

// Breach is a kind of fault in a round.
type Breach string

// The breaches. None of them makes a round impossible; an arbiter may have a reason.
const (
	MetBefore  Breach = "met_before"  // they have played each other (C.04.1, C.04.3 C1)
	Forbidden  Breach = "forbidden"   // the organiser keeps them apart
	SameColour Breach = "colour"      // a colour three times running, or a difference of three (C3)
	ScoresFar  Breach = "scores"      // their scores lie further apart than a win
	SecondBye  Breach = "second_bye"  // has had a bye, or a win without playing (C2)
	TakesLeave Breach = "not_present" // paired, though withdrawn or free on request
	NotPaired  Breach = "unpaired"    // in none of the pairings
)

// Things to consider before the start. Neither prevents it.
const (
	RoundCount  Breach = "rounds"      // too many or too few rounds for the field
	Unconfirmed Breach = "unconfirmed" // registrations that have not been confirmed
	Waiting     Breach = "waiting"     // teams that take no part because members have not agreed to be in them
)

// Warning is a rule that a round breaks, or something that an organiser should consider.
type Warning struct {
	Breach  Breach
	Article string // of the FIDE Handbook, for example "C.04.3 C1"; "" where the tournament's own rules are broken
	Board   int    // 0 if it concerns no board
	Entries []string
	Text    sentence.Sentence
}

// articles maps breaches to the articles of the FIDE Handbook for Swiss tournaments.
var articles = map[Breach]string{
	MetBefore: "C.04.3 C1", SameColour: "C.04.3 C3", SecondBye: "C.04.3 C2", ScoresFar: "C.04.1", TakesLeave: "C.04.2",
}

// roundRobinArticle is the article for all breaches in a round-robin.
const roundRobinArticle = "C.05"

// Review returns the rules that the pairings of a round break, board by board, and a warning for each entry of unpaired
// (see [tournament.Tournament.Unpaired]). cycles is the number of times that all entries meet each other, or 0 in a
// format of single meetings between entries of similar scores.
func Review(h History, pairings []tournament.Pairing, unpaired []tournament.Entry, cycles int) []Warning {
	r := reviewer{h: h, cycles: cycles}
	return r.review(pairings, unpaired, r.board)
}

type reviewer struct {
	h        History
	cycles   int
	of       map[string]*Entrant
	warnings []Warning
}

// review looks at every pairing with its entries, and names the entries without a pairing.
func (r *reviewer) review(
	pairings []tournament.Pairing, unpaired []tournament.Entry, look func(tournament.Pairing, []*Entrant),
) []Warning {
	r.of = make(map[string]*Entrant, len(r.h.Field))
	for i := range r.h.Field {
		r.of[r.h.Field[i].Entry.ID] = &r.h.Field[i]
	}
	for _, p := range pairings {
		seated := make([]*Entrant, 0, len(p.Seats))
		for _, id := range p.Seats {
			if e := r.of[id]; e != nil {
				seated = append(seated, e)
			}
		}
		look(p, seated)
	}
	for _, e := range unpaired {
		r.warn(NotPaired, 0, sentence.New("%s has neither a game nor a bye", e.Name), e.ID)
	}
	return r.warnings
}

func (r *reviewer) warn(b Breach, board int, text sentence.Sentence, entries ...string) {
	article := articles[b]
	if article != "" && r.cycles > 0 {
		article = roundRobinArticle
	}
	r.warnings = append(r.warnings, Warning{Breach: b, Article: article, Board: board, Entries: entries, Text: text})
}

func (r *reviewer) board(p tournament.Pairing, seated []*Entrant) {
	if p.Bye != tournament.NoBye {
		if p.Bye == tournament.PairingAllocated && len(seated) == 1 && slices.ContainsFunc(seated[0].Cells, r.h.BarsBye) {
			r.warn(SecondBye, p.Board, sentence.New("%s has had a bye, or a win without playing", seated[0].Entry.Name),
				p.Seats...)
		}
		return
	}
	for i, a := range seated {
		if a.Away != tournament.NoBye && r.cycles == 0 { // withdrawn entries stay in the tables of a round-robin
			r.takesLeave(p.Board, a)
		}
		for _, b := range seated[:i] {
			r.pair(p.Board, b, a)
		}
		if len(p.Seats) == 2 {
			r.colour(p.Board, a, Colour(i+1))
		}
	}
}

// ReviewPresence is Review for rounds of the entries present; may alone decides about repeated opponents.
func ReviewPresence(
	h History, pairings []tournament.Pairing, unpaired []tournament.Entry, may func(a, b int) bool,
) []Warning {
	r := reviewer{h: h}
	r.review(pairings, unpaired, func(p tournament.Pairing, seated []*Entrant) {
		for i, a := range seated {
			if a.Away != tournament.NoBye && p.Bye == tournament.NoBye {
				r.takesLeave(p.Board, a)
			}
			for _, b := range seated[:i] {
				if !may(b.Entry.Number, a.Entry.Number) {
					r.met(p.Board, b, a)
				}
				r.forbidden(p.Board, b, a)
			}
		}
	})
	for i := range r.warnings {
		r.warnings[i].Article = ""
	}
	return r.warnings
}

func (r *reviewer) takesLeave(board int, e *Entrant) {
	r.warn(TakesLeave, board, sentence.New("%s has withdrawn, is not checked in, or asked not to be paired", e.Entry.Name),
		e.Entry.ID)
}

func (r *reviewer) forbidden(board int, a, b *Entrant) {
	if r.h.Barred(a.Entry.Number, b.Entry.Number) {
		names := sentence.New("%s and %s", a.Entry.Name, b.Entry.Name)
		r.warn(Forbidden, board, sentence.New("%s are not to meet", names), a.Entry.ID, b.Entry.ID)
	}
}

func (r *reviewer) pair(board int, a, b *Entrant) {
	names := sentence.New("%s and %s", a.Entry.Name, b.Entry.Name)
	if rounds := a.meetings(b.Entry.Number); len(rounds) >= max(1, r.cycles) {
		r.met(board, a, b)
	}
	r.forbidden(board, a, b)
	if x, y := a.Score(), b.Score(); max(x-y, y-x) > r.h.Points.Win && r.cycles == 0 {
		r.warn(ScoresFar, board, sentence.New("%s have %s and %s points", names, x, y), a.Entry.ID, b.Entry.ID)
	}
}

// met warns of two that have played each other.
func (r *reviewer) met(board int, a, b *Entrant) {
	names := sentence.New("%s and %s", a.Entry.Name, b.Entry.Name)
	r.warn(MetBefore, board, sentence.New("%s have played each other in round %s", names,
		enumerate(a.meetings(b.Entry.Number))), a.Entry.ID, b.Entry.ID)
}

// meetings returns the rounds of the entrant's games against this number.
func (e Entrant) meetings(number int) []string {
	var out []string
	for i, c := range e.Cells {
		if c.Kind == tournament.Played && slices.Contains(c.Opponents, number) {
			out = append(out, fmt.Sprint(i+1))
		}
	}
	return out
}

// colour checks an entrant's colours with this seat added.
func (r *reviewer) colour(board int, e *Entrant, c Colour) {
	had := e.Colours()
	more := 1
	for _, x := range had {
		if x == c {
			more++
		} else {
			more--
		}
	}
	n := len(had)
	running := n >= 2 && had[n-1] == c && had[n-2] == c
	name := map[Colour]sentence.Sentence{White: sentence.New("the first seat"), Black: sentence.New("the second seat")}[c]
	switch {
	case running:
		r.warn(SameColour, board, sentence.New("%s would have %s for the third time running", e.Entry.Name, name), e.Entry.ID)
	case more > 2:
		r.warn(SameColour, board, sentence.New("%s would have had %s %d times more often than the other", e.Entry.Name, name,
			more), e.Entry.ID)
	}
}
