package api_test

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"quatuor/api/apitest"
)

// TestHeadIsAnsweredAsGetWithoutTheBody requests every GET of the contract, by GET and by HEAD.
func TestHeadIsAnsweredAsGetWithoutTheBody(t *testing.T) {
	s := apitest.New(t, withPages)
	ada, bob := s.Register("ada"), s.Register("bob")
	game := apitest.Duel(t, ada, bob, "quixo/duel", "300").Text("id")
	paths := []string{
		"/games/" + game, "/players/" + ada.Player, "//form", "//nowhere", "/games?limit=x", "//docs/docs.js",
	}
	for path, item := range apitest.Contract().Paths.Map() {
		if item.Get != nil && !strings.HasSuffix(path, "/events") {
			paths = append(paths, address(item, path))
		}
	}
	if len(paths) < 40 {
		t.Fatalf("only %d addresses", len(paths))
	}
	for _, path := range paths {
		get, head := ada.Get(path), ada.Send(http.MethodHead, path, nil)
		if head.Status != get.Status || len(head.Raw) != 0 ||
			head.Header.Get("Content-Type") != get.Header.Get("Content-Type") ||
			head.Header.Get("ETag") != get.Header.Get("ETag") {
			t.Errorf("HEAD %s: %d %v and %d bytes, GET: %d %v", path, head.Status, head.Header, len(head.Raw), get.Status,
				get.Header)
		}
		// A game's answer has the time, and a problem the id of its request; both keep their lengths.
		if length := head.Header.Get("Content-Length"); length != strconv.Itoa(len(get.Raw)) {
			t.Errorf("HEAD %s: Content-Length %s, and GET sends %d bytes", path, length, len(get.Raw))
		}
	}
	if allow := s.Anonymous().Send(http.MethodPut, "/games", nil).Header.Get("Allow"); !strings.Contains(allow, "HEAD") {
		t.Errorf("Allow is %q", allow)
	}
	if !strings.Contains(s.Log.String(), "method=HEAD route=/api/v1/games/:game_id status=200") {
		t.Errorf("the log does not tell HEAD from GET: %s", s.Log)
	}
}

// TestHeadOfAStreamEnds opens the streams of a game and of a tournament by HEAD on a real connection, where a GET would
// stay open.
func TestHeadOfAStreamEnds(t *testing.T) {
	s := apitest.New(t)
	ada, bob := s.Register("ada"), s.Register("bob")
	path, _ := apitest.StartTournament(t, s.WithRole("olga", "organiser"), ada, bob)
	game := apitest.Duel(t, ada, bob, "quixo/duel", "300").Text("id")
	server := httptest.NewServer(s.Server)
	defer server.Close()
	for _, path := range []string{"/games/" + game + "/events", path + "/events"} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodHead, server.URL+"/api/v1"+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := server.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "text/event-stream" {
			t.Errorf("%s: %s %v", path, answer.Status, answer.Header)
		}
	}
}

// TestHeadHasNoBodyOnARealConnection sends two requests on the same connection: a body would be taken for the next
// answer.
func TestHeadHasNoBodyOnARealConnection(t *testing.T) {
	s := apitest.New(t)
	server := httptest.NewServer(s.Server)
	defer server.Close()
	for _, method := range []string{http.MethodHead, http.MethodHead, http.MethodGet} {
		request, err := http.NewRequestWithContext(t.Context(), method, server.URL+"/api/v1/variants", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := server.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK || answer.ContentLength < 10_000 && method == http.MethodHead {
			t.Errorf("%s: %s, %d bytes", method, answer.Status, answer.ContentLength)
		}
	}
}
