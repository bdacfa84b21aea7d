package generate_test

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"testing"

	"quatuor/tournament/pairing"
	"quatuor/tournament/standings"
	"quatuor/tournament/trf"
	"quatuor/tournament/trf/generate"
)

func settings(t testing.TB, lines ...string) generate.Settings {
	t.Helper()
	var s generate.Settings
	if err := s.Read(strings.Join(lines, "\n")); err != nil {
		t.Fatal(err)
	}
	return s
}

func made(t testing.TB, s generate.Settings, seed uint64) (*trf.Report, string) {
	t.Helper()
	r, err := generate.Tournament(s, seed)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	r, err = trf.Read(b.Bytes())
	if err != nil {
		t.Fatalf("%v in\n%s", err, &b)
	}
	return r, b.String()
}

// TestSameSeed: equal seeds make equal files, and different seeds different files.
func TestSameSeed(t *testing.T) {
	s := settings(t, "PlayersNumber=20")
	_, a := made(t, s, 7)
	_, b := made(t, s, 7)
	_, c := made(t, s, 8)
	if a != b || a == c || !strings.HasPrefix(a, "012 quatuor trf generate, seed 7\n") {
		t.Errorf("seed 7 made\n%s\nthen\n%s\nand 8 made\n%s", a, b, c)
	}
}

// TestSeedOfSettings: without a seed, equal settings make the same file, whatever their order, and other settings
// another file.
func TestSeedOfSettings(t *testing.T) {
	a := settings(t, "PlayersNumber=20", "RoundsNumber=5")
	b := settings(t, "RoundsNumber=5", "PlayersNumber=9", "PlayersNumber=20")
	c := settings(t, "PlayersNumber=20", "RoundsNumber=6")
	model, modelled := a, a
	r, _ := made(t, a, 1)
	model.Model(r)
	r, _ = made(t, a, 2)
	modelled.Model(r)
	if a.Seed() != b.Seed() || a.Seed() == c.Seed() || model.Seed() == a.Seed() || model.Seed() == modelled.Seed() ||
		a.Seed() > math.MaxInt64 {
		t.Errorf("the seeds are %d, %d, %d, %d, %d", a.Seed(), b.Seed(), c.Seed(), model.Seed(), modelled.Seed())
	}
}

// TestEverythingCanBeSet: each setting shows in the file.
func TestEverythingCanBeSet(t *testing.T) {
	r, text := made(t, settings(t,
		"# a comment", "", "PlayersNumber=12", "RoundsNumber = 5", "PlayedRounds=4", "DrawPercentage=0", "ForfeitRate=1",
		"DoubleForfeitRate=0", "HighestRating=2000", "LowestRating=1500", "UnratedPercentage=0", "WWPoints=3", "BWPoints=3",
		"WDPoints=1", "PABPoints=2", "FWPoints=2", "HPBPoints=1.5", "TieBreaks=bh-c1, SB", "InitialColour=b",
		"Forbidden=1,2;3,4,5", "RetiredRate=1000000", "ReturnRate=1000000", "LateEntryRate=1000000",
		"HalfPointByteRate=1000000", "ZPBRate=0", "HPBRate=0", "FPBRate=0",
	), 3)
	if len(r.Players) != 12 || r.Rounds != 5 || r.NextRound() != 5 || r.Initial != pairing.Black || r.TieBreaks != "BH/C1,SB" {
		t.Errorf("made\n%s", text)
	}
	if r.Points.Win != 30 || r.Points.Draw != 10 || r.Points.Bye != 20 || !strings.Contains(text, "299 +         2.0  000") ||
		!strings.Contains(text, "299 H         1.5  000") || !strings.Contains(text, "260 001 999 0003 0004 0005") {
		t.Errorf("points and forbidden pairs in\n%s", text)
	}
	for _, p := range r.Players {
		rating, _ := strconv.Atoi(p.Rating)
		if rating < 1500 || rating > 2000 {
			t.Errorf("player %d has the rating %s", p.Number, p.Rating)
		}
		for round, c := range p.Cells {
			if c.Result != trf.ForfeitWin && c.Result != trf.ForfeitLoss {
				t.Errorf("player %d has %c in round %d", p.Number, c.Result, round+1)
			}
		}
	}
}

