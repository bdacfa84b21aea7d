package auth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/netip"
	"strings"
	"sync"
	"time"

	"quatuor/api/internal/limit"
	"quatuor/tournament/account"
)

// Origin is the source of an attempt to log in.
type Origin struct {
	Address string // of the client
	Device  string // value of the device cookie; "" for clients without cookies
	Agent   string // the browser's own name, in a word or two; "" where that is not known
}

// AddressKey returns the rate-limit key of an address: the address, or its /64 for IPv6.
func AddressKey(text string) string {
	address, err := netip.ParseAddr(text)
	if err != nil {
		return text
	}
	address = address.Unmap().WithZone("")
	if address.Is6() {
		network, _ := address.Prefix(64) // 64 is within an IPv6 address
		return network.String()
	}
	return address.String()
}

const (
	// familiarFor is the time that an address or a browser stays known to an account after its last use, and maxFamiliar
	// bounds their number.
	familiarFor = 90 * 24 * time.Hour
	maxFamiliar = 20
	// noteAgain is the minimum time between two writes for the same familiar place.
	noteAgain = 24 * time.Hour
)

// attempt is an attempt to log in.
type attempt struct {
	login   string
	from    Origin
	account account.Account // the zero Account for a login that is not known
	known   map[string]int64
	address string // hashes of the origin's parts, "" if unknown
	device  string
	counted counted // its tries, until it succeeds
}

// CheckLogin returns the account with this login and password, or ErrBadLogin, whichever of the two is wrong. It
// returns a *LimitError if this login has failed too often from this address lately, or this address with any login.
func (g *Guard) CheckLogin(ctx context.Context, login, password string, from Origin) (account.Account, error) {
	a, err := g.newAttempt(ctx, strings.ToLower(login), from)
	if err != nil {
		return account.Account{}, err
	}
	if err := g.admitLogin(ctx, a); err != nil {
		a.counted.back(ctx)
		if errors.Is(err, ErrTooMany) {
			g.loginFailed(err)
		}
		return account.Account{}, err
	}
	owner, err := g.checkPassword(ctx, a.account, password)
	if err != nil {
		if errors.Is(err, ErrBadLogin) {
			g.loginFailed(err)
		}
		return account.Account{}, err
	}
	a.counted.back(ctx)
	return owner, g.remember(ctx, a)
}

// newAttempt returns an attempt with the history of its login and origin.
func (g *Guard) newAttempt(ctx context.Context, login string, from Origin) (*attempt, error) {
	from.Address = AddressKey(from.Address)
	a := &attempt{login: login, from: from, counted: counted{guard: g}}
	owner, err := g.store.AccountByLogin(ctx, login)
	if err != nil && !errors.Is(err, account.ErrNotFound) {
		return nil, err
	}
	if err == nil {
		a.account = owner
	}
	a.address, a.device = a.hash("address", from.Address), a.hash("device", from.Device)
	a.known, err = g.store.Familiar(ctx, a.account.ID, a.hashes())
	oldest := g.now().Add(-familiarFor).UnixMilli()
	for hash, seen := range a.known {
		if seen < oldest {
			delete(a.known, hash)
		}
	}
	return a, err
}

// hash returns the stored form of a part of the origin: different for each account.
func (a *attempt) hash(kind, text string) string {
	if text == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(a.account.ID + "\x00" + kind + "\x00" + text))
	return hex.EncodeToString(sum[:])
}

func (a *attempt) hashes() (all []string) {
	for _, hash := range []string{a.address, a.device} {
		if hash != "" {
			all = append(all, hash)
		}
	}
	return all
}

func (a *attempt) familiar(hash string) bool { return hash != "" && a.known[hash] != 0 }

// admitLogin counts an attempt, and refuses or delays it. A browser known to the account is counted alone, so that
// attempts by others, from any address, cannot lock the owner out.
func (g *Guard) admitLogin(ctx context.Context, a *attempt) error {
	if a.familiar(a.device) {
		_, err := a.count(ctx, try{counter: g.loginPair, key: a.login + "\x00" + a.device})
		return err
	}
	pair := try{counter: g.loginPair, key: a.login + "\x00" + a.from.Address}
	if a.familiar(a.address) {
		_, err := a.count(ctx, pair)
		return err
	}
	address, login := try{counter: g.loginAddress, key: a.from.Address}, try{
		counter: g.loginAccount, key: a.login, soft: true,
	}
	v, err := a.count(ctx, pair, address, login)
	if err == nil && !v.OK && g.attempts != nil { // it is only delayed, if all instances together have room for it
		_, err = a.count(ctx, try{counter: g.loginSlow, key: a.login})
	}
	if err != nil {
		return err
	}
	return g.waiting.wait(ctx, a, v)
}

