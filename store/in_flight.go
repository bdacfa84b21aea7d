package store

import (
	"sync"
	"time"
)

// inFlight are the keys of the requests that this process is answering. The database says which keys are pending too,
// but keeps saying so of a request that failed while the database could not be written.
type inFlight struct {
	mu   sync.Mutex
	keys map[[2]string]*replyRow // by owner and key
}

// enter notes that a request is being answered, unless another one with its key is, which began no longer ago than any
// request is worked on.
func (u *inFlight) enter(r *replyRow) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	k := [2]string{r.Owner, r.Key}
	if u.keys == nil {
		u.keys = map[[2]string]*replyRow{}
	}
	if before := u.keys[k]; before != nil && before.BegunAt >= r.BegunAt-longestAnswer.Milliseconds() {
		return false
	}
	u.keys[k] = r
	return true
}

// leave takes a request out; with r, only if that is the one in flight.
func (u *inFlight) leave(owner, key string, r *replyRow) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if k := [2]string{owner, key}; r == nil || u.keys[k] == r {
		delete(u.keys, k)
	}
}

const (
	// silence is how long an instance may be silent before it counts as dead; it beats twice a second.
	silence = 2500 * time.Millisecond
	// lease is how long after its last heartbeat an instance works on a request with a key: it ends before others begin.
	lease = silence - 500*time.Millisecond
	// longestAnswer is more than any request is worked on. What another instance began so long ago has failed there,
	// and the failure could not be stored.
	longestAnswer = 2 * time.Minute
)

// replyRow is a row of replies.
type replyRow struct {
	Owner       string `gorm:"primaryKey"`
	Key         string `gorm:"primaryKey"`
	Fingerprint string
	Instance    string
	Boot        string
	BegunAt     int64
	Answered    bool
	Status      int
	Header      string
	Body        []byte
}

func (replyRow) TableName() string { return "replies" }
