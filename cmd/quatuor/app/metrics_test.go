package app

import (
	"database/sql"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// allMeasures lists every metric of ours that an instance may have: name, kind and labels.
func allMeasures(t *testing.T) []string {
	t.Helper()
	m := newMeasures(func() int { return 3 })
	m.observe("/games/:id", "GET", 200, time.Millisecond)
	m.flagFell(time.Millisecond)
	m.botMoved(3, time.Millisecond)
	m.countCheckpointFailures(func() int64 { return 0 })
	m.countHints(func() int64 { return 0 }, func() int64 { return 0 })
	m.countForwarded()
	m.countWaiting(map[string]*backlog{"ratings": {}})
	m.countBroken(func() int { return 0 })
	m.countMail(func() int64 { return 0 }, func() int64 { return 0 }, func() int64 { return 0 })
	m.countOwned(func() int { return 0 })
	m.watchClock(func() time.Duration { return 0 })
	m.countInstances(func() int { return 3 })
	m.watchConnections(func() (sql.DBStats, bool) { return sql.DBStats{MaxOpenConnections: 6}, true })
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
	return got
}

// TestMetricNames: dashboards and alerts name the metrics, so they must stay.
func TestMetricNames(t *testing.T) {
	got := allMeasures(t)
	want := []string{
		"quatuor_acts_forwarded_total COUNTER outcome",
		"quatuor_acts_received_total COUNTER",
		"quatuor_bot_thinking_seconds HISTOGRAM level", "quatuor_broken_games GAUGE",
		"quatuor_checkpoint_failures_total COUNTER", "quatuor_clock_offset_seconds GAUGE",
		"quatuor_database_connections GAUGE state", "quatuor_database_connections_max GAUGE",
		"quatuor_database_wait_seconds_total COUNTER", "quatuor_database_waits_total COUNTER",
		"quatuor_flag_delay_seconds HISTOGRAM", "quatuor_flags_taken_over_total COUNTER", "quatuor_forward_seconds HISTOGRAM",
		"quatuor_hint_delay_seconds HISTOGRAM", "quatuor_hints_healed_total COUNTER",
		"quatuor_hints_received_total COUNTER", "quatuor_hints_sent_total COUNTER", "quatuor_instances GAUGE",
		"quatuor_mail_dropped_total COUNTER", "quatuor_mail_sent_total COUNTER", "quatuor_mail_waiting GAUGE",
		"quatuor_outbox_waiting GAUGE consumer", "quatuor_owned_games GAUGE",
		"quatuor_request_seconds HISTOGRAM method route status", "quatuor_streams GAUGE",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the metrics are %q, want %q", got, want)
	}
}

var (
	ownMetric   = regexp.MustCompile(`quatuor_[a-z_]+`)
	metricOfRow = regexp.MustCompile("`(quatuor_[a-z_]+)`")
)

// TestDocumentedMetrics holds the table of metrics in docs/operating.md against the registry: every metric has a row,
// every row its metric, and no page of docs names one that is not there.
func TestDocumentedMetrics(t *testing.T) {
	docs := filepath.Join("..", "..", "..", "docs")
	text, err := os.ReadFile(filepath.Join(docs, "operating.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "| metric | kind |")
	if !found {
		t.Fatal("docs/operating.md has no table of metrics")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	listed := map[string]string{} // the rest of its row
	for row := range strings.Lines(table) {
		if cells := strings.SplitN(row, "|", 3); len(cells) == 3 {
			for _, name := range metricOfRow.FindAllStringSubmatch(cells[1], -1) {
				listed[name[1]] = cells[2]
			}
		}
	}
	kinds := map[string]string{}
	for _, m := range allMeasures(t) {
		words := strings.Fields(strings.ToLower(m))
		name := words[0]
		if kinds[name] = words[1]; !strings.HasPrefix(listed[name], " "+kinds[name]+" ") {
			t.Errorf("docs/operating.md should list %s as a %s; its row goes on %q", name, kinds[name], listed[name])
		}
	}
	for name := range listed {
		if kinds[name] == "" {
			t.Errorf("docs/operating.md lists %s, which is not there", name)
		}
	}
	pages, err := filepath.Glob(filepath.Join(docs, "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatal(pages, err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range ownMetric.FindAllString(string(text), -1) {
			of := name
			for _, part := range []string{"_bucket", "_count", "_sum"} {
				if whole, cut := strings.CutSuffix(name, part); cut && kinds[whole] == "histogram" {
					of = whole
				}
			}
			if kinds[of] == "" {
				t.Errorf("%s names the metric %s, which is not there", filepath.Base(page), name)
			}
		}
	}
}

// TestLateHintsAreCountable: alerts take the hints that took more than 150 ms from a bucket of the histogram.
func TestLateHintsAreCountable(t *testing.T) {
	m := newMeasures(func() int { return 0 })
	m.countHints(func() int64 { return 0 }, func() int64 { return 0 })
	for _, seconds := range []float64{0.003, 0.149, 0.151, 2} {
		m.hintDelay.Observe(seconds)
	}
	answer := httptest.NewRecorder()
	m.handler().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for _, line := range []string{`quatuor_hint_delay_seconds_bucket{le="0.15"} 2`, "quatuor_hint_delay_seconds_count 4"} {
		if !strings.Contains(answer.Body.String(), "\n"+line+"\n") {
			t.Errorf("%s is not among the metrics:\n%s", line, answer.Body)
		}
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
