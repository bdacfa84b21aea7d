package tournament

import (
	"cmp"
	"encoding/hex"
	"slices"
	"strings"

	"quatuor/engine/sentence"
)

// Open lets players register.
func (t *Tournament) Open() (*Revision, error) {
	if t.Status == Open {
		return t.Unchanged()
	}
	if err := t.BeforeStart(sentence.New("a tournament can be opened")); err != nil {
		return nil, err
	}
	return t.in(Open)
}

// Close ends the registration.
func (t *Tournament) Close() (*Revision, error) {
	if t.Status == Closed {
		return t.Unchanged()
	}
	if err := t.BeforeStart(sentence.New("the registration can be closed")); err != nil {
		return nil, err
	}
	return t.in(Closed)
}

// Start fixes the field and its numbers: by rating, highest first, then by name, then in the order of registration. All
// registered entries that have not withdrawn take part, except teams that wait for members to agree (see
// [Entry.Waits]). rounds is the number of rounds, seed 64 hex digits from which every drawing of lots can be repeated;
// if an earlier start was undone its seed stays, so that lots cannot be drawn again until they please.
func (t *Tournament) Start(rounds int, seed string, at int64) (*Revision, error) {
	return t.StartDrawn(nil, rounds, seed, at)
}

// Taking returns the entries that take part if the tournament starts now.
func (t *Tournament) Taking() []Entry {
	return slices.DeleteFunc(slices.Clone(t.Entries), func(e Entry) bool { return !t.takes(e) })
}

// StartDrawn is Start with numbers that were drawn by lot, by entry id; with nil they follow the ratings. They must be
// 1 to the number of entries that take part (see [Tournament.Taking]), each once.
func (t *Tournament) StartDrawn(numbers map[string]int, rounds int, seed string, at int64) (*Revision, error) {
	if err := t.BeforeStart(sentence.New("a tournament can be started")); err != nil {
		return nil, err
	}
	if raw, err := hex.DecodeString(seed); err != nil || len(raw) != 32 {
		return nil, NotValid("the seed for drawing lots must be 64 hex digits")
	}
	if err := t.checkedIn(); err != nil {
		return nil, err
	}
	if t.Field() < 2 && !t.Format.Continuous() {
		return nil, NotValid("a tournament needs at least 2 entries, and there are %d", t.Field())
	}
	if rounds < 1 && !t.Format.ByEvenings() {
		return nil, NotValid("a tournament needs at least one round")
	}
	seed = cmp.Or(t.LotSeed, seed)
	next := *t
	next.Entries = t.initialOrder(numbers)
	next.Status = Running
	next.RoundCount = rounds
	next.LotSeed = seed
	next.StartedAt = at
	next.EarlierSeats = false
	if t.Format.DrawsColour() {
		next.FirstColour = cmp.Or(t.Rules.InitialColour, DrawColour(seed))
	}
	if t.Rules.Acceleration == Baku {
		next.LastOfA = next.lastOfA()
	}
	if system := Systems[t.Format]; system != nil {
		return next.Wrote(system.Begin(&next, at))
	}
	return next.Wrote(Delta{Entries: next.Entries})
}

// Field returns the number of entries that take part if the tournament starts now.
func (t *Tournament) Field() int { return len(t.Taking()) }

// initialOrder returns the entries that take part in the order of their numbers, then the withdrawn entries without a
// number. Entries that take no part, such as teams with members that have not agreed, are withdrawn.
func (t *Tournament) initialOrder(drawn map[string]int) []Entry {
	order := func(e Entry) int {
		if t.takes(e) {
			return 0
		}
		return 1
	}
	out := slices.Clone(t.Entries)
	slices.SortStableFunc(out, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(order(a), order(b)), cmp.Compare(drawn[a.ID], drawn[b.ID]), BySeed(a, b))
	})
	for i := range out {
		if !t.takes(out[i]) {
			out[i].Number, out[i].Status = 0, Withdrawn
			continue
		}
		out[i].Number, out[i].Status = i+1, Confirmed
	}
	return out
}

// BySeed compares entries by the initial order: rating, then name.
func BySeed(a, b Entry) int {
	return cmp.Or(cmp.Compare(b.Rating, a.Rating), cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)))
}

// Finish ends a tournament; all rounds must have been played.
func (t *Tournament) Finish(at int64) (*Revision, error) {
	switch {
	case t.Status == Finished:
		return t.Unchanged()
	case t.Status != Running:
		return nil, NotNow("only a running tournament can be finished, and this one is %s", t.Status)
	case len(t.Rounds) < t.RoundCount && !t.over() && !t.Format.ByEvenings():
		return nil, NotNow("only %d of %d rounds have been paired; play the others first", len(t.Rounds), t.RoundCount)
	}
	for _, r := range t.Rounds {
		if err := r.missing(); err != nil {
			return nil, err
		}
	}
	next, err := t.With(func(next *Tournament) { next.Status, next.FinishedAt = Finished, at })
	if err == nil && t.Format.Continuous() {
		next.Rounds = slices.Clone(t.Rounds)
		next.Rounds[0].Status = Complete
		next.Delta.Rounds = next.Rounds
	}
	return next, err
}

// Archive archives a finished tournament; it cannot change any more.
func (t *Tournament) Archive() (*Revision, error) {
	switch t.Status {
	case Archived:
		return t.Unchanged()
	case Finished:
		return t.in(Archived)
	}
	return nil, NotNow("only a finished tournament can be archived, and this one is %s", t.Status)
}

// SetArbiters replaces the accounts that are arbiters of the tournament.
func (t *Tournament) SetArbiters(accounts []string) (*Revision, error) {
	if t.Status == Archived {
		return nil, InArchive()
	}
	return t.With(func(next *Tournament) { next.Arbiters = slices.Clone(accounts) })
}

// CanDelete returns an error if a tournament cannot be deleted.
func (t *Tournament) CanDelete() error {
	return t.BeforeStart(sentence.New("a tournament can be deleted"))
}

// Started reports whether the tournament runs, or has run.
func (t *Tournament) Started() bool {
	return t.Status == Running || t.Status.Over()
}

// BeforeStart returns an error once the tournament has started.
func (t *Tournament) BeforeStart(what sentence.Sentence) error {
	if t.Started() {
		return NotNow("%s only before the start, and this tournament is %s", what, t.Status)
	}
	return nil
}

func (t *Tournament) in(s Status) (*Revision, error) {
	return t.With(func(next *Tournament) { next.Status = s })
}

// With returns t with changes of its own fields.
func (t *Tournament) With(change func(next *Tournament)) (*Revision, error) {
	next := *t
	change(&next)
	return next.Wrote(Delta{})
}
