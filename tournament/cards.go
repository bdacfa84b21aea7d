package tournament

// Kind says what a round was for an entry.
type Kind uint8

// The kinds of cell. Standings, pairing systems and report files all start from these.
const (
	Absent      Kind = iota // neither paired nor given a bye: not yet arrived, or withdrawn
	Pending                 // paired, no result yet
	Played                  // a game
	ForfeitWin              // the others did not play
	ForfeitLoss             // this one did not play, or nobody did
	Unpaired                // a bye; Cell.Bye says which
)

// Cell is one round of one entry.
type Cell struct {
	Kind      Kind
	Bye       Bye
	Board     int    // 0 if Absent
	Seat      int    // from 1, 1 being White's part; 0 without a game
	Opponents []int  // pairing numbers in seat order; nil without a game
	Points    Points // 0 while Pending
}

// Card is everything that happened to one entry.
type Card struct {
	Entry Entry
	Cells []Cell // round n at index n−1
}

// Cards gives the cards of the numbered entries (number n at index n−1) for the first rounds of the tournament. Rounds
// that are not published are left blank.
func (t *Tournament) Cards(rounds int) []Card {
	entries := t.Numbered()
	cards := make([]Card, len(entries))
	number := make(map[string]int, len(entries))
	for i, e := range entries {
		cards[i] = Card{Entry: e, Cells: make([]Cell, rounds)}
		number[e.ID] = e.Number
	}
	for _, r := range t.Rounds[:min(rounds, t.PublishedRounds())] {
		for _, p := range r.Pairings {
			for seat, id := range p.Seats {
				if n, ok := number[id]; ok {
					cards[n-1].Cells[r.Number-1] = p.cell(seat, number)
				}
			}
		}
	}
	return cards
}

// cell is what the pairing was for the entry at the seat (from 0).
func (p Pairing) cell(seat int, number map[string]int) Cell {
	c := Cell{Kind: p.kind(seat), Bye: p.Bye, Board: p.Board}
	if p.Result != nil {
		c.Points = p.Result.Points[seat]
	}
	if p.Bye != NoBye {
		return c
	}
	c.Seat = seat + 1
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
	case !p.Result.Forfeit:
		return Played
	case p.Result.Ranks != nil && p.Result.Ranks[seat] == 1:
		return ForfeitWin
	}
	return ForfeitLoss
}
