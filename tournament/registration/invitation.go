package registration

import (
	"slices"

	"quatuor/engine/sentence"
	"quatuor/tournament"
)

// Agree notes that a player agrees to be a member of a team that another member entered. It is idempotent.
func Agree(t *tournament.Tournament, id, player string) (*tournament.Revision, error) {
	e, err := invited(t, id, player)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(e.Awaiting, player) {
		return t.Unchanged()
	}
	if e.Status == tournament.Withdrawn {
		return nil, tournament.NotNow("%s has been withdrawn; enter the team again, or ask the organiser to take it back",
			e.Name)
	}
	for _, other := range t.Entries {
		if other.ID != id && other.Plays(player) {
			return nil, tournament.NotNow("you are in the tournament already, as %s; withdraw there first", other.Name)
		}
	}
	e.Awaiting = tournament.OrNil(slices.DeleteFunc(slices.Clone(e.Awaiting), func(p string) bool { return p == player }))
	return t.WithEntry(e)
}

// Decline notes that a player does not want to be a member of a team that another member entered. The entry is
// withdrawn because it lacks a member.
func Decline(t *tournament.Tournament, id, player string) (*tournament.Revision, error) {
	e, err := invited(t, id, player)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(e.Awaiting, player) {
		return nil, tournament.NotNow("you have agreed to be in %s; withdraw the entry instead", e.Name)
	}
	if e.Status == tournament.Withdrawn {
		return t.Unchanged()
	}
	e.Status = tournament.Withdrawn
	return t.WithEntry(e)
}

// invited returns an entry that invited a player as a member, and refuses others; answers are possible before the start
// only.
func invited(t *tournament.Tournament, id, player string) (tournament.Entry, error) {
	e, err := t.EntryOf(id, player)
	if err == nil {
		err = t.BeforeStart(sentence.New("members agree to be in a team"))
	}
	return e, err
}
