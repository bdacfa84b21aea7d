package tournament

import (
	"reflect"
	"slices"
)

// Public returns the public view of the tournament: without a draft round, forbidden pairings, arbiters, members yet to
// agree, the check-in, and dates that are only proposed for matches. Version is the public version, which counts public
// changes only, so that everything computed from the view is a function of what is public. Public does not check
// whether the tournament itself is public; see [Draft]. LotSeed stays, because standings need it; pages show it at the
// end only.
func (t *Tournament) Public() *Tournament { return t.PublicTo("") }

// PublicTo is Public for a player: members of an entry see which of them have not yet agreed to be in it, and whether
// it is checked in; players inside a team of a match see the dates that are proposed for it.
func (t *Tournament) PublicTo(player string) *Tournament {
	p := *t
	p.Version = t.PublicVersion
	p.Forbidden = nil
	p.Arbiters = nil
	own := func(e Entry) bool { return player != "" && slices.Contains(e.Members, player) }
	if n := t.PublishedRounds(); n < len(t.Rounds) {
		p.Rounds = OrNil(t.Rounds[:n:n])
	}
	hidden := func(e Entry) bool { return (len(e.Awaiting) > 0 || e.Present || e.Tonight > 0) && !own(e) }
	if slices.ContainsFunc(t.Entries, hidden) {
		p.Entries = slices.Clone(t.Entries)
		for i := range p.Entries {
			if hidden(p.Entries[i]) {
				p.Entries[i].Awaiting = nil
				p.Entries[i].Present = false
				p.Entries[i].Tonight = 0
			}
		}
	}
	p.hideProposals(player)
	return &p
}

// hideProposals removes the proposed dates of matches, except of those that a player's team plays. It copies what it
// changes.
func (t *Tournament) hideProposals(player string) {
	if !t.Dated() {
		return
	}
	hidden := func(p Pairing) bool {
		return p.Date != nil && p.Date.Proposed != [2]int64{} && !t.InsideMatch(p, player)
	}
	cloned := false
	for i, r := range t.Rounds {
		if !slices.ContainsFunc(r.Pairings, hidden) {
			continue
		}
		if !cloned {
			t.Rounds, cloned = slices.Clone(t.Rounds), true
		}
		pairings := slices.Clone(r.Pairings)
		for k := range pairings {
			if hidden(pairings[k]) {
				pairings[k].Date = pairings[k].Date.settled()
			}
		}
		t.Rounds[i].Pairings = pairings
	}
}

// OrNil returns the list, or nil for an empty list.
func OrNil[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}

// Succeed sets the versions of r and its acts to those that follow before. The public version is incremented only if the
// public can see a difference, which it never can in a draft. A change that not even staff can see leaves both versions
// as they are.
func (r *Revision) Succeed(before *Tournament) {
	r.Version, r.PublicVersion = before.Version, before.PublicVersion
	if !r.Delta.Unseen {
		r.Version++
	}
	if !r.Delta.Unseen && r.differsInPublic(before, r.Delta) {
		r.PublicVersion++
	}
	for i := range r.Delta.Acts {
		r.Delta.Acts[i].Version = r.Version
	}
}

func (t *Tournament) differsInPublic(before *Tournament, d Delta) bool {
	if t.Status == Draft || before.Status == Draft {
		return t.Status != before.Status
	}
	if len(t.PublicChanges(d.Changes)) > 0 {
		return true
	}
	one, other := t.Public(), before.Public()
	one.Version = 0
	one.PublicVersion = 0
	other.Version = 0
	other.PublicVersion = 0
	return !alike(reflect.ValueOf(*one), reflect.ValueOf(*other))
}

// alike is reflect.DeepEqual for plain data, except that an empty list or map is like none at all: which of the two a
// value has depends on the way it took through the store.
func alike(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return a.Pointer() == b.Pointer() || alike(a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			if !alike(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := 0; i < a.Len() && a.Pointer() != b.Pointer(); i++ {
			if !alike(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		for _, key := range a.MapKeys() {
			if value := b.MapIndex(key); !value.IsValid() || !alike(a.MapIndex(key), value) {
				return false
			}
		}
		return a.Len() == b.Len()
	}
	return a.Equal(b)
}
