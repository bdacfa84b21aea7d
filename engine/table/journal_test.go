package table

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"time"
)

// stored returns the storage, with a journal in all roles.
func stored(j interface {
	Journal
	Deadlines
	Quotas
	Heartbeats
	OutageJournal
},
) Storage {
	return Storage{j, j, j, j, j}
}

// memory is a journal that keeps what is durable as encoded copies, so that nothing is shared with the tables.
type memory struct {
	mu      sync.Mutex
	games   map[string][]byte
	logs    map[string][]Line
	beats   map[string]int64
	alone   bool // no other process beats
	outages []Outage
	outbox  []string
	failing error           // answered instead of storing
	before  func(step Step) // called at the start of Append, without the lock
	appends int
	refused int              // while failing
	now     func() time.Time // its own clock
	runs    map[string]Run
	stalled chan struct{} // nothing is answered until it is closed
	watched map[string]int64
	places  map[string]int64 // taken last, by quota
}

// stall has the journal answer nothing until the function that it returns is called.
func (m *memory) stall() (again func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	stalled := make(chan struct{})
	m.stalled = stalled
	return func() { close(stalled) }
}

// answers returns when the journal answers.
func (m *memory) answers() {
	m.mu.Lock()
	stalled := m.stalled
	m.mu.Unlock()
	if stalled != nil {
		<-stalled
	}
}

// Clock and Runs make the journal Peers.
func (m *memory) Clock(context.Context) (time.Time, error) {
	m.answers()
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now(), m.failing
}

func (m *memory) Runs(context.Context) ([]Run, error) {
	m.answers()
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Collect(maps.Values(m.runs)), m.failing
}

// fail makes everything that stores answer err; nil lets it store again.
func (m *memory) fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.failing = err
}

// refusals counts the appends that failed.
func (m *memory) refusals() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.refused
}

// ids lists the games that are stored, and ends counts the rows of the outbox.
func (m *memory) ids() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Collect(maps.Keys(m.games))
}

func (m *memory) ends() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.outbox)
}

func newMemory() *memory {
	return &memory{
		games: map[string][]byte{}, logs: map[string][]Line{}, beats: map[string]int64{}, runs: map[string]Run{},
		now: time.Now, watched: map[string]int64{}, places: map[string]int64{},
	}
}

func (m *memory) Create(_ context.Context, games []Game) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failing != nil {
		m.refused++
		return m.failing
	}
	for _, g := range games {
		if _, known := m.games[g.ID]; known {
			continue
		}
		for _, u := range g.Uses {
			if m.places[u.Key] >= u.N {
				return ErrQuota
			}
		}
		for _, u := range g.Uses {
			m.places[u.Key] = u.N
		}
		m.put(g)
	}
	return nil
}

// Quotas returns the state of quotas from the games that have places in them.
func (m *memory) Quotas(_ context.Context, keys []string) (map[string]QuotaState, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	states := map[string]QuotaState{}
	for _, key := range keys {
		s := QuotaState{Last: m.places[key], First: m.places[key]}
		for id := range m.games {
			g, _ := m.get(id)
			for _, u := range g.Uses {
				moved := func(l Line) bool { return l.Kind == LineMove && l.Seat == u.Seat }
				if u.Key == key && !g.Status.Over() && !slices.ContainsFunc(m.logs[id], moved) {
					s.Live++
					s.First = min(s.First, u.N)
				}
			}
		}
		states[key] = s
	}
	return states, nil
}

func (m *memory) Begin(ctx context.Context, s Step) error {
	if _, known := m.get(s.Game.ID); known {
		return ErrConflict
	}
	g := *s.Game
	g.Version = s.From
	if err := m.Create(ctx, []Game{g}); err != nil {
		return err
	}
	return m.Append(ctx, s)
}

func (m *memory) put(g Game) {
	raw, err := json.Marshal(g)
	if err != nil {
		panic(err)
	}
	m.games[g.ID] = raw
}

func (m *memory) get(id string) (g Game, known bool) {
	raw, known := m.games[id]
	if known {
		if err := json.Unmarshal(raw, &g); err != nil {
			panic(err)
		}
	}
	return g, known
}

func (m *memory) Load(_ context.Context, id string) (Game, []Line, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	g, known := m.get(id)
	if !known {
		return Game{}, nil, ErrNotFound
	}
	return g, slices.Clone(m.logs[id]), nil
}

