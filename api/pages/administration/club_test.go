package administration_test

import (
	"net/http"
	"testing"
	"time"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// TestSettingsOfTheClub are read and changed by admins, each change built on what was read.
func TestSettingsOfTheClub(t *testing.T) {
	s := apitest.New(t)
	adam, olga := s.WithRole("adam", account.RoleAdmin), s.WithRole("olga", account.RoleOrganiser)
	olga.Get("/settings").Refused(t, http.StatusForbidden, "insufficient-scope")
	s.Anonymous().Get("/settings").Refused(t, http.StatusUnauthorized, "unauthorized")
	first := adam.Get("/settings").Want(t, http.StatusOK)
	patch := func(p apitest.Person, body string, h ...apitest.Header) *apitest.Answer {
		return p.Send(http.MethodPatch, "/settings", body, h...)
	}
	patch(olga, `{"name":"Mine"}`, apitest.AnyVersion).Refused(t, http.StatusForbidden, "insufficient-scope")
	patch(adam, `{"name":"Chess Club"}`).Refused(t, http.StatusPreconditionRequired, "if-match-needed")
	now := patch(adam, `{"name":"Chess Club","language":"de","time_zone":"Europe/Berlin","registration":"invite"}`,
		first.IfMatch()).Want(t, http.StatusOK)
	if now.Text("name") != "Chess Club" || now.Text("language") != "de" || now.Text("time_zone") != "Europe/Berlin" ||
		now.Text("registration") != "invite" || now.Text("reach") != "local" {
		t.Errorf("%s", now.Raw)
	}
	patch(adam, `{"name":"Late"}`, first.IfMatch()).Refused(t, http.StatusPreconditionFailed, "stale")
	if again := patch(adam, `{"language":""}`, now.IfMatch()).Want(t, http.StatusOK); again.Text("name") != "Chess Club" ||
		again.At("language") != nil {
		t.Errorf("%s", again.Raw)
	}
	for pointer, body := range map[string]string{
		"/language":  `{"language":"xx"}`,
		"/time_zone": `{"time_zone":"Mars/Olympus"}`,
	} {
		patch(adam, body, apitest.AnyVersion).Refused(t, http.StatusUnprocessableEntity, "invalid").Has(t, `"`+pointer+`"`)
	}
	patch(adam, `{"registration":"maybe"}`, apitest.AnyVersion).Refused(t, http.StatusBadRequest, "malformed")
	patch(adam, `{}`, apitest.AnyVersion).Refused(t, http.StatusBadRequest, "malformed")
}

// TestMergePlayersOverTheAPI does what the page of administration does, with the same refusals.
func TestMergePlayersOverTheAPI(t *testing.T) {
	s := apitest.New(t)
	adam, olga := s.WithRole("adam", account.RoleAdmin), s.WithRole("olga", account.RoleOrganiser)
	ada, bob := s.Register("ada"), s.Register("bob")
	guest := olga.Post("/players", `{"name":"Ada L."}`).Want(t, http.StatusCreated).Text("id")
	merge := func(p apitest.Person, keep, gone string, h ...apitest.Header) *apitest.Answer {
		return p.Post("/players/"+keep+"/merge", map[string]any{"player_id": gone}, h...)
	}
	merge(olga, ada.Player, guest).Refused(t, http.StatusForbidden, "insufficient-scope")
	merge(adam, ada.Player, ada.Player).Refused(t, http.StatusUnprocessableEntity, "invalid")
	merge(adam, ada.Player, "nobody").Refused(t, http.StatusNotFound, "not-found")
	merge(adam, "nobody", guest).Refused(t, http.StatusNotFound, "not-found")
	merge(adam, ada.Player, bob.Player).Refused(t, http.StatusConflict, "two-accounts")
	merged := merge(adam, ada.Player, guest, apitest.Key("one")).Want(t, http.StatusOK)
	if merged.Text("id") != ada.Player {
		t.Errorf("%s", merged.Raw)
	}
	if again := merge(adam, ada.Player, guest, apitest.Key("one")).
		Want(t, http.StatusOK); string(again.Raw) != string(merged.Raw) {
		t.Errorf("answered again: %s", again.Raw)
	}
	if there := s.Anonymous().Get("/players/"+guest).Want(t, http.StatusOK); there.Text("id") != ada.Player {
		t.Errorf("the id that went leads to %s", there.Raw)
	}
	adam.Post("/players/"+ada.Player+"/merge", map[string]any{"player_id": bob.Player, "both_accounts": true}).
		Want(t, http.StatusOK)
	if me := bob.Get("/me").Want(t, http.StatusOK); me.At("player") != nil {
		t.Errorf("the second account still has %v", me.At("player"))
	}
}

// TestPasswordResetsOverTheAPI are made with the same rights as on the pages, and set a password once.
func TestPasswordResetsOverTheAPI(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	adam, olga, ada := s.WithRole("adam", account.RoleAdmin), s.WithRole("olga", account.RoleOrganiser), s.Register("ada")
	s.LetOrganisersReset(adam, true)
	reset := func(p apitest.Person, account string) *apitest.Answer {
		return p.Post("/accounts/"+account+"/password-reset", nil)
	}
	reset(ada, ada.Account).Refused(t, http.StatusForbidden, "forbidden")
	reset(olga, adam.Account).Refused(t, http.StatusForbidden, "forbidden")
	reset(olga, olga.Account).Refused(t, http.StatusConflict, "own-account")
	reset(olga, "nobody").Refused(t, http.StatusNotFound, "not-found")
	reset(s.Anonymous(), ada.Account).Refused(t, http.StatusUnauthorized, "unauthorized")
	token := olga.Post("/me/tokens", map[string]any{"name": "script", "scopes": []string{"organise"}}).
		Want(t, http.StatusCreated).Text("token")
	reset(apitest.Person{Service: s, Token: token}, ada.Account).Refused(t, http.StatusForbidden, "session-needed")
	reset(adam, olga.Account).Want(t, http.StatusCreated)
	made := reset(olga, ada.Account).Want(t, http.StatusCreated)
	if made.Text("code") == "" || made.Text("expires_at") == "" {
		t.Errorf("%s", made.Raw)
	}
	const next = "a staple of horses"
	if to := s.Visitor().Post("/reset", "code", made.Text("code"), "password", next).Want(t, http.StatusSeeOther).
		Header.Get("Location"); to != "/me?said=password_set" {
		t.Errorf("led to %s", to)
	}
	login := func(password string) *apitest.Answer {
		return s.Anonymous().Post("/sessions", map[string]any{"login": "ada", "password": password})
	}
	login(next).Want(t, http.StatusCreated)
	login(apitest.Password).Refused(t, http.StatusUnauthorized, "bad-login")
	late := reset(olga, ada.Account).Want(t, http.StatusCreated).Text("code")
	s.Pass(16 * time.Minute)
	s.Visitor().Post("/reset", "code", late, "password", next).Alert(t, http.StatusUnprocessableEntity, "")
}

// TestSessionsOfAnAccount: sessions are listed to their account, and ended singly or all at once.
func TestSessionsOfAnAccount(t *testing.T) {
	s := apitest.New(t)
	ada, bob := s.Register("ada"), s.Register("bob")
	login := func() apitest.Person {
		made := s.Anonymous().Post("/sessions", map[string]any{"login": "ada", "password": apitest.Password}).
			Want(t, http.StatusCreated)
		return apitest.Person{Service: s, Token: made.Text("access_token"), Account: ada.Account}
	}
	phone, laptop := login(), login()
	list := phone.Get("/me/sessions").Want(t, http.StatusOK)
	ids, current := []string{}, ""
	for i := range list.List("items") {
		ids = append(ids, list.Text("items", i, "id"))
		if list.At("items", i, "current") == true {
			current += list.Text("items", i, "id")
		}
	}
	if len(ids) < 2 || current == "" {
		t.Fatalf("%s", list.Raw)
	}
	bob.Send(http.MethodDelete, "/me/sessions/"+current, nil).Refused(t, http.StatusNotFound, "not-found")
	s.Anonymous().Get("/me/sessions").Refused(t, http.StatusUnauthorized, "unauthorized")
	token := phone.Post("/me/tokens", map[string]any{"name": "script", "scopes": []string{"read"}}).
		Want(t, http.StatusCreated).Text("token")
	script := apitest.Person{Service: s, Token: token}
	script.Get("/me/sessions").Want(t, http.StatusOK).Lacks(t, `"current":true`)
	script.Send(http.MethodDelete, "/me/sessions/"+current, nil).Refused(t, http.StatusForbidden, "session-needed")
	script.Send(http.MethodDelete, "/me/sessions", nil).Refused(t, http.StatusForbidden, "session-needed")
	laptop.Send(http.MethodDelete, "/me/sessions/"+current, nil).Want(t, http.StatusNoContent)
	phone.Get("/me").Refused(t, http.StatusUnauthorized, "unauthorized")
	laptop.Send(http.MethodDelete, "/me/sessions/"+current, nil).Refused(t, http.StatusNotFound, "not-found")
	laptop.Send(http.MethodDelete, "/me/sessions", nil).Want(t, http.StatusNoContent)
	laptop.Get("/me").Refused(t, http.StatusUnauthorized, "unauthorized")
	script.Get("/me").Want(t, http.StatusOK)
	if left := script.Get("/me/sessions").Want(t, http.StatusOK); len(left.List("items")) != 0 {
		t.Errorf("%s", left.Raw)
	}
}
