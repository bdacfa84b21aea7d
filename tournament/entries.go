package tournament

import (
	"errors"
	"fmt"
	"slices"

	"quatuor/engine/sentence"
	"quatuor/tournament/club"
	"quatuor/tournament/wording"
)

// Register adds a player's registration, to be confirmed by the organiser, while the tournament is open. Awaited
// members have to agree first (see [Tournament.Agree]), unless the organiser confirms the entry for them. A player
// that registers again after withdrawing keeps the entry (see [Tournament.Left]), but not the place: ErrFull if all
// are taken.
func (t *Tournament) Register(e Entry, s Shape) (*Tournament, Delta, error) {
	if t.Status != Open {
		return nil, Delta{}, Refuse(ErrState, "players can register only while the tournament is open, and it is %s",
			t.Status)
	}
	if e.hasBot() {
		return nil, Delta{}, Refuse(ErrInvalid, "only the organiser enters a bot")
	}
	if t.Full() {
		return nil, Delta{}, Refuse(ErrFull, "all %d places are taken; the organiser may still enter you", t.MaxEntries)
	}
	e.Status, e.Present = Registered, false
	e.Awaiting = e.stillAwaited(e.Awaiting)
	if i, err := t.entryIndex(e.ID); err == nil {
		return t.comeBack(i, e, s)
	}
	return t.enter(e, s)
}

// Left returns the id of the entry with these members, in their order, that has withdrawn before the start; "" for
// none.
func (t *Tournament) Left(members []string) string {
	for _, e := range t.Entries {
		if len(members) > 0 && e.Status == Withdrawn && e.Number == 0 && slices.Equal(e.Members, members) {
			return e.ID
		}
	}
	return ""
}

// comeBack puts a registration in the place of the withdrawn entry with its id.
func (t *Tournament) comeBack(i int, e Entry, s Shape) (*Tournament, Delta, error) {
	if e.ID != t.Left(e.Members) {
		e.ID = "" // the place was taken by a concurrent change: judged as one more entry
	}
	e.Number, e.WithdrawnFrom, e.Byes, e.Tonight, e.Waiting = 0, 0, nil, 0, 0
	if err := t.checkEntry(&e, s); err != nil {
		return nil, Delta{}, err
	}
	if e.ID == "" {
		return nil, Delta{}, Refuse(ErrNotFound, "entry %q", t.Entries[i].ID)
	}
	return t.withEntry(i, e)
}

// AddEntry adds the organiser's entry, which counts as confirmed, and as checked in once the check-in has been closed.
// While a tournament runs this is possible only in formats with late entries (see [Format.Arrivals]).
func (t *Tournament) AddEntry(e Entry, s Shape) (*Tournament, Delta, error) {
	if t.Status != Running || !t.Format.LateEntries() {
		if err := t.before(sentence.New("entries can be added")); err != nil {
			return nil, Delta{}, err
		}
	}
	e.Status, e.Awaiting, e.Present = Confirmed, nil, t.CheckIn == CheckInClosed || e.Bot() > 0
	return t.enter(e, s)
}

// AddEntries adds several of the organiser's entries, all or none; see [Tournament.AddEntry]. A fault names the entry.
func (t *Tournament) AddEntries(list []Entry, s Shape) (*Tournament, Delta, error) {
	next, delta := t, Delta{}
	var faults FieldErrors
	for i, e := range list {
		added, more, err := next.AddEntry(e, s)
		var fields FieldErrors
		switch {
		case errors.As(err, &fields):
			for _, f := range fields {
				faults.add(fmt.Sprintf("entries/%d/%s", i, f.Field), "%s: %s", e.Name, f.Sentence())
			}
		case err != nil:
			return nil, Delta{}, err
		default:
			next, delta = added, delta.Then(more)
		}
	}
	if len(faults) > 0 {
		return nil, Delta{}, faults
	}
	return next, delta, nil
}

func (t *Tournament) enter(e Entry, s Shape) (*Tournament, Delta, error) {
	e.Number, e.WithdrawnFrom, e.Byes, e.Tonight, e.Waiting = 0, 0, nil, 0, 0
	if err := t.checkEntry(&e, s); err != nil {
		return nil, Delta{}, err
	}
	if t.Status == Running {
		return t.arrive(e)
	}
	next := *t
	next.Entries = append(slices.Clone(t.Entries), e)
	return &next, Delta{Entries: []Entry{e}}, nil
}

// checkEntry normalises an entry's name and club, and checks them, its rating and its members: a player may play for
// one entry. An entry without members plays over the board only.
func (t *Tournament) checkEntry(e *Entry, s Shape) error {
	var faults FieldErrors
	e.Name = cleanName("name", e.Name, &faults)
	if old, known := t.Entry(e.ID); !known || old.Name != e.Name { // a deleted person's entry keeps its name
		if err := club.CheckName(e.Name); err != nil {
			faults.add("name", "%v", err)
		}
	}
	from, err := wording.Line.Optional(e.Club, maxNameRunes)
	if err != nil {
		faults.add("club", "the club is not valid: %v", err)
	}
	e.Club = from
	if e.Rating < 0 || e.Rating > 5000 {
		faults.add("rating", "%g is not a rating; write a number from 0 (unknown) to 5000", e.Rating)
	}
	if t.checkSquad(e, &faults); t.Teams == nil && len(e.Members) != 0 && len(e.Members) != s.Members {
		faults.add("members", "%d players were named, but an entry of %s has %d", len(e.Members), t.Variant,
			s.Members)
	}
	if t.checkBots(*e, &faults); e.hasBot() {
		return faults.or()
	}
	for i, player := range e.Members {
		if player == "" || slices.Contains(e.Members[:i], player) {
			faults.add("members", "every member must be a different player")
		}
		for _, other := range t.Entries {
			if other.ID != e.ID && other.plays(player) {
				faults.add("members", "player %s is in the tournament already, as %s", player, other.Name)
			}
		}
	}
	return faults.or()
}

