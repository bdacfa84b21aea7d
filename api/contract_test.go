package api_test

import (
	"bytes"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"quatuor/api/apitest"
	"quatuor/api/gen"
	"quatuor/engine/catalog"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/standings"
)

func TestTheContractIsTheOneAtTheTop(t *testing.T) {
	top, err := os.ReadFile("../openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(top, gen.Contract()) {
		t.Error("api/gen was made from another openapi.yaml: run go generate ./api/gen")
	}
	if err := apitest.Contract().Validate(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestEveryRouteIsInTheContractAndTheOtherWayRound(t *testing.T) {
	s := apitest.New(t, apitest.Alone)
	var routes []string
	for _, route := range s.Server.Routes() {
		method, path, _ := strings.Cut(route, " ")
		var spelt strings.Builder
		for _, part := range strings.Split(strings.TrimPrefix(path, "/api/v1"), "/")[1:] {
			if name, ok := strings.CutPrefix(part, ":"); ok {
				part = "{" + name + "}"
			}
			spelt.WriteString("/" + part)
		}
		routes = append(routes, method+" "+spelt.String())
	}
	var operations []string
	for path, item := range apitest.Contract().Paths.Map() {
		for method := range item.Operations() {
			operations = append(operations, method+" "+path)
		}
	}
	slices.Sort(routes)
	slices.Sort(operations)
	if len(routes) < 50 || !slices.Equal(routes, operations) {
		t.Errorf("routes:\n%s\n\noperations:\n%s", strings.Join(routes, "\n"), strings.Join(operations, "\n"))
	}
}

// TestEveryOperationIsDescribed, and what is an example of a schema fits it.
func TestEveryOperationIsDescribed(t *testing.T) {
	doc := apitest.Contract()
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			if op.Summary == "" || op.Description == "" {
				t.Errorf("%s %s has no summary or no description", method, path)
			}
		}
	}
	examples := 0
	for name, ref := range doc.Components.Schemas {
		s := ref.Value
		if s.Example == nil {
			continue
		}
		if err := s.VisitJSON(s.Example, openapi3.MultiErrors()); err != nil {
			t.Errorf("the example of %s does not fit it: %v", name, err)
		}
		if s.Type.Is("object") {
			examples++
		}
	}
	if examples < 45 {
		t.Errorf("there are only %d examples of requests and answers", examples)
	}
}

// TestContractInJSON is the contract in YAML.
func TestContractInJSON(t *testing.T) {
	s := apitest.New(t)
	answer := s.Anonymous().Get("//openapi.json").Want(t, http.StatusOK)
	doc, err := openapi3.NewLoader().LoadFromData(answer.Raw)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil || doc.Paths.Len() != apitest.Contract().Paths.Len() {
		t.Errorf("%d paths, %v", doc.Paths.Len(), err)
	}
}

// address fills a path's parameters with ids that nothing has.
func address(item *openapi3.PathItem, path string) string {
	if len(item.Servers) > 0 {
		path = "/" + path
	}
	return strings.NewReplacer(
		"{round}", "1", "{board}", "1", "{team_board}", "1", "{list}", "quixo-blitz", "{file}", "docs.js",
		"{account_id}", "nothing", "{token_id}", "nothing", "{player_id}", "nothing", "{game_id}", "nothing",
		"{tournament_id}", "nothing", "{entry_id}", "nothing",
	).Replace(path)
}

