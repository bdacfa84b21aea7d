// Package pairing is the interface between a tournament and its pairing systems, which are in the packages below. Each
// sees a tournament as a [History]: the entries of the round, and the cells of every earlier round for each of them.
//
// A history is read from the rounds as they were paired and published; [History.Text] stores it, so that a round
// can be explained and repeated whatever is corrected later. What a cell means to a pairing system:
//
//	cell           met the opponent   had a colour   points from
//	Played         yes                yes            the ranks; an adjourned game may count as a draw until it is over
//	ForfeitWin     no                 no             PointSystem.ForfeitWin
//	ForfeitLoss    no                 no             PointSystem.ForfeitLoss
//	Unpaired PAB   –                  no             PointSystem.Bye
//	Unpaired FPB   –                  no             PointSystem.Win
//	Unpaired HPB   –                  no             PointSystem.Draw
//	Unpaired ZPB   –                  no             0; in a round-robin this is the free round of an odd field
//	Absent         –                  no             0
package pairing

import (
	"slices"

	"quatuor/engine/sentence"
	"quatuor/tournament"
)

// Pairer is a pairing system.
type Pairer interface {
	// Rounds returns the number of rounds that a field of this many entries plays; planned is the organiser's choice, 0
	// for none. Errors wrap tournament.ErrInvalid and explain what would be possible.
	Rounds(entries, planned int) (int, error)
	// Pair returns the pairings of round h.Round: boards numbered from 1 in board order, byes last, no entry twice. It is
	// deterministic: the same history has the same round. Errors wrap tournament.ErrUnpairable and explain why no legal
	// pairing exists.
	Pair(h History) ([]tournament.Pairing, error)
}

// Keeper is a pairing system with a long search, which keeps what it found for [Explainer.Reasons].
type Keeper interface {
	// PairAndKeep is Pair, and also returns the text for History.Found.
	PairAndKeep(h History) (pairings []tournament.Pairing, found string, err error)
}

// Reviewer is a pairing system with rules of its own for a round that was changed by hand.
type Reviewer interface {
	// Review returns the rules that pairings break, like [Review].
	Review(h History, pairings []tournament.Pairing, unpaired []tournament.Entry) []Warning
}

// Adviser is a pairing system that can judge a planned number of rounds before the start.
type Adviser interface {
	// Advice returns a warning for the organiser of a field of this size; the zero value for none.
	Advice(entries, planned int) sentence.Sentence
}

// History is the input of a pairing system: all that it knows when it pairs a round.
type History struct {
	Round  int // to be paired, from 1
	Rounds int // planned
	Points tournament.PointSystem
	Seed   string // 64 hex digits: the seed of everything that is drawn by lot

	Initial Colour  // initial colour of a Swiss or a knock-out; 0 has it drawn from Seed in a Swiss
	GroupA  int     // last number that the Baku Acceleration favours; 0 without it
	Bans    [][]int // groups of numbers whose members may not meet each other in this round

	ThirdPlace bool // the losers of the semi-finals of a knock-out play, too
	Legs       int  // of a knock-out: matches between two opponents, each in a round; 0 for 1

	Field []Entrant // number n at index n−1

	Found string // result of a [Keeper]'s search for this round; "" before that, and for other systems
}

// Entrant is an entry of the field.
type Entrant struct {
	tournament.Card                // the rounds before History.Round
	Away            tournament.Bye // the bye that the entry has in this round instead of a game; NoBye if it takes part
}

// HistoryOf returns the history for pairing a round of the tournament; later rounds are left out. A round that was
// paired before a result was corrected, or before a late entry, was paired from a different history: see [Read].
func HistoryOf(t *tournament.Tournament, round int) History {
	h := History{
		Round: round, Rounds: t.RoundCount, Points: t.Points, Seed: t.LotSeed, Initial: t.FirstColour,
		GroupA: t.GroupA(), Bans: t.Bans(round), ThirdPlace: t.Rules.Match.ThirdPlace,
	}
	if t.Teams != nil {
		h.Legs = t.Teams.Legs
	}
	cards := t.Cards(round - 1)
	h.Field = make([]Entrant, len(cards))
	for i, card := range cards {
		h.Field[i] = Entrant{Card: card, Away: t.Away(card.Entry, round)}
		if t.Bonuses != nil {
			h.Field[i].addBonus(t, round)
		}
		if t.Rules.AdjournedDraw {
			drawPending(card.Cells, t.Points.Draw)
		}
	}
	return h
}

// addBonus adds penalties and bonuses to the score before the round, and to the secondary score.
func (e *Entrant) addBonus(t *tournament.Tournament, round int) {
	sum, by := t.BonusOf(e.Entry.ID, round-1), t.Teams.Rank()
	e.Before = append(slices.Clip(e.Before), e.Score()+sum.Of(by))
	if round > 1 {
		e.Cells[0].Secondary += sum.Of(by.Other())
	}
}

// drawPending counts games without a result as draws: only adjourned games are still open when the next round is
// paired.
func drawPending(cells []tournament.Cell, draw tournament.Points) {
	for i := range cells {
		if cells[i].Kind == tournament.Pending {
			cells[i].Kind, cells[i].Points = tournament.Played, draw
		}
	}
}

// Colour is the side that an entry plays in a game of two.
type Colour = tournament.Colour

// The colours. White has seat 1 and the first move.
const (
	White = tournament.White
	Black = tournament.Black
)

// Colours returns the colours of the entrant's games in order; rounds without a game are skipped.
func (e Entrant) Colours() []Colour {
	var out []Colour
	for _, c := range e.Cells {
		if c.Kind == tournament.Played && len(c.Opponents) == 1 {
			out = append(out, Colour(c.Seat))
		}
	}
	return out
}

// Score returns the sum of the entrant's points.
func (e Entrant) Score() tournament.Points {
	var sum tournament.Points
	for _, c := range e.Cells {
		sum += c.Points
	}
	return sum
}

// ScoreBefore returns the points before a round is or was paired: the stored score, else the sum of the rounds before it.
func (e Entrant) ScoreBefore(round int) tournament.Points {
	if round <= len(e.Before) {
		return e.Before[round-1]
	}
	var sum tournament.Points
	for _, c := range e.Cells[:round-1] {
		sum += c.Points
	}
	return sum
}

// Pairing returns the pairing of numbers at a board, in seat order, or the bye of a single number.
func (h History) Pairing(board int, bye tournament.Bye, numbers ...int) tournament.Pairing {
	seats := make([]string, len(numbers))
	for i, n := range numbers {
		seats[i] = h.Field[n-1].Entry.ID
	}
	return tournament.Pairing{Board: board, Seats: seats, Bye: bye}
}

// BarsBye reports whether a round keeps an entrant from a pairing-allocated bye (C2): an earlier allocated bye, or as
// many points as a win without playing.
func (h History) BarsBye(c tournament.Cell) bool {
	return c.Bye == tournament.PairingAllocated ||
		(c.Kind == tournament.Unpaired || c.Kind == tournament.ForfeitWin) && c.Points >= h.Points.Win
}

// Barred reports whether two numbers must not meet in this round.
func (h History) Barred(a, b int) bool {
	return slices.ContainsFunc(h.Bans, func(group []int) bool { return slices.Contains(group, a) && slices.Contains(group, b) })
}
