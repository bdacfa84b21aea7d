package phones_test

import (
	"net/http"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestPlayersReportTheirResult with codes alone, and what the public sees of it.
func TestPlayersReportTheirResult(t *testing.T) {
	s := apitest.New(t)
	olga, path, codes := apitest.HallEvent(t, s)
	anyone := s.Anonymous()
	before := anyone.Get(path).Want(t, http.StatusOK)
	white, black := codes[0][0], codes[0][1]
	first := apitest.Report(t, anyone, white, 1, "1-0")
	anyone.Post("/results/"+white, first).Want(t, http.StatusOK).Has(t, `"reportable":true`)
	anyone.Post("/results/"+white, first).Want(t, http.StatusOK) // sent again
	anyone.Post("/results/"+white, map[string]any{"result": "0-1", "saw": first["saw"]}).
		Refused(t, http.StatusPreconditionFailed, "stale")
	anyone.Post("/results/"+white, map[string]any{"saw": first["saw"]}).
		Refused(t, http.StatusUnprocessableEntity, "invalid")
	anyone.Post("/results/"+white+"/call", `{"word":"my clock"}`).Want(t, http.StatusNoContent)
	after := anyone.Get(path).Want(t, http.StatusOK)
	if before.IfMatch() != after.IfMatch() || string(before.Raw) != string(after.Raw) {
		t.Errorf("the public sees a report that is not confirmed, or a call:\n%s\n%s", before.Raw, after.Raw)
	}
	anyone.Post("/results/"+black, apitest.Report(t, anyone, black, 2, "1-0")).Want(t, http.StatusOK).
		Has(t, `"result":"1-0"`, `"reportable":false`)
	anyone.Post("/results/"+black, map[string]any{"result": "0-1", "saw": "x"}).
		Refused(t, http.StatusConflict, "wrong-state")
	anyone.Get(path+"/rounds/1/pairings/1/result").Want(t, http.StatusOK).Has(t, `"source":"players"`, `"by":"players"`)
	anyone.Get(path+"/history").Want(t, http.StatusOK).Has(t, `"by":"players"`)
	olga.Get(path+"/history").Want(t, http.StatusOK).Has(t, `"by":"players"`)

	call := olga.Get(path+"/calls").Want(t, http.StatusOK).Has(t, "my clock")
	answering := path + "/calls/" + call.Text("items", 0, "id")
	olga.Send(http.MethodPut, answering, `{"status":"settled"}`).Want(t, http.StatusNoContent)
	olga.Send(http.MethodPut, answering, `{"status":"seen"}`).Refused(t, http.StatusNotFound, "not-found")
	anyone.Post("/results/"+white+"/call", `{}`).Refused(t, http.StatusTooManyRequests, "too-many-requests")
}

// TestCodesAreStaffs: only a tournament's staff see its codes and calls, and replace them.
func TestCodesAreStaffs(t *testing.T) {
	s := apitest.New(t)
	olga, path, codes := apitest.HallEvent(t, s)
	other, ada := s.WithRole("oskar", account.RoleOrganiser), s.Register("ada")
	for _, p := range []apitest.Person{other, ada, s.Anonymous()} {
		for _, address := range []string{"/rounds/1/codes", "/calls"} {
			if got := p.Get(path + address); got.Status != http.StatusForbidden && got.Status != http.StatusUnauthorized {
				t.Errorf("%s: %d", address, got.Status)
			}
		}
		got := p.Post(path+"/rounds/1/codes", `{"revoke":true}`)
		if got.Status != http.StatusForbidden && got.Status != http.StatusUnauthorized {
			t.Errorf("revoking: %d", got.Status)
		}
	}
	olga.Get(path+"/rounds/2/codes").Refused(t, http.StatusConflict, "wrong-state")
	fresh := apitest.CodesOf(t, olga.Post(path+"/rounds/1/codes", `{"board":1,"revoke":false}`))
	if fresh[0][0] == codes[0][0] || fresh[1][0] != codes[1][0] {
		t.Errorf("codes %v after those of board 1 of %v were replaced", fresh, codes)
	}
	gone := s.Anonymous().Get("/results/"+codes[0][0]).Refused(t, http.StatusNotFound, "not-found").Text("detail")
	never := s.Anonymous().Get("/results/0000-0000-0000-0000").Refused(t, http.StatusNotFound, "not-found").Text("detail")
	if gone != never {
		t.Errorf("a replaced code is told from one that never was: %q, %q", gone, never)
	}
	if left := apitest.CodesOf(t, olga.Post(path+"/rounds/1/codes", `{"revoke":true}`)); len(left[0]) != 0 ||
		len(left[1]) != 0 {
		t.Errorf("codes after all were revoked: %v", left)
	}
}

// TestCodesAreNotLogged, whether they are good or not.
func TestCodesAreNotLogged(t *testing.T) {
	s := apitest.New(t)
	_, _, codes := apitest.HallEvent(t, s)
	code := strings.ReplaceAll(codes[1][0], "-", "")
	s.Anonymous().Get("/results/"+code).Want(t, http.StatusOK)
	s.Anonymous().Post("/results/"+code, `{}`)
	s.Anonymous().Post("/results/"+code+"/call", `{"word":"help"}`).Want(t, http.StatusNoContent)
	s.Anonymous().Get("/results/0123456789ABCDEF")
	log := s.Log.String()
	if !strings.Contains(log, "/results/:code") {
		t.Fatalf("the requests are not in the log:\n%s", log)
	}
	for _, secret := range []string{code, codes[1][0], "0123456789ABCDEF"} {
		if strings.Contains(log, secret) {
			t.Errorf("the log holds %s", secret)
		}
	}
}
