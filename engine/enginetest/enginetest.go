// Package enginetest holds the laws that every game of the engine must keep: properties, tested on random games.
//
// A game's own test calls [Run] for each of its variants:
//
//	for _, rules := range quixo.Variants() {
//		t.Run(rules.Info().ID, func(t *testing.T) { enginetest.Run(t, rules, enginetest.Hooks{}) })
//	}
//
// The laws, each a function of this package:
//
//   - pending: a state either awaits seats or has an outcome, never both; an outcome ranks every seat
//   - legal: moves are sorted, unique, non-empty exactly for awaited seats, and each can be carried out
//   - perft: a state that counts its own move sequences agrees with counting its legal moves
//   - cursor: a cursor has the same moves, goes where they lead, and comes back
//   - receiver: carrying out moves, good or bad, leaves the state they were tried on as it was
//   - refusals: nonsense, moves out of turn and illegal moves are refused with the right kind, in the right order
//   - leaving: a seat can leave once, with two sides that ends the game, and a seat that left is awaited no more
//   - draw: a draw is between the seats still in
//   - text: Parse(Position()) is the same state
//   - sealed: secret choices of a turn commute and share the turn
//   - projection: a viewer gets its own legal moves only, and a log of the same length and order
//   - secrets: a state with secrets prints and encodes as nothing, and what a viewer may not know changes nothing
//     that it sees
//   - replay: a log replays to the same match
//
// Laws do not see a wrong rule: counts of move sequences and golden games do that.
package enginetest

import (
	"encoding/hex"
	"fmt"
	"maps"
	"runtime/debug"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quatuor/engine"
)

// Hooks are facts about a game that the laws need and cannot find out by themselves.
type Hooks struct {
	// Twin returns a state and log that differ from these only in secrets hidden from v: the tiles of a hand that v does
	// not hold, the order of a bag, a choice that another seat has sealed. Variants with secrets must have it. It may
	// return its arguments where v knows everything; a hook that always does so fails the test.
	Twin func(rt *rapid.T, state engine.State, log []engine.Event, v engine.Viewer) (engine.State, []engine.Event)
}

// Run plays random games of a variant with every number of seats and every choice of the game's own options, and tests
// the laws in every state they reach. Repetition, length and agreement are drawn at random too.
func Run(t *testing.T, rules engine.Rules, hooks Hooks) {
	info := rules.Info()
	if info.Secret && hooks.Twin == nil {
		t.Fatalf("%s holds secrets: its test must give Hooks.Twin", info.ID)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // states are small and many
	for _, seats := range info.Seats {
		for _, options := range combinations(info.Options) {
			twins := 0
			t.Run(name(seats, options), func(t *testing.T) {
				rapid.Check(t, func(rt *rapid.T) {
					g := &game{rt: rt, rules: rules, info: info, hooks: hooks, twins: &twins}
					g.setup = g.drawSetup(seats, options)
					g.play()
				})
				if info.Secret && twins == 0 {
					t.Error("Hooks.Twin never gave a state that differs")
				}
			})
		}
	}
}

// combinations returns every way to choose a value for each option.
func combinations(options []engine.Option) []map[string]string {
	all := []map[string]string{{}}
	for _, o := range options {
		var longer []map[string]string
		for _, chosen := range all {
			for _, v := range o.Values {
				next := maps.Clone(chosen)
				next[o.Key] = v
				longer = append(longer, next)
			}
		}
		all = longer
	}
	return all
}

func name(seats int, options map[string]string) string {
	words := []string{fmt.Sprintf("%d seats", seats)}
	for k, v := range options {
		words = append(words, k+"="+v)
	}
	return strings.Join(words, " ")
}

// drawSetup adds random common options, and a seed where needed, to a choice of the game's own options.
func (g *game) drawSetup(seats int, own map[string]string) engine.Setup {
	options := map[string]string{
		"repetition": rapid.SampledFrom([]string{"0", "2", "3"}).Draw(g.rt, "repetition"),
		"max_plies":  rapid.SampledFrom([]string{"0", "40", "400"}).Draw(g.rt, "max_plies"),
		"draws":      rapid.SampledFrom([]string{"allowed", "forbidden"}).Draw(g.rt, "draws"),
	}
	maps.Copy(options, own)
	seed := ""
	if g.info.Secret {
		seed = hex.EncodeToString(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(g.rt, "seed"))
	}
	setup, err := engine.NewSetup(g.info, seats, seed, options)
	if err != nil {
		g.rt.Fatalf("setup refused: %v", err)
	}
	return setup
}
