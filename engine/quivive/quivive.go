// Package quivive holds the rules of Quivive.
package quivive

import "quatuor/engine"

// rules are one variant of Quivive.
type rules struct{ info engine.Info }

// Variants lists quivive/duel, quivive/melee and quivive/teams.
func Variants() []engine.Rules {
	stuck := []engine.Option{{Key: "stuck", Values: []string{"removed", "kept"}}}
	return []engine.Rules{
		&rules{engine.Info{ID: "quivive/duel", Seats: []int{2}, Sides: 2, Options: stuck, Endless: true}},
		&rules{engine.Info{ID: "quivive/melee", Seats: []int{3, 4, 5}, Endless: true}},
		&rules{engine.Info{ID: "quivive/teams", Seats: []int{4}, Sides: 2, Options: stuck, Endless: true}},
	}
}

// Info describes the variant.
func (r *rules) Info() engine.Info { return r.info }

// Start is not there yet.
func (r *rules) Start(engine.Setup) (engine.State, error) {
	return nil, engine.Refuse(engine.ErrSetup, "%s is not there yet", r.info.ID)
}

// Parse is not there yet.
func (r *rules) Parse(engine.Setup, string) (engine.State, error) {
	return nil, engine.Refuse(engine.ErrSetup, "%s is not there yet", r.info.ID)
}
