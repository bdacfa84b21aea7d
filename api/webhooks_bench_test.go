package api_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"testing"
	"time"

	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/hook"
)

// BenchmarkBesideDeadWebhooks measures moves, each with a read of its game, and results in a tournament that as many
// webhooks want, each of which has failed, and beside open streams of 16 other accounts.
func BenchmarkBesideDeadWebhooks(b *testing.B) {
	for _, beside := range []struct{ hooks, streams int }{{0, 0}, {1000, 0}, {1000, 2000}} {
		n := beside.hooks
		dead := &receiver{got: make(chan received, 1), status: map[string]int{}, block: map[string]chan struct{}{}}
		s := newService(b, dead.hooks)
		olga, ada, bob := s.withRole("olga", account.RoleOrganiser), s.register("ada"), s.register("bob")
		cup := olga.post("/tournaments", map[string]any{
			"name": "Cup", "variant": "quixo/duel", "format": "round_robin", "time_control": "300", "venue": "hall",
		}).want(b, http.StatusCreated).text("id")
		at := "/tournaments/" + cup
		olga.post(at+"/open", nil).want(b, http.StatusOK)
		olga.post(at+"/entries", `{"entries":[{"name":"A"},{"name":"B"}]}`).want(b, http.StatusOK)
		olga.post(at+"/start", nil).want(b, http.StatusOK)
		olga.post(at+"/rounds", `{}`).want(b, http.StatusCreated)
		for i := range n {
			host := fmt.Sprintf("h%d.example.org", i)
			dead.answers(host, 0)
			err := s.db.Hooks().Add(b.Context(), hook.Hook{
				ID: host, AccountID: s.withRole(host[:len(host)-12], account.RoleAdmin).account, Name: host, URL: "https://" + host,
				Kinds: tournament.NewsKinds(), Format: hook.Standard, Secret: []byte{1}, CreatedAt: 1,
			})
			if err != nil {
				b.Fatal(err)
			}
		}
		s.send(b, olga, at, 1)
		for working := n; working > 0; { // until each has failed once
			time.Sleep(10 * time.Millisecond)
			hooks, err := s.db.Hooks().HooksFor(b.Context(), []string{cup})
			if err != nil {
				b.Fatal(err)
			}
			working = len(hooks)
		}
		s.idle(b, beside.streams)
		name := fmt.Sprintf("%d_dead,%d_streams", n, beside.streams)
		b.Run("move/"+name, func(b *testing.B) {
			game, over := "", true
			took := make([]time.Duration, b.N)
			for i := range b.N {
				if over {
					game = "/games/" + duel(b, ada, bob, "quixo/duel", "none").text("id")
				}
				begun := time.Now()
				over = moveOn(b, game, ada, bob)
				took[i] = time.Since(begun)
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
		})
		b.Run("result/"+name, func(b *testing.B) {
			for i := range b.N {
				s.send(b, olga, at, i)
			}
		})
	}
}

// idle opens streams of the accounts of 16 people who do nothing, and reads them until the end.
func (s *service) idle(b *testing.B, streams int) {
	b.Helper()
	if streams == 0 {
		return
	}
	server := s.listening(b)
	var idlers []person
	for i := range 16 {
		idlers = append(idlers, s.register(fmt.Sprint("idler", i)))
	}
	for i := range streams {
		request, err := http.NewRequestWithContext(b.Context(), http.MethodGet, server.URL+"/api/v1/me/events", nil)
		if err != nil {
			b.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+idlers[i%len(idlers)].token)
		answer, err := server.Client().Do(request) //nolint:bodyclose // with the server
		if err != nil || answer.StatusCode != http.StatusOK {
			b.Fatalf("stream %d: %+v, %v", i, answer, err)
		}
		go func() { _, _ = io.Copy(io.Discard, answer.Body) }()
	}
}

// send enters a result that differs from the one before.
func (s *service) send(b *testing.B, by person, at string, i int) {
	b.Helper()
	by.send(http.MethodPut, at+"/rounds/1/pairings/1/result", `{"result":"`+[]string{"1-0", "0-1"}[i%2]+`"}`, anyTag).
		want(b, http.StatusOK)
}

// moveOn reads a game as the player on turn and makes the first move that is legal; it reports whether that ended it.
func moveOn(b *testing.B, game string, players ...person) (over bool) {
	b.Helper()
	for _, p := range players {
		g := p.get(game)
		seat := int(g.number("awaited", 0))
		moves := g.list("legal", fmt.Sprint(seat))
		if len(moves) == 0 {
			continue
		}
		body := map[string]any{"seat": seat, "turn": g.number("turn"), "move": moves[int(g.number("turn")*7)%len(moves)]}
		return p.post(game+"/moves", body).want(b, http.StatusOK).text("status") != "running"
	}
	b.Fatal("it is nobody's turn")
	return true
}
