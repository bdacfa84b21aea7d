package app

import (
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quatuor/api"
	"quatuor/api/auth"
	"quatuor/api/client"
	"quatuor/rating/ledger"
	"quatuor/rating/systems"
	"quatuor/store"
	"quatuor/store/dbtest"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

const phrase = "a long pass phrase of the club"

// TestPeopleOfInstances runs three instances on a shared PostgreSQL, and tests the limits of people's attempts across
// all of them, and decisions at an instance that have to count at the others.
func TestPeopleOfInstances(t *testing.T) {
	server := dbtest.Cluster(t, "fsync=off")
	for name, test := range map[string]func(*testing.T, string){
		"OneAddress": guessesFromOneAddress, "ManyAddresses": guessesFromManyAddresses, "ManyLogins": guessesOfManyLogins,
		"Forwarded": guessesWithForwarded, "Session": guessesOfASession, "Codes": guessesOfCodes, "Owner": ownerDuringGuesses,
		"Away": guessesWhileAway, "Restart": guessesAcrossARestart, "Rate": rateOfAnAccount, "Unhinted": endedWithoutAHint,
		"Settings": settingsElsewhere, "SetUp": setUpElsewhere, "Keys": keysElsewhere, "OneTime": oneTimeElsewhere,
		"Ratings": ratingsOfInstances, "AccountStreams": accountStreams,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // most of them wait for seconds
			test(t, server.Schema(t))
		})
	}
}

// member opens an account at the first instance.
func member(t testing.TB, all []*App, login string) account.Account {
	t.Helper()
	a, err := all[0].Guard.Create(t.Context(), auth.NewAccount{Login: login, Password: phrase, PlayerName: login},
		account.RolePlayer)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// rateOfAnAccount sends many requests to all instances at the same time: beyond the bursts, which each allows at once,
// hardly more is allowed than at a single instance.
func rateOfAnAccount(t *testing.T, dsn string) {
	const perSecond, burst = 10, 30 // of an account; an address has twice the limit
	all := instances(t, dsn, 3, func(c *Config) { c.RateLimit = 2 * perSecond })
	ada, eve := player(t, all, "ada"), player(t, all, "eve")
	var allowed atomic.Int64
	var done sync.WaitGroup
	began := time.Now()
	for _, at := range ada {
		done.Go(func() {
			pace := time.NewTicker(25 * time.Millisecond)
			defer pace.Stop()
			for time.Since(began) < 4*time.Second {
				if status(t, at.Client) == 0 {
					allowed.Add(1)
				}
				<-pace.C
			}
		})
	}
	done.Wait()
	took := time.Since(began).Seconds()
	t.Logf("%d requests allowed at three instances in %.1f s", allowed.Load(), took)
	// A tenth of the rate may go untold at each of the others, and each hears a second late.
	if most := 3*burst + perSecond*took*(1+2.0/api.SpentShare) + 2*perSecond; float64(allowed.Load()) > most {
		t.Errorf("that is more than %.0f", most)
	}
	for _, at := range eve {
		if code := status(t, at.Client); code != 0 {
			t.Errorf("another account is answered %d", code)
		}
	}
}

// status requests the own account; 0 is success.
func status(t *testing.T, c *client.Client) int {
	t.Helper()
	err := c.Get(t.Context(), "/me", nil)
	var refused *client.Problem
	switch {
	case err == nil:
		return 0
	case errors.As(err, &refused):
		return refused.Status
	}
	t.Fatal(err)
	return 0
}

// endedWithoutAHint ends sessions and changes a role in the database behind the instances' backs, as an instance does
// that dies before it has spoken.
func endedWithoutAHint(t *testing.T, dsn string) {
	all := instances(t, dsn, 3, nil)
	ada, bob := player(t, all, "ada"), player(t, all, "bob")
	db, err := store.Open(t.Context(), store.Config{DSN: dsn})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	mute := auth.NewGuard(auth.Config{Store: db.People()})
	for _, a := range all {
		for _, p := range []string{ada[0].Token, bob[0].Token} {
			if _, err := a.Guard.Authenticate(bearerRequest(t, p)); err != nil {
				t.Fatal(err)
			}
		}
	}
	who, err := mute.Authenticate(bearerRequest(t, ada[0].Token))
	if err != nil {
		t.Fatal(err)
	}
	from, err := db.People().Account(t.Context(), mustWho(t, mute, bob[0].Token).AccountID)
	if err != nil {
		t.Fatal(err)
	}
	to := from
	to.Role = account.RoleOrganiser
	if err := db.People().UpdateAccount(t.Context(), from, to); err != nil {
		t.Fatal(err)
	}
	if err := mute.EndSessions(t.Context(), who); err != nil {
		t.Fatal(err)
	}
	said := time.Now()
	for i, a := range all {
		eventually(t, func() bool {
			_, err := a.Guard.Authenticate(bearerRequest(t, ada[0].Token))
			return errors.Is(err, auth.ErrBadToken)
		})
		eventually(t, func() bool { return mustWho(t, a.Guard, bob[0].Token).Role == account.RoleOrganiser })
		t.Logf("instance %d, without a hint: %v", i, time.Since(said).Round(time.Millisecond))
	}
}

func mustWho(t *testing.T, g *auth.Guard, token string) auth.Identity {
	t.Helper()
	who, err := g.Authenticate(bearerRequest(t, token))
	if err != nil {
		t.Fatal(err)
	}
	return who
}

// eventually waits until something is so.
func eventually(t *testing.T, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(relayPatience); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it never comes to be so")
		}
	}
}

