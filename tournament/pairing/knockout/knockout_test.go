package knockout

import (
	"errors"
	"fmt"
	"math/bits"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/registration"
	"quatuor/tournament/scoring"
)

func TestSeeding(t *testing.T) {
	for rounds, want := range [][]int{
		{1},
		{1, 2},
		{1, 4, 3, 2},
		{1, 8, 5, 4, 3, 6, 7, 2},
		{1, 16, 9, 8, 5, 12, 13, 4, 3, 14, 11, 6, 7, 10, 15, 2},
	} {
		if got := Seeding(rounds); !slices.Equal(got, want) {
			t.Errorf("%d rounds: %v, want %v", rounds, got, want)
		}
	}
}

// TestBestMeetLate: two of the first 2^k numbers never meet before only 2^k are left, and the favourite meets its
// strongest possible opponent last of all.
func TestBestMeetLate(t *testing.T) {
	for rounds := 1; rounds <= 8; rounds++ {
		seeds := Seeding(rounds)
		place := make([]int, len(seeds)+1)
		for i, s := range seeds {
			place[s] = i
		}
		for a := 1; a <= len(seeds); a++ {
			for b := a + 1; b <= len(seeds); b++ {
				meet := bits.Len(uint(place[a] ^ place[b])) // the round that joins their halves
				if left := 1 << (rounds - meet + 1); b <= left/2 {
					t.Fatalf("%d rounds: %d and %d meet while %d are left", rounds, a, b, left)
				}
			}
		}
	}
}

func TestNames(t *testing.T) {
	var got []string
	for r := 1; r <= 5; r++ {
		got = append(got, Name(r, 5))
	}
	want := []string{"Round of 32", "Round of 16", "Quarter-finals", "Semi-finals", "Final"}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// evening is a tournament that is played round by round.
type evening struct {
	t  rapid.TB
	tm *tournament.Tournament
}

func newEvening(t rapid.TB, n int, third bool, seed byte) *evening {
	t.Helper()
	s := tournament.Settings{
		Name: "Cup", Variant: "v", Format: tournament.Knockout, TimeControl: "1+0", Rules: tournament.PairingRules{
			Match: tournament.KnockoutRules{ThirdPlace: third},
		},
	}
	duel := tournament.Shape{Min: 2, Max: 2, Members: 1}
	tm, err := tournament.New("t", "o", s, tournament.Checks{
		Format:      func(tournament.Format, tournament.Shape) error { return nil },
		Variant:     func(string, map[string]string) (tournament.Shape, error) { return duel, nil },
		TimeControl: func(text string) (string, error) { return text, nil },
		TieBreak:    func(tournament.Format, string) error { return nil },
	}, 0)
	e := &evening{t: t, tm: tm}
	e.ok(err)
	for i := 1; i <= n; i++ {
		e.do(func(t *tournament.Tournament) (*tournament.Revision, error) {
			return registration.AddEntry(t, tournament.Entry{ID: fmt.Sprint("e", i), Name: fmt.Sprintf("E%03d", i)}, duel)
		})
	}
	rounds, err := Pairer{}.Rounds(n, 0)
	e.ok(err)
	e.do(func(t *tournament.Tournament) (*tournament.Revision, error) {
		return t.Start(rounds, fmt.Sprintf("%064x", seed), 0)
	})
	return e
}

func (e *evening) ok(err error) {
	e.t.Helper()
	if err != nil {
		e.t.Fatal(err)
	}
}

func (e *evening) do(step func(*tournament.Tournament) (*tournament.Revision, error)) {
	e.t.Helper()
	next, err := step(e.tm)
	e.ok(err)
	e.tm = next.Tournament
}

// draw pairs and publishes the next round.
func (e *evening) draw() tournament.Round {
	e.t.Helper()
	h := pairing.HistoryOf(e.tm, len(e.tm.Rounds)+1)
	pairings, err := Pairer{}.Pair(h)
	e.ok(err)
	again, err := pairing.Read(h.Text(), h.Seed)
	e.ok(err)
	if repeated, err := (Pairer{}).Pair(again); err != nil || !reflect.DeepEqual(repeated, pairings) {
		e.t.Fatalf("paired again from what was kept: %v (%v), want %v", repeated, err, pairings)
	}
	e.do(func(t *tournament.Tournament) (*tournament.Revision, error) {
		return t.AddRound(pairings)
	})
	e.do(func(t *tournament.Tournament) (*tournament.Revision, error) {
		return t.Publish(func() string { return "" }, 0)
	})
	return e.tm.Rounds[len(e.tm.Rounds)-1]
}

func (e *evening) result(board int, text string) {
	e.t.Helper()
	v, err := tournament.ParseVerdict(text)
	e.ok(err)
	e.do(func(t *tournament.Tournament) (*tournament.Revision, error) {
		return scoring.SetResult(t, len(t.Rounds), board, v, "o", "", 0)
	})
}

func (e *evening) bracket() Bracket {
	return Of(pairing.HistoryOf(e.tm, len(e.tm.Rounds)+1))
}

// numbers returns the numbers at a board.
func (e *evening) numbers(p tournament.Pairing) (out []int) {
	for _, id := range p.Seats {
		entry, _ := e.tm.Entry(id)
		out = append(out, entry.Number)
	}
	return out
}

// TestWholeTournaments: whatever happens, no entry goes on after a defeat, the matches are as many as there must be,
// byes belong to the best in round 1, and the same history leads to the same round.
func TestWholeTournaments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 40).Draw(t, "entries")
		third := rapid.Bool().Draw(t, "third place")
		e := newEvening(t, n, third, rapid.Byte().Draw(t, "seed"))
		lost := make(map[int]int) // round of the defeat
		matches, semiLosers := 0, 0
		for e.tm.CanPair() == nil {
			r := e.draw()
			for _, p := range r.Pairings {
				who := e.numbers(p)
				if p.Bye != tournament.NoBye {
					if size := 1 << e.tm.RoundCount; r.Number > 1 || who[0] > size-n {
						t.Fatalf("number %d of %d has a bye in round %d", who[0], n, r.Number)
					}
					continue
				}
				matches++
				inThird := lost[who[0]] > 0 && lost[who[1]] > 0 && r.Number == e.tm.RoundCount && p.Board == 2
				if (lost[who[0]] > 0 || lost[who[1]] > 0) && !inThird {
					t.Fatalf("round %d, board %d: %v, of whom one was out", r.Number, p.Board, who)
				}
				text := rapid.SampledFrom([]string{"1-0", "0-1", "+--", "--+"}).Draw(t, "result")
				e.result(p.Board, text)
				if inThird {
					continue
				}
				loser := who[1]
				if text == "0-1" || text == "--+" {
					loser = who[0]
				}
				lost[loser] = r.Number
				if r.Number == e.tm.RoundCount-1 {
					semiLosers++
				}
			}
		}
		want := n - 1
		if third && semiLosers == 2 {
			want++
		}
		if matches != want || len(lost) != n-1 {
			t.Fatalf("%d entries, third place %v: %d matches, %d are out; want %d matches", n, third, matches, len(lost), want)
		}
		e.checkRanks(lost)
		_, err := e.tm.Finish(1)
		e.ok(err)
	})
}

