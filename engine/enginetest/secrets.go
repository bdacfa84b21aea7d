package enginetest

import (
	"bytes"
	"encoding"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"

	"quatuor/engine"
)

// sealedLaw: choices made in secret for a turn lead to the same state in whatever order they arrive.
func (g *game) sealedLaw() error {
	p := g.match.Pending()
	if !p.Sealed || len(p.Awaited) < 2 {
		return nil
	}
	one, other := p.Awaited[0], p.Awaited[len(p.Awaited)-1]
	for _, a := range g.match.State().Legal(one) {
		for _, b := range g.match.State().Legal(other) {
			first := engine.Event{Kind: engine.Moved, Seat: one, Text: string(a)}
			second := engine.Event{Kind: engine.Moved, Seat: other, Text: string(b)}
			if err := g.commute(first, second); err != nil {
				return fmt.Errorf("%s and %s: %w", first.Token(true), second.Token(true), err)
			}
		}
	}
	return nil
}

func (g *game) commute(first, second engine.Event) error {
	here, err := g.both(first, second)
	if err != nil {
		return err
	}
	there, err := g.both(second, first)
	if err != nil {
		return err
	}
	if here.Turn() != there.Turn() {
		return fmt.Errorf("turns %d and %d", here.Turn(), there.Turn())
	}
	return g.same("the order matters", g.snapshot(here.State()), g.snapshot(there.State()))
}

func (g *game) both(first, second engine.Event) (*engine.Match, error) {
	between, err := g.match.After(first)
	if err != nil {
		return nil, err
	}
	if between.Turn() != g.match.Turn() {
		return nil, fmt.Errorf("the first choice began turn %d", between.Turn())
	}
	if between.Pending().Awaits(first.Seat) || between.State().Legal(first.Seat) != nil {
		return nil, fmt.Errorf("seat %d has chosen and may choose again", first.Seat)
	}
	return between.After(second)
}

// projectionLaw: a projection holds the viewer's own moves and a log that keeps length, order, kinds and seats.
func (g *game) projectionLaw() error {
	pending := g.match.Pending()
	for _, v := range g.viewers() {
		p := g.match.Project(v)
		for seat := range p.Legal {
			if !v.Holds(seat) || !pending.Awaits(seat) {
				return fmt.Errorf("legal moves of seat %d shown to viewer %v", seat, v)
			}
		}
		if shown := p.Position != ""; shown != (!g.info.Secret || pending.Over()) {
			return fmt.Errorf("position shown: %v", shown)
		}
		if shown := p.Seed != nil; shown != (g.info.Secret && pending.Over()) {
			return fmt.Errorf("seed shown: %v", shown)
		}
		if err := g.redactionLaw(p.Events); err != nil {
			return err
		}
		if err := g.viewLaw(v, p.View); err != nil {
			return fmt.Errorf("view: %w", err)
		}
	}
	return nil
}

// viewLaw: a view encodes, and a state that implements engine.ViewWriter writes the same.
func (g *game) viewLaw(v engine.Viewer, view engine.View) error {
	var want bytes.Buffer
	encoder := json.NewEncoder(&want)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(view); err != nil {
		return err
	}
	own, ok := g.match.State().(engine.ViewWriter)
	if !ok {
		return nil
	}
	if got := own.AppendView([]byte("before "), v); string(got)+"\n" != "before "+want.String() {
		return fmt.Errorf("its own JSON is %q, want %q", got, want.String())
	}
	return nil
}

func (g *game) redactionLaw(seen []engine.Event) error {
	full := g.match.Events()
	if len(seen) != len(full) {
		return fmt.Errorf("a viewer sees %d of %d events", len(seen), len(full))
	}
	for i, e := range seen {
		if e.Kind != full[i].Kind || e.Seat != full[i].Seat {
			return fmt.Errorf("a viewer sees event %v for %v", e, full[i])
		}
		if !g.info.Secret && e != full[i] {
			return fmt.Errorf("a viewer sees event %v for %v in a game without secrets", e, full[i])
		}
	}
	return nil
}

var address = regexp.MustCompile(`0x[0-9a-f]+`)

// printed returns a state as a log line could show it, with addresses masked.
func printed(s engine.State) string {
	return address.ReplaceAllString(fmt.Sprintf("%v\n%+v\n%#v", s, s, s), "@")
}

// secretLaw: a state with secrets encodes as nothing, and no encoder finds a method to call.
func (g *game) secretLaw() error {
	if !g.info.Secret {
		return nil
	}
	return secretState(g.match.State())
}

func secretState(state engine.State) error {
	switch state.(type) {
	case fmt.Stringer, fmt.GoStringer, fmt.Formatter, json.Marshaler, encoding.TextMarshaler, encoding.BinaryMarshaler,
		gob.GobEncoder:
		return fmt.Errorf("%T knows how to print or encode itself", state)
	}
	if text, err := json.Marshal(state); err == nil && string(text) != "{}" {
		return fmt.Errorf("%T encodes as %s", state, text)
	}
	if err := gob.NewEncoder(&bytes.Buffer{}).Encode(state); err == nil {
		return fmt.Errorf("%T can be encoded by gob", state)
	}
	return nil
}

// twinLaw: a state that differs only in secrets hidden from a viewer looks the same to that viewer, in a view, in the
// log, in its legal moves, in refusals, and in a log line.
func (g *game) twinLaw() error {
	if !g.info.Secret {
		return nil
	}
	state, log := g.match.State(), g.match.Events()
	for _, v := range g.viewers() {
		twin, twinLog := g.hooks.Twin(g.rt, state, log, v)
		if twin.Position() != state.Position() || !reflect.DeepEqual(log, twinLog) {
			*g.twins++
		}
		if a, b := printed(state), printed(twin); a != b {
			return fmt.Errorf("secrets can be read in print: %s\nand %s", a, b)
		}
		if err := g.looksSame(v, state, twin); err != nil {
			return fmt.Errorf("viewer %v: %w", v, err)
		}
		if a, b := state.Redact(v, log), twin.Redact(v, twinLog); !reflect.DeepEqual(a, b) {
			return fmt.Errorf("viewer %v can tell by the log: %v\nand %v", v, a, b)
		}
	}
	return nil
}

func (g *game) looksSame(v engine.Viewer, state, twin engine.State) error {
	if a, b := encode(state.View(v)), encode(twin.View(v)); a != b {
		return fmt.Errorf("can tell by the view: %s\nand %s", a, b)
	}
	if a, b := state.Pending(), twin.Pending(); !reflect.DeepEqual(a, b) {
		return fmt.Errorf("can tell by what is awaited: %v and %v", a, b)
	}
	for n := range g.setup.Seats {
		seat := engine.Seat(n + 1)
		if !v.Holds(seat) {
			continue
		}
		if a, b := state.Legal(seat), twin.Legal(seat); !reflect.DeepEqual(a, b) {
			return fmt.Errorf("can tell by the legal moves: %v and %v", a, b)
		}
		for _, mv := range append(g.pool, "nonsense") {
			e := engine.Event{Kind: engine.Moved, Seat: seat, Text: string(mv)}
			_, err := state.Apply(e)
			_, twinErr := twin.Apply(e)
			if fmt.Sprint(err) != fmt.Sprint(twinErr) {
				return fmt.Errorf("can tell by the refusal: %v and %v", err, twinErr)
			}
		}
	}
	return nil
}
