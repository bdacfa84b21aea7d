package contract

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"
	"pgregory.net/rapid"

	"quatuor/api/gen"
)

func loadContract(t testing.TB) *Contract {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(gen.Contract())
	if err != nil {
		t.Fatal(err)
	}
	k, err := New(doc)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestMarkedOperations lists the operations that the contract marks, all of them.
func TestMarkedOperations(t *testing.T) {
	acting := []string{
		"abort", "accept", "adjudicate", "berserk", "clock", "decline", "draw", "forfeit", "leave", "moves", "nonce", "pause", "resign",
		"resume", "sit", "start", "takeback", "takeback-offer",
	}
	for i, name := range acting {
		acting[i] = "POST " + BasePath + "/games/:game_id/" + name
	}
	files := []string{
		"POST " + BasePath + "/players/import", "POST " + BasePath + "/rating-imports",
		"POST " + BasePath + "/tournaments/import",
	}
	repeatable := []string{"accept", "berserk", "decline", "leave", "moves", "nonce", "resign", "sit"}
	for i, name := range repeatable {
		repeatable[i] = "POST " + BasePath + "/games/:game_id/" + name
	}
	var gotActing, gotRepeatable, gotFiles []string
	for key, o := range loadContract(t).operations {
		if o.ActsOnGame {
			gotActing = append(gotActing, key.method+" "+key.route)
		}
		if o.Repeatable {
			gotRepeatable = append(gotRepeatable, key.method+" "+key.route)
		}
		if o.TakesFiles {
			gotFiles = append(gotFiles, key.method+" "+key.route)
		}
		if o.ActsOnGame && o.Streaming {
			t.Errorf("%s %s acts on a game and is a stream", key.method, key.route)
		}
	}
	slices.Sort(gotActing)
	slices.Sort(gotRepeatable)
	slices.Sort(gotFiles)
	if !slices.Equal(gotActing, acting) {
		t.Errorf("on games act\n%s\nwant\n%s", strings.Join(gotActing, "\n"), strings.Join(acting, "\n"))
	}
	if !slices.Equal(gotRepeatable, repeatable) {
		t.Errorf("the same when done twice are\n%s\nwant\n%s", strings.Join(gotRepeatable, "\n"),
			strings.Join(repeatable, "\n"))
	}
	if !slices.Equal(gotFiles, files) {
		t.Errorf("files are taken by %q, want %q", gotFiles, files)
	}
}

func TestMarksAreTrueOrFalse(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(gen.Contract())
	if err != nil {
		t.Fatal(err)
	}
	op := doc.Paths.Value("/games/{game_id}/moves").Post
	op.Extensions[actsOnGameMark] = "yes"
	if _, err := New(doc); err == nil || !strings.Contains(err.Error(), actsOnGameMark) {
		t.Errorf("a mark that is a word is taken: %v", err)
	}
}

// BenchmarkCheck measures what it costs to hold a move to the contract and to bind it.
func BenchmarkCheck(b *testing.B) {
	o := loadContract(b).operations[methodAndRoute{http.MethodPost, BasePath + "/games/:game_id/moves"}]
	c := moveRequest(`{"seat":1,"turn":12,"move":"c1-c5"}`)
	b.ReportAllocs()
	for b.Loop() {
		if err := o.check(c); err != nil {
			b.Fatal(err)
		}
		var m gen.NewMove
		if err := (Binder{}).Bind(&m, c); err != nil || m.Move != "c1-c5" {
			b.Fatal(err, m)
		}
	}
}

// moveRequest is a request for a move, as the middleware has received it.
func moveRequest(body string) echo.Context {
	var read Body
	read.Reset([]byte(body))
	r := httptest.NewRequestWithContext(context.Background(), http.MethodPost, "/", http.NoBody)
	r.Body, r.ContentLength = &read, int64(len(body))
	r.Header.Set("Content-Type", "application/json")
	c := echo.New().NewContext(r, httptest.NewRecorder())
	c.SetParamNames("game_id")
	c.SetParamValues("0197f3d2-6c1e-7a54-9b0d-3f6f0a6f2b11")
	return c
}

// bodySchemas are the schemas of all JSON bodies of the contract, by operation.
func bodySchemas(t testing.TB) (names []string, schemas map[string]*schema) {
	schemas = map[string]*schema{}
	for key, o := range loadContract(t).operations {
		if s := o.bodies[echo.MIMEApplicationJSON]; s != nil {
			schemas[key.method+" "+key.route] = s
		}
	}
	names = slices.Sorted(maps.Keys(schemas))
	if len(names) < 30 {
		t.Fatalf("only %d operations take JSON", len(names))
	}
	return names, schemas
}

// TestBodiesAreJudgedAsTheLibraryWould makes JSON for every schema of the contract, good and bad, and compares the
// verdict with that of the contract's library on the whole value.
func TestBodiesAreJudgedAsTheLibraryWould(t *testing.T) {
	names, schemas := bodySchemas(t)
	good, bad := 0, 0
	for _, name := range names {
		fitting, unfit := 0, 0
		s := schemas[name]
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				text := drawJSON(t, s, 0)
				decoder := json.NewDecoder(strings.NewReader(text))
				decoder.UseNumber()
				var value any
				if err := decoder.Decode(&value); err != nil {
					t.Fatalf("%s: %v", text, err)
				}
				faults := s.checkBody([]byte(text), nil)
				wanted := s.of.VisitJSON(value, openapi3.VisitAsRequest())
				if (len(faults) == 0) != (wanted == nil) {
					t.Fatalf("%s: faults %v; the library says %v", text, faults, wanted)
				}
				if wanted == nil {
					fitting++
				} else {
					unfit++
				}
			})
			if unfit == 0 && !testing.Short() {
				t.Error("every body fitted")
			}
			good, bad = good+min(1, fitting), bad+min(1, unfit)
		})
	}
	if good < len(names)*3/4 || bad < len(names)*3/4 {
		t.Errorf("of %d operations, %d were sent a body that fits, and %d one that does not", len(names), good, bad)
	}
}

