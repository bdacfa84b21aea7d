package director

import (
	"context"
	"slices"
	"sync"

	"quatuor/tournament"
	"quatuor/tournament/slip"
)

// slipMemory is a Slips that keeps no more than the port promises.
type slipMemory struct {
	mu      sync.Mutex
	secrets map[[2]int]slip.Secret // by round and board
	codes   map[string]slip.Place
	reports map[[3]int]slip.Report
	calls   []slip.Call
}

func newSlipMemory() *slipMemory {
	return &slipMemory{
		secrets: map[[2]int]slip.Secret{}, codes: map[string]slip.Place{}, reports: map[[3]int]slip.Report{},
	}
}

func (m *slipMemory) Secrets(_ context.Context, _ string, round int) (list []slip.Secret, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for k, s := range m.secrets {
		if k[0] == round {
			list = append(list, s)
		}
	}
	return list, nil
}

func (m *slipMemory) AddSecrets(_ context.Context, _ string, round int, secrets []slip.Secret) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range secrets {
		if _, ok := m.secrets[[2]int{round, s.Board}]; !ok {
			m.secrets[[2]int{round, s.Board}] = s
		}
	}
	return nil
}

func (m *slipMemory) SetSecrets(_ context.Context, _ string, round int, secrets []slip.Secret) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range secrets {
		m.secrets[[2]int{round, s.Board}] = s
		for hash, p := range m.codes {
			if p.Round == round && p.Board == s.Board {
				delete(m.codes, hash)
			}
		}
	}
	return nil
}

func (m *slipMemory) AddCodes(_ context.Context, codes map[string]slip.Place) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for hash, p := range codes {
		m.codes[hash] = p
	}
	return nil
}

func (m *slipMemory) Find(_ context.Context, hash string) (slip.Place, []byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, ok := m.codes[hash]
	if !ok {
		return p, nil, slip.ErrUnknown
	}
	return p, m.secrets[[2]int{p.Round, p.Board}].Bytes, nil
}

func (m *slipMemory) Reports(_ context.Context, _ string, round int) (list []slip.Report, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for k, r := range m.reports {
		if k[0] == round {
			list = append(list, r)
		}
	}
	return list, nil
}

func (m *slipMemory) Report(_ context.Context, _ string, round int, r slip.Report) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := [3]int{round, r.Board, r.Seat}
	if m.reports[k].Count != r.Count-1 {
		return slip.ErrStale
	}
	m.reports[k] = r
	return nil
}

func (m *slipMemory) AddCall(_ context.Context, c slip.Call) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if slices.ContainsFunc(m.calls, func(o slip.Call) bool {
		return o.Place == c.Place && o.Kind == c.Kind && o.Basis == c.Basis && o.Status != slip.CallSettled
	}) {
		return false, nil
	}
	m.calls = append(m.calls, c)
	return true, nil
}

func (m *slipMemory) Calls(context.Context, string) ([]slip.Call, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := slices.Clone(m.calls)
	slices.Reverse(out)
	return out, nil
}

func (m *slipMemory) AnswerCall(_ context.Context, _, call string, status slip.CallStatus, by string, at int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range m.calls {
		if c := &m.calls[i]; c.ID == call && c.Status != slip.CallSettled {
			c.Status = status
			c.By = by
			c.SeenAt = at
			return nil
		}
	}
	return tournament.ErrNotFound
}
