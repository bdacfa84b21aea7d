package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"quatuor/cmd/quatuor/client"
	"slices"
	"sync"
	"testing"
)

// book is what the clients wrote down of what the server told them.
type book struct {
	t *testing.T

	mu      sync.Mutex
	games   map[string]*gameBook
	touched map[string]bool // games with news since the last comparison
	replies []*request      // that were answered, with an Idempotency-Key
	names   map[string]bool // players that were entered
	cups    map[string]*cupBook

	moves, resignations, opened, repeated, uncertain, lost int
}

// gameBook is what is known of a game.
type gameBook struct {
	moves    []string // "seat:token", acknowledged or found stored
	flight   string   // the move that was sent and not answered yet
	resigned int      // seat
	hidden   bool     // moves are hidden from the other side; only their number is compared
}

// cupBook is what is known of a tournament.
type cupBook struct {
	name      string
	points    map[string]int // wins by player
	standings string         // as they were told after the end
}

func newBook(t *testing.T) *book {
	return &book{
		t: t, games: map[string]*gameBook{}, touched: map[string]bool{}, names: map[string]bool{}, cups: map[string]*cupBook{},
	}
}

func (b *book) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return fmt.Sprintf("%d moves and %d resignations in %d games acknowledged, %d cups, %d players entered, %d answers asked for again, %d requests cut off; %d losses",
		b.moves, b.resignations, b.opened, len(b.cups), len(b.names), b.repeated, b.uncertain, b.lost)
}

func (b *book) note(change func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change()
}

// game returns what is known of a game, which counts as touched from now on.
func (b *book) game(id string) *gameBook {
	if b.games[id] == nil {
		b.games[id] = &gameBook{}
		b.opened++
	}
	b.touched[id] = true
	return b.games[id]
}

func (b *book) lose(format string, args ...any) {
	b.lost++
	b.t.Errorf(format, args...)
}

// compare looks at everything that was touched since the last time, and asks for some old answers again.
func (b *book) compare(ctx context.Context, c *client.Client, chance *rand.Rand) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id := range b.touched {
		b.compareGame(ctx, c, id, true)
	}
	clear(b.touched)
	for range min(10, len(b.replies)) {
		b.askAgain(ctx, b.replies[chance.IntN(len(b.replies))])
	}
}

// compareAll looks at everything there is.
func (b *book) compareAll(ctx context.Context, c *client.Client) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id := range b.games {
		b.compareGame(ctx, c, id, false)
	}
	for _, r := range b.replies {
		b.askAgain(ctx, r)
	}
	for name := range b.names {
		var list struct {
			Items []struct{ Name string } `json:"items"`
		}
		b.get(ctx, c, "/players?name="+url.QueryEscape(name), &list)
		if len(list.Items) != 1 {
			b.lose("player %s was entered once and is there %d times", name, len(list.Items))
		}
	}
	b.compareCups(ctx, c)
}

func (b *book) get(ctx context.Context, c *client.Client, path string, out any) {
	if err := c.Get(ctx, path, out); err != nil {
		b.lose("GET %s: %v", path, err)
	}
}

// compareGame holds a stored game against what was acknowledged. One move more may be stored, if it was under way.
func (b *book) compareGame(ctx context.Context, c *client.Client, id string, restarted bool) {
	var found client.FullGame
	b.get(ctx, c, "/games/"+id, &found)
	g := b.games[id]
	stored := found.Moves()
	if len(stored) == len(g.moves)+1 && (g.hidden || stored[len(g.moves)] == g.flight) {
		g.moves = append(g.moves, g.flight)
		g.flight = ""
	}
	if same := slices.Equal(stored, g.moves); !same && !(g.hidden && len(stored) == len(g.moves)) {
		b.lose("game %s: acknowledged %v and perhaps %q, stored %v", id, g.moves, g.flight, stored)
	}
	left, last := 0, ""
	for _, e := range found.Events {
		if e.Kind == "left" && e.Text == "resignation" {
			left = e.Seat
		}
		last = e.Kind
	}
	if g.resigned != 0 && left != g.resigned {
		b.lose("game %s: seat %d resigned, stored is %d", id, g.resigned, left)
	}
	if restarted && found.Status == "running" && last != "outage" {
		b.lose("game %s runs, and the time without a server is not in its record; its last line is %q", id, last)
	}
}

