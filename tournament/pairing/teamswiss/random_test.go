package teamswiss_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/swiss"
	"quatuor/tournament/pairing/teamswiss"
)

var (
	seed   = flag.Uint64("seed", 1, "of the random fields")
	fields = flag.Int("fields", 1500, "number of random tournaments that are compared with the model")
)

// event is a random tournament of teams in progress.
type event struct {
	rng    *rand.Rand
	pairer teamswiss.Pairer
	h      pairing.History
	games  bool // game points are the primary score
}

func newEvent(rng *rand.Rand, teams, rounds int) *event {
	e := &event{rng: rng, games: rng.IntN(2) == 0, h: pairing.History{
		Rounds: rounds, Initial: pairing.Colour(1 + rng.IntN(2)), Field: make([]pairing.Entrant, teams),
		Points: tournament.PointSystem{Win: 20, Draw: 10},
	}}
	e.pairer = teamswiss.Pairer{
		Preference:  []teamswiss.Preference{teamswiss.TypeA, teamswiss.TypeB, teamswiss.NoPreference}[rng.IntN(3)],
		NoSecondary: rng.IntN(4) == 0,
		Virtual:     func(int, int) tournament.Points { return 0 },
		Readings: teamswiss.Readings{
			ForfeitMet: rng.IntN(6) == 0, LastNone: rng.IntN(6) == 0, C6Graded: rng.IntN(4) == 0, SeatByScore: rng.IntN(6) == 0,
		},
	}
	if rng.IntN(4) == 0 {
		e.pairer.Virtual = swiss.Baku(teams/2, rounds, e.h.Points)
	}
	for i := range e.h.Field {
		e.h.Field[i].Entry = tournament.Entry{ID: fmt.Sprint(i + 1), Number: i + 1}
	}
	for range rng.IntN(3) {
		if a, b := 1+rng.IntN(teams), 1+rng.IntN(teams); rng.IntN(3) == 0 && a != b {
			e.h.Bans = append(e.h.Bans, []int{a, b})
		}
	}
	return e
}

// begin makes the next round the round to be paired.
func (e *event) begin() {
	e.h.Round++
	for i := range e.h.Field {
		e.h.Field[i].Away = tournament.NoBye
		if e.rng.IntN(25) == 0 {
			e.h.Field[i].Away = []tournament.Bye{tournament.HalfPoint, tournament.ZeroPoint, tournament.FullPoint}[e.rng.IntN(3)]
		}
	}
}

// finish plays a round; the seats are the colours.
func (e *event) finish(r swiss.Round) {
	cells := make([]tournament.Cell, len(e.h.Field))
	for _, a := range r.Away {
		cells[a.Number-1] = tournament.Cell{Kind: tournament.Unpaired, Bye: a.Bye}
		cells[a.Number-1].Points = map[tournament.Bye]tournament.Points{tournament.HalfPoint: 10, tournament.FullPoint: 20}[a.Bye]
	}
	if r.Bye > 0 {
		cells[r.Bye-1] = tournament.Cell{Kind: tournament.Unpaired, Bye: tournament.PairingAllocated, Points: 10, Secondary: 20}
	}
	for _, g := range r.Games {
		white, black := &cells[g.White-1], &cells[g.Black-1]
		*white = tournament.Cell{Kind: tournament.Played, Seat: 1, Opponents: []int{g.Black}}
		*black = tournament.Cell{Kind: tournament.Played, Seat: 2, Opponents: []int{g.White}}
		games := tournament.Points(5 * e.rng.IntN(9))
		white.Secondary, black.Secondary = games, 40-games
		switch {
		case games > 20:
			white.Points = 20
		case games < 20:
			black.Points = 20
		default:
			white.Points, black.Points = 10, 10
		}
		if e.rng.IntN(15) == 0 {
			white.Kind, black.Kind = tournament.ForfeitWin, tournament.ForfeitLoss
			white.Points = 20
			black.Points = 0
			white.Secondary = 40
			black.Secondary = 0
		}
	}
	for i := range cells {
		if e.games {
			cells[i].Points, cells[i].Secondary = cells[i].Secondary, cells[i].Points
		}
		e.h.Field[i].Cells = append(e.h.Field[i].Cells, cells[i])
	}
}

