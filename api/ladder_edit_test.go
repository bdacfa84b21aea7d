package api_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"quatuor/api"
	"quatuor/api/stream"
	"quatuor/tournament/account"
)

// quietLadder begins a ladder that members have joined, and returns its path.
func quietLadder(t *testing.T, by person, members ...person) string {
	t.Helper()
	path := "/ladders/" + by.post("/ladders", `{"name":"Club","variant":"quixo/duel","time_control":"none","venue":"hall","reach":2}`).
		want(t, http.StatusCreated).text("id")
	for _, p := range members {
		p.post(path+"/members", `{}`).want(t, http.StatusCreated)
	}
	return path
}

// TestLadderRenamed changes the name of a ladder on which people play: its rules stay, and nobody else may.
func TestLadderRenamed(t *testing.T) {
	s := newService(t)
	olga, otto := s.withRole("olga", account.RoleOrganiser), s.withRole("otto", account.RoleOrganiser)
	root := s.withRole("root", account.RoleAdmin)
	ada, bob := s.register("ada"), s.register("bob")
	path := ladderOf(t, olga, ada, bob)
	read := olga.get(path).want(t, http.StatusOK)
	rename := func(p person, name string, headers ...header) *answer {
		return p.send(http.MethodPatch, path, map[string]any{"name": name}, headers...)
	}
	rename(s.anonymous(), "Mine", anyVersion).want(t, http.StatusUnauthorized)
	rename(ada, "Mine", anyVersion).want(t, http.StatusForbidden)
	rename(otto, "Mine", anyVersion).want(t, http.StatusForbidden)
	rename(olga, "Evening").want(t, http.StatusPreconditionRequired)
	rename(olga, " ", read.etag()).want(t, http.StatusBadRequest)
	for _, rule := range []string{`"reach":9`, `"accept":9`, `"play":9`, `"again":9`, `"rated":false`, `"time_control":"300"`} {
		olga.send(http.MethodPatch, path, `{"name":"Evening",`+rule+`}`, read.etag()).want(t, http.StatusBadRequest)
	}
	rename(olga, "Evening", read.etag()).want(t, http.StatusOK).has(t, `"Evening"`)
	rename(olga, "Evening again", read.etag()).want(t, http.StatusPreconditionFailed)
	after := s.anonymous().get(path).want(t, http.StatusOK)
	want := strings.Replace(string(read.raw), `"Club"`, `"Evening"`, 1)
	if got := string(after.raw); got != want {
		t.Errorf("the renamed ladder is\n%s\nwant\n%s", got, want)
	}
	bob.send(http.MethodDelete, path+"/members/"+bob.player, nil).want(t, http.StatusOK)
	rename(root, "Club ladder", after.etag()).want(t, http.StatusOK) // what is done on a ladder does not change its tag
	if n := len(computed(t, olga, path).Log()); n != 1 {
		t.Errorf("the log has %d ends", n)
	}
	olga.send(http.MethodPatch, "/ladders/none", `{"name":"M"}`, anyVersion).want(t, http.StatusNotFound)
}

