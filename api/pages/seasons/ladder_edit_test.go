package seasons_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"quatuor/api"
	"quatuor/api/apitest"
	"quatuor/api/stream"
	"quatuor/tournament/account"
)

// quietLadder begins a ladder that members have joined, and returns its path.
func quietLadder(t *testing.T, by apitest.Person, members ...apitest.Person) string {
	t.Helper()
	path := "/ladders/" + by.Post("/ladders", `{"name":"Club","variant":"quixo/duel","time_control":"none","venue":"hall","reach":2}`).
		Want(t, http.StatusCreated).Text("id")
	for _, p := range members {
		p.Post(path+"/members", `{}`).Want(t, http.StatusCreated)
	}
	return path
}

// TestLadderRenamed changes the name of a ladder with members: its rules stay, and no other person may.
func TestLadderRenamed(t *testing.T) {
	s := apitest.New(t)
	olga, otto := s.WithRole("olga", account.RoleOrganiser), s.WithRole("otto", account.RoleOrganiser)
	root := s.WithRole("root", account.RoleAdmin)
	ada, bob := s.Register("ada"), s.Register("bob")
	path := apitest.LadderOf(t, olga, ada, bob)
	read := olga.Get(path).Want(t, http.StatusOK)
	rename := func(p apitest.Person, name string, headers ...apitest.Header) *apitest.Answer {
		return p.Send(http.MethodPatch, path, map[string]any{"name": name}, headers...)
	}
	rename(s.Anonymous(), "Mine", apitest.AnyVersion).Want(t, http.StatusUnauthorized)
	rename(ada, "Mine", apitest.AnyVersion).Want(t, http.StatusForbidden)
	rename(otto, "Mine", apitest.AnyVersion).Want(t, http.StatusForbidden)
	rename(olga, "Evening").Want(t, http.StatusPreconditionRequired)
	rename(olga, " ", read.IfMatch()).Want(t, http.StatusBadRequest)
	for _, rule := range []string{
		`"reach":9`, `"accept":9`, `"play":9`, `"again":9`, `"rated":false`,
		`"time_control":"300"`,
	} {
		olga.Send(http.MethodPatch, path, `{"name":"Evening",`+rule+`}`, read.IfMatch()).Want(t, http.StatusBadRequest)
	}
	rename(olga, "Evening", read.IfMatch()).Want(t, http.StatusOK).Has(t, `"Evening"`)
	rename(olga, "Evening again", read.IfMatch()).Want(t, http.StatusPreconditionFailed)
	after := s.Anonymous().Get(path).Want(t, http.StatusOK)
	want := strings.Replace(string(read.Raw), `"Club"`, `"Evening"`, 1)
	if got := string(after.Raw); got != want {
		t.Errorf("the renamed ladder is\n%s\nwant\n%s", got, want)
	}
	bob.Send(http.MethodDelete, path+"/members/"+bob.Player, nil).Want(t, http.StatusOK)
	rename(root, "Club ladder", after.IfMatch()).Want(t, http.StatusOK) // what is done on a ladder does not change its tag
	if n := len(computed(t, olga, path).Log()); n != 1 {
		t.Errorf("the log has %d ends", n)
	}
	olga.Send(http.MethodPatch, "/ladders/none", `{"name":"M"}`, apitest.AnyVersion).Want(t, http.StatusNotFound)
}

