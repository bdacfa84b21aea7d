package grid_test

import (
	"slices"
	"strings"
	"testing"

	"quatuor/engine/internal/grid"
)

// cross is a board of 3 × 3 without its corners.
var cross = grid.New(3, func(file, rank int) bool { return file == 1 || rank == 1 })

func TestSquaresAreNumberedInTheOrderOfTheirNames(t *testing.T) {
	for _, b := range []*grid.Board{grid.Square(5), grid.Square(9), cross} {
		var names []string
		for n := range b.Len() {
			names = append(names, b.Name(n))
			if again, ok := b.Find(b.Name(n)); !ok || again != n {
				t.Errorf("%s is found as %d, %v; want %d", b.Name(n), again, ok, n)
			}
			file, rank := b.Where(n)
			if again, ok := b.At(file, rank); !ok || again != n {
				t.Errorf("%d is at %d, %d, where %d is found", n, file, rank, again)
			}
		}
		if !slices.IsSorted(names) || len(slices.Compact(names)) != b.Len() {
			t.Errorf("names are %v", names)
		}
	}
	if got := cross.Len(); got != 5 || cross.Name(0) != "a2" || cross.Name(4) != "c2" {
		t.Errorf("the cross has %d squares", got)
	}
}

func TestFindRefuses(t *testing.T) {
	for _, name := range []string{"", "a", "a0", "a4", "d1", "A1", "a1", "c3", "a22", " a", "2a", "\xff1", "`1"} {
		if n, ok := cross.Find(name); ok {
			t.Errorf("%q is found as square %d", name, n)
		}
	}
	if _, ok := cross.At(-1, 1); ok {
		t.Error("a square left of the board")
	}
}

func TestText(t *testing.T) {
	if got := cross.Blank(); got != "./.../." {
		t.Fatalf("blank board %q", got)
	}
	text := []byte(cross.Blank())
	for n := range cross.Len() {
		text[cross.Offset(n)] = cross.Name(n)[0]
	}
	if string(text) != "b/abc/b" {
		t.Errorf("files are laid out as %q", text)
	}
	var read [5]byte
	if err := cross.Scan("3/456/7", func(n int, c byte) bool { read[n] = c; return true }); err != nil {
		t.Fatal(err)
	}
	if got := string(read[:]); got != "47536" {
		t.Errorf("squares a2 b1 b2 b3 c2 read as %q", got)
	}
}

func TestRowsAsJSON(t *testing.T) {
	texts := cross.Texts(3, func(n, state int) any { return []any{cross.Name(n), state} })
	got := string(texts.Append([]byte("rows:"), []uint8{0, 1, 2, 0, 1}))
	if want := `rows:[[["b3",0]],[["a2",0],["b2",2],["c2",1]],[["b1",1]]]`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestScanRefuses(t *testing.T) {
	for text, reason := range map[string]string{
		"":           "1 ranks, want 3",
		"./...":      "2 ranks, want 3",
		"./.../././": "5 ranks, want 3",
		"./.../..":   "rank 1 has 2 squares, want 1",
		"./x../.":    "'x' on a2 means nothing",
	} {
		err := cross.Scan(text, func(_ int, c byte) bool { return c == '.' })
		if err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%q: error %v, want one with %q", text, err, reason)
		}
	}
}
