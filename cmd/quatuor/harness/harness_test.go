package harness_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"testing"

	"quatuor/api/client"
	"quatuor/cmd/quatuor/harness"
)

// asServer names, in the environment, how the test binary behaves as a server.
const asServer = "QUATUOR_HARNESS_TEST"

func TestMain(m *testing.M) {
	switch os.Getenv(asServer) {
	case "serving", "failing at its end":
		interrupted := make(chan os.Signal, 1)
		signal.Notify(interrupted, syscall.SIGTERM)
		fmt.Println("starting\nquatuor test" + harness.ListeningOn + "http://127.0.0.1:1")
		<-interrupted
		if os.Getenv(asServer) != "serving" {
			os.Exit(3)
		}
		os.Exit(0)
	case "ending":
		fmt.Println("the port is taken")
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// server is a command that behaves as a server.
func server(t *testing.T, behaviour string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), asServer+"="+behaviour)
	return cmd
}

// TestServers starts servers and ends them: a clean end is no error, an unclean one is; one that is killed must have run.
func TestServers(t *testing.T) {
	stop, kill := (*harness.Server).Stop, (*harness.Server).Kill
	for _, tt := range []struct {
		name, behaviour string
		end             func(*harness.Server) error
		failed          bool
	}{
		{"a clean end", "serving", stop, false},
		{"an unclean end", "failing at its end", stop, true},
		{"a kill", "serving", kill, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := harness.StartServer(server(t, tt.behaviour))
			if err != nil {
				t.Fatal(err)
			}
			if s.URL != "http://127.0.0.1:1" {
				t.Errorf("it listens on %q", s.URL)
			}
			if err := tt.end(s); (err != nil) != tt.failed {
				t.Errorf("its end: %v, want an error: %v", err, tt.failed)
			}
		})
	}
	if s, err := harness.StartServer(server(t, "ending")); err == nil || !strings.Contains(err.Error(), "ended at once") {
		t.Errorf("a server that ends at once: %v, %v", s, err)
	}
}

// TestReady judges what answers at an address.
func TestReady(t *testing.T) {
	for _, tt := range []struct {
		name     string
		status   int
		body     string
		version  string
		contains string // in the error
	}{
		{"ready", http.StatusOK, `{"version":"1.2"}`, "1.2", ""},
		{"not yet", http.StatusServiceUnavailable, `{"detail":"the database is away"}`, "", "not ready: the database is away"},
		{"another program", http.StatusOK, "<html>", "", "is no quatuor"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/readyz" {
					t.Errorf("%s is requested", r.URL.Path)
				}
				w.WriteHeader(tt.status)
				_, _ = io.WriteString(w, tt.body)
			}))
			defer s.Close()
			version, err := harness.Ready(t.Context(), s.URL+"/")
			if version != tt.version || (err == nil) != (tt.contains == "") {
				t.Errorf("%q, %v", version, err)
			}
			if err != nil && !strings.Contains(err.Error(), tt.contains) {
				t.Errorf("%v, want %s", err, tt.contains)
			}
		})
	}
	if _, err := harness.Ready(t.Context(), "http://127.0.0.1:1"); err == nil || !strings.Contains(err.Error(), "does not answer") {
		t.Errorf("where no server is: %v", err)
	}
}

// api answers as the API does, and keeps what was requested.
type api struct {
	requests []string
	answers  map[string]string // by method and path
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	path := strings.TrimPrefix(r.URL.Path, "/api/v1")
	a.requests = append(a.requests, strings.TrimSpace(fmt.Sprint(r.Method, " ", path, " ", string(body))))
	w.Header().Set("Content-Type", "application/json")
	answer, known := a.answers[r.Method+" "+path]
	if !known {
		answer = "{}"
	}
	_, _ = io.WriteString(w, answer)
}