// settingsElsewhere changes the club's name and closes its registration at another instance.
func settingsElsewhere(t *testing.T, dsn string) {
	all := instances(t, dsn, 3, func(c *Config) { c.Registration = "" })
	decided := club.Settings{Name: "Tuesday", Registration: "open", Reach: club.ReachLocal}
	if err := all[0].Club.Save(t.Context(), decided); err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		eventually(t, func() bool { return a.Club.Current(t.Context()).Name == "Tuesday" })
		if got := a.Guard.Registration(t.Context()); got != auth.RegistrationOpen {
			t.Errorf("registration is %s", got)
		}
	}
	decided, err := all[1].Club.Stored(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	decided.Registration = "closed"
	if err := all[1].Club.Save(t.Context(), decided); err != nil {
		t.Fatal(err)
	}
	said := time.Now()
	for i, a := range all {
		eventually(t, func() bool { return a.Guard.Registration(t.Context()) == auth.RegistrationClosed })
		t.Logf("closed at instance %d after %v", i, time.Since(said).Round(time.Millisecond))
	}
}

// setUpElsewhere: the code that any instance has printed is good at each, until an account exists.
func setUpElsewhere(t *testing.T, dsn string) {
	all := instances(t, dsn, 3, nil)
	var codes []string
	for _, a := range all {
		code, err := a.Guard.SetupCode(t.Context())
		if err != nil || code == "" {
			t.Fatal(code, err)
		}
		codes = append(codes, code)
	}
	for _, a := range all {
		for _, code := range codes {
			if err := a.Guard.CheckSetup(t.Context(), code, "203.0.113.9"); err != nil {
				t.Errorf("a code of another instance: %v", err)
			}
		}
		other, _ := auth.NewClaimCode()
		if err := a.Guard.CheckSetup(t.Context(), other, "203.0.113.9"); !errors.Is(err, auth.ErrSetupCode) {
			t.Errorf("another code: %v", err)
		}
	}
	for _, a := range all {
		eve := auth.NewAccount{Login: "eve", Password: phrase, Address: "203.0.113.9"}
		if _, err := a.Guard.Register(t.Context(), eve); !errors.Is(err, auth.ErrNotSetUp) {
			t.Errorf("a stranger before the set-up: %v", err)
		}
	}
	var done sync.WaitGroup
	var made atomic.Int64
	for i, a := range all {
		done.Go(func() {
			n := auth.NewAccount{Login: fmt.Sprint("first-", i), Password: phrase, Address: "203.0.113.9"}
			_, err := a.Guard.SetUp(t.Context(), codes[(i+1)%3], n, club.Settings{Registration: "open", Reach: club.ReachLocal})
			switch {
			case err == nil:
				made.Add(1)
			case !errors.Is(err, account.ErrSetUp):
				t.Error(err)
			}
		})
	}
	done.Wait()
	if made.Load() != 1 {
		t.Errorf("%d first accounts", made.Load())
	}
	if err := all[2].Guard.CheckSetup(t.Context(), codes[0], "203.0.113.9"); !errors.Is(err, account.ErrSetUp) {
		t.Errorf("afterwards: %v", err)
	}
	if left := rowsOf(t, dsn, "SELECT count(*) FROM credentials WHERE kind = 'setup'"); left != 0 {
		t.Errorf("%d codes are left", left)
	}
}

