// Package organise is the page for creating tournaments and importing them from a file, and the form of their settings,
// which the desk has too.
package organise

import (
	"quatuor/api/pages/kit"
	"quatuor/api/pages/tournaments"
)

// Pages are the pages for new tournaments.
type Pages struct {
	*kit.Kit
	tournaments *tournaments.Pages
}

// New returns the pages for new tournaments.
func New(k *kit.Kit, events *tournaments.Pages) *Pages { return &Pages{k, events} }
