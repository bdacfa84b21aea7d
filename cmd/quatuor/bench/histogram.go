package bench

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Bucket is a step of a histogram: the number of requests that took up to its limit in ms, and longer than the step
// before.
type Bucket struct {
	Millis float64 `json:"le_ms"` // -1 without a bound
	Count  int     `json:"n"`
}

func (b Bucket) name() string {
	if b.Millis < 0 {
		return "more"
	}
	return strconv.FormatFloat(b.Millis, 'f', -1, 64)
}

// percentiles are the reported percentiles, as shares.
var percentiles = map[string]float64{"p50": .5, "p99": .99, "p99.9": .999, "max": 1}

// histogram reads a histogram of seconds from the server's metrics.
func (b target) histogram(ctx context.Context, name string) ([]Bucket, error) {
	text, err := b.read(ctx, "/metrics")
	if err != nil {
		return nil, err
	}
	var steps []Bucket
	below := 0 // the metrics count the values below each bound
	for line := range strings.Lines(string(text)) {
		rest, found := strings.CutPrefix(strings.TrimSpace(line), name+`_bucket{le="`)
		if !found {
			continue
		}
		bound, count, _ := strings.Cut(rest, `"} `)
		seconds, err := strconv.ParseFloat(bound, 64)
		if err != nil {
			return nil, fmt.Errorf("metric %s: bound %q: %w", name, bound, err)
		}
		n, err := strconv.Atoi(count)
		if err != nil {
			return nil, fmt.Errorf("metric %s: %w", name, err)
		}
		step := Bucket{Millis: math.Round(seconds*1e6) / 1e3, Count: n - below}
		if math.IsInf(seconds, 1) {
			step.Millis = -1
		}
		steps, below = append(steps, step), n
	}
	if steps == nil {
		return nil, fmt.Errorf("the server has no metric %s", name)
	}
	return steps, nil
}

// since returns the difference between two readings of a histogram.
func since(after, before []Bucket) []Bucket {
	steps := make([]Bucket, len(after))
	for i := range after {
		steps[i] = Bucket{after[i].Millis, after[i].Count - before[i].Count}
	}
	return steps
}

// percentile returns the bound below which a share of the counts lies: no less than the true value. A value above all
// bounds counts as the last of them, twice.
func percentile(steps []Bucket, share float64) float64 {
	all, below, last := 0, 0, 0.0
	for _, b := range steps {
		all += b.Count
	}
	for _, b := range steps {
		if b.Millis < 0 {
			return 2 * last
		}
		last = b.Millis
		if below += b.Count; float64(below) >= share*float64(all) {
			break
		}
	}
	return last
}