// checkRanks compares the ranks with the round of each entry's defeat.
func (e *evening) checkRanks(lost map[int]int) {
	e.t.Helper()
	b := e.bracket()
	for i, s := range b.Ranks(len(e.tm.Entries)) {
		n := i + 1
		left := e.tm.RoundCount - lost[n]
		low, high := 1<<left+1, 2<<left
		if lost[n] == 0 {
			low, high = 1, 1
		}
		if s.Out != lost[n] || s.Rank < low || s.Rank > high || s.Rank != low && (b.Third == nil || s.Rank != 4) {
			e.t.Fatalf("number %d lost in round %d of %d and has %+v", n, lost[n], e.tm.RoundCount, s)
		}
	}
}

// TestFavouritesWin: each round's best meets the last of those left, the final is 1 against 2, and 3 is third.
func TestFavouritesWin(t *testing.T) {
	e := newEvening(t, 13, true, 7)
	var met [][2]int
	for e.tm.CanPair() == nil {
		for _, p := range e.draw().Pairings {
			if p.Bye != tournament.NoBye {
				continue
			}
			who := e.numbers(p)
			met = append(met, [2]int{min(who[0], who[1]), max(who[0], who[1])})
			if who[0] < who[1] {
				e.result(p.Board, "1-0")
			} else {
				e.result(p.Board, "0-1")
			}
		}
	}
	want := [][2]int{
		{8, 9}, {5, 12}, {4, 13}, {6, 11}, {7, 10}, {1, 8}, {4, 5}, {3, 6}, {2, 7}, {1, 4}, {2, 3}, {1, 2}, {3, 4},
	}
	if !slices.Equal(met, want) {
		t.Errorf("met %v, want %v", met, want)
	}
	var ranks []int
	for _, s := range e.bracket().Ranks(13) {
		ranks = append(ranks, s.Rank)
	}
	if want := []int{1, 2, 3, 4, 5, 5, 5, 5, 9, 9, 9, 9, 9}; !slices.Equal(ranks, want) {
		t.Errorf("ranks %v, want %v", ranks, want)
	}
}