// UpdateEntry replaces an entry's name, club, rating and members. After the start the members
// cannot change, but an entry without any may get them. If the
// rating changes while numbers are not fixed yet (see [Tournament.NumbersFixed]), the entries are renumbered.
func (t *Tournament) UpdateEntry(e Entry, s Shape) (*Tournament, Delta, error) {
	i, err := t.entryIndex(e.ID)
	if err != nil {
		return nil, Delta{}, err
	}
	old := t.Entries[i]
	switch {
	case t.Status == Archived:
		return nil, Delta{}, Refuse(ErrState, "the tournament is archived and can no longer change")
	case t.Teams == nil && t.started() && !slices.Equal(e.Members, old.Members) && !t.binds(old, e):
		return nil, Delta{}, Refuse(ErrState, "the members cannot change after the start; name, club and rating can")
	}
	if t.Teams != nil {
		if err := t.squadOpen(old, e); err != nil {
			return nil, Delta{}, err
		}
	}
	if (e.hasBot() || old.hasBot()) && !slices.Equal(e.Members, old.Members) {
		return nil, Delta{}, Refuse(ErrInvalid,
			"a bot and a player cannot take each other’s place in an entry; add another entry, and remove this one")
	}
	e.Number, e.Status, e.WithdrawnFrom, e.Byes = old.Number, old.Status, old.WithdrawnFrom, old.Byes
	e.Present, e.Tonight, e.Waiting, e.Awaiting = old.Present, old.Tonight, old.Waiting, e.stillAwaited(old.Awaiting)
	if err := t.checkEntry(&e, s); err != nil {
		return nil, Delta{}, err
	}
	next, delta, err := t.withEntry(i, e)
	if e.Number > 0 && e.Rating != old.Rating && !t.NumbersFixed() {
		next, delta = t.reseed(e)
	}
	if err == nil && t.binds(old, e) {
		next, delta = next.bound(e.ID, delta)
	}
	return next, delta, err
}

// stillAwaited returns the awaited players that are members; nil for none.
func (e Entry) stillAwaited(awaiting []string) []string {
	return orNil(slices.DeleteFunc(slices.Clone(awaiting), func(p string) bool { return !slices.Contains(e.Members, p) }))
}

// ConfirmEntry accepts a registration. Members of a team need not agree any more.
func (t *Tournament) ConfirmEntry(id string) (*Tournament, Delta, error) {
	if err := t.before(sentence.New("registrations are confirmed")); err != nil {
		return nil, Delta{}, err
	}
	i, err := t.entryIndex(id)
	if err != nil {
		return nil, Delta{}, err
	}
	e := t.Entries[i]
	switch e.Status {
	case Confirmed:
		return t, Delta{}, nil
	case Withdrawn:
		return nil, Delta{}, Refuse(ErrState, "%s has withdrawn; reinstate the entry first", e.Name)
	}
	e.Status = Confirmed
	if e.Waits() {
		e.Awaiting = nil
		if err := t.checkEntry(&e, Shape{Members: len(e.Members)}); err != nil {
			return nil, Delta{}, err
		}
	}
	return t.withEntry(i, e)
}

// RemoveEntry deletes an entry before the start.
func (t *Tournament) RemoveEntry(id string) (*Tournament, Delta, error) {
	if err := t.before(sentence.New("entries can be removed (afterwards they withdraw)")); err != nil {
		return nil, Delta{}, err
	}
	i, err := t.entryIndex(id)
	if err != nil {
		return nil, Delta{}, err
	}
	next := *t
	next.Entries = slices.Delete(slices.Clone(t.Entries), i, i+1)
	next.Forbidden = nil
	next.Bonuses = orNil(slices.DeleteFunc(slices.Clone(t.Bonuses), func(b Bonus) bool { return b.Entry == id }))
	for _, b := range t.Forbidden {
		b.Entries = slices.DeleteFunc(slices.Clone(b.Entries), func(other string) bool { return other == id })
		if len(b.Entries) > 1 {
			next.Forbidden = append(next.Forbidden, b)
		}
	}
	return &next, Delta{RemovedEntry: []string{id}}, nil
}

// Entry returns the entry with this id.
func (t *Tournament) Entry(id string) (Entry, bool) {
	i, err := t.entryIndex(id)
	if err != nil {
		return Entry{}, false
	}
	return t.Entries[i], true
}

// Numbered returns the entries with a pairing number, in its order: number n at index n−1.
func (t *Tournament) Numbered() []Entry {
	out := slices.DeleteFunc(slices.Clone(t.Entries), func(e Entry) bool { return e.Number == 0 })
	slices.SortFunc(out, func(a, b Entry) int { return a.Number - b.Number })
	return out
}

func (t *Tournament) entryIndex(id string) (int, error) {
	i := slices.IndexFunc(t.Entries, func(e Entry) bool { return e.ID == id })
	if i < 0 {
		return 0, Refuse(ErrNotFound, "entry %q", id)
	}
	return i, nil
}

func (t *Tournament) withEntry(i int, e Entry) (*Tournament, Delta, error) {
	next := *t
	next.Entries = slices.Clone(t.Entries)
	next.Entries[i] = e
	return &next, Delta{Entries: []Entry{e}}, nil
}
