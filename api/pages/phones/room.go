// Package phones is the pages behind the codes on slips: players report results and call the arbiter from their own
// phones.
package phones

import (
	"quatuor/api/pages/kit"
	"quatuor/api/pages/tournaments"
)

// Pages are the pages of codes.
type Pages struct {
	*kit.Kit
	tournaments *tournaments.Pages
}

// New returns the pages of codes.
func New(k *kit.Kit, events *tournaments.Pages) *Pages { return &Pages{k, events} }
