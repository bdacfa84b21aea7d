package api_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"quatuor/api/apitest"
)

// matrixBodies are bodies for the operations that [goodBodies] has none for.
var matrixBodies = map[string]string{
	"createAccount": `{"login":"somebody","password":"correct horse battery"}`, "updateAccount": `{"disabled":false}`,
	"createSession":  `{"login":"anna","password":"correct horse battery"}`,
	"refreshSession": `{"refresh_token":"qr_none"}`,
	"updateSettings": `{"name":"Club"}`, "createInvitation": `{}`, "updateMe": `{"password_reset_seen":true}`,
	"deleteMe": `{"password":"wrong wrong wrong"}`, "blockPlayer": `{"player_id":"PAUL"}`,
	"createToken":  `{"name":"x","scopes":["helper"],"tournament_id":"CUP"}`,
	"createPlayer": `{"name":"Somebody"}`, "updatePlayer": `{"club":"Owls"}`, "mergePlayers": `{"player_id":"PAUL"}`,
	"claimPlayer": `{"code":"none"}`, "replay": `{"variant":"quixo/duel","moves":[]}`,
	"createGame": `{"variant":"quixo/duel","time_control":"300","seats":[{"player_id":"ANNA"},{"player_id":"PAUL"}]}`,
	"sitDown":    `{}`, "playMove": `{"seat":1,"turn":99,"move":"c1-c5"}`, "sendNonce": `{"seat":1,"nonce":"00"}`,
	"resignGame": `{}`, "drawGame": `{"action":"decline"}`, "offerTakeback": `{"action":"decline"}`,
	"pauseGame": `{"reason":"x"}`, "resumeGame": `{"reason":"x"}`, "changeClock": `{"seat":8,"add_ms":1,"reason":"x"}`,
	"adjudicateGame": `{"ranks":[1,2,3],"reason":"x"}`, "forfeitGame": `{"seat":1,"reason":"x"}`,
	"takeBackMoves": `{"turn":99,"plies":1,"reason":"x"}`, "callArbiterToGame": `{}`, "callArbiter": `{}`,
	"createTournament": `{"name":"Other","variant":"quixo/duel","format":"swiss","rounds":1,"time_control":"300"}`,
	"reportResult":     `{"result":"1-0","saw":"x"}`, "createRatingMark": `{"player_id":"nobody","reason":"x"}`,
	"createWebhook": `{"name":"x","url":"https://hooks.example.org/","kinds":["entry.changed"]}`,
	"setResults":    `{"results":[{"board":1,"result":"1-0"}]}`,
	"createSeries":  `{"name":"Autumn"}`, "updateSeries": `{"best":2}`,
	"createLeague": `{"name":"L","season":{"tournament":{"variant":"quixo/duel","format":"round_robin","time_control":"300"}}}`,
	"updateLeague": `{"name":"M"}`, "updateLeagueSeason": `{"up":1}`, "updateSeason": `{"best":2}`,
	"createSeason": `{"name":"S","from":"2026-09-01","to":"2027-06-30"}`,
	"createLadder": `{"name":"Club","variant":"quixo/duel","time_control":"300"}`, "joinLadder": `{}`,
	"setLadderHoliday":  `{}`,
	"updateLadder":      `{"name":"M"}`,
	"challengeOnLadder": `{"player_id":"PAUL"}`, "setLadderResult": `{"score":"1"}`,
	"importRatings": "player,list\n", "importPlayers": "name\n", "importTournament": "none",
}

// matrixIdentity is a column of the matrix.
type matrixIdentity struct {
	name string
	apitest.Person
	session bool
}

// TestRightsMatrix sends every operation of the contract as every kind of visitor, with a session, with a token of each
// scope, and with tokens for this tournament and for another, and holds the rights that show to testdata/rights.tsv,
// statuses and headers to testdata/operations.tsv. An operation that is new must be added there: -args -update writes
// the files, and their difference is to be read.
func TestRightsMatrix(t *testing.T) {
	if testing.Short() {
		t.Skip("sends thousands of requests")
	}
	s := apitest.NewScene(t)
	m := newMatrix(t, s)
	var rows []string
	paths := apitest.Contract().Paths.Map()
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		operations := paths[path].Operations()
		for _, method := range slices.Sorted(maps.Keys(operations)) {
			rows = append(rows, m.row(t, method, path, operations[method]))
		}
	}
	compareGolden(t, "operations.tsv", m.operations())
	compareGolden(t, "rights.tsv", m.head()+strings.Join(rows, "\n")+"\n")
}

// matrix is a club with a tournament in its first round, and its visitors.
type matrix struct {
	*apitest.Scene
	cup, entry, game string
	board            string
	dora             apitest.Person // plays in the tournament, and is acted on
	columns          []matrixIdentity
	heads            []answeredHead
}

