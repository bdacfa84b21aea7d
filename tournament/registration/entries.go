// Package registration enters players and teams in a tournament: registrations, entries of the organiser, late entries,
// invitations to a team, withdrawals and returns.
package registration

import (
	"errors"
	"fmt"
	"slices"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/club"
	"quatuor/tournament/wording"
)

// Register adds a player's registration, to be confirmed by the organiser, while the tournament is open. Awaited
// members have to agree first (see [Agree]), unless the organiser confirms the entry for them. A player that registers
// again after withdrawing keeps the entry (see [Left]), but not the place: ErrFull if all are taken.
func Register(t *tournament.Tournament, e tournament.Entry, s tournament.Shape) (*tournament.Revision, error) {
	if t.Status != tournament.Open {
		return nil, tournament.NotNow("players can register only while the tournament is open, and it is %s", t.Status)
	}
	if e.HasBot() {
		return nil, tournament.NotValid("only the organiser enters a bot")
	}
	if t.Full() {
		return nil, tournament.Refuse(tournament.ErrFull,
			"all %d places are taken; the organiser may still enter you", t.MaxEntries)
	}
	e.Status, e.Present = tournament.Registered, false
	e.Awaiting = e.StillAwaited(e.Awaiting)
	if t.EntryIndex(e.ID) >= 0 {
		return comeBack(t, e, s)
	}
	return Enter(t, e, s)
}

// Left returns the id of the entry with these members, in their order, that has withdrawn before the start; "" for
// none.
func Left(t *tournament.Tournament, members []string) string {
	for _, e := range t.Entries {
		if len(members) > 0 && e.Status == tournament.Withdrawn && e.Number == 0 && slices.Equal(e.Members, members) {
			return e.ID
		}
	}
	return ""
}

// comeBack puts a registration in the place of the withdrawn entry with its id.
func comeBack(t *tournament.Tournament, e tournament.Entry, s tournament.Shape) (*tournament.Revision, error) {
	id := e.ID
	if id != Left(t, e.Members) {
		e.ID = "" // the place was taken by a concurrent change: judged as a new entry
	}
	begin(&e)
	if err := CheckEntry(t, &e, s); err != nil {
		return nil, err
	}
	if e.ID == "" {
		return nil, tournament.Refuse(tournament.ErrNotFound, "entry %q", id)
	}
	return t.WithEntry(e)
}

// AddEntry adds the organiser's entry, which counts as confirmed, and as checked in once the check-in has been closed.
// While a tournament runs this is possible only in formats with late entries (see [tournament.Format.Arrivals]).
func AddEntry(t *tournament.Tournament, e tournament.Entry, s tournament.Shape) (*tournament.Revision, error) {
	if t.Status != tournament.Running || !t.Format.LateEntries() {
		if err := t.BeforeStart(sentence.New("entries can be added")); err != nil {
			return nil, err
		}
	}
	e.Status = tournament.Confirmed
	e.Awaiting = nil
	e.Present = t.CheckIn == tournament.CheckInClosed || e.Bot() > 0
	return Enter(t, e, s)
}

