package app

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"net/http"
	"net/http/pprof"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"quatuor/api/auth"
	"quatuor/api/forward"
)

// measures are the metrics of an instance.
type measures struct {
	registry *prometheus.Registry
	requests *prometheus.HistogramVec
	answers  sync.Map // answer to prometheus.Observer: those of requests, found without hashing labels
	flags    prometheus.Histogram
	thinking *prometheus.HistogramVec

	logins *prometheus.CounterVec // that failed

	hintDelay prometheus.Histogram // of hints between instances
	healed    prometheus.Counter
	taken     prometheus.Counter // flags that another instance should have stored
}

// FlagDelays names the histogram of flags among the metrics.
const FlagDelays = "quatuor_flag_delay_seconds"

// flagBuckets are fine where flags ought to fall, so that percentiles can be read from the histogram.
func flagBuckets() []float64 {
	var seconds []float64
	for _, part := range []struct{ from, to, step int }{
		{1, 20, 1},
		{25, 50, 5},
		{60, 100, 10},
		{150, 500, 50},
		{1000, 5000, 1000},
	} {
		for ms := part.from; ms <= part.to; ms += part.step {
			seconds = append(seconds, float64(ms)/1000)
		}
	}
	return seconds
}

func newMeasures(streams func() int) *measures {
	m := &measures{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "quatuor_request_seconds", Help: "Time to answer a request.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, 1, 5},
		}, []string{"route", "method", "status"}),
	}
	m.flags = prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: FlagDelays, Help: "Time from a flag's deadline until it was stored.", Buckets: flagBuckets(),
	})
	m.taken = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "quatuor_flags_taken_over_total",
		Help: "Flags stored here of games that were another instance's when their clock began to run.",
	})
	m.thinking = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "quatuor_bot_thinking_seconds",
		Help:    "Time that bots have thought about their moves; its count is the number of moves.",
		Buckets: []float64{.001, .005, .01, .025, .05, .1, .15, .25, 1},
	}, []string{"level"})
	m.logins = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "quatuor_failed_logins_total",
		Help: "Logins with a wrong login or password, and those refused because too many had failed.",
	}, []string{"reason"})
	for _, reason := range []string{wrongLogin, limitedLogin} {
		m.logins.WithLabelValues(reason)
	}
	m.showBuild(CurrentBuild())
	m.registry.MustRegister(m.requests, m.flags, m.thinking, m.logins, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.gauge("quatuor_streams", "Open streams of events.", figure(streams))
	return m
}

// gauge adds a figure that goes up and down.
func (m *measures) gauge(name, help string, value func() float64, labels ...string) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: name, Help: help, ConstLabels: labelled(labels),
	}, value))
}

// counter adds a figure that only grows.
func (m *measures) counter(name, help string, value func() float64) {
	m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, value))
}

// labelled returns the labels of a name and its value; none without.
func labelled(label []string) prometheus.Labels {
	if len(label) == 0 {
		return nil
	}
	return prometheus.Labels{label[0]: label[1]}
}

// figure returns a number as a metric takes it.
func figure[N int | int64](value func() N) func() float64 {
	return func() float64 { return float64(value()) }
}

// showBuild adds the program's build, as labels of a figure that is always 1.
func (m *measures) showBuild(b Build) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "quatuor_build_info", Help: "What the program was built from; always 1.", ConstLabels: prometheus.Labels{
			"version": b.Version, "commit": b.Commit, "go": b.Go, "sqlite": b.SQLite,
		},
	}, func() float64 { return 1 }))
}

// Reasons of failed logins.
const (
	wrongLogin   = "wrong"
	limitedLogin = "limited"
)

// loginFailed counts a failed login by why it failed.
func (m *measures) loginFailed(err error) {
	reason := wrongLogin
	if errors.Is(err, auth.ErrTooMany) {
		reason = limitedLogin
	}
	m.logins.WithLabelValues(reason).Inc()
}

// countRunning adds the number of running games in the database.
func (m *measures) countRunning(count func(context.Context) (int64, error)) {
	m.gauge("quatuor_running_games", "Running games, of all instances on the same database.", func() float64 {
		ctx, cancel := context.WithTimeout(context.Background(), probeTimeout)
		defer cancel()
		n, err := count(ctx)
		if err != nil {
			return math.NaN()
		}
		return float64(n)
	})
}

