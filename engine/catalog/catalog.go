// Package catalog is the registry of the variants that the program knows, by id.
package catalog

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"quatuor/engine"
	"quatuor/engine/quits"
	"quatuor/engine/quivive"
	"quatuor/engine/quiwin"
	"quatuor/engine/quixo"
)

// ErrUnknownVariant means that no variant has the requested id; the message lists the known ones.
var ErrUnknownVariant = errors.New("unknown variant")

var all = slices.Concat(quixo.Variants(), quits.Variants(), quivive.Variants(), quiwin.Variants())

// Add registers variants beside the program's own. It must be called before anything is served, and panics at an id that
// is listed already.
func Add(rules ...engine.Rules) {
	for _, r := range rules {
		if id := r.Info().ID; slices.Contains(IDs(), id) {
			panic("catalog: " + id + " is listed twice")
		}
		all = append(all, r)
	}
}

// All returns every variant, the games in the order of the rules page.
func All() []engine.Rules { return slices.Clone(all) }

// Find returns the variant with an id such as "quixo/duel". Errors wrap [ErrUnknownVariant].
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
