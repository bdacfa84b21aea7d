package api_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"quatuor/tournament/account"
)

// TestATournamentOf200 is entered by one request, and the results of its hundred boards are reported by one.
func TestATournamentOf200(t *testing.T) {
	s := newService(t)
	olga, ada := s.withRole("olga", account.RoleOrganiser), s.register("ada")
	at := "/tournaments/" + olga.post("/tournaments", map[string]any{
		"name": "Open", "variant": "quixo/duel", "format": "swiss", "rounds": 2, "time_control": "300+3", "venue": "hall",
	}).want(t, http.StatusCreated).text("id")
	olga.post(at+"/open", nil).want(t, http.StatusOK)
	var list []map[string]any
	for i := range 200 {
		list = append(list, map[string]any{"name": fmt.Sprintf("Player %03d", i), "rating": 2000 - i})
	}
	ada.post(at+"/entries", map[string]any{"entries": list}).refused(t, http.StatusForbidden, "forbidden")
	wrong := append([]map[string]any{{"player_id": "nobody"}, {"name": "X", "members": []string{"nobody"}}}, list...)
	olga.post(at+"/entries", map[string]any{"entries": wrong}).refused(t, http.StatusUnprocessableEntity, "invalid").
		has(t, "/entries/0/player_id", "/entries/1/members/0")
	olga.post(at+"/entries", map[string]any{"name": "A", "entries": list}).refused(t, http.StatusUnprocessableEntity, "invalid")
	if left := olga.get(at + "/entries").list("items"); len(left) != 0 {
		t.Fatalf("%d entries are left of lists that were refused", len(left))
	}
	made := olga.post(at+"/entries", map[string]any{"entries": list}).want(t, http.StatusOK)
	if got := made.list("items"); len(got) != 200 || made.text("items", 7, "name") != "Player 007" ||
		made.text("items", 7, "id") == "" {
		t.Fatalf("%d entries: %.300s", len(got), made.raw)
	}
	olga.post(at+"/start", nil).want(t, http.StatusOK)
	olga.post(at+"/rounds", `{}`).want(t, http.StatusCreated)
	before := olga.get(at+"/rounds/1").want(t, http.StatusOK)
	version := olga.versionOf(at[len("/tournaments/"):])

	var results []map[string]any
	for board := 1; board <= 100; board++ {
		results = append(results, map[string]any{"board": board, "result": "1-0"})
	}
	put := func(p person, results []map[string]any, headers ...header) *answer {
		return p.send(http.MethodPut, at+"/rounds/1/results", map[string]any{"results": results}, headers...)
	}
	put(ada, results, anyTag).refused(t, http.StatusForbidden, "forbidden")
	put(olga, results).refused(t, http.StatusPreconditionRequired, "if-match-needed")
	put(olga, results, header{"If-Match", `"stale"`}).refused(t, http.StatusPreconditionFailed, "stale")
	set := put(olga, results, before.etag()).want(t, http.StatusOK)
	if set.number("set") != 100 || set.text("items", 99, "result") != "1-0" || set.text("items", 99, "etag") == "" {
		t.Fatalf("%.400s", set.raw)
	}
	if now := olga.versionOf(at[len("/tournaments/"):]); now != fmt.Sprint(numberOf(t, version)+1) {
		t.Errorf("version %s after %s and a hundred results", now, version)
	}
	put(olga, results, before.etag()).refused(t, http.StatusPreconditionFailed, "stale") // the tag is that of the round
	put(olga, results, set.etag()).want(t, http.StatusOK)
	olga.post(at+"/undo", map[string]any{"act": actOf(t, olga, at)}).want(t, http.StatusOK)
	for i := range 100 {
		if open := olga.get(at+"/rounds/1").at("pairings", i, "result"); open != nil {
			t.Fatalf("board %d has a result after all were taken back: %v", i+1, open)
		}
	}
}

// actOf returns the act that can be undone.
func actOf(t *testing.T, p person, at string) float64 {
	t.Helper()
	return p.get(at+"/history?limit=1").want(t, http.StatusOK).number("undoable")
}

