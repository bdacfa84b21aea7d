package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/ccojocar/zxcvbn-go/scoring"
	"golang.org/x/crypto/argon2"
	"quatuor/tournament/account"
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

// MayMail counts an e-mail that a form sends, for the identity or, if anonymous, for its address; a *LimitError after
// too many.
func (g *Guard) MayMail(ctx context.Context, w Identity, address string) error {
	key := "account " + w.AccountID
	if w.Anonymous() {
		key = AddressKey(address)
	}
	_, _, err := g.count(ctx, try{counter: g.mail, key: key})
	return err
}

// ConfirmPassword returns nil if a password is that of the identity; ErrBadLogin if it is not, ErrSessionOnly for an
// API token. Wrong guesses are counted by session.
func (g *Guard) ConfirmPassword(ctx context.Context, w Identity, password string) error {
	if w.Method == ByAPIToken {
		return ErrSessionOnly
	}
	guess, _, err := g.count(ctx, try{counter: g.loginPair, key: w.Session})
	if err != nil {
		return err
	}
	owner, err := g.store.Account(ctx, w.AccountID)
	if err != nil {
		return err
	}
	ok, _, err := g.cost.check(ctx, owner.PasswordHash, password)
	switch {
	case err != nil:
		return err
	case !ok:
		return ErrBadLogin
	}
	guess.back(ctx)
	return nil
}

const (
	// minEntropy is the least entropy of a password, in bits: a million guesses, three days at the four a second that are
	// judged for a login.
	minEntropy = 20
	// maxEstimated is the length of the part of a password that is estimated, in bytes. The time grows with the square of
	// the length: at most 11 ms for 32 bytes, 400 ms for 200.
	maxEstimated = 32
)

// moreWords are words and rows of keys that zxcvbn's lists lack: they are of American English and its keyboard.
var moreWords = strings.Fields(`
	motdepasse kennwort wachtwoord contrasena losenord senha heslo parool
	azertyuiop qsdfghjklm qwertzuiop qweasdzxc 1q2w3e4r5t6y q1w2e3r4t5 1qaz2wsx3edc4rfv qazwsxedcrfv xsw2zaq1 zaq1
	1a2b3c a1b2c3 112233445566 135792468 246813579 02468135 55667788 99887766
	januar februar oktober dezember deutschland schweiz dortmund blahblah onetwothree darthvader rockandroll jesusislord
	transformers fortnite gaming twitter instagram android ubuntu mysql postgres
	quatuor quixo quits quivive quiwin arbiter boardgames chessclub echecs ajedrez scacchi schach`)

// plainLetters undoes the substitution of letters. zxcvbn's own way tries all combinations: 90 s for a password made
// for it.
var plainLetters = strings.NewReplacer("@", "a", "4", "a", "3", "e", "1", "i", "!", "i", "0", "o", "$", "s", "5", "s",
	"7", "t")

// guessable reports whether zxcvbn estimates less than minEntropy for a password. names are words that are guessed
// first.
func guessable(password string, names ...string) bool {
	words := slices.Concat(names, moreWords)
	password = password[:min(len(password), maxEstimated)]
	return entropy(password, words) < minEntropy || entropy(plainLetters.Replace(password), words) < minEntropy
}

func entropy(password string, words []string) float64 {
	return scoring.MinimumEntropyMatchSequence(password, patterns(password, words)).Entropy
}

// resembles reports whether a password is a name, forwards, backwards or twice, ignoring digits around it and all other
// non-letters.
func resembles(password, name string) bool {
	is, was := bare(password), bare(name)
	if strings.EqualFold(password, name) || is == was {
		return true
	}
	is, was = strings.Trim(is, figures), strings.Trim(was, figures)
	return was != "" && (is == was || is == reversed(was) || is == was+was)
}

const figures = "0123456789"

func reversed(text string) string {
	runes := []rune(text)
	slices.Reverse(runes)
	return string(runes)
}