// keysElsewhere: a token that is signed with a key that was just made is good at the other instances at once.
func keysElsewhere(t *testing.T, dsn string) {
	started := time.Now()
	var ahead atomic.Int64
	all := instances(t, dsn, 3, func(c *Config) {
		c.Now = func() time.Time { return started.Add(time.Duration(ahead.Load())) }
	})
	owner := member(t, all, "ada")
	for _, a := range all { // each has looked for keys just now
		if _, err := a.Guard.PublicKeys(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	part := base64.RawURLEncoding.EncodeToString
	invented := part([]byte(`{"alg":"EdDSA","typ":"JWT","kid":"there is none"}`)) + "." + part([]byte(`{}`)) + "." +
		part(make([]byte, 64))
	for round := range 3 {
		ahead.Add(int64(31 * 24 * time.Hour)) // a new key is due
		for _, a := range all[1:] {           // they have just looked for a missing key
			if _, err := a.Guard.Authenticate(bearerRequest(t, invented)); !errors.Is(err, auth.ErrBadToken) {
				t.Fatal(err)
			}
		}
		tokens, err := all[0].Guard.OpenSession(t.Context(), owner)
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range all {
			if who, err := a.Guard.Authenticate(bearerRequest(t, tokens.Access)); err != nil || who.AccountID != owner.ID {
				t.Errorf("round %d: instance %d answers %v", round, i, err)
			}
		}
	}
}

// oneTimeElsewhere uses an invitation and a link for a new password at all instances at the same time.
func oneTimeElsewhere(t *testing.T, dsn string) {
	all := instances(t, dsn, 3, func(c *Config) { c.Registration = "invite" })
	if _, err := all[0].Guard.Create(t.Context(), auth.NewAccount{Login: "olga", Password: phrase},
		account.RoleAdmin); err != nil {
		t.Fatal(err)
	}
	owner := member(t, all, "ada")
	olga, err := all[0].Guard.CheckLogin(t.Context(), "olga", phrase, address("203.0.113.9"))
	if err != nil {
		t.Fatal(err)
	}
	tokens, err := all[0].Guard.OpenSession(t.Context(), olga)
	if err != nil {
		t.Fatal(err)
	}
	staff := mustWho(t, all[1].Guard, tokens.Access)
	invitation, _, err := all[1].Guard.Invite(t.Context(), staff, auth.NewInvitation{Life: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	link, _, err := all[2].Guard.NewReset(t.Context(), staff, owner.ID)
	if err != nil {
		t.Fatal(err)
	}
	once := func(what string, use func(a *App, i int) error, refusal error) {
		var done sync.WaitGroup
		var used atomic.Int64
		for i := range 6 {
			done.Go(func() {
				switch err := use(all[i%3], i); {
				case err == nil:
					used.Add(1)
				case !errors.Is(err, refusal):
					t.Errorf("%s: %v", what, err)
				}
			})
		}
		done.Wait()
		if used.Load() != 1 {
			t.Errorf("%s was used %d times", what, used.Load())
		}
	}
	once("an invitation", func(a *App, i int) error {
		_, err := a.Guard.Register(t.Context(), auth.NewAccount{
			Login: fmt.Sprint("guest-", i), Password: phrase, Invitation: invitation, Address: "203.0.113.9",
		})
		return err
	}, auth.ErrInvitation)
	once("a link for a new password", func(a *App, i int) error {
		_, err := a.Guard.ResetPassword(t.Context(), link, fmt.Sprint("another horse ", i), "203.0.113.9")
		return err
	}, auth.ErrResetCode)
}

// ratingsOfInstances starts instances with other rules for ratings than those that serve: they are refused, and the
// others go on. When all have stopped, the rules may change.
func ratingsOfInstances(t *testing.T, dsn string) {
	file := func(system string) string {
		name := filepath.Join(t.TempDir(), ratingsFile)
		if err := os.WriteFile(name, []byte(`{"lists": [{"list": "*", "system": "`+system+`"}]}`), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	luce, glicko := file("plackett-luce"), file("glicko2")
	config := func(ratings string) Config {
		return Config{
			Storage: Storage{Database: dsn, Ratings: ratings}, Listen: "127.0.0.1:0", Logger: slog.New(slog.DiscardHandler),
		}
	}
	// Three that come at the same time with the same file all start.
	var starting sync.WaitGroup
	var apps [3]*App
	for i := range apps {
		starting.Go(func() {
			var err error
			if apps[i], err = New(t.Context(), config(luce)); err != nil {
				t.Error(err)
			}
		})
	}
	starting.Wait()
	if t.Failed() {
		t.FailNow()
	}
	one := apps[0]
	for _, a := range apps[1:] {
		a.Close()
	}
	stop := runs(t, one)
	eventually(t, func() bool { return rowsOf(t, dsn, "SELECT count(*) FROM heartbeats WHERE seen_at > 0") > 0 })
	for range 2 {
		two, err := New(t.Context(), config(glicko))
		if err == nil {
			two.Close()
		}
		if !errors.Is(err, ledger.ErrRegulation) ||
			!strings.Contains(err.Error(), "give all the same ratings.json, or stop the others first") {
			t.Fatalf("an instance with other rules: %v", err)
		}
	}
	if text, _, err := one.Store.Ratings().Regulation(t.Context()); err != nil || text != one.lists.Text() {
		t.Errorf("those that serve rate by %q, %v", text, err)
	}
	if err := systems.Same(t.Context(), one.Store.Ratings(), one.lists); err != nil {
		t.Error(err)
	}
	stop()
	// An instance that does not serve yet fails once another serves with different rules.
	late, err := New(t.Context(), config(luce))
	if err != nil {
		t.Fatal(err)
	}
	defer late.Close()
	next, err := New(t.Context(), config(glicko))
	if err != nil {
		t.Fatalf("after the others have stopped: %v", err)
	}
	defer runs(t, next)()
	if err := late.Listen(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := late.Run(t.Context()); !errors.Is(err, ledger.ErrRegulation) {
		t.Errorf("two that came at the same time with different rules: %v", err)
	}
}
