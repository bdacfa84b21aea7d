// Package catalog is the registry of the games that the program knows: their variants, by id, and their faces.
package catalog

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"quatuor/engine"
	"quatuor/engine/face"
	"quatuor/engine/quits"
	quitsface "quatuor/engine/quits/face"
	"quatuor/engine/quivive"
	quiviveface "quatuor/engine/quivive/face"
	"quatuor/engine/quiwin"
	quiwinface "quatuor/engine/quiwin/face"
	"quatuor/engine/quixo"
	quixoface "quatuor/engine/quixo/face"
)

// ErrUnknownVariant means that no variant has the requested id; the message lists the known variants.
var ErrUnknownVariant = errors.New("unknown variant")

// game is a game with its outside.
type game struct {
	name string // for example "quixo"
	face face.Face
}

var (
	all   []engine.Rules
	games []game
)

func init() {
	Add(quixoface.Face, quixo.Variants()...)
	Add(quitsface.Face, quits.Variants()...)
	Add(quiviveface.Face, quivive.Variants()...)
	Add(quiwinface.Face, quiwin.Variants()...)
}

// Add registers a game: its face and its variants. It must be called before anything is served, and panics at an id
// that is listed already.
func Add(f face.Face, variants ...engine.Rules) {
	for _, rules := range variants {
		if id := rules.Info().ID; slices.Contains(IDs(), id) {
			panic("catalog: " + id + " is listed twice")
		}
		all = append(all, rules)
	}
	games = append(games, game{variants[0].Info().Family(), f})
}

// Games returns the names of the games, for example "quixo", in the order of the rules page.
func Games() []string {
	names := make([]string, len(games))
	for i, g := range games {
		names[i] = g.name
	}
	return names
}

// FaceOf returns the face of the game of a variant ("quixo/duel") or of a name ("quixo"); that of a game that is not
// listed shows positions as texts.
func FaceOf(id string) face.Face {
	family, _, _ := strings.Cut(id, "/")
	for _, g := range games {
		if g.name == family {
			return g.face
		}
	}
	return face.Plain{}
}

// All returns every variant, the games in the order of the rules page.
func All() []engine.Rules { return slices.Clone(all) }

// Find returns the variant with an id, for example "quixo/duel". Errors wrap [ErrUnknownVariant].
func Find(id string) (engine.Rules, error) {
	for _, rules := range all {
		if rules.Info().ID == id {
			return rules, nil
		}
	}
	return nil, fmt.Errorf("%w %q; there are %s", ErrUnknownVariant, engine.Clip(id), strings.Join(IDs(), ", "))
}

// IDs returns the ids of all variants, in the order of [All].
func IDs() []string {
	ids := make([]string, len(all))
	for i, rules := range all {
		ids[i] = rules.Info().ID
	}
	return ids
}
