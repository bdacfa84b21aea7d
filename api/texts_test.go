package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/getkin/kin-openapi/openapi3"
	"pgregory.net/rapid"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestEveryTextOfARequestHasItsUse: a text without a mark would be checked as a word and never brought into its
// form. Those with a list of words, or with a form of plain characters, need none.
func TestEveryTextOfARequestHasItsUse(t *testing.T) {
	kinds := map[string]int{}
	var look func(where string, s *openapi3.Schema)
	look = func(where string, s *openapi3.Schema) {
		if len(s.OneOf)+len(s.AnyOf)+len(s.AllOf) > 0 {
			t.Errorf("%s has alternatives, whose texts are not found", where)
		}
		for name, member := range s.Properties {
			look(where+"/"+name, member.Value)
		}
		if s.AdditionalProperties.Schema != nil {
			look(where+"/*", s.AdditionalProperties.Schema.Value)
		}
		if s.Items != nil {
			look(where+"/0", s.Items.Value)
		}
		formed := strings.HasPrefix(s.Pattern, "^[") && strings.HasSuffix(s.Pattern, "$")
		if !s.Type.Is(openapi3.TypeString) || len(s.Enum) > 0 || formed || s.Format == "date-time" {
			return
		}
		kind, _ := s.Extensions["x-text"].(string)
		kinds[kind]++
		if !slices.Contains([]string{"line", "paragraph", "word", "secret", "document"}, kind) {
			t.Errorf("%s: say with x-text whether it is a line, a paragraph, a word, a secret or a document; it says %q", where,
				kind)
		}
		if s.MaxLength == nil {
			t.Errorf("%s has no greatest length", where)
		}
	}
	for path, item := range apitest.Contract().Paths.Map() {
		for method, op := range item.Operations() {
			for _, p := range slices.Concat(item.Parameters, op.Parameters) {
				look(method+" "+path+"?"+p.Value.Name, p.Value.Schema.Value)
			}
			if op.RequestBody != nil {
				for kind, media := range op.RequestBody.Value.Content {
					look(method+" "+path+" "+kind, media.Schema.Value)
				}
			}
		}
	}
	for _, kind := range []string{"line", "paragraph", "word", "secret", "document"} {
		if kinds[kind] == 0 {
			t.Errorf("no text is a %s: is the test looking at the right schemas?", kind)
		}
	}
}

// door is an operation that takes a person's text.
type door struct {
	send      func(text string) *apitest.Answer
	paragraph bool
	optional  bool
	status    int // of an answer that takes the text
}

// doors are operations of the API that take texts, at least one for each kind of place that shows a text.
func doors(t *testing.T, s *apitest.Service) map[string]door {
	t.Helper()
	olga, root := s.WithRole("olga", account.RoleOrganiser), s.WithRole("root", account.RoleAdmin)
	ada, bob := s.Register("ada"), s.Register("bob")
	path, _ := apitest.StartTournament(t, olga, ada, bob)
	draft := olga.Post("/tournaments", apitest.Cup).Want(t, http.StatusCreated)
	made := "/tournaments/" + draft.Text("id")
	player := "/players/" + olga.Post("/players", map[string]any{"name": "Cleo"}).Want(t, http.StatusCreated).Text("id")
	entry := made + "/entries/" + olga.Post(made+"/entries", map[string]any{"name": "Dan"}).Want(t, http.StatusCreated).
		Text("id")
	game := apitest.Duel(t, ada, bob, "quixo/duel", "300").Text("id")
	tagged := func(path, method, to string, body any) *apitest.Answer {
		return olga.Send(method, to, body, olga.Get(path).Want(t, http.StatusOK).IfMatch())
	}
	n := 0
	return map[string]door{
		"account's player": {send: func(text string) *apitest.Answer {
			n++
			return s.Anonymous().Post("/accounts", map[string]any{
				"login": fmt.Sprint("new", n), "password": apitest.Password, "player_name": text,
			})
		}, status: http.StatusCreated},
		"player": {send: func(text string) *apitest.Answer {
			return olga.Post("/players", map[string]any{"name": text})
		}, status: http.StatusCreated},
		"club": {send: func(text string) *apitest.Answer {
			return olga.Post("/players", map[string]any{"name": "Eve", "club": text})
		}, status: http.StatusCreated},
		"new name": {send: func(text string) *apitest.Answer {
			return tagged(player, http.MethodPatch, player, map[string]any{"name": text})
		}, status: http.StatusOK},
		"new club": {send: func(text string) *apitest.Answer {
			return tagged(player, http.MethodPatch, player, map[string]any{"club": text})
		}, optional: true, status: http.StatusOK},
		"token": {send: func(text string) *apitest.Answer {
			return root.Post("/me/tokens", map[string]any{"name": text, "scopes": []string{"read"}})
		}, status: http.StatusCreated},
		"tournament": {send: func(text string) *apitest.Answer {
			return tagged(made, http.MethodPatch, made, map[string]any{"name": text})
		}, status: http.StatusOK},
		"entry": {send: func(text string) *apitest.Answer {
			return tagged(entry, http.MethodPatch, entry, map[string]any{"name": text})
		}, status: http.StatusOK},
		"entry, club": {send: func(text string) *apitest.Answer {
			return tagged(entry, http.MethodPatch, entry, map[string]any{"club": text})
		}, optional: true, status: http.StatusOK},
		"prize": {send: func(text string) *apitest.Answer {
			return tagged(made+"/prizes", http.MethodPut, made+"/prizes",
				map[string]any{"categories": []any{map[string]any{"name": text, "prizes": []any{map[string]any{"text": text}}}}})
		}, status: http.StatusOK},
		"result's reason": {send: func(text string) *apitest.Answer {
			board := path + "/rounds/1/pairings/1/result"
			return tagged(path, http.MethodPut, board, map[string]any{"result": "1/2-1/2", "reason": text})
		}, paragraph: true, status: http.StatusOK},
		"arbiter's reason": {send: func(text string) *apitest.Answer {
			return root.Post("/games/"+game+"/clock", map[string]any{"seat": 1, "add_ms": 1, "reason": text})
		}, paragraph: true, status: http.StatusOK},
		"search": {send: func(text string) *apitest.Answer {
			return olga.Get("/players?name=" + url.QueryEscape(text))
		}, status: http.StatusOK},
	}
}

