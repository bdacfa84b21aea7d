package clock

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseCanonical(t *testing.T) {
	tests := []struct{ text, want string }{
		{"none", "none"},
		{"300", "300"},
		{"007", "7"},
		{"5.50", "5.5"},
		{"5.000", "5"},
		{"0.001", "0.001"},
		{"010.010", "10.01"},
		{"300+0", "300"},
		{"300d0.00", "300"},
		{"300b00", "300"},
		{"0+3", "0+3"},
		{"0d0.5", "0d0.5"},
		{"0y1x1", "0y1x1"},
		{"600y05x030.0", "600y5x30"},
		{"40/5400+30:1800+30", "40/5400+30:1800+30"},
		{"1/1:1/1:1/1:1/1:1", "1/1:1/1:1/1:1/1:1"},
		{"01000/604800+86400:0y100x86400", "1000/604800+86400:0y100x86400"},
		{"3days", "3days"},
		{"030days", "30days"},
		{"00000000000000000000000000000000000000000000000000300", "300"},
	}
	for _, tt := range tests {
		c, err := Parse(tt.text)
		if err != nil {
			t.Errorf("Parse(%q): %v", tt.text, err)
		} else if got := c.String(); got != tt.want {
			t.Errorf("Parse(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	texts := []string{
		"", " ", "None", "none ", "-5", "+5", "5+", "5d", "5b", "5y", "5y3", "5y3x", "5yx3", "5y0x3", "5y3x0", "5y3x0.000",
		".5", "5.", "5.1234", "5.0000", "5,5", "1e3", "٣", "300+3+3", "300+3d3", "300D3", "300++3", "300+-3", "300 + 3",
		"0", "0+0", "0d0", "0b0", "0b5", "0.000", "days", "0days", "31days", "1.5days", "3day", "-3days", "3days:300",
		"40/300", "300:300", "40/300:", ":300", "/300", "0/300:300", "1001/300:300", "1.5/300:300", "40/300:40/300",
		"40//300:300", "40/0:300", "1/1:1/1:1/1:1/1:1/1:1",
		"604800.001", "604801", "1+86400.001", "1d86401", "1b86401", "1y101x1", "1y1x86400.001", "99999999999999999999999",
	}
	for _, text := range texts {
		if c, err := Parse(text); err == nil {
			t.Errorf("Parse(%q) = %v, want an error", text, c)
		} else if !errors.Is(err, ErrControl) {
			t.Errorf("Parse(%q): %v does not wrap ErrControl", text, err)
		}
	}
}

func TestParseErrorsExplainWhatWouldBeRight(t *testing.T) {
	tests := []struct{ text, want string }{
		{"5.1234", "at most three decimals"},
		{"0", "needs an increment, a delay or periods"},
		{"300:300", `"40/5400"`},
		{"40/300", "the last stage"},
		{"31days", "from 1 to 30"},
		{"600y5", `"600y5x30"`},
		{"700000", "at most 604800 seconds"},
		{"1/1:1/1:1/1:1/1:1/1:1", "at most 5"},
		{"40/300+x:300", "stage 1: the increment"},
	}
	for _, tt := range tests {
		if _, err := Parse(tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Parse(%q): %v; it should say %q", tt.text, err, tt.want)
		}
	}
}

// drawControl draws the text of a time control in milliseconds up to the given base, with needless zeros.
func drawControl(t *rapid.T, maxBase int) string {
	if rapid.IntRange(0, 15).Draw(t, "special") == 0 {
		return rapid.SampledFrom([]string{"none", "1days", "03days"}).Draw(t, "control")
	}
	stages := rapid.IntRange(1, 3).Draw(t, "stages")
	var parts []string
	for i := range stages {
		part := drawStage(t, maxBase)
		if i < stages-1 {
			part = fmt.Sprintf("%d/%s", rapid.IntRange(1, 3).Draw(t, "moves"), part)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ":")
}

func drawStage(t *rapid.T, maxBase int) string {
	base := rapid.IntRange(1, maxBase)
	long := drawSeconds(t, base)
	maybe := drawSeconds(t, rapid.OneOf(rapid.Just(0), base))
	short := drawSeconds(t, rapid.IntRange(1, 1+maxBase/3))
	switch rapid.IntRange(0, 4).Draw(t, "rule") {
	case 0:
		return long
	case 1:
		return maybe + "+" + short
	case 2:
		return maybe + "d" + short
	case 3:
		return long + "b" + short
	default:
		return fmt.Sprintf("%sy%dx%s", maybe, rapid.IntRange(1, 3).Draw(t, "periods"), short)
	}
}

func drawSeconds(t *rapid.T, ms *rapid.Generator[int]) string {
	n := ms.Draw(t, "ms")
	return strings.Repeat("0", rapid.IntRange(0, 2).Draw(t, "zeros")) + fmt.Sprintf("%d.%03d", n/1000, n%1000)
}

func TestParseOfStringIsIdentity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawControl(t, 700_000)
		first, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse(first.String())
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(first.stages) != fmt.Sprint(again.stages) || first.String() != again.String() {
			t.Fatalf("%q is read as %v, its canonical form %q as %v", text, first.stages, first, again.stages)
		}
	})
}

// FuzzParse: what is accepted has a canonical form that is read as the same control, keeps the limits, and is no
// longer than the text; what is refused wraps ErrControl.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"none", "300", "300+3", "300d5", "300b5", "600y5x30", "40/5400+30:1800+30", "3days", "0+0.5", "007.50", ".5", "5.",
		"0", "1/1:1/1:1/1:1/1:1", "300+0", "y", "/", ":", "1x", "\x00", "٣days", "99999999999999999999",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse(text)
		if err != nil {
			if !errors.Is(err, ErrControl) || !c.None() {
				t.Fatalf("Parse(%q) = %v, %v", text, c, err)
			}
			return
		}
		form := c.String()
		again, err := Parse(form)
		if err != nil || again.String() != form || len(form) > len(text) {
			t.Fatalf("Parse(%q) prints as %q, which reads as %q, %v", text, form, again, err)
		}
		for _, s := range c.stages {
			if s.base > maxBase && s.rule != correspondence || s.base < 0 || s.extra > maxExtra || s.extra < 0 ||
				s.moves > maxMoves || s.periods > maxPeriods || len(c.stages) > maxStages {
				t.Fatalf("Parse(%q) = %+v is beyond the limits", text, s)
			}
		}
	})
}