// watchDisk adds the free space on the disk of a data folder, where the system reports it.
func (m *measures) watchDisk(dir string) {
	if _, total := diskSpace(dir); total == 0 {
		return
	}
	m.gauge("quatuor_disk_free_bytes", "Room on the disk of the data folder.", figure(func() int64 {
		free, _ := diskSpace(dir)
		return free
	}))
}

// watchCertificates adds the expiry of the certificates, and the number of failed renewals.
func (m *measures) watchCertificates(c *certificates) {
	m.gauge("quatuor_certificate_expiry_timestamp_seconds",
		"When the certificate of TLS expires, the first of several; 0 while there is none.", figure(c.expires.Load))
	m.counter("quatuor_certificate_failures_total", "Times that a new certificate could not be had or was refused.",
		figure(c.failures.Load))
}

// countCheckpointFailures adds the number of failed copies of SQLite's log into the database file.
func (m *measures) countCheckpointFailures(failures func() int64) {
	m.counter("quatuor_checkpoint_failures_total",
		"Times that SQLite's write-ahead log could not be copied into the database file.", figure(failures))
}

// watchBackups adds the ages of the last backup and the last drill, +Inf where there was none.
func (m *measures) watchBackups(age, drillAge func() (time.Duration, bool), drillFailed func() bool) {
	seconds := func(of func() (time.Duration, bool)) func() float64 {
		return func() float64 {
			if age, ok := of(); ok {
				return age.Seconds()
			}
			return math.Inf(1)
		}
	}
	m.gauge("quatuor_backup_age_seconds", "Time since the last backup.", seconds(age))
	m.gauge("quatuor_backup_drill_age_seconds", "Time since a backup was last restored as a trial.", seconds(drillAge))
	m.gauge("quatuor_backup_drill_failed", "1 if the last backup that was restored as a trial was not good.",
		func() float64 {
			if drillFailed() {
				return 1
			}
			return 0
		})
}

// countWaiting adds the number of finished games that wait for each consumer, as last seen.
func (m *measures) countWaiting(stands map[string]*backlog) {
	for name, s := range stands {
		m.gauge("quatuor_outbox_waiting", "Finished games of which the consequences are not stored yet.",
			figure(s.waiting.Load), "consumer", name)
	}
}

// countMail adds the number of waiting e-mails, and the outcomes of others.
func (m *measures) countMail(waiting, sent, dropped func() int64) {
	m.gauge("quatuor_mail_waiting", "E-mails that wait to be sent.", figure(waiting))
	m.counter("quatuor_mail_sent_total", "E-mails sent by this instance.", figure(sent))
	m.counter("quatuor_mail_dropped_total", "E-mails that this instance could not send and dropped.", figure(dropped))
}

// countHooks adds the metrics of webhooks.
func (m *measures) countHooks(sent, failed func() int64) {
	m.counter("quatuor_webhook_deliveries_total", "Deliveries to webhooks that arrived, sent by this instance.", figure(sent))
	m.counter("quatuor_webhook_failures_total", "Attempts of deliveries to webhooks that failed at this instance.", figure(failed))
}

// countBroken adds the number of games that cannot be replayed.
func (m *measures) countBroken(broken func() int) {
	m.gauge("quatuor_broken_games", "Running games that are suspended because their stored logs do not replay.",
		figure(broken))
}

// countHints adds the metrics of hints between instances.
func (m *measures) countHints(sent, received func() int64) {
	m.hintDelay = prometheus.NewHistogram(prometheus.HistogramOpts{
		Name:    "quatuor_hint_delay_seconds",
		Help:    "Time from a change at another instance until it was sent to readers here.",
		Buckets: []float64{.0025, .005, .01, .015, .025, .05, .1, .15, .25, .5, 1, 5, 15},
	})
	m.healed = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "quatuor_hints_healed_total",
		Help: "Games and tournaments published late to readers, because a hint was lost.",
	})
	m.registry.MustRegister(m.hintDelay, m.healed)
	m.counter("quatuor_hints_sent_total", "Hints sent to the other instances on the same database.", figure(sent))
	m.counter("quatuor_hints_received_total", "Hints received from the other instances on the same database.",
		figure(received))
}