// TestTextsComeInOneForm through every door.
func TestTextsComeInOneForm(t *testing.T) {
	s := apitest.New(t)
	every := doors(t, s)
	for _, name := range slices.Sorted(maps.Keys(every)) {
		d := every[name]
		t.Run(name, func(t *testing.T) {
			for _, text := range []string{
				"A\rb", "A\r\nevent: over", "A\x00b", "A\x1b[31mb", "A\u009bb", "A\u202eb", "\u2066A", "A\u2028b", "A \ue000",
				"A \uffff",
			} {
				a := d.send(text)
				if d.paragraph && strings.ContainsAny(text, "\r\u2028") {
					a.Want(t, d.status)
					continue
				}
				a.Refused(t, http.StatusBadRequest, "malformed")
			}
			for _, blank := range []string{"\u3000", "\u2800", "\u3164", "\u00a0", "\u200b", "\u200d\u2060", "\u0301"} {
				if a := d.send(blank); d.optional {
					a.Want(t, d.status)
				} else {
					a.Refused(t, http.StatusBadRequest, "malformed").Has(t, "blank")
				}
			}
			a := d.send(" \u00a0Zoe\u0308\u200b  \u202fB\u0301\u0301 ").Want(t, d.status)
			if name != "search" && name != "account's player" && name != "result's reason" {
				shown, _ := json.Marshal(a.Body)
				if !strings.Contains(string(shown), "\"Zo\u00eb B\u0301\u0301\"") {
					t.Errorf("the answer is %s", a.Raw)
				}
			}
		})
	}
}

// TestLengthsAreInCharacters: as many as in the contract, in the form that is stored.
func TestLengthsAreInCharacters(t *testing.T) {
	s := apitest.New(t)
	olga := s.WithRole("olga", account.RoleOrganiser)
	olga.Post("/players", map[string]any{"name": strings.Repeat("\U0001d11e", 200)}).Want(t, http.StatusCreated)
	olga.Post("/players", map[string]any{"name": strings.Repeat("ä", 201)}).Refused(t, http.StatusBadRequest, "malformed")
	olga.Post("/players", map[string]any{"name": strings.Repeat("\u0958", 101)}).
		Refused(t, http.StatusBadRequest, "malformed").Has(t, "202 characters")
}

// TestNoControlCharacterComesOut whatever name is sent.
func TestNoControlCharacterComesOut(t *testing.T) {
	s := apitest.New(t)
	olga := s.WithRole("olga", account.RoleOrganiser)
	odd := []rune("aé \t\n\r\x00\x1b\u0085\u009b\u0301\u00ad\u061c\u200b\u200d\u2028\u202e\u2066\u2800\u3000\u3164\ue000\ufe0f\U000e0041\U0001f468")
	taken := 0
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom(odd))).Draw(rt, "text")
		a := olga.Post("/players", map[string]any{"name": text})
		if a.Status == http.StatusBadRequest {
			return
		}
		a.Want(t, http.StatusCreated)
		taken++
		seen := olga.Get("/players/"+a.Text("id")).Want(t, http.StatusOK).Text("name")
		if seen == "" || seen != a.Text("name") || strings.TrimSpace(seen) != seen {
			rt.Fatalf("%q became %q, and is shown as %q", text, a.Text("name"), seen)
		}
		if i := strings.IndexFunc(seen, func(r rune) bool {
			return unicode.IsControl(r) ||
				unicode.Is(unicode.Bidi_Control, r)
		}); i >= 0 {
			rt.Fatalf("%q is shown as %q", text, seen)
		}
	})
	if taken == 0 {
		t.Error("no name was taken")
	}
}

// TestDocumentsAreJudgedByLine: report files come in with texts of their own.
func TestDocumentsAreJudgedByLine(t *testing.T) {
	s := apitest.New(t)
	olga := s.WithRole("olga", account.RoleOrganiser)
	report := func(name, city string) map[string]any {
		text := "012 Cup\n022 " + city + "\n062 2\n142 1\n" +
			fmt.Sprintf("001 %4d      %-33s\n", 1, name) + fmt.Sprintf("001 %4d      %-33s\n", 2, "Bob")
		return map[string]any{"report": text, "variant": "quixo/duel", "format": "swiss", "time_control": "300", "rounds": 1}
	}
	made := olga.Post("/tournaments/import", report("Zoe\u0308", "Rīga")).Want(t, http.StatusCreated)
	olga.Get("/tournaments/"+made.Text("id")+"/entries").Want(t, http.StatusOK).Has(t, "Zo\u00eb")
	for _, bad := range []map[string]any{
		report("Ada\x1b[2J", "Rīga"), report("Ada", "R\u202eiga"),
		report("Ada", "R\u0085iga"), report("\u3164", "Rīga"),
	} {
		olga.Post("/tournaments/import", bad).Refused(t, http.StatusUnprocessableEntity, "invalid").Has(t, "line ")
	}
}
