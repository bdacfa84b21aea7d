package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

// hallEvent starts a tournament of two boards in the hall and returns its path and the codes of its first round.
func hallEvent(t *testing.T, s *service) (olga person, path string, codes [][]string) {
	t.Helper()
	olga = s.withRole("olga", account.RoleOrganiser)
	made := olga.post("/tournaments",
		`{"name":"Hall","variant":"quixo/duel","format":"round_robin","time_control":"3600","rated":true,"venue":"hall"}`).
		want(t, http.StatusCreated)
	path = "/tournaments/" + made.text("id")
	for n := range 4 {
		olga.post(path+"/entries", fmt.Sprintf(`{"name":"Player %d"}`, n+1)).want(t, http.StatusCreated)
	}
	olga.post(path+"/start", nil).want(t, http.StatusOK)
	olga.post(path+"/rounds", nil).want(t, http.StatusCreated)
	return olga, path, codesOf(t, olga.get(path+"/rounds/1/codes"))
}

func codesOf(t *testing.T, a *answer) (codes [][]string) {
	t.Helper()
	a.want(t, http.StatusOK)
	for i := range a.list("items") {
		var seats []string
		for seat := range a.list("items", i, "codes") {
			seats = append(seats, a.text("items", i, "codes", seat))
		}
		codes = append(codes, seats)
	}
	return codes
}

// said is the body of a report by a seat that has just read its board.
func said(t *testing.T, p person, code string, seat int, result string) map[string]any {
	t.Helper()
	saw := p.get("/results/"+code).want(t, http.StatusOK).text("reports", seat-1, "saw")
	return map[string]any{"result": result, "saw": saw}
}

// TestPlayersReportTheirResult with codes alone, and what the public sees of it.
func TestPlayersReportTheirResult(t *testing.T) {
	s := newService(t)
	olga, path, codes := hallEvent(t, s)
	anyone := s.anonymous()
	before := anyone.get(path).want(t, http.StatusOK)
	white, black := codes[0][0], codes[0][1]
	first := said(t, anyone, white, 1, "1-0")
	anyone.post("/results/"+white, first).want(t, http.StatusOK).has(t, `"reportable":true`)
	anyone.post("/results/"+white, first).want(t, http.StatusOK) // sent again
	anyone.post("/results/"+white, map[string]any{"result": "0-1", "saw": first["saw"]}).
		refused(t, http.StatusPreconditionFailed, "stale")
	anyone.post("/results/"+white, map[string]any{"saw": first["saw"]}).
		refused(t, http.StatusUnprocessableEntity, "invalid")
	anyone.post("/results/"+white+"/call", `{"word":"my clock"}`).want(t, http.StatusNoContent)
	after := anyone.get(path).want(t, http.StatusOK)
	if before.etag() != after.etag() || string(before.raw) != string(after.raw) {
		t.Errorf("the public sees a report that is not confirmed, or a call:\n%s\n%s", before.raw, after.raw)
	}
	anyone.post("/results/"+black, said(t, anyone, black, 2, "1-0")).want(t, http.StatusOK).
		has(t, `"result":"1-0"`, `"reportable":false`)
	anyone.post("/results/"+black, map[string]any{"result": "0-1", "saw": "x"}).
		refused(t, http.StatusConflict, "wrong-state")
	anyone.get(path+"/rounds/1/pairings/1/result").want(t, http.StatusOK).has(t, `"source":"players"`, `"by":"players"`)
	anyone.get(path+"/history").want(t, http.StatusOK).has(t, `"by":"players"`)
	olga.get(path+"/history").want(t, http.StatusOK).has(t, `"by":"players"`)

	call := olga.get(path+"/calls").want(t, http.StatusOK).has(t, "my clock")
	answering := path + "/calls/" + call.text("items", 0, "id")
	olga.send(http.MethodPut, answering, `{"status":"settled"}`).want(t, http.StatusNoContent)
	olga.send(http.MethodPut, answering, `{"status":"seen"}`).refused(t, http.StatusNotFound, "not-found")
	anyone.post("/results/"+white+"/call", `{}`).refused(t, http.StatusTooManyRequests, "too-many-requests")
}

// TestCodesAreStaffs: only a tournament's staff see its codes and calls, and replace them.
func TestCodesAreStaffs(t *testing.T) {
	s := newService(t)
	olga, path, codes := hallEvent(t, s)
	other, ada := s.withRole("oskar", account.RoleOrganiser), s.register("ada")
	for _, p := range []person{other, ada, s.anonymous()} {
		for _, address := range []string{"/rounds/1/codes", "/calls"} {
			if got := p.get(path + address); got.status != http.StatusForbidden && got.status != http.StatusUnauthorized {
				t.Errorf("%s: %d", address, got.status)
			}
		}
		got := p.post(path+"/rounds/1/codes", `{"revoke":true}`)
		if got.status != http.StatusForbidden && got.status != http.StatusUnauthorized {
			t.Errorf("revoking: %d", got.status)
		}
	}
	olga.get(path+"/rounds/2/codes").refused(t, http.StatusConflict, "wrong-state")
	fresh := codesOf(t, olga.post(path+"/rounds/1/codes", `{"board":1,"revoke":false}`))
	if fresh[0][0] == codes[0][0] || fresh[1][0] != codes[1][0] {
		t.Errorf("codes %v after those of board 1 of %v were replaced", fresh, codes)
	}
	gone := s.anonymous().get("/results/"+codes[0][0]).refused(t, http.StatusNotFound, "not-found").text("detail")
	never := s.anonymous().get("/results/0000-0000-0000-0000").refused(t, http.StatusNotFound, "not-found").text("detail")
	if gone != never {
		t.Errorf("a replaced code is told from one that never was: %q, %q", gone, never)
	}
	if left := codesOf(t, olga.post(path+"/rounds/1/codes", `{"revoke":true}`)); len(left[0]) != 0 || len(left[1]) != 0 {
		t.Errorf("codes after all were revoked: %v", left)
	}
}

// TestCodesAreNotLogged, whether they are good or not.
func TestCodesAreNotLogged(t *testing.T) {
	s := newService(t)
	_, _, codes := hallEvent(t, s)
	code := strings.ReplaceAll(codes[1][0], "-", "")
	s.anonymous().get("/results/"+code).want(t, http.StatusOK)
	s.anonymous().post("/results/"+code, `{}`)
	s.anonymous().post("/results/"+code+"/call", `{"word":"help"}`).want(t, http.StatusNoContent)
	s.anonymous().get("/results/0123456789ABCDEF")
	log := s.log.String()
	if !strings.Contains(log, "/results/:code") {
		t.Fatalf("the requests are not in the log:\n%s", log)
	}
	for _, secret := range []string{code, codes[1][0], "0123456789ABCDEF"} {
		if strings.Contains(log, secret) {
			t.Errorf("the log holds %s", secret)
		}
	}
}