// answeredHead is a status with headers, and the columns that an operation gave it to.
type answeredHead struct{ operation, status, headers, columns string }

func newMatrix(t *testing.T, s *apitest.Scene) *matrix {
	t.Helper()
	m := &matrix{Scene: s}
	var entered []string
	for _, login := range []string{"bert", "carl", "dora"} {
		m.dora = s.Register(login)
		entered = append(entered, m.dora.Player)
	}
	m.cup, m.entry = s.Prepare(t, "drawn", entered)
	other, _ := s.Prepare(t, "published", entered)
	s.Olga.Send(http.MethodPatch, "/tournaments/"+m.cup, `{"venue":"server"}`, apitest.AnyVersion)
	round := s.Olga.Post("/tournaments/"+m.cup+"/rounds/1/publish", nil).Want(t, http.StatusOK)
	for i := range round.List("pairings") {
		if slices.Contains(round.List("pairings", i, "seats"), any(m.entry)) {
			m.board, m.game = fmt.Sprint(round.Number("pairings", i, "board")), round.Text("pairings", i, "game_id")
		}
	}
	m.columns = append(m.columns, matrixIdentity{"anonymous", s.Anonymous(), false})
	for _, v := range s.Visitors[1:] {
		m.columns = append(m.columns, matrixIdentity{v.Name, v.Person, true})
	}
	for _, v := range s.Visitors[1:] {
		scopes := []string{"read", "play", "organise"}
		if v.Account == s.Root.Account {
			scopes = append(scopes, "admin")
		}
		for _, scope := range scopes {
			m.columns = append(m.columns, matrixIdentity{v.Name + " with " + scope, v.TokenFor(scope), false})
		}
	}
	for _, v := range s.Visitors[4:] {
		for _, scope := range []string{"display", "board", "helper"} {
			m.columns = append(m.columns, matrixIdentity{v.Name + " with " + scope, v.TokenIn(m.cup, scope), false})
		}
	}
	for _, scope := range []string{"display", "board", "helper"} {
		m.columns = append(m.columns, matrixIdentity{
			"the organiser with " + scope + " elsewhere",
			s.Olga.TokenIn(other, scope), false,
		})
	}
	return m
}

// head names the columns.
func (m *matrix) head() string {
	var b strings.Builder
	b.WriteString("# - log in; s the token lacks the scope; r not with this role, or this way; 0 not there for this one; + rights suffice\n")
	for i, c := range m.columns {
		fmt.Fprintf(&b, "# %2d %s\n", i+1, c.name)
	}
	return b.String()
}

func (m *matrix) row(t *testing.T, method, path string, op *openapi3.Operation) string {
	t.Helper()
	names := strings.NewReplacer("CUP", m.cup, "ANNA", m.Visitors[1].Player, "PAUL", m.Visitors[2].Player)
	path = strings.NewReplacer(
		"{tournament_id}", m.cup, "{game_id}", m.game, "{entry_id}", m.entry, "{round}", "1", "{season}", "1", "{board}", m.board, "{team_board}", "1",
		"{account_id}", m.dora.Account, "{player_id}", m.dora.Player, "{list}", "club", "{code}", "0000000000000000",
		"{file}", "none", "{backup_name}", "quatuor-20260101T000000.000Z.db",
	).Replace(path)
	for strings.Contains(path, "{") { // ids of what is not there
		from, to := strings.Index(path, "{"), strings.Index(path, "}")
		path = path[:from] + "01930000-0000-7000-8000-000000000000" + path[to+1:]
	}
	body := names.Replace(matrixBodies[op.OperationID])
	if good := apitest.GoodBodies(m.entry, m.Emil.Player)[op.OperationID]; len(good) > 0 {
		body = good[0]
	}
	var marks strings.Builder
	columnsOf := map[string][]string{}
	for i, c := range m.columns {
		if i > 0 && i%10 == 0 {
			marks.WriteByte(' ')
		}
		a := m.ask(t, c, method, path, body, op)
		marks.WriteByte(m.mark(t, c, a, op))
		head := headOf(a)
		columnsOf[head] = append(columnsOf[head], fmt.Sprint(i+1))
	}
	for _, head := range slices.Sorted(maps.Keys(columnsOf)) {
		status, headers, _ := strings.Cut(head, "\t")
		m.heads = append(m.heads, answeredHead{op.OperationID, status, headers, strings.Join(columnsOf[head], " ")})
	}
	return op.OperationID + "\t" + marks.String()
}

var (
	// anyID matches ids in headers, and randomValue digests, keys and times.
	anyID       = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`)
	randomValue = regexp.MustCompile(`[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]{8,})*("|;|$)|[0-9]{2}:[0-9]{2}:[0-9]{2}`)
)

