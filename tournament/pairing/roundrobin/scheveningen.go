package roundrobin

import (
	"strconv"
	"strings"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

var _ pairing.Explainer = Scheveningen{}

// Scheveningen is a match of two teams whose players all meet the players of the other team: numbers 1 and 2 meet in
// each of as many rounds as there are boards, and the first has White in odd rounds. Boards are 1 to 8; on board k sits
// player k of the first team.
type Scheveningen struct {
	Boards  int
	Earlier bool // by the formula of before December 2026, which tournaments that had begun by it keep
}

// tableOfTwo and tableOfSix have the opponents of the players of the first team, round by round; + where the first team
// has seat 1. No formula divides the seats of each player within 1 of half.
var (
	tableOfTwo = [][]string{{"+1", "+2"}, {"-2", "-1"}}
	tableOfSix = [][]string{
		{"+1", "-2", "-3", "+4", "-5", "+6"},
		{"-2", "+3", "+5", "-6", "+4", "-1"},
		{"+3", "-5", "-1", "+2", "+6", "-4"},
		{"-4", "-6", "+2", "+1", "-3", "+5"},
		{"+5", "+4", "+6", "-3", "-1", "-2"},
		{"-6", "+1", "-4", "-5", "+2", "+3"},
	}
)

// Meeting returns the opponent, from 1, of a player of the first team in a round, and whether the first team has seat 1
// there.
func (s Scheveningen) Meeting(round, player int) (opponent int, seatOne bool) {
	n, half, i, r := s.Boards, (s.Boards+1)/2, player-1, round-1
	table := map[int][][]string{2: tableOfTwo, 6: tableOfSix}[n]
	switch {
	case s.Earlier:
		return (i+r)%n + 1, i%2 == r%2
	case n%2 == 1:
		if x := (i + r/2) % n; r%2 == 0 {
			seatOne = x < half
		} else {
			seatOne = half-1 <= x && x < n-1
		}
		return (i+r)%n + 1, seatOne
	case table != nil:
		cell := table[r][i]
		return int(cell[1] - '0'), cell[0] == '+'
	}
	// In halves: the same half of the other team in the first rounds, then the other half; each half in turn.
	upper, turned := i < half, r >= half
	opponent = (i%half+r)%half + 1
	if upper == turned {
		opponent += half
	}
	return opponent, upper == (r%2 == 0)
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
		return 0, tournament.NotValid("a Scheveningen is a match of 2 teams, and there are %d", entries)
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

// Reasons returns the meetings and colours of the round by the table.
func (s Scheveningen) Reasons(h pairing.History, a pairing.Audience) (pairing.Reasons, error) {
	pairings, err := s.Pair(h)
	if err != nil {
		return pairing.Reasons{}, err
	}
	g := s.Game(h.Round)
	r := pairing.Reason{Seats: pairings[0].Seats}
	r.Meeting = s.meetings(h.Round, a)
	r.Colours = sentence.New("The table gives %s to number %d, %s.", pairing.SeatWord(pairing.White), g.White, a.Name(g.White))
	return pairing.Reasons{Boards: []pairing.Reason{r}}, nil
}

// meetings describes the meetings of a round: by the formula where it holds, else board by board.
func (s Scheveningen) meetings(round int, a pairing.Audience) sentence.Sentence {
	if s.Earlier || s.Boards%2 == 1 {
		return sentence.New("The same two teams meet in every round: on board k of round %d player k of %s meets player "+
			"(k + %d) mod %d + 1 of %s.", round, a.Name(1), round-2, s.Boards, a.Name(2))
	}
	var others []string
	for player := range s.Boards {
		opponent, _ := s.Meeting(round, player+1)
		others = append(others, strconv.Itoa(opponent))
	}
	return sentence.New("The same two teams meet in every round: in round %d the players of %s, from board 1, meet by the "+
		"table the players %s of %s.", round, a.Name(1), strings.Join(others, ", "), a.Name(2))
}