// TestLadderDeleted deletes a ladder that people have joined; once somebody was challenged it stays. A season leaves a
// deleted one out.
func TestLadderDeleted(t *testing.T) {
	s := newService(t)
	olga, otto := s.withRole("olga", account.RoleOrganiser), s.withRole("otto", account.RoleOrganiser)
	ada, bob := s.register("ada"), s.register("bob")
	path := quietLadder(t, olga, ada, bob)
	remove := func(p person, headers ...header) *answer { return p.send(http.MethodDelete, path, nil, headers...) }
	season := seasonOf(t, olga, path)
	read := olga.get(path)
	remove(s.anonymous(), anyVersion).want(t, http.StatusUnauthorized)
	remove(ada, anyVersion).want(t, http.StatusForbidden)
	remove(otto, anyVersion).want(t, http.StatusForbidden)
	remove(olga).want(t, http.StatusPreconditionRequired)
	olga.send(http.MethodPatch, path, `{"name":"Evening"}`, read.etag()).want(t, http.StatusOK)
	remove(olga, read.etag()).want(t, http.StatusPreconditionFailed)
	remove(olga, olga.get(path).etag()).want(t, http.StatusNoContent)
	remove(olga, anyVersion).want(t, http.StatusNotFound)
	ada.get(path).want(t, http.StatusNotFound)
	ada.post(path+"/challenges", map[string]any{"player_id": bob.player}).want(t, http.StatusNotFound)
	if n := len(s.anonymous().get(season).want(t, http.StatusOK).list("parts")); n != 0 {
		t.Errorf("%d parts are left of one that was deleted", n)
	}
	s.register("cleo").send(http.MethodDelete, "/me", map[string]any{"password": password}).want(t, http.StatusNoContent)

	path = quietLadder(t, olga, ada, bob)
	bob.post(path+"/challenges", map[string]any{"player_id": ada.player}).want(t, http.StatusCreated)
	remove(olga, anyVersion).refused(t, http.StatusConflict, "wrong-state").has(t, "archives and seasons")
	bob.send(http.MethodDelete, path+"/members/"+bob.player, nil).want(t, http.StatusOK) // which ends the challenge
	remove(olga, anyVersion).refused(t, http.StatusConflict, "wrong-state")
	if n := len(s.anonymous().get(path+"/log").want(t, http.StatusOK).list("items")); n != 1 {
		t.Errorf("the log has %d ends", n)
	}
}

// TestLadderForms renames and deletes a ladder by the forms of its page, which an open page follows.
func TestLadderForms(t *testing.T) {
	s := newService(t, withRealPages, func(c *configuration) {
		c.edit = func(d *api.Config) {
			d.Rest.Commands.LadderChanged = func(id string) { d.Hub.SyncTopic(stream.OfLadder(id)) }
		}
	})
	server := httptest.NewServer(s.server)
	t.Cleanup(server.Close)
	olga, ada, bob := s.withRole("olga", account.RoleOrganiser), s.register("ada"), s.register("bob")
	path := quietLadder(t, olga, ada, bob)
	v := s.visits("olga")
	_, rest, _ := strings.Cut(v.get(path).want(t, http.StatusOK).has(t, path+"/edit", path+"/delete", "The name alone changes").page(),
		`data-live="`)
	live, _, _ := strings.Cut(rest, `"`)
	follow := openStream(t, server, "/live?0="+url.QueryEscape(live), ada.token)
	s.visits("ada").get(path).want(t, http.StatusOK).lacks(t, path+"/edit", path+"/delete")
	s.visits("ada").post(path+"/edit", "seen", `"v1"`, "name", "Mine").want(t, http.StatusForbidden)
	s.visits("ada").post(path+"/delete", "seen", `"v1"`).want(t, http.StatusForbidden)
	v.post(path+"/edit", "seen", `"v1"`, "name", "Evening ladder").to(t, path+"?said=saved")
	for line := ""; !strings.Contains(line, "Evening ladder"); {
		var err error
		if line, err = follow.ReadString('\n'); err != nil {
			t.Fatalf("the name is not sent: %v", err)
		}
	}
	v.post(path+"/edit", "seen", `"v1"`, "name", "Other").want(t, http.StatusPreconditionFailed).has(t, `value="Other"`, `value="&#34;v2&#34;"`)
	v.post(path+"/edit", "seen", `"v2"`, "name", " ").want(t, http.StatusUnprocessableEntity)
	v.post(path+"/delete", "seen", `"v1"`).want(t, http.StatusPreconditionFailed)
	v.post(path+"/delete", "seen", `"v2"`).to(t, "/tournaments?said=ladder_deleted")
	if left, err := io.ReadAll(follow); err != nil || !strings.Contains(string(left), "event: end\n") {
		t.Errorf("the page of a deleted ladder goes on with %v\n%s", err, left)
	}
	v.post(path+"/delete", "seen", `"v2"`).want(t, http.StatusNotFound)

	path = ladderOf(t, olga, ada, bob)
	v.get(path).want(t, http.StatusOK).has(t, path+"/edit", "cannot be deleted").lacks(t, path+"/delete")
	v.post(path+"/delete", "seen", `"v1"`).want(t, http.StatusConflict).has(t, "archives and seasons")
}