// headOf returns the status and the headers of an answer, without what differs between two runs.
func headOf(a *apitest.Answer) string {
	var lines []string
	for name, values := range a.Header {
		if slices.Contains(apitest.VolatileHeaders, name) {
			continue
		}
		value := anyID.ReplaceAllString(strings.Join(values, ", "), "ID")
		switch name {
		case "Etag", "Location", "Set-Cookie", "Content-Location":
			value = randomValue.ReplaceAllString(value, "#$1")
		case "Content-Length", "Last-Modified", "Retry-After":
			value = "#"
		}
		lines = append(lines, name+": "+value)
	}
	slices.Sort(lines)
	return fmt.Sprintf("%d\t%s", a.Status, strings.Join(lines, " | "))
}

// operations writes the heads of all answers down: first each set of headers with a number, then the operations.
func (m *matrix) operations() string {
	sets := map[string]bool{}
	for _, h := range m.heads {
		sets[h.headers] = true
	}
	numbered := slices.Sorted(maps.Keys(sets))
	var b strings.Builder
	for i, headers := range numbered {
		fmt.Fprintf(&b, "# headers %d: %s\n", i+1, headers)
	}
	for _, h := range m.heads {
		fmt.Fprintf(&b, "%s\t%s\theaders %d\t%s\n", h.operation, h.status, slices.Index(numbered, h.headers)+1, h.columns)
	}
	return b.String()
}

// ask sends a request.
func (m *matrix) ask(t *testing.T, c matrixIdentity, method, path, body string, op *openapi3.Operation) *apitest.Answer {
	t.Helper()
	p := c.Person
	if c.session {
		p = p.Again() // some operations end sessions
	}
	switch {
	case strings.Contains("/healthz /readyz /openapi.yaml /openapi.json /docs /docs/none /.well-known/jwks.json", path):
		path = "/" + path
	case op.OperationID == "listAccounts":
		path += "?login=anna"
	case op.OperationID == "explainStandings":
		path += "?entry=" + m.entry
	case strings.HasPrefix(op.OperationID, "export") && op.Parameters.GetByInAndName("query", "format") != nil:
		path += "?format=csv"
	case op.OperationID == "getRatingProspect":
		path += "?against=" + m.Emil.Player
	}
	return m.request(t, p, method, path, body, op)
}

// mark returns the mark of an answer.
func (m *matrix) mark(t *testing.T, c matrixIdentity, a *apitest.Answer, op *openapi3.Operation) byte {
	t.Helper()
	switch {
	case a.Status == http.StatusUnauthorized && strings.Contains(string(a.Raw), "/problems/unauthorized"):
		return '-'
	case a.Status == http.StatusForbidden && strings.Contains(string(a.Raw), "/problems/insufficient-scope"):
		return 's'
	case a.Status == http.StatusForbidden:
		return 'r'
	case a.Status == http.StatusNotFound:
		return '0'
	case a.Status == http.StatusBadRequest:
		t.Errorf("%s: the request of this test is refused by the contract, so it shows no right: %s", op.OperationID, a.Raw)
	case a.Status >= http.StatusInternalServerError:
		t.Errorf("%s as %s: %d %s", op.OperationID, c.name, a.Status, a.Raw)
	}
	return '+'
}

func (m *matrix) request(t *testing.T, p apitest.Person, method, path, body string,
	op *openapi3.Operation,
) *apitest.Answer {
	t.Helper()
	target := "/api/v1" + path
	if rest, outside := strings.CutPrefix(path, "//"); outside {
		target = "/" + rest
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r := httptest.NewRequestWithContext(ctx, method, target, strings.NewReader(body))
	if op.RequestBody != nil {
		kind := "application/json"
		for _, other := range slices.Sorted(maps.Keys(op.RequestBody.Value.Content)) {
			if other != kind && body != "" && body[0] != '{' {
				kind = other
			}
		}
		r.Header.Set("Content-Type", kind)
	}
	if p.Token != "" {
		r.Header.Set("Authorization", "Bearer "+p.Token)
	}
	r.Header.Set("If-Match", `"stale"`)
	if !strings.HasPrefix(op.OperationID, "stream") {
		return m.Serve(r)
	}
	w := &hangingUp{httptest.NewRecorder(), cancel}
	m.Server.ServeHTTP(w, r)
	return &apitest.Answer{Status: w.Code, Header: w.Header(), Raw: w.Body.Bytes(), Request: method + " " + path}
}

// hangingUp is a client that reads the beginning of an answer.
type hangingUp struct {
	*httptest.ResponseRecorder
	cancel context.CancelFunc
}

func (h *hangingUp) Write(text []byte) (int, error) {
	h.cancel()
	return h.ResponseRecorder.Write(text)
}
