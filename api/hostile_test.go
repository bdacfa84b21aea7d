package api_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"pgregory.net/rapid"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// world has what a hostile client can know: ids that exist, and tokens.
type world struct {
	people []apitest.Person
	ids    []string
	known  map[string][]string // what fits a member or parameter of a name
	paths  []string            // "METHOD path", sorted
}

func newWorld(t *testing.T) world {
	t.Helper()
	s := apitest.New(t)
	ada, bob := s.Register("ada"), s.Register("bob")
	olga, root := s.WithRole("olga", account.RoleOrganiser), s.WithRole("root", account.RoleAdmin)
	path, round := apitest.StartTournament(t, olga, ada, bob)
	game := apitest.Duel(t, ada, bob, "quiwin/duel", "300").Text("id")
	opened := olga.Post("/tournaments", apitest.Cup).Want(t, http.StatusCreated).Text("id")
	olga.Post("/tournaments/"+opened+"/open", nil).Want(t, http.StatusOK)
	w := world{
		people: []apitest.Person{s.Anonymous(), ada, bob, olga, root, ada.TokenFor("read"), olga.TokenFor("organise")},
		ids: []string{
			ada.Player, bob.Player, strings.TrimPrefix(path, "/tournaments/"), opened, game,
			round.Text("pairings", 0, "game_id"), round.Text("pairings", 0, "seats", 0), "nothing", "1",
		},
	}
	w.known = map[string][]string{
		"player_id": {ada.Player, bob.Player}, "player": {ada.Player},
		"game_id":       {game, round.Text("pairings", 0, "game_id")},
		"tournament_id": w.ids[2:4], "entry_id": {round.Text("pairings", 0, "seats", 0)}, "account_id": {ada.Account},
		"variant": {"quixo/duel", "quiwin/duel", "quivive/melee"}, "time_control": {"300+3", "60", "3days", "none"},
		"login": {"ada", "cleo"}, "password": {apitest.Password}, "current_password": {apitest.Password},
		"move": {"c1-c5", "a1-e1", "g22"},
		"list": {"quixo-blitz"}, "logins": {"ada", "bob"}, "members": {ada.Player, bob.Player},
		"tie_breaks": {"DE", "SB", "WIN"},
		"starts_at":  {"2026-12-01T18:30:00Z"}, "expires_at": {"2036-12-01T18:30:00+01:00"}, "round": {"1"}, "board": {"1"},
		"limit": {"1", "200"}, "file": {"docs.js"}, "moves": {"c1-c5", "a1-e1"},
	}
	for path, item := range apitest.Contract().Paths.Map() {
		for method, op := range item.Operations() {
			// Streams do not end, and without the clients' sessions and roles nothing more would happen.
			if !strings.HasPrefix(op.OperationID, "stream") &&
				!slices.Contains([]string{"deleteSession", "updateAccount"}, op.OperationID) {
				w.paths = append(w.paths, method+" "+path)
			}
		}
	}
	slices.Sort(w.paths)
	return w
}

// TestNoRequestBreaksTheService sends requests made from the contract, with values that fit it, that nearly do, and
// that do not at all, and demands of every answer that it fits the contract and that none is the service's own fault.
func TestNoRequestBreaksTheService(t *testing.T) {
	w := newWorld(t)
	accepted := map[string]bool{}
	rapid.Check(t, func(rt *rapid.T) {
		method, path, _ := strings.Cut(rapid.SampledFrom(w.paths).Draw(rt, "operation"), " ")
		item := apitest.Contract().Paths.Find(path)
		op := item.GetOperation(method)
		who := rapid.SampledFrom(w.people).Draw(rt, "who")
		var headers []apitest.Header
		query := url.Values{}
		where := path
		for _, p := range slices.Concat(item.Parameters, op.Parameters) {
			value := plain(rt, w, p.Value.Schema.Value, p.Value.Name)
			switch {
			case p.Value.In == openapi3.ParameterInPath:
				where = strings.Replace(where, "{"+p.Value.Name+"}", url.PathEscape(value), 1)
			case !p.Value.Required && rapid.Bool().Draw(rt, "left out"):
			case p.Value.Name == "If-Match":
				headers = append(headers, apitest.Header{"If-Match", rapid.SampledFrom([]string{"*", `"v1"`, "x"}).Draw(rt, "tag")})
			case p.Value.In == openapi3.ParameterInHeader && printable(value):
				headers = append(headers, apitest.Header{p.Value.Name, value})
			case p.Value.In == openapi3.ParameterInQuery:
				query.Set(p.Value.Name, value)
			}
		}
		if len(item.Servers) > 0 {
			where = "/" + where
		}
		if len(query) > 0 {
			where += "?" + query.Encode()
		}
		if _, err := url.ParseRequestURI(where); err != nil {
			return // not a request
		}
		var body any
		if op.RequestBody != nil && op.RequestBody.Value.Content["application/json"] == nil {
			for kind := range op.RequestBody.Value.Content {
				headers = append(headers, apitest.Header{"Content-Type", kind})
			}
			body = rapid.OneOf(rapid.SampledFrom([]string{"name\nDan\n", "name,quixo-blitz\nDan,1\n"}), rapid.String()).
				Draw(rt, "body")
		} else if op.RequestBody != nil {
			text, err := json.Marshal(value(rt, w, op.RequestBody.Value.Content.Get("application/json").Schema.Value, "body", 4))
			if err != nil {
				rt.Fatal(err)
			}
			body = rapid.OneOf(rapid.Just(string(text)), rapid.Just(string(text)), rapid.Custom(rawJSON), spoilt(string(text))).
				Draw(rt, "text")
		}
		a := who.Send(method, where, body, headers...)
		if a.Status >= http.StatusInternalServerError {
			rt.Fatalf("%s with %v as %s: %d %s", a.Request, body, who.Account, a.Status, a.Raw)
		}
		if a.Status < http.StatusBadRequest {
			accepted[op.OperationID] = true
		}
	})
	if testing.Verbose() {
		t.Logf("accepted: %v", slices.Sorted(maps.Keys(accepted)))
	}
}