// drawJSON draws JSON that mostly fits a schema.
func drawJSON(t *rapid.T, s *schema, depth int) string {
	if rapid.IntRange(0, 29).Draw(t, "odd") == 0 {
		return rapid.SampledFrom([]string{
			`null`, `true`, `7`, `-1`, `1.5`, `"x"`, `""`, `" "`, `[]`, `[1]`, `{}`, `{"a":1}`, `1e300`, `"é\n"`, `"💥"`,
		}).Draw(t, "value")
	}
	switch s.kind {
	case '{':
		return drawObject(t, s, depth)
	case '[':
		items := make([]string, rapid.IntRange(s.minCount, s.minCount+2).Draw(t, "items"))
		for i := range items {
			items[i] = drawJSON(t, s.items, depth+1)
		}
		return "[" + strings.Join(items, ",") + "]"
	case 't':
		return rapid.SampledFrom([]string{"true", "false"}).Draw(t, "truth")
	case '0':
		least, most := -3, 12
		if s.of.Min != nil {
			least = int(*s.of.Min) - 1
		}
		if s.of.Max != nil {
			most = min(int(*s.of.Max)+1, 1<<52)
		}
		return strconv.Itoa(rapid.OneOf(rapid.IntRange(least, most),
			rapid.SampledFrom([]int{least, least + 1, most - 1, most})).Draw(t, "number"))
	}
	if len(s.of.Enum) > 0 && rapid.IntRange(0, 9).Draw(t, "word") > 0 {
		word, _ := rapid.SampledFrom(s.of.Enum).Draw(t, "enum").(string)
		return strconv.Quote(word)
	}
	text := rapid.OneOf(
		rapid.SampledFrom([]string{
			"ada", "password of ada", "2026-12-01T18:30:00Z", "c1-c5", "300+3", "0197f3d2", strings.Repeat("ab", 32),
		}),
		rapid.StringOfN(rapid.RuneFrom([]rune("aZ09 ._-é💥\"\\/\n")), 0, 70, -1),
		rapid.Map(rapid.IntRange(0, 600), func(n int) string { return strings.Repeat("é", n) }),
	).Draw(t, "text")
	quoted, _ := json.Marshal(text)
	return string(quoted)
}

