package crashtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"quatuor/api/client"
)

// history records the server's acknowledgements to its clients.
type history struct {
	t *testing.T

	mu      sync.Mutex
	games   map[string]*gameHistory
	touched map[string]bool // games with news since the last comparison
	replies []*request      // that were answered, with an Idempotency-Key
	names   map[string]bool // players that were entered
	cups    map[string]*cupHistory

	moves, resignations, opened, repeated, uncertain int
	lost, doubled, stale                             int
	unkept                                           int // answers with an Idempotency-Key that are not given again

	patient  bool        // a server may be away while others serve: its requests are sent again
	answered func(Reply) // called for every act that was answered; may be nil
}

// Reply has the times of an act's request and its answer.
type Reply struct {
	What           string    // its address
	Sent, Answered time.Time // the first time, and the last
	End            bool      // the act ended a game
	Cut            bool      // it was once under way to a server that was then frozen
}

// gameHistory records the acknowledgements of a game.
type gameHistory struct {
	moves    []string // "seat:token", acknowledged or found stored
	flight   string   // the move that was sent and not answered yet
	resigned []int    // seats
	version  int64    // acknowledged
	hidden   bool     // moves are hidden from the other side; only their number is compared
}

// cupHistory records the acknowledgements of a tournament.
type cupHistory struct {
	name      string
	points    map[string]int // wins by player
	standings string         // as read after the end
}

func newHistory(t *testing.T) *history {
	return &history{
		t: t, games: map[string]*gameHistory{}, touched: map[string]bool{}, names: map[string]bool{},
		cups: map[string]*cupHistory{},
	}
}

func (h *history) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return fmt.Sprintf("%d moves and %d resignations in %d games acknowledged, %d cups, %d players entered, %d answers "+
		"asked for again, %d requests cut off; %d lost, %d doubled, %d stale",
		h.moves, h.resignations, h.opened, len(h.cups), len(h.names), h.repeated, h.uncertain, h.lost, h.doubled, h.stale)
}

func (h *history) note(change func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	change()
}

// game returns the history of a game, which counts as touched from now on.
func (h *history) game(id string) *gameHistory {
	if h.games[id] == nil {
		h.games[id] = &gameHistory{}
		h.opened++
	}
	h.touched[id] = true
	return h.games[id]
}

func (h *history) lose(format string, args ...any) {
	h.lost++
	h.t.Errorf("lost: "+format, args...)
}

func (h *history) double(format string, args ...any) {
	h.doubled++
	h.t.Errorf("doubled: "+format, args...)
}

// acknowledged returns the latest version of a game acknowledged to clients.
func (h *history) acknowledged(game string) (version int64) {
	h.note(func() {
		if g := h.games[game]; g != nil {
			version = g.version
		}
	})
	return version
}

// fresh demands that a game as read is not older than the moves acknowledged before the request.
func (h *history) fresh(game string, read, before int64) {
	if read >= before {
		return
	}
	h.note(func() {
		h.stale++
		h.t.Errorf("stale: game %s is shown with version %d after version %d was acknowledged", game, read, before)
	})
}

// errCut is the error of a request to a frozen server.
var errCut = errors.New("the server was frozen")

// request is an intention of a client; sent again, it is the same to the byte.
type request struct {
	by        *client.Client
	path, key string
	body      []byte
	sent      int // times
	first     time.Time
	end, cut  bool // it ends a game; it was cut off
	status    int  // of the answer
	raw       []byte
	settle    func(status int, raw []byte) error // writes the answer down
}

// send sends the request and returns the answer; errDead without an answer.
func (r *request) send(ctx context.Context) (status int, raw []byte, again bool, err error) {
	if r.sent++; r.first.IsZero() {
		r.first = time.Now()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.by.Base+"/api/v1"+r.path, bytes.NewReader(r.body))
	if err != nil {
		return 0, nil, false, err
	}
	req.Header.Set("Authorization", "Bearer "+r.by.Token)
	if len(r.body) > 0 {
		req.Header.Set("Content-Type", "application/json")
	}
	if r.key != "" {
		req.Header.Set("Idempotency-Key", r.key)
	}
	answer, err := r.by.HTTP.Do(req)
	r.cut = r.cut || errors.Is(err, errCut)
	if err != nil {
		return 0, nil, false, fmt.Errorf("%w: %w", errDead, err)
	}
	defer answer.Body.Close()
	if raw, err = io.ReadAll(answer.Body); err != nil {
		return 0, nil, false, fmt.Errorf("%w: %w", errDead, err)
	}
	return answer.StatusCode, raw, answer.Header.Get("Idempotent-Replayed") == "true", nil
}

// try sends the request and writes down the outcome. Without an answer it is kept, to be sent again.
func (h *history) try(ctx context.Context, r *request) error {
	status, raw, _, err := r.send(ctx)
	if err == nil && h.patient && (status == http.StatusServiceUnavailable || inProgress(status, raw)) {
		err = fmt.Errorf("%w: %s", errDead, raw)
	}
	if err != nil {
		h.note(func() { h.uncertain++ })
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if r.key != "" && status < http.StatusMultipleChoices {
		r.status, r.raw = status, raw
		h.replies = append(h.replies, r)
	}
	if err := r.settle(status, raw); err != nil {
		return fmt.Errorf("%s %s, sent %d times: %w: %d %s", r.path, r.body, r.sent, err, status, raw)
	}
	if h.answered != nil {
		h.answered(Reply{What: r.path, Sent: r.first, Answered: time.Now(), End: r.end, Cut: r.cut})
	}
	return nil
}

// inProgress reports whether a request was refused because it is being answered already, or was by a server that is
// dead.
func inProgress(status int, raw []byte) bool {
	return status == http.StatusConflict && bytes.Contains(raw, []byte(`"/problems/request-in-progress"`))
}
