package tournament

import (
	"slices"
)

// Waits reports whether members of the team have yet to agree to be in it. A waiting entry does not take part: it gets
// no number at the start, and counts as withdrawn from then on.
func (e Entry) Waits() bool { return len(e.Awaiting) > 0 }

// takesPart reports whether an entry is in the field if the tournament starts now.
func (e Entry) takesPart() bool { return e.Status != Withdrawn && !e.Waits() }

// Plays reports whether a player plays for the entry. A member yet to agree does not, and may play for another entry.
func (e Entry) Plays(player string) bool {
	return e.Status != Withdrawn && e.agreed(player)
}

// agreed reports whether a player is a member and has agreed to it.
func (e Entry) agreed(player string) bool {
	return slices.Contains(e.Members, player) && !slices.Contains(e.Awaiting, player)
}
