package api_test

import (
	"net/http"
	"testing"
	"time"

	"quatuor/tournament/account"
)

// TestSettingsOfTheClub are read and changed by admins, each change built on what was read.
func TestSettingsOfTheClub(t *testing.T) {
	s := newService(t)
	adam, olga := s.withRole("adam", account.RoleAdmin), s.withRole("olga", account.RoleOrganiser)
	olga.get("/settings").refused(t, http.StatusForbidden, "insufficient-scope")
	s.anonymous().get("/settings").refused(t, http.StatusUnauthorized, "unauthorized")
	first := adam.get("/settings").want(t, http.StatusOK)
	patch := func(p person, body string, h ...header) *answer {
		return p.send(http.MethodPatch, "/settings", body, h...)
	}
	patch(olga, `{"name":"Mine"}`, anyVersion).refused(t, http.StatusForbidden, "insufficient-scope")
	patch(adam, `{"name":"Chess Club"}`).refused(t, http.StatusPreconditionRequired, "if-match-needed")
	now := patch(adam, `{"name":"Chess Club","language":"de","time_zone":"Europe/Berlin","registration":"invite"}`,
		first.etag()).want(t, http.StatusOK)
	if now.text("name") != "Chess Club" || now.text("language") != "de" || now.text("time_zone") != "Europe/Berlin" ||
		now.text("registration") != "invite" || now.text("reach") != "local" {
		t.Errorf("%s", now.raw)
	}
	patch(adam, `{"name":"Late"}`, first.etag()).refused(t, http.StatusPreconditionFailed, "stale")
	if again := patch(adam, `{"language":""}`, now.etag()).want(t, http.StatusOK); again.text("name") != "Chess Club" ||
		again.at("language") != nil {
		t.Errorf("%s", again.raw)
	}
	for pointer, body := range map[string]string{
		"/language":  `{"language":"xx"}`,
		"/time_zone": `{"time_zone":"Mars/Olympus"}`,
	} {
		patch(adam, body, anyVersion).refused(t, http.StatusUnprocessableEntity, "invalid").has(t, `"`+pointer+`"`)
	}
	patch(adam, `{"registration":"maybe"}`, anyVersion).refused(t, http.StatusBadRequest, "malformed")
	patch(adam, `{}`, anyVersion).refused(t, http.StatusBadRequest, "malformed")
}

// TestMergePlayersOverTheAPI does what the page of administration does, with the same refusals.
func TestMergePlayersOverTheAPI(t *testing.T) {
	s := newService(t)
	adam, olga := s.withRole("adam", account.RoleAdmin), s.withRole("olga", account.RoleOrganiser)
	ada, bob := s.register("ada"), s.register("bob")
	guest := olga.post("/players", `{"name":"Ada L."}`).want(t, http.StatusCreated).text("id")
	merge := func(p person, keep, gone string, h ...header) *answer {
		return p.post("/players/"+keep+"/merge", map[string]any{"player_id": gone}, h...)
	}
	merge(olga, ada.player, guest).refused(t, http.StatusForbidden, "insufficient-scope")
	merge(adam, ada.player, ada.player).refused(t, http.StatusUnprocessableEntity, "invalid")
	merge(adam, ada.player, "nobody").refused(t, http.StatusNotFound, "not-found")
	merge(adam, "nobody", guest).refused(t, http.StatusNotFound, "not-found")
	merge(adam, ada.player, bob.player).refused(t, http.StatusConflict, "two-accounts")
	merged := merge(adam, ada.player, guest, key("one")).want(t, http.StatusOK)
	if merged.text("id") != ada.player {
		t.Errorf("%s", merged.raw)
	}
	if again := merge(adam, ada.player, guest, key("one")).
		want(t, http.StatusOK); string(again.raw) != string(merged.raw) {
		t.Errorf("answered again: %s", again.raw)
	}
	if there := s.anonymous().get("/players/"+guest).want(t, http.StatusOK); there.text("id") != ada.player {
		t.Errorf("the id that went leads to %s", there.raw)
	}
	adam.post("/players/"+ada.player+"/merge", map[string]any{"player_id": bob.player, "both_accounts": true}).
		want(t, http.StatusOK)
	if me := bob.get("/me").want(t, http.StatusOK); me.at("player") != nil {
		t.Errorf("the second account still has %v", me.at("player"))
	}
}

