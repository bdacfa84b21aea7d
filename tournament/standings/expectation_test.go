package standings

import "testing"

// TestExpectation takes worked figures of the rating regulations, and the limits of the tables.
func TestExpectation(t *testing.T) {
	for stronger, want := range map[int64]int64{
		0: 50, 3: 50, 4: 51, -4: 49, -100: 36, 100: 64, 413: 93, -413: 7, 735: 99, 736: 100, -735: 1, -736: 0, 2000: 100,
	} {
		if got := expectation(stronger); got != want {
			t.Errorf("PD(%d) is %d %%, want %d", stronger, got, want)
		}
	}
	for share, want := range map[int64]int64{
		0: -800, 1: -677, 25: -193, 49: -7, 50: 0, 60: 72, 75: 193, 99: 677,
		100: 800,
	} {
		if got := difference(share); got != want {
			t.Errorf("dp(%d %%) is %d, want %d", share, got, want)
		}
	}
	for d := int64(-900); d < 900; d++ {
		if expectation(d) > expectation(d+1) || expectation(d)+expectation(-d) != 100 {
			t.Fatalf("PD(%d) is %d, PD(%d) %d, PD(%d) %d", d, expectation(d), d+1, expectation(d+1), -d, expectation(-d))
		}
	}
}

func TestHalfUp(t *testing.T) {
	for _, test := range [][3]int64{{5, 2, 3}, {7, 3, 2}, {8, 3, 3}, {-5, 2, -2}, {-7, 2, -3}, {-8, 3, -3}, {0, 5, 0}} {
		if got := halfUp(test[0], test[1]); got != test[2] {
			t.Errorf("%d/%d is %d, want %d", test[0], test[1], got, test[2])
		}
	}
}

// TestMeansThatLookAlike: AOB distinguishes 100.0/3 and 233.3/7, though both print as 33.33.
func TestMeansThatLookAlike(t *testing.T) {
	f := newField(5, 7)
	for round := 1; round <= 7; round++ {
		f.meet(round, 1, []int{3, 3, 3, 3, 3, 3, 5}[round-1], "=")
		if round >= 5 {
			f.meet(round, 2, []int{3, 3, 4}[round-5], "=")
		}
	}
	b := openBook(f)
	b.known["BH"] = []int64{0, 0, 333, 334, 335}
	of7, of3 := averageBuchholz(b, 0, modifiers{}), averageBuchholz(b, 1, modifiers{})
	if of7.text != "33.33" || of3.text != "33.33" || of7.key >= of3.key {
		t.Errorf("means %v and %v", of7, of3)
	}
}