// TestRegister opens an account, logs in, and opens the player to challenges.
func TestRegister(t *testing.T) {
	a := &api{answers: map[string]string{
		"POST /accounts": `{"player_id":"p1"}`, "POST /sessions": `{"access_token":"secret"}`,
	}}
	s := httptest.NewServer(a)
	defer s.Close()
	p, err := harness.Register(t.Context(), client.New(s.URL, http.DefaultTransport), "ann", "password", "Ann")
	if err != nil {
		t.Fatal(err)
	}
	if p.ID != "p1" || len(a.requests) != 3 || !strings.HasPrefix(a.requests[2], "PATCH /me") ||
		!strings.Contains(a.requests[2], `"open_to_challenges":true`) {
		t.Errorf("player %q after %q", p.ID, a.requests)
	}
	if got := p.Header.Get("Authorization"); got != "Bearer "+p.Token || p.Token == "" {
		t.Errorf("requests bear %q, want the player's token", got)
	}
	address, err := url.Parse(s.URL + "/api/v1/games")
	if err != nil {
		t.Fatal(err)
	}
	a.answers["POST /games"] = `{"id":"g"}`
	var answer bytes.Buffer
	if err := p.Request(t.Context(), http.MethodPost, address, `{"variant":"x"}`, &answer); err != nil {
		t.Fatal(err)
	}
	if last := a.requests[3]; last != `POST /games {"variant":"x"}` || answer.String() != `{"id":"g"}` {
		t.Errorf("requested %s, answered %s", last, answer.String())
	}
}

// TestOpen opens games: those that wait are accepted by the others, until they wait no more.
func TestOpen(t *testing.T) {
	for _, tt := range []struct {
		name, opened, accepted string
		want                   []string
	}{
		{"a game that starts", "running", "running", []string{"POST /games"}},
		{"a game that waits for one", "waiting", "running", []string{"POST /games", "POST /games/g/accept"}},
		{"a game that waits for two", "waiting", "waiting", []string{"POST /games", "POST /games/g/accept", "POST /games/g/accept"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := &api{answers: map[string]string{
				"POST /games": `{"id":"g","status":"` + tt.opened + `"}`, "POST /games/g/accept": `{"id":"g","status":"` + tt.accepted + `"}`,
			}}
			s := httptest.NewServer(a)
			defer s.Close()
			p := harness.Player{Client: client.New(s.URL, http.DefaultTransport)}
			g, err := harness.Open(t.Context(), p, map[string]any{}, p, p)
			for i, request := range a.requests {
				a.requests[i] = strings.TrimSuffix(request, " {}")
			}
			if err != nil || g.Status != tt.accepted || !slices.Equal(a.requests, tt.want) {
				t.Errorf("%+v (%v) after %q, want %q", g, err, a.requests, tt.want)
			}
		})
	}
}

// TestGames reads a game as the API answers it.
func TestGames(t *testing.T) {
	var g harness.FullGame
	const text = `{"id":"g","status":"finished","seats":[{"seat":1,"player":{"id":"ann"}},{"seat":2,"player":{"id":"bob"}}],
		"events":[{"n":1,"kind":"start"},{"n":2,"kind":"move","seat":1,"move":"c1-c5"},{"n":3,"kind":"move","seat":2,"move":"a1-a5"}]}`
	if err := json.Unmarshal([]byte(text), &g); err != nil {
		t.Fatal(err)
	}
	if moves := g.Moves(); !slices.Equal(moves, []string{"1:c1-c5", "2:a1-a5"}) {
		t.Errorf("moves %q", moves)
	}
	if one, two, none := g.SeatOf("ann"), g.SeatOf("bob"), g.SeatOf("cid"); one != 1 || two != 2 || none != 0 {
		t.Errorf("seats %d, %d and %d", one, two, none)
	}
	for status, over := range map[string]bool{"waiting": false, "running": false, "paused": false, "finished": true, "aborted": true} {
		if got := (harness.Game{Status: status}).Over(); got != over {
			t.Errorf("a game that is %s is over: %v", status, got)
		}
	}
}
