package access_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"quatuor/api"
	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// over waits until a stream has ended; nothing may be sent before.
func over(t *testing.T, what string, events <-chan apitest.Event) {
	t.Helper()
	select {
	case e, open := <-events:
		if open {
			t.Errorf("%s: the stream tells of %s", what, e.Name)
		}
	case <-time.After(10 * time.Second):
		t.Errorf("%s: the stream goes on", what)
	}
}

// following are all streams of a player's: of a session, an API token and a cookie, of the API and of the pages.
type following struct {
	ada     apitest.Person
	token   apitest.Person
	cookie  apitest.Header
	streams map[string]<-chan apitest.Event
}

func followAll(t *testing.T, s *apitest.Service, server *httptest.Server, ada apitest.Person, game string) following {
	t.Helper()
	f := following{
		ada: ada, token: ada.TokenFor("read"), cookie: ada.Cookies(t, server, "ada"),
		streams: map[string]<-chan apitest.Event{},
	}
	anonymous := s.Anonymous()
	for name, open := range map[string]func() (<-chan apitest.Event, apitest.Opening){
		"session": func() (<-chan apitest.Event, apitest.Opening) { return ada.Follow(t, server, "/games/"+game+"/events") },
		"token": func() (<-chan apitest.Event, apitest.Opening) {
			return f.token.Follow(t, server, "/games/"+game+"/events")
		},
		"cookie": func() (<-chan apitest.Event, apitest.Opening) {
			return anonymous.Follow(t, server, "/games/"+game+"/events", f.cookie)
		},
		"page": func() (<-chan apitest.Event, apitest.Opening) {
			return anonymous.Follow(t, server, "//games/"+game+"/live", f.cookie)
		},
		"anonymous": func() (<-chan apitest.Event, apitest.Opening) {
			return anonymous.Follow(t, server, "/games/"+game+"/events")
		},
	} {
		events, answer := open()
		if answer.Status != http.StatusOK {
			t.Fatalf("%s: %d", name, answer.Status)
		}
		apitest.NextEvent(t, events, "state")
		f.streams[name] = events
	}
	return f
}

// TestStreamsEndWithTheRight follows a game with a hidden hand in every way, takes the right away, and makes a move:
// streams without the right get nothing of it, all others do.
func TestStreamsEndWithTheRight(t *testing.T) {
	for name, c := range map[string]struct {
		end   func(t *testing.T, root apitest.Person, f following)
		ended []string
	}{
		"logout": {func(t *testing.T, _ apitest.Person, f following) {
			f.ada.Send(http.MethodDelete, "/sessions/current", nil).Want(t, http.StatusNoContent)
		}, []string{"session"}},
		"logout of the pages": {func(t *testing.T, _ apitest.Person, f following) {
			f.ada.Service.Anonymous().Send(http.MethodPost, "//logout", nil, f.cookie).Want(t, http.StatusSeeOther)
		}, []string{"cookie", "page"}},
		"deleted token": {func(t *testing.T, _ apitest.Person, f following) {
			id := f.ada.Get("/me/tokens").Text("items", 0, "id")
			f.ada.Send(http.MethodDelete, "/me/tokens/"+id, nil).Want(t, http.StatusNoContent)
		}, []string{"token"}},
		"closed account": {func(t *testing.T, root apitest.Person, f following) {
			root.Send(http.MethodPatch, "/accounts/"+f.ada.Account, `{"disabled":true}`, apitest.Header{"If-Match", "*"}).
				Want(t, http.StatusOK)
		}, []string{"session", "token", "cookie", "page"}},
		"another role": {func(t *testing.T, root apitest.Person, f following) {
			root.Send(http.MethodPatch, "/accounts/"+f.ada.Account, `{"role":"organiser"}`, apitest.Header{"If-Match", "*"}).
				Want(t, http.StatusOK)
		}, []string{"session", "token", "cookie", "page"}},
		"new password": {func(t *testing.T, _ apitest.Person, f following) {
			f.ada.Send(http.MethodPatch, "/me",
				map[string]any{"current_password": apitest.Password, "password": "another horse"}).
				Want(t, http.StatusOK)
		}, []string{"cookie", "page"}},
		"new password, tokens ended": {func(t *testing.T, _ apitest.Person, f following) {
			f.ada.Send(http.MethodPatch, "/me", map[string]any{
				"current_password": apitest.Password, "password": "another horse",
				"end_tokens": true,
			}).
				Want(t, http.StatusOK)
			f.token.Get("/me").Refused(t, http.StatusUnauthorized, "unauthorized")
		}, []string{"token", "cookie", "page"}},
		"reused refresh token": {func(t *testing.T, _ apitest.Person, f following) {
			refresh := map[string]any{"refresh_token": f.ada.Refresh}
			f.ada.Service.Anonymous().Post("/sessions/refresh", refresh).Want(t, http.StatusOK)
			f.ada.Service.Anonymous().Post("/sessions/refresh", refresh).Refused(t, http.StatusUnauthorized, "token-reused")
		}, []string{"session"}},
	} {
		t.Run(name, func(t *testing.T) {
			s, server := apitest.Serving(t)
			root, ada, bob := s.WithRole("root", account.RoleAdmin), s.Register("ada"), s.Register("bob")
			id := apitest.Duel(t, ada, bob, "quixo/duel", "300").Text("id")
			f := followAll(t, s, server, ada, id)
			elsewhere := ada.Again()
			c.end(t, root, f)
			for _, ended := range c.ended {
				over(t, ended, f.streams[ended])
			}
			mover := ada
			if slices.Contains(c.ended, "session") {
				mover = elsewhere
			}
			if name == "closed account" {
				root.Post("/games/"+id+"/adjudicate", `{"ranks":[2,1],"reason":"Closed."}`).Want(t, http.StatusOK)
			} else {
				apitest.Play(t, id, mover, 1, "c1-c5")
			}
			for way, events := range f.streams {
				if !slices.Contains(c.ended, way) {
					apitest.NextEvent(t, events, "move")
				}
			}
		})
	}
}

