// Package organise is the page for creating tournaments and importing them from a file, and the form of their settings,
// which the desk has too.
package organise

import "quatuor/api/pages/kit"

// Pages are the pages for new tournaments.
type Pages struct{ *kit.Kit }

// New returns the pages for new tournaments.
func New(k *kit.Kit) *Pages { return &Pages{k} }
