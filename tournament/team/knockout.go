package team

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"quatuor/engine/sentence"
	"quatuor/tournament"
)

// Decider is a way to decide a level match of a knock-out.
type Decider = tournament.TeamDecider

// The ways.
const (
	ByBoardCount Decider = "BC"    // the lower sum of the boards times the points on them
	ByTopBoards  Decider = "TBR"   // board 1, then board 2, and so on
	ByBottom     Decider = "BBE"   // without the last board, then without the last two, and so on
	ByRapid      Decider = "RAPID" // a second match with colours reversed, at most twice
	ByLot        Decider = "LOT"   // drawn from the tournament's seed
)

// maxRapid is the maximum number of further matches that decide a match.
const maxRapid = 2

// DefaultBreaks returns the usual order.
func DefaultBreaks() []Decider { return []Decider{ByBoardCount, ByTopBoards, ByBottom, ByRapid, ByLot} }

// Leg is a match: the points of both teams on each board.
type Leg [2][]tournament.Points

// Tie is a knock-out pairing of two teams: its legs, and the matches that were played to decide them.
type Tie struct {
	Legs  []Leg
	Rapid []Leg
	Seed  string // of the tournament
	ID    string // of the tie, so that each has a draw of its own
}

// Decision is the team of a tie that goes on, and the reason.
type Decision struct {
	Winner int     // 0 or 1; −1 if nothing has decided yet
	By     Decider // "" if the points of the legs decided
	Next   Decider // RAPID if another match must be played; "" otherwise
	Values [2]int  // the compared values, in tenths; 0 for lots
	Text   sentence.Sentence
}

// Decision returns the decision of a match of a knock-out, or of both its legs, as far as it is played. It has only
// Winner, −1, in a first leg, while a board is open, for matches that are forfeited, and in other formats. A forfeited
// leg counts by its boards.
func (s Settings) Decision(t *tournament.Tournament, round int, p tournament.Pairing) Decision {
	none := Decision{Winner: -1}
	stage, leg := t.LegOf(round)
	ruled := s.Ruling(p) != NoRuling
	if !t.Format.Eliminates() || p.Boards == nil || leg < s.Legs || ruled && s.Legs == 1 || s.Outcome(p, 0).Kind == Underway {
		return none
	}
	own, repeats := s.Split(p)
	tie := Tie{Legs: []Leg{s.leg(p)}, Seed: t.LotSeed, ID: fmt.Sprintf("%d/%d", round, p.Board)}
	forfeited := s.forfeitedByBoth(p)
	if first, ok := FirstLeg(t, round, p); ok {
		forfeited = forfeited && s.forfeitedByBoth(first)
		before := s.leg(first)
		slices.Reverse(before[:]) // as the sides of the second leg
		tie.Legs = append([]Leg{before}, tie.Legs...)
		tie.ID = fmt.Sprintf("%d/%d", stage, p.Board)
	}
	if forfeited {
		return none
	}
	for _, boards := range repeats {
		if !slices.ContainsFunc(boards, open) {
			tie.Rapid = append(tie.Rapid, s.legOf(boards))
		}
	}
	breaks := s.KnockoutBreaks
	if ruled || !slices.ContainsFunc(own, both) {
		breaks = slices.DeleteFunc(slices.Clone(breaks), func(b Decider) bool { return b == ByRapid })
	}
	return s.Scoring().Decide(tie, breaks)
}

func open(b tournament.MatchBoard) bool { return b.Result == nil }

// both reports whether both teams have a player on a board.
func both(b tournament.MatchBoard) bool { return b.Players[0] != "" && b.Players[1] != "" }

// begun reports whether a board that was to be played has a result.
func begun(b tournament.MatchBoard) bool {
	return b.Result != nil && (b.GameID != "" || b.HallGame != "")
}

// forfeitedByBoth reports whether both teams lost a match by forfeit.
func (s Settings) forfeitedByBoth(p tournament.Pairing) bool {
	return s.Outcome(p, 0).Kind == ForfeitLoss && s.Outcome(p, 1).Kind == ForfeitLoss
}

