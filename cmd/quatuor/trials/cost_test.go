//go:build linux

package trials

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"

	"quatuor/api/client"
	"quatuor/cmd/quatuor/crashtest"
	"quatuor/cmd/quatuor/harness"
	"quatuor/engine"
	"quatuor/engine/catalog"
)

// players is the number of clients that make moves at once, each in a game of its own.
const players = 64

// manyPeople is a number of players that hardly lets a game wait to be accepted: few games of a pair may wait, and few
// of a player may begin, at the same time.
const manyPeople = 40

// cost makes moves at the rate of the answers, through three instances and then by a single process on SQLite, and
// reads their cost from the system and their commits from the database.
func (x *trial) cost() {
	lasts := time.Duration(x.number("SECONDS", 1, 30)) * time.Second
	s := x.bareStage(instances, manyPeople)
	var addresses []string
	for _, in := range s.Instances {
		addresses = append(addresses, in.URL)
	}
	var before, after spent
	three := x.load(s.crowd.People(), addresses)
	moves, rate := three.run(x, lasts,
		func() { before = s.spentNow() }, func() { after = s.spentNow() })
	shared := after.minus(before)

	data := x.TempDir()
	crashtest.CreateAdmin(x.T, x.command, data)
	alone := crashtest.Start(x.T, x.command, data, "--registration", "open", "--rate-limit", "0", "--log-level", "error")
	var people []harness.Player
	for i := range manyPeople {
		people = append(people, alone.Register(x.Context(), fmt.Sprint("player", i), fmt.Sprint("Player ", i)))
	}
	self := []int{alone.Cmd.Process.Pid}
	var began, ended time.Duration
	sqlite := x.load(people, []string{alone.URL})
	movesAlone, rateAlone := sqlite.run(x, lasts, func() { began = processTime(x, self, false) },
		func() { ended = processTime(x, self, false) })
	each := func(d time.Duration, of int) int64 { return d.Microseconds() / int64(max(1, of)) }
	x.report("%d moves, %.0f a second; a move costs %d µs of CPU (instances %d, database %d), %.2f commits, %.2f of "+
		"them writing; SQLite %.0f a second, %d µs: %.2f of its rate",
		moves, rate, each(shared.instances+shared.database, moves), each(shared.instances, moves),
		each(shared.database, moves),
		float64(shared.commits)/float64(moves), float64(shared.writes)/float64(moves),
		rateAlone, each(ended-began, movesAlone), rate/rateAlone)
}

// spent holds the resources that instances and database have used so far.
type spent struct {
	instances, database time.Duration // of the processor
	commits, writes     int64         // transactions, and those that wrote something
}

func (a spent) minus(b spent) spent {
	return spent{a.instances - b.instances, a.database - b.database, a.commits - b.commits, a.writes - b.writes}
}

func (a spent) plus(b spent) spent {
	return spent{a.instances + b.instances, a.database + b.database, a.commits + b.commits, a.writes + b.writes}
}

// spentNow reads the resources spent by the instances of a stage and their database.
func (s *stage) spentNow() (now spent) {
	s.Helper()
	db, err := sql.Open("pgx", s.dsn)
	if err != nil {
		s.Fatal(err)
	}
	defer db.Close()
	err = db.QueryRowContext(s.Context(), `SELECT xact_commit, pg_snapshot_xmax(pg_current_snapshot())::text::bigint
		FROM pg_stat_database WHERE datname = current_database()`).Scan(&now.commits, &now.writes)
	if err != nil {
		s.Fatal(err)
	}
	var pids []int
	for _, in := range s.Instances {
		pids = append(pids, in.PID())
	}
	now.instances = processTime(s.trial, pids, false)
	server := s.server.Processes(s.T)
	now.database = processTime(s.trial, server[:1], true) + processTime(s.trial, server[1:], false)
	return now
}

// processTime is the processor time of processes, optionally with their finished children. The time of a finished
// process is its parent's.
func processTime(x *trial, pids []int, children bool) (sum time.Duration) {
	x.Helper()
	const tick = 10 * time.Millisecond // of Linux's figures for programs
	for _, pid := range pids {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue
		}
		// The name of the program, in brackets, may hold anything; utime is the 12th field after it, then stime, cutime,
		// cstime.
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		last := 13
		if children {
			last = 15
		}
		for _, f := range fields[11:last] {
			n, err := strconv.Atoi(f)
			if err != nil {
				x.Fatal(err)
			}
			sum += time.Duration(n) * tick
		}
	}
	return sum
}

// load is games with moves generated before the measurement.
type load struct {
	people    []harness.Player
	addresses []string
	scripts   [][]scripted
	http      *http.Transport
}

type scripted struct {
	variant string
	seat    int
	body    string
}

func (x *trial) load(people []harness.Player, addresses []string) *load {
	x.Helper()
	l := &load{people: people, addresses: addresses, http: &http.Transport{
		MaxIdleConnsPerHost: players,
		DisableCompression:  true,
	}}
	x.Cleanup(l.http.CloseIdleConnections)
	chance := rand.New(rand.NewPCG(1, 2))
	for len(l.scripts) < 64 {
		for _, rules := range catalog.All() {
			if info := rules.Info(); !info.Secret && info.Seats[0] == 2 {
				l.scripts = append(l.scripts, script(x, rules, chance))
			}
		}
	}
	return l
}