// TestRatings in a list, by step, and in groups.
func TestRatings(t *testing.T) {
	r, _ := made(t, settings(t, "Ratings=2000,0,2400,1700,1500,1600", "RoundsNumber=2"), 1)
	step, _ := made(t, settings(t, "PlayersNumber=6", "HighestRating=2000", "RatingStep=15", "UnratedPercentage=0"), 1)
	var listed, stepped []string
	for i := range r.Players {
		listed, stepped = append(listed, r.Players[i].Rating), append(stepped, step.Players[i].Rating)
	}
	if got := strings.Join(listed, " "); got != "2400 2000 1700 1600 1500 " {
		t.Errorf("the ratings are %q", got)
	}
	if got := strings.Join(stepped, " "); got != "2000 1985 1970 1955 1940 1925" {
		t.Errorf("the ratings are %q", got)
	}
	grouped, _ := made(t, settings(t, "PlayersNumber=60", "HighestRating=2000", "LowestRating=1000", "Groups=2",
		"Separator=300", "UnratedPercentage=0"), 1)
	gap := 0
	for i := range grouped.Players[1:] {
		a, _ := strconv.Atoi(grouped.Players[i].Rating)
		b, _ := strconv.Atoi(grouped.Players[i+1].Rating)
		gap = max(gap, a-b)
	}
	if gap < 300 {
		t.Errorf("the groups are %d apart", gap)
	}
}

// TestEventsHappen: each kind of bye, forfeit and odd result is in some of the tournaments.
func TestEventsHappen(t *testing.T) {
	seen := map[string]bool{}
	s := settings(t, "PlayersNumber=25", "RoundsNumber=7", "LateEntryRate=8", "ReturnRate=8", "FPBRate=20", "HPBRate=30",
		"ZPBRate=20", "QuickgameRate=30", "BothLoseRate=20", "HalfLossRate=20", "ForfeitRate=12", "UnratedPercentage=20")
	for seed := range uint64(20) {
		r, _ := made(t, s, seed)
		for _, p := range r.Players {
			for round, c := range p.Cells {
				other := trf.NoResult
				if c.Opponent > 0 {
					other = r.Players[c.Opponent-1].Cell(round + 1).Result
				}
				seen[string([]rune{rune(c.Result), rune(other)})] = true
				if c.Result == trf.HalfPoint && round == 6 {
					t.Errorf("seed %d: player %d has a half-point bye in the last round", seed, p.Number)
				}
			}
			seen["unrated"] = seen["unrated"] || p.Rating == ""
			seen["late"] = seen["late"] || p.Cell(1).Result == trf.ZeroPoint && p.Cell(7).Opponent > 0
			seen["returned"] = seen["returned"] ||
				p.Cell(2).Opponent > 0 && p.Cell(4).Result == trf.ZeroPoint && p.Cell(7).Opponent > 0
			seen["withdrawn"] = seen["withdrawn"] || p.Cell(2).Opponent > 0 && p.Cell(7).Result == trf.ZeroPoint
		}
	}
	for _, want := range []string{
		"10", "01", "==", "+-", "-+", "--", "00", "=0", "0=", "WL", "LW", "DD", "H ", "F ", "Z ", "U ", "unrated", "late",
		"returned", "withdrawn",
	} {
		if !seen[want] {
			t.Errorf("%q never happens", want)
		}
	}
}

// TestResultsFollowTheExpectation: over many games the stronger player scores what the table expects, and as many games
// are drawn as are set.
func TestResultsFollowTheExpectation(t *testing.T) {
	for _, lead := range []int{0, 100, 300, 600} {
		s := settings(t, "Ratings="+strconv.Itoa(1500+lead)+",1500", "RoundsNumber=1", "DrawPercentage=30",
			"ForfeitRate=1000000", "BothLoseRate=0", "HalfLossRate=0", "QuickgameRate=0", "FPBRate=0", "HPBRate=0", "ZPBRate=0",
			"RetiredRate=1000000", "LateEntryRate=1000000", "ReturnRate=1000000", "HalfPointByeRate=1000000")
		const games = 3000
		score, draws := 0.0, 0
		for seed := range uint64(games) {
			r, err := generate.Tournament(s, seed)
			if err != nil {
				t.Fatal(err)
			}
			switch r.Players[0].Cell(1).Result {
			case trf.Win:
				score++
			case trf.Draw:
				score += 0.5
				draws++
			}
		}
		want := float64(standings.Expectation(min(lead, 400))) / 100
		if got := score / games; math.Abs(got-want) > 0.03 {
			t.Errorf("%d points ahead: a score of %.3f, want %.2f", lead, got, want)
		}
		if most := math.Min(0.3, 2*(1-want)); math.Abs(float64(draws)/games-most) > 0.03 {
			t.Errorf("%d points ahead: %d of %d games drawn, want %.2f", lead, draws, games, most)
		}
	}
}

