package table

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestAbsence(t *testing.T) {
	for _, tt := range []struct {
		name string
		runs []Run
		want Outage
	}{
		{"alone", nil, Outage{1000, 5000}},
		{"another served all the time", []Run{{From: 0, To: 4800}}, Outage{4800, 5000}},
		{"another was away as long", []Run{{From: 4000, To: 4500, Before: 1300}}, Outage{1300, 4000}},
		{"another came back first", []Run{{From: 3000, To: 4900, Before: 900}}, Outage{1000, 3000}},
		{"another was killed in the middle", []Run{{From: 0, To: 2500}}, Outage{2500, 5000}},
		{"one after the other served", []Run{{From: 0, To: 2500}, {From: 2200, To: 4900, Before: 700}}, Outage{4900, 5000}},
		{"one that has long been dead", []Run{{From: 100, To: 200}}, Outage{1000, 5000}},
		{"one whose clock is ahead", []Run{{From: 4000, To: 6000}}, Outage{1000, 4000}},
		{"this one itself", []Run{{From: 5000, To: 5000, Before: 1100}}, Outage{1100, 5000}},
	} {
		if got := absence(1000, 5000, tt.runs); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestJournalAwayForAll takes the journal away from both processes for 1.5 s, so that it refuses requests, or does not
// answer: the players get the time back, however alive the processes are, and once only.
func TestJournalAwayForAll(t *testing.T) {
	for name, take := range map[string]func(*memory) (back func()){
		"it refuses": func(m *memory) func() {
			m.fail(ErrUnavailable)
			return func() { m.fail(nil) }
		},
		"it does not answer": (*memory).stall,
	} {
		for _, phase := range []int{0, 120, 250, 380, 499} {
			t.Run(name, func(t *testing.T) {
				pair(t, func(t *testing.T, one, two *evening) {
					id, hasty := one.open("quixo/duel", "60").Game.ID, two.open("quixo/duel", "11").Game.ID
					time.Sleep(10*time.Second + time.Duration(phase)*time.Millisecond)
					back := take(one.journal)
					time.Sleep(1500 * time.Millisecond) // hasty's flag would fall
					back()
					time.Sleep(5 * time.Second / 10)
					synctest.Wait()
					for _, e := range []*evening{one, two} {
						s := e.see(id)
						var credited int64
						for _, l := range s.Lines {
							if l.Kind == LineOutage {
								length, err := time.ParseDuration(l.Text + "ms")
								if err != nil {
									t.Fatal(err)
								}
								credited += length.Milliseconds()
							}
						}
						if credited < 1500 || credited > 1500+2*sharedBeatInterval.Milliseconds() {
							t.Errorf("%d ms were given back after 1,500 ms away: %+v", credited, s.Lines)
						}
						if err := e.Ready(); err != nil {
							t.Error(err)
						}
					}
					if s := two.see(hasty); s.Game.Status != Running {
						t.Errorf("a flag fell while the journal was away: %+v", s.Lines)
					}
					one.mustPlay(id, 1, 1, "a1-a5")
				})
			})
		}
	}
}

// TestShortSilence is no absence: less than a second is a busy machine.
func TestShortSilence(t *testing.T) {
	pair(t, func(t *testing.T, one, two *evening) {
		id := one.open("quixo/duel", "60").Game.ID
		time.Sleep(10*time.Second + 499*time.Millisecond)
		back := one.journal.stall()
		time.Sleep(480 * time.Millisecond)
		back()
		time.Sleep(time.Second)
		synctest.Wait()
		if s := two.see(id); len(s.Lines) != 1 {
			t.Errorf("lines %+v", s.Lines)
		}
	})
}

// TestClockOfTheJournal runs two processes, on a machine with a wrong clock and with a right clock: they stamp alike,
// so that a move costs what it took.
func TestClockOfTheJournal(t *testing.T) {
	for _, wrong := range []time.Duration{500 * time.Millisecond, -500 * time.Millisecond, 3 * time.Second} {
		t.Run(wrong.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				journal, log := newMemory(), &strings.Builder{}
				var mu sync.Mutex
				one := startAs(t, journal, "one", true)
				defer one.stop()
				two := &evening{t: t, journal: journal, ended: make(chan struct{})}
				two.Tables = New(Config{
					Storage: stored(journal), Peers: journal, Shared: true, Instance: "two", Notifier: two,
					Now:    func() time.Time { return time.Now().Add(wrong) },
					Logger: slog.New(slog.NewTextHandler(&locked{mu: &mu, to: log}, nil)),
				})
				if err := two.Recover(t.Context()); err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithCancel(t.Context())
				two.cancel = cancel
				go func() {
					defer close(two.ended)
					_ = two.Run(ctx)
				}()
				defer two.stop()
				id := one.open("quixo/duel", "60").Game.ID
				for turn := 1; turn <= 4; turn++ {
					time.Sleep(3 * time.Second)
					e := []*evening{one, two}[turn%2]
					s := e.mustPlay(id, int8((turn-1)%2+1), turn, []string{"a1-a5", "b1-b5"}[(turn-1)%2])
					if took := s.Lines[len(s.Lines)-1].Elapsed; took < 2950 || took > 3050 {
						t.Errorf("move %d took 3,000 ms and was charged %d ms", turn, took)
					}
				}
				if err := two.Ready(); errors.Is(err, ErrOffset) != (wrong.Abs() >= maxOffset) {
					t.Errorf("a clock that is wrong by %s: %v", wrong, err)
				}
				mu.Lock()
				defer mu.Unlock()
				if n := strings.Count(log.String(), "clock is not that of the database"); n != 1 {
					t.Errorf("warned %d times:\n%s", n, log)
				}
			})
		})
	}
}

type locked struct {
	mu *sync.Mutex
	to *strings.Builder
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.to.Write(p)
}

// TestClockIsFollowedSlowly moves the time of a process after its clock was set: a little with each heartbeat.
func TestClockIsFollowedSlowly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := &skipping{}
		e := startWith(t, Config{Storage: stored(newMemory()), Now: clock.now, Shared: true})
		defer e.stop()
		time.Sleep(20*time.Second + watchdogInterval/2)
		synctest.Wait()
		clock.stopped(200 * time.Millisecond) // its own clock gains, and no tick of the watchdog is missing for so little
		began := time.Now()
		for last := 200 * time.Millisecond; last > 0; {
			if time.Since(began) > time.Minute {
				t.Fatalf("it stays %s ahead", last)
			}
			time.Sleep(sharedBeatInterval)
			synctest.Wait()
			ahead := time.Until(e.Time())
			if ahead < last-maxSlew || ahead > last {
				t.Fatalf("from %s to %s in one step", last, ahead)
			}
			last = ahead
		}
	})
}
