package director

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/club"
	"quatuor/tournament/exchange"
)

// memory is a Store and Tables that keeps no more than the ports promise: of what hangs below a tournament it stores
// only what the delta lists, and everything goes in and out as a copy.
type memory struct {
	mu        sync.Mutex
	stored    map[string]*tournament.Tournament
	history   map[string][]tournament.Change
	kept      map[string]map[int]tournament.PairingInput // by tournament and round
	acts      map[string][]tournament.Act
	players   []club.Player // made by imports
	originals map[string]exchange.Original
	records   map[string]tournament.RecordText // by tournament and digest
	lineUps   map[string][]tournament.LineUp
	cursor    int64
	outbox    []Finished
	games     map[string]*game
	order     []string // game ids as they were opened

	handed map[string]handedOut    // by tournament, what Load returned last; it returns the same until another is saved
	step   func(name string) error // called around every write
	loaded func(id string)         // called after every Load
	replay int                     // how many rows before the cursor Pending returns once more
}

// handedOut is a tournament that Load returned, and how it was then. Stores share it between all callers, so none may
// change it in place.
type handedOut struct {
	t   *tournament.Tournament
	was []byte
}

// unchanged returns an error if what was handed out was changed.
func (h handedOut) unchanged() error {
	if h.t == nil {
		return nil
	}
	is, err := json.Marshal(h.t)
	if err == nil && !bytes.Equal(is, h.was) {
		err = fmt.Errorf("a tournament was changed in place:\n%s\n%s", h.was, is)
	}
	return err
}

type game struct {
	Opening
	moved, over, paused bool
}

func newMemory() *memory {
	return &memory{
		stored: make(map[string]*tournament.Tournament), history: make(map[string][]tournament.Change),
		kept: make(map[string]map[int]tournament.PairingInput), acts: make(map[string][]tournament.Act),
		originals: make(map[string]exchange.Original),
		records:   make(map[string]tournament.RecordText),
		lineUps:   make(map[string][]tournament.LineUp),
		games:     make(map[string]*game), handed: make(map[string]handedOut), step: func(string) error {
			return nil
		}, loaded: func(string) {},
	}
}

func clone[T any](v T) T {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var out T
	if err := json.Unmarshal(raw, &out); err != nil {
		panic(err)
	}
	return out
}

// write carries out f under the lock, with a crash point before and after.
func (m *memory) write(name string, f func() error) error {
	if err := m.step(name); err != nil {
		return err
	}
	m.mu.Lock()
	err := f()
	m.mu.Unlock()
	if err != nil {
		return err
	}
	return m.step(name + " done")
}

func (m *memory) Create(_ context.Context, t *tournament.Tournament) error {
	return m.write("create", func() error {
		if t.Version != 1 || m.stored[t.ID] != nil {
			return fmt.Errorf("tournament %s cannot be created with version %d", t.ID, t.Version)
		}
		m.stored[t.ID] = clone(t)
		return nil
	})
}

func (m *memory) HallRecord(_ context.Context, id, digest string) (tournament.RecordText, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r, ok := m.records[id+digest]; ok {
		return r, nil
	}
	return tournament.RecordText{}, tournament.ErrNotFound
}

func (m *memory) Import(ctx context.Context, t *tournament.Tournament, with Imported) error {
	return m.write("import", func() error {
		if t.Version != 1 || m.stored[t.ID] != nil {
			return fmt.Errorf("tournament %s cannot be imported with version %d", t.ID, t.Version)
		}
		m.stored[t.ID], m.originals[t.ID] = clone(t), clone(with.Original)
		m.acts[t.ID], m.players = []tournament.Act{with.Act}, append(m.players, with.Players...)
		return nil
	})
}

func (m *memory) Original(_ context.Context, id string) (*exchange.Original, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	o, ok := m.originals[id]
	if !ok {
		return nil, tournament.ErrNotFound
	}
	return &o, nil
}

func (m *memory) Load(_ context.Context, id string) (*tournament.Tournament, error) {
	t, err := m.load(id)
	if err != nil {
		return nil, err
	}
	m.loaded(id)
	return t, nil
}

func (m *memory) load(id string) (*tournament.Tournament, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.handed[id].unchanged(); err != nil {
		return nil, err
	}
	if m.stored[id] == nil {
		return nil, tournament.ErrNotFound
	}
	was, err := json.Marshal(m.stored[id])
	if err != nil {
		return nil, err
	}
	if h := m.handed[id]; bytes.Equal(was, h.was) {
		return h.t, nil
	}
	t := new(tournament.Tournament)
	m.handed[id] = handedOut{t, was}
	return t, json.Unmarshal(was, t)
}

