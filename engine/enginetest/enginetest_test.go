package enginetest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"quatuor/engine"
	"quatuor/engine/quits"
)

// faults change single answers of a sound state; nil functions change nothing.
type faults struct {
	pending func(engine.Pending) engine.Pending
	legal   func([]engine.Move) []engine.Move
	apply   func(sound engine.State, e engine.Event) (engine.State, error)
	view    func(engine.View) engine.View
	written func(string) string
	redact  func([]engine.Event) []engine.Event
	text    func(string) string
	draw    func(sound engine.State, r engine.Reason) engine.State
	perft   func(uint64) uint64
}

// faulty is a sound state with faults.
type faulty struct {
	engine.State
	faults *faults
}

func (s faulty) Pending() engine.Pending {
	if s.faults.pending == nil {
		return s.State.Pending()
	}
	return s.faults.pending(s.State.Pending())
}

func (s faulty) Legal(seat engine.Seat) []engine.Move {
	if s.faults.legal == nil {
		return s.State.Legal(seat)
	}
	return s.faults.legal(slices.Clone(s.State.Legal(seat)))
}

func (s faulty) Apply(e engine.Event) (engine.State, error) {
	apply := s.State.Apply
	if s.faults.apply != nil {
		apply = func(e engine.Event) (engine.State, error) { return s.faults.apply(s.State, e) }
	}
	next, err := apply(e)
	if next == nil || err != nil {
		return nil, err
	}
	return faulty{next, s.faults}, nil
}

func (s faulty) Draw(r engine.Reason) engine.State {
	if s.faults.draw == nil {
		return faulty{s.State.Draw(r), s.faults}
	}
	return faulty{s.faults.draw(s.State, r), s.faults}
}

func (s faulty) View(v engine.Viewer) engine.View {
	if s.faults.view == nil {
		return s.State.View(v)
	}
	return s.faults.view(s.State.View(v))
}

func (s faulty) AppendView(b []byte, v engine.Viewer) []byte {
	text := s.State.(engine.ViewWriter).AppendView(b, v)
	if s.faults.written == nil {
		return text
	}
	return []byte(s.faults.written(string(text)))
}

func (s faulty) Redact(v engine.Viewer, log []engine.Event) []engine.Event {
	if s.faults.redact == nil {
		return s.State.Redact(v, log)
	}
	return s.faults.redact(log)
}

func (s faulty) Position() string {
	if s.faults.text == nil {
		return s.State.Position()
	}
	return s.faults.text(s.State.Position())
}

func (s faulty) Perft(depth int) uint64 {
	n := s.State.(engine.Counter).Perft(depth)
	if s.faults.perft == nil {
		return n
	}
	return s.faults.perft(n)
}

// faultyRules start games with faults.
type faultyRules struct {
	engine.Rules
	faults *faults
}

func (r faultyRules) Start(setup engine.Setup) (engine.State, error) {
	s, err := r.Rules.Start(setup)
	return faulty{s, r.faults}, err
}

func (r faultyRules) Parse(setup engine.Setup, text string) (engine.State, error) {
	s, err := r.Rules.Parse(setup, text)
	if err != nil {
		return nil, err
	}
	return faulty{s, r.faults}, nil
}

