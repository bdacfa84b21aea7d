package roundrobin

import (
	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

var _ pairing.Explainer = Scheveningen{}

// Scheveningen is the match of two teams in which all players of one meet all of the other: numbers 1 and 2 meet in
// each of as many rounds as there are boards, and the first has White in odd rounds. Who sits at which board is in
// package team.
type Scheveningen struct {
	Boards int
}

// Game returns the match of a round.
func (Scheveningen) Game(round int) Game {
	if round%2 == 0 {
		return Game{White: 2, Black: 1}
	}
	return Game{White: 1, Black: 2}
}

// Rounds returns the number of boards.
func (s Scheveningen) Rounds(entries, _ int) (int, error) {
	if entries != 2 {
		return 0, tournament.Refuse(tournament.ErrInvalid, "a Scheveningen is a match of 2 teams, and there are %d", entries)
	}
	return s.Boards, nil
}

// Advice returns a warning where not as many rounds are planned as there are boards.
func (s Scheveningen) Advice(_, planned int) sentence.Sentence {
	if planned > 0 && planned != s.Boards {
		return sentence.New("teams of %d players play %d rounds, not the %d planned", s.Boards, s.Boards, planned)
	}
	return sentence.Sentence{}
}

// Pair returns the match.
func (s Scheveningen) Pair(h pairing.History) ([]tournament.Pairing, error) {
	if len(h.Field) != 2 || h.Round < 1 || h.Round > s.Boards {
		return nil, tournament.Refuse(tournament.ErrUnpairable, "a Scheveningen of 2 teams over %d boards has %d rounds, and no "+
			"round %d of %d teams", s.Boards, s.Boards, h.Round, len(h.Field))
	}
	g := s.Game(h.Round)
	return []tournament.Pairing{h.Pairing(1, tournament.NoBye, g.White, g.Black)}, nil
}

// Reasons returns what the table says of the round.
func (s Scheveningen) Reasons(h pairing.History, a pairing.Audience) (pairing.Reasons, error) {
	pairings, err := s.Pair(h)
	if err != nil {
		return pairing.Reasons{}, err
	}
	g := s.Game(h.Round)
	r := pairing.Reason{Seats: pairings[0].Seats}
	r.Meeting = sentence.New("The same two teams meet in every round: on board k of round %d player k of %s meets player "+
		"(k + %d) mod %d + 1 of %s.", h.Round, a.Name(1), h.Round-2, s.Boards, a.Name(2))
	r.Colours = sentence.New("The table gives %s to number %d, %s.", pairing.SeatWord(pairing.White), g.White, a.Name(g.White))
	return pairing.Reasons{Boards: []pairing.Reason{r}}, nil
}
