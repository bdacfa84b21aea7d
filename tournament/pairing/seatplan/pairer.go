package seatplan

import (
	"fmt"
	"slices"
	"strings"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// Pairer seats a tournament by a fixed plan.
type Pairer struct {
	Rules tournament.TableRules // in canonical form
}

var (
	_ pairing.Explainer = Pairer{}
	_ pairing.Adviser   = Pairer{}
)

// Rounds returns the planned number of rounds; without a plan as many as there can be at most without a meeting again.
func (p Pairer) Rounds(entries, planned int) (int, error) {
	if planned == 0 && p.Rules.Preferred > 1 {
		planned = min(max(1, (entries-1)/(p.Rules.Preferred-1)), MaxRounds)
	}
	if _, err := p.plan(entries, planned); err != nil {
		return 0, err
	}
	return planned, nil
}

// Advice returns a warning about meetings again.
func (p Pairer) Advice(entries, planned int) sentence.Sentence {
	if planned == 0 {
		return sentence.Sentence{}
	}
	plan, err := p.plan(entries, planned)
	if err != nil || plan.Again() == 0 {
		return sentence.Sentence{}
	}
	return sentence.New("in %d rounds %d entries meet again %d times; fewer rounds have fewer such meetings", planned,
		entries, plan.Again())
}

// plan returns the plan of a field without forbidden tables.
func (p Pairer) plan(entries, rounds int) (Plan, error) {
	plan, err := New(entries, rounds, p.Rules.Preferred)
	if err != nil {
		return nil, err
	}
	for _, t := range plan[0] {
		if !p.Rules.Sizes.Has(len(t)) {
			return nil, tournament.NotValid("%d entries cannot all sit at tables of %v in every round; a %s has byes",
				entries, p.Rules.Sizes.List(), tournament.TableSwiss)
		}
	}
	return plan, nil
}

// Pair returns the round of the plan without withdrawn entries; the rest of a table that becomes too small has a bye.
func (p Pairer) Pair(h pairing.History) ([]tournament.Pairing, error) {
	plan, err := p.plan(len(h.Field), h.Rounds)
	if err != nil {
		return nil, tournament.Refuse(tournament.ErrUnpairable, "%v", sentence.Of(err))
	}
	if h.Round < 1 || h.Round > len(plan) {
		return nil, tournament.Refuse(tournament.ErrUnpairable, "the plan has %d rounds and no round %d", len(plan), h.Round)
	}
	var out, byes []tournament.Pairing
	for _, t := range plan[h.Round-1] {
		var seats []string
		for _, n := range t {
			if e := h.Field[n-1]; e.Away == tournament.NoBye {
				seats = append(seats, e.Entry.ID)
			}
		}
		if p.Rules.Sizes.Has(len(seats)) {
			out = append(out, tournament.Pairing{Seats: seats})
			continue
		}
		for _, id := range seats {
			byes = append(byes, tournament.Pairing{Seats: []string{id}, Bye: tournament.PairingAllocated})
		}
	}
	out = append(out, byes...)
	if len(out) == 0 {
		return nil, tournament.Refuse(tournament.ErrUnpairable, "all entries have withdrawn")
	}
	for i := range out {
		out[i].Board = i + 1
	}
	return out, nil
}

// Reasons returns for each table its place in the plan.
func (p Pairer) Reasons(h pairing.History, a pairing.Audience) (pairing.Reasons, error) {
	round, err := p.Pair(h)
	if err != nil {
		return pairing.Reasons{}, err
	}
	var out pairing.Reasons
	for _, paired := range round {
		r := pairing.Reason{Seats: paired.Seats, Bye: paired.Bye}
		var names []string
		for _, id := range paired.Seats {
			n := 1 + slices.IndexFunc(h.Field, func(e pairing.Entrant) bool { return e.Entry.ID == id })
			names = append(names, fmt.Sprintf("%s (%d)", a.Name(n), n))
		}
		if paired.Bye != tournament.NoBye {
			r.Meeting = sentence.New("%s has a bye, because too few are left at this table of the plan.", names[0])
		} else {
			r.Meeting = sentence.New("Round %d of the plan of %d rounds for %d seats %s together.", h.Round, h.Rounds,
				len(h.Field), strings.Join(names, ", "))
			r.Colours = sentence.New("The plan gives each entry every seat equally often, within one.")
		}
		out.Boards = append(out.Boards, r)
	}
	return out, nil
}

// thirtyTwo is a plan of ten rounds without a second meeting for 32 players at tables of four, the greatest possible
// number of rounds (A. Aguado: "A 10 Days Solution to the Social Golfer Problem", 2004). A to P are players 1 to 16, a
// to p 17 to 32.
const thirtyTwo = `
ABCD EFGH IJKL MNOP abcd efgh ijkl mnop
AEIm BcgH DFKp dfkP aeiM bCGh jLNo JlnO
Aflo Bhkm DGiN aFLO bHKM CeJP cEjp dgIn
AciL BdjK bDJk FgoP fGOp aCIl EhMn eHmN
AgKN BElP DHIo dhiO beLp Cfjm cFJM aGkn
AhJp BFin cDmO bfIN eGKl CdMo EgkL aHjP
AdeF BGJo aDEf chlN iKmP CHLn bgjO IkMp
AbnP aBNp DglM ceko fHiJ CEKO FhIj dGLm
AGjM BeIO DhLP agJm cfKn CFkN bEio dHlp
AHkO BfLM Dejn bFlm cGIP Cgip dEJN ahKo`

// known returns a plan without a second meeting that is not cyclic, or nil.
func known(players, rounds int, sizes []int) Plan {
	lines := strings.Split(strings.TrimSpace(thirtyTwo), "\n")
	if players != 32 || sizes[0] != 4 || rounds != len(lines) {
		return nil
	}
	plan := make(Plan, rounds)
	for r, line := range lines {
		for table := range strings.FieldsSeq(line) {
			var seats []int
			for _, letter := range table {
				player := int(letter-'A') + 1
				if letter >= 'a' {
					player = int(letter-'a') + 17
				}
				seats = append(seats, player)
			}
			plan[r] = append(plan[r], seats)
		}
	}
	return plan
}

// unrepeated returns a plan without a second meeting, or nil where none is found.
func unrepeated(players, rounds int, sizes []int) Plan {
	if plan := known(players, rounds, sizes); plan != nil {
		return plan
	}
	return turned(players, rounds, sizes)
}
