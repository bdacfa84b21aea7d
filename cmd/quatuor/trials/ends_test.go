//go:build linux

package trials

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"quatuor/cmd/quatuor/harness"
)

// maxRatio is the largest ratio of an end's processor time with three instances to that with a single instance.
const maxRatio = 2.5

// ends ends games by resignation at full speed, by an instance alone and by three in turns, and reads the cost of an
// end for the instances and the database. At the end the server logs all lock waits.
func (x *trial) ends() {
	const rounds = 4
	atOnce := x.number("CLIENTS", 64, 64)
	games := x.number("ENDS", 800, 8000) / rounds
	stages := [2]*stage{x.bareStage(1, 4), x.bareStage(instances, 4)}
	var rates [2][]float64
	var costs [2]spent
	for round := range rounds {
		for k := range stages {
			i := (k + round) % 2 // so that neither always comes second
			rate, cost := stages[i].endsASecond(stages[i].openToEnd(games), atOnce)
			rates[i] = append(rates[i], rate)
			costs[i] = costs[i].plus(cost)
		}
		x.Logf("round %d: %.0f ends a second with 1, %.0f with %d", round+1, rates[0][round], rates[1][round], instances)
	}
	last := stages[1].openToEnd(games)
	waits := stages[1].lockWaits(func() { stages[1].endsASecond(last, atOnce) })
	if len(waits.others) > 0 {
		x.Errorf("%d times an end waited for a lock, such as: %s", len(waits.others), waits.others[0])
	}
	each := func(d time.Duration) int64 { return d.Microseconds() / int64(rounds*games) }
	one, three := costs[0].instances+costs[0].database, costs[1].instances+costs[1].database
	ratio := float64(three) / float64(one)
	if long() && ratio > maxRatio { // fewer ends are too few for the system's clock
		x.Errorf("an end costs %.2f times as much with %d instances as with one, and %.1f is the bar", ratio, instances,
			maxRatio)
	}
	x.report("µs of CPU an end, of %d by %d clients: %d with 1 instance (database %d of it), %d with %d (database %d), "+
		"%.2f times as much; "+
		"waits for locks of 1 ms or more in %d ends: %d, for the ratings of another instance %d; ends a second %.0f and %.0f",
		rounds*games, atOnce,
		each(one), each(costs[0].database), each(three), instances, each(costs[1].database), ratio,
		games, len(waits.others), waits.ratings, median(rates[0]), median(rates[1]))
}

func median(of []float64) float64 {
	slices.Sort(of)
	return (of[(len(of)-1)/2] + of[len(of)/2]) / 2
}

// toEnd is a game that is to be ended, by the player of its first seat.
type toEnd struct {
	game string
	by   harness.Player
}

// openToEnd opens games, each with a move of either side, so that it counts for the ratings; few at a time, for four
// people do.
func (s *stage) openToEnd(games int) []toEnd {
	all := make([]toEnd, games)
	each(12, games, func(n int) {
		by, other := s.player(n), s.player(n+1)
		g, err := open(s.Context(), by, other, "300+3", true)
		if err == nil {
			err = errors.Join(g.move(s.Context(), by, 1, "a1-a5"), g.move(s.Context(), other, 2, "b1-b5"))
		}
		if err != nil {
			s.Error(err)
		}
		all[n] = toEnd{g.ID, by}
	})
	return all
}

// endsASecond has all games resigned, and returns the cost of that, too. The consequences of their ends are complete
// when it returns.
func (s *stage) endsASecond(games []toEnd, atOnce int) (rate float64, cost spent) {
	before, began := s.spentNow(), time.Now()
	each(atOnce, len(games), func(n int) {
		if err := games[n].by.Post(s.Context(), "/games/"+games[n].game+"/resign", map[string]int{"seat": 1},
			nil); err != nil {
			s.Errorf("game %q: %v", games[n].game, err)
		}
	})
	rate = float64(len(games)) / time.Since(began).Seconds()
	cost = s.spentNow().minus(before)
	last := games[len(games)-1]
	s.untilRated(last.by, last.game)
	return rate, cost
}

// untilRated returns when the consequences of the end of a game are complete.
func (s *stage) untilRated(by harness.Player, game string) {
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		var changes struct{ Items []struct{} }
		if err := by.Get(s.Context(), "/games/"+game+"/rating-changes", &changes); err == nil && len(changes.Items) > 0 {
			return
		}
		if time.Now().After(deadline) {
			s.Errorf("game %s is not rated after a minute", game)
			return
		}
	}
}

// lockWaits are waits for locks that took a millisecond or more.
type lockWaits struct {
	ratings int      // of instances for the ratings that another is making for all
	others  []string // as the server has logged them
}

// lockWaits makes the server log waits for locks while work runs.
func (s *stage) lockWaits(work func()) (waits lockWaits) {
	s.Helper()
	db, err := sql.Open("pgx", s.dsn)
	if err != nil {
		s.Fatal(err)
	}
	defer db.Close()
	set := func(changes ...string) {
		s.Helper()
		for _, change := range append(changes, "SELECT pg_reload_conf()") {
			if _, err := db.ExecContext(context.WithoutCancel(s.Context()), change); err != nil {
				s.Fatal(err)
			}
		}
	}
	set("ALTER SYSTEM SET deadlock_timeout = '1ms'", "ALTER SYSTEM SET log_lock_waits = on")
	defer set("ALTER SYSTEM RESET deadlock_timeout", "ALTER SYSTEM RESET log_lock_waits")
	s.seesWaits(db)
	from := len(s.server.Log(s.T))
	work()
	for line := range strings.Lines(s.server.Log(s.T)[from:]) {
		switch {
		case !strings.Contains(line, " still waiting for "):
		case strings.Contains(line, " on advisory lock "):
			waits.ratings++
		default:
			waits.others = append(waits.others, line)
		}
	}
	return waits
}

// seesWaits waits for a lock until the server logs it.
func (s *stage) seesWaits(db *sql.DB) {
	s.Helper()
	holder, err := db.BeginTx(s.Context(), nil)
	if err != nil {
		s.Fatal(err)
	}
	defer holder.Rollback()
	_, err = holder.ExecContext(s.Context(), "LOCK TABLE goose_db_version")
	for deadline := time.Now().Add(time.Minute); err == nil; {
		from := len(s.server.Log(s.T))
		_, waited := db.ExecContext(s.Context(), "SET lock_timeout = '20ms'; LOCK TABLE goose_db_version")
		if strings.Contains(s.server.Log(s.T)[from:], " still waiting for ") {
			return
		}
		if waited == nil || time.Now().After(deadline) {
			err = fmt.Errorf("the server does not log lock waits: %w", waited)
		}
	}
	s.Fatal(err)
}