// under starts a game of quits/four with faults and plays a move, so that it has a log.
func under(t *testing.T, f *faults) *game {
	t.Helper()
	rules := faultyRules{quits.Variants()[2], f}
	setup, err := engine.NewSetup(rules.Info(), 0, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := engine.NewMatch(rules, setup)
	if err != nil {
		t.Fatal(err)
	}
	g := &game{rules: rules, info: rules.Info(), setup: setup, match: m, pool: []engine.Move{"a2-b3", "a1>e1"}}
	if next, err := m.After(engine.Event{Kind: engine.Moved, Seat: 1, Text: "a2-b3"}); err == nil {
		g.match = next
	}
	g.now = g.snapshot(g.match.State())
	return g
}

// brokenLaw is a fault and the law that must report it.
type brokenLaw struct {
	name   string
	law    func(*game) error
	faults faults
}

// faultsOfMoves break the laws on pending seats and legal moves.
func faultsOfMoves() []brokenLaw {
	return []brokenLaw{
		{"no seat awaited, nothing decided", (*game).pendingLaw, faults{
			pending: func(p engine.Pending) engine.Pending { p.Awaited = nil; return p },
		}},
		{"a seat awaited twice", (*game).pendingLaw, faults{
			pending: func(p engine.Pending) engine.Pending { p.Awaited = append(p.Awaited, p.Awaited...); return p },
		}},
		{"ranks that no result has", (*game).pendingLaw, faults{
			pending: func(engine.Pending) engine.Pending {
				return engine.Pending{Outcome: &engine.Outcome{Ranks: []int{1, 3, 3, 4}, Reason: engine.ReasonOut}}
			},
		}},
		{"moves out of order", (*game).legalLaw, faults{
			legal: func(m []engine.Move) []engine.Move { slices.Reverse(m); return m },
		}},
		{"a move twice", (*game).legalLaw, faults{
			legal: func(m []engine.Move) []engine.Move { return append(m, m[max(len(m)-1, 0):]...) },
		}},
		{"a move that is refused", (*game).legalLaw, faults{
			legal: func(m []engine.Move) []engine.Move {
				if m != nil {
					m = append(m, "e5-e6")
				}
				return m
			},
		}},
		{"moves for every seat", (*game).legalLaw, faults{
			legal: func([]engine.Move) []engine.Move { return []engine.Move{"a4-a3"} },
		}},
	}
}

// faultsOfEvents break the laws on what events do.
func faultsOfEvents() []brokenLaw {
	calls := 0
	return []brokenLaw{
		{"a wrong count", (*game).perftLaw, faults{perft: func(n uint64) uint64 { return n + 1 }}},
		{"a state that changes", (*game).receiverLaw, faults{
			text: func(s string) string { calls++; return fmt.Sprint(s, calls) },
		}},
		{"all refusals alike", (*game).refusalLaw, faults{
			apply: func(s engine.State, e engine.Event) (engine.State, error) {
				next, err := s.Apply(e)
				if err != nil {
					err = engine.Refuse(engine.ErrIllegal, "no")
				}
				return next, err
			},
		}},
		{"a seat that left and is awaited", (*game).leavingLaw, faults{
			apply: func(s engine.State, e engine.Event) (engine.State, error) {
				if e.Kind == engine.Left {
					return s, nil
				}
				return s.Apply(e)
			},
		}},
		{"leavings for any reason", (*game).refusalLaw, faults{
			apply: func(s engine.State, e engine.Event) (engine.State, error) {
				if e.Kind == engine.Left {
					e.Text = string(engine.ReasonTime)
				}
				return s.Apply(e)
			},
		}},
	}
}

// faultsOfTexts break the laws on draws, texts and views.
func faultsOfTexts() []brokenLaw {
	return []brokenLaw{
		{"a draw for a seat that is out", (*game).drawLaw, faults{
			apply: func(s engine.State, e engine.Event) (engine.State, error) {
				if e.Kind == engine.Left && e.Seat == 3 {
					return nil, engine.Refuse(engine.ErrIllegal, "seat 3 is out already")
				}
				return s.Apply(e)
			},
		}},
		{"a draw that is none", (*game).drawLaw, faults{
			draw: func(s engine.State, _ engine.Reason) engine.State { return s },
		}},
		{"a position that reads as another", (*game).textLaw, faults{
			text: func(s string) string { return strings.Replace(s, " 2 ", " 3 ", 1) },
		}},
		{"a log cut short", (*game).projectionLaw, faults{
			redact: func(log []engine.Event) []engine.Event { return log[:0] },
		}},
		{"a log redacted without need", (*game).projectionLaw, faults{
			redact: func(log []engine.Event) []engine.Event { return []engine.Event{{Kind: engine.Moved, Seat: 1}} },
		}},
		{"a view that cannot be sent", (*game).projectionLaw, faults{
			view: func(engine.View) engine.View { return func() {} },
		}},
		{"a view that is written otherwise", (*game).projectionLaw, faults{
			written: func(s string) string { return strings.Replace(s, `"owner":2`, `"owner":3`, 1) },
		}},
	}
}

// TestLawsSeeFaults breaks each law in turn and checks that this law reports it.
func TestLawsSeeFaults(t *testing.T) {
	for _, tt := range slices.Concat(faultsOfMoves(), faultsOfEvents(), faultsOfTexts()) {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.law(under(t, &faults{})); err != nil {
				t.Fatalf("the sound game breaks the law: %v", err)
			}
			if err := tt.law(under(t, &tt.faults)); err == nil {
				t.Error("the law is kept")
			}
		})
	}
}

// gossip is a state that prints and encodes its secret.
type gossip struct{ engine.State }

func (gossip) String() string               { return "secret" }
func (gossip) MarshalJSON() ([]byte, error) { return json.Marshal("secret") }

// leaky shows its secret as a field.
type leaky struct {
	engine.State
	Hand string
}

// TestSecretLawSeesLeaks tries states that encoders and log lines can read.
func TestSecretLawSeesLeaks(t *testing.T) {
	for _, wrap := range []func(engine.State) engine.State{
		func(s engine.State) engine.State { return gossip{s} },
		func(s engine.State) engine.State { return leaky{s, "g22"} },
	} {
		if err := secretState(wrap(under(t, &faults{}).match.State())); err == nil {
			t.Error("the law is kept")
		}
	}
	one, other := leaky{nil, "g22"}, leaky{nil, "r23"}
	if printed(one) == printed(other) {
		t.Error("a difference in print is not seen")
	}
}
