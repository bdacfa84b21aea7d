package tournament

import (
	"slices"

	"quatuor/engine/sentence"
)

// Waits reports whether members of the team have yet to agree to be in it. Such an entry does not take part: it gets no
// number at the start, and counts as withdrawn from then on.
func (e Entry) Waits() bool { return len(e.Awaiting) > 0 }

// takesPart reports whether an entry is in the field if the tournament starts now.
func (e Entry) takesPart() bool { return e.Status != Withdrawn && !e.Waits() }

// plays reports whether a player plays for the entry. A member yet to agree does not, and may play for another.
func (e Entry) plays(player string) bool {
	return e.Status != Withdrawn && e.agreed(player)
}

// agreed reports whether a player is a member who has agreed to be one.
func (e Entry) agreed(player string) bool {
	return slices.Contains(e.Members, player) && !slices.Contains(e.Awaiting, player)
}

// Agree notes that a player agrees to be a member of a team that another member entered. It is idempotent.
func (t *Tournament) Agree(id, player string) (*Tournament, Delta, error) {
	i, err := t.invited(id, player)
	if err != nil {
		return nil, Delta{}, err
	}
	e := t.Entries[i]
	if !slices.Contains(e.Awaiting, player) {
		return t, Delta{}, nil
	}
	if e.Status == Withdrawn {
		return nil, Delta{}, Refuse(ErrState,
			"%s has been withdrawn; enter the team again, or ask the organiser to take it back", e.Name)
	}
	for _, other := range t.Entries {
		if other.ID != id && other.plays(player) {
			return nil, Delta{}, Refuse(ErrState, "you are in the tournament already, as %s; withdraw there first", other.Name)
		}
	}
	e.Awaiting = orNil(slices.DeleteFunc(slices.Clone(e.Awaiting), func(p string) bool { return p == player }))
	return t.withEntry(i, e)
}

// Decline notes that a player does not want to be a member of a team that another member entered. The entry is
// withdrawn because it lacks a member.
func (t *Tournament) Decline(id, player string) (*Tournament, Delta, error) {
	i, err := t.invited(id, player)
	if err != nil {
		return nil, Delta{}, err
	}
	e := t.Entries[i]
	if !slices.Contains(e.Awaiting, player) {
		return nil, Delta{}, Refuse(ErrState, "you have agreed to be in %s; withdraw the entry instead", e.Name)
	}
	if e.Status == Withdrawn {
		return t, Delta{}, nil
	}
	e.Status = Withdrawn
	return t.withEntry(i, e)
}

// invited returns the index of the entry of which a player agrees or declines to be a member.
func (t *Tournament) invited(id, player string) (int, error) {
	i, err := t.entryIndex(id)
	if err != nil {
		return 0, err
	}
	if !slices.Contains(t.Entries[i].Members, player) {
		return 0, Refuse(ErrInvalid, "you are not a member of %s", t.Entries[i].Name)
	}
	return i, t.before(sentence.New("members agree to be in a team"))
}
