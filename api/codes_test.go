package api_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"

	"quatuor/api"
	"quatuor/api/auth"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// fewCodes is how many codes that are not good an address may try in these tests.
const fewCodes = 5

func limitCodes(c *configuration) {
	c.auth.Limits.Codes = auth.Rate{Interval: time.Minute, Burst: fewCodes}
	c.auth.Limits.Register = auth.Rate{Interval: time.Minute, Burst: 2}
}

// knownCodes is one code of every kind, or one for each door where it can be used once.
type knownCodes struct {
	slip, card, claim, claimPage, invitation, invitationPage, reset string
	player                                                          string // of claim
}

func makeCodes(t *testing.T, s *service) (k knownCodes) {
	t.Helper()
	root := s.withRole("root", account.RoleAdmin)
	s.register("cleo")
	_, path, codes := hallEvent(t, s)
	k.slip = codes[0][0]
	cards := s.visits("olga").get(path+"/print/cards").want(t, http.StatusOK)
	k.card = string(regexp.MustCompile(`[0-9A-Z]{4}(-[0-9A-Z]{4}){3}`).Find(cards.raw))
	for _, at := range []*string{&k.claimPage, &k.claim} {
		k.player = root.post("/players", `{"name":"In the list"}`).want(t, http.StatusCreated).text("id")
		*at = root.post("/players/"+k.player+"/claim-code", nil).want(t, http.StatusCreated).text("code")
	}
	for _, at := range []*string{&k.invitation, &k.invitationPage} {
		*at = root.post("/invitations", nil).want(t, http.StatusCreated).text("code")
	}
	k.reset = root.post("/accounts/account-of-cleo/password-reset", nil).want(t, http.StatusCreated).text("code")
	return k
}

// use uses a good code of every kind, at both doors.
func (k knownCodes) use(t *testing.T, s *service) {
	t.Helper()
	for _, code := range []string{k.slip, k.card} {
		s.anonymous().get("/results/"+code).want(t, http.StatusOK)
		s.visitor().get("/r/"+code).want(t, http.StatusOK)
	}
	s.anonymous().post("/results/"+k.slip+"/call", `{"word":"my clock"}`).want(t, http.StatusNoContent)
	dora := s.withRole("dora", account.RolePlayer)
	dora.post("/players/"+k.player+"/claim", map[string]any{"code": k.claim}).want(t, http.StatusOK)
	s.visitor().post("/register", "login", "emil", "password", password, "claim", k.claimPage).to(t, "/me?said=registered")
	body := map[string]any{"login": "fritz", "password": password, "invitation": k.invitation}
	s.anonymous().post("/accounts", body).want(t, http.StatusCreated)
	s.visitor().post("/register", "name", "Gina", "login", "gina", "password", password, "invitation", k.invitationPage).
		to(t, "/me?said=registered")
	s.visitor().get("/reset?code="+k.reset).want(t, http.StatusOK)
	s.visitor().post("/reset", "code", k.reset, "password", "a wholly new one").to(t, "/me?said=password_set")
}

// TestBadCodesLockNoOneOut: however many bad codes come from an address that all phones of a hall share, at whatever
// door, every good code is answered from there.
func TestBadCodesLockNoOneOut(t *testing.T) {
	s := newService(t, withRealPages, limitCodes, func(c *configuration) { c.auth.Registration = auth.RegistrationInvite })
	k, bad := makeCodes(t, s), badCodes(t, s)
	var storm sync.WaitGroup
	for range 4 {
		storm.Go(func() {
			for _, door := range bad {
				door()
			}
		})
	}
	storm.Wait()
	for name, door := range bad {
		if got := door(); got.status != http.StatusTooManyRequests {
			t.Errorf("%s after many: %d", name, got.status)
		}
	}
	k.use(t, s)
}

// badCodes are the doors at which codes are tried, each with one that is not good.
func badCodes(t *testing.T, s *service) map[string]func() *answer {
	t.Helper()
	adam := s.withRole("adam", account.RolePlayer)
	visiting := s.visits("adam")
	if err := s.db.People().CreatePlayer(t.Context(), club.Player{ID: "free", Name: "Free", Version: 1}); err != nil {
		t.Fatal(err)
	}
	const slip, claim = "0000-0000-0000-0000", "AAAA-AAAA-AAAA-AAAA"
	invitation, _ := auth.NewSecret(account.Invitation)
	reset, _ := auth.NewSecret(account.PasswordReset)
	register := func(with ...string) func() *answer {
		form := append([]string{"name", "X", "login", "x1", "password", password}, with...)
		return func() *answer { return s.visitor().post("/register", form...) }
	}
	return map[string]func() *answer{
		"REST slip":       func() *answer { return s.anonymous().get("/results/" + slip) },
		"REST report":     func() *answer { return s.anonymous().post("/results/"+slip, `{"result":"1-0","saw":"x"}`) },
		"REST call":       func() *answer { return s.anonymous().post("/results/"+slip+"/call", `{}`) },
		"REST claim":      func() *answer { return adam.post("/players/free/claim", map[string]any{"code": claim}) },
		"page slip":       func() *answer { return s.visitor().get("/r/" + slip) },
		"page no code":    func() *answer { return s.visitor().get("/r/short") },
		"page report":     func() *answer { return s.visitor().post("/r/"+slip, "verdict", "1-0") },
		"page call":       func() *answer { return s.visitor().post("/r/" + slip + "/call") },
		"page claim":      func() *answer { return visiting.post("/me/claim", "claim", claim) },
		"page invitation": register("invitation", invitation),
		"page new claim":  register("claim", claim),
		"REST invitation": func() *answer {
			return s.anonymous().post("/accounts", map[string]any{"login": "x3", "password": password, "invitation": invitation})
		},
		"page reset": func() *answer { return s.visitor().get("/reset?code=" + reset) },
		"page new password": func() *answer {
			return s.visitor().post("/reset", "code", reset, "password", "a wholly new one")
		},
	}
}