// otherwise returns the round with its teams paired at random, as an arbiter might have, without second meetings if a
// few attempts succeed.
func (e *event) otherwise(r swiss.Round) swiss.Round {
	if e.rng.IntN(3) > 0 {
		return r
	}
	m := newModel(e.pairer, e.h)
	for range 20 {
		var numbers []int
		for _, g := range r.Games {
			numbers = append(numbers, g.White, g.Black)
		}
		e.rng.Shuffle(len(numbers), func(i, j int) { numbers[i], numbers[j] = numbers[j], numbers[i] })
		out := swiss.Round{Bye: r.Bye, Away: r.Away}
		legal := true
		for i := 0; i < len(numbers); i += 2 {
			out.Games = append(out.Games, swiss.Game{White: numbers[i], Black: numbers[i+1]})
			legal = legal && m.legal(numbers[i]-1, numbers[i+1]-1)
		}
		if legal {
			return out
		}
	}
	return r
}

// TestRoundsAreThoseOfTheModel: every round of many small tournaments, in every reading, is the round that the model
// finds by enumerating all sets and pairings, and none if the model finds none.
func TestRoundsAreThoseOfTheModel(t *testing.T) {
	count := *fields
	if testing.Short() {
		count /= 10
	}
	rounds, upfloats, refused := 0, 0, 0
	for n := range count {
		rng := rand.New(rand.NewPCG(*seed, uint64(n)))
		teams := 4 + rng.IntN(6)
		e := newEvent(rng, teams, 2+rng.IntN(teams))
		for e.h.Round < e.h.Rounds {
			e.begin()
			rounds++
			want, bye, ok := newModel(e.pairer, e.h).round()
			got, err := e.pairer.Draw(e.h)
			if !ok {
				refused++
				if !errors.Is(err, tournament.ErrUnpairable) {
					t.Fatalf("field %d, round %d: %v and %v, the model has no pairing", n, e.h.Round, got, err)
				}
				break
			}
			if err != nil {
				t.Fatalf("field %d, round %d: %v, the model has %v", n, e.h.Round, err, want)
			}
			upfloats += compare(t, e, got, want, bye, fmt.Sprintf("field %d, round %d", n, e.h.Round))
			e.finish(e.otherwise(got))
		}
	}
	t.Logf("%d rounds, %d pairs of different scores, %d rounds without a pairing", rounds, upfloats, refused)
	if upfloats == 0 || refused == 0 {
		t.Error("the fields are too easy")
	}
}

// compare compares a round with that of the model, with its colours; it returns the number of pairs of different
// scores.
func compare(t *testing.T, e *event, got swiss.Round, want [][2]int, bye int, where string) (upfloats int) {
	t.Helper()
	m := newModel(e.pairer, e.h)
	mate := make(map[int]int)
	for _, pair := range want {
		mate[pair[0]], mate[pair[1]] = pair[1], pair[0]
		if m.score[pair[0]-1] != m.score[pair[1]-1] {
			upfloats++
		}
	}
	if got.Bye != bye || len(got.Games) != len(want) {
		t.Fatalf("%s: bye %d, %d matches; the model has %d, %d", where, got.Bye, len(got.Games), bye, len(want))
	}
	for _, g := range got.Games {
		if mate[g.White] != g.Black {
			t.Fatalf("%s: paired %v, the model has %v (%+v)", where, got.Games, want, e.pairer)
		}
		first, colour := m.colour(g.White-1, g.Black-1, e.h.Initial)
		if (colour == pairing.White) != (first == g.White-1) {
			t.Fatalf("%s: %d has White against %d, the model has it the other way round", where, g.White, g.Black)
		}
	}
	return upfloats
}

// TestLargeRoundsAreLegal: in fields too large for the model, every team is paired once, no pair meets twice, the bye
// goes to a team that may have it, and the round is the same when it is paired again with an explanation.
func TestLargeRoundsAreLegal(t *testing.T) {
	sizes := []int{17, 40, 81}
	if testing.Short() {
		sizes = sizes[:2]
	}
	for n, teams := range sizes {
		e := newEvent(rand.New(rand.NewPCG(*seed, uint64(n))), teams, 13)
		for e.h.Round < e.h.Rounds {
			e.begin()
			got, err := e.pairer.Draw(e.h)
			if err != nil {
				t.Fatalf("%d teams, round %d: %v", teams, e.h.Round, err)
			}
			again, why, err := e.pairer.Explain(e.h)
			if err != nil || fmt.Sprint(again) != fmt.Sprint(got) || len(why.Pairs) != len(got.Games) {
				t.Fatalf("%d teams, round %d: explained, it is %v, %v", teams, e.h.Round, again, err)
			}
			e.checkLegal(t, got)
			e.finish(got)
		}
	}
}

