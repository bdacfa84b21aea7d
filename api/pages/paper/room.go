// Package paper is what leaves the service: sheets to print, pictures, frames on other sites, and files for a site without a server.
package paper

import (
	"quatuor/api/pages/kit"
	"quatuor/api/pages/tournaments"
)

// Pages are what leaves the service.
type Pages struct {
	*kit.Kit
	tournaments *tournaments.Pages
}

// New returns the pages.
func New(k *kit.Kit, events *tournaments.Pages) *Pages { return &Pages{k, events} }
