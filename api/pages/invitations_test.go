package pages

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"quatuor/engine/table"
)

// answer posts the visitor's answer to an invitation.
func (w *town) answer(path, as string) *httptest.ResponseRecorder {
	req := httptest.NewRequest(http.MethodPost, path, nil)
	if as != "" {
		req.Header.Set("X-As", as)
	}
	answer := httptest.NewRecorder()
	w.echo.ServeHTTP(answer, req)
	return answer
}

// TestInvitationPages shows an invitation to those it concerns, and lets them answer.
func TestInvitationPages(t *testing.T) {
	w := newTown(t)
	invite := func(id string) {
		w.open(table.NewGame{
			ID: id, Variant: "quivive/melee", Players: []string{"p1", "p2", "p3"}, Controls: []string{"300"}, Rated: true,
			Invited: table.SeatSet(0).With(2).With(3),
		})
	}
	invite("one")
	invite("two")
	for _, c := range []struct {
		as, path string
		has      []string
		lacks    []string
	}{
		{
			"", "/games/one",
			[]string{"Still to accept: <strong>Charles Babbage, Émilie du Châtelet</strong>"},
			[]string{"<button>Accept", "/decline"},
		},
		{"p1", "/games/one", []string{"Still to accept:"}, []string{"<button>Accept"}},
		{"p2", "/games/one", []string{`action="/games/one/accept" method="post"`, `formaction="/games/one/decline"`}, nil},
		{"p2", "/", []string{"Invitations", "waits for you", "/games/one", "/games/two"}, nil},
		{"p1", "/", []string{"Invitations", "waits for Charles Babbage and Émilie du Châtelet"}, []string{"waits for you"}},
		{"p4", "/", nil, []string{"Invitations"}},
		{"", "/", nil, []string{"Invitations"}},
	} {
		page := w.page(c.path, c.as)
		for _, text := range c.has {
			if !strings.Contains(page, text) {
				t.Errorf("%s as %q lacks %q", c.path, c.as, text)
			}
		}
		for _, text := range c.lacks {
			if strings.Contains(page, text) {
				t.Errorf("%s as %q has %q", c.path, c.as, text)
			}
		}
	}

	if a := w.answer("/games/one/accept", ""); a.Code != http.StatusSeeOther ||
		a.Header().Get("Location") != "/login?next=/games/one" {
		t.Errorf("without a login: %d to %s", a.Code, a.Header().Get("Location"))
	}
	if a := w.answer("/games/one/accept", "p4"); a.Code != http.StatusForbidden {
		t.Errorf("by somebody else: %d", a.Code)
	}
	if a := w.answer("/games/none/accept", "p2"); a.Code != http.StatusNotFound {
		t.Errorf("of a game that is not there: %d", a.Code)
	}
	for _, c := range []struct{ path, as, says string }{
		{"/games/one/accept", "p2", "Still to accept: <strong>Émilie du Châtelet</strong>"},
		{"/games/one/accept", "p2", "Still to accept: <strong>Émilie du Châtelet</strong>"},
		{"/games/one/accept", "p3", "is to move"},
		{"/games/one/decline", "p3", "is to move"}, // too late
		{"/games/two/decline", "p3", "declined by Émilie du Châtelet"},
		{"/games/two/accept", "p2", "was broken off"}, // too late
	} {
		if a := w.answer(c.path, c.as); a.Code != http.StatusSeeOther ||
			!strings.HasPrefix(c.path, a.Header().Get("Location")) {
			t.Errorf("%s as %s: %d to %s", c.path, c.as, a.Code, a.Header().Get("Location"))
		}
		if page := w.page(c.path[:len("/games/one")], c.as); !strings.Contains(page, c.says) {
			t.Errorf("after %s as %s the page lacks %q", c.path, c.as, c.says)
		}
	}
	if strings.Contains(w.page("/", "p3"), "Invitations") {
		t.Error("the first page still lists what was answered")
	}
}
