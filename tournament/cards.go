package tournament

// Kind is the kind of a cell: what a round was for an entry.
type Kind uint8

// The kinds of cell. Standings, pairing systems and report files all start from these.
const (
	Absent      Kind = iota // neither paired nor given a bye: not yet arrived, or withdrawn
	Pending                 // paired, no result yet
	Played                  // a game
	ForfeitWin              // the others did not play
	ForfeitLoss             // this one did not play, or none did
	Unpaired                // a bye; its kind is in Cell.Bye
)

// Cell is a round of an entry.
type Cell struct {
	Kind      Kind
	Bye       Bye
	Board     int    // 0 if Absent
	Seat      int    // from 1, 1 being White's part; 0 without a game
	Opponents []int  // pairing numbers in seat order; nil without a game
	Points    Points // 0 while Pending
	Balanced  bool   // several games were played, and both entries had each seat equally often
	GoesOn    bool   // of a team in a knock-out that goes on from a level match
	Secondary Points // of a team that scores match and game points: those that are not the primary score
}

// Card is an entry's row of the crosstable.
type Card struct {
	Entry Entry
	Cells []Cell // round n at index n−1
	// Before is the score before each round, at the time of pairing: results corrected later do not change it.
	Before []Points
}

// Cards returns the cards of the numbered entries (number n at index n−1) for the first rounds of the tournament.
// Rounds that are not published are blank. An arena has its games in the place of rounds: the cells of an entry are its
// games that count, in the order of their pairing.
func (t *Tournament) Cards(rounds int) []Card {
	if system := Systems[t.Format]; system != nil && rounds > 0 {
		return system.Cards(t)
	}
	entries := t.Numbered()
	cards := make([]Card, len(entries))
	number := t.Numbers()
	cells, scores := make([]Cell, rounds*len(entries)), make([]Points, rounds*len(entries))
	for i, e := range entries {
		from, to := i*rounds, (i+1)*rounds
		cards[i] = Card{Entry: e, Cells: cells[from:to:to], Before: scores[from:to:to]}
	}
	for _, r := range t.Rounds[:min(rounds, t.PublishedRounds())] {
		for i := range cards {
			cards[i].Before[r.Number-1] = cards[i].scoreAfter(r.Number-1) + t.primaryBonus(cards[i].Entry.ID, r.Number-1)
		}
		for _, p := range r.Pairings {
			for seat, id := range p.Seats {
				n := number[id]
				if n == 0 {
					continue
				}
				cards[n-1].Cells[r.Number-1] = p.Cell(seat, number)
				if seat < len(p.Scores) {
					cards[n-1].Before[r.Number-1] = p.Scores[seat]
				}
			}
		}
	}
	return cards
}

// primaryBonus returns the sum of penalties and bonuses in the score that pairs an entry.
func (t *Tournament) primaryBonus(entry string, round int) Points {
	if t.Bonuses == nil {
		return 0
	}
	return t.BonusOf(entry, round).Of(t.Teams.Rank())
}

// scoreAfter returns the sum of the points of the first rounds.
func (c Card) scoreAfter(rounds int) Points {
	var sum Points
	for _, cell := range c.Cells[:rounds] {
		sum += cell.Points
	}
	return sum
}

// Cell returns the pairing's cell for the entry at the seat (from 0).
func (p Pairing) Cell(seat int, number map[string]int) Cell {
	c := Cell{Kind: p.kind(seat), Bye: p.Bye, Board: p.Board}
	if p.Result != nil {
		c.Points, c.GoesOn = p.Result.Points[seat], p.Result.GoesOn == seat+1
		if p.Result.Second != nil {
			c.Secondary = p.Result.Second[seat]
		}
	}
	if p.Bye != NoBye {
		return c
	}
	c.Seat, c.Balanced = seat+1, p.balanced()
	for i, id := range p.Seats {
		if i != seat {
			c.Opponents = append(c.Opponents, number[id])
		}
	}
	return c
}

func (p Pairing) kind(seat int) Kind {
	switch {
	case p.Bye != NoBye:
		return Unpaired
	case p.Result == nil:
		return Pending
	case !p.Result.Forfeit && (len(p.Result.Ranks) <= seat || p.Result.Ranks[seat] > 0):
		return Played
	case p.Result.Forfeit && p.Result.Ranks != nil && p.Result.Ranks[seat] == 1:
		return ForfeitWin
	}
	return ForfeitLoss
}
