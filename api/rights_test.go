package api_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"quatuor/api"
	"quatuor/tournament/account"
)

// serving returns the service over real HTTP, with pages that one can log in to.
func serving(t *testing.T, change ...func(*configuration)) (*service, *httptest.Server) {
	t.Helper()
	s := newService(t, append(change, withRealPages)...)
	server := httptest.NewServer(s.server)
	t.Cleanup(server.Close)
	return s, server
}

// browser logs in to the pages and returns the cookies.
func (p person) browser(t *testing.T, server *httptest.Server, login string) header {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.PostForm(server.URL+"/login", url.Values{"login": {login}, "password": {password}})
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusSeeOther {
		t.Fatalf("logging in is answered %d", answer.StatusCode)
	}
	var cookies []string
	for _, c := range answer.Cookies() {
		cookies = append(cookies, c.Name+"="+c.Value)
	}
	return header{"Cookie", strings.Join(cookies, "; ")}
}

// over waits until a stream has ended; nothing may be sent before.
func over(t *testing.T, what string, events <-chan event) {
	t.Helper()
	select {
	case e, open := <-events:
		if open {
			t.Errorf("%s: the stream tells of %s", what, e.name)
		}
	case <-time.After(10 * time.Second):
		t.Errorf("%s: the stream goes on", what)
	}
}

// following are all streams of a player's: of a session, an API token and a cookie, of the API and of the pages.
type following struct {
	ada     person
	token   person
	cookie  header
	streams map[string]<-chan event
}

func followAll(t *testing.T, s *service, server *httptest.Server, ada person, game string) following {
	t.Helper()
	f := following{
		ada: ada, token: ada.tokenFor("read"), cookie: ada.browser(t, server, "ada"), streams: map[string]<-chan event{},
	}
	anonymous := s.anonymous()
	for name, open := range map[string]func() (<-chan event, opening){
		"session": func() (<-chan event, opening) { return ada.follow(t, server, "/games/"+game+"/events") },
		"token":   func() (<-chan event, opening) { return f.token.follow(t, server, "/games/"+game+"/events") },
		"cookie": func() (<-chan event, opening) {
			return anonymous.follow(t, server, "/games/"+game+"/events", f.cookie)
		},
		"page":      func() (<-chan event, opening) { return anonymous.follow(t, server, "//games/"+game+"/live", f.cookie) },
		"anonymous": func() (<-chan event, opening) { return anonymous.follow(t, server, "/games/"+game+"/events") },
	} {
		events, answer := open()
		if answer.status != http.StatusOK {
			t.Fatalf("%s: %d", name, answer.status)
		}
		next(t, events, "state")
		f.streams[name] = events
	}
	return f
}

