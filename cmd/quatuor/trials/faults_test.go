//go:build linux

package trials

import (
	"context"
	"fmt"
	"strings"
	"time"

	"quatuor/cmd/quatuor/crashtest"
	"quatuor/store/dbtest"
)

// maxDelay is the bound on flags of a dead instance that even a busy machine keeps.
const maxDelay = 8 * time.Second

// kills ends an instance at any moment, again and again, and starts it again some time later.
func (x *trial) kills() {
	const longestDeath = 4 * time.Second // longer than others take to let the flags of a dead instance fall
	kills := x.number("KILLS", 3, 100)
	s := x.stage(x.server.Schema(x.T), instances)
	s.crowd.Begin(pause())
	for n := 1; n <= kills && !x.Failed(); n++ {
		between(200*time.Millisecond, time.Second)
		victim := s.someone()
		victim.Kill()
		if n == 1 {
			time.Sleep(longestDeath)
		} else {
			between(0, longestDeath/2)
		}
		s.crowd.Compare(s.other(victim))
		victim.Start()
		x.progress(n, kills, s)
	}
	tally := s.finish()
	flags := s.flags()
	if late := flags.seen.at(1); late > maxDelay {
		x.Errorf("a flag was seen %s late", late)
	}
	x.report("%d kills, %s; %s", kills, tally, flags)
}

// other picks another instance than this.
func (s *stage) other(than *crashtest.Instance) *crashtest.Instance {
	for {
		if in := s.someone(); in != than {
			return in
		}
	}
}

// freezes stops an instance for some seconds, again and again, and lets it go on.
func (x *trial) freezes() {
	const frozen, calm = 4 * time.Second, time.Second
	freezes := x.number("FREEZES", 2, 20)
	s := x.stage(x.server.Schema(x.T), instances)
	s.crowd.Begin(20 * time.Millisecond)
	var windows []window
	for n := 1; n <= freezes && !x.Failed(); n++ {
		between(calm, 2*calm)
		victim := s.someone()
		w := window{from: time.Now()}
		victim.Freeze()
		time.Sleep(frozen)
		s.crowd.Compare(s.other(victim))
		w.to = time.Now()
		windows = append(windows, w)
		victim.Thaw()
		x.progress(n, freezes, s)
	}
	time.Sleep(calm)
	tally := s.finish()
	stopped, in, cups, cut, out := x.judge(s.crowd.Acts(), windows)
	if in.longest > maxDelay {
		x.Errorf("while an instance was frozen something waited %s", in.longest)
	}
	x.report("a frozen instance stopped someone in %d of %d freezes; moves and ends at the others: %s; commands to "+
		"tournaments and the like: %s; what was under way at the frozen one: %s; all at calm times: %s; %s; %s",
		stopped, freezes, in, cups, cut, out, s.flags(), tally)
}

// window is the time of a freeze of an instance.
type window struct{ from, to time.Time }

// waits holds the times that acts waited for their answer.
type waits struct {
	acts, ends       int
	slow, lateEnds   int // longer than patience
	longest, longEnd time.Duration
}

// slow is the longest wait of an act that nothing stops.
const slow = 1500 * time.Millisecond

func (w *waits) add(r crashtest.Reply) (late bool) {
	took := r.Answered.Sub(r.Sent)
	late = took > slow
	w.acts, w.longest = w.acts+1, max(w.longest, took)
	if r.End {
		w.ends, w.longEnd = w.ends+1, max(w.longEnd, took)
	}
	if late {
		w.slow++
		if r.End {
			w.lateEnds++
		}
	}
	return late
}

// String formats the long waits.
func (w waits) String() string {
	return fmt.Sprintf("%d of %d waited longer than %s (of them ends of games %d of %d), the longest %s, of an end %s",
		w.slow, w.acts, slow, w.lateEnds, w.ends, w.longest.Round(time.Millisecond), w.longEnd.Round(time.Millisecond))
}

