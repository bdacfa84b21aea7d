package swiss_test

import (
	"errors"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/swiss"
)

// drawHistory plays some rounds of a random tournament. Rounds are paired by the rules, or by chance among what is
// legal, so that histories come up that no regular tournament has.
func drawHistory(t *rapid.T, most int) pairing.History {
	n := most - rapid.SampledFrom([]int{0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 7}).Draw(t, "fewer")
	planned := rapid.IntRange(1, n).Draw(t, "planned")
	rounds := planned - 1
	if rapid.Bool().Draw(t, "before the last") {
		rounds = rapid.IntRange(0, planned-1).Draw(t, "played")
	}
	h := pairing.History{Round: 1, Rounds: planned, Points: drawPoints(t), Field: make([]pairing.Entrant, n)}
	h.Initial = rapid.SampledFrom([]pairing.Colour{pairing.White, pairing.Black}).Draw(t, "initial")
	if rapid.IntRange(0, 3).Draw(t, "baku") == 0 {
		h.GroupA = tournament.GroupASize(n)
	}
	if rapid.IntRange(0, 3).Draw(t, "bans") == 0 {
		h.Bans = [][]int{rapid.SliceOfNDistinct(rapid.IntRange(1, n), 2, min(3, n), rapid.ID).Draw(t, "ban")}
	}
	calm := rapid.SampledFrom([]int{3, 10, 50}).Draw(t, "calm")
	for {
		for i := range h.Field {
			h.Field[i].Away = tournament.NoBye
			if rapid.IntRange(0, calm).Draw(t, "away") == 0 {
				h.Field[i].Away = rapid.SampledFrom([]tournament.Bye{
					tournament.ZeroPoint, tournament.HalfPoint, tournament.FullPoint,
				}).Draw(t, "bye")
			}
		}
		if h.Round > rounds || !playRound(t, &h, calm) {
			return h
		}
	}
}

func drawPoints(t *rapid.T) tournament.PointSystem {
	halfBye := tournament.StandardPoints
	halfBye.Bye = 5
	noBye := tournament.StandardPoints
	noBye.Bye = 0
	return rapid.SampledFrom([]tournament.PointSystem{
		tournament.StandardPoints, tournament.StandardPoints, halfBye, noBye,
		{Win: 30, Draw: 10, ForfeitWin: 30, Bye: 30},
		{Win: 30, Draw: 20, Loss: 10, ForfeitWin: 30, Bye: 30},
	}).Draw(t, "points")
}

// playRound adds a round to the history; false if it cannot be paired.
func playRound(t *rapid.T, h *pairing.History, calm int) bool {
	var games []swiss.Game
	var bye int
	if rapid.Bool().Draw(t, "by the rules") {
		round, err := swiss.Pairer{}.Draw(*h)
		if err != nil {
			return false
		}
		games, bye = round.Games, round.Bye
	} else {
		var ok bool
		games, bye, ok = chancePairs(t, *h)
		if !ok {
			return false
		}
	}
	for i := range h.Field {
		e := &h.Field[i]
		if e.Away != tournament.NoBye {
			e.Cells = append(e.Cells, tournament.Cell{Kind: tournament.Unpaired, Bye: e.Away, Points: h.Points.ForBye(e.Away)})
		}
	}
	if bye > 0 {
		e := &h.Field[bye-1]
		e.Cells = append(e.Cells, tournament.Cell{
			Kind: tournament.Unpaired, Bye: tournament.PairingAllocated, Points: h.Points.Bye,
		})
	}
	for _, g := range games {
		playGame(t, h, g, calm)
	}
	h.Round++
	return true
}

func playGame(t *rapid.T, h *pairing.History, g swiss.Game, calm int) {
	white := tournament.Cell{Kind: tournament.Played, Seat: 1, Opponents: []int{g.Black}}
	black := tournament.Cell{Kind: tournament.Played, Seat: 2, Opponents: []int{g.White}}
	switch rapid.IntRange(0, 3+calm).Draw(t, "result") {
	case 0:
		white.Kind, black.Kind = tournament.ForfeitWin, tournament.ForfeitLoss
		white.Points, black.Points = h.Points.ForfeitWin, h.Points.ForfeitLoss
	case 1:
		white.Kind, black.Kind = tournament.ForfeitLoss, tournament.ForfeitLoss
		white.Points, black.Points = h.Points.ForfeitLoss, h.Points.ForfeitLoss
	default:
		ranks := rapid.SampledFrom([][]int{{1, 2}, {2, 1}, {1, 1}}).Draw(t, "ranks")
		points := h.Points.ForRanks(ranks)
		white.Points, black.Points = points[0], points[1]
	}
	h.Field[g.White-1].Cells = append(h.Field[g.White-1].Cells, white)
	h.Field[g.Black-1].Cells = append(h.Field[g.Black-1].Cells, black)
}