// TestEveryOperationRequiresItsRights sends every operation without a token, with a token that lacks the scope, and
// with an expired token.
func TestEveryOperationRequiresItsRights(t *testing.T) {
	s := apitest.New(t)
	root := s.WithRole("root", account.RoleAdmin)
	all := []string{"read", "play", "organise", "admin"}
	tokens := map[string]apitest.Person{}
	for _, scope := range all {
		tokens[scope] = root.TokenFor(scope)
	}
	checked := 0
	for path, item := range apitest.Contract().Paths.Map() {
		for method, op := range item.Operations() {
			where := address(item, path)
			anonymous, scopes := requirements(op)
			if !anonymous {
				s.Anonymous().Send(method, where, nil).Refused(t, http.StatusUnauthorized, "unauthorized")
				checked++
			}
			apitest.Person{Service: s, Token: "qt_" + strings.Repeat("a", 59)}.Send(method, where, nil).
				Refused(t, http.StatusUnauthorized, "unauthorized")
			for _, scope := range all {
				if len(scopes) == 0 || slices.Contains(scopes, scope) || slices.Contains(scopes, "") {
					continue
				}
				tokens[scope].Send(method, where, nil).Refused(t, http.StatusForbidden, "insufficient-scope")
				checked++
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d combinations were checked", checked)
	}
}

// requirements returns whether anonymous requests are allowed, and which scopes will do; "" means any token.
func requirements(op *openapi3.Operation) (anonymous bool, scopes []string) {
	anonymous = len(*op.Security) == 0
	for _, alternative := range *op.Security {
		names, needed := alternative["bearer"]
		switch {
		case !needed:
			anonymous = true
		case len(names) == 0:
			scopes = append(scopes, "")
		default:
			scopes = append(scopes, names...)
		}
	}
	return anonymous, scopes
}

func TestListsOfVariantsAndRecords(t *testing.T) {
	s := apitest.New(t)
	variants := s.Anonymous().Get("/variants").Want(t, http.StatusOK)
	if len(variants.List("items")) != len(catalog.IDs()) {
		t.Errorf("%s", variants.Raw)
	}
	for i := range variants.List("items") {
		if variants.Text("items", i, "summary") == "" || len(variants.List("items", i, "options")) < 3 {
			t.Errorf("variant %s is not described", variants.Text("items", i, "id"))
		}
	}
	judged := s.Anonymous().Post("/replay", `{"variant":"quixo/duel","moves":["c1-c5","a1-e1"]}`).Want(t, http.StatusOK)
	if judged.Number("plies") != 2 || judged.At("error") != nil || len(judged.List("legal", "1")) == 0 {
		t.Errorf("%s", judged.Raw)
	}
	refused := s.Anonymous().Post("/replay", `{"variant":"quixo/duel","moves":["c1-c5","c3-c5"]}`).Want(t, http.StatusOK)
	if refused.Text("error", "kind") != "illegal" || refused.Number("error", "index") != 1 ||
		refused.Number("plies") != 1 {
		t.Errorf("%s", refused.Raw)
	}
	s.Anonymous().Post("/replay", `{"variant":"chess","moves":[]}`).Want(t, http.StatusOK).Has(t, `"kind":"setup"`)
	over := s.Anonymous().Post("/replay", `{"variant":"quits/four","moves":["1:!resignation","2:!time","3:!forfeit"]}`).
		Want(t, http.StatusOK)
	if over.Text("outcome", "reason") != "forfeit" {
		t.Errorf("%s", over.Raw)
	}
	s.Anonymous().Post("/replay", `{"variant":"quixo/duel"}`).Refused(t, http.StatusBadRequest, "malformed")
	many := `"a1-a5"` + strings.Repeat(`,"a1-a5"`, 5000)
	s.Anonymous().Post("/replay", `{"variant":"quixo/duel","moves":[`+many+`]}`).
		Refused(t, http.StatusBadRequest, "malformed")
}

func TestOperatorsMaySwitchGamesOff(t *testing.T) {
	s := apitest.New(t, func(c *apitest.Config) {
		c.Edit = offering("quixo/duel")
	})
	ada, bob := s.Register("ada"), s.Register("bob")
	s.Anonymous().Get("/variants").Want(t, http.StatusOK).Has(t, "quixo/duel").Lacks(t, "quits", "quiwin")
	apitest.Duel(t, ada, bob, "quixo/duel", "300")
	ada.Post("/games", map[string]any{
		"variant": "quits/duel", "time_control": "300",
		"seats": []any{map[string]any{"player_id": ada.Player}, map[string]any{"player_id": bob.Player}},
	}).Refused(t, http.StatusUnprocessableEntity, "invalid").Has(t, `"/variant"`)
}

// TestContractDescribesTieBreaks compares the codes in the description of TieBreaks with the table of tie-breaks.
func TestContractDescribesTieBreaks(t *testing.T) {
	var described, known []string
	for line := range strings.Lines(apitest.Contract().Components.Schemas["TieBreaks"].Value.Description) {
		if cells := strings.Split(line, "|"); len(cells) == 4 && !strings.Contains(line, "--") &&
			!strings.Contains(line, "code") {
			described = append(described, strings.Split(strings.TrimSpace(cells[1]), ", ")...)
		}
	}
	for _, format := range []tournament.Format{
		tournament.Swiss, tournament.RoundRobin, tournament.TableSwiss, tournament.Keizer,
	} {
		for _, o := range standings.Offers(format) {
			known = append(known, o.Code)
		}
	}
	slices.Sort(described)
	slices.Sort(known)
	if known = slices.Compact(known); !slices.Equal(described, known) {
		t.Errorf("the contract describes %v, the tie-breaks are %v", described, known)
	}
}