// TestStreamsEndWithTheRight follows a game with a hidden hand in every way, takes the right away, and makes a move:
// streams without the right get nothing of it, all others do.
func TestStreamsEndWithTheRight(t *testing.T) {
	for name, c := range map[string]struct {
		end   func(t *testing.T, root person, f following)
		ended []string
	}{
		"logout": {func(t *testing.T, _ person, f following) {
			f.ada.send(http.MethodDelete, "/sessions/current", nil).want(t, http.StatusNoContent)
		}, []string{"session"}},
		"logout of the pages": {func(t *testing.T, _ person, f following) {
			f.ada.s.anonymous().send(http.MethodPost, "//logout", nil, f.cookie).want(t, http.StatusSeeOther)
		}, []string{"cookie", "page"}},
		"deleted token": {func(t *testing.T, _ person, f following) {
			id := f.ada.get("/me/tokens").text("items", 0, "id")
			f.ada.send(http.MethodDelete, "/me/tokens/"+id, nil).want(t, http.StatusNoContent)
		}, []string{"token"}},
		"closed account": {func(t *testing.T, root person, f following) {
			root.send(http.MethodPatch, "/accounts/"+f.ada.account, `{"disabled":true}`, header{"If-Match", "*"}).
				want(t, http.StatusOK)
		}, []string{"session", "token", "cookie", "page"}},
		"another role": {func(t *testing.T, root person, f following) {
			root.send(http.MethodPatch, "/accounts/"+f.ada.account, `{"role":"organiser"}`, header{"If-Match", "*"}).
				want(t, http.StatusOK)
		}, []string{"session", "token", "cookie", "page"}},
		"new password": {func(t *testing.T, _ person, f following) {
			f.ada.send(http.MethodPatch, "/me", map[string]any{"current_password": password, "password": "another horse"}).
				want(t, http.StatusOK)
		}, []string{"cookie", "page"}},
		"new password, tokens ended": {func(t *testing.T, _ person, f following) {
			f.ada.send(http.MethodPatch, "/me", map[string]any{
				"current_password": password, "password": "another horse",
				"end_tokens": true,
			}).
				want(t, http.StatusOK)
			f.token.get("/me").refused(t, http.StatusUnauthorized, "unauthorized")
		}, []string{"token", "cookie", "page"}},
		"reused refresh token": {func(t *testing.T, _ person, f following) {
			refresh := map[string]any{"refresh_token": f.ada.refresh}
			f.ada.s.anonymous().post("/sessions/refresh", refresh).want(t, http.StatusOK)
			f.ada.s.anonymous().post("/sessions/refresh", refresh).refused(t, http.StatusUnauthorized, "token-reused")
		}, []string{"session"}},
	} {
		t.Run(name, func(t *testing.T) {
			s, server := serving(t)
			root, ada, bob := s.withRole("root", account.RoleAdmin), s.register("ada"), s.register("bob")
			id := duel(t, ada, bob, "quixo/duel", "300").text("id")
			f := followAll(t, s, server, ada, id)
			elsewhere := ada.again()
			c.end(t, root, f)
			for _, ended := range c.ended {
				over(t, ended, f.streams[ended])
			}
			mover := ada
			if slices.Contains(c.ended, "session") {
				mover = elsewhere
			}
			if name == "closed account" {
				root.post("/games/"+id+"/adjudicate", `{"ranks":[2,1],"reason":"Closed."}`).want(t, http.StatusOK)
			} else {
				play(t, id, mover, 1, "c1-c5")
			}
			for way, events := range f.streams {
				if !slices.Contains(c.ended, way) {
					next(t, events, "move")
				}
			}
		})
	}
}

// TestAStreamThatHasEndedIsRefusedOrPublic comes back after a logout: with the token 401, with the cookie as the
// public.
func TestAStreamThatHasEndedIsRefusedOrPublic(t *testing.T) {
	s, server := serving(t)
	ada, bob := s.register("ada"), s.register("bob")
	path := "/games/" + duel(t, ada, bob, "quiwin/duel", "300").text("id")
	cookie := ada.browser(t, server, "ada")
	own, _ := s.anonymous().follow(t, server, path+"/events", cookie)
	if state := next(t, own, "state"); state.data["legal"] == nil {
		t.Fatalf("the player is not shown what it may do: %v", state.data)
	}
	s.anonymous().send(http.MethodPost, "//logout", nil, cookie).want(t, http.StatusSeeOther)
	over(t, "the player's stream", own)
	public, _ := s.anonymous().follow(t, server, path+"/events", cookie)
	same(t, next(t, public, "state").data, s.anonymous().get(path))
	ada.send(http.MethodDelete, "/sessions/current", nil).want(t, http.StatusNoContent)
	if _, answer := ada.follow(t, server, path+"/events"); answer.status != http.StatusUnauthorized {
		t.Errorf("with the token of a session that has ended: %d", answer.status)
	}
}

