package api_test

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

// resultBar is how many bytes an open page may be sent for a result, at 200 entries.
const resultBar = 5 << 10

// TestBytesOfALateResult plays an open of 200 in the hall, and measures what an open page of each kind is sent for
// single results early, in the middle and late in round 7, where a result changes the tie-breaks of many.
func TestBytesOfALateResult(t *testing.T) {
	if testing.Short() {
		t.Skip("six hundred results")
	}
	const entries, rounds = 200, 7
	s := newService(t, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	server := httptest.NewServer(s.server)
	t.Cleanup(server.Close)
	at := "/tournaments/" + olga.post("/tournaments", map[string]any{
		"name": "Light Open", "variant": "quixo/duel", "format": "swiss", "rounds": rounds, "time_control": "none",
		"venue":      "hall",
		"tie_breaks": []string{"BH/C1", "BH", "SB", "WON", "PS"},
	}).want(t, http.StatusCreated).text("id")
	names := make([]string, entries)
	for i := range names {
		names[i] = fmt.Sprintf("Player Number %d; %d", i+1, 2400-5*i)
	}
	olga.form(at+"/desk/add", map[string][]string{"version": {"1"}, "names": {strings.Join(names, "\n")}}).
		want(t, http.StatusSeeOther)
	olga.post(at+"/start", nil).want(t, http.StatusOK)
	texts := []string{"1-0", "0-1", "1/2-1/2", "1-0", "0-1"}
	enter := func(round, board int) {
		text := texts[(board*7+round*3)%len(texts)]
		olga.send(http.MethodPut, fmt.Sprintf("%s/rounds/%d/pairings/%d/result", at, round, board),
			map[string]any{"result": text}, anyVersion).want(t, http.StatusOK)
	}
	for round := 1; round <= rounds; round++ {
		olga.post(at+"/rounds", nil).want(t, http.StatusCreated)
		if round == rounds {
			break
		}
		results := make([]map[string]any, entries/2)
		for i := range results {
			results[i] = map[string]any{"board": i + 1, "result": texts[((i+1)*7+round*3)%len(texts)]}
		}
		olga.send(http.MethodPut, fmt.Sprintf("%s/rounds/%d/results", at, round), map[string]any{"results": results}, anyVersion).
			want(t, http.StatusOK)
	}
	most := map[string]int{}
	pages := map[string]string{"wall": "/wall", "card": "/players/1", "frame": "", "desk": "/desk?tab=results", "codes": "/desk/codes"}
	for _, tab := range []string{"round", "standings", "players", "crosstable", "info"} {
		pages[tab] = "?tab=" + tab
	}
	for board := 1; board <= entries/2; board++ {
		if board > 3 && board != 50 && board < 98 {
			enter(rounds, board)
			continue
		}
		streams := map[string]*bufio.Reader{}
		for name, path := range pages {
			path = "/" + at + path
			if name == "frame" {
				path = "//embed" + at
			}
			_, rest, found := strings.Cut(olga.get(path).page(), `data-live="`)
			if !found {
				t.Fatalf("the page %s is not live", name)
			}
			live, _, _ := strings.Cut(rest, `"`)
			live = anyVersionOf.ReplaceAllString(strings.ReplaceAll(live, "&amp;", "&"), "version=0")
			streams[name] = openStream(t, server, "/live?0="+url.QueryEscape(live), olga.token)
			bytesOfChange(t, streams[name]) // who has nothing is sent the whole: the stream has begun
		}
		enter(rounds, board)
		for name := range pages {
			if name == "card" && board > 1 {
				continue // of a player of the first board, whose tie-breaks the others need not change
			}
			most[name] = max(most[name], bytesOfChange(t, streams[name]))
		}
		server.CloseClientConnections() // pages that stay open are rendered for each result to come
	}
	t.Log(most)
	for name, bytes := range most {
		if bytes > resultBar {
			t.Errorf("the page %s is sent %d bytes for a result, at most %d are allowed", name, bytes, resultBar)
		}
	}
}

var anyVersionOf = regexp.MustCompile(`version=-?\d+`)

// openStream opens the stream of a page, and reads its beginning.
func openStream(t *testing.T, server *httptest.Server, path, token string) *bufio.Reader {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	answer, err := server.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: status %d", path, answer.StatusCode)
	}
	stream := bufio.NewReader(answer.Body)
	for line := ""; line != "\n"; { // retry
		if line, err = stream.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	return stream
}

// bytesOfChange reads the next event with data, and returns how many bytes it has on the wire.
func bytesOfChange(t *testing.T, stream *bufio.Reader) int {
	t.Helper()
	for bytes, told := 0, false; ; {
		line, err := stream.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		bytes += len(line)
		told = told || strings.HasPrefix(line, "data: 0 ")
		if line == "\n" {
			if told {
				return bytes
			}
			bytes = 0
		}
	}
}
