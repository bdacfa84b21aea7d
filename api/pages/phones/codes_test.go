package phones_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"

	"quatuor/api"
	"quatuor/api/apitest"
	"quatuor/api/auth"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

func TestMain(m *testing.M) { apitest.Main(m) }

// fewCodes is the number of bad codes that an address may try in these tests.
const fewCodes = 5

func limitCodes(c *apitest.Config) {
	c.Auth.Limits.Codes = auth.Rate{Interval: time.Minute, Burst: fewCodes}
	c.Auth.Limits.Register = auth.Rate{Interval: time.Minute, Burst: 2}
}

// knownCodes has a code of every kind, or a code for each door where it can be used only once.
type knownCodes struct {
	slip, card, claim, claimPage, invitation, invitationPage, reset string
	player                                                          string // of claim
}

func makeCodes(t *testing.T, s *apitest.Service) (k knownCodes) {
	t.Helper()
	root := s.WithRole("root", account.RoleAdmin)
	s.Register("cleo")
	_, path, codes := apitest.HallEvent(t, s)
	k.slip = codes[0][0]
	cards := s.LoggedIn("olga").Get(path+"/print/cards").Want(t, http.StatusOK)
	k.card = string(regexp.MustCompile(`[0-9A-Z]{4}(-[0-9A-Z]{4}){3}`).Find(cards.Raw))
	for _, at := range []*string{&k.claimPage, &k.claim} {
		k.player = root.Post("/players", `{"name":"In the list"}`).Want(t, http.StatusCreated).Text("id")
		*at = root.Post("/players/"+k.player+"/claim-code", nil).Want(t, http.StatusCreated).Text("code")
	}
	for _, at := range []*string{&k.invitation, &k.invitationPage} {
		*at = root.Post("/invitations", nil).Want(t, http.StatusCreated).Text("code")
	}
	k.reset = root.Post("/accounts/account-of-cleo/password-reset", nil).Want(t, http.StatusCreated).Text("code")
	return k
}

// use uses a good code of every kind, at both doors.
func (k knownCodes) use(t *testing.T, s *apitest.Service) {
	t.Helper()
	for _, code := range []string{k.slip, k.card} {
		s.Anonymous().Get("/results/"+code).Want(t, http.StatusOK)
		s.Visitor().Get("/r/"+code).Want(t, http.StatusOK)
	}
	s.Anonymous().Post("/results/"+k.slip+"/call", `{"word":"my clock"}`).Want(t, http.StatusNoContent)
	dora := s.WithRole("dora", account.RolePlayer)
	dora.Post("/players/"+k.player+"/claim", map[string]any{"code": k.claim}).Want(t, http.StatusOK)
	s.Visitor().Post("/register", "login", "emil", "password", apitest.Password, "claim", k.claimPage).
		RedirectsTo(t, "/me?said=registered")
	body := map[string]any{"login": "fritz", "password": apitest.Password, "invitation": k.invitation}
	s.Anonymous().Post("/accounts", body).Want(t, http.StatusCreated)
	s.Visitor().Post("/register", "name", "Gina", "login", "gina", "password", apitest.Password, "invitation",
		k.invitationPage).
		RedirectsTo(t, "/me?said=registered")
	s.Visitor().Get("/reset?code="+k.reset).Want(t, http.StatusOK)
	s.Visitor().Post("/reset", "code", k.reset, "password", "a wholly new one").RedirectsTo(t, "/me?said=password_set")
}

// TestBadCodesLockNoOneOut: however many bad codes come from an address that all phones of a hall share, at whatever
// door, every good code is answered from there.
func TestBadCodesLockNoOneOut(t *testing.T) {
	s := apitest.New(t, apitest.WithPages, limitCodes,
		func(c *apitest.Config) { c.Auth.Registration = auth.RegistrationInvite })
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
		if got := door(); got.Status != http.StatusTooManyRequests {
			t.Errorf("%s after many: %d", name, got.Status)
		}
	}
	k.use(t, s)
}

