package check_test

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"quatuor/tournament/pairing"
	"quatuor/tournament/trf"
	"quatuor/tournament/trf/check"
	"quatuor/tournament/trf/generate"
)

var (
	clean  = flag.Int("check.clean", 150, "how many clean files are checked")
	faults = flag.Int("check.faults", 200, "how many faults are planted")
)

// generated returns the tournament of a seed, of a size and with events that vary with it.
func generated(t testing.TB, seed uint64) *trf.Report {
	t.Helper()
	var s generate.Settings
	lines := []string{"PlayersNumber=9..50", "RoundsNumber=4..9", "LateEntryRate=10", "RetiredRate=12", "ReturnRate=20"}
	switch seed % 4 {
	case 1:
		lines = append(lines, "Acceleration=baku")
	case 2:
		lines = append(lines, "PointsForWin=3", "PointsForDraw=1", "PointsForPAB=2", "PointsForForfeitWin=2")
	case 3:
		lines = append(lines, "PlayedRounds=0..8", "HPBRate=40", "FPBRate=20", "ZPBRate=20", "ForbiddenPairs=6")
	}
	for _, line := range lines {
		if err := s.Set(line); err != nil {
			t.Fatal(err)
		}
	}
	r, err := generate.Tournament(s, seed)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// reread writes and reads a report.
func reread(t testing.TB, r *trf.Report) *trf.Report {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	again, err := trf.Read(b.Bytes())
	if err != nil {
		t.Fatalf("%v\n%s", err, &b)
	}
	return again
}

// TestCleanFiles: nothing is found in tournaments that keep the rules.
func TestCleanFiles(t *testing.T) {
	for seed := range uint64(*clean) {
		r := reread(t, generated(t, seed))
		result, err := check.Report(r, check.Options{})
		if err != nil || len(result.Findings) > 0 {
			t.Errorf("seed %d: %+v, error %v", seed, result.Findings, err)
		}
		if want := r.NextRound() - 1; result.Rounds != want || result.Ranks != len(r.Players) {
			t.Errorf("seed %d: %d rounds and %d ranks compared, want %d and %d", seed, result.Rounds, result.Ranks, want,
				len(r.Players))
		}
	}
}

// TestKnownFiles: nothing is found in tournaments with known pairings, also without what other programs leave out.
func TestKnownFiles(t *testing.T) {
	files, err := filepath.Glob("../../pairing/swiss/testdata/open/*.trf")
	if err != nil || len(files) != 60 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		bare := bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\n142 "), []byte("\n### ")), []byte("\n152 "), []byte("\n### "))
		for _, text := range [][]byte{text, bare} {
			r, err := trf.Read(text)
			if err != nil {
				t.Fatal(err)
			}
			if result, err := check.Report(r, check.Options{}); err != nil || len(result.Findings) > 0 {
				t.Errorf("%s: %+v, error %v", file, result.Findings, err)
			}
		}
	}
}

// fault is a fault that was planted.
type fault struct {
	kind    string
	round   int
	players []int
}

// TestPlantedFaults: every fault is found, with its round or rank, and nothing before it.
func TestPlantedFaults(t *testing.T) {
	planted := map[string]int{}
	for seed := uint64(0); planted["all"] < *faults; seed++ {
		random := rand.New(rand.NewPCG(seed, 1))
		r := generated(t, seed)
		if r.NextRound() == 1 {
			continue
		}
		kinds := []func(*trf.Report, *rand.Rand) fault{exchangeOpponents, exchangeColours, moveBye, exchangeRanks, shiftRank}
		f := kinds[random.IntN(len(kinds))](r, random)
		if f.kind == "" {
			continue // the tournament has no place for it
		}
		planted["all"]++
		planted[f.kind]++
		result, err := check.Report(reread(t, r), check.Options{NoStandings: f.round > 0})
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
			continue
		}
		if err := found(f, result.Findings); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
	t.Logf("planted and found: %v", planted)
}

// found compares what was found with what was planted.
func found(f fault, findings []check.Finding) error {
	if len(findings) == 0 || findings[0].Round != f.round {
		return fmt.Errorf("%+v: found %+v", f, findings)
	}
	for _, player := range f.players {
		if !slices.ContainsFunc(findings, func(x check.Finding) bool {
			return x.Round == f.round && slices.Contains(x.Players, player) && x.Text != "" && x.Line > 0
		}) {
			return fmt.Errorf("%+v: nothing about player %d in %+v", f, player, findings)
		}
	}
	if f.round > 0 && findings[0].Because == "" {
		return fmt.Errorf("%+v: no reason in %+v", f, findings[0])
	}
	return nil
}

// games returns the numbers of White in the games of a round at the board with any of these results.
func games(r *trf.Report, round int, results ...trf.Result) (out []int) {
	for _, p := range r.Players {
		if c := p.Cell(round); c.Opponent > 0 && c.Colour == pairing.White && slices.Contains(results, c.Result) {
			out = append(out, p.Number)
		}
	}
	return out
}

func anyRound(r *trf.Report, random *rand.Rand) int {
	return 1 + random.IntN(r.NextRound()-1)
}

