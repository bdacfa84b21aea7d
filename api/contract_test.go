package api_test

import (
	"bytes"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

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
	if err := theContract().Validate(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestEveryRouteIsInTheContractAndTheOtherWayRound(t *testing.T) {
	s := newService(t, alone)
	var routes []string
	for _, route := range s.server.Routes() {
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
	for path, item := range theContract().Paths.Map() {
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
	doc := theContract()
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
	s := newService(t)
	answer := s.anonymous().get("//openapi.json").want(t, http.StatusOK)
	doc, err := openapi3.NewLoader().LoadFromData(answer.raw)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil || doc.Paths.Len() != theContract().Paths.Len() {
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

// TestEveryOperationRequiresItsRights sends every operation without a token, with a token that lacks the
// scope, and with one that has expired.
func TestEveryOperationRequiresItsRights(t *testing.T) {
	s := newService(t)
	root := s.withRole("root", account.RoleAdmin)
	all := []string{"read", "play", "organise", "admin"}
	tokens := map[string]person{}
	for _, scope := range all {
		tokens[scope] = root.tokenFor(scope)
	}
	checked := 0
	for path, item := range theContract().Paths.Map() {
		for method, op := range item.Operations() {
			where := address(item, path)
			anonymous, scopes := requirements(op)
			if !anonymous {
				s.anonymous().send(method, where, nil).refused(t, http.StatusUnauthorized, "unauthorized")
				checked++
			}
			person{s: s, token: "qt_" + strings.Repeat("a", 59)}.send(method, where, nil).
				refused(t, http.StatusUnauthorized, "unauthorized")
			for _, scope := range all {
				if len(scopes) == 0 || slices.Contains(scopes, scope) || slices.Contains(scopes, "") {
					continue
				}
				tokens[scope].send(method, where, nil).refused(t, http.StatusForbidden, "insufficient-scope")
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
	s := newService(t)
	variants := s.anonymous().get("/variants").want(t, http.StatusOK)
	if len(variants.list("items")) != len(catalog.IDs()) {
		t.Errorf("%s", variants.raw)
	}
	for i := range variants.list("items") {
		if variants.text("items", i, "summary") == "" || len(variants.list("items", i, "options")) < 3 {
			t.Errorf("variant %s is not described", variants.text("items", i, "id"))
		}
	}
	judged := s.anonymous().post("/replay", `{"variant":"quixo/duel","moves":["c1-c5","a1-e1"]}`).want(t, http.StatusOK)
	if judged.number("plies") != 2 || judged.at("error") != nil || len(judged.list("legal", "1")) == 0 {
		t.Errorf("%s", judged.raw)
	}
	refused := s.anonymous().post("/replay", `{"variant":"quixo/duel","moves":["c1-c5","c3-c5"]}`).want(t, http.StatusOK)
	if refused.text("error", "kind") != "illegal" || refused.number("error", "index") != 1 ||
		refused.number("plies") != 1 {
		t.Errorf("%s", refused.raw)
	}
	s.anonymous().post("/replay", `{"variant":"chess","moves":[]}`).want(t, http.StatusOK).has(t, `"kind":"setup"`)
	over := s.anonymous().post("/replay", `{"variant":"quits/four","moves":["1:!resignation","2:!time","3:!forfeit"]}`).
		want(t, http.StatusOK)
	if over.text("outcome", "reason") != "forfeit" {
		t.Errorf("%s", over.raw)
	}
	s.anonymous().post("/replay", `{"variant":"quixo/duel"}`).refused(t, http.StatusBadRequest, "malformed")
	many := `"a1-a5"` + strings.Repeat(`,"a1-a5"`, 5000)
	s.anonymous().post("/replay", `{"variant":"quixo/duel","moves":[`+many+`]}`).
		refused(t, http.StatusBadRequest, "malformed")
}

func TestOperatorsMaySwitchGamesOff(t *testing.T) {
	s := newService(t, func(c *configuration) {
		c.edit = offering("quixo/duel")
	})
	ada, bob := s.register("ada"), s.register("bob")
	s.anonymous().get("/variants").want(t, http.StatusOK).has(t, "quixo/duel").lacks(t, "quits", "quiwin")
	duel(t, ada, bob, "quixo/duel", "300")
	ada.post("/games", map[string]any{
		"variant": "quits/duel", "time_control": "300",
		"seats": []any{map[string]any{"player_id": ada.player}, map[string]any{"player_id": bob.player}},
	}).refused(t, http.StatusUnprocessableEntity, "invalid").has(t, `"/variant"`)
}

// TestContractDescribesTieBreaks compares the codes in the description of TieBreaks with the table of tie-breaks.
func TestContractDescribesTieBreaks(t *testing.T) {
	var described, known []string
	for line := range strings.Lines(theContract().Components.Schemas["TieBreaks"].Value.Description) {
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