// TestDoubleForfeit: no entry comes through, and the opponent of the winner is free.
func TestDoubleForfeit(t *testing.T) {
	e := newEvening(t, 4, true, 1)
	e.draw()
	e.result(1, "---")
	e.result(2, "1-0")
	r := e.draw()
	if len(r.Pairings) != 1 || r.Pairings[0].Bye != tournament.PairingAllocated {
		t.Fatalf("the last round is %+v, want a bye alone", r.Pairings)
	}
	b := e.bracket()
	if final := b.Rounds[1][0]; !final.Free() || final.Winner != e.numbers(r.Pairings[0])[0] || !b.Third.Free() {
		t.Errorf("final %+v, third place %+v", final, b.Third)
	}
	for i, want := range []int{3, 3, 3, 3} {
		if n := i + 1; n != b.Rounds[1][0].Winner && b.Ranks(4)[i].Rank != want {
			t.Errorf("number %d has rank %d, want %d", n, b.Ranks(4)[i].Rank, want)
		}
	}
}

// TestNoEntryLeft: when both forfeit everywhere, the tournament can be finished without a winner.
func TestNoEntryLeft(t *testing.T) {
	e := newEvening(t, 4, true, 1)
	e.draw()
	e.result(1, "---")
	e.result(2, "---")
	if _, err := (Pairer{}).Pair(pairing.HistoryOf(e.tm, 2)); !errors.Is(err, tournament.ErrUnpairable) {
		t.Errorf("round 2: %v, want ErrUnpairable", err)
	}
	if err := e.tm.CanPair(); !errors.Is(err, tournament.ErrState) {
		t.Errorf("the next round: %v, want ErrState", err)
	}
	if _, err := e.tm.Finish(1); err != nil {
		t.Errorf("finishing: %v", err)
	}
}

func TestRefusals(t *testing.T) {
	if _, err := (Pairer{}).Rounds(1, 0); !errors.Is(err, tournament.ErrInvalid) {
		t.Errorf("one entry: %v, want ErrInvalid", err)
	}
	e := newEvening(t, 3, false, 1)
	if _, err := (Pairer{}).Pair(pairing.HistoryOf(e.tm, 3)); !errors.Is(err, tournament.ErrUnpairable) {
		t.Errorf("round 3 of 3 entries: %v, want ErrUnpairable", err)
	}
	e.draw()
	if _, err := (Pairer{}).Pair(pairing.HistoryOf(e.tm, 2)); !errors.Is(err, tournament.ErrUnpairable) {
		t.Errorf("a round before the one before is decided: %v, want ErrUnpairable", err)
	}
}

// cells are an entrant's rounds in short: w and b are games with White and Black, W and B are matches of an even number
// of games with that colour in the last, - is a forfeit.
func cells(short string) pairing.Entrant {
	var e pairing.Entrant
	for _, c := range short {
		cell := tournament.Cell{Kind: tournament.Played, Opponents: []int{9}, Seat: 1, Balanced: c == 'W' || c == 'B'}
		switch c {
		case 'b', 'B':
			cell.Seat = 2
		case '-':
			cell.Kind = tournament.ForfeitWin
		}
		e.Cells = append(e.Cells, cell)
	}
	return e
}

func TestColours(t *testing.T) {
	for _, test := range []struct {
		board     int
		initial   pairing.Colour
		high, low string
		want      int // White: 1 is the higher seed
	}{
		{1, pairing.White, "", "", 1},
		{2, pairing.White, "", "", 2},
		{1, pairing.Black, "", "", 2},
		{2, pairing.Black, "", "", 1},
		{1, pairing.White, "-", "-", 1}, // forfeits give no colour
		{1, pairing.White, "b", "w", 1},
		{1, pairing.White, "w", "b", 2},
		{1, pairing.White, "w", "", 2}, // White less often decides
		{1, pairing.White, "", "w", 1},
		{1, pairing.White, "wb", "b", 2},
		{1, pairing.White, "b", "b", 1}, // the same colour last: the higher seed changes
		{1, pairing.Black, "w", "w", 2},
		{1, pairing.White, "W", "wb", 2}, // an even number of games leaves the balance as it is
		{1, pairing.White, "B", "w", 1},
		{1, pairing.Black, "", "W", 1},
		{2, pairing.Black, "", "B", 2},
	} {
		h := pairing.History{Initial: test.initial, Field: []pairing.Entrant{cells(test.high), cells(test.low)}}
		if white, black := colours(h, test.board, 1, 2); white != test.want || white+black != 3 {
			t.Errorf("board %d, initially %d, %q against %q: White is %d, want %d",
				test.board, test.initial, test.high, test.low, white, test.want)
		}
	}
}