// judge parts acts into those on games at other instances during a freeze, other acts there, those that the frozen
// instance had begun, and those at calm times. It counts the freezes that made an act of the first kind wait too long.
func (x *trial) judge(acts []crashtest.Reply, windows []window) (stopped int, in, others, cut, out waits) {
	x.Helper()
	hit := make([]bool, len(windows))
	for _, r := range acts {
		within := -1
		for i, w := range windows {
			if r.Sent.Before(w.to) && r.Answered.After(w.from) {
				within = i
			}
		}
		switch {
		case within < 0:
			out.add(r)
		case r.Cut:
			cut.add(r)
		case !strings.HasPrefix(r.What, "/games"):
			others.add(r)
		case in.add(r):
			hit[within] = true
			x.Logf("freeze %d, act sent %s after it: %s waited %s", within+1, r.Sent.Sub(windows[within].from), r.What,
				r.Answered.Sub(r.Sent))
		}
	}
	for _, h := range hit {
		if h {
			stopped++
		}
	}
	return stopped, in, others, cut, out
}

// crashes ends the database as a power cut would, again and again, and starts it again.
func (x *trial) crashes() { x.crash("CRASHES", dbtest.Cluster(x.T)) }

// crashesAsynchronous is crashes with a server that by default would acknowledge before it has stored.
func (x *trial) crashesAsynchronous() {
	x.crash("CRASHES", dbtest.Cluster(x.T, "synchronous_commit=off"))
}

func (x *trial) crash(name string, server *dbtest.Postgres) {
	crashes := x.number(name, 1, 20)
	s := x.stage(server.Schema(x.T), instances)
	s.crowd.Begin(pause())
	var back spread
	for n := 1; n <= crashes && !x.Failed(); n++ {
		between(time.Second, 2*time.Second)
		if n%2 == 1 {
			server.Crash(x.T)
		} else {
			server.Stop(x.T)
		}
		between(0, 1500*time.Millisecond)
		server.Start(x.T)
		back = append(back, s.untilServed())
		s.crowd.Compare(s.someone())
		x.progress(n, crashes, s)
	}
	tally := s.finish()
	x.report("%d crashes of the database, %s; served again after its start: %s", crashes, tally, back)
}

// promotions lets the database die and its synchronous standby take its place, again and again; the dead server becomes
// the next standby.
func (x *trial) promotions() {
	promotions := x.number("PROMOTIONS", 1, 20)
	first := dbtest.Cluster(x.T)
	dsn := first.Schema(x.T)
	standby, both := first.Standby(x.T, dsn)
	s := x.stage(both, instances)
	s.crowd.Begin(pause())
	var back spread
	for n := 1; n <= promotions && !x.Failed(); n++ {
		between(time.Second, 2*time.Second)
		began := time.Now()
		if n%2 == 1 {
			first.Crash(x.T)
		} else {
			first.Stop(x.T)
		}
		between(0, 500*time.Millisecond)
		standby.Promote(x.T)
		s.untilServed()
		back = append(back, time.Since(began))
		between(200*time.Millisecond, time.Second)
		s.crowd.Compare(s.someone())
		first, standby = standby, first
		if n < promotions {
			first.Replace(x.T, standby)
		}
		x.progress(n, promotions, s)
	}
	tally := s.finish()
	x.report("%d promotions, %s; served again after the first server's death: %s", promotions, tally, back)
}

// untilServed returns the time until the next act is answered and, after it, all instances are ready.
func (s *stage) untilServed() time.Duration {
	s.Helper()
	began := time.Now()
	ctx, cancel := context.WithTimeout(s.Context(), time.Minute)
	defer cancel()
	for before := s.crowd.Tally(); s.crowd.Tally().Moves == before.Moves; time.Sleep(5 * time.Millisecond) {
		if ctx.Err() != nil {
			s.Fatalf("nothing is served after a minute\n%s", s.Logs())
		}
	}
	served := time.Since(began)
	s.AwaitReady()
	return served
}
