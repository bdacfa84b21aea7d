package api_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// matrixBodies are bodies for the operations that [goodBodies] has none for.
var matrixBodies = map[string]string{
	"createAccount": `{"login":"somebody","password":"correct horse battery"}`, "updateAccount": `{"disabled":false}`,
	"createSession": `{"login":"anna","password":"correct horse battery"}`, "refreshSession": `{"refresh_token":"qr_none"}`,
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
	"createLadder": `{"name":"Club","variant":"quixo/duel","time_control":"300"}`, "joinLadder": `{}`, "setLadderHoliday": `{}`,
	"updateLadder":      `{"name":"M"}`,
	"challengeOnLadder": `{"player_id":"PAUL"}`, "setLadderResult": `{"score":"1"}`,
	"importRatings": "player,list\n", "importPlayers": "name\n", "importTournament": "none",
}

// identity is one column of the matrix.
type matrixIdentity struct {
	name string
	person
	session bool
}

// TestRightsMatrix sends every operation of the contract as every kind of visitor, with a session, with a token of each
// scope, and with tokens for this tournament and for another one, and holds the rights that show to testdata/rights.tsv,
// statuses and headers to testdata/operations.tsv. An operation that is new must be added there: -args -update writes the
// files, and their difference is to be read.
func TestRightsMatrix(t *testing.T) {
	if testing.Short() {
		t.Skip("sends thousands of requests")
	}
	s := newScene(t)
	m := newMatrix(t, s)
	var rows []string
	paths := theContract().Paths.Map()
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		operations := paths[path].Operations()
		for _, method := range slices.Sorted(maps.Keys(operations)) {
			rows = append(rows, m.row(t, method, path, operations[method]))
		}
	}
	compareGolden(t, "operations.tsv", m.operations())
	got := m.head() + strings.Join(rows, "\n") + "\n"
	const file = "testdata/rights.tsv"
	if *updateGolden {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	was := strings.Split(string(want), "\n")
	for _, line := range strings.Split(got, "\n") {
		if !slices.Contains(was, line) {
			t.Errorf("not in %s:\n%s", file, line)
		}
	}
	if now := strings.Count(got, "\n"); now != len(was)-1 {
		t.Errorf("%s has %d lines, there are %d", file, len(was)-1, now)
	}
}

// matrix is a club with a tournament in its first round, and its visitors.
type matrix struct {
	*scene
	cup, entry, game string
	board            string
	dora             person // plays in the tournament, and is acted on
	columns          []matrixIdentity
	heads            []answeredHead
}

// answeredHead is a status with headers, and the columns that an operation gave it to.
type answeredHead struct{ operation, status, headers, columns string }

func newMatrix(t *testing.T, s *scene) *matrix {
	t.Helper()
	m := &matrix{scene: s}
	var entered []string
	for _, login := range []string{"bert", "carl", "dora"} {
		m.dora = s.register(login)
		entered = append(entered, m.dora.player)
	}
	m.cup, m.entry = s.prepare(t, "drawn", entered)
	other, _ := s.prepare(t, "published", entered)
	s.olga.send(http.MethodPatch, "/tournaments/"+m.cup, `{"venue":"server"}`, anyTag)
	round := s.olga.post("/tournaments/"+m.cup+"/rounds/1/publish", nil).want(t, http.StatusOK)
	for i := range round.list("pairings") {
		if slices.Contains(round.list("pairings", i, "seats"), any(m.entry)) {
			m.board, m.game = fmt.Sprint(round.number("pairings", i, "board")), round.text("pairings", i, "game_id")
		}
	}
	m.columns = append(m.columns, matrixIdentity{"anonymous", s.anonymous(), false})
	for _, v := range s.visitors[1:] {
		m.columns = append(m.columns, matrixIdentity{v.name, v.person, true})
	}
	for _, v := range s.visitors[1:] {
		scopes := []string{"read", "play", "organise"}
		if v.account == s.root.account {
			scopes = append(scopes, "admin")
		}
		for _, scope := range scopes {
			m.columns = append(m.columns, matrixIdentity{v.name + " with " + scope, v.tokenFor(scope), false})
		}
	}
	for _, v := range s.visitors[4:] {
		for _, scope := range []string{"display", "board", "helper"} {
			m.columns = append(m.columns, matrixIdentity{v.name + " with " + scope, v.tokenIn(m.cup, scope), false})
		}
	}
	for _, scope := range []string{"display", "board", "helper"} {
		m.columns = append(m.columns, matrixIdentity{"the organiser with " + scope + " elsewhere", s.olga.tokenIn(other, scope), false})
	}
	return m
}

