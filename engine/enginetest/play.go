package enginetest

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"quatuor/engine"
)

// maxEvents bounds the events of a random game; unfinished games are as good for the laws as finished games.
const maxEvents = 160

// game is a random game under test.
type game struct {
	rt    *rapid.T
	rules engine.Rules
	info  engine.Info
	setup engine.Setup
	hooks Hooks
	twins *int
	match *engine.Match
	phase int           // see sampled
	now   snapshot      // of the match's state
	pool  []engine.Move // well-formed tokens met so far, legal or not by now
}

// play plays from the start to the end or to a random length, and tests the laws after the sampled events.
func (g *game) play() {
	m, err := engine.NewMatch(g.rules, g.setup)
	if err != nil {
		g.rt.Fatalf("start: %v", err)
	}
	g.match = m
	events := rapid.IntRange(0, maxEvents).Draw(g.rt, "events")
	calm := rapid.Bool().Draw(g.rt, "calm")
	g.phase = rapid.IntRange(0, 7).Draw(g.rt, "phase")
	for n := 0; ; n++ {
		if g.sampled(n) || n == events || g.match.Pending().Over() {
			g.testLaws()
		}
		if n == events || g.match.Pending().Over() {
			break
		}
		g.step(calm)
	}
	if err := g.replayLaw(); err != nil {
		g.rt.Fatalf("%v\nlog: %v", err, g.match.Events())
	}
}

// sampled reports whether the laws are tested after n events: every second, with -short every eighth, and with
// QUATUOR_LONG each.
func (g *game) sampled(n int) bool { every := amount(8, 2, 1); return n%every == g.phase%every }

// amount is a number with -short, as a rule, and with QUATUOR_LONG.
func amount(short, usual, long int) int {
	switch {
	case os.Getenv("QUATUOR_LONG") != "":
		return long
	case testing.Short():
		return short
	}
	return usual
}

func (g *game) testLaws() {
	g.now = g.snapshot(g.match.State())
	laws := []func() error{
		g.pendingLaw, g.legalLaw, g.perftLaw, g.cursorLaw, g.receiverLaw, g.refusalLaw, g.leavingLaw, g.drawLaw, g.textLaw,
		g.sealedLaw,
		g.projectionLaw, g.secretLaw, g.twinLaw,
	}
	for _, law := range laws {
		if err := law(); err != nil {
			g.rt.Fatalf("%v\nlog: %v\nposition: %s", err, g.match.Events(), g.match.State().Position())
		}
	}
}

// step draws an event and applies it: mostly a move, and in games that are not calm now and then a leaving or an
// agreement, which may be refused.
func (g *game) step(calm bool) {
	e := g.drawMove()
	if !calm {
		switch rapid.IntRange(0, 40).Draw(g.rt, "incident") {
		case 40:
			seat := rapid.IntRange(1, g.setup.Seats).Draw(g.rt, "leaver")
			e = engine.Event{Kind: engine.Left, Seat: engine.Seat(seat), Text: string(engine.ReasonResignation)}
		case 39:
			e = engine.Event{Kind: engine.Agreed}
		}
	}
	next, err := g.match.After(e)
	switch {
	case err == nil:
		g.match = next
	case e.Kind == engine.Moved || engine.KindOf(err) != "illegal":
		g.rt.Fatalf("%s refused: %v\nlog: %v", e.Token(true), err, g.match.Events())
	}
}

func (g *game) drawMove() engine.Event {
	seat := rapid.SampledFrom(g.match.Pending().Awaited).Draw(g.rt, "seat")
	moves := g.match.State().Legal(seat)
	mv := moves[rapid.IntRange(0, len(moves)-1).Draw(g.rt, "move")]
	return engine.Event{Kind: engine.Moved, Seat: seat, Text: string(mv)}
}

// snapshot holds the answers of all methods of a state.
type snapshot struct {
	Position string
	Pending  engine.Pending
	Legal    [][]engine.Move
	Views    []string
}

func (g *game) snapshot(s engine.State) snapshot {
	shot := snapshot{Position: s.Position(), Pending: s.Pending()}
	for seat := range g.setup.Seats {
		shot.Legal = append(shot.Legal, s.Legal(engine.Seat(seat+1)))
	}
	viewers := g.viewers()
	if !g.info.Secret {
		viewers = viewers[:1] // all see the same
	}
	for _, v := range viewers {
		shot.Views = append(shot.Views, encode(s.View(v)))
	}
	return shot
}

// same compares two states by their snapshots.
func (g *game) same(what string, want, got snapshot) error {
	if reflect.DeepEqual(want, got) {
		return nil
	}
	return fmt.Errorf("%s:\nwant %+v\ngot  %+v", what, want, got)
}

// viewers returns a spectator, each seat, and the holder of all seats.
func (g *game) viewers() []engine.Viewer {
	list := []engine.Viewer{{}}
	var all []engine.Seat
	for n := range g.setup.Seats {
		seat := engine.Seat(n + 1)
		list = append(list, engine.ViewerOf(seat))
		all = append(all, seat)
	}
	return append(list, engine.ViewerOf(all...))
}

func encode(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "cannot be encoded: " + err.Error()
	}
	return string(text)
}
