package crashtest

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"time"

	"quatuor/api/client"
	"quatuor/cmd/quatuor/harness"
)

// compare checks everything touched since the last time, and repeats some old requests.
func (h *history) compare(ctx context.Context, c *client.Client, chance *rand.Rand) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for id := range h.touched {
		h.compareGame(ctx, c, id, !h.patient) // while any of several servers lives nothing is missing
	}
	clear(h.touched)
	for range min(10, len(h.replies)) {
		h.retry(ctx, h.replies[chance.IntN(len(h.replies))])
	}
}

// compareStored checks all games and tournaments.
func (h *history) compareStored(ctx context.Context, c *client.Client) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for id := range h.games {
		h.compareGame(ctx, c, id, false)
	}
	h.compareCups(ctx, c)
}

// compareAll checks everything, and repeats all requests.
func (h *history) compareAll(ctx context.Context, c *client.Client) {
	h.compareStored(ctx, c)
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.replies {
		h.retry(ctx, r)
	}
	for name := range h.names {
		var list struct {
			Items []struct{ Name string } `json:"items"`
		}
		h.get(ctx, c, "/players?name="+url.QueryEscape(name), &list)
		h.once(len(list.Items), "player "+name)
	}
}

func (h *history) get(ctx context.Context, c *client.Client, path string, out any) {
	if err := c.Get(ctx, path, out); err != nil {
		h.lose("GET %s: %v", path, err)
	}
}

// compareGame compares a stored game with the acknowledged moves. A further move may be stored, if it was under way.
func (h *history) compareGame(ctx context.Context, c *client.Client, id string, restarted bool) {
	var found harness.FullGame
	h.get(ctx, c, "/games/"+id, &found)
	g := h.games[id]
	stored := found.Moves()
	if len(stored) == len(g.moves)+1 && (g.hidden || stored[len(g.moves)] == g.flight) {
		g.moves = append(g.moves, g.flight)
		g.flight = ""
	}
	switch same := slices.Equal(stored, g.moves) || g.hidden && len(stored) == len(g.moves); {
	case !same && len(stored) > len(g.moves):
		h.double("game %s: acknowledged %v and perhaps %q, stored %v", id, g.moves, g.flight, stored)
	case !same:
		h.lose("game %s: acknowledged %v and perhaps %q, stored %v", id, g.moves, g.flight, stored)
	}
	var left []int
	last := ""
	for _, e := range found.Events {
		if e.Kind == "left" && e.Text == "resignation" {
			left = append(left, e.Seat)
		}
		last = e.Kind
	}
	for i, seat := range g.resigned {
		if i >= len(left) || left[i] != seat {
			h.lose("game %s: seats %v resigned, stored is %v", id, g.resigned, left)
		}
	}
	if restarted && found.Status == "running" && last != "outage" {
		h.lose("game %s runs, and the time without a server is not in its record; its last line is %q", id, last)
	}
}

// once demands that something created once exists once.
func (h *history) once(times int, what string) {
	switch {
	case times == 0:
		h.lose("%s was made and is not there", what)
	case times > 1:
		h.double("%s was made once and is there %d times", what, times)
	}
}

// retry repeats a request that was answered; the answer must be the same to the byte.
func (h *history) retry(ctx context.Context, r *request) {
	status, raw, again, err := r.send(ctx)
	for try := 0; h.patient && try < 500 && (err != nil || status == http.StatusServiceUnavailable); try++ {
		rest(ctx, 20*time.Millisecond)
		status, raw, again, err = r.send(ctx)
	}
	h.repeated++
	if h.patient && err == nil && (!again && status < http.StatusInternalServerError ||
		again && status == r.status && !bytes.Equal(raw, r.raw)) {
		// The database or the owner went away before the answer was kept, or the owner kept its own after another
		// server had answered. The comparison shows that the act was not done twice.
		h.unkept++
		r.status, r.raw = status, raw
		return
	}
	if err != nil || !again || status != r.status || !bytes.Equal(raw, r.raw) {
		h.lose("%s %s with the key %s was answered %d %s; then %v %d %s (as a repetition: %v)",
			r.path, r.body, r.key, r.status, clip(r.raw), err, status, clip(raw), again)
	}
}

// clip shortens an answer for a message.
func clip(raw []byte) []byte { return raw[:min(len(raw), 300)] }

// compareCups demands that every tournament of the history exists once, with the points of its games.
func (h *history) compareCups(ctx context.Context, c *client.Client) {
	times := map[string]int{}
	for cursor := ""; ; {
		var list struct {
			Items []struct{ ID, Name string }
			Next  string `json:"next_cursor"`
		}
		h.get(ctx, c, "/tournaments?limit=200&status=draft,open,closed,running,finished"+cursor, &list)
		for _, cup := range list.Items {
			times[cup.Name]++
		}
		cursor = "&cursor=" + list.Next
		if list.Next == "" {
			break
		}
	}
	for id, cup := range h.cups {
		h.once(times[cup.name], cup.name)
		var table standingsView
		h.get(ctx, c, "/tournaments/"+id+"/standings", &table)
		if now := fmt.Sprint(table.Rows); now != cup.standings {
			h.lose("%s: the standings were %s and are %s", cup.name, cup.standings, now)
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
func (h *history) comparePoints(cup *cupHistory, table standingsView) {
	for _, row := range table.Rows {
		if want := fmt.Sprint(cup.points[row.Entry.Name]); row.Points != want {
			h.lose("%s: %s has %s points and has won %s games", cup.name, row.Entry.Name, row.Points, want)
		}
	}
}
