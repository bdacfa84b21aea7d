package access_test

import (
	"bufio"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

func TestMain(m *testing.M) { apitest.Main(m) }

// question is a request that may be sent to something of a tournament's.
type question struct {
	method, path string // below the tournament; from the top of the server with two slashes
	body         string
	headers      []apitest.Header
}

func (r question) String() string {
	return fmt.Sprint(r.method, " ", r.path, " ", r.body, " ", r.headers)
}

// below lists the questions that the contract and the pages have below a tournament: every operation, with every query
// and body that could matter. entry and player are placeholders of those parameters, and rounds are 1 to 3. HEAD is
// answered like GET, see head_test.go.
func below(t *testing.T, s *apitest.Service, entry, player string, mutating bool) []question {
	t.Helper()
	var out []question
	known := map[string]bool{}
	add := func(method, path string, queries, bodies []string, headers ...[]apitest.Header) {
		for _, round := range []string{"1", "2", "3"} {
			filled := strings.NewReplacer("{round}", round, "{board}", "1", "{team_board}", "1", "{entry_id}", entry, ":round", round, ":number",
				"1").Replace(path)
			for _, query := range queries {
				for _, body := range bodies {
					for _, h := range headers {
						one := question{method, filled + query, body, h}
						if text := one.String(); !known[text] {
							known[text] = true
							out = append(out, one)
						}
					}
				}
			}
		}
	}
	queries := []string{
		"", "?round=1", "?round=2", "?round=9", "?entry=" + entry, "?format=record", "?format=trf",
		"?format=csv&table=pairings", "?format=csv", "?format=json",
		"?board=1", "?limit=1", "?limit=1&cursor=1", "?cursor=9", "?to=1", "?to=9", "?what=1",
	}
	operations, shown := 0, 0
	for path, item := range apitest.Contract().Paths.Map() {
		rest, ok := strings.CutPrefix(path, "/tournaments/{tournament_id}")
		if !ok {
			continue
		}
		for method, op := range item.Operations() {
			operations++
			switch {
			case op.OperationID == "streamTournament":
			case method == http.MethodGet:
				add(method, rest, queries, []string{""}, nil)
			case mutating:
				bodies := []string{"", "{", "{}", "[]", `{"what":1}`}
				if good := apitest.GoodBodies(entry, player)[op.OperationID]; good != nil {
					bodies = append(bodies, good...)
				} else if op.RequestBody != nil {
					t.Fatalf("the test has no body for %s", op.OperationID)
				}
				add(method, rest, []string{"", "?what=1"}, bodies, nil, []apitest.Header{{"If-Match", "*"}},
					[]apitest.Header{{"If-Match", `"v1"`}},
					[]apitest.Header{{"If-Match", `"p1"`}})
			}
		}
	}
	for _, route := range s.Server.Routes() {
		method, path, _ := strings.Cut(route, " ")
		rest, ok := strings.CutPrefix(path, "/tournaments/:id")
		if ok && method == http.MethodGet && !strings.HasSuffix(rest, "/live") {
			shown++
			add(method, "//tournaments/{id}"+rest, queries, []string{""}, []apitest.Header{{"Accept", "text/html"}})
		}
	}
	if operations < 40 || shown < 10 {
		t.Fatalf("only %d operations and %d pages were found", operations, shown)
	}
	return out
}

// answerTo sends a request about a tournament and returns the whole answer as text, without the parts that differ from
// request to request: the time and the request's id. The tournament's own id becomes a fixed word.
func answerTo(t *testing.T, p apitest.Person, id string, r question) string {
	t.Helper()
	path := "/tournaments/" + id + r.path
	if rest, ok := strings.CutPrefix(r.path, "//tournaments/{id}"); ok {
		path = "//tournaments/" + id + rest
	}
	var body any
	if r.body != "" {
		body = r.body
	}
	return apitest.Written(p.Send(r.method, path, body, r.headers...), id)
}

// TestADraftLooksLikeAnUnknownTournament sends every request about a draft, as people without the right to know of it:
// the answers are those for an id that does not exist, to the last byte, whatever else is wrong with the request.
func TestADraftLooksLikeAnUnknownTournament(t *testing.T) {
	if testing.Short() {
		t.Skip("asks hundreds of questions twice")
	}
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	made := olga.Post("/tournaments", map[string]any{
		"name": "Surprise", "variant": "quixo/duel", "format": "swiss", "rounds": 3, "time_control": "300+3",
	}).Want(t, http.StatusCreated)
	draft := made.Text("id")
	entry := olga.Post("/tournaments/"+draft+"/entries", `{"name":"A"}`).Want(t, http.StatusCreated).Text("id")
	const unknown = "01930000-0000-7000-8000-000000000000"
	requests := below(t, s, entry, "player-of-ada", true)
	people := map[string]apitest.Person{
		"somebody": s.Anonymous(), "a player": s.Register("ada"),
		"another organiser":                 s.WithRole("otto", account.RoleOrganiser),
		"the organiser's token for playing": olga.TokenFor("play"),
	}
	turn := 0
	for name, p := range people {
		turn++
		for i, r := range requests {
			if (i+turn)%4 > 0 && os.Getenv("QUATUOR_LONG") == "" {
				continue
			}
			if got, want := answerTo(t, p, draft, r), answerTo(t, p, unknown, r); got != want {
				t.Errorf("%s: %s:\n%s\nand of an unknown one:\n%s", name, r, got, want)
			}
		}
		for _, path := range []string{
			"/tournaments?status=draft", "/games?tournament=" + draft, "/tournaments",
			"/tournaments?status=draft,open", "//", "//tournaments",
		} {
			if got := p.Get(path, apitest.Header{"Accept", "text/html, application/json"}); strings.Contains(string(got.Raw),
				"Surprise") {
				t.Errorf("%s: %s tells of the draft:\n%s", name, path, got.Raw)
			}
		}
		for _, path := range []string{"/api/v1/tournaments/%s/events", "/tournaments/%s/live"} {
			got := apitest.Written(p.Send(http.MethodGet, strings.TrimPrefix("/"+fmt.Sprintf(path, draft), "//api/v1"), nil),
				draft)
			want := apitest.Written(p.Send(http.MethodGet, strings.TrimPrefix("/"+fmt.Sprintf(path, unknown), "//api/v1"),
				nil), unknown)
			if got != want {
				t.Errorf("%s: %s:\n%s\nand of an unknown one:\n%s", name, path, got, want)
			}
		}
	}
	// Its own organiser knows it, also with a token for organising alone.
	olga.Get("/tournaments/"+draft).Want(t, http.StatusOK)
	olga.TokenFor("organise").Send(http.MethodPatch, "/tournaments/"+draft, `{"name":"Opening"}`, apitest.AnyVersion).
		Want(t, http.StatusOK)
}

// publicly opens the streams of a tournament as a single reader, and reads the beginning of each.
func publicly(t *testing.T, p apitest.Person, server *httptest.Server, path string) *bufio.Reader {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.Token != "" {
		r.Header.Set("Authorization", "Bearer "+p.Token)
	}
	answer, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	return bufio.NewReader(answer.Body)
}

// idOf reads the id of a stream's event.
func idOf(t *testing.T, frame string) int {
	t.Helper()
	_, rest, _ := strings.Cut(frame, "\nid: ")
	var id int
	if _, err := fmt.Sscanf(rest, "%d", &id); err != nil {
		t.Fatalf("no id in %q", frame)
	}
	return id
}

// TestWhatStaffDoesInPrivateCannotBeSeen does everything to a running tournament that the public is not to know: draws
// a round up, changes it, deletes it, takes that back, forbids pairs, names arbiters. After each step every operation,
// page and list answers the public, a stranger and a participant as before, headers included, and their streams send
// nothing. What is public then comes with the very next version.
func TestWhatStaffDoesInPrivateCannotBeSeen(t *testing.T) {
	if testing.Short() {
		t.Skip("comparing every answer after every act belongs to the full run: leave out -short")
	}
	for _, reasons := range []string{"public", "staff"} {
		t.Run(reasons, func(t *testing.T) { testNothingSeen(t, reasons) })
	}
}

// newsAfterwards demands that the first news of a webhook and of a participant is about events from now on.
func newsAfterwards(t *testing.T, e *apitest.SwissEvent, r *apitest.Receiver, hook string, own <-chan apitest.Event,
	mine string,
) {
	t.Helper()
	e.Olga.Post("/webhooks/"+hook+"/test", nil).Want(t, http.StatusAccepted)
	if got := r.Next(); got.Kind != "webhook.test" {
		t.Errorf("a webhook got %s", got.Body)
	}
	e.Olga.Send(http.MethodPatch, e.Path, `{"name":"Renamed"}`, apitest.AnyVersion).Want(t, http.StatusOK)
	e.Olga.Post(e.Path+"/rounds/2/publish", nil).Want(t, http.StatusOK)
	for range 2 {
		if got := r.Next(); got.Kind != "round.published" {
			t.Errorf("what staff does in private is sent to a webhook: %s", got.Body)
		}
	}
	for _, name := range []string{"round_published", "my_pairing"} {
		apitest.NextEvent(t, own, name)
	}
	e.Olga.Post(e.Path+"/entries/"+mine+"/withdraw", nil).Want(t, http.StatusOK)
	if notice := apitest.NextEvent(t, own, "notice"); notice.Data["kind"] != "withdrawn" {
		t.Errorf("the stream of a participant has %+v after what it may not know", notice)
	}
}

func testNothingSeen(t *testing.T, reasons string) {
	r := apitest.NewReceiver(t)
	s := apitest.New(t, apitest.WithPages, r.Hooks)
	s.Register("arne")
	ada, bob := s.Register("ada"), s.Register("bob")
	e := &apitest.SwissEvent{
		S: s, Olga: s.WithRole("olga", account.RoleOrganiser), ID: map[string]string{}, Name: map[string]string{},
	}
	id := e.Olga.Post("/tournaments", map[string]any{
		"name": "Open", "variant": "quixo/duel", "format": "swiss", "rounds": 4, "time_control": "300+3",
		"tie_breaks": []string{"BH", "WIN"}, "pairing": map[string]any{"initial_colour": "white", "reasons": reasons},
	}).Want(t, http.StatusCreated).Text("id")
	e.Path = "/tournaments/" + id
	e.Olga.Post(e.Path+"/open", nil).Want(t, http.StatusOK)
	mine := bob.Post(e.Path+"/entries", map[string]any{"player_id": bob.Player}).Want(t, http.StatusCreated).Text("id")
	for i, name := range []string{"A", "B", "C", "D"} {
		e.Enter(t, name, 2000-10*i)
	}
	e.Olga.Post(e.Path+"/start", nil).Want(t, http.StatusOK)
	e.Pair(t)
	e.Set(t, 1, 1, "1-0")
	e.Set(t, 1, 2, "0-1")
	hook, _ := e.Olga.Webhook("hooks.example.org", id, apitest.AllNews...)
	e.Olga.Webhook("all.example.org", "", apitest.AllNews...)

	people := map[string]apitest.Person{"somebody": s.Anonymous(), "a stranger": ada, "a participant": bob}
	requests := below(t, s, mine, ada.Player, false)
	elsewhere := []string{
		"/tournaments", "/games?tournament=" + id, "/players/" + bob.Player + "/games", "/players/" + bob.Player, "//",
		"//tournaments",
		"//games", "//players/" + bob.Player,
	}
	look := func(from, every int, as ...string) apitest.Answers {
		out := apitest.Answers{}
		for _, name := range as {
			p := people[name]
			for i := from; i < len(requests); i += every {
				r := requests[i]
				out[name+": "+r.String()] = answerTo(t, p, id, r)
			}
			for _, path := range elsewhere {
				out[name+": "+path] = apitest.Written(p.Get(path, apitest.Header{"Accept", "text/html, application/json"}), id)
			}
		}
		return out
	}
	server := httptest.NewServer(s.Server)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	type listener struct {
		stream *bufio.Reader
		first  int
	}
	var listeners []listener
	for _, p := range people {
		for _, path := range []string{"/api/v1" + e.Path + "/events", e.Path + "/live"} {
			stream := publicly(t, p, server, path)
			listeners = append(listeners, listener{stream, idOf(t, frame(t, stream))})
		}
	}
	own, _ := bob.Follow(t, server, "/me/events")
	for _, name := range []string{"state", "notice", "round_published", "my_pairing"} {
		apitest.NextEvent(t, own, name)
	}
	names := slices.Sorted(maps.Keys(people))
	before := look(0, 1, names...)
	requests = slices.DeleteFunc(requests, func(r question) bool { // the contract refuses these before anything is read
		return strings.HasPrefix(before["somebody: "+r.String()], "400")
	})
	staffTag := e.Olga.Get(e.Path).Header.Get("ETag")
	steps := secretly(e)
	if reasons == "staff" && os.Getenv("QUATUOR_LONG") == "" {
		steps = steps[:4] // to a round that has been drawn up and changed: the others come back to what was
	}
	for i, step := range steps {
		step.do(t)
		if tag := e.Olga.Get(e.Path).Header.Get("ETag"); tag == staffTag {
			t.Errorf("%s left the staff's ETag at %s", step.name, tag)
		} else {
			staffTag = tag
		}
		// A third of the questions of one of them is enough after each step but the last: a leak would show in all later
		// steps, too.
		as, from, every := names, 0, 1
		if os.Getenv("QUATUOR_LONG") == "" && i != len(steps)-1 {
			as, from, every = names[i%len(names):][:1], i/len(names)%3, 3
		}
		if apitest.Differences(t, look(from, every, as...), before) > 0 {
			t.Fatalf("step %d, %s, can be seen", i+1, step.name)
		}
	}
	newsAfterwards(t, e, r, hook, own, mine)
	for _, l := range listeners {
		if next := frame(t, l.stream); idOf(t, next) != l.first+1 || !strings.HasPrefix(next, "event: state\n") {
			t.Errorf("after event %d came\n%s", l.first, next)
		}
	}
}

// secret is something that staff does and the public does not see.
type secret struct {
	name string
	do   func(t *testing.T)
}

func secretly(e *apitest.SwissEvent) []secret {
	last := func(t *testing.T) {
		t.Helper()
		h := e.Olga.Get(e.Path+"/history?limit=200").Want(t, http.StatusOK)
		e.Olga.Post(e.Path+"/undo", map[string]any{"act": h.Number("undoable")}).Want(t, http.StatusOK)
	}
	put := func(path, body string) func(*testing.T) {
		return func(t *testing.T) {
			e.Olga.Send(http.MethodPut, e.Path+path, body, apitest.AnyVersion).Want(t, http.StatusOK)
		}
	}
	drop := func(t *testing.T) {
		e.Olga.Send(http.MethodDelete, e.Round(2), nil, apitest.AnyVersion).Want(t, http.StatusNoContent)
	}
	draw := func(t *testing.T) { e.Draw(t) }
	return []secret{
		{"forbidding pairs", put("/forbidden-pairs",
			`{"items":[{"entries":["`+e.ID["A"]+`","`+e.ID["C"]+`"],"reason":"brothers"}]}`)},
		{"naming an arbiter", put("/arbiters", `{"logins":["arne"]}`)},
		{"drawing a round up", draw},
		{"changing it", func(t *testing.T) {
			e.Olga.Send(http.MethodPatch, e.Round(2), `{"edits":[{"kind":"reseat","board":1}],"reason":"as drawn in the hall"}`,
				apitest.AnyVersion).Want(t, http.StatusOK)
		}},
		{"taking the change back", last},
		{"deleting the round", drop},
		{"taking the deletion back", last},
		{"forbidding other pairs", put("/forbidden-pairs", `{"items":[{"entries":["`+e.ID["B"]+`","`+e.ID["D"]+`"]}]}`)},
		{"taking that back", last},
		{"naming no arbiter", put("/arbiters", `{"logins":[]}`)},
		{"deleting the round again", drop},
		{"drawing it up again", draw},
	}
}

// TestADraftRoundLooksLikeNone sends everything that changes something, as people without the right, before and after a
// round has been drawn up.
func TestADraftRoundLooksLikeNone(t *testing.T) {
	e := apitest.NewSwiss(t, 3, "A", "B", "C", "D")
	s := e.S
	ada, otto := s.Register("ada"), s.WithRole("otto", account.RoleOrganiser)
	e.Olga.Post(e.Path+"/start", nil).Want(t, http.StatusOK)
	e.Pair(t)
	e.Set(t, 1, 1, "1-0")
	e.Set(t, 1, 2, "0-1")
	id := strings.TrimPrefix(e.Path, "/tournaments/")
	var requests []question
	for path, item := range apitest.Contract().Paths.Map() {
		rest, ok := strings.CutPrefix(path, "/tournaments/{tournament_id}")
		for method, op := range item.Operations() {
			if !ok || method == http.MethodGet {
				continue
			}
			rest := strings.NewReplacer("{round}", "2", "{board}", "1", "{team_board}", "1", "{entry_id}", e.ID["A"]).
				Replace(rest)
			for _, body := range append(apitest.GoodBodies(e.ID["A"], ada.Player)[op.OperationID], "") {
				requests = append(requests, question{method, rest, body, []apitest.Header{{"If-Match", `"p1"`}}},
					question{method, rest, body, []apitest.Header{apitest.AnyVersion}})
			}
		}
	}
	look := func() map[string]string {
		out := map[string]string{}
		for name, p := range map[string]apitest.Person{
			"somebody": s.Anonymous(), "a player": ada,
			"another organiser": otto,
		} {
			for _, r := range requests {
				out[name+": "+r.String()] = answerTo(t, p, id, r)
			}
		}
		return out
	}
	before := look()
	e.Draw(t)
	for where, now := range look() {
		if now != before[where] {
			t.Errorf("%s:\n%s\nbefore:\n%s", where, now, before[where])
		}
	}
	if len(before) < 100 {
		t.Errorf("only %d requests were sent", len(before))
	}
}

// TestTokensOfOthersLookLikeNone: the id of another account's token is answered like the id of no token.
func TestTokensOfOthersLookLikeNone(t *testing.T) {
	s := apitest.New(t)
	ada, bob := s.Register("ada"), s.Register("bob")
	bobs := bob.Post("/me/tokens", map[string]any{"name": "mine", "scopes": []string{"read"}}).Want(t, http.StatusCreated).
		Text("id")
	const unknown = "01930000-0000-7000-8000-000000000000"
	got := apitest.Written(ada.Send(http.MethodDelete, "/me/tokens/"+bobs, nil), bobs)
	if want := apitest.Written(ada.Send(http.MethodDelete, "/me/tokens/"+unknown, nil), unknown); got != want ||
		!strings.HasPrefix(got, "404") {
		t.Errorf("%s\nand of an unknown one:\n%s", got, want)
	}
	if left := bob.Get("/me/tokens").Want(t, http.StatusOK); left.Text("items", 0, "id") != bobs {
		t.Errorf("%s", left.Raw)
	}
}