func (e *event) checkLegal(t *testing.T, r swiss.Round) {
	t.Helper()
	m := newModel(e.pairer, e.h)
	seen := make(map[int]bool)
	for _, g := range r.Games {
		if seen[g.White] || seen[g.Black] || !m.legal(g.White-1, g.Black-1) {
			t.Errorf("round %d: %d and %d may not meet", e.h.Round, g.White, g.Black)
		}
		seen[g.White], seen[g.Black] = true, true
	}
	for i, entrant := range e.h.Field {
		if paired := seen[i+1] || r.Bye == i+1; paired != (entrant.Away == tournament.NoBye) {
			t.Errorf("round %d: number %d is away %q and paired %v", e.h.Round, i+1, entrant.Away, paired)
		}
	}
	for _, c := range e.h.Field[max(r.Bye, 1)-1].Cells {
		if r.Bye > 0 && c.Bye == tournament.PairingAllocated {
			t.Errorf("round %d: number %d has a second bye", e.h.Round, r.Bye)
		}
	}
}

// BenchmarkRound pairs all rounds of a tournament; ns/op is for all of them, and the slowest is named.
func BenchmarkRound(b *testing.B) {
	for _, size := range []struct{ teams, rounds int }{{80, 9}, {80, 25}, {80, 60}, {200, 9}, {200, 25}, {200, 100}} {
		b.Run(fmt.Sprintf("%d teams %d rounds", size.teams, size.rounds), func(b *testing.B) {
			var slowest, total time.Duration
			rounds := 0
			for n := range b.N {
				e := newEvent(rand.New(rand.NewPCG(*seed, uint64(n))), size.teams, size.rounds)
				for e.h.Round < e.h.Rounds {
					e.begin()
					start := time.Now()
					got, err := e.pairer.Draw(e.h)
					if errors.Is(err, tournament.ErrUnpairable) {
						break
					}
					took := time.Since(start)
					slowest, total, rounds = max(slowest, took), total+took, rounds+1
					e.finish(got)
				}
			}
			b.ReportMetric(float64(slowest.Microseconds())/1000, "slowest-ms")
			b.ReportMetric(float64(total.Microseconds())/1000/float64(rounds), "ms/round")
		})
	}
}

// TestReasonsAreThoseOfTheModel: the criterion that keeps the first candidate from being an upfloater is the first that
// makes the model's best set with it worse than the best set.
func TestReasonsAreThoseOfTheModel(t *testing.T) {
	checked := make(map[teamswiss.Criterion]int)
	for n := range 400 {
		rng := rand.New(rand.NewPCG(*seed, uint64(1_000_000+n)))
		e := newEvent(rng, 4+rng.IntN(6), 4)
		for e.h.Round < e.h.Rounds {
			e.begin()
			got, why, err := e.pairer.Explain(e.h)
			if err != nil {
				break
			}
			for _, r := range why.Pairs {
				if r.NotFloated.Number > 0 {
					checked[r.NotFloated.Criterion]++
				}
			}
			want := newModel(e.pairer, e.h).passedOver()
			for _, r := range why.Pairs {
				if w := want[int(r.Bracket)]; r.NotFloated.Number != w.Number || r.NotFloated.Criterion != w.Criterion {
					t.Fatalf("field %d, round %d, bracket %s: not %d by %v, the model has %d by %v", n, e.h.Round, r.Bracket,
						r.NotFloated.Number, r.NotFloated, w.Number, w)
				}
			}
			e.finish(e.otherwise(got))
		}
	}
	for _, c := range []teamswiss.Criterion{
		teamswiss.C3, teamswiss.C4, teamswiss.C5, teamswiss.C6, teamswiss.C7, teamswiss.Order,
	} {
		if checked[c] == 0 {
			t.Errorf("no candidate was passed over by %s: %v", teamswiss.Because{Criterion: c}, checked)
		}
	}
}