// badCodes are the doors that take codes, each tried with a bad code.
func badCodes(t *testing.T, s *apitest.Service) map[string]func() *apitest.Answer {
	t.Helper()
	adam := s.WithRole("adam", account.RolePlayer)
	visiting := s.LoggedIn("adam")
	if err := s.Store.People().CreatePlayer(t.Context(), club.Player{ID: "free", Name: "Free", Version: 1}); err != nil {
		t.Fatal(err)
	}
	const slip, claim = "0000-0000-0000-0000", "AAAA-AAAA-AAAA-AAAA"
	invitation, _ := auth.NewSecret(account.Invitation)
	reset, _ := auth.NewSecret(account.PasswordReset)
	register := func(with ...string) func() *apitest.Answer {
		form := append([]string{"name", "X", "login", "x1", "password", apitest.Password}, with...)
		return func() *apitest.Answer { return s.Visitor().Post("/register", form...) }
	}
	return map[string]func() *apitest.Answer{
		"REST slip": func() *apitest.Answer { return s.Anonymous().Get("/results/" + slip) },
		"REST report": func() *apitest.Answer {
			return s.Anonymous().
				Post("/results/"+slip, `{"result":"1-0","saw":"x"}`)
		},
		"REST call":       func() *apitest.Answer { return s.Anonymous().Post("/results/"+slip+"/call", `{}`) },
		"REST claim":      func() *apitest.Answer { return adam.Post("/players/free/claim", map[string]any{"code": claim}) },
		"page slip":       func() *apitest.Answer { return s.Visitor().Get("/r/" + slip) },
		"page no code":    func() *apitest.Answer { return s.Visitor().Get("/r/short") },
		"page report":     func() *apitest.Answer { return s.Visitor().Post("/r/"+slip, "verdict", "1-0") },
		"page call":       func() *apitest.Answer { return s.Visitor().Post("/r/" + slip + "/call") },
		"page claim":      func() *apitest.Answer { return visiting.Post("/me/claim", "claim", claim) },
		"page invitation": register("invitation", invitation),
		"page new claim":  register("claim", claim),
		"REST invitation": func() *apitest.Answer {
			return s.Anonymous().Post("/accounts",
				map[string]any{"login": "x3", "password": apitest.Password, "invitation": invitation})
		},
		"page reset": func() *apitest.Answer { return s.Visitor().Get("/reset?code=" + reset) },
		"page new password": func() *apitest.Answer {
			return s.Visitor().Post("/reset", "code", reset, "password", "a wholly new one")
		},
	}
}

// TestBothDoorsCountTogether: an address tries no more bad codes by going through the API and the pages in turn.
func TestBothDoorsCountTogether(t *testing.T) {
	s := apitest.New(t, apitest.WithPages, limitCodes)
	refused := 0
	for n := range fewCodes {
		for _, got := range []*apitest.Answer{
			s.Anonymous().Get(fmt.Sprintf("/results/%016d", n)), s.Visitor().Get(fmt.Sprintf("/r/%016d", n)),
		} {
			if got.Status == http.StatusTooManyRequests {
				refused++
			} else {
				got.Want(t, http.StatusNotFound)
			}
		}
	}
	if refused != fewCodes {
		t.Errorf("of %d bad codes %d were refused", 2*fewCodes, refused)
	}
	s.Pass(time.Hour)
	s.Visitor().Get("/r/0000000000000000").Want(t, http.StatusNotFound)
}

