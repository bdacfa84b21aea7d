package rest_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestATournamentOf200 is entered by a single request; another reports the results of its hundred boards.
func TestATournamentOf200(t *testing.T) {
	s := apitest.New(t)
	olga, ada := s.WithRole("olga", account.RoleOrganiser), s.Register("ada")
	at := "/tournaments/" + olga.Post("/tournaments", map[string]any{
		"name": "Open", "variant": "quixo/duel", "format": "swiss", "rounds": 2, "time_control": "300+3", "venue": "hall",
	}).Want(t, http.StatusCreated).Text("id")
	olga.Post(at+"/open", nil).Want(t, http.StatusOK)
	var list []map[string]any
	for i := range 200 {
		list = append(list, map[string]any{"name": fmt.Sprintf("Player %03d", i), "rating": 2000 - i})
	}
	ada.Post(at+"/entries", map[string]any{"entries": list}).Refused(t, http.StatusForbidden, "forbidden")
	wrong := append([]map[string]any{{"player_id": "nobody"}, {"name": "X", "members": []string{"nobody"}}}, list...)
	olga.Post(at+"/entries", map[string]any{"entries": wrong}).Refused(t, http.StatusUnprocessableEntity, "invalid").
		Has(t, "/entries/0/player_id", "/entries/1/members/0")
	olga.Post(at+"/entries", map[string]any{"name": "A", "entries": list}).
		Refused(t, http.StatusUnprocessableEntity, "invalid")
	if left := olga.Get(at + "/entries").List("items"); len(left) != 0 {
		t.Fatalf("%d entries are left of lists that were refused", len(left))
	}
	made := olga.Post(at+"/entries", map[string]any{"entries": list}).Want(t, http.StatusOK)
	if got := made.List("items"); len(got) != 200 || made.Text("items", 7, "name") != "Player 007" ||
		made.Text("items", 7, "id") == "" {
		t.Fatalf("%d entries: %.300s", len(got), made.Raw)
	}
	olga.Post(at+"/start", nil).Want(t, http.StatusOK)
	olga.Post(at+"/rounds", `{}`).Want(t, http.StatusCreated)
	before := olga.Get(at+"/rounds/1").Want(t, http.StatusOK)
	version := olga.VersionOf(at[len("/tournaments/"):])

	var results []map[string]any
	for board := 1; board <= 100; board++ {
		results = append(results, map[string]any{"board": board, "result": "1-0"})
	}
	put := func(p apitest.Person, results []map[string]any, headers ...apitest.Header) *apitest.Answer {
		return p.Send(http.MethodPut, at+"/rounds/1/results", map[string]any{"results": results}, headers...)
	}
	put(ada, results, apitest.AnyVersion).Refused(t, http.StatusForbidden, "forbidden")
	put(olga, results).Refused(t, http.StatusPreconditionRequired, "if-match-needed")
	put(olga, results, apitest.Header{"If-Match", `"stale"`}).Refused(t, http.StatusPreconditionFailed, "stale")
	set := put(olga, results, before.IfMatch()).Want(t, http.StatusOK)
	if set.Number("set") != 100 || set.Text("items", 99, "result") != "1-0" || set.Text("items", 99, "etag") == "" {
		t.Fatalf("%.400s", set.Raw)
	}
	if now := olga.VersionOf(at[len("/tournaments/"):]); now != fmt.Sprint(numberOf(t, version)+1) {
		t.Errorf("version %s after %s and a hundred results", now, version)
	}
	put(olga, results, before.IfMatch()).Refused(t, http.StatusPreconditionFailed, "stale") // the tag is that of the round
	put(olga, results, set.IfMatch()).Want(t, http.StatusOK)
	olga.Post(at+"/undo", map[string]any{"act": actOf(t, olga, at)}).Want(t, http.StatusOK)
	for i := range 100 {
		if open := olga.Get(at+"/rounds/1").At("pairings", i, "result"); open != nil {
			t.Fatalf("board %d has a result after all were taken back: %v", i+1, open)
		}
	}
}