// TestLadderDeleted deletes a ladder that people have joined; after a challenge it stays. A season leaves
// deleted ladders out.
func TestLadderDeleted(t *testing.T) {
	s := apitest.New(t)
	olga, otto := s.WithRole("olga", account.RoleOrganiser), s.WithRole("otto", account.RoleOrganiser)
	ada, bob := s.Register("ada"), s.Register("bob")
	path := quietLadder(t, olga, ada, bob)
	remove := func(p apitest.Person, headers ...apitest.Header) *apitest.Answer {
		return p.Send(http.MethodDelete, path, nil, headers...)
	}
	season := apitest.SeasonOf(t, olga, path)
	read := olga.Get(path)
	remove(s.Anonymous(), apitest.AnyVersion).Want(t, http.StatusUnauthorized)
	remove(ada, apitest.AnyVersion).Want(t, http.StatusForbidden)
	remove(otto, apitest.AnyVersion).Want(t, http.StatusForbidden)
	remove(olga).Want(t, http.StatusPreconditionRequired)
	olga.Send(http.MethodPatch, path, `{"name":"Evening"}`, read.IfMatch()).Want(t, http.StatusOK)
	remove(olga, read.IfMatch()).Want(t, http.StatusPreconditionFailed)
	remove(olga, olga.Get(path).IfMatch()).Want(t, http.StatusNoContent)
	remove(olga, apitest.AnyVersion).Want(t, http.StatusNotFound)
	ada.Get(path).Want(t, http.StatusNotFound)
	ada.Post(path+"/challenges", map[string]any{"player_id": bob.Player}).Want(t, http.StatusNotFound)
	if n := len(s.Anonymous().Get(season).Want(t, http.StatusOK).List("parts")); n != 0 {
		t.Errorf("%d parts are left of one that was deleted", n)
	}
	s.Register("cleo").Send(http.MethodDelete, "/me", map[string]any{"password": apitest.Password}).
		Want(t, http.StatusNoContent)

	path = quietLadder(t, olga, ada, bob)
	bob.Post(path+"/challenges", map[string]any{"player_id": ada.Player}).Want(t, http.StatusCreated)
	remove(olga, apitest.AnyVersion).Refused(t, http.StatusConflict, "wrong-state").Has(t, "archives and seasons")
	bob.Send(http.MethodDelete, path+"/members/"+bob.Player, nil).Want(t, http.StatusOK) // which ends the challenge
	remove(olga, apitest.AnyVersion).Refused(t, http.StatusConflict, "wrong-state")
	if n := len(s.Anonymous().Get(path+"/log").Want(t, http.StatusOK).List("items")); n != 1 {
		t.Errorf("the log has %d ends", n)
	}
}

// TestLadderForms renames and deletes a ladder by the forms of its page, which an open page follows.
func TestLadderForms(t *testing.T) {
	s := apitest.New(t, apitest.WithPages, func(c *apitest.Config) {
		c.Edit = func(d *api.Config) {
			d.Rest.Commands.LadderChanged = func(id string) { d.Hub.SyncTopic(stream.OfLadder(id)) }
		}
	})
	server := httptest.NewServer(s.Server)
	t.Cleanup(server.Close)
	olga, ada, bob := s.WithRole("olga", account.RoleOrganiser), s.Register("ada"), s.Register("bob")
	path := quietLadder(t, olga, ada, bob)
	v := s.LoggedIn("olga")
	_, rest, _ := strings.Cut(v.Get(path).Want(t, http.StatusOK).Has(t, path+"/edit", path+"/delete", "The name alone changes").Page(),
		`data-live="`)
	live, _, _ := strings.Cut(rest, `"`)
	follow := apitest.OpenStream(t, server, "/live?0="+url.QueryEscape(live), ada.Token)
	s.LoggedIn("ada").Get(path).Want(t, http.StatusOK).Lacks(t, path+"/edit", path+"/delete")
	s.LoggedIn("ada").Post(path+"/edit", "seen", `"v1"`, "name", "Mine").Want(t, http.StatusForbidden)
	s.LoggedIn("ada").Post(path+"/delete", "seen", `"v1"`).Want(t, http.StatusForbidden)
	v.Post(path+"/edit", "seen", `"v1"`, "name", "Evening ladder").RedirectsTo(t, path+"?said=saved")
	for line := ""; !strings.Contains(line, "Evening ladder"); {
		var err error
		if line, err = follow.ReadString('\n'); err != nil {
			t.Fatalf("the name is not sent: %v", err)
		}
	}
	v.Post(path+"/edit", "seen", `"v1"`, "name", "Other").Want(t, http.StatusPreconditionFailed).Has(t, `value="Other"`, `value="&#34;v2&#34;"`)
	v.Post(path+"/edit", "seen", `"v2"`, "name", " ").Want(t, http.StatusUnprocessableEntity)
	v.Post(path+"/delete", "seen", `"v1"`).Want(t, http.StatusPreconditionFailed)
	v.Post(path+"/delete", "seen", `"v2"`).RedirectsTo(t, "/tournaments?said=ladder_deleted")
	if left, err := io.ReadAll(follow); err != nil || !strings.Contains(string(left), "event: end\n") {
		t.Errorf("the page of a deleted ladder goes on with %v\n%s", err, left)
	}
	v.Post(path+"/delete", "seen", `"v2"`).Want(t, http.StatusNotFound)

	path = apitest.LadderOf(t, olga, ada, bob)
	v.Get(path).Want(t, http.StatusOK).Has(t, path+"/edit", "cannot be deleted").Lacks(t, path+"/delete")
	v.Post(path+"/delete", "seen", `"v1"`).Want(t, http.StatusConflict).Has(t, "archives and seasons")
}
