package auth

import (
	"context"
	"errors"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

func TestPasswordsAreHashed(t *testing.T) {
	hash, err := DefaultPasswordCost().hash(t.Context(), "correct horse")
	if err != nil || !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") || strings.Contains(hash, "horse") {
		t.Fatalf("%s, %v", hash, err)
	}
	if again, _ := DefaultPasswordCost().hash(t.Context(), "correct horse"); again == hash {
		t.Error("two hashes of a password are the same: there is no salt")
	}
	for password, want := range map[string]bool{"correct horse": true, "Correct horse": false, "": false} {
		if ok, stale, err := DefaultPasswordCost().check(t.Context(), hash, password); ok != want || stale || err != nil {
			t.Errorf("%q: %v, stale %v, %v", password, ok, stale, err)
		}
	}
}

// TestAKnownHash checks a hash made by the reference implementation's command:
// echo -n password | argon2 somesalt -id -t 2 -k 65536 -p 1 -l 24, from the test vectors of its repository.
func TestAKnownHash(t *testing.T) {
	const hash = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
	ok, stale, err := DefaultPasswordCost().check(t.Context(), hash, "password")
	if !ok || !stale || err != nil {
		t.Errorf("ok %v, stale %v, %v; want a match that should be made anew", ok, stale, err)
	}
}

func TestWhatIsNoHashMatchesNothing(t *testing.T) {
	for _, hash := range []string{
		"", "none", "$argon2i$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
		"$argon2id$v=16$m=19456,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
		"$argon2id$v=19$m=99999999,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
		"$argon2id$v=19$m=19456,t=0,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
		"$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$", "$argon2id$v=19$m=19456,t=2,p=1$%$%",
	} {
		if ok, _, err := DefaultPasswordCost().check(t.Context(), hash, ""); ok || err != nil {
			t.Errorf("%q: %v, %v", hash, ok, err)
		}
	}
}

func TestHashingWaitsItsTurn(t *testing.T) {
	for range cap(hashing) {
		hashing <- struct{}{}
	}
	defer func() {
		for range cap(hashing) {
			<-hashing
		}
	}()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := DefaultPasswordCost().hash(ctx, "x"); !errors.Is(err, context.Canceled) {
		t.Errorf("with all places taken: %v", err)
	}
}

func TestAnOldHashIsReplacedAtTheNextLogin(t *testing.T) {
	g, _, owner := newGuard(t, func(c *Config) { c.PasswordCost = PasswordCost{} })
	was := owner
	owner.PasswordHash = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
	if err := g.store.UpdateAccount(t.Context(), was, owner); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := g.CheckLogin(t.Context(), "Ada", "password", Origin{Address: "192.0.2.1"}); err != nil {
			t.Fatal(err)
		}
	}
	stored, err := g.store.Account(t.Context(), owner.ID)
	if err != nil || !strings.HasPrefix(stored.PasswordHash, "$argon2id$v=19$m=19456,t=2,p=1$") ||
		stored.Role != account.RolePlayer {
		t.Errorf("%+v, %v", stored, err)
	}
}