// chancePairs pairs at random, but legally, and with colours that are possible in a regular tournament.
func chancePairs(t *rapid.T, h pairing.History) (games []swiss.Game, bye int, ok bool) {
	l := newLiteral(h)
	_, _, ok = l.draw() // fixes the score of the bye
	if !ok {
		return nil, 0, false
	}
	left := uint(1)<<len(l.players) - 1
	order := make([]int, len(l.players))
	for i := range order {
		order[i] = i
	}
	order = rapid.Permutation(order).Draw(t, "order")
	for _, i := range order {
		if left>>i&1 == 0 {
			continue
		}
		for _, j := range order {
			rest := left &^ (1<<i | 1<<j)
			if i != j && left>>j&1 == 1 && l.legal(i, j) && l.completable(rest) {
				g := l.game(min(i, j), max(i, j))
				if swapped := (swiss.Game{White: g.Black, Black: g.White}); rapid.Bool().Draw(t, "swap") && l.bearable(swapped) {
					g = swapped
				}
				games = append(games, g)
				left = rest
				break
			}
		}
		if left>>i&1 == 1 {
			bye = l.players[i].number
			left &^= 1 << i
		}
	}
	return games, bye, true
}

func (l *literal) game(i, j int) swiss.Game {
	g := swiss.Game{White: l.players[i].number, Black: l.players[j].number}
	if l.colour(i, j) == pairing.Black {
		g.White, g.Black = g.Black, g.White
	}
	return g
}

// bearable reports whether neither gets a colour three times running, or three times more often than the other.
func (l *literal) bearable(g swiss.Game) bool {
	for _, p := range l.players {
		if p.strength == 3 && (p.number == g.White && p.due == pairing.Black || p.number == g.Black &&
			p.due == pairing.White) {
			return false
		}
	}
	return true
}

// TestAgainstLiteral compares with candidates generated and judged singly.
func TestAgainstLiteral(t *testing.T) {
	var paired, refused int
	check := func(t *rapid.T) {
		h := drawHistory(t, 9)
		got, err := swiss.Pairer{}.Draw(h)
		l := newLiteral(h)
		pairs, bye, ok := l.draw()
		if len(l.players) == 0 {
			if err != nil || len(got.Games) > 0 || got.Bye > 0 || len(got.Away) != len(h.Field) {
				t.Fatalf("drew %v (%v) though nobody takes part", got, err)
			}
			return
		}
		if !ok {
			refused++
			if !errors.Is(err, tournament.ErrUnpairable) {
				t.Fatalf("drew %v (%v), and nothing is legal", got, err)
			}
			return
		}
		paired++
		if err != nil {
			t.Fatalf("refused: %v; expected %v", err, pairs)
		}
		var want []swiss.Game
		for _, p := range pairs {
			want = append(want, l.game(min(p[0], p[1]), max(p[0], p[1])))
		}
		if bye >= 0 {
			bye = l.players[bye].number
		}
		byWhite := func(a, b swiss.Game) int { return a.White - b.White }
		games := slices.SortedFunc(slices.Values(got.Games), byWhite)
		slices.SortFunc(want, byWhite)
		if !slices.Equal(games, want) || got.Bye != max(bye, 0) {
			t.Fatalf("drew %v, bye %d; want %v, bye %d", games, got.Bye, want, max(bye, 0))
		}
	}
	times := 6 // the hundred that are checked by default
	switch {
	case os.Getenv("QUATUOR_LONG") != "":
		times = 20
	case testing.Short():
		times = 2
	}
	for range times {
		rapid.Check(t, check)
	}
	t.Logf("%d rounds compared, %d refused alike", paired, refused)
	if paired == 0 || refused == 0 {
		t.Error("rounds of both sorts are needed, with and without a legal pairing")
	}
}
