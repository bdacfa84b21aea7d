package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"runtime"
	"strings"

	"golang.org/x/crypto/argon2"
)

// PasswordCost is the cost of hashing a password with argon2id (RFC 9106).
type PasswordCost struct {
	Memory uint32 // KiB
	Passes uint32 // over the memory
	Lanes  uint8
}

// DefaultPasswordCost is OWASP's recommendation for argon2id: 19 MiB and two passes.
func DefaultPasswordCost() PasswordCost { return PasswordCost{Memory: 19456, Passes: 2, Lanes: 1} }

const (
	saltBytes = 16
	hashBytes = 32
)

// hashing is a semaphore for the hashes that are computed at once: each takes 19 MiB.
var hashing = make(chan struct{}, max(2, runtime.GOMAXPROCS(0)))

func enterHashing(ctx context.Context) error {
	select {
	case hashing <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func leaveHashing() { <-hashing }

// HashPassword returns the PHC string to store for a password. It fails only if ctx ends while it waits its turn.
func (g *Guard) HashPassword(ctx context.Context, password string) (string, error) {
	return g.cost.hash(ctx, password)
}

func (p PasswordCost) hash(ctx context.Context, password string) (string, error) {
	if err := enterHashing(ctx); err != nil {
		return "", err
	}
	defer leaveHashing()
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // never fails: the runtime aborts the program instead
	sum := argon2.IDKey([]byte(password), salt, p.Passes, p.Memory, p.Lanes, hashBytes)
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, p.Memory, p.Passes, p.Lanes,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(sum)), nil
}

// dummyHash is compared with the password if the login does not exist, so that the answer takes as long.
func (p PasswordCost) dummyHash() string {
	hash, err := p.hash(context.Background(), rand.Text())
	if err != nil {
		panic("auth: " + err.Error()) // a background context never ends
	}
	return hash
}

// check compares a password with a PHC string. stale reports that the hash was made with other costs than today's and
// should be replaced. A malformed string matches nothing.
func (p PasswordCost) check(ctx context.Context, phc, password string) (ok, stale bool, err error) {
	was, salt, want, valid := parsePHC(phc)
	if !valid {
		return false, false, nil
	}
	if err := enterHashing(ctx); err != nil {
		return false, false, err
	}
	defer leaveHashing()
	got := argon2.IDKey([]byte(password), salt, was.Passes, was.Memory, was.Lanes, uint32(len(want)))
	ok = subtle.ConstantTimeCompare(got, want) == 1
	return ok, was != p || len(salt) != saltBytes || len(want) != hashBytes, nil
}

func parsePHC(phc string) (p PasswordCost, salt, sum []byte, ok bool) {
	parts := strings.Split(phc, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return p, nil, nil, false
	}
	if n, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &p.Memory, &p.Passes, &p.Lanes); n != 3 || err != nil {
		return p, nil, nil, false
	}
	salt, err := base64.RawStdEncoding.Strict().DecodeString(parts[4])
	if err != nil {
		return p, nil, nil, false
	}
	sum, err = base64.RawStdEncoding.Strict().DecodeString(parts[5])
	// Bounds keep a broken row from taking the machine's memory, and argon2 from panicking.
	sane := p.Memory >= 8 && p.Memory <= 1<<20 && p.Passes >= 1 && p.Passes <= 64 && p.Lanes >= 1 && len(sum) >= 16
	return p, salt, sum, err == nil && sane
}