// FirstLeg returns the match of the round before that is the first leg of a match; false for none.
func FirstLeg(t *tournament.Tournament, round int, p tournament.Pairing) (first tournament.Pairing, ok bool) {
	if _, leg := t.LegOf(round); leg == 1 || p.Bye != tournament.NoBye {
		return first, false
	}
	return legIn(t, round-1, p)
}

// SecondLeg returns the match of the next round that is the second leg of a match; false while there is none.
func SecondLeg(t *tournament.Tournament, round int, p tournament.Pairing) (second tournament.Pairing, ok bool) {
	if _, leg := t.LegOf(round); leg == t.Legs() || round >= len(t.Rounds) {
		return second, false
	}
	return legIn(t, round+1, p)
}

// legIn returns the match of the same two teams, with the colours exchanged, in a round.
func legIn(t *tournament.Tournament, round int, p tournament.Pairing) (tournament.Pairing, bool) {
	list := t.Rounds[round-1].Pairings
	i := slices.IndexFunc(list, func(q tournament.Pairing) bool {
		return len(q.Seats) == 2 && q.Seats[0] == p.Seats[1] && q.Seats[1] == p.Seats[0]
	})
	if i < 0 {
		return tournament.Pairing{}, false
	}
	return list[i], true
}

// leg returns a match as a leg of a tie, with the points of its boards after rulings.
func (s Settings) leg(p tournament.Pairing) (l Leg) {
	for side := range l {
		l[side] = s.Outcome(p, side).Boards
	}
	return l
}

func (s Settings) legOf(boards []tournament.MatchBoard) (l Leg) {
	for side := range l {
		for _, m := range marks(boards, side) {
			l[side] = append(l[side], m.Points(*s.GamePoints))
		}
	}
	return l
}

// repeated returns the boards of a match with those of a further match that must be played to decide it. It drops
// boards of further matches that need not be played any more and have no result.
func (s Settings) repeated(
	t *tournament.Tournament, round int, p tournament.Pairing, newGame func() string,
) []tournament.MatchBoard {
	own, repeats := s.Split(p)
	d := s.Decision(t, round, p)
	if n := len(repeats); d.Next == "" {
		for n > 0 && !slices.ContainsFunc(repeats[n-1], begun) {
			n--
		}
		return p.Boards[:min(len(p.Boards), (n+1)*len(s.Boards))]
	} else if n > 0 && slices.ContainsFunc(repeats[n-1], open) {
		return p.Boards
	}
	boards := slices.Clone(p.Boards)
	for _, b := range own {
		next := tournament.MatchBoard{Players: b.Players}
		next.Result = s.unmanned(next, NoRuling)
		if next.Result == nil {
			openBoard(t, p, &next, newGame)
		}
		boards = append(boards, next)
	}
	return boards
}

// news returns the history's text for the decision of a match that came with a change; nothing if it is as before.
func (s Settings) news(t *tournament.Tournament, round int, old, p tournament.Pairing) sentence.Sentence {
	was, d := s.Decision(t, round, old), s.Decision(t, round, p)
	switch {
	case d.Next != "" && len(p.Boards) > len(old.Boards):
		return d.Text
	case d.By == "" && (s.Legs == 1 || d.Winner < 0) || d.Winner == was.Winner && d.By == was.By:
		return sentence.Sentence{}
	}
	return s.decidedNow(t, round, p)
}

// decidedNow returns the history's text for the decision of a match.
func (s Settings) decidedNow(t *tournament.Tournament, round int, p tournament.Pairing) sentence.Sentence {
	d := s.Decision(t, round, p)
	if d.Winner < 0 {
		return d.Text
	}
	e, _ := t.Entry(p.Seats[d.Winner])
	return sentence.New("%s goes on: %s", e.Name, d.Text)
}