// countOwned adds this instance's number of the games that several share.
func (m *measures) countOwned(owned func() int) {
	m.registry.MustRegister(m.taken)
	m.gauge("quatuor_owned_games", "Games whose flags this instance waits for.", figure(owned))
}

// watchClock adds the difference between this machine's clock and the database's.
func (m *measures) watchClock(offset func() time.Duration) {
	m.gauge("quatuor_clock_offset_seconds",
		"How far the database's clock is ahead of this machine's; negative where it is behind.",
		func() float64 { return offset().Seconds() })
}

// countInstances adds the number of instances that this instance believes to be alive.
func (m *measures) countInstances(living func() int) {
	m.gauge("quatuor_instances", "Living instances on the same database, this one among them.", figure(living))
}

// watchConnections adds how the connections to PostgreSQL that serve requests are used; with SQLite there are none.
func (m *measures) watchConnections(stats func() (sql.DBStats, bool)) {
	if _, is := stats(); !is {
		return
	}
	of := func(value func(sql.DBStats) float64) func() float64 {
		return func() float64 {
			now, _ := stats()
			return value(now)
		}
	}
	const connections = "quatuor_database_connections"
	const help = "Connections to PostgreSQL for requests, by whether they are in use."
	m.gauge(connections, help, of(func(s sql.DBStats) float64 { return float64(s.InUse) }), "state", "in_use")
	m.gauge(connections, help, of(func(s sql.DBStats) float64 { return float64(s.Idle) }), "state", "idle")
	m.gauge("quatuor_database_connections_max", "Maximum of connections to PostgreSQL for requests.",
		of(func(s sql.DBStats) float64 { return float64(s.MaxOpenConnections) }))
	m.counter("quatuor_database_waits_total", "Times that a request has waited for a connection to PostgreSQL.",
		of(func(s sql.DBStats) float64 { return float64(s.WaitCount) }))
	m.counter("quatuor_database_wait_seconds_total", "Time that requests have waited for a connection to PostgreSQL.",
		of(func(s sql.DBStats) float64 { return s.WaitDuration.Seconds() }))
}

// countForwarded adds the acts that go between instances. It returns functions to call for each act that was to go to
// another instance, and for each that has come from there.
func (m *measures) countForwarded() (sent func(forward.Outcome, time.Duration), received func()) {
	acts := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "quatuor_acts_forwarded_total",
		Help: "Acts that another instance owns: answered by it, acted on here since it did not answer, or answered with " +
			"503 since their outcome is unknown.",
	}, []string{"outcome"})
	took := prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "quatuor_forward_seconds", Help: "Time until another instance had answered an act that was sent to it.",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 5},
	})
	came := prometheus.NewCounter(prometheus.CounterOpts{
		Name: "quatuor_acts_received_total",
		Help: "Acts that other instances have sent, because this one owns what they act on.",
	})
	m.registry.MustRegister(acts, took, came)
	names := map[forward.Outcome]string{
		forward.Answered: "answered", forward.NotSent: "acted here", forward.Again: "acted here", forward.Unknown: "unknown",
	}
	for _, name := range names {
		acts.WithLabelValues(name)
	}
	return func(o forward.Outcome, d time.Duration) {
		acts.WithLabelValues(names[o]).Inc()
		if o == forward.Answered {
			took.Observe(d.Seconds())
		}
	}, came.Inc
}

// observe counts an answer by its route, never by its path, so that the number of series is bounded.
func (m *measures) observe(route, method string, status int, took time.Duration) {
	of := answer{route, method, status}
	series, known := m.answers.Load(of)
	if !known {
		series, _ = m.answers.LoadOrStore(of, m.requests.WithLabelValues(route, method, strconv.Itoa(status)))
	}
	series.(prometheus.Observer).Observe(took.Seconds())
}

// answer is the key that answers are counted by.
type answer struct {
	route, method string
	status        int
}

// flagFell counts a flag by its delay from the deadline until it was stored.
func (m *measures) flagFell(late time.Duration) { m.flags.Observe(late.Seconds()) }

// botMoved counts a bot's move by its time of thought.
func (m *measures) botMoved(level int, thought time.Duration) {
	m.thinking.WithLabelValues(strconv.Itoa(level)).Observe(thought.Seconds())
}

// handler serves the figures and Go's profiles. It is bound to an address of its own, never to the public address.
func (m *measures) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return mux
}