// TestAnArbiterThatIsNoneAnyMore gets nothing more that is for staff: of the tournament, or of its delayed games.
func TestAnArbiterThatIsNoneAnyMore(t *testing.T) {
	s, server := serving(t)
	olga, eve, ada, bob := s.withRole("olga", account.RoleOrganiser), s.register("eve"), s.register("ada"),
		s.register("bob")
	path, round := delayedRound(t, olga, `{"delay_moves":2}`, ada, bob)
	id, seated := boardOne(t, round, ada, bob)
	appoint := func(logins string) {
		tag := olga.get(path + "/arbiters").etag()
		olga.send(http.MethodPut, path+"/arbiters", `{"logins":[`+logins+`]}`, tag).want(t, http.StatusOK)
	}
	appoint(`"eve"`)
	cookie := eve.browser(t, server, "eve")
	staff := map[string]<-chan event{}
	for _, where := range []string{
		"/games/" + id + "/events", path + "/events", "//games/" + id + "/live",
		"/" + path + "/live",
	} {
		events, answer := s.anonymous().follow(t, server, where, cookie)
		if answer.status != http.StatusOK {
			t.Fatalf("%s: %d", where, answer.status)
		}
		next(t, events, "state")
		staff[where] = events
	}
	play(t, id, seated[0], 1, "c1-c5")
	next(t, staff["/games/"+id+"/events"], "move")
	next(t, staff["//games/"+id+"/live"], "move")
	appoint("")
	for _, where := range []string{path + "/events", "/" + path + "/live"} {
		over(t, where, staff[where])
	}
	play(t, id, seated[1], 2, "a1-e1")
	for _, where := range []string{"/games/" + id + "/events", "//games/" + id + "/live"} {
		over(t, where, staff[where])
	}
	again, _ := s.anonymous().follow(t, server, "/games/"+id+"/events", cookie)
	if state := next(t, again, "state"); state.data["plies"] != 0.0 {
		t.Errorf("who is no arbiter any more sees %v", state.data)
	}
}

// TestStreamsAreBounded opens more streams than an account and an address may have.
func TestStreamsAreBounded(t *testing.T) {
	s, server := serving(t, func(c *configuration) { c.limits = api.Limits{AddressStreams: 4, AccountStreams: 2} })
	ada, bob := s.register("ada"), s.register("bob")
	id := duel(t, ada, bob, "quixo/duel", "300").text("id")
	cookie := ada.browser(t, server, "ada")
	follow := func(p person, want int, where string, headers ...header) <-chan event {
		t.Helper()
		events, answer := p.follow(t, server, where, headers...)
		if answer.status != want {
			t.Fatalf("%s: %d, want %d", where, answer.status, want)
		}
		return events
	}
	api, page := "/games/"+id+"/events", "//games/"+id+"/live"
	first := follow(ada, http.StatusOK, api)
	follow(s.anonymous(), http.StatusOK, page, cookie)
	full := ada.get(api).refused(t, http.StatusTooManyRequests, "too-many-streams").has(t, "one account may have 2")
	if full.header.Get("Retry-After") == "" {
		t.Error("too many streams, and no time after which to ask again")
	}
	follow(s.anonymous(), http.StatusTooManyRequests, page, cookie)
	follow(bob, http.StatusOK, api)
	follow(s.anonymous(), http.StatusOK, api)
	follow(s.anonymous(), http.StatusTooManyRequests, api)
	next(t, first, "state")
	ada.send(http.MethodDelete, "/sessions/current", nil).want(t, http.StatusNoContent)
	over(t, "after a logout", first)
	// The server counts a stream as ended just after its reader sees the end.
	for deadline := time.Now().Add(10 * time.Second); ; {
		if _, answer := ada.again().follow(t, server, api); answer.status == http.StatusOK {
			break
		} else if time.Now().After(deadline) {
			t.Fatalf("a stream that has ended still counts: %d", answer.status)
		}
	}
}