func drawObject(t *rapid.T, s *schema, depth int) string {
	var members []string
	for i, m := range s.list {
		if s.required.has(i) && rapid.IntRange(0, 49).Draw(t, m.name+" there") > 0 || rapid.IntRange(0, 3).
			Draw(t, m.name) == 0 {
			members = append(members, strconv.Quote(m.name)+":"+drawJSON(t, m.schema, depth+1))
		}
	}
	switch {
	case s.others != nil:
		for i := range rapid.IntRange(0, 4).Draw(t, "others") {
			members = append(members, strconv.Quote("other"+strconv.Itoa(i))+":"+drawJSON(t, s.others, depth+1))
		}
	case rapid.IntRange(0, 29).Draw(t, "stranger") == 0:
		members = append(members, `"stranger":`+rapid.SampledFrom([]string{`1`, `{"a":[1,{"b":2}]}`, `[[[]]]`, `"x"`}).
			Draw(t, "what"))
	}
	return "{" + strings.Join(rapid.Permutation(members).Draw(t, "order"), ", ") + "}"
}

// TestFaultsOfABodyHaveTheirPlace holds bodies to the schemas of three operations and compares the faults.
func TestFaultsOfABodyHaveTheirPlace(t *testing.T) {
	_, schemas := bodySchemas(t)
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, tt := range []struct{ operation, body, want string }{
		{"replay", `{"variant":"quixo/duel","moves":[]}`, ""},
		{"replay", " {\"variant\" : \"quixo/duel\" ,\n\"moves\":[\t] } \n", ""},
		{"replay", `{"variant":"quixo/duel","moves":[]} x`, ` something follows the JSON value, which ends at byte 35`},
		{"replay", `{"variant":"quixo/duel","moves":[]}{}`, ` something follows the JSON value, which ends at byte 35`},
		{"replay", `{"variant":"quixo/duel","moves":[]}]`, ` something follows the JSON value, which ends at byte 35`},
		{"replay", `{"variant":"quixo/duel","moves":[1,"c1-c5",null]}`, `/moves/0 value must be a string|/moves/2 value must be a string`},
		{"replay", `{"variant":"quixo/duel","moves":[],"moves":[]}`, `/moves it stands there twice`},
		{"replay", `{"variant":"quixo/duel","moves":[],"mo\u0076es":[]}`, `/moves it stands there twice`},
		{"replay", `{"moves":[]}`, `/variant property "variant" is missing`},
		{"replay", `{"a/b~":{"c":[{}]},"variant":"quixo/duel","moves":{}}`, `/a~1b~0 there is no such member|/moves value must be an array`},
		{"replay", `{"x":` + deep(31) + `,"variant":"quixo/duel","moves":[]}`, `/x there is no such member`},
		{"replay", `{"x":` + deep(32) + `,"variant":"quixo/duel","moves":[]}`, `/x there is no such member|/x it is nested deeper than 32 levels`},
		{"replay", `{"variant":"quixo/duel","moves":[],"options":{"draws":"no","draws":"no"}}`, `/options/draws it stands there twice`},
		{"replay", `{"variant":"quixo/duel","moves":[],"seats":2.0}`, `/seats value must be a whole number, written without a point and an exponent`},
		{"replay", `{"variant":"quixo/duel","moves":[],"seats":1e999999999}`, `/seats value must be a number that a computer can hold`},
		{"replay", `{"variant":"quixo/duel","moves":[],"seats":` + strings.Repeat("9", 1000) + `}`, `/seats a number may be written with at most 32 characters`},
		{"replay", `{"variant":"` + strings.Repeat("x", 5000) + `","moves":[]}`, `/variant maximum string length is 40`},
		{"replay", "{\"variant\":\"\xff\",\"moves\":[]}", ` the body is not JSON in UTF-8: see byte 13`},
		{"replay", `{"variant":"\ud800","moves":[]}`, ` the body is not JSON in UTF-8: see byte 13`},
		{"replay", `{"variant":"quixo/duel","moves":[`, ` the body is not JSON: it ends too early`},
		{"replay", `{"variant":"quixo/duel","moves":[,]}`, ` the body is not JSON in UTF-8: see byte 34`},
		{"replay", `{1:2}`, ` the body is not JSON in UTF-8: see byte 2`},
		{"replay", ` `, ` the body is not JSON: it ends too early`},
		{"replay", "\ufeff{}", ` the body is not JSON in UTF-8: see byte 1`},
		{"me/tokens", `{"name":"x","scopes":["read","read"]}`, `/scopes/1 it stands in the list before`},
		{"me/tokens", `{"name":"x","scopes":[]}`, `/scopes minimum number of items is 1`},
		{"players/:player_id", `{}`, ` there must be at least 1 properties`},
	} {
		var got []string
		for _, f := range schemas[methodFor(tt.operation)+" "+BasePath+"/"+tt.operation].checkBody([]byte(tt.body), nil) {
			got = append(got, f.Pointer+" "+f.Detail)
		}
		if strings.Join(got, "|") != tt.want {
			t.Errorf("%.80s: %q, want %q", tt.body, got, tt.want)
		}
	}
}

