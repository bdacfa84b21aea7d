// Package phones is the pages behind the codes on slips: players report results and call the arbiter from their own
// phones.
package phones

import "quatuor/api/pages/kit"

// Pages are the pages of codes.
type Pages struct{ *kit.Kit }

// New returns the pages of codes.
func New(k *kit.Kit) *Pages { return &Pages{k} }
