package rest_test

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// resultBar is the maximum number of bytes that a result may send to an open page, at 200 entries.
const resultBar = 5 << 10

// TestBytesOfALateResult plays an open of 200 in the hall, and measures what an open page of each kind is sent for
// single results early, in the middle and late in round 7, where a result changes the tie-breaks of many.
func TestBytesOfALateResult(t *testing.T) {
	if testing.Short() {
		t.Skip("six hundred results")
	}
	const entries, rounds = 200, 7
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	server := httptest.NewServer(s.Server)
	t.Cleanup(server.Close)
	at := "/tournaments/" + olga.Post("/tournaments", map[string]any{
		"name": "Light Open", "variant": "quixo/duel", "format": "swiss", "rounds": rounds, "time_control": "none",
		"venue":      "hall",
		"tie_breaks": []string{"BH/C1", "BH", "SB", "WON", "PS"},
	}).Want(t, http.StatusCreated).Text("id")
	names := make([]string, entries)
	for i := range names {
		names[i] = fmt.Sprintf("Player Number %d; %d", i+1, 2400-5*i)
	}
	olga.PostForm(at+"/desk/add", map[string][]string{"version": {"1"}, "names": {strings.Join(names, "\n")}}).
		Want(t, http.StatusSeeOther)
	olga.Post(at+"/start", nil).Want(t, http.StatusOK)
	texts := []string{"1-0", "0-1", "1/2-1/2", "1-0", "0-1"}
	enter := func(round, board int) {
		text := texts[(board*7+round*3)%len(texts)]
		olga.Send(http.MethodPut, fmt.Sprintf("%s/rounds/%d/pairings/%d/result", at, round, board),
			map[string]any{"result": text}, apitest.AnyVersion).Want(t, http.StatusOK)
	}
	for round := 1; round <= rounds; round++ {
		olga.Post(at+"/rounds", nil).Want(t, http.StatusCreated)
		if round == rounds {
			break
		}
		results := make([]map[string]any, entries/2)
		for i := range results {
			results[i] = map[string]any{"board": i + 1, "result": texts[((i+1)*7+round*3)%len(texts)]}
		}
		olga.Send(http.MethodPut, fmt.Sprintf("%s/rounds/%d/results", at, round), map[string]any{"results": results},
			apitest.AnyVersion).
			Want(t, http.StatusOK)
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
			_, rest, found := strings.Cut(olga.Get(path).Page(), `data-live="`)
			if !found {
				t.Fatalf("the page %s is not live", name)
			}
			live, _, _ := strings.Cut(rest, `"`)
			live = anyVersionOf.ReplaceAllString(strings.ReplaceAll(live, "&amp;", "&"), "version=0")
			streams[name] = apitest.OpenStream(t, server, "/live?0="+url.QueryEscape(live), olga.Token)
			bytesOfChange(t, streams[name]) // a reader that has nothing is sent the whole: the stream has begun
		}
		enter(rounds, board)
		for name := range pages {
			if name == "card" && board > 1 {
				continue // of a player of the first board, as its tie-breaks change without the others
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
