package api_test

import (
	"net/http"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

// TestClubWritesItsOwnSentence on the first page: by the form or the API, as text, and nothing that cannot be shown.
func TestClubWritesItsOwnSentence(t *testing.T) {
	s := newService(t, withRealPages)
	root := s.withRole("root", account.RoleAdmin)
	desk := s.visits("root")
	standard := textOf(t, languages()[0], "lobby.welcome")
	english := header{"Accept-Language", "en"}
	s.visitor().get("/", english).want(t, http.StatusOK).says(t, standard)
	version := "0"
	save := func(welcome string) *answer {
		return desk.post("/admin/settings", "name", "Club", "welcome", welcome, "language", "en", "time_zone", "",
			"registration", "open", "reach", "local", "version", version)
	}
	for _, refused := range []string{strings.Repeat("é", 301), "bell \a", "turned \u202e round"} {
		save(refused).alert(t, http.StatusUnprocessableEntity, textOf(t, languages()[0], "accounts.fault.welcome"))
	}
	save(" We play on Tuesdays.\r\n<b>Come in!</b> ").to(t, "/admin?said=saved")
	s.visitor().get("/", english).want(t, http.StatusOK).
		has(t, "We play on Tuesdays.\n&lt;b&gt;Come in!&lt;/b&gt;</p>").lacks(t, standard)
	desk.get("/admin/settings").want(t, http.StatusOK).
		has(t, "We play on Tuesdays.\n&lt;b&gt;Come in!&lt;/b&gt;</textarea>")
	desk.get("/admin/log").want(t, http.StatusOK).says(t, textOf(t, languages()[0], "admin_log.value.welcome"))

	now := root.get("/settings").want(t, http.StatusOK)
	if got := now.text("welcome"); got != "We play on Tuesdays.\n<b>Come in!</b>" {
		t.Errorf("welcome is %q", got)
	}
	patch := func(body string) *answer { return root.send(http.MethodPatch, "/settings", body, anyVersion) }
	patch(`{"welcome":"bell \u0007"}`).refused(t, http.StatusBadRequest, "malformed").has(t, "/welcome")
	patch(`{"name":"Other"}`).want(t, http.StatusOK).has(t, "Tuesdays")
	patch(`{"welcome":""}`).want(t, http.StatusOK).lacks(t, "welcome")
	s.visitor().get("/", english).want(t, http.StatusOK).says(t, standard)
}