// TestSetupCodeAfterBadOnes: a stranger guessing at the code of the set-up does not lock the operator out of it.
func TestSetupCodeAfterBadOnes(t *testing.T) {
	s := apitest.New(t, apitest.WithPages, limitCodes, apitest.RegistrationByClub)
	code, err := s.Guard.SetupCode(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	form := append([]string{"code", "ABCD-ABCD-ABCD-ABCD"}, apitest.SetupForm...)
	for range fewCodes {
		s.Visitor().Post("/setup", form...).Want(t, http.StatusUnprocessableEntity)
	}
	s.Visitor().Post("/setup", form...).Alert(t, http.StatusTooManyRequests, "Too many attempts")
	form[1] = code
	s.Visitor().Post("/setup", form...).Want(t, http.StatusSeeOther)
}

// TestEveryLimitHasRetryAfter uses up every limit there is, at every door: each answer with 429 has Retry-After.
func TestEveryLimitHasRetryAfter(t *testing.T) {
	few := auth.Rate{Interval: time.Minute, Burst: 2}
	s := apitest.New(t, apitest.WithPages, func(c *apitest.Config) {
		c.Auth.Limits = auth.Limits{LoginPair: few, Codes: few, Register: few}
	})
	s.WithRole("root", account.RoleAdmin)
	_, path, codes := apitest.HallEvent(t, s)
	settleCall(t, s, path, codes[0][0])
	ada := s.WithRole("ada", account.RolePlayer)
	doors, visiting, n := badCodes(t, s), s.LoggedIn("ada"), 0
	login := func() string { n++; return fmt.Sprint("new", n) }
	doors["REST login"] = func() *apitest.Answer {
		return s.Anonymous().Post("/sessions", map[string]any{"login": "bob", "password": "wrong"})
	}
	doors["page login"] = func() *apitest.Answer {
		return s.Visitor().
			Post("/login", "login", "root", "password", "wrong")
	}
	doors["REST password"] = func() *apitest.Answer {
		return ada.Send(http.MethodPatch, "/me", map[string]any{"current_password": "wrong", "password": "a wholly new one"})
	}
	doors["page password"] = func() *apitest.Answer {
		return visiting.Post("/me/password", "current", "wrong", "password", "a wholly new one")
	}
	doors["REST register"] = func() *apitest.Answer {
		return s.Anonymous().Post("/accounts", map[string]any{"login": login(), "password": apitest.Password})
	}
	doors["page register"] = func() *apitest.Answer {
		return s.Visitor().Post("/register", "name", "X", "login", login(), "password", apitest.Password)
	}
	doors["REST next call"] = func() *apitest.Answer { return s.Anonymous().Post("/results/"+codes[0][0]+"/call", `{}`) }
	doors["page next call"] = func() *apitest.Answer { return s.Visitor().Post("/r/" + codes[0][0] + "/call") }
	for name, door := range doors {
		saysWhen(t, name, door)
	}
	s = apitest.New(t, apitest.WithPages, func(c *apitest.Config) {
		c.Limits = api.Limits{
			Address: api.Rate{Interval: time.Minute, Burst: 20},
			Account: api.Rate{Interval: time.Minute, Burst: 2},
		}
	})
	bob := s.Register("bob")
	saysWhen(t, "account", func() *apitest.Answer { return bob.Get("/variants") })
	saysWhen(t, "page of an address", func() *apitest.Answer { return s.Visitor().Get("/") })
	saysWhen(t, "address", func() *apitest.Answer { return s.Anonymous().Get("/variants") })
}

// saysWhen repeats a request until it is refused, and checks its Retry-After.
func saysWhen(t *testing.T, name string, door func() *apitest.Answer) {
	t.Helper()
	for range 30 {
		got := door()
		if got.Status != http.StatusTooManyRequests {
			continue
		}
		if after, err := strconv.Atoi(got.Header.Get("Retry-After")); err != nil || after < 1 || after > 60 {
			t.Errorf("%s: Retry-After is %q", name, got.Header.Get("Retry-After"))
		}
		return
	}
	t.Errorf("%s is not limited", name)
}

// settleCall makes a call with a code, and settles it.
func settleCall(t *testing.T, s *apitest.Service, path, code string) {
	t.Helper()
	s.Anonymous().Post("/results/"+code+"/call", `{}`).Want(t, http.StatusNoContent)
	a, err := s.Store.People().AccountByLogin(t.Context(), "olga")
	if err != nil {
		t.Fatal(err)
	}
	olga := s.Session(a)
	call := olga.Get(path+"/calls").Want(t, http.StatusOK).Text("items", 0, "id")
	olga.Send(http.MethodPut, path+"/calls/"+call, `{"status":"settled"}`).Want(t, http.StatusNoContent)
}