func (m *memory) Save(_ context.Context, t *tournament.Tournament, from int64, delta tournament.Delta) error {
	return m.write("save", func() error { return m.save(t, from, delta) })
}

func (m *memory) RecordResult(
	_ context.Context, cursor int64, t *tournament.Tournament, from int64, delta tournament.Delta,
) error {
	return m.write("settle", func() error {
		if cursor <= m.cursor {
			return nil
		}
		if t != nil {
			if err := m.save(t, from, delta); err != nil {
				return err
			}
		}
		m.cursor = cursor
		return nil
	})
}

func (m *memory) save(t *tournament.Tournament, from int64, delta tournament.Delta) error {
	old := m.stored[t.ID]
	switch {
	case old == nil:
		return tournament.ErrNotFound
	case old.Version != from:
		return tournament.ErrStale
	case t.Version != from+1 && !(delta.Unseen && t.Version == from):
		return fmt.Errorf("version %d follows %d", t.Version, from)
	}
	for round, read := range delta.Filed {
		stored := 0
		for _, l := range m.lineUps[t.ID] {
			if l.Round == round {
				stored++
			}
		}
		if stored != read {
			return tournament.ErrStale
		}
	}
	head := *t
	head.Entries, head.Rounds = nil, nil // these are the delta's
	next := clone(&head)
	changed := clone(delta)
	next.Entries, next.Rounds = changed.After(old)
	m.stored[t.ID] = next
	m.history[t.ID] = append(m.history[t.ID], clone(delta.Changes)...)
	if m.kept[t.ID] == nil {
		m.kept[t.ID] = make(map[int]tournament.PairingInput)
	}
	for _, n := range delta.RemovedRounds {
		delete(m.kept[t.ID], n)
	}
	for _, a := range delta.Acts {
		for i := range m.acts[t.ID] {
			if a.By != tournament.ServerAccount {
				m.acts[t.ID][i].Undo = ""
			}
		}
		m.acts[t.ID] = append(m.acts[t.ID], a)
	}
	for _, r := range delta.Records {
		m.records[t.ID+r.Digest] = r
	}
	for _, s := range delta.Inputs {
		m.kept[t.ID][s.Round] = s
	}
	m.lineUps[t.ID] = append(m.lineUps[t.ID], clone(delta.LineUps)...)
	return nil
}

func (m *memory) LineUps(_ context.Context, id string, round int) ([]tournament.LineUp, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.DeleteFunc(clone(m.lineUps[id]), func(l tournament.LineUp) bool { return l.Round != round }), nil
}

func (m *memory) DueLineUps(_ context.Context, at int64) (ids []string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for id, t := range m.stored {
		for _, r := range t.Rounds {
			if r.LineUpsDue > 0 && r.LineUpsDue <= at && slices.ContainsFunc(r.Pairings, t.Sealed) {
				ids = append(ids, id)
			}
		}
	}
	return ids, nil
}

func (m *memory) Acts(_ context.Context, id string) ([]tournament.Act, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return clone(m.acts[id]), nil
}

func (m *memory) PairingInput(_ context.Context, id string, round int) (tournament.PairingInput, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	kept, ok := m.kept[id][round]
	if !ok {
		return kept, tournament.ErrNotFound
	}
	return kept, nil
}

func (m *memory) Delete(_ context.Context, id string, from int64) error {
	return m.write("delete", func() error {
		if t := m.stored[id]; t == nil || t.Version != from {
			return tournament.ErrStale
		}
		delete(m.stored, id)
		return nil
	})
}

func (m *memory) Pending(_ context.Context, limit int) ([]Finished, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	rest := m.outbox[max(0, int(m.cursor)-m.replay):]
	m.replay = 0
	return clone(rest[:min(limit, len(rest))]), nil
}

func (m *memory) Running(context.Context) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var ids []string
	for id, t := range m.stored {
		if t.Status == tournament.Running {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

func (m *memory) History(_ context.Context, id string) ([]tournament.Change, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return clone(m.history[id]), nil
}

func (m *memory) Open(_ context.Context, games []Opening) error {
	return m.write("open", func() error {
		for _, g := range games {
			if m.games[g.GameID] == nil {
				m.games[g.GameID] = &game{Opening: clone(g)}
				m.order = append(m.order, g.GameID)
			}
		}
		return nil
	})
}

func (m *memory) Begun(_ context.Context, id string) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	g := m.games[id]
	return g != nil && g.moved, nil
}

func (m *memory) Pause(_ context.Context, id, _ string, _ sentence.Sentence) error {
	return m.write("pause", func() error {
		if g := m.games[id]; g != nil && !g.over {
			g.paused = true
		}
		return nil
	})
}

func (m *memory) Abort(_ context.Context, id string, why sentence.Sentence) error {
	return m.write("abort", func() error {
		if g := m.games[id]; g != nil && !g.over {
			m.finish(g, Finished{Aborted: true, Reason: why.String()})
		}
		return nil
	})
}

// finish ends a game as the tables would, with its row in the outbox.
func (m *memory) finish(g *game, f Finished) {
	g.over = true
	f.At = testTime.UnixMilli()
	f.Seq = int64(len(m.outbox)) + 1
	f.GameID = g.GameID
	f.TournamentID = g.TournamentID
	f.Round = g.Round
	f.Board = g.Board
	m.outbox = append(m.outbox, f)
}

// end finishes a game with these ranks by seat, after some moves; without ranks it is void.
func (m *memory) end(t rapid.TB, id string, ranks ...int) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	g := m.games[id]
	if g == nil || g.over {
		t.Fatalf("game %q is not being played", id)
	}
	reason := "line"
	if ranks == nil {
		reason = "replay"
	}
	m.finish(g, Finished{Ranks: ranks, Reason: reason, Plies: 20})
}

