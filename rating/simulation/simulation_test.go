package simulation

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"reflect"
	"testing"

	"quatuor/rating/elo"
	"quatuor/rating/plackettluce"
	"quatuor/rating/sequence"
)

var contestants = []Contestant{
	{Name: "elo", System: elo.Club{}, Sequence: func() *sequence.Sequence { return sequence.ByGame(elo.Club{}, false) }},
	{Name: "duels", System: elo.Club{}, Duels: true, Sequence: func() *sequence.Sequence { return sequence.ByGame(elo.Club{}, true) }},
	{Name: "plackett-luce", System: plackettluce.System{}, Sequence: func() *sequence.Sequence { return sequence.ByGame(plackettluce.System{}, false) }},
}

func short(shape Shape) (Setup, Shape) {
	return Setup{Players: 60, Rounds: 45, Spread: 250, Noise: 200, Repeats: 3, Seed: 7}, shape
}

func run(t *testing.T, shape Shape) []Row {
	t.Helper()
	s, shape := short(shape)
	seasons := 0
	rows, err := Run(s, shape, contestants, func() { seasons++ })
	if err != nil || seasons != s.Repeats {
		t.Fatal(seasons, err)
	}
	return rows
}

// TestLossFallsTowardsTheTruth: systems begin with guessing, learn, and do not beat the true probabilities.
func TestLossFallsTowardsTheTruth(t *testing.T) {
	for _, shape := range Shapes {
		rows := run(t, shape)
		want := 4
		if shape.Sides*shape.Members > 2 {
			want = 3 // without the system for duels
		}
		if len(rows) != want {
			t.Fatalf("%s: %d rows, want %d", shape.Name, len(rows), want)
		}
		truth := rows[0].Stages
		for _, r := range rows[1:] {
			if math.Abs(r.Rounds[0]-math.Ln2) > 1e-12 {
				t.Errorf("%s, %s: the first games cost %v, want ln 2", shape.Name, r.System, r.Rounds[0])
			}
			last := len(r.Stages) - 1
			if !(r.Stages[last] < r.Stages[1] && r.Stages[1] < r.Stages[0]) || r.Stages[last] < truth[last] {
				t.Errorf("%s, %s: %v; the truth costs %v", shape.Name, r.System, r.Stages, truth)
			}
		}
	}
}

// TestManySeatsWantMoreThanPairs: with four at a table a system that models the whole ranking is at least a fiftieth
// better than comparing pairs, after twenty games.
func TestManySeatsWantMoreThanPairs(t *testing.T) {
	rows := run(t, Shape{"four", 4, 1})
	const after20 = 4
	elo, luce := rows[1].Stages[after20-1], rows[2].Stages[after20-1]
	if luce > 0.98*elo {
		t.Errorf("elo %v, plackett-luce %v", elo, luce)
	}
}

func TestSameSeedSameLoss(t *testing.T) {
	if one, other := run(t, Shapes[0]), run(t, Shapes[0]); !reflect.DeepEqual(one, other) {
		t.Error("the same seed gave other losses")
	}
}

func TestPlayersFillTheGames(t *testing.T) {
	s, shape := short(Shape{"five", 5, 1})
	for _, players := range []int{0, 4, 61} {
		s.Players = players
		if _, err := Run(s, shape, contestants, func() {}); err == nil {
			t.Errorf("%d players fill games of five", players)
		}
	}
}

// TestChartIsXML draws all shapes, and reads the drawing.
func TestChartIsXML(t *testing.T) {
	var rows []Row
	for _, shape := range Shapes {
		rows = append(rows, run(t, shape)...)
	}
	var out bytes.Buffer
	if err := Draw(&out, rows); err != nil {
		t.Fatal(err)
	}
	lines := 0
	for d := xml.NewDecoder(&out); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "polyline" {
			lines++
		}
	}
	if lines != len(rows) {
		t.Errorf("%d lines for %d rows", lines, len(rows))
	}
}