// bare returns a text's letters and figures, in lower case.
func bare(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// resetLife is the validity of a link for a new password.
const resetLife = 15 * time.Minute

// NewReset returns the code of a link that lets the owner of an account set a new password once, and when it expires.
// It ends earlier codes of the account. Admins may do it for all but themselves, organisers for plain players if the
// club's settings allow it; for others it is ErrAdminReset. The caller has checked [ResetPasswords]. It requires a
// session: ErrSessionOnly for an API token.
func (g *Guard) NewReset(ctx context.Context, w Identity, accountID string) (string, time.Time, error) {
	switch {
	case w.Method == ByAPIToken:
		return "", time.Time{}, ErrSessionOnly
	case w.AccountID == accountID:
		return "", time.Time{}, ErrOwnReset
	}
	owner, err := g.store.Account(ctx, accountID)
	if err != nil {
		return "", time.Time{}, err
	}
	may, err := g.mayReset(ctx, w.Role, owner)
	if err != nil {
		return "", time.Time{}, err
	}
	if !may || w.Role == account.RoleAdmin && !w.Can(w.Level(), ManageAccounts) {
		return "", time.Time{}, ErrAdminReset
	}
	secret, c := g.newCredential(account.PasswordReset, owner.ID, resetLife)
	c.Name = w.AccountID // the maker
	return secret, time.UnixMilli(c.ExpiresAt), g.store.AddReset(ctx, c)
}

// ResetOwner returns the account of a code of NewReset or of an e-mail; ErrResetCode if the code is not good, a
// *LimitError after too many of these. It uses nothing up.
func (g *Guard) ResetOwner(ctx context.Context, code, address string) (account.Account, error) {
	owner, _, err := g.reset(ctx, code, address)
	return owner, err
}

// reset returns the account of a code, and the code's maker; see ResetOwner.
func (g *Guard) reset(ctx context.Context, code, address string) (owner, maker account.Account, err error) {
	if owner, maker, err = g.resetOf(ctx, code); errors.Is(err, ErrResetCode) {
		err = g.UnknownCode(ctx, address, err)
	}
	return owner, maker, err
}

func (g *Guard) resetOf(ctx context.Context, code string) (owner, maker account.Account, err error) {
	hash, ok := HashSecret(account.PasswordReset, code)
	if !ok {
		return owner, maker, ErrResetCode
	}
	c, err := g.store.CredentialByHash(ctx, account.PasswordReset, hash)
	if errors.Is(err, account.ErrNotFound) || err == nil &&
		(c.UsedAt != 0 || c.RevokedAt != 0 || g.now().UnixMilli() >= c.ExpiresAt) {
		return owner, maker, ErrResetCode
	}
	if err == nil {
		owner, err = g.store.Account(ctx, c.AccountID)
	}
	if err == nil {
		maker, err = g.store.Account(ctx, c.Name)
	}
	if err != nil {
		return owner, maker, err
	}
	may := maker.ID == owner.ID // sent to their own e-mail address
	if !may {
		may, err = g.mayReset(ctx, maker.Role, owner)
	}
	if err == nil && (!may || owner.DisabledAt != 0 || maker.DisabledAt != 0) { // not any more
		err = ErrResetCode
	}
	return owner, maker, err
}

// mayReset reports whether the holder of a role may reset the password of an account under the current settings.
func (g *Guard) mayReset(ctx context.Context, maker account.Role, owner account.Account) (bool, error) {
	switch {
	case maker == account.RoleAdmin:
		return true, nil
	case maker != account.RoleOrganiser, owner.Role != account.RolePlayer, !g.resets(ctx):
		return false, nil
	}
	runs, err := g.store.RunsTournament(ctx, owner.ID)
	return !runs, err
}

// MayReset reports whether an identity may reset the password of another account.
func (g *Guard) MayReset(ctx context.Context, w Identity, owner account.Account) (bool, error) {
	if !w.Can(w.Level(), ResetPasswords) || owner.ID == w.AccountID || owner.DisabledAt != 0 {
		return false, nil
	}
	return g.mayReset(ctx, w.Role, owner)
}

// ResetSeen clears the note to an account's owner about the last reset of the password.
func (g *Guard) ResetSeen(ctx context.Context, w Identity) error {
	if w.Method == ByAPIToken {
		return ErrSessionOnly
	}
	from, err := g.store.Account(ctx, w.AccountID)
	if err != nil {
		return err
	}
	to := from
	to.ResetBy, to.ResetAt = "", 0
	return g.store.UpdateAccount(ctx, from, to)
}

// ResetPassword uses a code of NewReset up for a new password, and ends all sessions of its account. Of several calls
// at the same time only the first succeeds. Errors: ErrResetCode, an *InvalidField, a *LimitError.
func (g *Guard) ResetPassword(ctx context.Context, code, password, address string) (account.Account, error) {
	owner, maker, err := g.reset(ctx, code, address)
	if err != nil {
		return account.Account{}, err
	}
	if err := g.checkChoice(ctx, owner.Login, password); err != nil {
		return account.Account{}, err
	}
	hashed, err := g.HashPassword(ctx, password)
	if err != nil {
		return account.Account{}, err
	}
	hash, _ := HashSecret(account.PasswordReset, code)
	end := account.Ending{
		Kinds: []account.CredentialKind{account.RefreshToken, account.PageSession, account.PasswordReset},
		At:    g.now().UnixMilli(),
	}
	owner, err = g.store.ResetPassword(ctx, hash, hashed, maker.Login, end)
	if errors.Is(err, account.ErrNotFound) || errors.Is(err, account.ErrStale) {
		return account.Account{}, ErrResetCode
	}
	if err != nil {
		return account.Account{}, err
	}
	g.AccountChanged(owner.ID)
	return owner, nil
}

// SetPassword sets an account's password, whatever it was, and ends its sessions: for the command line.
func (g *Guard) SetPassword(ctx context.Context, login, password string) error {
	owner, err := g.store.AccountByLogin(ctx, login)
	if err != nil {
		return err
	}
	if err := g.checkChoice(ctx, owner.Login, password); err != nil {
		return err
	}
	to := owner
	if to.PasswordHash, err = g.HashPassword(ctx, password); err != nil {
		return err
	}
	kinds := []account.CredentialKind{account.RefreshToken, account.PageSession, account.PasswordReset}
	return g.store.ChangePassword(ctx, owner, to, account.Ending{Kinds: kinds, At: g.now().UnixMilli()})
}