// actOf returns the act that can be undone.
func actOf(t *testing.T, p apitest.Person, at string) float64 {
	t.Helper()
	return p.Get(at+"/history?limit=1").Want(t, http.StatusOK).Number("undoable")
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
	s := apitest.NewScene(t)
	var entered []string
	for _, login := range []string{"bert", "carl", "dora"} {
		entered = append(entered, s.Register(login).Player)
	}
	id, _ := s.Prepare(t, "published", entered)
	path := "/tournaments/" + id + "/rounds/1/results"
	tag := s.Olga.Get("/tournaments/" + id + "/rounds/1/pairings/2/result").Header.Get("ETag")
	set := s.Olga.Send(http.MethodPut, path, map[string]any{"results": []map[string]any{
		{"board": 1, "result": "1-0", "if_match": `"old"`},
		{"board": 2, "result": "0-1", "if_match": tag},
		{"board": 9, "result": "1-0"},
		{"board": 2, "result": "1-0"},
		{"board": 1},
		{"board": 1, "ranks": []int{1, 2, 3}},
	}}, apitest.AnyVersion).Want(t, http.StatusOK)
	for i, want := range []string{"/problems/stale", "", "/problems/not-found", "/problems/invalid", "", ""} {
		if got := set.Text("items", i, "refused", "type"); got != want && i < 4 {
			t.Errorf("result %d: %q, want %q\n%s", i, got, want, set.Raw)
		}
	}
	if set.Number("set") != 1 || set.At("items", 4, "refused") == nil || set.At("items", 5, "refused") == nil {
		t.Errorf("%s", set.Raw)
	}
	round := s.Olga.Get("/tournaments/" + id + "/rounds/1")
	if round.At("pairings", 0, "result") != nil || round.Text("pairings", 1, "result") != "0-1" {
		t.Errorf("%s", round.Raw)
	}
	version := s.Root.VersionOf(id)
	none := s.Olga.Send(http.MethodPut, path, `{"results":[{"board":9,"result":"1-0"}]}`, apitest.AnyVersion).
		Want(t, http.StatusOK)
	if none.Number("set") != 0 || s.Root.VersionOf(id) != version {
		t.Errorf("nothing was set, and there is another version: %s", none.Raw)
	}
}

// TestGamesAreExported as records, a line each, filtered, and as the account may see them.
func TestGamesAreExported(t *testing.T) {
	s := apitest.New(t)
	ada, bob, eve := s.Register("ada"), s.Register("bob"), s.Register("eve")
	var ids []string
	for i := range 3 {
		variant := "quixo/duel"
		if i == 2 {
			variant = "quiwin/duel"
		}
		id := apitest.Duel(t, ada, bob, variant, "300").Text("id")
		ada.Post("/games/"+id+"/resign", `{}`).Want(t, http.StatusOK)
		ids = append(ids, id)
		s.Pass(time.Minute)
	}
	running := apitest.Duel(t, ada, bob, "quiwin/duel", "300").Text("id")
	lines := func(p apitest.Person, query string) (games []string) {
		t.Helper()
		a := p.Get("/games/export" + query)
		if a.Want(t, http.StatusOK); a.Header.Get("Content-Type") != "application/x-ndjson" {
			t.Errorf("%v", a.Header)
		}
		in := bufio.NewScanner(bytes.NewReader(a.Raw))
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
	since := s.Now().Add(-150 * time.Second).UTC().Format(time.RFC3339)
	for query, want := range map[string][]string{
		"": {ids[2], ids[1], ids[0]}, "?variant=quixo%2Fduel": {ids[1], ids[0]},
		"?since=" + since: {ids[2], ids[1]}, "?until=" + since: {ids[0]}, "?player=" + eve.Player: nil,
		"?status=running": {running},
	} {
		s.Pass(time.Minute) // exports are limited per minute
		if got := lines(eve.Again(), query); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
	s.Anonymous().Get("/games/export").Refused(t, http.StatusUnauthorized, "unauthorized")
	for range 4 {
		if a := eve.Again().Get("/games/export"); a.Status == http.StatusTooManyRequests {
			return
		}
	}
	t.Error("an account may export as often as it likes")
}