// rawJSON makes JSON that knows nothing of the contract, or nearly JSON.
func rawJSON(t *rapid.T) string {
	const depth = 6
	var draw func(left int) string
	draw = func(left int) string {
		switch kind := rapid.IntRange(0, 9).Draw(t, "kind"); {
		case kind < 4 || left == 0:
			return rapid.SampledFrom([]string{
				`null`, `true`, `0`, `-0`, `01`, `1e999`, `-1e-999`, `99999999999999999999`, `""`, `"\u0000"`, `"\ud800"`,
				"\"\xff\"", `nul`, ``, `'x'`,
			}).Draw(t, "value")
		case kind < 7:
			return "[" + strings.Join(rapid.SliceOfN(rapid.Custom(func(*rapid.T) string {
				return draw(left - 1)
			}), 0, 4).Draw(t, "items"), ",") + "]"
		}
		var members []string
		for range rapid.IntRange(0, 4).Draw(t, "members") {
			name := rapid.SampledFrom([]string{
				"variant", "moves", "login", "password", "seats", "options", "items", "name", "",
				"a/b~", "\\u0000",
			}).Draw(t, "name")
			members = append(members, `"`+name+`":`+draw(left-1))
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	return draw(depth)
}

// spoilt cuts a text, doubles it, or puts something behind it.
func spoilt(text string) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		at := rapid.IntRange(0, len(text)).Draw(t, "at")
		odd := rapid.SampledFrom([]string{"", "\x00", ",", "{", "[", `"`, "\\", "\xff", text, strings.Repeat("[", 40)}).
			Draw(t, "odd")
		return text[:at] + odd + text[at+rapid.IntRange(0, len(text)-at).Draw(t, "left out"):]
	})
}

func printable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}

// odd are values that have broken services before.
var odd = []any{
	nil, true, -1, 0, 1.5, 1e300, "", " ", "\x00", "null", "💥", "'; DROP TABLE games; --", "../../etc/passwd", "%00",
	"\u202e",
	strings.Repeat("x", 300),
	[]any{},
	[]any{nil},
	map[string]any{},
	map[string]any{"a": 1},
	"<script>", "1e9", "NaN",
}

// value makes something for a schema: mostly what fits, sometimes an odd value or a strange member.
func value(t *rapid.T, w world, s *openapi3.Schema, name string, depth int) any {
	if depth == 0 || rapid.IntRange(0, 39).Draw(t, name+" odd") == 0 {
		return rapid.SampledFrom(odd).Draw(t, name)
	}
	switch {
	case s.Type.Is("object"):
		object := map[string]any{}
		for _, key := range slices.Sorted(maps.Keys(s.Properties)) {
			if slices.Contains(s.Required, key) || rapid.Bool().Draw(t, key+" there") {
				object[key] = value(t, w, s.Properties[key].Value, key, depth-1)
			}
		}
		if rapid.IntRange(0, 19).Draw(t, name+" stranger") == 0 || s.AdditionalProperties.Schema != nil {
			object[rapid.SampledFrom([]string{"repetition", "max_plies", "steps", "draws", "hint"}).Draw(t, "stranger")] = "3"
		}
		return object
	case s.Type.Is("array"):
		list := []any{}
		for range rapid.IntRange(0, 4).Draw(t, name+" length") {
			list = append(list, value(t, w, s.Items.Value, name, depth-1))
		}
		return list
	case s.Type.Is("integer"):
		return rapid.IntRange(int(*s.Min)-1, int(*s.Min)+11).Draw(t, name)
	case s.Type.Is("number"):
		return rapid.Float64Range(-1, 5001).Draw(t, name)
	case s.Type.Is("boolean"):
		return rapid.Bool().Draw(t, name)
	}
	return plain(t, w, s, name)
}

// plain makes a text for a schema or a parameter.
func plain(t *rapid.T, w world, s *openapi3.Schema, name string) string {
	if len(s.Enum) > 0 {
		return rapid.SampledFrom(s.Enum).Draw(t, name).(string)
	}
	kind := rapid.IntRange(0, 19).Draw(t, name+" kind")
	switch fitting := w.known[name]; {
	case kind > 3 && fitting != nil:
		return rapid.SampledFrom(fitting).Draw(t, name)
	case kind == 0:
		return rapid.StringN(0, 30, 120).Draw(t, name)
	case kind == 1:
		return rapid.SampledFrom(w.ids).Draw(t, name)
	}
	return rapid.SampledFrom([]string{
		"quixo/duel", "quiwin/duel", "quits/four", "300+3", "3days", "c1-c5", "1", "2", "g22", "2026-03-01T18:30:00Z",
		"quixo-blitz", "ada", apitest.Password, "running", "1-0", "DE", "Cup",
	}).Draw(t, name)
}
