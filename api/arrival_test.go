package api_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quatuor/api"
	"quatuor/api/apitest"
	"quatuor/api/rest"
	"quatuor/engine/table"
)

// slowly sends a request over a connection of its own. The server has begun to read its body; its last bytes are held
// back until the test releases them.
type slowly struct {
	conn   net.Conn
	answer *bufio.Reader
	rest   string
}

func sendSlowly(t *testing.T, server *httptest.Server, p apitest.Person, path, body string) slowly {
	t.Helper()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	fmt.Fprintf(conn, "POST /api/v1%s HTTP/1.1\r\nHost: club.example\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n", path, p.Token, len(body))
	answer := bufio.NewReader(conn)
	if line, err := answer.ReadString('\n'); err != nil || line != "HTTP/1.1 100 Continue\r\n" {
		t.Fatalf("%q, %v", line, err)
	}
	if line, err := answer.ReadString('\n'); err != nil || line != "\r\n" {
		t.Fatalf("%q, %v", line, err)
	}
	const held = 5
	if _, err := io.WriteString(conn, body[:len(body)-held]); err != nil {
		t.Fatal(err)
	}
	return slowly{conn, answer, body[len(body)-held:]}
}

func (s slowly) finish(t *testing.T) *http.Response {
	t.Helper()
	if _, err := io.WriteString(s.conn, s.rest); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(s.answer, nil)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// watched reports which game a player acts in, once the request has its stamp and before it waits for its turn.
type watched struct {
	rest.Presence
	acting chan string
	armed  atomic.Bool
}

func (w *watched) Seen(s *table.Snapshot, player string) {
	if w.armed.CompareAndSwap(true, false) {
		w.acting <- s.Game.ID
	}
	w.Presence.Seen(s, player)
}

// TestABodyThatTricklesGainsNoTime sends a move that begins in time and ends after the flag.
func TestABodyThatTricklesGainsNoTime(t *testing.T) {
	s := apitest.New(t)
	server := httptest.NewServer(s.Server)
	defer server.Close()
	ada, bob := s.Register("ada"), s.Register("bob")
	id := apitest.Duel(t, ada, bob, "quixo/duel", "60").Text("id")
	slow := sendSlowly(t, server, ada, "/games/"+id+"/moves", `{"seat":1,"turn":1,"move":"c1-c5"}`)
	// While the body is on its way nothing locks the game: others see it, and time passes.
	ada.Get("/games/"+id).Want(t, http.StatusOK).Has(t, `"running"`)
	s.Pass(61 * time.Second)
	answer := slow.finish(t)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != http.StatusConflict || !strings.Contains(string(text), "flag-fallen") {
		t.Errorf("%s: %s", answer.Status, text)
	}
}

// TestTimeInTheQueueIsNotThePlayers lets a request arrive in time and holds it up afterwards.
func TestTimeInTheQueueIsNotThePlayers(t *testing.T) {
	watch := &watched{acting: make(chan string, 1)}
	s := apitest.New(t, func(c *apitest.Config) {
		c.Edit = func(d *api.Config) {
			watch.Presence = d.Hub
			d.Rest.Presence = watch
			d.Rest.Commands.Presence = watch
		}
		c.Owner = nil // nothing that takes so long goes on for it
	})
	ada, bob := s.Register("ada"), s.Register("bob")
	id := apitest.Duel(t, ada, bob, "quixo/duel", "60").Text("id")
	before := s.Tables.Arrive(id) // the request of another, which is being handled
	done := make(chan *apitest.Answer)
	watch.armed.Store(true)
	go func() { done <- ada.Post("/games/"+id+"/moves", apitest.Move(1, 1, "c1-c5")) }()
	if got := <-watch.acting; got != id {
		t.Errorf("an arrival at %s", got)
	}
	s.Pass(61 * time.Second)
	before.Done()
	(<-done).Want(t, http.StatusOK)
}

func TestARequestThatBreaksOff(t *testing.T) {
	s := apitest.New(t)
	server := httptest.NewServer(s.Server)
	defer server.Close()
	ada, bob := s.Register("ada"), s.Register("bob")
	id := apitest.Duel(t, ada, bob, "quixo/duel", "60").Text("id")
	slow := sendSlowly(t, server, ada, "/games/"+id+"/moves", `{"seat":1,"turn":1,"move":"c1-c5"}`)
	slow.conn.Close()
	ada.Post("/games/"+id+"/moves", apitest.Move(1, 1, "c1-c5")).Want(t, http.StatusOK) // nothing is held up by it
}

// TestAMoveCountsThoughItsSenderHasGone makes a move over a connection that is lost once the move has arrived. What
// does not act on a game ends with its connection.
func TestAMoveCountsThoughItsSenderHasGone(t *testing.T) {
	s := apitest.New(t)
	ada, bob := s.Register("ada"), s.Register("bob")
	game := apitest.Duel(t, ada, bob, "quixo/duel", "300+3").Text("id")
	gone, lose := context.WithCancel(t.Context())
	lose()
	r := httptest.NewRequestWithContext(gone, http.MethodPost, "/api/v1/games/"+game+"/moves",
		strings.NewReader(`{"seat":1,"turn":1,"move":"c1-c5"}`))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+ada.Token)
	s.Serve(r).Want(t, http.StatusOK)
	if turn := bob.Get("/games/"+game).Want(t, http.StatusOK).Number("turn"); turn != 2 {
		t.Errorf("the game is at turn %v", turn)
	}
	r = httptest.NewRequestWithContext(gone, http.MethodGet, "/api/v1/ratings", http.NoBody)
	if a := s.Serve(r); a.Status == http.StatusOK {
		t.Errorf("a list was read for nobody: %s", a.Raw)
	}
}
