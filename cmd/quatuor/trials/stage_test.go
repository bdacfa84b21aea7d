//go:build linux

package trials

import (
	"fmt"
	"math/rand/v2"
	"time"

	"quatuor/cmd/quatuor/crashtest"
	"quatuor/cmd/quatuor/harness"
)

// stage is three instances and the crowd that they serve.
type stage struct {
	*trial
	dsn string
	*crashtest.Cluster
	crowd *crashtest.Crowd
}

// instances is the number of instances in most trials.
const instances = 3

// stage starts instances on a database of their own, with a crowd that waits to begin.
func (x *trial) stage(dsn string, count int) *stage {
	x.Helper()
	s := &stage{trial: x, dsn: dsn, Cluster: crashtest.StartCluster(x.T, x.command, dsn, count)}
	s.crowd = s.Crowd(x.T, rand.Uint64())
	return s
}

// bareStage is a stage with idle people.
func (x *trial) bareStage(count, people int) *stage {
	x.Helper()
	dsn := x.server.Schema(x.T)
	s := &stage{trial: x, dsn: dsn, Cluster: crashtest.StartCluster(x.T, x.command, dsn, count)}
	s.crowd = s.People(x.T, rand.Uint64(), people)
	return s
}

// player returns the nth of the people, cyclically.
func (s *stage) player(n int) harness.Player {
	people := s.crowd.People()
	return people[n%len(people)]
}

// finish has everything compared, and demands that nothing was lost, doubled or stale. It returns a summary of the
// acknowledged acts.
func (s *stage) finish() string {
	s.Helper()
	s.crowd.Rest()
	s.crowd.Finish(s.dsn)
	if s.Failed() {
		logs := s.Logs()
		s.Logf("the instances' logs, at their end:\n%s", logs[max(0, len(logs)-4000):])
	}
	return tally(s.crowd)
}

// tally formats the counts of a crowd.
func tally(w *crashtest.Crowd) string {
	n := w.Tally()
	return fmt.Sprintf("%d moves, %d resignations, %d games, %d tournaments acknowledged: %d lost, %d doubled, %d "+
		"stale, %d answers not kept",
		n.Moves, n.Resignations, n.Games, n.Cups, n.Lost, n.Doubled, n.Stale, n.Unkept)
}

// String formats the progress of the crowd.
func (s *stage) String() string { return tally(s.crowd) }

// between sleeps for a time left to chance: faults come at moments that nothing announces.
func between(shortest, longest time.Duration) { time.Sleep(shortest + rand.N(longest-shortest)) }

// someone picks an instance by chance.
func (s *stage) someone() *crashtest.Instance { return s.Instances[rand.IntN(len(s.Instances))] }

// reportedDelay is the smallest delay of a flag that a trial explains: the flag was late, or the check of it.
const reportedDelay = 3 * time.Second

// flags holds delays of flags after their deadlines: how late they were still seen running, and how late they were
// first seen fallen.
type flags struct{ late, seen spread }

// flags returns the delays of flags, and logs those that were seen very late.
func (s *stage) flags() (all flags) {
	s.Helper()
	for _, f := range s.crowd.Flags() {
		seen := f.Seen.Sub(f.Due)
		all.late, all.seen = append(all.late, f.Delay()), append(all.seen, seen)
		if seen > reportedDelay {
			s.Log(f)
		}
	}
	return all
}

// String formats both.
func (f flags) String() string {
	return fmt.Sprintf("flags seen after their deadline: %s; of it not fallen for certain: %s", f.seen, f.late)
}
