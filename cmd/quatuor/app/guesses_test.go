package app

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quatuor/api/auth"
	"quatuor/tournament/account"
)

// storm tries a wrong password a number of times, at all instances in turns and at the same time, and returns the
// number of compared passwords and the time it took.
func storm(t *testing.T, all []*App, tries int, try func(ctx context.Context, a *App, i int) error) (
	compared int, took time.Duration,
) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), relayPatience)
	defer cancel()
	var judged, refused, other atomic.Int64
	var done sync.WaitGroup
	gate := make(chan struct{})
	for i := range tries {
		done.Go(func() {
			<-gate
			switch err := try(ctx, all[i%len(all)], i); {
			case errors.Is(err, auth.ErrTooMany):
				refused.Add(1)
			case errors.Is(err, auth.ErrBadLogin), errors.Is(err, auth.ErrSetupCode), errors.Is(err, auth.ErrResetCode),
				errors.Is(err, auth.ErrClaimCode):
				judged.Add(1)
			default:
				other.Add(1)
				t.Errorf("try %d is answered %v", i, err)
			}
		})
	}
	began := time.Now()
	close(gate)
	done.Wait()
	took = time.Since(began)
	t.Logf("of %d tries at %d instances in %v %d were compared, %d refused", tries, len(all), took.Round(time.Millisecond),
		judged.Load(), refused.Load())
	return int(judged.Load()), took
}

// most returns the number of attempts that a rate allows within a time.
func most(r auth.Rate, within time.Duration) int {
	return r.Burst + int(within/r.Interval) + 1
}

func guess(login string, from func(i int) auth.Origin) func(context.Context, *App, int) error {
	return func(ctx context.Context, a *App, i int) error {
		_, err := a.Guard.CheckLogin(ctx, login, "guess", from(i))
		return err
	}
}

func address(text string) auth.Origin { return auth.Origin{Address: text} }

// guessesFromOneAddress: no more of a login's are compared at three instances than at a single instance.
func guessesFromOneAddress(t *testing.T, dsn string) {
	all := instances(t, dsn, 3, nil)
	member(t, all, "ada")
	compared, took := storm(t, all, 120, guess("ada", func(int) auth.Origin { return address("198.51.100.7") }))
	if rate := auth.DefaultLimits().LoginPair; compared < rate.Burst || compared > most(rate, took) ||
		took < 10*time.Second && compared > 12 {
		t.Errorf("%d wrong passwords were compared in %v", compared, took)
	}
	_, err := all[2].Guard.CheckLogin(t.Context(), "ada", phrase, address("198.51.100.7"))
	var limited *auth.LimitError
	if !errors.As(err, &limited) || limited.Verdict.RetryIn <= 0 || limited.Verdict.RetryIn > 10*time.Second {
		t.Errorf("and then from there: %v", err)
	}
}

// guessesFromManyAddresses: the burst that a login allows from anywhere is compared at once, the rest slowly, as at a
// single instance.
func guessesFromManyAddresses(t *testing.T, dsn string) {
	all := instances(t, dsn, 3, nil)
	member(t, all, "ada")
	compared, took := storm(t, all, 300, guess("ada", func(i int) auth.Origin {
		return address(fmt.Sprintf("2001:db8:%x::1", i))
	}))
	// An instance compares a burst, the last of it with delays, and 16 in four seconds of those beyond.
	limits := auth.DefaultLimits()
	if bound := most(limits.LoginAccount, took) + most(auth.Rate{Interval: 250 * time.Millisecond, Burst: 16}, took); compared > bound ||
		compared < limits.LoginAccount.Burst {
		t.Errorf("%d wrong passwords from many addresses were compared in %v, want at most %d", compared, took, bound)
	}
}

// guessesOfManyLogins from a single address.
func guessesOfManyLogins(t *testing.T, dsn string) {
	all := instances(t, dsn, 3, nil)
	compared, took := storm(t, all, 300, func(ctx context.Context, a *App, i int) error {
		_, err := a.Guard.CheckLogin(ctx, fmt.Sprint("login-", i), "guess", address("198.51.100.7"))
		return err
	})
	if rate := auth.DefaultLimits().LoginAddress; compared < rate.Burst || compared > most(rate, took) {
		t.Errorf("%d wrong passwords for many logins were compared", compared)
	}
	if _, err := all[1].Guard.CheckLogin(t.Context(), "eve", "guess", address("198.51.100.8")); !errors.Is(err,
		auth.ErrBadLogin) {
		t.Errorf("from another address: %v", err)
	}
}

// guessesWithForwarded: what a client writes into X-Forwarded-For makes it no other address, at any instance.
func guessesWithForwarded(t *testing.T, dsn string) {
	all := instances(t, dsn, 3, nil)
	member(t, all, "ada")
	compared, _ := storm(t, all, 60, func(ctx context.Context, a *App, i int) error {
		body := fmt.Sprintf(`{"login":"ada","password":"guess %d"}`, i)
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, a.URL()+"/api/v1/sessions", strings.NewReader(body))
		if err != nil {
			return err
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Forwarded-For", fmt.Sprintf("203.0.113.%d", i))
		r.Header.Set("X-Real-IP", fmt.Sprintf("203.0.113.%d", i))
		r.Header.Set("Forwarded", fmt.Sprintf("for=203.0.113.%d", i))
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		switch answer.StatusCode {
		case http.StatusUnauthorized, http.StatusUnprocessableEntity:
			return auth.ErrBadLogin
		case http.StatusTooManyRequests:
			return auth.ErrTooMany
		}
		return errors.New(answer.Status)
	})
	if compared < 10 || compared > 12 {
		t.Errorf("%d wrong passwords were compared", compared)
	}
}

