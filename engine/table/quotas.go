package table

import (
	"context"
	"errors"
	"hash/maphash"
	"slices"
	"sync"

	"quatuor/engine/sentence"
)

// Limits on casual games that are not over.
const (
	// MaxChallengesAtOnce is the maximum that a player open to challenges may allow: games where the player was seated
	// by a challenge, and has not moved yet.
	MaxChallengesAtOnce = 20
	// MaxBotGames is the maximum of games with bots created by an account.
	MaxBotGames = 5
)

// Errors of quotas.
var (
	// ErrBotGames refuses a further game with a bot.
	ErrBotGames = sentence.Errorf("you have %d games with bots that are not over, and that is the limit; finish one, "+
		"or resign it", MaxBotGames)
	// ErrQuota reports that another game was counted at the same moment. A journal returns it; opening is retried.
	ErrQuota = errors.New("another game was counted for the same quota")
)

// Quota is a number of casual games that may count for a key at the same time: for a player open to challenges, or for
// an account with its bots. A game counts until it is over or, with a seat, until that seat has moved.
type Quota struct {
	Key   string
	Seat  int8
	Limit int
}

// ChallengeQuota is the quota of a player open to challenges.
func ChallengeQuota(player string, seat int8, limit int) Quota {
	return Quota{"player/" + player, seat, min(max(limit, 1), MaxChallengesAtOnce)}
}

// QuotaUse is a game's place in a quota. No two games have the same, so that of several that were judged by the same
// [QuotaState] only the first is stored.
type QuotaUse struct {
	Key   string
	N     int64
	Seat  int8
	First int64 // the lowest place that still counts
}

// QuotaState is the use of a quota.
type QuotaState struct {
	Last  int64 // place that was taken last, 0 for none
	First int64 // first place that still counts, or Last
	Live  int   // games that count
}

// Quotas stores the use of quotas.
type Quotas interface {
	// Quotas returns the state of quotas by their keys; those that were never used may be left out.
	Quotas(ctx context.Context, keys []string) (map[string]QuotaState, error)
}

// quotaTries is the maximum number of retries because other games were counted: each time another game was stored.
const quotaTries = 2 * MaxChallengesAtOnce

// openWithin opens a casual game that counts for quotas. A player at the limit is invited instead, as if not open to
// challenges; a game with bots beyond the limit is ErrBotGames.
func (t *Tables) openWithin(ctx context.Context, w NewGame) ([]*Snapshot, error) {
	defer t.quotas.lock(w.quotas())()
	var err error
	for range quotaTries {
		next := w
		if next.uses, err = t.place(ctx, &next); err != nil {
			if s, known := t.existing(ctx, w.ID); known {
				return []*Snapshot{s}, nil
			}
			return nil, err
		}
		games, err := t.openAll(ctx, next)
		if !errors.Is(err, ErrQuota) {
			return games, err
		}
	}
	return nil, ErrConflict
}

// quotaLocks keep openings of this process that count for the same quota apart, so that only those of other processes
// take a place away: each place that is lost is a failed write. Quotas may share a lock.
type quotaLocks [64]sync.Mutex

var quotaSeed = maphash.MakeSeed()

// lock waits for the locks of quotas, in the same order for all, and returns a function that releases them.
func (l *quotaLocks) lock(quotas []Quota) (unlock func()) {
	var of []uint64
	for _, q := range quotas {
		of = append(of, maphash.String(quotaSeed, q.Key)%uint64(len(l)))
	}
	slices.Sort(of)
	of = slices.Compact(of)
	for _, i := range of {
		l[i].Lock()
	}
	return func() {
		for _, i := range of {
			l[i].Unlock()
		}
	}
}

// existing returns a game that an earlier request with the same key has created.
func (t *Tables) existing(ctx context.Context, id string) (*Snapshot, bool) {
	if id == "" {
		return nil, false
	}
	s, err := t.Snapshot(ctx, id)
	return s, err == nil
}

// place returns the places that a game takes in its quotas, and invites players with a full quota.
func (t *Tables) place(ctx context.Context, w *NewGame) ([]QuotaUse, error) {
	quotas := w.quotas()
	keys := make([]string, len(quotas))
	for i, q := range quotas {
		keys[i] = q.Key
	}
	states, err := t.Quotas.Quotas(ctx, keys)
	if err != nil {
		return nil, err
	}
	var uses []QuotaUse
	for _, q := range quotas {
		s := states[q.Key]
		switch {
		case slices.ContainsFunc(uses, func(u QuotaUse) bool { return u.Key == q.Key }): // the player has several seats
		case s.Live < q.Limit:
			uses = append(uses, QuotaUse{Key: q.Key, N: s.Last + 1, Seat: q.Seat, First: s.First})
		case q.Seat == 0:
			return nil, ErrBotGames
		default:
			w.Invited = w.Invited.With(q.Seat)
		}
	}
	return uses, nil
}

// quotas returns all quotas that a casual game counts for.
func (w *NewGame) quotas() []Quota {
	for _, p := range w.Players {
		if w.Tournament == nil && BotLevel(p) > 0 {
			return append([]Quota{{Key: "bots/" + w.CreatedBy, Limit: MaxBotGames}}, w.Quotas...)
		}
	}
	return w.Quotas
}