// TestAStreamThatHasEndedIsRefusedOrPublic comes back after a logout: with the token 401, with the cookie as the
// public.
func TestAStreamThatHasEndedIsRefusedOrPublic(t *testing.T) {
	s, server := apitest.Serving(t)
	ada, bob := s.Register("ada"), s.Register("bob")
	path := "/games/" + apitest.Duel(t, ada, bob, "quiwin/duel", "300").Text("id")
	cookie := ada.Cookies(t, server, "ada")
	own, _ := s.Anonymous().Follow(t, server, path+"/events", cookie)
	if state := apitest.NextEvent(t, own, "state"); state.Data["legal"] == nil {
		t.Fatalf("the player is not shown what it may do: %v", state.Data)
	}
	s.Anonymous().Send(http.MethodPost, "//logout", nil, cookie).Want(t, http.StatusSeeOther)
	over(t, "the player's stream", own)
	public, _ := s.Anonymous().Follow(t, server, path+"/events", cookie)
	apitest.SameAsAnswer(t, apitest.NextEvent(t, public, "state").Data, s.Anonymous().Get(path))
	ada.Send(http.MethodDelete, "/sessions/current", nil).Want(t, http.StatusNoContent)
	if _, answer := ada.Follow(t, server, path+"/events"); answer.Status != http.StatusUnauthorized {
		t.Errorf("with the token of a session that has ended: %d", answer.Status)
	}
}