// guessesOfASession: guessing the password of a session is no faster at three instances.
func guessesOfASession(t *testing.T, dsn string) {
	all := instances(t, dsn, 3, nil)
	ada := player(t, all, "ada")
	compared, _ := storm(t, all, 60, func(ctx context.Context, a *App, _ int) error {
		who, err := a.Guard.Authenticate(bearerRequest(t, ada[0].Token))
		if err != nil {
			return err
		}
		return a.Guard.ChangePassword(ctx, who, auth.NewPassword{Present: "guess", Next: "another horse and staple"})
	})
	if compared < 10 || compared > 12 {
		t.Errorf("%d wrong passwords were compared", compared)
	}
	who, err := all[1].Guard.Authenticate(bearerRequest(t, ada[0].Token))
	if err != nil {
		t.Fatal(err)
	}
	if err := all[1].Guard.ChangePassword(t.Context(), who,
		auth.NewPassword{Present: phrase, Next: "another horse and staple"}); !errors.Is(err, auth.ErrTooMany) {
		t.Errorf("and then the right one: %v", err)
	}
}

// guessesOfCodes: wrong codes of an address are counted together.
func guessesOfCodes(t *testing.T, dsn string) {
	all := instances(t, dsn, 3, nil)
	member(t, all, "ada")
	compared, took := storm(t, all, 500, func(ctx context.Context, a *App, i int) error {
		if i%2 == 0 {
			return a.Guard.UnknownCode(ctx, "198.51.100.7", auth.ErrClaimCode) // as at every other door
		}
		code, _ := auth.NewSecret(account.PasswordReset)
		_, err := a.Guard.ResetOwner(ctx, code, "198.51.100.7")
		return err
	})
	if rate := auth.DefaultLimits().Codes; compared < rate.Burst || compared > most(rate, took) {
		t.Errorf("%d wrong codes were compared", compared)
	}
}

// ownerDuringGuesses: an owner with a known address or browser passes at once at any instance while others guess, and
// right passwords count for nothing.
func ownerDuringGuesses(t *testing.T, dsn string) {
	all := instances(t, dsn, 3, nil)
	owner := member(t, all, "ada")
	home := address("203.0.113.9")
	for i := range 40 { // more than any burst
		if got, err := all[i%3].Guard.CheckLogin(t.Context(), "ada", phrase, home); err != nil || got.ID != owner.ID {
			t.Fatalf("login %d: %v", i, err)
		}
	}
	if owed := owing(t, dsn); owed != 0 {
		t.Errorf("after right passwords alone %d keys owe something", owed)
	}
	storm(t, all, 60, guess("ada", func(int) auth.Origin { return address("198.51.100.7") }))
	for i, a := range all {
		began := time.Now()
		if got, err := a.Guard.CheckLogin(t.Context(), "ada", phrase, home); err != nil || got.ID != owner.ID {
			t.Errorf("the owner at instance %d: %v", i, err)
		} else {
			t.Logf("the owner at instance %d: %v", i, time.Since(began).Round(100*time.Microsecond))
		}
	}
	if _, err := all[0].Store.Attempts().Forget(t.Context()); err != nil {
		t.Error(err)
	}
	if left := rowsOf(t, dsn, "SELECT count(*) FROM attempts"); left != owing(t, dsn) {
		t.Errorf("%d keys are left, more than owe something", left)
	}
}

// owing returns the number of keys with a debt.
func owing(t *testing.T, dsn string) int {
	return rowsOf(t, dsn, "SELECT count(*) FROM attempts WHERE paid_at > extract(epoch FROM clock_timestamp()) * 1000000")
}

func rowsOf(t *testing.T, dsn, query string) (n int) {
	t.Helper()
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRowContext(t.Context(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// guessesWhileAway: without the table that counts, as without the database, no password is compared.
func guessesWhileAway(t *testing.T, dsn string) {
	all := instances(t, dsn, 1, nil)
	member(t, all, "ada")
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ctx, cancel := context.WithCancel(t.Context())
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.ExecContext(ctx, "LOCK TABLE attempts IN ACCESS EXCLUSIVE MODE"); err != nil {
		t.Fatal(err)
	}
	short, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	if _, err := all[0].Guard.CheckLogin(short, "ada", phrase, address("203.0.113.9")); err == nil ||
		errors.Is(err, auth.ErrBadLogin) {
		t.Errorf("where nothing can be counted: %v", err)
	}
	cancel()
	_ = tx.Rollback()
	if _, err := all[0].Guard.CheckLogin(t.Context(), "ada", phrase, address("203.0.113.9")); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// guessesAcrossARestart: a restarted instance does not forget what was guessed.
func guessesAcrossARestart(t *testing.T, dsn string) {
	all := instances(t, dsn, 1, nil)
	member(t, all, "ada")
	for left := 1; left > 0; { // two tries at the same time may refuse each other the last attempt
		left, _ = storm(t, all, 30, guess("ada", func(int) auth.Origin { return address("198.51.100.7") }))
	}
	fresh := instances(t, dsn, 1, nil)
	if _, err := fresh[0].Guard.CheckLogin(t.Context(), "ada", phrase, address("198.51.100.7")); !errors.Is(err,
		auth.ErrTooMany) {
		t.Errorf("an instance that has just started: %v", err)
	}
}