// AddEntries adds several of the organiser's entries, all or none; see [AddEntry]. A fault names the entry.
func AddEntries(t *tournament.Tournament, list []tournament.Entry, s tournament.Shape) (*tournament.Revision, error) {
	next := &tournament.Revision{Tournament: t}
	var faults tournament.FieldErrors
	for i, e := range list {
		added, err := next.Then(AddEntry(next.Tournament, e, s))
		var fields tournament.FieldErrors
		switch {
		case errors.As(err, &fields):
			for _, f := range fields {
				faults.Add(fmt.Sprintf("entries/%d/%s", i, f.Field), "%s: %s", e.Name, f.Sentence())
			}
		case err != nil:
			return nil, err
		default:
			next = added
		}
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return next, nil
}

// begin clears the fields of an entry that come with taking part.
func begin(e *tournament.Entry) {
	e.Number = 0
	e.WithdrawnFrom = 0
	e.Byes = nil
	e.Tonight = 0
	e.Waiting = 0
}

// Enter adds an entry with its status; in a running tournament it is a late entry.
func Enter(t *tournament.Tournament, e tournament.Entry, s tournament.Shape) (*tournament.Revision, error) {
	begin(&e)
	if err := CheckEntry(t, &e, s); err != nil {
		return nil, err
	}
	if t.Status == tournament.Running {
		return arrive(t, e)
	}
	next := *t
	next.Entries = append(slices.Clone(t.Entries), e)
	return next.Wrote(tournament.Delta{Entries: []tournament.Entry{e}})
}

// CheckEntry normalises an entry's name and club, and checks them, its rating and its members: no player may play for
// two entries. An entry without members plays over the board only.
func CheckEntry(t *tournament.Tournament, e *tournament.Entry, s tournament.Shape) error {
	var faults tournament.FieldErrors
	e.Name = tournament.CleanName("name", e.Name, &faults)
	if old, known := t.Entry(e.ID); !known || old.Name != e.Name { // a deleted person's entry keeps its name
		if err := club.CheckName(e.Name); err != nil {
			faults.Add("name", "%v", err)
		}
	}
	from, err := wording.Line.Optional(e.Club, tournament.MaxNameRunes)
	if err != nil {
		faults.Add("club", "the club is not valid: %v", err)
	}
	e.Club = from
	if e.Rating < 0 || e.Rating > 5000 {
		faults.Add("rating", "%g is not a rating; write a number from 0 (unknown) to 5000", e.Rating)
	}
	t.CheckSquad(e, &faults)
	if t.Teams == nil && len(e.Members) != 0 && len(e.Members) != s.Members {
		faults.Add("members", "%d players were named, but an entry of %s has %d", len(e.Members), t.Variant, s.Members)
	}
	checkBots(t, *e, &faults)
	if e.HasBot() {
		return faults.Err()
	}
	for i, player := range e.Members {
		if player == "" || slices.Contains(e.Members[:i], player) {
			faults.Add("members", "every member must be a different player")
		}
		for _, other := range t.Entries {
			if other.ID != e.ID && other.Plays(player) {
				faults.Add("members", "player %s is in the tournament already, as %s", player, other.Name)
			}
		}
	}
	return faults.Err()
}

// UpdateEntry replaces an entry's name, club, rating and members. After the start the members cannot change, but an
// entry without any may get them. If the rating changes while numbers are not fixed yet (see
// [tournament.Tournament.NumbersFixed]), the entries are renumbered.
func UpdateEntry(t *tournament.Tournament, e tournament.Entry, s tournament.Shape) (*tournament.Revision, error) {
	old, err := t.FindEntry(e.ID)
	if err != nil {
		return nil, err
	}
	switch {
	case t.Status == tournament.Archived:
		return nil, tournament.InArchive()
	case t.Teams == nil && t.Started() && !slices.Equal(e.Members, old.Members) && !binds(t, old, e):
		return nil, tournament.NotNow("the members cannot change after the start; name, club and rating can")
	}
	if t.Teams != nil {
		if err := squadOpen(t, old, e); err != nil {
			return nil, err
		}
	}
	if (e.HasBot() || old.HasBot()) && !slices.Equal(e.Members, old.Members) {
		return nil, tournament.NotValid(
			"a bot and a player cannot take each other’s place in an entry; add another entry, and remove this one")
	}
	e.Number = old.Number
	e.Status = old.Status
	e.WithdrawnFrom = old.WithdrawnFrom
	e.Byes = old.Byes
	e.Present = old.Present
	e.Tonight = old.Tonight
	e.Waiting = old.Waiting
	e.Awaiting = e.StillAwaited(old.Awaiting)
	if err := CheckEntry(t, &e, s); err != nil {
		return nil, err
	}
	next, err := t.WithEntry(e)
	if e.Number > 0 && e.Rating != old.Rating && !t.NumbersFixed() {
		next = reseed(t, e)
	}
	if err == nil && binds(t, old, e) {
		next = bound(next, e.ID)
	}
	return next, err
}

// ConfirmEntry accepts a registration. Members of a team need not agree any more.
func ConfirmEntry(t *tournament.Tournament, id string) (*tournament.Revision, error) {
	if err := t.BeforeStart(sentence.New("registrations are confirmed")); err != nil {
		return nil, err
	}
	e, err := t.FindEntry(id)
	if err != nil {
		return nil, err
	}
	switch e.Status {
	case tournament.Confirmed:
		return t.Unchanged()
	case tournament.Withdrawn:
		return nil, tournament.NotNow("%s has withdrawn; reinstate the entry first", e.Name)
	}
	e.Status = tournament.Confirmed
	if e.Waits() {
		e.Awaiting = nil
		if err := CheckEntry(t, &e, tournament.Shape{Members: len(e.Members)}); err != nil {
			return nil, err
		}
	}
	return t.WithEntry(e)
}

// RemoveEntry deletes an entry before the start.
func RemoveEntry(t *tournament.Tournament, id string) (*tournament.Revision, error) {
	if err := t.BeforeStart(sentence.New("entries can be removed (afterwards they withdraw)")); err != nil {
		return nil, err
	}
	if _, err := t.FindEntry(id); err != nil {
		return nil, err
	}
	next := *t
	next.Entries = slices.DeleteFunc(slices.Clone(t.Entries), func(e tournament.Entry) bool { return e.ID == id })
	next.Forbidden = nil
	next.Bonuses = tournament.OrNil(slices.DeleteFunc(slices.Clone(t.Bonuses),
		func(b tournament.Bonus) bool { return b.Entry == id }))
	for _, b := range t.Forbidden {
		b.Entries = slices.DeleteFunc(slices.Clone(b.Entries), func(other string) bool { return other == id })
		if len(b.Entries) > 1 {
			next.Forbidden = append(next.Forbidden, b)
		}
	}
	return next.Wrote(tournament.Delta{RemovedEntry: []string{id}})
}

// squadOpen returns an error if a team may not change to these members: they may be added until the squads close.
func squadOpen(t *tournament.Tournament, old, e tournament.Entry) error {
	switch n := len(old.Members); {
	case !t.Started() || slices.Equal(old.Members, e.Members):
		return nil
	case len(e.Members) < n || !slices.Equal(e.Members[:n], old.Members):
		return tournament.NotNow("after the start members can be added to a squad, at its end, and none can leave it")
	case len(t.Rounds) >= t.Teams.SquadsClose:
		return tournament.NotNow("the squads are closed (teams.squads_close); captain, name and club can change")
	}
	return nil
}