func methodFor(operation string) string {
	if operation == "players/:player_id" {
		return http.MethodPatch
	}
	return http.MethodPost
}

// TestReadingStopsWhenEnoughIsKnown counts the faults of bodies that have thousands.
func TestReadingStopsWhenEnoughIsKnown(t *testing.T) {
	_, schemas := bodySchemas(t)
	replay := schemas["POST "+BasePath+"/replay"]
	var many strings.Builder
	for i := range 12_000 {
		fmt.Fprintf(&many, `"m%d":%d,`, i, i)
	}
	for name, body := range map[string]string{
		"members": `{` + many.String() + `"x":1}`,
		"items":   `{"variant":"quixo/duel","moves":[` + strings.Repeat(`1,`, 20_000) + `1]}`,
		"broken":  `{` + strings.TrimSuffix(many.String(), ","),
	} {
		if faults := replay.checkBody([]byte(body), nil); len(faults) != maxFaults {
			t.Errorf("%s: %d faults", name, len(faults))
		}
	}
	long := `{"variant":"quixo/duel","moves":["c1-c5"` + strings.Repeat(`,"c1-c5"`, 20_000) + `]}`
	if faults := replay.checkBody([]byte(long), nil); len(faults) != 1 || faults[0].Pointer != "/moves" {
		t.Errorf("too many moves: %v", faults)
	}
}

// FuzzBodies checks bodies of any bytes against every schema of the contract. A body that passes is a single JSON value
// in UTF-8 that the contract's library takes, too; any other has a short error.
func FuzzBodies(f *testing.F) {
	names, schemas := bodySchemas(f)
	for i, body := range []string{
		`{"seat":1,"turn":12,"move":"c1-c5"}`, `{"variant":"quixo/duel","moves":["c1-c5"],"options":{"draws":"no"}}`,
		`{"login":"ada","password":"correct horse battery","player_name":"Ada \u00e9"}`, `{}`, `[[[[[[[[]]]]]]]]`,
		`{"a":1,"a":2}`, "\xff",
		`{"name":"Cup","tie_breaks":["BH/C1"],"points":{"win":1.5}} x`, `{"items":[{"kind":"entries","entries":["a","b"]}]}`,
		`{"seat":1e999}`,
		`{"seat":01}`, `{"turn":-0}`, `{"move":"\ud83d\ude00\ud83d"}`, "\ufeff{}", strings.Repeat(`{"x":`, 50),
	} {
		f.Add(uint16(i), []byte(body))
	}
	f.Fuzz(func(t *testing.T, place uint16, body []byte) {
		name := names[int(place)%len(names)]
		s := schemas[name]
		faults := s.checkBody(body, nil)
		if len(faults) > maxFaults {
			t.Errorf("%s: %d faults", name, len(faults))
		}
		for _, fault := range faults {
			if fault.Detail == "" || len(fault.Detail) > maxPointer || len(fault.Pointer) > 3*maxPointer {
				t.Errorf("%s: %q: %q", name, fault.Pointer, fault.Detail)
			}
		}
		if len(faults) > 0 {
			return
		}
		if !json.Valid(body) || !utf8.Valid(body) {
			t.Fatalf("%s: %q is taken for JSON", name, body)
		}
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.UseNumber()
		var value any
		if err := decoder.Decode(&value); err != nil {
			t.Fatal(err)
		}
		if err := s.of.VisitJSON(value, openapi3.VisitAsRequest()); err != nil {
			t.Errorf("%s: %q is taken, and the library says %.300v", name, body, err)
		}
	})
}