// exchangeOpponents exchanges the opponents of two games with the same result.
func exchangeOpponents(r *trf.Report, random *rand.Rand) fault {
	round := anyRound(r, random)
	whites := games(r, round, trf.Win)
	if len(whites) < 2 {
		return fault{}
	}
	random.Shuffle(len(whites), func(i, j int) { whites[i], whites[j] = whites[j], whites[i] })
	a, b := &r.Players[whites[0]-1].Cells[round-1], &r.Players[whites[1]-1].Cells[round-1]
	x, y := a.Opponent, b.Opponent
	if r.Players[x-1].Cells[round-1].Result != r.Players[y-1].Cells[round-1].Result {
		return fault{}
	}
	a.Opponent, b.Opponent = y, x
	r.Players[x-1].Cells[round-1].Opponent, r.Players[y-1].Cells[round-1].Opponent = whites[1], whites[0]
	return fault{"pair", round, []int{whites[0], whites[1], x, y}}
}

// exchangeColours exchanges the colours of a game.
func exchangeColours(r *trf.Report, random *rand.Rand) fault {
	round := anyRound(r, random)
	whites := games(r, round, trf.Win, trf.Draw, trf.Loss)
	if len(whites) == 0 {
		return fault{}
	}
	white := whites[random.IntN(len(whites))]
	a := &r.Players[white-1].Cells[round-1]
	b := &r.Players[a.Opponent-1].Cells[round-1]
	a.Colour, b.Colour = b.Colour, a.Colour
	return fault{"colours", round, []int{white, a.Opponent}}
}

// moveBye moves the bye to another player, and its former owner takes that player's place.
func moveBye(r *trf.Report, random *rand.Rand) fault {
	round := anyRound(r, random)
	at := slices.IndexFunc(r.Players, func(p trf.Player) bool { return p.Cell(round).Result == trf.Allocated })
	whites := games(r, round, trf.Win)
	whites = slices.DeleteFunc(whites, func(n int) bool {
		return slices.ContainsFunc(r.Players[n-1].Cells, func(c trf.Cell) bool { return c.Result == trf.Allocated })
	})
	if at < 0 || len(whites) == 0 {
		return fault{}
	}
	white := whites[random.IntN(len(whites))]
	a, b := &r.Players[at].Cells[round-1], &r.Players[white-1].Cells[round-1]
	*a, *b = *b, *a
	r.Players[a.Opponent-1].Cells[round-1].Opponent = at + 1
	for _, p := range []*trf.Player{&r.Players[at], &r.Players[white-1]} {
		p.NoPoints = true
	}
	return fault{"bye", round, []int{white}}
}

// exchangeRanks exchanges the ranks of two players that are not level.
func exchangeRanks(r *trf.Report, random *rand.Rand) fault {
	p, q := &r.Players[random.IntN(len(r.Players))], &r.Players[random.IntN(len(r.Players))]
	if p.Rank == q.Rank {
		return fault{}
	}
	p.Rank, q.Rank = q.Rank, p.Rank
	return fault{"ranks", 0, []int{p.Number, q.Number}}
}

// shiftRank sets a rank that no level player has.
func shiftRank(r *trf.Report, random *rand.Rand) fault {
	p := &r.Players[random.IntN(len(r.Players))]
	level := 0
	for _, q := range r.Players {
		if q.Rank == p.Rank {
			level++
		}
	}
	p.Rank += level + random.IntN(3)
	return fault{"rank", 0, []int{p.Number}}
}

// TestHandPairedRounds: what the file calls set by hand is listed apart, unless it is not allowed at all.
func TestHandPairedRounds(t *testing.T) {
	changed, forbidden := 0, 0
	for seed := uint64(0); changed < 20 || forbidden < 5; seed++ {
		r := generated(t, seed)
		if r.NextRound() == 1 {
			continue
		}
		f := exchangeOpponents(r, rand.New(rand.NewPCG(seed, 3)))
		if f.kind == "" {
			continue
		}
		r.Events = append(r.Events, trf.Event{Kind: trf.ByHand, Round: f.round})
		result, err := check.Report(reread(t, r), check.Options{Round: f.round})
		if err != nil || len(result.ByHand)+len(result.Findings) == 0 {
			t.Fatalf("seed %d: %+v, error %v", seed, result, err)
		}
		changed++
		for _, x := range result.Findings {
			forbidden++
			if !slices.Contains([]string{"C1", "C2", "C3", "forbidden"}, x.Criterion) {
				t.Errorf("seed %d: a board set by hand is found wrong: %+v", seed, x)
			}
		}
	}
}

// TestOtherInitialColour is a single finding, with all players that it concerns.
func TestOtherInitialColour(t *testing.T) {
	r := generated(t, 0)
	r.Initial = pairing.White + pairing.Black - r.Initial
	result, err := check.Report(reread(t, r), check.Options{Round: 1})
	if err != nil || len(result.Findings) != 1 || result.Findings[0].Round != 1 || len(result.Findings[0].Players) < 4 ||
		result.Findings[0].Article != "C.04.3 5.2.5" {
		t.Errorf("%+v, %v", result.Findings, err)
	}
}