// TestBothDoorsCountTogether: an address tries no more bad codes by going through the API and the pages in turn.
func TestBothDoorsCountTogether(t *testing.T) {
	s := newService(t, withRealPages, limitCodes)
	refused := 0
	for n := range fewCodes {
		for _, got := range []*answer{
			s.anonymous().get(fmt.Sprintf("/results/%016d", n)), s.visitor().get(fmt.Sprintf("/r/%016d", n)),
		} {
			if got.status == http.StatusTooManyRequests {
				refused++
			} else {
				got.want(t, http.StatusNotFound)
			}
		}
	}
	if refused != fewCodes {
		t.Errorf("of %d bad codes %d were refused", 2*fewCodes, refused)
	}
	s.pass(time.Hour)
	s.visitor().get("/r/0000000000000000").want(t, http.StatusNotFound)
}

// TestSetupCodeAfterBadOnes: a stranger who guesses at the code of the set-up does not keep the operator from it.
func TestSetupCodeAfterBadOnes(t *testing.T) {
	s := newService(t, withRealPages, limitCodes, decided)
	code, err := s.guard.SetupCode(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	form := append([]string{"code", "ABCD-ABCD-ABCD-ABCD"}, setupForm...)
	for range fewCodes {
		s.visitor().post("/setup", form...).want(t, http.StatusUnprocessableEntity)
	}
	s.visitor().post("/setup", form...).alert(t, http.StatusTooManyRequests, "Too many attempts")
	form[1] = code
	s.visitor().post("/setup", form...).want(t, http.StatusSeeOther)
}

// TestEveryLimitHasRetryAfter uses up every limit there is, at every door: each answer with 429 has Retry-After.
func TestEveryLimitHasRetryAfter(t *testing.T) {
	few := auth.Rate{Interval: time.Minute, Burst: 2}
	s := newService(t, withRealPages, func(c *configuration) {
		c.auth.Limits = auth.Limits{LoginPair: few, Codes: few, Register: few}
	})
	s.withRole("root", account.RoleAdmin)
	_, path, codes := hallEvent(t, s)
	settleCall(t, s, path, codes[0][0])
	ada := s.withRole("ada", account.RolePlayer)
	doors, visiting, n := badCodes(t, s), s.visits("ada"), 0
	login := func() string { n++; return fmt.Sprint("new", n) }
	doors["REST login"] = func() *answer {
		return s.anonymous().post("/sessions", map[string]any{"login": "bob", "password": "wrong"})
	}
	doors["page login"] = func() *answer { return s.visitor().post("/login", "login", "root", "password", "wrong") }
	doors["REST password"] = func() *answer {
		return ada.send(http.MethodPatch, "/me", map[string]any{"current_password": "wrong", "password": "a wholly new one"})
	}
	doors["page password"] = func() *answer {
		return visiting.post("/me/password", "current", "wrong", "password", "a wholly new one")
	}
	doors["REST register"] = func() *answer {
		return s.anonymous().post("/accounts", map[string]any{"login": login(), "password": password})
	}
	doors["page register"] = func() *answer {
		return s.visitor().post("/register", "name", "X", "login", login(), "password", password)
	}
	doors["REST next call"] = func() *answer { return s.anonymous().post("/results/"+codes[0][0]+"/call", `{}`) }
	doors["page next call"] = func() *answer { return s.visitor().post("/r/" + codes[0][0] + "/call") }
	for name, door := range doors {
		saysWhen(t, name, door)
	}
	s = newService(t, withRealPages, func(c *configuration) {
		c.limits = api.Limits{Address: api.Rate{Interval: time.Minute, Burst: 20}, Account: api.Rate{Interval: time.Minute, Burst: 2}}
	})
	bob := s.register("bob")
	saysWhen(t, "account", func() *answer { return bob.get("/variants") })
	saysWhen(t, "page of an address", func() *answer { return s.visitor().get("/") })
	saysWhen(t, "address", func() *answer { return s.anonymous().get("/variants") })
}

// saysWhen repeats a request until it is refused, and checks its Retry-After.
func saysWhen(t *testing.T, name string, door func() *answer) {
	t.Helper()
	for range 30 {
		got := door()
		if got.status != http.StatusTooManyRequests {
			continue
		}
		if after, err := strconv.Atoi(got.header.Get("Retry-After")); err != nil || after < 1 || after > 60 {
			t.Errorf("%s: Retry-After is %q", name, got.header.Get("Retry-After"))
		}
		return
	}
	t.Errorf("%s is not limited", name)
}

// settleCall makes a call with a code, and settles it.
func settleCall(t *testing.T, s *service, path, code string) {
	t.Helper()
	s.anonymous().post("/results/"+code+"/call", `{}`).want(t, http.StatusNoContent)
	a, err := s.db.People().AccountByLogin(t.Context(), "olga")
	if err != nil {
		t.Fatal(err)
	}
	olga := s.session(a)
	call := olga.get(path+"/calls").want(t, http.StatusOK).text("items", 0, "id")
	olga.send(http.MethodPut, path+"/calls/"+call, `{"status":"settled"}`).want(t, http.StatusNoContent)
}