// TestOrganisersTokensReadWhatTheyOrganise makes a draft with a token for organising alone and reads it back; a
// player's hand is not in its reach.
func TestOrganisersTokensReadWhatTheyOrganise(t *testing.T) {
	s := newService(t)
	olga, ada, bob := s.withRole("olga", account.RoleOrganiser), s.register("ada"), s.register("bob")
	token := olga.tokenFor("organise")
	path := "/tournaments/" + token.post("/tournaments", cup).want(t, http.StatusCreated).text("id")
	for _, below := range []string{"", "/arbiters", "/forbidden-pairs", "/entries", "/history"} {
		token.get(path+below).want(t, http.StatusOK)
	}
	token.get("/tournaments?status=draft").want(t, http.StatusOK)
	token.get("/players/"+ada.player).want(t, http.StatusOK)
	other := s.withRole("otto", account.RoleOrganiser).tokenFor("organise")
	other.get(path).refused(t, http.StatusNotFound, "not-found")
	other.get(path+"/arbiters").refused(t, http.StatusNotFound, "not-found")
	id := duel(t, ada, bob, "quiwin/duel", "300").text("id")
	ada.tokenFor("organise").get("/games/"+id).refused(t, http.StatusForbidden, "insufficient-scope")
	ada.tokenFor("play").get(path).refused(t, http.StatusForbidden, "insufficient-scope")
}

// TestTwoAdminsCannotCloseEachOther: the last admin stays, also after two requests at once.
func TestTwoAdminsCannotCloseEachOther(t *testing.T) {
	s := newService(t)
	one, two := s.withRole("one", account.RoleAdmin), s.withRole("two", account.RoleAdmin)
	answers := make(chan *answer)
	for _, pair := range [][2]person{{one, two}, {two, one}} {
		go func() {
			answers <- pair[0].send(http.MethodPatch, "/accounts/"+pair[1].account, `{"disabled":true}`, header{"If-Match", "*"})
		}()
	}
	got := []int{(<-answers).status, (<-answers).status}
	slices.Sort(got)
	// The second account has been closed by then, or its request is refused because the other is the last admin.
	if got[0] != http.StatusOK || (got[1] != http.StatusConflict && got[1] != http.StatusUnauthorized) {
		t.Errorf("answered %v", got)
	}
	left := 0
	for _, admin := range []person{one, two} {
		if admin.get("/me").status == http.StatusOK {
			left++
		}
	}
	if left != 1 {
		t.Errorf("%d admins are left", left)
	}
}

// TestClaimsAtOnce: one account claims many players, and many accounts claim one; each time one succeeds.
func TestClaimsAtOnce(t *testing.T) {
	s := newService(t)
	olga, eve := s.withRole("olga", account.RoleOrganiser), s.withRole("eve", account.RolePlayer)
	const many = 8
	offer := func(name string) (path, code string) {
		path = "/players/" + olga.post("/players", `{"name":"`+name+`"}`).want(t, http.StatusCreated).text("id")
		return path, olga.post(path+"/claim-code", nil).want(t, http.StatusCreated).text("code")
	}
	type offered struct {
		by         person
		path, code string
	}
	var different, same []offered
	path, code := offer("Contested")
	for i := range many {
		p, c := offer(fmt.Sprint("Player ", i))
		different = append(different, offered{eve, p, c})
		same = append(same, offered{s.withRole(fmt.Sprint("fan", i), account.RolePlayer), path, code})
	}
	for slug, claims := range map[string][]offered{"has-player": different, "claimed": same} {
		answers := make(chan *answer)
		for _, c := range claims {
			go func() { answers <- c.by.post(c.path+"/claim", map[string]any{"code": c.code}) }()
		}
		won := 0
		for range claims {
			if a := <-answers; a.status == http.StatusOK {
				won++
			} else {
				a.refused(t, http.StatusConflict, slug)
			}
		}
		if won != 1 {
			t.Errorf("%s: %d of %d claims were acknowledged", slug, won, many)
		}
	}
}

// TestTokensAtOnce creates more tokens than an account may have, all at once.
func TestTokensAtOnce(t *testing.T) {
	s := newService(t)
	ada := s.register("ada")
	const asked, allowed = 120, 100
	answers := make(chan *answer)
	for range asked {
		go func() { answers <- ada.post("/me/tokens", `{"name":"x","scopes":["read"]}`) }()
	}
	made := 0
	for range asked {
		if a := <-answers; a.status == http.StatusCreated {
			made++
		} else {
			a.refused(t, http.StatusConflict, "too-many-tokens")
		}
	}
	if have := len(ada.get("/me/tokens").list("items")); made != allowed || have != allowed {
		t.Errorf("%d tokens were made, %d are there", made, have)
	}
}
