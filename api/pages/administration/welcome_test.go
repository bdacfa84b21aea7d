package administration_test

import (
	"net/http"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestClubWritesItsOwnSentence on the first page: by the form or the API, as text, and nothing that cannot be shown.
func TestClubWritesItsOwnSentence(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	root := s.WithRole("root", account.RoleAdmin)
	desk := s.LoggedIn("root")
	standard := apitest.TextOf(t, apitest.Languages()[0], "lobby.welcome")
	english := apitest.Header{"Accept-Language", "en"}
	s.Visitor().Get("/", english).Want(t, http.StatusOK).Says(t, standard)
	version := "0"
	save := func(welcome string) *apitest.Answer {
		return desk.Post("/admin/settings", "name", "Club", "welcome", welcome, "language", "en", "time_zone", "",
			"registration", "open", "reach", "local", "version", version)
	}
	for _, refused := range []string{strings.Repeat("é", 301), "bell \a", "turned \u202e round"} {
		save(refused).Alert(t, http.StatusUnprocessableEntity,
			apitest.TextOf(t, apitest.Languages()[0], "accounts.fault.welcome"))
	}
	save(" We play on Tuesdays.\r\n<b>Come in!</b> ").RedirectsTo(t, "/admin?said=saved")
	s.Visitor().Get("/", english).Want(t, http.StatusOK).
		Has(t, "We play on Tuesdays.\n&lt;b&gt;Come in!&lt;/b&gt;</p>").Lacks(t, standard)
	desk.Get("/admin/settings").Want(t, http.StatusOK).
		Has(t, "We play on Tuesdays.\n&lt;b&gt;Come in!&lt;/b&gt;</textarea>")
	desk.Get("/admin/log").Want(t, http.StatusOK).
		Says(t, apitest.TextOf(t, apitest.Languages()[0], "admin_log.value.welcome"))

	now := root.Get("/settings").Want(t, http.StatusOK)
	if got := now.Text("welcome"); got != "We play on Tuesdays.\n<b>Come in!</b>" {
		t.Errorf("welcome is %q", got)
	}
	patch := func(body string) *apitest.Answer {
		return root.Send(http.MethodPatch, "/settings", body, apitest.AnyVersion)
	}
	patch(`{"welcome":"bell \u0007"}`).Refused(t, http.StatusBadRequest, "malformed").Has(t, "/welcome")
	patch(`{"name":"Other"}`).Want(t, http.StatusOK).Has(t, "Tuesdays")
	patch(`{"welcome":""}`).Want(t, http.StatusOK).Lacks(t, "welcome")
	s.Visitor().Get("/", english).Want(t, http.StatusOK).Says(t, standard)
}
