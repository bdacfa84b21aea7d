// Package quiwin holds the rules of Qui'win.
package quiwin

import "quatuor/engine"

// rules are one variant of Qui'win.
type rules struct{ info engine.Info }

// Variants lists quiwin/duel.
func Variants() []engine.Rules {
	return []engine.Rules{
		&rules{engine.Info{ID: "quiwin/duel", Seats: []int{2}, Sides: 2, Secret: true, SeatPrefix: true}},
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
