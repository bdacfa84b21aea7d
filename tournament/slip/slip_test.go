package slip_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quatuor/tournament"
	"quatuor/tournament/slip"
)

// TestCodes: codes are of letters that are not easily confused, and are read however they are typed.
func TestCodes(t *testing.T) {
	seen := map[string]bool{}
	for seat := range 100 {
		code := slip.Code([]byte("secret"), "key", seat)
		if len(code) != 16 || strings.ContainsAny(code, "ILOU") || seen[code] {
			t.Fatalf("seat %d: %q", seat, code)
		}
		seen[code] = true
		for _, typed := range []string{
			code, strings.ToLower(code), slip.Spaced(code),
			" " + strings.ReplaceAll(slip.Spaced(code), "-", " "), strings.NewReplacer("1", "l", "0", "O").Replace(code),
		} {
			if got, ok := slip.Read(typed); !ok || got != code {
				t.Errorf("%q is read as %q, %v", typed, got, ok)
			}
		}
	}
	code := slip.Code([]byte("secret"), "key", 1)
	for what, other := range map[string]string{
		"another secret": slip.Code([]byte("Secret"), "key", 1), "another pairing": slip.Code([]byte("secret"), "kez", 1),
		"another seat": slip.Code([]byte("secret"), "key", 2),
	} {
		if slip.Same(code, other) {
			t.Errorf("%s has the same code", what)
		}
	}
	for _, bad := range []string{
		"", code[:15], code + "0", code[:15] + "U", code[:15] + "é", strings.Repeat("-", 100),
		code + strings.Repeat(" ", 100),
	} {
		if _, ok := slip.Read(bad); ok {
			t.Errorf("%q is read as a code", bad)
		}
	}
}

// TestRead never panics, and reads nothing but what is a code.
func TestRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		code, ok := slip.Read(rapid.String().Draw(t, "text"))
		if again, fine := slip.Read(code); ok && (!fine || again != code) {
			t.Fatalf("%q is read as %q, %v", code, again, fine)
		}
	})
}

// table is a round of a single board with n seats.
func table(seats int) (*tournament.Tournament, tournament.Pairing) {
	p := tournament.Pairing{Board: 1}
	t := &tournament.Tournament{ID: "t", Status: tournament.Running}
	for i := range seats {
		id := string(rune('a' + i))
		p.Seats = append(p.Seats, id)
		t.Entries = append(t.Entries, tournament.Entry{ID: id, Number: i + 1, Name: id})
	}
	t.Rounds = []tournament.Round{
		{Number: 1, Status: tournament.Published, PublishedAt: 5, Pairings: []tournament.Pairing{p}},
	}
	return t, p
}

// TestTables: the result of a table counts when all its players have reported the same.
func TestTables(t *testing.T) {
	for seats := 3; seats <= 5; seats++ {
		tm, p := table(seats)
		tm.Entries[1].WithdrawnFrom = 1
		var reports []slip.Report
		say := func(seat int, verdict string) slip.Board {
			t.Helper()
			b := slip.BoardOf(tm, 1, p, nil, reports)
			r, ok, err := b.Take(1, seat, verdict, b.Saw(seat), 9)
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			reports = slices.DeleteFunc(reports, func(o slip.Report) bool { return o.Seat == seat })
			reports = append(reports, r)
			return slip.BoardOf(tm, 1, p, nil, reports)
		}
		for seat := 3; seat <= seats; seat++ {
			if b := say(seat, "1,2,3"); b.Agreed() != "" || !slices.Contains(b.Awaited(), 1) || slices.Contains(b.Awaited(), 2) {
				t.Errorf("%d seats: agreed %q, awaited %v", seats, b.Agreed(), b.Awaited())
			}
		}
		if b := say(1, "2,1,3"); b.Agreed() != "" || !b.Disputed() {
			t.Errorf("%d seats: agreed %q, disputed %v", seats, b.Agreed(), b.Disputed())
		}
		if b := say(1, "1,2,3"); b.Agreed() != "1,2,3" || b.Disputed() {
			t.Errorf("%d seats: agreed %q, disputed %v", seats, b.Agreed(), b.Disputed())
		}
	}
}

// TestBasis: what was reported before a change of the result, or for another pairing, does not count.
func TestBasis(t *testing.T) {
	tm, p := table(2)
	first := slip.BoardOf(tm, 1, p, nil, nil)
	report, _, err := first.Take(1, 1, "1-0", first.Saw(1), 9)
	if err != nil {
		t.Fatal(err)
	}
	reports := []slip.Report{report}
	if b := slip.BoardOf(tm, 1, p, nil, reports); b.Report(1) != "1-0" || b.Saw(1) == first.Saw(1) ||
		b.Saw(2) != first.Saw(2) {
		t.Errorf("said %q; a report changes what its own seat saw, and no other's", b.Report(1))
	}
	changed := slip.BoardOf(tm, 1, p, []tournament.Change{{Round: 1, Board: 1}}, reports)
	if changed.Report(1) != "" {
		t.Error("a report from before an arbiter's result counts after it")
	}
	if _, ok, err := changed.Take(1, 1, "1-0", first.Saw(1), 9); ok || !errors.Is(err, slip.ErrStale) {
		t.Errorf("an old form after an arbiter's result: %v, %v", ok, err)
	}
	if b := slip.BoardOf(tm, 1, p, []tournament.Change{{Round: 1, Board: 2}, {Round: 2, Board: 1}},
		reports); b.Report(1) != "1-0" {
		t.Error("a change at another board counts for this one")
	}
	tm.Rounds[0].PublishedAt++
	if slip.BoardOf(tm, 1, p, nil, reports).Report(1) != "" {
		t.Error("a report counts after the round was published again")
	}
}

func TestReadVerdict(t *testing.T) {
	for text, want := range map[string]string{
		"1-0": "1-0", "1/2-1/2": "1/2-1/2", "2,1,2": "2,1,2", "1,1,2": "1,1,3",
		"1,2,3,4": "1,2,3,4",
	} {
		v, err := slip.ReadVerdict(text, max(2, strings.Count(text, ",")+1))
		if err != nil || v.String() != want {
			t.Errorf("%q: %s, %v; want %s", text, v, err, want)
		}
	}
	for _, bad := range []string{"2-0", "1,2", "1,x,2", "0,1,2", "1,2,9", ",,", strings.Repeat("1,", 1000)} {
		if v, err := slip.ReadVerdict(bad, 3); !errors.Is(err, tournament.ErrInvalid) {
			t.Errorf("%q: %s, %v; want ErrInvalid", bad, v, err)
		}
	}
}