// TestAnArbiterThatIsNoneAnyMore gets nothing more that is for staff: of the tournament, or of its delayed games.
func TestAnArbiterThatIsNoneAnyMore(t *testing.T) {
	s, server := apitest.Serving(t)
	olga, eve, ada, bob := s.WithRole("olga", account.RoleOrganiser), s.Register("eve"), s.Register("ada"),
		s.Register("bob")
	path, round := delayedRound(t, olga, `{"delay_moves":2}`, ada, bob)
	id, seated := apitest.BoardOne(t, round, ada, bob)
	appoint := func(logins string) {
		tag := olga.Get(path + "/arbiters").IfMatch()
		olga.Send(http.MethodPut, path+"/arbiters", `{"logins":[`+logins+`]}`, tag).Want(t, http.StatusOK)
	}
	appoint(`"eve"`)
	cookie := eve.Cookies(t, server, "eve")
	staff := map[string]<-chan apitest.Event{}
	for _, where := range []string{
		"/games/" + id + "/events", path + "/events", "//games/" + id + "/live",
		"/" + path + "/live",
	} {
		events, answer := s.Anonymous().Follow(t, server, where, cookie)
		if answer.Status != http.StatusOK {
			t.Fatalf("%s: %d", where, answer.Status)
		}
		apitest.NextEvent(t, events, "state")
		staff[where] = events
	}
	apitest.Play(t, id, seated[0], 1, "c1-c5")
	apitest.NextEvent(t, staff["/games/"+id+"/events"], "move")
	apitest.NextEvent(t, staff["//games/"+id+"/live"], "move")
	appoint("")
	for _, where := range []string{path + "/events", "/" + path + "/live"} {
		over(t, where, staff[where])
	}
	apitest.Play(t, id, seated[1], 2, "a1-e1")
	for _, where := range []string{"/games/" + id + "/events", "//games/" + id + "/live"} {
		over(t, where, staff[where])
	}
	again, _ := s.Anonymous().Follow(t, server, "/games/"+id+"/events", cookie)
	if state := apitest.NextEvent(t, again, "state"); state.Data["plies"] != 0.0 {
		t.Errorf("who is no arbiter any more sees %v", state.Data)
	}
}

// TestStreamsAreBounded opens more streams than an account and an address may have.
func TestStreamsAreBounded(t *testing.T) {
	s, server := apitest.Serving(t,
		func(c *apitest.Config) { c.Limits = api.Limits{AddressStreams: 4, AccountStreams: 2} })
	ada, bob := s.Register("ada"), s.Register("bob")
	id := apitest.Duel(t, ada, bob, "quixo/duel", "300").Text("id")
	cookie := ada.Cookies(t, server, "ada")
	follow := func(p apitest.Person, want int, where string, headers ...apitest.Header) <-chan apitest.Event {
		t.Helper()
		events, answer := p.Follow(t, server, where, headers...)
		if answer.Status != want {
			t.Fatalf("%s: %d, want %d", where, answer.Status, want)
		}
		return events
	}
	api, page := "/games/"+id+"/events", "//games/"+id+"/live"
	first := follow(ada, http.StatusOK, api)
	follow(s.Anonymous(), http.StatusOK, page, cookie)
	full := ada.Get(api).Refused(t, http.StatusTooManyRequests, "too-many-streams").Has(t, "one account may have 2")
	if full.Header.Get("Retry-After") == "" {
		t.Error("too many streams, and no time after which to ask again")
	}
	follow(s.Anonymous(), http.StatusTooManyRequests, page, cookie)
	follow(bob, http.StatusOK, api)
	follow(s.Anonymous(), http.StatusOK, api)
	follow(s.Anonymous(), http.StatusTooManyRequests, api)
	apitest.NextEvent(t, first, "state")
	ada.Send(http.MethodDelete, "/sessions/current", nil).Want(t, http.StatusNoContent)
	over(t, "after a logout", first)
	// The server counts a stream as ended just after its reader sees the end.
	for deadline := time.Now().Add(10 * time.Second); ; {
		if _, answer := ada.Again().Follow(t, server, api); answer.Status == http.StatusOK {
			break
		} else if time.Now().After(deadline) {
			t.Fatalf("a stream that has ended still counts: %d", answer.Status)
		}
	}
}

// TestOrganisersTokensReadWhatTheyOrganise makes a draft with a token for organising alone and reads it back; a
// player's hand is not in its reach.
func TestOrganisersTokensReadWhatTheyOrganise(t *testing.T) {
	s := apitest.New(t)
	olga, ada, bob := s.WithRole("olga", account.RoleOrganiser), s.Register("ada"), s.Register("bob")
	token := olga.TokenFor("organise")
	path := "/tournaments/" + token.Post("/tournaments", apitest.Cup).Want(t, http.StatusCreated).Text("id")
	for _, below := range []string{"", "/arbiters", "/forbidden-pairs", "/entries", "/history"} {
		token.Get(path+below).Want(t, http.StatusOK)
	}
	token.Get("/tournaments?status=draft").Want(t, http.StatusOK)
	token.Get("/players/"+ada.Player).Want(t, http.StatusOK)
	other := s.WithRole("otto", account.RoleOrganiser).TokenFor("organise")
	other.Get(path).Refused(t, http.StatusNotFound, "not-found")
	other.Get(path+"/arbiters").Refused(t, http.StatusNotFound, "not-found")
	id := apitest.Duel(t, ada, bob, "quiwin/duel", "300").Text("id")
	ada.TokenFor("organise").Get("/games/"+id).Refused(t, http.StatusForbidden, "insufficient-scope")
	ada.TokenFor("play").Get(path).Refused(t, http.StatusForbidden, "insufficient-scope")
}