// script plays a game of random moves by itself.
func script(x *trial, rules engine.Rules, chance *rand.Rand) (moves []scripted) {
	x.Helper()
	setup, err := engine.NewSetup(rules.Info(), rules.Info().Seats[0], "", nil)
	if err != nil {
		x.Fatal(err)
	}
	match, err := engine.NewMatch(rules, setup)
	for err == nil && !match.Pending().Over() && len(moves) < 200 {
		seat := match.Pending().Awaited[0]
		legal := match.State().Legal(seat)
		token := string(legal[chance.IntN(len(legal))])
		body := fmt.Sprintf(`{"seat":%d,"turn":%d,"move":%q,"since":%d}`, seat, match.Turn(), token, 1+len(moves))
		moves = append(moves, scripted{rules.Info().ID, int(seat), body})
		match, err = match.After(engine.Event{Kind: engine.Moved, Seat: seat, Text: token})
	}
	if err != nil {
		x.Fatal(err)
	}
	return moves
}

// run plays for a while and returns the number of acknowledged moves, and their rate per second. The games are open
// before.
func (l *load) run(x *trial, lasts time.Duration, before, after func()) (moves int, rate float64) {
	x.Helper()
	const ahead = 6 // games that each client finds open
	ctx, cancel := context.WithCancel(x.Context())
	defer cancel()
	var opened [players][ahead]string
	each(players/4, players*ahead, func(n int) { opened[n%players][n/players] = l.open(x, n) })
	var counted atomic.Int64
	go func() {
		defer cancel()
		time.Sleep(time.Second) // until everything is as it stays
		before()
		counted.Store(0)
		began := time.Now()
		time.Sleep(lasts)
		moves = int(counted.Load())
		rate = float64(moves) / time.Since(began).Seconds()
		after()
	}()
	each(players, players, func(n int) {
		for game := 0; ctx.Err() == nil; game++ {
			var id string
			if game < ahead {
				id = opened[n][game]
			} else {
				id = l.open(x, game*players+n)
			}
			for _, m := range l.scripts[(game*players+n)%len(l.scripts)] {
				if ctx.Err() != nil {
					return
				}
				if err := l.move(x, n, game, id, m); err != nil {
					x.Error(err)
					return
				}
				counted.Add(1)
			}
		}
	})
	<-ctx.Done()
	return moves, rate
}

// seats returns the players of the nth game.
func (l *load) seats(n int) [2]harness.Player {
	return [2]harness.Player{l.people[n%len(l.people)], l.people[(n+1)%len(l.people)]}
}

// open opens the nth game.
func (l *load) open(x *trial, n int) string {
	two := l.seats(n)
	c := client.New(l.addresses[rand.IntN(len(l.addresses))], l.http)
	c.Token = two[0].Token
	g, err := harness.Open(x.Context(), harness.Player{Client: c, ID: two[0].ID}, map[string]any{
		"variant": l.scripts[n%len(l.scripts)][0].variant, "time_control": "3600+60", "rated": true, "start": "now",
		"seats": []map[string]string{{"player_id": two[0].ID}, {"player_id": two[1].ID}},
	}, two[1])
	if err != nil {
		x.Error(err)
	}
	return g.ID
}

func (l *load) move(x *trial, n, game int, id string, m scripted) error {
	address, err := url.Parse(l.addresses[rand.IntN(len(l.addresses))] + "/api/v1/games/" + id + "/moves")
	if err != nil {
		return err
	}
	by := l.seats(game*players + n)[m.seat-1]
	c := client.Client{HTTP: &http.Client{Transport: l.http}}
	header := http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + by.Token}}
	return c.Do(context.WithoutCancel(x.Context()), &http.Request{
		Method: http.MethodPost, URL: address, Host: address.Host, Header: header,
		Body: io.NopCloser(strings.NewReader(m.body)), ContentLength: int64(len(m.body)),
	}, nil)
}

// ten starts ten instances on a server with the usual number of connections, and has them all work at once.
func (x *trial) ten() {
	const count, burst = 10, 400
	s := x.bareStage(count, manyPeople)
	db, err := sql.Open("pgx", s.dsn)
	if err != nil {
		x.Fatal(err)
	}
	defer db.Close()
	began := time.Now()
	each(8*count, burst, func(n int) {
		one, two := s.player(n), s.player(n+1)
		g, err := open(x.Context(), one, two, "300+3", true)
		if err == nil {
			err = g.move(x.Context(), one, 1, "a1-a5")
		}
		if err != nil {
			x.Error(err)
		}
	})
	took := time.Since(began)
	var used, limit int
	err = db.QueryRowContext(x.Context(), `SELECT count(*) FILTER (WHERE backend_type = 'client backend') - 1,
		current_setting('max_connections')::int FROM pg_stat_activity`).Scan(&used, &limit)
	if err != nil {
		x.Fatal(err)
	}
	s.AwaitReady()
	if logs := s.Logs(); logs != "" {
		x.Errorf("the instances' logs: %s", logs)
	}
	if limit > 100 || used > 97 {
		x.Errorf("%d of %d connections are in use", used, limit)
	}
	x.report("%d instances ready, %d of max_connections = %d in use while %d games were opened and a move made in "+
		"each, in %.1f s; nothing refused", count, used, limit, burst, took.Seconds())
}
