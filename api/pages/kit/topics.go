package kit

import (
	"quatuor/api/auth"
	"quatuor/api/stream"
)

// TopicsOf are the topics of a visitor's own things, and others.
func TopicsOf(who auth.Identity, others ...string) []string {
	if who.PlayerID != "" {
		others = append(others, stream.OfPlayer(who.PlayerID))
	}
	return others
}
