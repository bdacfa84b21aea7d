//go:build linux

package trials

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"time"

	"quatuor/api/client"
	"quatuor/cmd/quatuor/crashtest"
	"quatuor/cmd/quatuor/harness"
	"quatuor/engine/catalog"
)

// lives measures the processor time of opening a game, of its first ten moves and of its end, by a single process on
// SQLite and by three instances on PostgreSQL: for games that start at once, and for games by invitation.
func (x *trial) lives() {
	const games = 2 * players // at once: more invitations of an account to a player may not wait
	rounds := max(1, x.number("LIVES", 256, 4096)/games)
	data := x.TempDir()
	crashtest.CreateAdmin(x.T, x.command, data)
	alone := crashtest.Start(x.T, x.command, data, "--registration", "open", "--rate-limit", "0", "--log-level", "error")
	self := []int{alone.Cmd.Process.Pid}
	s := x.bareStage(instances, 4)
	var addresses []string
	for _, in := range s.Instances {
		addresses = append(addresses, in.URL)
	}
	sites := []*site{
		x.site(alone.Client(), []string{alone.URL}, func() spent { return spent{instances: processTime(x, self, false)} }),
		x.site(s.Client(), addresses, s.spentNow),
	}
	for _, at := range sites {
		at.round(games, false, &life{}) // so that everything is warm
	}
	for range rounds {
		for _, at := range sites {
			at.round(games, false, &at.started)
			at.round(games, true, &at.invited)
		}
	}
	x.report("µs of CPU a game, of %d: SQLite %s; PostgreSQL, %d instances, %s", rounds*games,
		sites[0].figures(rounds*games), instances, sites[1].figures(rounds*games))
}

// site is a service with players that open games, play and resign.
type site struct {
	*trial
	addresses     []string
	spent         func() spent
	hosts, guests []harness.Player
	http          *http.Transport
	moves         []scripted

	started, invited life // the cost of all rounds
}

// The parts of a game.
const (
	opening = iota
	accepting
	playing
	ending
	parts
)

// life holds the cost of each part of games.
type life [parts]spent

// count adds the cost of a part.
func (l *life) count(s *site, part int, games int, work func(n int)) {
	before := s.spent()
	each(players, games, work)
	l[part] = l[part].plus(s.spent().minus(before))
}

func (x *trial) site(by *client.Client, addresses []string, spent func() spent) *site {
	x.Helper()
	const pairs = 32
	rules, err := catalog.Find("quixo/duel")
	if err != nil {
		x.Fatal(err)
	}
	at := &site{trial: x, addresses: addresses, spent: spent, http: &http.Transport{
		MaxIdleConnsPerHost: players,
		DisableCompression:  true,
	}}
	x.Cleanup(at.http.CloseIdleConnections)
	for chance := rand.New(rand.NewPCG(3, 4)); len(at.moves) < 11; {
		at.moves = script(x, rules, chance)
	}
	for i := range 2 * pairs {
		p, err := harness.Register(x.Context(), by.Share(), fmt.Sprint("life", i), crashtest.Password, fmt.Sprint("Life ", i))
		if err != nil {
			x.Fatal(err)
		}
		if i < pairs {
			at.hosts = append(at.hosts, p)
		} else {
			at.guests = append(at.guests, p)
		}
	}
	return at
}

// round opens games, makes ten moves in each, and ends them by resignation.
func (s *site) round(games int, invited bool, cost *life) {
	s.Helper()
	for _, p := range s.guests {
		s.do(p, http.MethodPatch, "/me", fmt.Sprintf(`{"open_to_challenges":%v}`, !invited), nil)
	}
	ids := make([]string, games)
	cost.count(s, opening, games, func(n int) {
		host, guest := s.pair(n)
		var g harness.Game
		s.do(host, http.MethodPost, "/games", fmt.Sprintf(`{"variant":"quixo/duel","time_control":"300+3","rated":true,"start":"now",
			"seats":[{"player_id":%q},{"player_id":%q}]}`, host.ID, guest.ID), &g)
		ids[n] = g.ID
	})
	if invited {
		cost.count(s, accepting, games, func(n int) {
			_, guest := s.pair(n)
			s.do(guest, http.MethodPost, "/games/"+ids[n]+"/accept", "", nil)
		})
	}
	cost.count(s, playing, games, func(n int) {
		host, guest := s.pair(n)
		for _, m := range s.moves[:10] {
			s.do([]harness.Player{host, guest}[m.seat-1], http.MethodPost, "/games/"+ids[n]+"/moves", m.body, nil)
		}
	})
	cost.count(s, ending, games, func(n int) {
		host, _ := s.pair(n)
		s.do(host, http.MethodPost, "/games/"+ids[n]+"/resign", `{"seat":1}`, nil)
	})
}

// pair returns the players of the nth game: every host with every guest in turn.
func (s *site) pair(n int) (host, guest harness.Player) {
	count := len(s.hosts)
	return s.hosts[n%count], s.guests[(n+n/count)%count]
}

// do sends a request to any of the instances.
func (s *site) do(by harness.Player, method, path, body string, into *harness.Game) {
	address, err := url.Parse(s.addresses[rand.IntN(len(s.addresses))] + "/api/v1" + path)
	if err != nil {
		s.Error(err)
		return
	}
	var answer bytes.Buffer
	request := &http.Request{
		Method: method, URL: address, Host: address.Host, Header: http.Header{"Authorization": {"Bearer " + by.Token}},
		Body: http.NoBody, ContentLength: int64(len(body)),
	}
	if body != "" {
		request.Header["Content-Type"] = []string{"application/json"}
		request.Body = io.NopCloser(bytes.NewReader([]byte(body)))
	}
	c := client.Client{HTTP: &http.Client{Transport: s.http}}
	ctx, cancel := context.WithTimeout(s.Context(), time.Minute)
	defer cancel()
	if err = c.Do(ctx, request, &answer); err == nil && into != nil {
		err = json.Unmarshal(answer.Bytes(), into)
	}
	if err != nil {
		s.Errorf("%s %s: %v", method, path, err)
	}
}

// figures returns the cost of a game.
func (s *site) figures(games int) string {
	text := func(l life) string {
		each := func(d time.Duration) int64 { return d.Microseconds() / int64(games) }
		of := func(part int) int64 { return each(l[part].instances + l[part].database) }
		frame := l[opening].plus(l[accepting]).plus(l[ending])
		return fmt.Sprintf("opening %d, accepting %d and end %d, together %d (instances %d, database %d), ten moves %d",
			of(opening), of(accepting), of(ending),
			each(frame.instances+frame.database), each(frame.instances), each(frame.database), of(playing))
	}
	return "started at once: " + text(s.started) + "; by invitation: " + text(s.invited)
}
