package bench

import "testing"

func TestPercentile(t *testing.T) {
	steps := []Bucket{{1, 0}, {2, 98}, {5, 1}, {10, 0}, {-1, 1}}
	for _, c := range []struct{ share, want float64 }{{.5, 2}, {.98, 2}, {.99, 5}, {.999, 20}, {1, 20}} {
		if got := percentile(steps, c.share); got != c.want {
			t.Errorf("%g of all lie within %g ms, want %g", c.share, got, c.want)
		}
	}
	if got := since(steps, []Bucket{{1, 0}, {2, 8}, {5, 1}, {10, 0}, {-1, 0}}); got[1].Count != 90 || got[2].Count != 0 ||
		got[4].Count != 1 {
		t.Errorf("what came since is %v", got)
	}
}