// TestModel: players, rounds and rules are those of the model, and what is set otherwise is not.
func TestModel(t *testing.T) {
	original, _ := made(t, settings(t, "PlayersNumber=14", "RoundsNumber=6", "PointsForWin=3", "PointsForDraw=1",
		"TieBreaks=BH,WIN", "ForbiddenPairs=4"), 11)
	original.Players[2].Name, original.Players[2].Title = "Model, Player", "GM"
	var s generate.Settings
	s.Model(original)
	if err := s.Set("RoundsNumber=5"); err != nil {
		t.Fatal(err)
	}
	r, text := made(t, s, 12)
	if len(r.Players) != 14 || r.Rounds != 5 || r.Points != original.Points || r.TieBreaks != "BH,WIN" ||
		r.Players[2].Name != "Model, Player" || r.Players[2].Title != "GM" || r.Players[4].Rating != original.Players[4].Rating ||
		len(r.Forbidden) != len(original.Forbidden) {
		t.Errorf("made\n%s", text)
	}
}

// TestBaku: the acceleration is in the file, and needs points that suit it.
func TestBaku(t *testing.T) {
	r, text := made(t, settings(t, "PlayersNumber=17", "RoundsNumber=7", "Acceleration=baku", "LateEntryRate=4"), 5)
	if !r.Baku() || len(r.Virtual) != 2 || r.Virtual[0].Points != 10 || r.Virtual[1].Points != 5 {
		t.Errorf("made\n%s", text)
	}
	if _, err := generate.Tournament(settings(t, "Acceleration=baku", "PointsForWin=3", "PointsForDraw=1"), 1); err == nil {
		t.Error("three points for a win can be accelerated")
	}
}

// TestMistakes are named with their lines.
func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"PlayersNumber=12\n\nPlayerNumber=3":  `line 3: there is no key "PlayerNumber"`,
		"PlayersNumber":                       `line 1: "PlayersNumber" is not KEY=VALUE`,
		"DrawPercentage=101":                  `line 1: DrawPercentage: "101" is not a whole number from 0 to 100`,
		"RoundsNumber=9..5":                   `line 1: RoundsNumber: "9..5" is empty`,
		"PointsForWin=1.25":                   `line 1: PointsForWin: "1.25" is not a number of points`,
		"WWPoints=1\nBWPoints=2":              "line 2: WWPoints and BWPoints differ",
		"TieBreaks=BH,XYZ":                    `line 1: TieBreaks: there is no tie-break "XYZ"`,
		"Acceleration=fast":                   `line 1: Acceleration: "fast" is not one of none, baku`,
		"Forbidden=1,2;3":                     `line 1: Forbidden: "3" needs two numbers or more`,
		"Ratings=2000,x":                      `line 1: Ratings: "x" is not a whole number`,
		"\ufeffPlayersNumber=9\r\nNothing=\r": `line 2: there is no key "Nothing"`,
	} {
		var s generate.Settings
		if err := s.Read(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	for _, lines := range [][]string{
		{"PlayersNumber=4", "Forbidden=1,9"}, {"PlayersNumber=4", "RoundsNumber=9"}, {"LowestRating=2000", "HighestRating=1000"},
	} {
		if _, err := generate.Tournament(settings(t, lines...), 1); err == nil {
			t.Errorf("%v makes a tournament", lines)
		}
	}
}

// BenchmarkTournament makes tournaments of 40 players and 9 rounds.
func BenchmarkTournament(b *testing.B) {
	s, seed := settings(b, "PlayersNumber=40", "RoundsNumber=9"), uint64(0)
	for b.Loop() {
		if _, err := generate.Tournament(s, seed); err != nil {
			b.Fatal(err)
		}
		seed++
	}
}