// count counts the attempt as of more kinds.
func (a *attempt) count(ctx context.Context, tries ...try) (limit.Verdict, error) {
	more, v, err := a.counted.guard.count(ctx, tries...)
	if err == nil {
		a.counted.and(more)
	}
	return v, err
}

// slower are the delays of the last attempts that the rate for a login allows; the last delay holds for all beyond.
var slower = [...]time.Duration{
	250 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second,
}

const (
	// maxWaiting bounds the attempts with a login that are delayed at once, and maxWaitingAll those with all logins.
	maxWaiting    = 16
	maxWaitingAll = 1024
)

// delayed bounds the attempts with a login that are delayed at all instances together, to as many as a single instance
// delays.
var delayed = Rate{Interval: slower[len(slower)-1] / maxWaiting, Burst: maxWaiting}

// waiting holds the attempts that are being delayed; no hash is computed before the delay is over. It bounds the
// guesses from many addresses together, to maxWaiting every four seconds, and the memory for delayed attempts.
type waiting struct {
	mu      sync.Mutex
	byLogin map[string]map[string]struct{} // addresses
	all     int
}

// wait delays an attempt according to the login's failures; a *LimitError where too many wait.
func (w *waiting) wait(ctx context.Context, a *attempt, v limit.Verdict) error {
	if v.OK && (v.Limit == 0 || v.Remaining >= len(slower)) {
		return nil
	}
	pause := slower[len(slower)-1]
	if v.OK {
		pause = slower[len(slower)-1-v.Remaining]
	}
	if !w.enter(a) {
		v.OK, v.RetryIn = false, pause
		return &LimitError{v}
	}
	defer w.leave(a)
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (w *waiting) enter(a *attempt) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	those := w.byLogin[a.login]
	if _, here := those[a.from.Address]; here || len(those) >= maxWaiting || w.all >= maxWaitingAll {
		return false
	}
	if those == nil {
		if w.byLogin == nil {
			w.byLogin = map[string]map[string]struct{}{}
		}
		those = map[string]struct{}{}
		w.byLogin[a.login] = those
	}
	those[a.from.Address] = struct{}{}
	w.all++
	return true
}

func (w *waiting) leave(a *attempt) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all--
	those := w.byLogin[a.login]
	delete(those, a.from.Address)
	if len(those) == 0 {
		delete(w.byLogin, a.login)
	}
}

// remember notes where an attempt that succeeded came from.
func (g *Guard) remember(ctx context.Context, a *attempt) error {
	now := g.now()
	var fresh []string
	for _, hash := range a.hashes() {
		if a.known[hash] < now.Add(-noteAgain).UnixMilli() {
			fresh = append(fresh, hash)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	return g.store.Remember(ctx, a.account.ID, fresh, now.UnixMilli(), maxFamiliar)
}

// checkPassword compares a password with an account's; for the zero Account it takes as long and returns ErrBadLogin.
func (g *Guard) checkPassword(ctx context.Context, owner account.Account, password string) (account.Account, error) {
	known, hash := owner.ID != "", owner.PasswordHash
	if !known {
		hash = g.dummy()
	}
	ok, stale, err := g.cost.check(ctx, hash, password)
	switch {
	case err != nil:
		return account.Account{}, err
	case !ok || !known || owner.DisabledAt != 0:
		return account.Account{}, ErrBadLogin
	}
	if !stale {
		return owner, nil
	}
	was := owner
	if owner.PasswordHash, err = g.HashPassword(ctx, password); err != nil {
		return account.Account{}, err
	}
	err = g.store.UpdateAccount(ctx, was, owner)
	if !errors.Is(err, account.ErrStale) {
		return owner, err
	}
	if owner, err = g.store.Account(ctx, owner.ID); err != nil { // another login has rehashed it, or it was changed
		return account.Account{}, err
	}
	return g.checkPassword(ctx, owner, password)
}