// TestTwoAdminsCannotCloseEachOther: the last admin stays, also after two requests at once.
func TestTwoAdminsCannotCloseEachOther(t *testing.T) {
	s := apitest.New(t)
	one, two := s.WithRole("one", account.RoleAdmin), s.WithRole("two", account.RoleAdmin)
	answers := make(chan *apitest.Answer)
	for _, pair := range [][2]apitest.Person{{one, two}, {two, one}} {
		go func() {
			answers <- pair[0].Send(http.MethodPatch, "/accounts/"+pair[1].Account, `{"disabled":true}`,
				apitest.Header{"If-Match", "*"})
		}()
	}
	got := []int{(<-answers).Status, (<-answers).Status}
	slices.Sort(got)
	// The second account has been closed by then, or its request is refused because the other is the last admin.
	if got[0] != http.StatusOK || (got[1] != http.StatusConflict && got[1] != http.StatusUnauthorized) {
		t.Errorf("answered %v", got)
	}
	left := 0
	for _, admin := range []apitest.Person{one, two} {
		if admin.Get("/me").Status == http.StatusOK {
			left++
		}
	}
	if left != 1 {
		t.Errorf("%d admins are left", left)
	}
}

// TestClaimsAtOnce: an account claims many players, and many accounts claim the same player; each time a single claim
// succeeds.
func TestClaimsAtOnce(t *testing.T) {
	s := apitest.New(t)
	olga, eve := s.WithRole("olga", account.RoleOrganiser), s.WithRole("eve", account.RolePlayer)
	const many = 8
	offer := func(name string) (path, code string) {
		path = "/players/" + olga.Post("/players", `{"name":"`+name+`"}`).Want(t, http.StatusCreated).Text("id")
		return path, olga.Post(path+"/claim-code", nil).Want(t, http.StatusCreated).Text("code")
	}
	type offered struct {
		by         apitest.Person
		path, code string
	}
	var different, same []offered
	path, code := offer("Contested")
	for i := range many {
		p, c := offer(fmt.Sprint("Player ", i))
		different = append(different, offered{eve, p, c})
		same = append(same, offered{s.WithRole(fmt.Sprint("fan", i), account.RolePlayer), path, code})
	}
	for slug, claims := range map[string][]offered{"has-player": different, "claimed": same} {
		answers := make(chan *apitest.Answer)
		for _, c := range claims {
			go func() { answers <- c.by.Post(c.path+"/claim", map[string]any{"code": c.code}) }()
		}
		won := 0
		for range claims {
			if a := <-answers; a.Status == http.StatusOK {
				won++
			} else {
				a.Refused(t, http.StatusConflict, slug)
			}
		}
		if won != 1 {
			t.Errorf("%s: %d of %d claims were acknowledged", slug, won, many)
		}
	}
}

// TestTokensAtOnce creates more tokens than an account may have, all at once.
func TestTokensAtOnce(t *testing.T) {
	s := apitest.New(t)
	ada := s.Register("ada")
	const asked, allowed = 120, 100
	answers := make(chan *apitest.Answer)
	for range asked {
		go func() { answers <- ada.Post("/me/tokens", `{"name":"x","scopes":["read"]}`) }()
	}
	made := 0
	for range asked {
		if a := <-answers; a.Status == http.StatusCreated {
			made++
		} else {
			a.Refused(t, http.StatusConflict, "too-many-tokens")
		}
	}
	if have := len(ada.Get("/me/tokens").List("items")); made != allowed || have != allowed {
		t.Errorf("%d tokens were made, %d are there", made, have)
	}
}