func (m *memory) LoadSince(ctx context.Context, id string, version int64) (Game, []Line, error) {
	g, lines, err := m.Load(ctx, id)
	return g, lines[min(version, int64(len(lines))):], err
}

func (m *memory) Append(_ context.Context, s Step) error {
	m.answers()
	if m.before != nil {
		m.before(s)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failing != nil {
		m.refused++
		return m.failing
	}
	g, known := m.get(s.Game.ID)
	if !known {
		return ErrNotFound
	}
	if g.Version != s.From || !s.Until.IsZero() && time.Now().After(s.Until) {
		return ErrConflict
	}
	m.put(*s.Game)
	m.logs[s.Game.ID] = append(m.logs[s.Game.ID], s.Lines...)
	m.appends++
	if s.Game.Status.Over() {
		m.outbox = append(m.outbox, s.Game.ID)
	}
	return nil
}

func (m *memory) Armed(_ context.Context, of []string) ([]Armed, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var armed []Armed
	for id := range m.games {
		if of != nil && !slices.Contains(of, id) {
			continue
		}
		if g, _ := m.get(id); g.Status == Running || g.Status == Waiting && g.Deadline > 0 {
			armed = append(armed, Armed{ID: id, Deadline: g.Deadline})
		}
	}
	return armed, nil
}

// set sets the journal's clock.
func (m *memory) set(wrong time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now = func() time.Time { return time.Now().Add(wrong) }
}

func (m *memory) LastEntry(context.Context) (last int64, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for id, lines := range m.logs {
		if g, _ := m.get(id); !g.Status.Over() && len(lines) > 0 {
			last = max(last, lines[len(lines)-1].At)
		}
	}
	return last, nil
}

func (m *memory) Rows(_ context.Context, ids []string) ([]Row, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var rows []Row
	for _, id := range ids {
		if g, known := m.get(id); known {
			r := Row{Game: g}
			if log := m.logs[id]; len(log) > 0 {
				r.LastAt = log[len(log)-1].At
			}
			rows = append(rows, r)
		}
	}
	return rows, nil
}

func (m *memory) NoteOutage(_ context.Context, o Outage) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failing != nil {
		m.refused++
		return m.failing
	}
	if !slices.Contains(m.outages, o) {
		m.outages = append(m.outages, o)
	}
	return nil
}

func (m *memory) Outages(context.Context) ([]Outage, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.SortedFunc(slices.Values(m.outages), func(a, b Outage) int { return cmp.Compare(a.To, b.To) }), nil
}

func (m *memory) DropOutages(_ context.Context, outages []Outage) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.outages = slices.DeleteFunc(m.outages, func(o Outage) bool { return slices.Contains(outages, o) })
	return nil
}

func (m *memory) Version(_ context.Context, id string) (int64, error) {
	m.answers()
	m.mu.Lock()
	defer m.mu.Unlock()
	g, known := m.get(id)
	if !known {
		return 0, ErrNotFound
	}
	return g.Version, nil
}

func (m *memory) Watch(_ context.Context, games []Armed) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, w := range games {
		m.watched[w.ID] = w.Deadline
	}
	return m.failing
}

func (m *memory) Overdue(_ context.Context, before int64, limit int) (overdue []Armed, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for id := range m.games {
		g, _ := m.get(id)
		if (g.Status == Running || g.Status == Waiting) && g.Deadline > 0 && g.Deadline < before && len(overdue) < limit {
			overdue = append(overdue, Armed{ID: id, Deadline: g.Deadline})
		}
	}
	return overdue, nil
}

func (m *memory) Beat(_ context.Context, instance string, at int64) error {
	m.answers()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failing != nil {
		m.refused++
		return m.failing
	}
	if _, known := m.beats[instance]; m.alone && !known {
		clear(m.beats)
	}
	m.beats[instance] = at
	now := m.now().UnixMilli()
	if r := m.runs[instance]; now-r.To < MaxSilence.Milliseconds() {
		m.runs[instance] = Run{r.From, now, r.Before}
	} else {
		m.runs[instance] = Run{now, now, r.To}
	}
	return nil
}

func (m *memory) LastBeat(context.Context) (last int64, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, at := range m.beats {
		last = max(last, at)
	}
	return last, nil
}
