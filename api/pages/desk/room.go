// Package desk is the desk of a tournament, where organisers and arbiters run it.
package desk

import (
	"quatuor/api/pages/arbiter"
	"quatuor/api/pages/history"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/phones"
)

// Pages are the pages of the desk.
type Pages struct {
	*kit.Kit
	games   *arbiter.Pages
	history *history.Pages
	phones  *phones.Pages
}

// New returns the pages of the desk.
func New(k *kit.Kit, games *arbiter.Pages, acts *history.Pages, codes *phones.Pages) *Pages {
	return &Pages{k, games, acts, codes}
}
