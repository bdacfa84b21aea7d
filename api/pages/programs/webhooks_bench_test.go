package programs_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"testing"
	"time"

	"quatuor/api/apitest"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/hook"
)

// BenchmarkBesideDeadWebhooks measures moves, each with a read of its game, and results in a tournament, beside as many
// webhooks for it, all failing, and beside open streams of 16 other accounts.
func BenchmarkBesideDeadWebhooks(b *testing.B) {
	for _, beside := range []struct{ hooks, streams int }{{0, 0}, {1000, 0}, {1000, 2000}} {
		n := beside.hooks
		dead := &apitest.Receiver{
			Got: make(chan apitest.Received, 1), Status: map[string]int{},
			Block: map[string]chan struct{}{},
		}
		s := apitest.New(b, dead.Hooks)
		olga, ada, bob := s.WithRole("olga", account.RoleOrganiser), s.Register("ada"), s.Register("bob")
		cup := olga.Post("/tournaments", map[string]any{
			"name": "Cup", "variant": "quixo/duel", "format": "round_robin", "time_control": "300", "venue": "hall",
		}).Want(b, http.StatusCreated).Text("id")
		at := "/tournaments/" + cup
		olga.Post(at+"/open", nil).Want(b, http.StatusOK)
		olga.Post(at+"/entries", `{"entries":[{"name":"A"},{"name":"B"}]}`).Want(b, http.StatusOK)
		olga.Post(at+"/start", nil).Want(b, http.StatusOK)
		olga.Post(at+"/rounds", `{}`).Want(b, http.StatusCreated)
		for i := range n {
			host := fmt.Sprintf("h%d.example.org", i)
			dead.Answers(host, 0)
			err := s.Store.Hooks().Add(b.Context(), hook.Hook{
				ID: host, AccountID: s.WithRole(host[:len(host)-12], account.RoleAdmin).Account, Name: host, URL: "https://" + host,
				Kinds: tournament.NewsKinds(), Format: hook.Standard, Secret: []byte{1}, CreatedAt: 1,
			})
			if err != nil {
				b.Fatal(err)
			}
		}
		send(b, s, olga, at, 1)
		for working := n; working > 0; { // until each has failed once
			time.Sleep(10 * time.Millisecond)
			hooks, err := s.Store.Hooks().HooksFor(b.Context(), []string{cup})
			if err != nil {
				b.Fatal(err)
			}
			working = len(hooks)
		}
		idle(b, s, beside.streams)
		name := fmt.Sprintf("%d_dead,%d_streams", n, beside.streams)
		b.Run("move/"+name, func(b *testing.B) {
			game, over := "", true
			took := make([]time.Duration, b.N)
			for i := range b.N {
				if over {
					game = "/games/" + apitest.Duel(b, ada, bob, "quixo/duel", "none").Text("id")
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
				send(b, s, olga, at, i)
			}
		})
	}
}

// idle opens streams of the accounts of 16 idle people, and reads them until the end.
func idle(b *testing.B, s *apitest.Service, streams int) {
	b.Helper()
	if streams == 0 {
		return
	}
	server := s.Listening(b)
	var idlers []apitest.Person
	for i := range 16 {
		idlers = append(idlers, s.Register(fmt.Sprint("idler", i)))
	}
	for i := range streams {
		request, err := http.NewRequestWithContext(b.Context(), http.MethodGet, server.URL+"/api/v1/me/events", nil)
		if err != nil {
			b.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+idlers[i%len(idlers)].Token)
		answer, err := server.Client().Do(request) //nolint:bodyclose // with the server
		if err != nil || answer.StatusCode != http.StatusOK {
			b.Fatalf("stream %d: %+v, %v", i, answer, err)
		}
		go func() { _, _ = io.Copy(io.Discard, answer.Body) }()
	}
}

// send enters a result that differs from the result before.
func send(b *testing.B, s *apitest.Service, by apitest.Person, at string, i int) {
	b.Helper()
	by.Send(http.MethodPut, at+"/rounds/1/pairings/1/result", `{"result":"`+[]string{"1-0", "0-1"}[i%2]+`"}`,
		apitest.AnyVersion).
		Want(b, http.StatusOK)
}

// moveOn reads a game as the player on turn and makes the first move that is legal; it reports whether that ended it.
func moveOn(b *testing.B, game string, players ...apitest.Person) (over bool) {
	b.Helper()
	for _, p := range players {
		g := p.Get(game)
		seat := int(g.Number("awaited", 0))
		moves := g.List("legal", fmt.Sprint(seat))
		if len(moves) == 0 {
			continue
		}
		body := map[string]any{"seat": seat, "turn": g.Number("turn"), "move": moves[int(g.Number("turn")*7)%len(moves)]}
		return p.Post(game+"/moves", body).Want(b, http.StatusOK).Text("status") != "running"
	}
	b.Fatal("it is nobody's turn")
	return true
}
