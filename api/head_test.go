package api_test

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

// TestHeadIsAnsweredAsGetWithoutTheBody requests every GET of the contract, by GET and by HEAD.
func TestHeadIsAnsweredAsGetWithoutTheBody(t *testing.T) {
	s := newService(t, withPages)
	ada, bob := s.register("ada"), s.register("bob")
	game := duel(t, ada, bob, "quixo/duel", "300").text("id")
	paths := []string{
		"/games/" + game, "/players/" + ada.player, "//form", "//nowhere", "/games?limit=x", "//docs/docs.js",
	}
	for path, item := range theContract().Paths.Map() {
		if item.Get != nil && !strings.HasSuffix(path, "/events") {
			paths = append(paths, address(item, path))
		}
	}
	if len(paths) < 40 {
		t.Fatalf("only %d addresses", len(paths))
	}
	for _, path := range paths {
		get, head := ada.get(path), ada.send(http.MethodHead, path, nil)
		if head.status != get.status || len(head.raw) != 0 ||
			head.header.Get("Content-Type") != get.header.Get("Content-Type") ||
			head.header.Get("ETag") != get.header.Get("ETag") {
			t.Errorf("HEAD %s: %d %v and %d bytes, GET: %d %v", path, head.status, head.header, len(head.raw), get.status,
				get.header)
		}
		// A game's answer has the time, and a problem the id of its request; both keep their lengths.
		if length := head.header.Get("Content-Length"); length != strconv.Itoa(len(get.raw)) {
			t.Errorf("HEAD %s: Content-Length %s, and GET sends %d bytes", path, length, len(get.raw))
		}
	}
	if allow := s.anonymous().send(http.MethodPut, "/games", nil).header.Get("Allow"); !strings.Contains(allow, "HEAD") {
		t.Errorf("Allow is %q", allow)
	}
	if !strings.Contains(s.log.String(), "method=HEAD route=/api/v1/games/:game_id status=200") {
		t.Errorf("the log does not tell HEAD from GET: %s", s.log)
	}
}

// TestHeadOfAStreamEnds opens the streams of a game and of a tournament by HEAD on a real connection, where a GET would
// stay open.
func TestHeadOfAStreamEnds(t *testing.T) {
	s := newService(t)
	ada, bob := s.register("ada"), s.register("bob")
	path, _ := running(t, s.withRole("olga", "organiser"), ada, bob)
	game := duel(t, ada, bob, "quixo/duel", "300").text("id")
	server := httptest.NewServer(s.server)
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

// TestHeadHasNoBodyOnARealConnection sends two requests on one connection: a body would be taken for the next answer.
func TestHeadHasNoBodyOnARealConnection(t *testing.T) {
	s := newService(t)
	server := httptest.NewServer(s.server)
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
