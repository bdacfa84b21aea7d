package app

import (
	"context"
	"database/sql"
	"log/slog"
	"math"
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
	m.countRunning(func(context.Context) (int64, error) { return 3, nil })
	m.watchDisk(t.TempDir())
	m.watchCertificates(&certificates{})
	m.countBroken(func() int { return 0 })
	none := func() (time.Duration, bool) { return 0, false }
	m.watchBackups(none, none, func() bool { return false })
	m.countMail(func() int64 { return 0 }, func() int64 { return 0 }, func() int64 { return 0 })
	m.countHooks(func() int64 { return 0 }, func() int64 { return 0 })
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
		"quatuor_backup_age_seconds GAUGE", "quatuor_backup_drill_age_seconds GAUGE", "quatuor_backup_drill_failed GAUGE",
		"quatuor_bot_thinking_seconds HISTOGRAM level", "quatuor_broken_games GAUGE",
		"quatuor_build_info GAUGE commit go sqlite version",
		"quatuor_certificate_expiry_timestamp_seconds GAUGE", "quatuor_certificate_failures_total COUNTER",
		"quatuor_checkpoint_failures_total COUNTER", "quatuor_clock_offset_seconds GAUGE",
		"quatuor_database_connections GAUGE state", "quatuor_database_connections_max GAUGE",
		"quatuor_database_wait_seconds_total COUNTER", "quatuor_database_waits_total COUNTER",
		"quatuor_disk_free_bytes GAUGE", "quatuor_failed_logins_total COUNTER reason",
		"quatuor_flag_delay_seconds HISTOGRAM", "quatuor_flags_taken_over_total COUNTER", "quatuor_forward_seconds HISTOGRAM",
		"quatuor_hint_delay_seconds HISTOGRAM", "quatuor_hints_healed_total COUNTER",
		"quatuor_hints_received_total COUNTER", "quatuor_hints_sent_total COUNTER", "quatuor_instances GAUGE",
		"quatuor_mail_dropped_total COUNTER", "quatuor_mail_sent_total COUNTER", "quatuor_mail_waiting GAUGE",
		"quatuor_outbox_waiting GAUGE consumer", "quatuor_owned_games GAUGE",
		"quatuor_request_seconds HISTOGRAM method route status", "quatuor_running_games GAUGE", "quatuor_streams GAUGE",
		"quatuor_webhook_deliveries_total COUNTER", "quatuor_webhook_failures_total COUNTER",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the metrics are %q, want %q", got, want)
	}
}

var (
	ownMetric   = regexp.MustCompile(`quatuor_[a-z_]+`)
	metricOfRow = regexp.MustCompile("`(quatuor_[a-z_]+)`")
)

// TestDocumentedMetrics compares the table of metrics in docs/operating.md with the registry: every metric has a row,
// every row its metric, and no page of docs names a metric that does not exist.
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
		kinds[name] = words[1]
		if !strings.HasPrefix(listed[name], " "+kinds[name]+" ") {
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

// TestMonitoringNamesMetrics: the alerts and the dashboard in docs name metrics and labels that are there.
func TestMonitoringNamesMetrics(t *testing.T) {
	known := map[string]string{} // series to the labels that they have
	for _, m := range allMeasures(t) {
		words := strings.Fields(m)
		labels := strings.Join(append(words[2:], "instance", "job"), " ") + " "
		known[words[0]] = labels
		if words[1] == "HISTOGRAM" {
			known[words[0]+"_bucket"], known[words[0]+"_count"], known[words[0]+"_sum"] = labels+"le ", labels, labels
		}
	}
	selector := regexp.MustCompile(`(quatuor_[a-z_]+)(?:\{([^}]*)\})?`)
	label := regexp.MustCompile(`([a-z_]+) *(?:=|!=|=~|!~) *\\?"`)
	for _, file := range []string{"prometheus-rules.yml", "grafana.json"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", file))
		if err != nil {
			t.Fatal(err)
		}
		found := selector.FindAllStringSubmatch(string(text), -1)
		if len(found) < 10 {
			t.Errorf("%s names %d metrics", file, len(found))
		}
		for _, s := range found {
			labels, is := known[s[1]]
			if !is {
				t.Errorf("%s names %s, which is not there", file, s[1])
			}
			for _, l := range label.FindAllStringSubmatch(s[2], -1) {
				if !strings.Contains(" "+labels, " "+l[1]+" ") {
					t.Errorf("%s: %s has no label %s", file, s[1], l[1])
				}
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

// TestMetricsOfBackups: the age is infinite before the first backup, and then that of the last; a drill is counted.
func TestMetricsOfBackups(t *testing.T) {
	a, err := New(t.Context(), Config{Storage: newData(t), Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	values := func() map[string]float64 {
		families, err := a.measures.registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]float64{}
		for _, f := range families {
			got[f.GetName()] = f.GetMetric()[0].GetGauge().GetValue()
		}
		return got
	}
	const age, drill, failed = "quatuor_backup_age_seconds", "quatuor_backup_drill_age_seconds", "quatuor_backup_drill_failed"
	if v := values(); !math.IsInf(v[age], 1) || !math.IsInf(v[drill], 1) || v[failed] != 0 {
		t.Errorf("before the first: %v %v %v", v[age], v[drill], v[failed])
	}
	a.backups.Start()
	a.backups.Wait()
	s := a.backups.State()
	if v := values(); v[age] < 0 || v[age] > 60 || v[drill] < 0 || v[drill] > 60 || v[failed] != 0 {
		t.Errorf("after the first: %v %v %v; %+v", v[age], v[drill], v[failed], s)
	}
	if err := os.Truncate(filepath.Join(s.Folder, s.Copies[0].Name), 4096); err != nil {
		t.Fatal(err)
	}
	if last, err := a.backups.Drill(t.Context()); err == nil || last.Good {
		t.Errorf("the drill of a cut backup: %+v", last)
	}
	if v := values(); v[failed] != 1 {
		t.Errorf("after a drill that failed: %v", v[failed])
	}
}
