package app

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestMetricNames: dashboards and alerts name the metrics, so they must stay.
func TestMetricNames(t *testing.T) {
	m := newMeasures(func() int { return 3 })
	m.observe("/games/:id", "GET", 200, time.Millisecond)
	m.flagFell(time.Millisecond)
	m.botMoved(3, time.Millisecond)
	m.countCheckpointFailures(func() int64 { return 0 })
	m.countHints(func() int64 { return 0 }, func() int64 { return 0 })
	families, err := m.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range families {
		if !strings.HasPrefix(f.GetName(), "quatuor_") {
			continue
		}
		name := f.GetName() + " " + f.GetType().String()
		for _, label := range f.GetMetric()[0].GetLabel() {
			name += " " + label.GetName()
		}
		got = append(got, name)
	}
	want := []string{
		"quatuor_bot_thinking_seconds HISTOGRAM level", "quatuor_checkpoint_failures_total COUNTER",
		"quatuor_flag_delay_seconds HISTOGRAM", "quatuor_hint_delay_seconds HISTOGRAM", "quatuor_hints_healed_total COUNTER",
		"quatuor_hints_received_total COUNTER", "quatuor_hints_sent_total COUNTER", "quatuor_request_seconds HISTOGRAM method route status", "quatuor_streams GAUGE",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the metrics are %q, want %q", got, want)
	}
}

// TestCheckpointFailuresAreAMetric reads the counter where a monitor would.
func TestCheckpointFailuresAreAMetric(t *testing.T) {
	m := newMeasures(func() int { return 0 })
	m.countCheckpointFailures(func() int64 { return 7 })
	answer := httptest.NewRecorder()
	m.handler().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if !strings.Contains(answer.Body.String(), "\nquatuor_checkpoint_failures_total 7\n") {
		t.Errorf("the counter is not among the metrics:\n%s", answer.Body)
	}
}