// askAgain repeats a request that was answered; the answer must be the same to the byte.
func (b *book) askAgain(ctx context.Context, r *request) {
	status, raw, again, err := r.send(ctx)
	b.repeated++
	if err != nil || !again || status != r.status || !bytes.Equal(raw, r.raw) {
		b.lose("%s %s with the key %s was answered %d %s; then %v %d %s (as a repetition: %v)",
			r.path, r.body, r.key, r.status, r.raw, err, status, raw, again)
	}
}

// compareCups demands that every tournament of the book is there once, with the points that its games gave.
func (b *book) compareCups(ctx context.Context, c *client.Client) {
	times := map[string]int{}
	for cursor := ""; ; {
		var list struct {
			Items []struct{ ID, Name string }
			Next  string `json:"next_cursor"`
		}
		b.get(ctx, c, "/tournaments?limit=200&status=draft,open,closed,running,finished"+cursor, &list)
		for _, cup := range list.Items {
			times[cup.Name]++
		}
		if cursor = "&cursor=" + list.Next; list.Next == "" {
			break
		}
	}
	for id, cup := range b.cups {
		if times[cup.name] != 1 {
			b.lose("%s is there %d times", cup.name, times[cup.name])
		}
		var table standingsView
		b.get(ctx, c, "/tournaments/"+id+"/standings", &table)
		if now := fmt.Sprint(table.Rows); now != cup.standings {
			b.lose("%s: the standings were %s and are %s", cup.name, cup.standings, now)
		}
	}
}

// standingsView is the part of standings that is compared.
type standingsView struct {
	Rows []struct {
		Rank  int `json:"rank"`
		Entry struct {
			Name string `json:"name"`
		} `json:"entry"`
		Points    string   `json:"points"`
		TieBreaks []string `json:"tie_breaks"`
	} `json:"rows"`
}

// comparePoints holds standings against the games that were won.
func (b *book) comparePoints(cup *cupBook, table standingsView) {
	for _, row := range table.Rows {
		if want := fmt.Sprint(cup.points[row.Entry.Name]); row.Points != want {
			b.lose("%s: %s has %s points and has won %s games", cup.name, row.Entry.Name, row.Points, want)
		}
	}
}

// request is one intention of a client; sent again, it is the same to the byte.
type request struct {
	by        *client.Client
	path, key string
	body      []byte
	sent      int // times
	status    int // of the answer
	raw       []byte
	settle    func(status int, raw []byte) error // writes the answer down
}

// send sends the request and returns the answer; errDead if there is none.
func (r *request) send(ctx context.Context) (status int, raw []byte, again bool, err error) {
	r.sent++
	asked, err := http.NewRequestWithContext(ctx, http.MethodPost, r.by.Base+"/api/v1"+r.path, bytes.NewReader(r.body))
	if err != nil {
		return 0, nil, false, err
	}
	asked.Header.Set("Authorization", "Bearer "+r.by.Token)
	if len(r.body) > 0 {
		asked.Header.Set("Content-Type", "application/json")
	}
	if r.key != "" {
		asked.Header.Set("Idempotency-Key", r.key)
	}
	answer, err := r.by.HTTP.Do(asked)
	if err != nil {
		return 0, nil, false, fmt.Errorf("%w: %w", errDead, err)
	}
	defer answer.Body.Close()
	if raw, err = io.ReadAll(answer.Body); err != nil {
		return 0, nil, false, fmt.Errorf("%w: %w", errDead, err)
	}
	return answer.StatusCode, raw, answer.Header.Get("Idempotent-Replayed") == "true", nil
}

// try sends the request and writes down what came of it. Without an answer it stays as it is, to be sent again.
func (b *book) try(ctx context.Context, r *request) error {
	status, raw, _, err := r.send(ctx)
	if err != nil {
		b.note(func() { b.uncertain++ })
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.key != "" && status < http.StatusMultipleChoices {
		r.status, r.raw = status, raw
		b.replies = append(b.replies, r)
	}
	if err := r.settle(status, raw); err != nil {
		return fmt.Errorf("%s %s, sent %d times: %w: %d %s", r.path, r.body, r.sent, err, status, raw)
	}
	return nil
}