// Decide returns the decision of a tie by the match and game points of its legs, then by the breaks in their order.
func (s Scoring) Decide(t Tie, breaks []Decider) Decision {
	if len(t.Legs) > 1 {
		if d, ok := decided("", matchPoints(s, t.Legs)); ok {
			d.Text = sentence.New("%s to %s match points", points(d.Values[0]), points(d.Values[1]))
			return d
		}
	}
	if d, ok := decided("", gamePoints(t.Legs)); ok {
		d.Text = sentence.New("%s to %s game points", points(d.Values[0]), points(d.Values[1]))
		return d
	}
	for _, b := range breaks {
		if d, ok := t.by(b); ok {
			return d
		}
	}
	return Decision{Winner: -1, Text: sentence.New("the teams are level in all that decides")}
}

// by returns the decision of a break; false if it leaves the tie level.
func (t Tie) by(b Decider) (Decision, bool) {
	switch boards := onBoards(t.Legs); b {
	case ByBoardCount:
		var sums [2]int
		for side := range sums {
			for i, p := range boards[side] {
				sums[side] += (i + 1) * int(p)
			}
		}
		d, ok := decided(b, [2]int{-sums[0], -sums[1]})
		d.Values = sums
		d.Text = sentence.New("board count %s to %s, the lower goes on (BC)", points(sums[0]), points(sums[1]))
		return d, ok
	case ByTopBoards:
		for i := range boards[0] {
			if d, ok := decided(b, [2]int{int(boards[0][i]), int(boards[1][i])}); ok {
				d.Text = sentence.New("%s to %s on board %d (TBR)", points(d.Values[0]), points(d.Values[1]), i+1)
				return d, true
			}
		}
	case ByBottom:
		for last := len(boards[0]) - 1; last > 0; last-- {
			if d, ok := decided(b, [2]int{int(sum(boards[0][:last])), int(sum(boards[1][:last]))}); ok {
				d.Text = sentence.New("%s to %s on the boards 1 to %d (BBE)", points(d.Values[0]), points(d.Values[1]), last)
				return d, true
			}
		}
	case ByRapid:
		return t.byRapid()
	case ByLot:
		winner := int(sha256.Sum256([]byte("knock-out\x00" + t.Seed + "\x00" + t.ID))[0] & 1)
		return Decision{Winner: winner, By: b, Text: sentence.New("drawn by lot from the seed of the tournament (LOT)")}, true
	}
	return Decision{}, false
}

// byRapid returns the decision of the further matches, or that another must be played.
func (t Tie) byRapid() (Decision, bool) {
	for _, leg := range t.Rapid[:min(len(t.Rapid), maxRapid)] {
		if d, ok := decided(ByRapid, gamePoints([]Leg{leg})); ok {
			d.Text = sentence.New("%s to %s in the match that decides (RAPID)", points(d.Values[0]), points(d.Values[1]))
			return d, true
		}
	}
	if len(t.Rapid) >= maxRapid {
		return Decision{}, false
	}
	another := sentence.New("another match decides, with the seats exchanged (RAPID)")
	return Decision{Winner: -1, Next: ByRapid, Text: another}, true
}

// decided returns the decision for the greater value; false if both are equal.
func decided(b Decider, values [2]int) (Decision, bool) {
	d := Decision{By: b, Values: values}
	if values[1] > values[0] {
		d.Winner = 1
	}
	return d, values[0] != values[1]
}

func matchPoints(s Scoring, legs []Leg) (out [2]int) {
	for _, leg := range legs {
		a, b := sum(leg[0]), sum(leg[1])
		out[0] += int(s.Compare(a, b))
		out[1] += int(s.Compare(b, a))
	}
	return out
}

func gamePoints(legs []Leg) (out [2]int) {
	for _, leg := range legs {
		out[0] += int(sum(leg[0]))
		out[1] += int(sum(leg[1]))
	}
	return out
}

// onBoards returns the points of both teams on each board over all legs.
func onBoards(legs []Leg) (out [2][]tournament.Points) {
	for _, leg := range legs {
		for side := range out {
			n := max(len(leg[0]), len(leg[1]), len(out[side]))
			out[side] = slices.Concat(out[side], make([]tournament.Points, n-len(out[side])))
			for i, p := range leg[side] {
				out[side][i] += p
			}
		}
	}
	return out
}

func points(tenths int) string { return tournament.Points(tenths).String() }