// tokenIn makes an API token for one tournament.
func (p person) tokenIn(tournament string, scopes ...string) person {
	p.s.t.Helper()
	made := p.post("/me/tokens", map[string]any{"name": "test", "scopes": scopes, "tournament_id": tournament}).
		want(p.s.t, http.StatusCreated)
	p.token = made.text("token")
	return p
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
	names := strings.NewReplacer("CUP", m.cup, "ANNA", m.visitors[1].player, "PAUL", m.visitors[2].player)
	path = strings.NewReplacer(
		"{tournament_id}", m.cup, "{game_id}", m.game, "{entry_id}", m.entry, "{round}", "1", "{season}", "1", "{board}", m.board, "{team_board}", "1",
		"{account_id}", m.dora.account, "{player_id}", m.dora.player, "{list}", "club", "{code}", "0000000000000000",
		"{file}", "none", "{backup_name}", "quatuor-20260101T000000.000Z.db",
	).Replace(path)
	for strings.Contains(path, "{") { // ids of what is not there
		from, to := strings.Index(path, "{"), strings.Index(path, "}")
		path = path[:from] + "01930000-0000-7000-8000-000000000000" + path[to+1:]
	}
	body := names.Replace(matrixBodies[op.OperationID])
	if good := goodBodies(m.entry, m.emil.player)[op.OperationID]; len(good) > 0 {
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
func headOf(a *answer) string {
	var lines []string
	for name, values := range a.header {
		if slices.Contains(volatileHeaders, name) {
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
	return fmt.Sprintf("%d\t%s", a.status, strings.Join(lines, " | "))
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

// ask sends one request.
func (m *matrix) ask(t *testing.T, c matrixIdentity, method, path, body string, op *openapi3.Operation) *answer {
	t.Helper()
	p := c.person
	if c.session {
		p = p.again() // some operations end sessions
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
		path += "?against=" + m.emil.player
	}
	return m.request(t, p, method, path, body, op)
}

// mark returns the mark of an answer.
func (m *matrix) mark(t *testing.T, c matrixIdentity, a *answer, op *openapi3.Operation) byte {
	t.Helper()
	switch {
	case a.status == http.StatusUnauthorized && strings.Contains(string(a.raw), "/problems/unauthorized"):
		return '-'
	case a.status == http.StatusForbidden && strings.Contains(string(a.raw), "/problems/insufficient-scope"):
		return 's'
	case a.status == http.StatusForbidden:
		return 'r'
	case a.status == http.StatusNotFound:
		return '0'
	case a.status == http.StatusBadRequest:
		t.Errorf("%s: the request of this test is refused by the contract, so it shows no right: %s", op.OperationID, a.raw)
	case a.status >= http.StatusInternalServerError:
		t.Errorf("%s as %s: %d %s", op.OperationID, c.name, a.status, a.raw)
	}
	return '+'
}

func (m *matrix) request(t *testing.T, p person, method, path, body string, op *openapi3.Operation) *answer {
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
	if p.token != "" {
		r.Header.Set("Authorization", "Bearer "+p.token)
	}
	r.Header.Set("If-Match", `"stale"`)
	if !strings.HasPrefix(op.OperationID, "stream") {
		return m.serve(r)
	}
	w := &hangingUp{httptest.NewRecorder(), cancel}
	m.server.ServeHTTP(w, r)
	return &answer{status: w.Code, header: w.Header(), raw: w.Body.Bytes(), what: method + " " + path}
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