func numberOf(t *testing.T, text string) (n int) {
	t.Helper()
	if _, err := fmt.Sscan(text, &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestSomeResultsAreRefused sets the others.
func TestSomeResultsAreRefused(t *testing.T) {
	s := newScene(t)
	var entered []string
	for _, login := range []string{"bert", "carl", "dora"} {
		entered = append(entered, s.register(login).player)
	}
	id, _ := s.prepare(t, "published", entered)
	path := "/tournaments/" + id + "/rounds/1/results"
	tag := s.olga.get("/tournaments/" + id + "/rounds/1/pairings/2/result").header.Get("ETag")
	set := s.olga.send(http.MethodPut, path, map[string]any{"results": []map[string]any{
		{"board": 1, "result": "1-0", "if_match": `"old"`},
		{"board": 2, "result": "0-1", "if_match": tag},
		{"board": 9, "result": "1-0"},
		{"board": 2, "result": "1-0"},
		{"board": 1},
		{"board": 1, "ranks": []int{1, 2, 3}},
	}}, anyTag).want(t, http.StatusOK)
	for i, want := range []string{"/problems/stale", "", "/problems/not-found", "/problems/invalid", "", ""} {
		if got := set.text("items", i, "refused", "type"); got != want && i < 4 {
			t.Errorf("result %d: %q, want %q\n%s", i, got, want, set.raw)
		}
	}
	if set.number("set") != 1 || set.at("items", 4, "refused") == nil || set.at("items", 5, "refused") == nil {
		t.Errorf("%s", set.raw)
	}
	round := s.olga.get("/tournaments/" + id + "/rounds/1")
	if round.at("pairings", 0, "result") != nil || round.text("pairings", 1, "result") != "0-1" {
		t.Errorf("%s", round.raw)
	}
	version := s.root.versionOf(id)
	none := s.olga.send(http.MethodPut, path, `{"results":[{"board":9,"result":"1-0"}]}`, anyTag).want(t, http.StatusOK)
	if none.number("set") != 0 || s.root.versionOf(id) != version {
		t.Errorf("nothing was set, and there is another version: %s", none.raw)
	}
}

// TestGamesAreExported as records, a line each, filtered, and as the account may see them.
func TestGamesAreExported(t *testing.T) {
	s := newService(t)
	ada, bob, eve := s.register("ada"), s.register("bob"), s.register("eve")
	var ids []string
	for i := range 3 {
		variant := "quixo/duel"
		if i == 2 {
			variant = "quiwin/duel"
		}
		id := duel(t, ada, bob, variant, "300").text("id")
		ada.post("/games/"+id+"/resign", `{}`).want(t, http.StatusOK)
		ids = append(ids, id)
		s.pass(time.Minute)
	}
	running := duel(t, ada, bob, "quiwin/duel", "300").text("id")
	lines := func(p person, query string) (games []string) {
		t.Helper()
		a := p.get("/games/export" + query)
		if a.want(t, http.StatusOK); a.header.Get("Content-Type") != "application/x-ndjson" {
			t.Errorf("%v", a.header)
		}
		in := bufio.NewScanner(bytes.NewReader(a.raw))
		for in.Scan() {
			var record struct {
				GameID string `json:"game_id"`
				Seed   string `json:"seed"`
			}
			if err := json.Unmarshal(in.Bytes(), &record); err != nil {
				t.Fatalf("%v in %s", err, in.Text())
			}
			if record.GameID == running && record.Seed != "" {
				t.Errorf("the export tells the seed of a running game: %s", in.Text())
			}
			games = append(games, record.GameID)
		}
		return games
	}
	since := s.now().Add(-150 * time.Second).UTC().Format(time.RFC3339)
	for query, want := range map[string][]string{
		"": {ids[2], ids[1], ids[0]}, "?variant=quixo%2Fduel": {ids[1], ids[0]},
		"?since=" + since: {ids[2], ids[1]}, "?until=" + since: {ids[0]}, "?player=" + eve.player: nil,
		"?status=running": {running},
	} {
		s.pass(time.Minute) // only so many exports a minute
		if got := lines(eve.again(), query); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
	s.anonymous().get("/games/export").refused(t, http.StatusUnauthorized, "unauthorized")
	for range 4 {
		if a := eve.again().get("/games/export"); a.status == http.StatusTooManyRequests {
			return
		}
	}
	t.Error("an account may export as often as it likes")
}
