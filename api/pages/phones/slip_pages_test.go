package phones_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"quatuor/api/apitest"
)

// phonePage opens a page of a code as a phone without an account does.
func phonePage(t *testing.T, s *apitest.Service, path string, form url.Values) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, path, nil)
	if form != nil {
		r = httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	r.Header.Set("Accept-Encoding", "gzip")
	w := httptest.NewRecorder()
	s.Server.ServeHTTP(w, r)
	return w
}

var sawField = regexp.MustCompile(`name="saw" value="([0-9a-f]+)"`)

// TestPagesOfCodes: the pages keep their address to themselves, are never compressed or cached, and answer all bad
// codes alike; an empty form and an outdated form change nothing.
func TestPagesOfCodes(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	_, path, codes := apitest.HallEvent(t, s)
	white := "/r/" + strings.ReplaceAll(codes[0][0], "-", "")
	w := phonePage(t, s, white, nil)
	for name, want := range map[string]string{
		"Cache-Control": "no-store", "Referrer-Policy": "strict-origin",
		"Content-Encoding": "", "Etag": "", "X-Robots-Tag": "noindex",
	} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if strings.Contains(w.Body.String(), "login?next="+white) {
		t.Error("the page hands its address to the login page")
	}
	saw := sawField.FindStringSubmatch(w.Body.String())
	if w.Code != http.StatusOK || saw == nil {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	steps := []struct {
		form   url.Values
		status int
	}{
		{url.Values{"saw": saw[1:]}, http.StatusUnprocessableEntity},
		{url.Values{}, http.StatusUnprocessableEntity},
		{url.Values{"saw": saw[1:], "verdict": {"2-0"}}, http.StatusUnprocessableEntity},
		{url.Values{"saw": saw[1:], "verdict": {"+--"}}, http.StatusUnprocessableEntity},
		{url.Values{"saw": saw[1:], "verdict": {strings.Repeat("1,", 10_000)}}, http.StatusUnprocessableEntity},
		{url.Values{"saw": {"x"}, "verdict": {"1-0"}}, http.StatusPreconditionFailed},
		{url.Values{"saw": saw[1:], "verdict": {"1-0"}}, http.StatusSeeOther},
		{url.Values{"saw": saw[1:], "verdict": {"1-0"}}, http.StatusSeeOther},
		{url.Values{"saw": saw[1:], "verdict": {"0-1"}}, http.StatusPreconditionFailed},
	}
	for i, step := range steps {
		if got := phonePage(t, s, white, step.form); got.Code != step.status {
			t.Errorf("step %d: %d, want %d", i, got.Code, step.status)
		}
	}
	s.Anonymous().Get("/results/"+codes[0][0]).Want(t, http.StatusOK).Has(t, `"result":"1-0"`, `"reportable":true`)
	if got := phonePage(t, s, white+"/call", url.Values{"word": {strings.Repeat("long ",
		1000)}}); got.Code != http.StatusUnprocessableEntity {
		t.Errorf("a huge word: %d", got.Code)
	}
	same := ""
	for _, code := range []string{"0000000000000000", "x", "%00", strings.Repeat("A", 3000), "%zz"} {
		r := httptest.NewRequest(http.MethodGet, "/r/x", nil)
		r.URL.Path, r.URL.RawPath = "/r/"+code, ""
		got := httptest.NewRecorder()
		s.Server.ServeHTTP(got, r)
		if same == "" {
			same = got.Body.String()
		}
		if got.Code != http.StatusNotFound || got.Body.String() != same {
			t.Errorf("%.20q: %d, or another page", code, got.Code)
		}
	}
	for _, page := range []string{"/desk/codes", "/print/slips", "/print/cards"} {
		id := strings.TrimPrefix(path, "/tournaments/")
		if got := phonePage(t, s, "/tournaments/"+id+page, nil); got.Code != http.StatusSeeOther ||
			!strings.HasPrefix(got.Header().Get("Location"), "/login") {
			t.Errorf("%s for a stranger: %d", page, got.Code)
		}
	}
	if public := phonePage(t, s, path, nil).Body.String(); strings.Contains(public, codes[0][0]) ||
		strings.Contains(public, white) {
		t.Error("the public page holds a code")
	}
}
