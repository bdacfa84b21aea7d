package chart

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"quatuor/api/pages/message"
)

var english = message.Load().Match("en")

func day(n int) int64 {
	return time.Date(2026, 11, 1, 18, 0, 0, 0, time.UTC).AddDate(0, 0, n).UnixMilli()
}

func TestDraw(t *testing.T) {
	svg := string(Draw([]Point{{day(0), 1500}, {day(7), 1520.4}, {day(14), 1489}}, Picture{
		In: english, Zone: time.UTC, ID: "r", Title: "Ada <3",
	}))
	for _, want := range []string{
		"Ada &lt;3", "1500 at first, 1489 now, after 2 games; lowest 1489, highest 1520.",
		">1480<", ">1530<", ">1 Nov 2026<", ">8 Nov 2026<", ">15 Nov 2026<",
		`aria-labelledby="r-t"`,
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %q in %s", want, svg)
		}
	}
}

func TestDatesAreWrittenOnce(t *testing.T) {
	at := day(0)
	evening := string(Draw([]Point{{at, 1500}, {at + 60_000, 1510}, {at + 3_600_000, 1520}}, Picture{
		In: english, Zone: time.UTC, ID: "r",
	}))
	if !strings.Contains(evening, ">18:01 UTC<") || strings.Contains(evening, "Nov") {
		t.Errorf("one evening has times: %s", evening)
	}
	rush := string(Draw([]Point{{at, 1500}, {at + 9000, 1510}, {at + 21_000, 1520}}, Picture{
		In: english, Zone: time.UTC, ID: "r",
	}))
	if !strings.Contains(rush, ">18:00:09 UTC<") {
		t.Errorf("one minute has seconds: %s", rush)
	}
	if !strings.Contains(rush, `data-when="second" data-at="2026-11-01T18:00:09Z">`) {
		t.Errorf("a moment of the axis is not marked: %s", rush)
	}
	two := string(Draw([]Point{{at, 1500}, {at + 1, 1510}, {day(1), 1520}}, Picture{In: english, Zone: time.UTC, ID: "r"}))
	if strings.Count(two, "1 Nov 2026") != 1 {
		t.Errorf("a date stands there twice: %s", two)
	}
}

var coordinates = regexp.MustCompile(`points="([^"]*)"`)

// TestAnySeries draws whatever comes well-formed and within the axes.
func TestAnySeries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(0, 4000), 2, 1200).Draw(t, "values")
		points := make([]Point, len(values))
		for i, v := range values {
			points[i] = Point{day(i), v}
		}
		svg := string(Draw(points, Picture{In: english, Zone: time.UTC, ID: "r", Title: "t"}))
		d := xml.NewDecoder(strings.NewReader(svg))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
		pairs := strings.Fields(coordinates.FindStringSubmatch(svg)[1])
		if len(pairs) != min(len(values), maxPoints) {
			t.Fatalf("%d points drawn of %d", len(pairs), len(values))
		}
		low, high, step := bounds(points)
		for _, v := range values {
			if v < low || v > high {
				t.Fatalf("%v lies outside %v to %v", v, low, high)
			}
		}
		if lines := (high - low) / step; lines < 1 || lines > 7 {
			t.Fatalf("%v lines from %v to %v by %v", lines, low, high, step)
		}
	})
}

// TestAnyRace draws whatever comes well-formed, with names apart from each other.
func TestAnyRace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := rapid.IntRange(2, 30).Draw(t, "events")
		runners := make([]Runner, rapid.IntRange(1, 6).Draw(t, "players"))
		for i := range runners {
			runners[i] = Runner{rapid.String().Draw(t, "name"), rapid.SliceOfN(rapid.Float64Range(0, 900), events, events).Draw(t, "values")}
		}
		svg := string(Race(runners, Picture{In: english, Zone: time.UTC, ID: "r", Title: "t"}, "<words>"))
		d := xml.NewDecoder(strings.NewReader(strings.ToValidUTF8(strings.Map(func(r rune) rune {
			if r < ' ' || r == 0xFFFE || r == 0xFFFF {
				return -1
			}
			return r
		}, svg), "")))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
		at := namePlaces(runners, func(v float64) float64 { return bottom - v/900*(bottom-top) })
		slices.Sort(at)
		for i := range at {
			if at[i] > bottom || i > 0 && at[i]-at[i-1] < nameHeight-1e-6 {
				t.Fatalf("names at %v", at)
			}
		}
	})
}