// TestPasswordResetsOverTheAPI are made with the same rights as on the pages, and set a password once.
func TestPasswordResetsOverTheAPI(t *testing.T) {
	s := newService(t, withRealPages)
	adam, olga, ada := s.withRole("adam", account.RoleAdmin), s.withRole("olga", account.RoleOrganiser), s.register("ada")
	s.letOrganisersReset(adam, true)
	reset := func(p person, account string) *answer { return p.post("/accounts/"+account+"/password-reset", nil) }
	reset(ada, ada.account).refused(t, http.StatusForbidden, "forbidden")
	reset(olga, adam.account).refused(t, http.StatusForbidden, "forbidden")
	reset(olga, olga.account).refused(t, http.StatusConflict, "own-account")
	reset(olga, "nobody").refused(t, http.StatusNotFound, "not-found")
	reset(s.anonymous(), ada.account).refused(t, http.StatusUnauthorized, "unauthorized")
	token := olga.post("/me/tokens", map[string]any{"name": "script", "scopes": []string{"organise"}}).
		want(t, http.StatusCreated).text("token")
	reset(person{s: s, token: token}, ada.account).refused(t, http.StatusForbidden, "session-needed")
	reset(adam, olga.account).want(t, http.StatusCreated)
	made := reset(olga, ada.account).want(t, http.StatusCreated)
	if made.text("code") == "" || made.text("expires_at") == "" {
		t.Errorf("%s", made.raw)
	}
	const next = "a staple of horses"
	if to := s.visitor().post("/reset", "code", made.text("code"), "password", next).want(t, http.StatusSeeOther).
		header.Get("Location"); to != "/me?said=password_set" {
		t.Errorf("led to %s", to)
	}
	login := func(password string) *answer {
		return s.anonymous().post("/sessions", map[string]any{"login": "ada", "password": password})
	}
	login(next).want(t, http.StatusCreated)
	login(password).refused(t, http.StatusUnauthorized, "bad-login")
	late := reset(olga, ada.account).want(t, http.StatusCreated).text("code")
	s.pass(16 * time.Minute)
	s.visitor().post("/reset", "code", late, "password", next).alert(t, http.StatusUnprocessableEntity, "")
}

// TestSessionsOfAnAccount are listed to their account, and ended one by one or all at once.
func TestSessionsOfAnAccount(t *testing.T) {
	s := newService(t)
	ada, bob := s.register("ada"), s.register("bob")
	login := func() person {
		made := s.anonymous().post("/sessions", map[string]any{"login": "ada", "password": password}).
			want(t, http.StatusCreated)
		return person{s: s, token: made.text("access_token"), account: ada.account}
	}
	phone, laptop := login(), login()
	list := phone.get("/me/sessions").want(t, http.StatusOK)
	ids, current := []string{}, ""
	for i := range list.list("items") {
		ids = append(ids, list.text("items", i, "id"))
		if list.at("items", i, "current") == true {
			current += list.text("items", i, "id")
		}
	}
	if len(ids) < 2 || current == "" {
		t.Fatalf("%s", list.raw)
	}
	bob.send(http.MethodDelete, "/me/sessions/"+current, nil).refused(t, http.StatusNotFound, "not-found")
	s.anonymous().get("/me/sessions").refused(t, http.StatusUnauthorized, "unauthorized")
	token := phone.post("/me/tokens", map[string]any{"name": "script", "scopes": []string{"read"}}).
		want(t, http.StatusCreated).text("token")
	script := person{s: s, token: token}
	script.get("/me/sessions").want(t, http.StatusOK).lacks(t, `"current":true`)
	script.send(http.MethodDelete, "/me/sessions/"+current, nil).refused(t, http.StatusForbidden, "session-needed")
	script.send(http.MethodDelete, "/me/sessions", nil).refused(t, http.StatusForbidden, "session-needed")
	laptop.send(http.MethodDelete, "/me/sessions/"+current, nil).want(t, http.StatusNoContent)
	phone.get("/me").refused(t, http.StatusUnauthorized, "unauthorized")
	laptop.send(http.MethodDelete, "/me/sessions/"+current, nil).refused(t, http.StatusNotFound, "not-found")
	laptop.send(http.MethodDelete, "/me/sessions", nil).want(t, http.StatusNoContent)
	laptop.get("/me").refused(t, http.StatusUnauthorized, "unauthorized")
	script.get("/me").want(t, http.StatusOK)
	if left := script.get("/me/sessions").want(t, http.StatusOK); len(left.list("items")) != 0 {
		t.Errorf("%s", left.raw)
	}
}