// running lists the games being played, in the order of their opening.
func (m *memory) running() []Opening {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []Opening
	for _, id := range m.order {
		if g := m.games[id]; !g.over {
			out = append(out, g.Opening)
		}
	}
	return out
}

// counter makes ids in order; it is shared by all directors of a test.
type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) next() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return fmt.Sprintf("id%04d", c.n)
}

var testTime = time.Date(2026, 3, 1, 19, 0, 0, 0, time.UTC)

const testSeed = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

// newDirector makes a director on the memory, as another process would.
func newDirector(m *memory, ids *counter) *Director {
	return New(Config{
		Store: m, Tables: m,
		Variant: func(id string, _ map[string]string) (tournament.Shape, error) {
			switch id {
			case "quixo/duel":
				return tournament.Shape{Min: 2, Max: 2, Members: 1}, nil
			case "quixo/teams":
				return tournament.Shape{Min: 2, Max: 2, Members: 2}, nil
			case "quits/four":
				return tournament.Shape{Min: 4, Max: 4, Members: 1}, nil
			case "quivive/melee":
				return tournament.Shape{Min: 3, Max: 5, Members: 1}, nil
			}
			return tournament.Shape{}, fmt.Errorf("there is no variant %q", id)
		},
		TimeControl: func(text string) (string, error) {
			if text != "300+3" && text != "60+1" {
				return "", errors.New("write 300+3 or 60+1")
			}
			return text, nil
		},
		Now: func() time.Time { return testTime }, NewID: ids.next, NewSeed: func() string { return testSeed },
		Log: slog.New(slog.DiscardHandler),
	})
}

// duelSettings is a round-robin of duels.
func duelSettings() tournament.Settings {
	return tournament.Settings{
		Name: "Friday", Variant: "quixo/duel", Format: tournament.RoundRobin, TimeControl: "300+3", Rated: true,
		Options: map[string]string{"repetition": "draw"},
	}
}

var organiser = Order{By: "ada"}

// started returns a running tournament of n players named p1, p2 … by their numbers.
func started(t rapid.TB, d *Director, s tournament.Settings, n int) *tournament.Tournament {
	t.Helper()
	ctx := context.Background()
	tm, err := d.Create(ctx, "", s, "ada")
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i <= n; i++ {
		e := tournament.Entry{Name: fmt.Sprintf("P%02d", i), Members: []string{fmt.Sprint("p", i)}, Rating: float64(2000 - i)}
		if _, _, err := d.AddEntry(ctx, tm.ID, e, organiser); err != nil {
			t.Fatal(err)
		}
	}
	tm, err = d.Do(ctx, tm.ID, Start, organiser)
	if err != nil {
		t.Fatal(err)
	}
	return tm
}

// inFirstRound returns a tournament as started does, with the games of round 1 open.
func inFirstRound(t testing.TB, d *Director, s tournament.Settings, n int) *tournament.Tournament {
	t.Helper()
	tm, err := d.Do(context.Background(), started(t, d, s, n).ID, NextRound, organiser)
	if err != nil {
		t.Fatal(err)
	}
	return tm
}

// automatic is a round-robin with automatic rounds.
func automatic() tournament.Settings {
	s := duelSettings()
	s.AutoRounds = true
	return s
}

// see returns what another process would see, and compares it with a command's answer.
func (m *memory) see(t testing.TB, answered *tournament.Tournament) *tournament.Tournament {
	t.Helper()
	stored, err := m.Load(context.Background(), answered.ID)
	if err != nil {
		t.Fatal(err)
	}
	got, _ := json.Marshal(stored)
	want, _ := json.Marshal(clone(answered))
	if string(got) != string(want) {
		t.Fatalf("what is stored is not what was answered:\n%s\n%s", got, want)
	}
	return stored
}
